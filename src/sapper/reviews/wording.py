"""The sentences of a review, shared by all front ends."""

from __future__ import annotations

from collections.abc import Iterator

from sapper.analysis import Chance
from sapper.game.game import Outcome
from sapper.position import describe_cell
from sapper.reviews.labels import Label
from sapper.reviews.reviewed_game import Review
from sapper.reviews.reviewed_move import ReviewedMove
from sapper.reviews.worth import Worth
from sapper.text import percent, plural

__all__ = ["game_words", "judgement_words", "move_words", "percent", "points", "worth_words"]

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


def points(chance: Chance, *, signed: bool = False) -> str:
    """Return a difference of probabilities in percentage points. Only exactly 0 is shown as 0.

    >>> points(0.0512), points(0.01, signed=True), points(0), points(-0.0001, signed=True)
    ('5.1 points', '+1.0 points', '0 points', '>-0.1 points')
    """
    if chance == 0:
        return "0 points"
    value = 100 * float(chance)
    if abs(value) < 0.1:
        small = "<+0.1" if signed else "<0.1"
        return f"{small if value > 0 else '>-0.1'} points"
    return f"{value:{'+' if signed else ''}.1f} points"


def worth_words(worth: Worth) -> str:
    """Return a win probability, with its standard error if it is an estimate.

    >>> worth_words(Worth(0.5, 0.01, exact=False)), worth_words(Worth(0.5))
    ('50.0 % ± 1.0', '50.0 %')
    """
    error = "" if worth.exact else f" ± {100 * worth.error:.1f}"
    return percent(worth.chance) + error


def move_words(move: ReviewedMove) -> str:
    """Return what the player did.

    >>> move_words(ReviewedMove(1, 0.0, "player", "open", (2, 3)))
    'opened row 3, column 4'
    """
    done = {
        "open": "opened",
        "chord": "chorded",
        "flag": "flagged or unflagged",
        "click": "clicked",
        "undo": "undid a move",
    }
    where = "" if move.cell is None else f" {describe_cell(move.cell)}"
    return done[move.kind] + where


def judgement_words(move: ReviewedMove) -> Iterator[str]:
    """Generate the sentences about a move.

    >>> move = ReviewedMove(1, 0.0, "player", "open", (2, 3), ((2, 3),), label=Label.BEST, certain=True)
    >>> list(judgement_words(move))
    ['No risk: it was certainly safe.']
    """
    if move.label is None:
        yield "It opened nothing." if not move.cells else "Not reviewed: the time limit was reached."
        return
    if len(move.cells) > 1:
        yield f"The chord opened {len(move.cells)} cells at once."
    if move.label is Label.FIRST_CLICK:
        yield "The first click was guaranteed to be safe."
    elif move.certain:
        only = "the only certainly safe cell" if move.label is Label.ONLY_MOVE else "certainly safe"
        yield f"No risk: it was {only}."
    else:
        yield _risk_words(move)
    if move.before is not None:
        yield f"Win probability with best play: {worth_words(move.before)}."
    if move.loss is not None and not move.certain:
        yield _loss_words(move)
    if move.luck is not None and move.luck != 0:
        yield f"Luck: {points(move.luck, signed=True)}."
    if move.lost:
        yield "The chord opened a mine." if move.kind == "chord" else "It was a mine."
    if move.undone:
        yield "The move was undone."


def _risk_words(move: ReviewedMove) -> str:
    assert move.risk is not None
    assert move.least_risk is not None
    if move.label is Label.BLUNDER and move.risk == 1:
        return "It was certainly a mine."
    risk = f"Risk {percent(move.risk)}"
    if move.missed is not None:
        return f"{risk}, though {describe_cell(move.missed)} was certainly safe."
    if move.risk <= move.least_risk * (1 + 1e-9):
        return f"{risk}: no cell had a lower risk."
    return f"{risk}; the lowest was {percent(move.least_risk)}."


def _loss_words(move: ReviewedMove) -> str:
    assert move.loss is not None
    assert move.before is not None
    if move.loss.chance == 0:
        why = "No other move was better" if move.missed is None else "The guess was unavoidable"
        return f"{why}: it lost nothing{'' if move.before.exact else ' measurable'}."
    lost = points(move.loss.chance)
    if move.loss.error:
        lost = f"{lost.removesuffix(' points')} ± {100 * move.loss.error:.1f} points"
    better = ""
    if move.missed is None and move.best is not None:
        better = f"; {describe_cell(move.best)} was better"
    return f"It lost {lost}{better}."


def game_words(review: Review) -> Iterator[str]:
    """Generate the sentences about the game.

    >>> from sapper import Level, Promise, Record, review
    >>> game = Record(Level.named("2x1/1"), Promise.SAFE, frozenset({(0, 0)}), ())
    >>> list(game_words(review(game)))[:2]
    ['Unfinished: 2x1/1, 0 moves.', 'No decisions to rate.']
    """
    yield _outcome_words(review)
    if review.accuracy is not None:
        decisions = plural(len(review.decisions), "decision")
        yield f"Accuracy {review.accuracy:.1f} over {decisions}."
    else:
        yield "No decisions to rate."
    counts = [
        plural(review.labels[label], str(label), _PLURALS.get(label))
        for label in _COUNTED
        if review.labels.get(label)
    ]
    yield f"{', '.join(counts)}." if counts else "No guesses."
    has_lost = any(move.lost for move in review.line)
    risks = "the risks before the losing move" if has_lost else "all risks taken"
    yield f"Probability of surviving {risks}: {percent(review.survived)}."
    yield f"With the lowest risk at every move: {percent(review.least_survival)}."
    if review.costliest is not None and review.costliest.loss is not None:
        costs = points(review.costliest.loss.chance)
        yield f"Costliest move: {review.costliest.number}, which lost {costs}."
    for name, move in (("Luckiest", review.luckiest), ("Unluckiest", review.unluckiest)):
        if move is not None and move.luck is not None:
            yield f"{name} move: {move.number}, {points(move.luck, signed=True)}."
    yield from review.notes


def _outcome_words(review: Review) -> str:
    record = review.record
    moves = plural(len(review.line), "move")
    time = f"{record.seconds:.1f} s" if record.seconds else ""
    if review.outcome is Outcome.PLAYING:
        outcome = f"Unfinished after {time}" if time else "Unfinished"
    else:
        outcome = review.outcome.value.capitalize() + (f" in {time}" if time else "")
    return f"{outcome}: {record.level.name}, {moves}."
