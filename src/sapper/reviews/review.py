"""Review: what every move of a game was worth, with luck and skill kept apart (docs/review.md)."""

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
from sapper.reviews.judging import judge_steps
from sapper.reviews.labels import FAULTS, THRESHOLDS, Label, label_move
from sapper.reviews.steps import Step, steps_of
from sapper.reviews.worth import LOST, NO_LOSS, Judgement, Loss, Worth
from sapper.text import quoted

__all__ = ["FAULTS", "THRESHOLDS", "Label", "Loss", "Review", "ReviewedMove", "Worth", "review"]

_PROVED = Limit(seconds=2)
_ALL_PROVED = Limit(seconds=10)
_MOST_STATES = 10**15
_MOST_PLAYOUTS = 10**9
"""The engine counts playouts in 32 bits, and plays twice as many where a guess was made."""


@dataclass(frozen=True)
class ReviewedMove:
    """An entry of a record, and what it was worth. Chances are from 0 to 1, None where not known."""

    number: int
    """Which entry of the record, counted from 1."""
    at: float
    by: str
    kind: str
    cell: Cell | None
    cells: tuple[Cell, ...] = ()
    """What it opened at once: one cell, or those of a chord; none if it opened nothing."""
    undone: bool = False
    """Whether it was taken back."""
    lost: bool = False
    """Whether it opened a mine."""
    label: Label | None = None
    """None if it opened nothing, or the time was over before it was looked at."""
    certain: bool = False
    """Whether all its cells were certainly safe."""
    missed: Cell | None = None
    """A cell that was certainly safe, if this one was not."""
    best: Cell | None = None
    """A cell that the best move opens, where that is known."""
    risk: Chance | None = None
    """The chance that it opened a mine."""
    least_risk: Chance | None = None
    """The least risk of any cell."""
    before: Worth | None = None
    """The chance to win before it, with best play."""
    after: Worth | None = None
    """The same after it."""
    loss: Loss | None = None
    """What it lost of the chance to win, before it was known what it shows: skill."""
    luck: Chance | None = None
    """What the chance to win gained, or lost, by what was shown then."""
    is_decision: bool = False
    """Whether there was something to decide: it was a guess, or one was due, and cells differ."""

    @property
    def chance(self) -> Chance | None:
        """The chance to win with this move, before it was known what it shows."""
        if self.before is None or self.loss is None:
            return None
        return self.before.chance - self.loss.chance

    @property
    def accuracy(self) -> float | None:
        """How much of the chance to win a decision kept, from 0 to 100; or of that to survive it."""
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
    """What the moves of a game were worth. Made by `review`.

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
    Left in 1.5 s: 4x1/1, 2 opening moves.
    Accuracy 50.0 over 1 decision.
    ...
    """

    record: Record
    moves: tuple[ReviewedMove, ...]
    """All entries of the record, also those that opened nothing."""
    outcome: Outcome
    engine: str
    """`compiled`, or `python`: that one judges only what it can solve, and the rest by risk alone."""
    notes: tuple[str, ...]
    """What is not as usual, each in a sentence."""

    def __str__(self) -> str:
        from sapper.reviews.wording import game_words  # Later than this module: they tell of reviews.

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
        """The moves that opened something and were not taken back."""
        return tuple(move for move in self.moves if move.cells and not move.undone)

    @cached_property
    def labels(self) -> Mapping[Label, int]:
        """How often each label was given."""
        return Counter(move.label for move in self.moves if move.label is not None)

    @property
    def decisions(self) -> tuple[ReviewedMove, ...]:
        """The moves that had a choice, and were no certain cells."""
        return tuple(move for move in self.moves if move.accuracy is not None)

    @property
    def accuracy(self) -> float | None:
        """The mean of the decisions' accuracy, from 0 to 100; None if there was nothing to decide."""
        kept = [move.accuracy for move in self.moves if move.accuracy is not None]
        return sum(kept) / len(kept) if kept else None

    @property
    def loss(self) -> float:
        """What all moves that were not taken back lost of the chance to win."""
        return float(sum(move.loss.chance for move in self.line if move.loss is not None))

    @property
    def survived(self) -> float:
        """The chance to survive all risks that were taken and survived."""
        risks = [move.risk for move in self.line if move.risk is not None and not move.lost]
        return float(prod(1 - risk for risk in risks))

    @property
    def luck(self) -> float:
        """The same as players count it: minus its decimal logarithm."""
        return -log10(self.survived) or 0.0

    @property
    def least_survival(self) -> float:
        """The chance to survive the least risk wherever no cell of this game was certainly safe."""
        return float(prod(1 - move.least_risk for move in self.line if move.least_risk is not None))

    @property
    def costliest(self) -> ReviewedMove | None:
        """The move that lost most of the chance to win; None if none lost anything."""
        lossy = [move for move in self.moves if move.loss is not None and move.loss.chance > 0]
        return max(lossy, key=lambda move: move.loss.chance if move.loss else 0, default=None)

    @property
    def unluckiest(self) -> ReviewedMove | None:
        """The move after which the chance to win fell most for no fault of it."""
        unlucky = [move for move in self.line if move.luck is not None and move.luck < 0]
        return min(unlucky, key=lambda move: move.luck or 0, default=None)

    @property
    def luckiest(self) -> ReviewedMove | None:
        """The move after which it rose most."""
        lucky = [move for move in self.line if move.luck is not None and move.luck > 0]
        return max(lucky, key=lambda move: move.luck or 0, default=None)

    def position(self, number: int) -> Position:
        """Return the position before this move, counted from 1."""
        if not 1 <= integer(number, "the number of a move") <= len(self.moves):
            raise SapperError(f"the game has {len(self.moves)} moves, no move {quoted(number)}")
        return next(islice(self.record.moments(), number - 1, None)).before

    def proof(self, number: int, *, limit: Limit | None = None) -> Proof | None:
        """Return why a cell was certainly safe that this move missed; None if it missed none.

        It is the easiest proof of any safe cell, or the easiest found within the limit.
        """
        position, limit = self.position(number), Limit.given(limit, _PROVED)
        if self.moves[number - 1].missed is None:
            return None
        return easiest_proof(position, limit=limit)

    def proofs(self) -> dict[int, Proof]:
        """Return the proofs of all missed cells by the number of the move, as far as time allows."""
        budget = _ALL_PROVED.start()
        missed = [move.number for move in self.moves if move.missed is not None]
        proofs = {}
        for number in missed:
            with suppress(LimitReached):
                budget.check()
                own = _PROVED.start_within(budget)
                proof = easiest_proof_within(self.position(number), own)
                if proof is not None:
                    proofs[number] = proof
        return proofs

    def html(self) -> str:
        """Return the review as a page by itself: board, risks, moves, proofs and a plot."""
        from sapper.reviews.page import page_of  # Later than this module: it shows reviews.

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

    Where the endgame cannot be solved, that is estimated by so many games on drawn layouts, twice as
    many where a guess was made; 0 plays none. It ends after so many seconds: what was not looked at by
    then has no label. `progress` is called with how many positions are done, and of how many.

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
        raise SapperError(f"the number of playouts is 0 to {_MOST_PLAYOUTS}, not {quoted(playouts)}")
    if jobs is not None and (jobs := integer(jobs, "the number of threads")) < 1:
        raise SapperError(f"the number of threads is at least 1, not {quoted(jobs)}")
    budget = Limit(seconds=seconds, states=_MOST_STATES).start()
    steps = steps_of(record, budget)
    judgements = judge_steps(steps, playouts=playouts, budget=budget, jobs=jobs, progress=progress)
    moves = _with_luck([_reviewed(step, judgements) for step in steps])
    notes = tuple(_notes(record, moves))
    return Review(record, moves, record.outcome, engine.name, notes)


def _reviewed(step: Step, judgements: Mapping[Position, Judgement]) -> ReviewedMove:
    entry, facts = step.entry, step.facts
    move = ReviewedMove(
        step.number, entry.at, entry.by, entry.kind, entry.cell, step.cells, step.undone, step.lost
    )
    after = judgements.get(step.after) if step.after is not None else None
    worth_after = LOST if step.lost else after.worth if after is not None else None
    if step.is_first:
        return replace(move, label=Label.FIRST_CLICK, after=worth_after)
    if facts is None:
        return move
    judgement = judgements.get(step.before) if step.before is not None else None
    loss = judgement.losses.get(step.cells) if judgement is not None else None
    if facts.is_certain:
        loss = NO_LOSS
    best = facts.missed if judgement is None else judgement.best
    if loss is not None and loss.chance == 0:
        best = step.cells[0]
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
    """Return the moves with their luck: up to the next position whose worth is known.

    Between them are only moves that lose nothing.
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
            "By the course's rules flags win the game: the chance to win is that of opening every"
            " cell that is no mine."
        )
    guesses = [move for move in moves if move.label and not move.certain and move.risk is not None]
    by_risk = sum(move.loss is None for move in guesses)
    if by_risk:
        why = (
            "the plain-Python engine cannot estimate what they lost"
            if engine.name == "python"
            else "what they lost could neither be solved nor estimated"
        )
        count = "1 guess was" if by_risk == 1 else f"{by_risk} guesses were"
        yield f"{count} graded by risk alone: {why}."
    unseen = sum(move.label is None and bool(move.cells) for move in moves)
    if unseen:
        yield f"{unseen} {'move was' if unseen == 1 else 'moves were'} not looked at in time."
