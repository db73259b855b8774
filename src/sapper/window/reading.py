"""Step through a recorded game and its review. This module draws nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from sapper.analysis import Limit, analyse
from sapper.errors import LimitReached, SapperError
from sapper.game.game import Game, Outcome
from sapper.game.record import PLAYER, Record, repeat
from sapper.position import Cell, Position
from sapper.proof.proof import Proof
from sapper.reviews.labels import FAULTS
from sapper.reviews.review import Review, ReviewedMove, review
from sapper.reviews.wording import game_words, judgement_words, move_words, percent
from sapper.session.background import BackgroundTasks, Report

_RISKS_LIMIT: Final = Limit(seconds=2)
MOST_CACHED_CELLS: Final = 2_000_000
"""The most cells whose risks are cached, over all positions."""
ENDINGS: Final = {Outcome.WON: "won", Outcome.LOST: "lost", Outcome.PLAYING: "unfinished"}

ReviewFunction = Callable[[Record, Report], Review]


@dataclass(frozen=True, eq=False)
class Insight:
    """What is known about the position before a move."""

    risks: Mapping[Cell, float] = field(default_factory=dict)
    proof: Proof | None = None


def _judge(record: Record, report: Report) -> Review:
    return review(record, progress=report)


class Reading:
    """A recorded game and the current move, `number`; the number after the last move is the end.

    The review runs in the background, and so do the risks and the proof for the current move. `tick`
    collects the results.

    >>> from sapper import Entry, Level, Promise
    >>> moves = (Entry(0.0, "open", (0, 2)), Entry(1.5, "open", (0, 3)))
    >>> reading = Reading(Record(Level.named("4x1/1"), Promise.SAFE, frozenset({(0, 1)}), moves))
    >>> reading.number, reading.end, reading.review
    (3, 3, None)
    >>> reading.wait()
    >>> reading.find_fault(-1)
    True
    >>> reading.number, str(reading.move.label), reading.better
    (2, 'needless guess', (0, 0))
    >>> reading.close()
    """

    def __init__(self, record: Record, *, judge: ReviewFunction = _judge) -> None:
        """Start the review; raise `BadRecord` if the game cannot have been played."""
        self.record = record
        self._game = record.replay()
        self.outcome = self._game.outcome
        self.end = len(record.entries) + 1
        self.number = self.end
        self.review: Review | None = None
        self.faults_only = False
        self.trouble: str | None = None
        """Why the review failed; None if it did not."""
        self._played = len(record.entries)
        self._insights: dict[tuple[int, bool], Insight] = {}
        # A cancelled review stops at its next progress report, so Python can wait for it at exit.
        self._tasks = BackgroundTasks(threads=2, wait_at_exit=True)
        self._tasks.start(
            "review", lambda report: judge(record, report), self._take_review, self._take_error
        )

    # Background tasks -------------------------------------------------------------------------

    @property
    def progress(self) -> tuple[int, int]:
        """The number of positions reviewed so far, and the total; (0, 0) if they are unknown."""
        return self._tasks.progress("review")

    def tick(self) -> bool:
        """Collect results, and examine the current move; return whether anything changed."""
        changed = self._tasks.poll()
        if not self._tasks.is_running("insight") and self._key not in self._insights:
            self._examine()
        return changed

    def wait(self) -> None:
        """Wait until everything about the current move is known."""
        self.tick()
        while self._tasks.is_running("review") or self._tasks.is_running("insight"):
            self._tasks.wait()
            self.tick()

    def close(self) -> None:
        """Cancel all background tasks."""
        self._tasks.close()

    def _take_review(self, found: Review) -> None:
        self.review = found

    def _take_error(self, error: SapperError) -> None:
        self.trouble = str(error)

    @property
    def _key(self) -> tuple[int, bool]:
        """The current move, and whether it needs a proof."""
        return self.number, self.move is not None and self.move.missed is not None

    def _examine(self) -> None:
        """Compute the risks before the current move and, if it missed a safe cell, a proof."""
        key, position, found = self._key, self.game.position, self.review
        if self.game.over:
            self._insights[key] = Insight()
            return
        number, needs_proof = key
        known = self._insights.get((number, False))

        def work(_: Report) -> Insight:
            risks = known.risks if known else _risks(position)
            proof = _proof(found, number) if found is not None and needs_proof else None
            return Insight(risks, proof)

        def keep(insight: Insight) -> None:
            self._insights[key] = insight
            if len(self._insights) > max(2, MOST_CACHED_CELLS // len(position)):
                del self._insights[next(iter(self._insights))]

        self._tasks.start("insight", work, keep, lambda _: keep(Insight()))

    # The current move -------------------------------------------------------------------------

    def choose(self, number: int) -> None:
        """Go to a move, or to the nearest one that exists."""
        self.number = min(max(1, number), self.end)

    def find_fault(self, direction: int) -> bool:
        """Go to the next fault, or with -1 to the previous one; return whether there is one."""
        ahead = [number for number in self.faults if (number - self.number) * direction > 0]
        if ahead:
            self.number = min(ahead, key=lambda number: abs(number - self.number))
        return bool(ahead)

    @property
    def faults(self) -> list[int]:
        """The numbers of the moves that were faults."""
        moves = self.review.moves if self.review is not None else ()
        return [move.number for move in moves if move.label in FAULTS]

    @property
    def listed(self) -> list[int]:
        """The numbers in the list of moves: all of them and the end, or only the faults."""
        return self.faults if self.faults_only else list(range(1, self.end + 1))

    @property
    def game(self) -> Game:
        """The game before the current move."""
        if self._played >= self.number:
            while self._game.actions:  # Faster than a new game, which would place all mines again.
                self._game.undo()
            self._played = 0
        for entry in self.record.entries[self._played : self.number - 1]:
            repeat(self._game, entry)
        self._played = self.number - 1
        return self._game

    @property
    def insight(self) -> Insight | None:
        """What is known about the current position so far; None if nothing is."""
        return self._insights.get(self._key) or self._insights.get((self.number, False))

    @property
    def move(self) -> ReviewedMove | None:
        """The review of the current move; None at the end, and before the review is finished."""
        return self.move_at(self.number)

    def move_at(self, number: int) -> ReviewedMove | None:
        """Return the review of a move."""
        if self.review is None or number >= self.end:
            return None
        return self.review.moves[number - 1]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that the current move opened or flagged."""
        if self.number == self.end:
            return ()
        cell = self.record.entries[self.number - 1].cell
        opened = self.move.cells if self.move is not None else ()
        return opened or (() if cell is None else (cell,))

    @property
    def better(self) -> Cell | None:
        """A better cell to open, if one is known."""
        if self.move is None:
            return None
        if self.insight is not None and self.insight.proof is not None:
            return self.insight.proof.cell
        best = self.move.missed or self.move.best
        return None if best in self.cells else best

    # Text ---------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """The level and the outcome."""
        return f"Review: {self.record.level.name}, {ENDINGS[self.outcome]}"

    @property
    def summary(self) -> str:
        """The progress of the review, and then the accuracy."""
        if self.trouble is not None:
            return "No review available"
        if self.review is None:
            done, total = self.progress
            return f"{done} of {total} positions" if total else "Loading the game"
        accuracy = self.review.accuracy
        return "No decisions to rate" if accuracy is None else f"Accuracy {accuracy:.1f}"

    @property
    def heading(self) -> str:
        """The number of the current move."""
        if self.number == self.end:
            return "End of the game"
        return f"Move {self.number} of {self.end - 1}"

    @property
    def words(self) -> list[str]:
        """The sentences about the current move or, at the end, about the game."""
        if self.number == self.end:
            if self.review is not None:
                return list(game_words(self.review))
            is_over = self.outcome is not Outcome.PLAYING
            said = f"The game {'was' if is_over else 'is'} {ENDINGS[self.outcome]}."
            return [said, *self._why_not()]
        entry = self.record.entries[self.number - 1]
        plain = ReviewedMove(self.number, entry.at, entry.by, entry.kind, entry.cell)
        done = move_words(plain)
        by = "" if entry.by == PLAYER else f", by {entry.by}"
        lines = [f"{done[0].upper()}{done[1:]}{by}."]
        if self.move is None:
            return [*lines, *self._risk_words(), *self._why_not()]
        proof = None if self.insight is None else self.insight.proof
        move = self.move if proof is None else replace(self.move, missed=proof.cell, best=proof.cell)
        lines += judgement_words(move)
        return lines if proof is None else [*lines, *str(proof).splitlines()]

    def _risk_words(self) -> list[str]:
        risks = self.insight.risks if self.insight is not None else {}
        opens = self.record.entries[self.number - 1].kind == "open"
        return [f"Risk {percent(risks[cell])}." for cell in self.cells if opens and cell in risks]

    def _why_not(self) -> list[str]:
        if self.trouble is not None:
            return [f"The review failed: {self.trouble}."]
        return ["The review is not finished yet."]


def _risks(position: Position) -> Mapping[Cell, float]:
    with suppress(LimitReached):
        return {cell: float(risk) for cell, risk in analyse(position, limit=_RISKS_LIMIT).risk.items()}
    return {}


def _proof(found: Review, number: int) -> Proof | None:
    with suppress(LimitReached):
        return found.proof(number)
    return None
