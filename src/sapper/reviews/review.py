"""Reviews: what every move of a game was worth, with luck and skill kept apart (docs/review.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from html import escape
from itertools import islice
from math import log10, prod
from typing import Any

from sapper.analysis import Chance, Limit
from sapper.arguments import instance, integer
from sapper.caching import cached_property
from sapper.engine import engine
from sapper.errors import LimitReached, SapperError
from sapper.game.game import Outcome
from sapper.game.record import Record, check_times
from sapper.position import Cell, Position
from sapper.proof.difficulty import easiest_proof, easiest_proof_within
from sapper.proof.proof import Proof
from sapper.reviews.examining import ExaminedMove, examine
from sapper.reviews.judging import judge_moves
from sapper.reviews.labels import FAULTS, THRESHOLDS, Label, label_move
from sapper.reviews.worth import LOST, NO_LOSS, Judgement, Loss, Worth
from sapper.text import plural, quoted

__all__ = ["FAULTS", "THRESHOLDS", "Label", "Loss", "Review", "ReviewedMove", "Worth", "review"]

_PROOF_LIMIT = Limit(seconds=2)
_ALL_PROOFS_LIMIT = Limit(seconds=10)
_MOST_STATES = 10**15
"""Enough for any review: only the time limits it."""
_MOST_PLAYOUTS = 10**9
"""The engine counts playouts in 32 bits, and a position with a guess gets twice as many."""


@dataclass(frozen=True)
class ReviewedMove:
    """An entry of a record, and what it was worth. Unknown values are None."""

    number: int
    """The number of the entry in the record, counted from 1."""
    at: float
    by: str
    kind: str
    cell: Cell | None
    cells: tuple[Cell, ...] = ()
    """The cells that it opened at once: one, or those of a chord; empty if it opened nothing."""
    undone: bool = False
    """Whether it was undone later."""
    lost: bool = False
    """Whether it opened a mine."""
    label: Label | None = None
    """None if it opened nothing, or if the time limit was reached before it was reviewed."""
    certain: bool = False
    """Whether all its cells were certainly safe."""
    missed: Cell | None = None
    """A certainly safe cell, if the move was not certainly safe."""
    best: Cell | None = None
    """A cell that the best move opens, if known."""
    risk: Chance | None = None
    """The probability that it opened a mine."""
    least_risk: Chance | None = None
    """The lowest risk of any cell."""
    before: Worth | None = None
    """The win probability before it, with best play."""
    after: Worth | None = None
    """The win probability after it, with best play."""
    loss: Loss | None = None
    """The win probability that the choice of the move lost, whatever it showed: skill."""
    luck: Chance | None = None
    """How what it showed changed the win probability."""
    is_decision: bool = False
    """Whether it was a decision: a guess in a position whose cells differ in worth."""

    @property
    def chance(self) -> Chance | None:
        """The win probability with this move, before it was known what it shows."""
        if self.before is None or self.loss is None:
            return None
        return self.before.chance - self.loss.chance

    @property
    def accuracy(self) -> float | None:
        """The share of the win probability that a decision kept, or of survival: from 0 to 100."""
        if not self.is_decision or self.risk is None or self.least_risk is None:
            return None
        if self.before is None or self.chance is None:
            return 100.0 * float((1 - self.risk) / (1 - self.least_risk))
        return 100.0 * float(self.chance / self.before.chance) if self.before.chance else 100.0

    def to_json(self) -> dict[str, Any]:
        """Return the move as an object for `json.dumps`; docs/review.md says what it holds."""
        return {
            "number": self.number,
            "at": self.at,
            "by": self.by,
            "kind": self.kind,
            "cell": None if self.cell is None else list(self.cell),
            "cells": [list(cell) for cell in self.cells],
            "undone": self.undone,
            "lost": self.lost,
            "label": None if self.label is None else self.label.value,
            "certain": self.certain,
            "missed": None if self.missed is None else list(self.missed),
            "best": None if self.best is None else list(self.best),
            "risk": _number(self.risk),
            "least_risk": _number(self.least_risk),
            "before": _worth_to_json(self.before),
            "after": _worth_to_json(self.after),
            "loss": None if self.loss is None else float(self.loss.chance),
            "loss_error": None if self.loss is None else self.loss.error,
            "luck": _number(self.luck),
            "accuracy": self.accuracy,
        }


def _number(chance: Chance | None) -> float | None:
    return None if chance is None else float(chance)


def _worth_to_json(worth: Worth | None) -> dict[str, Any] | None:
    if worth is None:
        return None
    return {"chance": float(worth.chance), "error": worth.error, "exact": worth.exact}


@dataclass(frozen=True)
class Review:
    """What the moves of a game were worth. Returned by `review`.

    >>> from sapper import Entry, Level, Promise
    >>> moves = (Entry(0.0, "open", (0, 2)), Entry(1.5, "open", (0, 3)))
    >>> found = review(Record(Level.named("4x1/1"), Promise.SAFE, frozenset({(0, 1)}), moves))
    >>> print(found.moves[1].label, found.moves[1].missed, found.moves[1].loss.chance)
    needless guess (0, 0) 1/2
    >>> print(found.position(2))
    4x1/1
    # # 1 #
    >>> found.proof(2).cell, list(found.proofs())
    ((0, 0), [2])
    >>> found.to_json()["labels"]
    {'first click': 1, 'needless guess': 1}
    >>> print(found)
    Not finished after 1.5 s: 4x1/1, 2 moves.
    Accuracy 50.0 over 1 decision.
    ...
    """

    record: Record
    moves: tuple[ReviewedMove, ...]
    """All entries of the record, including those that opened nothing."""
    outcome: Outcome
    engine: str
    """`compiled` or `python`; the latter grades by risk what it cannot solve."""
    notes: tuple[str, ...]
    """Sentences about anything unusual."""

    def __str__(self) -> str:
        from sapper.reviews.wording import game_words  # It imports this module.

        return "\n".join(game_words(self))

    def _repr_html_(self) -> str:
        """Return what notebooks show: the page in a frame, or the text if there are too many moves."""
        try:
            page = self.html()
        except SapperError:
            return f"<pre>{escape(str(self))}</pre>"
        style = "width: 100%; height: 48em; border: 0"
        return f'<iframe srcdoc="{escape(page)}" style="{style}"></iframe>'

    @cached_property
    def line(self) -> tuple[ReviewedMove, ...]:
        """The moves that opened something and were not undone."""
        return tuple(move for move in self.moves if move.cells and not move.undone)

    @cached_property
    def labels(self) -> Mapping[Label, int]:
        """The number of moves with each label."""
        return Counter(move.label for move in self.moves if move.label is not None)

    @property
    def decisions(self) -> tuple[ReviewedMove, ...]:
        """The moves that were decisions: guesses where the cells differed in worth."""
        return tuple(move for move in self.moves if move.accuracy is not None)

    @property
    def accuracy(self) -> float | None:
        """The mean accuracy of the decisions, from 0 to 100; None if there were none."""
        kept = [move.accuracy for move in self.moves if move.accuracy is not None]
        return sum(kept) / len(kept) if kept else None

    @property
    def loss(self) -> float:
        """The win probability that all moves lost together, except undone moves."""
        return float(sum(move.loss.chance for move in self.line if move.loss is not None))

    @property
    def survived(self) -> float:
        """The probability of surviving all the risks that were taken and survived."""
        risks = [move.risk for move in self.line if move.risk is not None and not move.lost]
        return float(prod(1 - risk for risk in risks))

    @property
    def luck(self) -> float:
        """The luck as players count it: the negative decimal logarithm of `survived`."""
        return -log10(self.survived) or 0.0

    @property
    def least_survival(self) -> float:
        """The probability of surviving the lowest risk at each move of this game."""
        return float(prod(1 - move.least_risk for move in self.line if move.least_risk is not None))

    @property
    def costliest(self) -> ReviewedMove | None:
        """The move that lost the most win probability; None if no move lost any."""
        lossy = [move for move in self.moves if move.loss is not None and move.loss.chance > 0]
        return max(lossy, key=lambda move: move.loss.chance if move.loss else 0, default=None)

    @property
    def unluckiest(self) -> ReviewedMove | None:
        """The move with the worst luck; None if no move had bad luck."""
        unlucky = [move for move in self.line if move.luck is not None and move.luck < 0]
        return min(unlucky, key=lambda move: move.luck or 0, default=None)

    @property
    def luckiest(self) -> ReviewedMove | None:
        """The move with the best luck; None if no move had good luck."""
        lucky = [move for move in self.line if move.luck is not None and move.luck > 0]
        return max(lucky, key=lambda move: move.luck or 0, default=None)

    def position(self, number: int) -> Position:
        """Return the position before this move, counted from 1."""
        if not 1 <= integer(number, "the number of a move") <= len(self.moves):
            moves = plural(len(self.moves), "move")
            raise SapperError(f"the game has {moves}, so there is no move {quoted(number)}")
        return next(islice(self.record.moments(), number - 1, None)).before

    def proof(self, number: int, *, limit: Limit | None = None) -> Proof | None:
        """Return a proof of a safe cell that this move missed; None if it missed none.

        It is the easiest proof of any safe cell that is found within the limit.
        """
        position, limit = self.position(number), Limit.given(limit, _PROOF_LIMIT)
        if self.moves[number - 1].missed is None:
            return None
        return easiest_proof(position, limit=limit)

    def proofs(self) -> dict[int, Proof]:
        """Return a proof for each move that missed a safe cell, by its number, until the time is up."""
        budget = _ALL_PROOFS_LIMIT.start()
        missed = [move.number for move in self.moves if move.missed is not None]
        proofs = {}
        for number in missed:
            with suppress(LimitReached):
                budget.check()
                own = _PROOF_LIMIT.start_within(budget)
                proof = easiest_proof_within(self.position(number), own)
                if proof is not None:
                    proofs[number] = proof
        return proofs

    def html(self) -> str:
        """Return the review as a self-contained HTML page: board, risks, moves, proofs and a plot."""
        from sapper.reviews.page import page_of  # It imports this module.

        return page_of(self)

    def to_json(self) -> dict[str, Any]:
        """Return the review as an object for `json.dumps`; docs/review.md says what it holds."""
        record, proofs = self.record, self.proofs()
        return {
            "level": record.level.name,
            "size": record.level.size,
            "promise": record.promise.value,
            "seed": record.seed,
            "outcome": self.outcome.value,
            "seconds": record.seconds,
            "engine": self.engine,
            "notes": list(self.notes),
            "accuracy": self.accuracy,
            "decisions": len(self.decisions),
            "labels": {label.value: count for label, count in sorted(self.labels.items())},
            "loss": self.loss,
            "survived": self.survived,
            "luck": self.luck,
            "least_survival": self.least_survival,
            "costliest": self.costliest and self.costliest.number,
            "unluckiest": self.unluckiest and self.unluckiest.number,
            "luckiest": self.luckiest and self.luckiest.number,
            "moves": [
                move.to_json()
                | {"proof": str(proofs[move.number]).splitlines() if move.number in proofs else None}
                for move in self.moves
            ],
        }


def review(
    record: Record,
    *,
    playouts: int = 512,
    seconds: float = 60.0,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Review:
    """Return what every move of a game was worth.

    If the endgame cannot be solved, its win probability is estimated by `playouts` on sampled layouts
    (twice as many for a guess; 0 for none). After `seconds`, the remaining moves get no label. `jobs`
    is the number of threads (default: one per core). `progress` is called with the number of positions
    judged so far and the number of all positions.

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
    moves = _with_luck([_reviewed(move, judgements) for move in examined])
    notes = tuple(_notes(record, moves))
    return Review(record, moves, record.outcome, engine.name, notes)


def _reviewed(examined: ExaminedMove, judgements: Mapping[Position, Judgement]) -> ReviewedMove:
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

    A move's luck is measured up to the next position whose worth is known. The moves in between lose
    nothing.
    """
    lucky: dict[int, Chance] = {}
    line = [move for move in moves if move.cells and not move.undone]
    known: Worth | None = None  # The next worth along the line.
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
