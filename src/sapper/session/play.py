"""Play: one person's game, with its board, moves, record and clock."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from sapper.advice.hints import LIMIT
from sapper.analysis import Limit
from sapper.boards.generator import generate
from sapper.errors import BadFile, SapperError
from sapper.formats import board_code
from sapper.formats.recorder import Recorder
from sapper.game.game import Action, Game, Outcome
from sapper.game.record import PLAYER, Entry, EntryKind, Record, repeat
from sapper.levels import Level, Promise
from sapper.position import FLAG, HIDDEN, Cell, describe_cell, describe_cells
from sapper.session.background import BackgroundTasks
from sapper.session.start import NO_GUESS, NoGuess, Start
from sapper.session.stopwatch import Stopwatch
from sapper.text import capitalised, plural

_MOST_REPLACED: Final = 10
"""The most games that `undo` can bring back. More would only take memory."""
_ENDINGS: Final = {Outcome.PLAYING: "", Outcome.WON: " Won!", Outcome.LOST: " It was a mine."}
"""What a message adds about the outcome. `_ending` names the mines that a chord has opened."""


_LARGE: Final = 100_000
"""The number of cells from which the mines are placed in the background: that takes many frames."""


class Play:
    """A game, and a message about the last event. Callers read the attributes but never set them.

    >>> play = Play(Start.new("beginner", seed=7))
    >>> play.open((4, 4))
    >>> play.message
    'You opened row 5, column 5.'
    >>> play.undo(), play.message
    (True, 'Undone: row 5, column 5.')
    """

    game: Game
    kind: str
    """Where the board comes from: `RANDOM`, `NO_GUESS` or `GIVEN`."""
    no_guess: NoGuess | None
    """The request for a board that never needs a guess, if there was one."""
    message: str
    """What happened last, in words."""
    last: Cell | None
    """The cell of the last move."""
    entries: list[Entry]
    """All actions so far, including undone ones."""
    helped: bool
    """Whether the player had help or undid a move."""
    practice: bool
    """Whether the game continued after the player hit a mine."""
    questions: frozenset[Cell]
    """The cells with a question mark."""
    is_generating: bool
    """Whether the mines are being placed: on a large board, or for a board that never needs a guess."""

    def __init__(
        self,
        start: Start,
        *,
        recorder: Callable[[Game], Recorder | None] | None = None,
        on_end: Callable[[Play], None] = lambda _: None,
        tasks: BackgroundTasks | None = None,
        clock: Callable[[], float] = time.monotonic,
        limit: Limit = LIMIT,
    ) -> None:
        """Begin or resume a game. `Session` explains the options."""
        self._tasks = BackgroundTasks(threads=0) if tasks is None else tasks
        self._limit = limit
        self._clock = clock
        self._create_recorder = recorder
        self._on_end = on_end
        self.question_marks = False
        """Whether `mark` turns a flag into a question mark."""
        self.strict_chords = True
        """Whether a chord needs exactly as many flags as the number shows, not more."""
        self._replaced: list[Start] = []
        """The games that new boards have replaced, most recent last."""
        self._set_up(start)
        self._recorder = self._new_recorder()

    # Beginning a game --------------------------------------------------------------------------

    def begin(self, start: Start) -> None:
        """Begin or resume a game. `undo` brings back the game that it replaces, if that was played."""
        replaced = None if self._is_fresh and not self.game.actions else self._as_start()
        self._begin(start)
        if replaced is not None:
            self._replaced = [*self._replaced[1 - _MOST_REPLACED :], replaced]

    def _as_start(self) -> Start:
        """Return the game as it is now, to continue it later."""
        return Start(
            self.game,
            self.kind,
            self.no_guess,
            message="The previous game is back.",
            entries=tuple(self.entries),
            undone=tuple(self._undone),
            seconds=self.seconds,
            helped=self.helped,
            practice=self.practice,
            questions=self.questions,
            last=self.last,
        )

    def _begin(self, start: Start) -> None:
        self._set_up(start)
        try:
            self._recorder = self._new_recorder()
        except BadFile as error:
            self._recorder = None
            self.add_message(f"Recording stopped: {error}.")

    def _set_up(self, start: Start) -> None:
        self._tasks.cancel("board")
        self.game, self.kind, self.no_guess = start.game, start.kind, start.no_guess
        self.message, self.last = start.message, start.last
        self.helped, self.practice = start.helped, start.practice
        self.questions = start.questions
        self.entries, self._undone = list(start.entries), list(start.undone)
        self.is_generating = False
        self._is_fresh = True
        """Whether nothing has been done since the game began or was resumed."""
        self._has_ended = self.game.over
        self._stopwatch = Stopwatch(self._clock, start.seconds)
        if start.entries or start.seconds:
            self._update_stopwatch()

    def _new_recorder(self) -> Recorder | None:
        recorder = None if self._create_recorder is None else self._create_recorder(self.game)
        if recorder is not None and self.entries:
            recorder.continue_from(self.entries)
        return recorder

    def reset(self, level: str | Level | None = None) -> None:
        """Begin a new board with a new agent, on the same level or another."""
        if level is None:
            level, promise = self.game.level, self.game.promise
            self.begin(Start.new(level, promise=promise, no_guess=self.no_guess))
        else:
            self.begin(Start.new(level))

    def new(
        self,
        level: str | Level | None = None,
        *,
        promise: str | Promise | None = None,
        no_guess: bool = False,
        difficulty: str | None = None,
    ) -> None:
        """Begin a new board. The first click generates a board that never needs a guess."""
        request = NoGuess(difficulty) if no_guess else None
        self.begin(Start.new(level or self.game.level, promise=promise, no_guess=request))

    def again(self) -> None:
        """Restart the same board."""
        self.begin(Start.again(self.game, kind=self.kind, no_guess=self.no_guess))

    def load(self, source: str | os.PathLike[str]) -> None:
        """Open a file or a board code. After an error, the current game is unchanged."""
        self.begin(Start.load(source))

    # Facts about the game ----------------------------------------------------------------------

    @property
    def code(self) -> str:
        """The code of the board."""
        return board_code(self.game)

    @property
    def record(self) -> Record | None:
        """The record of the game; None before the mines are placed."""
        if self.game.minefield is None:
            return None
        return Record.of(self.game, tuple(self.entries))

    @property
    def seconds(self) -> float:
        """The seconds since the first opened cell; on the course level, since the first action.

        A game by the course's rules can be won with flags alone.
        """
        return self._stopwatch.seconds

    @property
    def clock_is_running(self) -> bool:
        """Whether the time is being counted."""
        return self._stopwatch.is_running

    @property
    def undone(self) -> tuple[Action, ...]:
        """The actions that `redo` can redo, starting with the last one."""
        return tuple(self._undone)

    # Moves -------------------------------------------------------------------------------------

    def open(self, cell: Cell) -> None:
        """Open a hidden cell, or chord on a number.

        Flagged cells stay closed, and nothing changes once the game is over.
        """
        if self.game.over or self.is_generating:
            return
        if self.no_guess is not None and self.game.minefield is None:
            self._generate_board(self.no_guess, cell)
            return
        is_large = len(self.game.position) >= _LARGE
        if is_large and self.game.position[cell] == HIDDEN and not self.game.is_prepared(cell):
            self._place_mines(cell)
            return
        kind: EntryKind = "click"
        if self.game.position[cell] == HIDDEN:
            self.game.open(cell)
            kind = "open"
        elif self.game.position[cell] != FLAG and not self.game.level.course_rules:
            if not self.strict_chords and self._chord_with_extra_flags(cell):
                return
            kind = "chord" if self.game.chord(cell) or self.game.over else "click"
        self._add_entry(kind, cell)
        if kind != "click":
            self._undone.clear()
            around = "the cells around " if kind == "chord" else ""
            self._after_action(cell, f"You opened {around}{describe_cell(cell)}.")

    def _place_mines(self, cell: Cell) -> None:
        """Place the mines of a large board in the background, then open the cell."""
        game = self.game

        def begin(_: None) -> None:
            self.is_generating = False
            self.open(cell)

        def give_up(error: SapperError) -> None:
            self.is_generating = False
            self.show_error(error)

        self.is_generating = True
        self.show_message(f"Placing {plural(game.level.mines, 'mine')}...")
        self._tasks.start("board", lambda _: game.prepare(cell), begin, give_up)

    def _chord_with_extra_flags(self, cell: Cell) -> bool:
        """Open the neighbours of a number with too many flags; return whether there were any.

        Each is recorded as an opened cell: in a record, a chord needs the right number of flags.
        """
        position = self.game.position
        around = position.neighbours(cell)
        hidden = sorted(near for near in around if position[near] == HIDDEN)
        if not hidden or len(around & position.flags) <= position[cell]:
            return False
        self._undone.clear()
        for near in hidden:
            if not self.game.over and self.game.position[near] == HIDDEN:
                self.game.open(near)
                self._add_entry("open", near)
        self._after_action(cell, f"You opened {describe_cell(cell)}.")
        return True

    def _generate_board(self, request: NoGuess, cell: Cell) -> None:
        """Generate a board that never needs a guess after this first click, then open the cell."""
        work = partial(
            generate, self.game.level, first=cell, limit=self._limit, difficulty=request.difficulty
        )

        def begin(game: Game) -> None:
            self._begin(Start.on(game, kind=NO_GUESS, no_guess=request))
            self.open(cell)

        def give_up(error: SapperError) -> None:
            self.is_generating = False
            self.show_error(error)

        self.is_generating = True
        self.show_message("Generating a board that never needs a guess...")
        self._tasks.start("board", lambda _: work(), begin, give_up)

    def flag(self, cell: Cell) -> None:
        """Flag a hidden cell, or remove its flag."""
        if self.game.over:
            return
        if not self.game.position.is_hidden(cell):
            self._add_entry("click", cell)
            return
        self.questions -= {cell}
        self._undone.clear()
        flagged = self.game.flag(cell)
        self._add_entry("flag", cell)
        verb = "flagged" if flagged else "unflagged"
        self._after_action(cell, f"You {verb} {describe_cell(cell)}.")

    def mark(self, cell: Cell) -> None:
        """Cycle the mark of a cell: flag, question mark (if enabled), no mark."""
        if cell in self.questions:
            self.questions -= {cell}
            return
        was_flagged = cell in self.game.flags
        self.flag(cell)
        if was_flagged and self.question_marks and not self.game.over:
            self.questions |= {cell}

    def undo(self) -> bool:
        """Undo the last action; return whether there was one.

        On a new board, return to the game that it replaced.
        """
        if self.is_generating:
            return False
        if not self.game.actions and self._is_fresh and self._replaced:
            self._begin(self._replaced.pop())
            return True
        if not self.game.actions:
            return False
        action = self.game.undo()
        self._undone.append(action)
        self.helped = self.helped or action.kind != "flag"
        self._add_entry("undo", None)
        if self.game.minefield is None:
            # The next opened cell may place other mines, so only the remaining actions are recorded.
            self.entries = [Entry(0.0, each.kind, each.cell) for each in self.game.actions]
        self._after_action(action.cell, f"Undone: {describe_cell(action.cell)}.")
        return True

    def redo(self) -> bool:
        """Redo the last undone action; return whether there was one."""
        if not self._undone or self.game.over:
            return False
        action = self._undone.pop()
        repeat(self.game, Entry(0.0, action.kind, action.cell))
        self._add_entry(action.kind, action.cell)
        self._after_action(action.cell, f"Redone: {describe_cell(action.cell)}.")
        return True

    def go_on(self) -> bool:
        """Flag the mine that ended the game and continue for practice; return whether that worked."""
        if self.game.outcome is not Outcome.LOST:
            return False
        mines = sorted(self.game.exploded)
        self.practice = True
        self.game.undo()
        self._add_entry("undo", None)
        for mine in mines:
            if mine not in self.game.flags and not self.game.over:
                self.game.flag(mine)
                self._add_entry("flag", mine)
        self._after_action(mines[0], "Practice: the mine is flagged and the game continues.")
        return True

    def _add_entry(self, kind: EntryKind, cell: Cell | None, *, by: str = PLAYER) -> None:
        self._is_fresh = False
        self._update_stopwatch()
        at = max(self.entries[-1].at if self.entries else 0.0, round(self.seconds, 3))
        self.entries.append(Entry(at, kind, cell, by))
        if self._recorder is not None:
            self._recorder.note(kind, cell, by=by)

    def _update_stopwatch(self) -> None:
        """Run the stopwatch from the first opened cell (see `seconds`) to the end of the game."""
        game = self.game
        if game.over:
            self._stopwatch.stop()
        elif game.begun or self.seconds > 0 or (game.level.course_rules and game.actions):
            self._stopwatch.run()

    def _after_action(self, cell: Cell | None, message: str) -> None:
        self.last = cell
        if self.questions:
            self.questions &= self.game.position.hidden
        self.message = message + _ending(self.game, cell)
        if self._recorder is not None and self._recorder.trouble is not None:
            self.add_message(f"Recording stopped: {self._recorder.trouble}.")
            self._recorder = None  # Report it only once.
        if self.game.over and not self._has_ended:
            self._has_ended = True
            if not self.practice:
                self._on_end(self)

    # Messages and settings ---------------------------------------------------------------------

    def show_message(self, message: str) -> None:
        """Replace the message."""
        self.message = message

    def add_message(self, message: str) -> None:
        """Add a sentence to the message."""
        self.message = f"{self.message} {message}"

    def show_error(self, error: Exception) -> None:
        """Show an error as a sentence."""
        self.message = sentence(error)

    def use_question_marks(self, are_on: bool) -> None:
        """Turn question marks on or off."""
        self.question_marks = are_on

    def use_strict_chords(self, are_on: bool) -> None:
        """Choose whether a chord needs exactly as many flags as the number shows."""
        self.strict_chords = are_on


def _ending(game: Game, cell: Cell | None) -> str:
    """Return what a message about an action at a cell adds if the game is over."""
    if game.exploded and cell not in game.exploded:
        verb = "was a mine" if len(game.exploded) == 1 else "were mines"
        return f" {capitalised(describe_cells(game.exploded))} {verb}."
    return _ENDINGS[game.outcome]


def sentence(error: Exception) -> str:
    """Return the message of an error as a sentence.

    >>> sentence(ValueError("no such board"))
    'No such board.'
    """
    return capitalised(str(error).strip().rstrip(".")) + "."
