"""Words of a review: the same on every face."""

from __future__ import annotations

from collections.abc import Iterator

from sapper.analysis import Chance
from sapper.formats import format_percent
from sapper.game.game import Outcome
from sapper.position import describe_cell
from sapper.reviews.labels import Label
from sapper.reviews.review import Review, ReviewedMove, Worth

_COUNTED = (
    Label.BLUNDER,
    Label.MISTAKE,
    Label.INACCURACY,
    Label.NEEDLESS_GUESS,
    Label.FORCED_GUESS,
)
_PLURALS = {
    Label.INACCURACY: "inaccuracies",
    Label.NEEDLESS_GUESS: "needless guesses",
    Label.FORCED_GUESS: "forced guesses",
}


def percent(chance: Chance) -> str:
    """Return a chance in percent; what is not certain never reads as 0 or 100.

    >>> percent(0.5), percent(1), percent(0.00001)
    ('50.0 %', '100 %', '<0.1 %')
    """
    if chance in (0, 1):
        return f"{100 * int(chance)} %"
    return f"{format_percent(chance, digits=1)} %"


def points(chance: Chance, *, signed: bool = False) -> str:
    """Return a difference of chances in points, of which a hundred are certainty.

    >>> points(0.0512), points(0.01, signed=True), points(0)
    ('5.1 points', '+1.0 points', '0 points')
    """
    if chance == 0:
        return "0 points"
    return f"{100 * float(chance):{'+' if signed else ''}.1f} points"


def worth_words(worth: Worth) -> str:
    """Return a chance to win, with its standard error if it is an estimate.

    >>> worth_words(Worth(0.5, 0.01, exact=False)), worth_words(Worth(0.5))
    ('50.0 % ± 1.0', '50.0 %')
    """
    error = "" if worth.exact else f" ± {100 * worth.error:.1f}"
    return percent(worth.chance) + error


def move_words(move: ReviewedMove) -> str:
    """Return what was done.

    >>> move_words(ReviewedMove(1, 0.0, "player", "open", (2, 3)))
    'opened row 3, column 4'
    """
    done = {
        "open": "opened",
        "chord": "chorded",
        "flag": "flagged or unflagged",
        "click": "clicked",
        "undo": "took back a move",
    }
    where = "" if move.cell is None else f" {describe_cell(move.cell)}"
    return done[move.kind] + where


def judgement_words(move: ReviewedMove) -> Iterator[str]:
    """Generate what there is to say of a move, sentence by sentence.

    >>> move = ReviewedMove(1, 0.0, "player", "open", (2, 3), ((2, 3),), label=Label.BEST, certain=True)
    >>> list(judgement_words(move))
    ['No risk: it was certainly safe.']
    """
    if move.label is None:
        yield "It opened nothing." if not move.cells else "It was not looked at in time."
        return
    if len(move.cells) > 1:
        yield f"The chord opened {len(move.cells)} cells at once."
    if move.label is Label.FIRST_CLICK:
        yield "The first click was promised to be safe: there is nothing to grade."
    elif move.certain:
        only = "the only cell that was" if move.label is Label.ONLY_MOVE else "it was"
        yield f"No risk: {only} certainly safe."
    else:
        yield _risk_words(move)
    if move.before is not None:
        yield f"Chance to win with best play: {worth_words(move.before)}."
    if move.loss is not None and not move.certain:
        yield _loss_words(move)
    if move.luck is not None and move.luck != 0:
        yield f"Luck, by what was shown then: {points(move.luck, signed=True)}."
    if move.lost:
        yield "It was a mine."
    if move.undone:
        yield "The move was taken back."


def _risk_words(move: ReviewedMove) -> str:
    assert move.risk is not None
    assert move.least_risk is not None
    if move.label is Label.BLUNDER and move.risk == 1:
        return "It was certainly a mine."
    risk = f"Risk {percent(move.risk)}"
    if move.missed is not None:
        return f"{risk}, though {describe_cell(move.missed)} was certainly safe."
    if move.risk <= move.least_risk * (1 + 1e-9):
        return f"{risk}: no cell had less."
    return f"{risk}; the least was {percent(move.least_risk)}."


def _loss_words(move: ReviewedMove) -> str:
    assert move.loss is not None
    assert move.before is not None
    if move.loss.chance == 0:
        no_better = "No other move was better" if move.missed is None else "It had to come some time"
        return f"{no_better}: it lost nothing{'' if move.before.exact else ' that can be seen'}."
    error = f" ± {100 * move.loss.error:.1f}" if move.loss.error else ""
    better = ""
    if move.missed is None and move.best is not None:
        better = f"; better was {describe_cell(move.best)}"
    return f"It lost {100 * float(move.loss.chance):.1f}{error} points{better}."


def game_words(review: Review) -> Iterator[str]:
    """Generate what there is to say of the game, sentence by sentence.

    >>> from sapper import Level, Promise, Record, review
    >>> game = Record(Level.named("2x1/1"), Promise.SAFE, frozenset({(0, 0)}), ())
    >>> list(game_words(review(game)))[:2]
    ['Left: 2x1/1, 0 opening moves.', 'There was nothing to decide.']
    """
    yield _outcome_words(review)
    if review.accuracy is not None:
        count = len(review.decisions)
        yield f"Accuracy {review.accuracy:.1f} over {count} decision{'' if count == 1 else 's'}."
    else:
        yield "There was nothing to decide."
    counts = [_counted(label, review.labels[label]) for label in _COUNTED if review.labels.get(label)]
    yield f"{', '.join(counts).capitalize()}." if counts else "No guesses."
    yield (
        f"Risks survived: {percent(review.survived)} (luck {review.luck:.2f});"
        f" by the least risks: {percent(review.least_survival)}."
    )
    if review.costliest is not None and review.costliest.loss is not None:
        costs = points(review.costliest.loss.chance)
        yield f"Costliest: move {review.costliest.number}, {costs} lost by play."
    for name, move in (("Luckiest", review.luckiest), ("Unluckiest", review.unluckiest)):
        if move is not None and move.luck is not None:
            yield f"{name}: move {move.number}, {points(move.luck, signed=True)} by what was shown."
    yield from review.notes


def _outcome_words(review: Review) -> str:
    ends = {Outcome.WON: "Won", Outcome.LOST: "Lost", Outcome.PLAYING: "Left"}
    record = review.record
    moves = len(review.line)
    time = f" in {record.seconds:.1f} s" if record.seconds else ""
    return (
        f"{ends[review.outcome]}{time}: {record.level.name}, "
        f"{moves} opening move{'' if moves == 1 else 's'}."
    )


def _counted(label: Label, count: int) -> str:
    return f"{count} {label if count == 1 else _PLURALS.get(label, f'{label}s')}"
