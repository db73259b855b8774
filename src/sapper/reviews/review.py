"""Review a game: what every move was worth, with luck and skill kept apart (docs/review.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from sapper.analysis import Chance, Limit
from sapper.arguments import instance, integer
from sapper.engine import engine
from sapper.errors import SapperError
from sapper.game.record import Record, check_times
from sapper.position import Position
from sapper.reviews.examining import ExaminedMove, examine
from sapper.reviews.judging import judge_moves
from sapper.reviews.labels import FAULTS, THRESHOLDS, Label, label_move
from sapper.reviews.reviewed_game import Review
from sapper.reviews.reviewed_move import ReviewedMove
from sapper.reviews.worth import LOST, NO_LOSS, Judgement, Loss, Worth
from sapper.text import quoted

__all__ = ["FAULTS", "THRESHOLDS", "Label", "Loss", "Review", "ReviewedMove", "Worth", "review"]

_MOST_STATES = 10**15
"""More than any review needs, so that only the time is limited."""
_MOST_PLAYOUTS = 10**9
"""The engine counts playouts in 32 bits, and a position with a guess gets twice as many."""


def review(
    record: Record,
    *,
    playouts: int = 512,
    seconds: float = 60.0,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Review:
    """Review every move of a game.

    Where the endgame cannot be solved, the win probability is estimated from `playouts` on sampled
    layouts (twice as many for a guess; 0 turns estimates off). After `seconds`, the remaining moves get
    no label. `jobs` is the number of threads (default: one per core). `progress` is called with the
    number of positions judged so far and the total.

    >>> from sapper import Entry, Level, Promise
    >>> moves = (Entry(0.0, "open", (0, 1)), Entry(1.5, "open", (0, 2)))
    >>> game = Record(Level.named("3x1/1"), Promise.SAFE, frozenset({(0, 0)}), moves)
    >>> found = review(game)
    >>> [str(move.label) for move in found.moves], found.outcome.value
    (['first click', 'forced guess'], 'won')
    >>> found.moves[1].before.chance, found.moves[1].luck
    (Fraction(1, 2), Fraction(1, 2))
    """
    check_times(instance(record, Record, "the record of a game"))
    if not 0 <= (playouts := integer(playouts, "the number of playouts")) <= _MOST_PLAYOUTS:
        raise SapperError(
            f"the number of playouts must be 0 to {_MOST_PLAYOUTS:,}, not {quoted(playouts)}"
        )
    if jobs is not None and (jobs := integer(jobs, "the number of threads")) < 1:
        raise SapperError(f"the number of threads must be at least 1, not {quoted(jobs)}")
    budget = Limit(seconds=seconds, states=_MOST_STATES).start()
    examined = examine(record, budget)
    judgements = judge_moves(examined, playouts=playouts, budget=budget, jobs=jobs, progress=progress)
    moves = _with_luck([_review_move(move, judgements) for move in examined])
    notes = tuple(_notes(record, moves))
    return Review(record, moves, record.outcome, engine.name, notes)


def _review_move(examined: ExaminedMove, judgements: Mapping[Position, Judgement]) -> ReviewedMove:
    entry, facts = examined.entry, examined.facts
    move = ReviewedMove(
        examined.number,
        entry.at,
        entry.by,
        entry.kind,
        entry.cell,
        examined.cells,
        examined.undone,
        examined.lost,
    )
    after = judgements.get(examined.after) if examined.after is not None else None
    worth_after = LOST if examined.lost else after.worth if after is not None else None
    if examined.is_first:
        return replace(move, label=Label.FIRST_CLICK, after=worth_after)
    if facts is None:
        return move
    judgement = judgements.get(examined.before) if examined.before is not None else None
    loss = judgement.losses.get(examined.cells) if judgement is not None else None
    if facts.is_certain:
        loss = NO_LOSS
    best = facts.missed if judgement is None else judgement.best
    if loss is not None and loss.chance == 0:
        best = examined.cells[0]
    return replace(
        move,
        label=label_move(
            is_certain=facts.is_certain,
            is_only=facts.safe_cells == 1,
            is_mine=facts.is_mine,
            missed_safe=facts.missed is not None,
            loss=facts.risk - facts.least_risk if loss is None else loss.chance,
        ),
        certain=facts.is_certain,
        missed=facts.missed,
        best=best,
        risk=facts.risk,
        least_risk=facts.least_risk,
        before=None if judgement is None else judgement.worth,
        after=worth_after,
        loss=loss,
        is_decision=not facts.is_certain and (judgement is None or judgement.has_choice),
    )


def _with_luck(moves: Sequence[ReviewedMove]) -> tuple[ReviewedMove, ...]:
    """Return the moves with their luck.

    A move's luck extends to the next position whose worth is known. The moves in between are certainly
    safe, so they lose nothing.
    """
    lucky: dict[int, Chance] = {}
    line = [move for move in moves if move.cells and not move.undone]
    known: Worth | None = None  # The worth of the next position where it is known.
    for move in reversed(line):
        known = move.after or known
        if move.chance is not None and known is not None:
            lucky[move.number] = known.chance - move.chance
        known = move.before or (known if move.certain else None)
    for move in moves:
        if move.undone and move.after is not None and move.chance is not None:
            lucky[move.number] = move.after.chance - move.chance
    return tuple(replace(move, luck=lucky.get(move.number)) for move in moves)


def _notes(record: Record, moves: Sequence[ReviewedMove]) -> Iterator[str]:
    if record.level.course_rules:
        yield (
            "Under the course's rules, flagging the mines wins. The win probabilities are those of"
            " opening every safe cell."
        )
    guesses = [move for move in moves if move.label and not move.certain and move.risk is not None]
    by_risk = sum(move.loss is None for move in guesses)
    if by_risk:
        why = (
            "the pure Python engine cannot estimate losses"
            if engine.name == "python"
            else "the loss could be neither computed nor estimated"
        )
        count = "1 guess was" if by_risk == 1 else f"{by_risk} guesses were"
        yield f"{count} graded by risk alone: {why}."
    unseen = sum(move.label is None and bool(move.cells) for move in moves)
    if unseen:
        count = "1 move was" if unseen == 1 else f"{unseen} moves were"
        yield f"{count} not reviewed: the time limit was reached."
