"""A student's `minesweeper.py` as an agent. Its code runs in a process of its own."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sapper.agents.agent import Choice, chosen_cell
from sapper.course.examination import Examination, examine
from sapper.course.knowledge_change import KnowledgeChange
from sapper.course.scripts import Moment, StudentError
from sapper.course.submission import LiveAgent, Stopped
from sapper.errors import SapperError
from sapper.minesweeper import MinesweeperAI
from sapper.position import Cell, Position, describe_cell, position_of
from sapper.storage.files import file_name

SECONDS: Final = 5.0
"""The default time for each call of the student's methods. A correct agent needs milliseconds."""
_LONGEST_MESSAGE: Final = 400
_METHODS: Final = ("add_knowledge", "make_safe_move", "make_random_move")
_MOST_CHANGES: Final = 60
"""An opening that shows more numbers than this is reported in about so many steps."""


@dataclass(frozen=True)
class StudentFile:
    """A student's file, from which agents are created.

    >>> str(StudentFile(Path("project", "minesweeper.py")))
    'minesweeper.py'
    """

    path: Path

    def __str__(self) -> str:
        return file_name(self.path.name)

    def check(self) -> None:
        """Raise `SapperError` if no agent can be created from the file."""
        student = self.create()
        try:
            student.examine(Position.blank(8, 8, mines=8))
        finally:
            student.close()

    def create(self, *, seed: int | None = None, seconds: float | None = None) -> Student:
        """Return a new agent."""
        return Student(self.path, seed=seed, seconds=SECONDS if seconds is None else seconds)


class Student:
    """An agent that asks a student's `MinesweeperAI`.

    It tells it every open number through `add_knowledge`, in the order of opening as far as that is
    known, and then asks for `make_safe_move` and `make_random_move`. Each call takes at most `seconds`.
    After an error, a hang or an illegal move, every further question raises the same `SapperError`.

    >>> from sapper import minesweeper
    >>> with Student(minesweeper.__file__, seed=1) as student:
    ...     position = Position.parse("# . #", mines=0)
    ...     student.decide(position).safe, student.examine(position).is_clean
    (True, True)
    """

    def __init__(self, path: str | Path, *, seed: int | None = None, seconds: float = SECONDS) -> None:
        self.path = Path(path)
        self._seed = seed
        self._seconds = seconds
        self._name = file_name(self.path.name)
        self._turn = threading.RLock()  # One question at a time.
        self._ending = threading.Lock()  # Guards the two attributes below.
        self._live: LiveAgent | None = None
        self._closed = False
        self._failure: SapperError | None = None
        self._start(Position.blank(1, 1, 0))

    def __enter__(self) -> Student:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill the process, even while another thread waits for its answer."""
        with self._ending:
            self._closed = True
            if self._live is not None:
                self._live.close()

    # The agent ---------------------------------------------------------------------------------

    def choose(self, position: Position) -> Cell:
        """Return the cell to open next."""
        return chosen_cell(self.decide(position))

    def decide(self, position: Position) -> Choice | None:
        """Return the cell that the student's agent opens next; None if it opens none."""
        position = position_of(position)
        with self._turn:
            self._read(position)
            try:
                move, error = self._process().move(seconds=self._seconds)
            except Stopped as reason:
                raise self._stopped(reason) from None
            if error is not None:
                raise self._raised(error)
            method = "make_safe_move" if move.is_safe else "make_random_move"
            if move.text:
                raise self._failed(f"{method} returned {move.text}, not a cell (i, j) or None")
            cell = move.cell
            if cell is None:
                return None
            if not (0 <= cell[0] < position.height and 0 <= cell[1] < position.width):
                raise self._failed(f"{method} returned {cell}, which is not on the board")
            if not position.is_hidden(cell):
                raise self._failed(f"{method} returned {cell}, which is already open")
            if move.is_safe:
                return Choice(cell, True, "the agent believes that it is safe")
            return Choice(cell, False, "the agent knows no safe cell: random guess")

    def known_mines(self, position: Position) -> frozenset[Cell]:
        """Return the hidden cells that the student's agent believes to be mines."""
        position = position_of(position)
        with self._turn:
            self._read(position)
            return self._moment.mines & position.hidden

    def examine(self, position: Position) -> Examination:
        """Compare what the agent believes with what follows from the position."""
        position = position_of(position)
        with self._turn:
            self._read(position)
            return examine(position, self._moment, self._reference)

    @property
    def changes(self) -> tuple[KnowledgeChange, ...]:
        """How the agent's knowledge has changed since the game began."""
        return tuple(self._changes)

    # The process -------------------------------------------------------------------------------

    def _start(self, position: Position) -> None:
        self._seen = Position.blank(position.height, position.width, position.mines)
        self._moment = Moment()
        self._reference = MinesweeperAI(position.height, position.width)
        self._changes: list[KnowledgeChange] = []
        self._has_agent = False

    def _process(self) -> LiveAgent:
        """Return the process of the student's file; start it if that is the first question."""
        if self._failure is not None:
            raise self._failure
        with self._ending:
            if self._closed:
                raise SapperError(f"{self._name} is no longer running")
            if self._live is not None:
                return self._live
            if not self.path.is_file():
                what = "it is not a file" if self.path.exists() else "no such file or directory"
                raise SapperError(f"cannot read {file_name(self.path)}: {what}")
            self._live = LiveAgent(self.path)
        self._load(self._live)
        return self._live

    def _load(self, live: LiveAgent) -> None:
        try:
            loaded = live.load()
        except Stopped as reason:
            raise self._stopped(reason) from None
        if loaded.error is not None:
            raise self._raised(loaded.error)
        methods = loaded.classes.get("MinesweeperAI")
        if methods is None:
            raise self._failed("the file has no class MinesweeperAI")
        for name in _METHODS:
            if name not in methods:
                raise self._failed(f"the class MinesweeperAI has no method {name}")

    def _read(self, position: Position) -> None:
        """Pass the new numbers to the agent; start again if this is another game or one was undone."""
        opened = position.opened_since(self._seen)
        order = [cell for change in self._changes for cell, _ in change.numbers]
        if opened is None:
            self._start(position)
            numbers = position.numbers
            known = [cell for cell in order if cell in numbers]
            opened = {cell: numbers[cell] for cell in dict.fromkeys([*known, *numbers])}
        live = self._process()
        try:
            if not self._has_agent:
                size = position.height, position.width
                self._take(live.begin(*size, seed=self._seed, seconds=self._seconds), ())
                self._has_agent = True
            told = list(opened.items())
            most = max(1, len(told) // _MOST_CHANGES)
            for start in range(0, len(told), most):
                numbers_told = told[start : start + most]
                self._take(live.tell(numbers_told, seconds=self._seconds), numbers_told)
                for cell, number in numbers_told:
                    self._reference.add_knowledge(cell, number)
        except Stopped as reason:
            raise self._stopped(reason) from None
        self._seen = position

    def _take(
        self, answer: tuple[Moment, StudentError | None], numbers: Sequence[tuple[Cell, int]]
    ) -> None:
        """Keep what the agent knows now."""
        moment, error = answer
        if error is not None:
            raise self._raised(error)
        if moment.malformed:
            after = f"after {describe_cell(numbers[-1][0])} was opened, " if numbers else ""
            raise self._failed(f"{after}{moment.malformed}")
        if numbers:
            self._changes.append(KnowledgeChange.between(numbers, self._moment, moment))
        self._moment = moment

    # Errors ------------------------------------------------------------------------------------

    def _raised(self, error: StudentError) -> SapperError:
        return self._failed(str(error), error.line, error.function)

    def _stopped(self, reason: Stopped) -> SapperError:
        return self._failed(str(reason), reason.line, reason.function)

    def _failed(self, what: str, line: int | None = None, function: str = "") -> SapperError:
        """Return the error for everything that is asked from now on, and end the process."""
        where = "" if line is None else f", line {line}"
        where += f" in {function}" if line is not None and function else ""
        text = f"{self._name}{where}: {what}"[:_LONGEST_MESSAGE]
        shown = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
        self._failure = SapperError(shown)
        if self._live is not None:
            self._live.close()
        return self._failure
