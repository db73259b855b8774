"""Reading a game: the move that is looked at, and what is known of it so far. It draws nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from sapper.analysis import Limit, analyse
from sapper.errors import LimitReached
from sapper.game.game import Game, Outcome
from sapper.game.record import PLAYER, Record, repeat
from sapper.position import Cell, Position
from sapper.proof.proof import Proof
from sapper.reviews.labels import FAULTS
from sapper.reviews.review import Review, ReviewedMove, review
from sapper.reviews.wording import game_words, judgement_words, move_words, percent
from sapper.session.background import Background, Report

_LOOK: Final = Limit(seconds=2)
_MOST_KEPT: Final = 2_000_000
"""Of how many cells, on all boards together, the risks are kept."""
ENDINGS: Final = {Outcome.WON: "won", Outcome.LOST: "lost", Outcome.PLAYING: "unfinished"}

Judge = Callable[[Record, Report], Review]


@dataclass(frozen=True, eq=False)
class Insight:
    """What is found of one move's position while it is looked at."""

    risks: Mapping[Cell, float] = field(default_factory=dict)
    proof: Proof | None = None


def _judge(record: Record, report: Report) -> Review:
    return review(record, progress=report)


class Reading:
    """A record being read: `number` is the move that is looked at, one more than the last is the end.

    The review is made in the background, and so are the risks and the proof of the move that is looked
    at; `tick` takes in what they found.

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

    def __init__(self, record: Record, *, judge: Judge = _judge) -> None:
        """Begin to read; raises `BadRecord` if the game cannot have been played."""
        self.record = record
        self._game = record.replay()
        self.outcome = self._game.outcome
        self.end = len(record.entries) + 1
        self.number = self.end
        self.review: Review | None = None
        self.faults_only = False
        self.trouble: str | None = None
        """Why there is no review, if there will be none."""
        self._played = len(record.entries)
        self._insights: dict[tuple[int, bool], Insight] = {}
        self._looking: tuple[tuple[int, bool], Background[Insight]] | None = None
        self._reviewing = Background(lambda report: judge(record, report))
        self._reviewing.start()

    # What is done in the background -----------------------------------------------------------

    @property
    def progress(self) -> tuple[int, int]:
        """How many positions the review has looked at, and of how many."""
        return self._reviewing.progress

    def tick(self) -> bool:
        """Take in what was found, and look at the present move; return whether anything changed."""
        changed = False
        if self.review is None and self.trouble is None and self._reviewing.finished:
            self.trouble = self._reviewing.trouble
            self.review = None if self.trouble else self._reviewing.result
            changed = True
        if self._looking is not None and self._looking[1].finished:
            key, found = self._looking
            self._looking, self._insights[key] = None, found.result or Insight()
            if len(self._insights) > max(2, _MOST_KEPT // len(self._game.position)):
                del self._insights[next(iter(self._insights))]
            changed = True
        if self._looking is None and self._key not in self._insights:
            self._look()
        return changed

    def wait(self) -> None:
        """Wait until all is found that is to be known of the present move."""
        self._reviewing.wait()
        self.tick()
        while self._looking is not None:
            self._looking[1].wait()
            self.tick()

    def close(self) -> None:
        """Let all work in the background end: nobody reads on."""
        self._reviewing.cancel()
        if self._looking is not None:
            self._looking[1].cancel()

    @property
    def _key(self) -> tuple[int, bool]:
        """Which move is to be looked at, and whether something is to be proved there."""
        return self.number, self.move is not None and self.move.missed is not None

    def _look(self) -> None:
        if self.game.over:
            self._insights[self._key] = Insight()
            return
        (number, proves), position, found = self._key, self.game.position, self.review
        known = self._insights.get((number, False))
        background = Background(
            lambda _: Insight(
                known.risks if known else _risks(position),
                _proof(found, number) if found is not None and proves else None,
            )
        )
        self._looking = self._key, background
        background.start()

    # The move that is looked at ---------------------------------------------------------------

    def choose(self, number: int) -> None:
        """Look at this move, or the nearest that there is."""
        self.number = min(max(1, number), self.end)

    def find_fault(self, direction: int) -> bool:
        """Look at the next fault, or with -1 the one before; return whether there is one."""
        ahead = [number for number in self.faults if (number - self.number) * direction > 0]
        if ahead:
            self.number = min(ahead, key=lambda number: abs(number - self.number))
        return bool(ahead)

    @property
    def faults(self) -> list[int]:
        """The numbers of the moves that lost something."""
        moves = self.review.moves if self.review is not None else ()
        return [move.number for move in moves if move.label in FAULTS]

    @property
    def listed(self) -> list[int]:
        """The numbers of the list of moves: all and the end, or the faults."""
        return self.faults if self.faults_only else list(range(1, self.end + 1))

    @property
    def game(self) -> Game:
        """The game as it was before the move."""
        if self._played >= self.number:
            while self._game.actions:  # Sooner done than laying all mines of a large board again.
                self._game.undo()
            self._played = 0
        for entry in self.record.entries[self._played : self.number - 1]:
            repeat(self._game, entry)
        self._played = self.number - 1
        return self._game

    @property
    def insight(self) -> Insight | None:
        """What is known of the position so far; None if it was not looked at yet."""
        return self._insights.get(self._key) or self._insights.get((self.number, False))

    @property
    def move(self) -> ReviewedMove | None:
        """What the review says of the move; None at the end, and as long as there is no review."""
        return self.move_at(self.number)

    def move_at(self, number: int) -> ReviewedMove | None:
        """Return what the review says of any move."""
        if self.review is None or number >= self.end:
            return None
        return self.review.moves[number - 1]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that the move opened or flagged."""
        if self.number == self.end:
            return ()
        cell = self.record.entries[self.number - 1].cell
        opened = self.move.cells if self.move is not None else ()
        return opened or (() if cell is None else (cell,))

    @property
    def better(self) -> Cell | None:
        """A cell that would have been better to open, where that is known."""
        if self.move is None:
            return None
        if self.insight is not None and self.insight.proof is not None:
            return self.insight.proof.cell
        best = self.move.missed or self.move.best
        return None if best in self.cells else best

    # In words -----------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """Which game it is."""
        return f"Review: {self.record.level.name}, {ENDINGS[self.outcome]}"

    @property
    def summary(self) -> str:
        """How far the review is, and then how well was played."""
        if self.trouble is not None:
            return "No review available"
        if self.review is None:
            done, total = self.progress
            return f"{done} of {total} positions" if total else "Loading the game"
        accuracy = self.review.accuracy
        return "No decisions to rate" if accuracy is None else f"Accuracy {accuracy:.1f}"

    @property
    def heading(self) -> str:
        """What is looked at."""
        if self.number == self.end:
            return "End of the game"
        return f"Move {self.number} of {self.end - 1}"

    @property
    def words(self) -> list[str]:
        """What there is to say of the move, or at the end of the game, sentence by sentence."""
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
        return {cell: float(risk) for cell, risk in analyse(position, limit=_LOOK).risk.items()}
    return {}


def _proof(found: Review, number: int) -> Proof | None:
    with suppress(LimitReached):
        return found.proof(number)
    return None
