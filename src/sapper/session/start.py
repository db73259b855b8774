"""The start of a session's game: new, loaded or resumed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

from sapper.errors import SapperError
from sapper.formats import read_any
from sapper.game.game import Action, Game
from sapper.game.record import Entry, Record
from sapper.levels import Level, Promise
from sapper.minesweeper import Minesweeper
from sapper.position import Cell, Position, describe_cell

RANDOM: Final = "random"
NO_GUESS: Final = "no guess"
GIVEN: Final = "given"


@dataclass(frozen=True)
class NoGuess:
    """A request for a board that never needs a guess. It is generated on the first click."""

    difficulty: str | None = None
    """The hardest kind of proof that the board needs, or a range of kinds; None for any."""


@dataclass(frozen=True)
class Start:
    """A game for a session to begin or resume.

    >>> Start.new("beginner", seed=7).message
    'New board.'
    >>> Start.on(Game.on("3x1/1", [(0, 2)], first=(0, 0))).message
    'New board. Start at row 1, column 1.'
    """

    game: Game
    kind: str = RANDOM
    """Where the board comes from: `RANDOM`, `NO_GUESS` or `GIVEN`."""
    no_guess: NoGuess | None = None
    """A request for a board to generate on the first click; None to play the game's own board."""
    message: str = "New board."
    entries: tuple[Entry, ...] = ()
    """All actions so far, including undone ones."""
    undone: tuple[Action, ...] = ()
    """The actions that can be redone, starting with the last one."""
    seconds: float = 0.0
    helped: bool = False
    practice: bool = False
    questions: frozenset[Cell] = frozenset()
    last: Cell | None = None
    heat: bool | None = None
    """Whether the risks are shown; they are not computed yet. None keeps the current setting."""

    @classmethod
    def new(
        cls,
        level: str | Level,
        *,
        seed: int | None = None,
        promise: str | Promise | None = None,
        no_guess: NoGuess | None = None,
    ) -> Start:
        """Return the start of a new board."""
        if no_guess is None:
            return cls(Game.new(level, seed=seed, promise=promise))
        level = Level.named(level)
        if promise is None:
            promise = Level.custom(level.height, level.width, level.mines).promise
        message = "New board that never needs a guess. Start anywhere."
        return cls(Game.new(level, seed=seed, promise=promise), NO_GUESS, no_guess, message)

    @classmethod
    def on(cls, game: Game, *, kind: str = GIVEN, no_guess: NoGuess | None = None) -> Start:
        """Return the start of a game that has its board already."""
        message = cls.message
        if game.first is not None and not game.actions:
            message = f"New board. Start at {describe_cell(game.first)}."
        return cls(game, kind, no_guess, message)

    @classmethod
    def again(cls, game: Game, *, kind: str, no_guess: NoGuess | None) -> Start:
        """Return the start of a new game on the board of a previous one."""
        if game.minefield is None:
            same = Game.new(game.level, seed=game.seed, promise=game.promise)
            return cls.on(same, kind=kind, no_guess=no_guess)
        opened = next((each.cell for each in game.actions if each.kind == "open"), None)
        same = Game(
            game.level,
            seed=game.seed,
            promise=game.promise,
            minefield=_unflagged(game.minefield),
            first=game.first or (opened if game.promise is not Promise.NONE else None),
        )
        return cls.on(same, kind=kind, no_guess=no_guess)

    @classmethod
    def resume(cls, record: Record) -> Start:
        """Return the start that resumes a recorded game."""
        game = record.replay()
        message = f"This game was {game.outcome.value}. You can review it."
        if not game.over:
            message = "Game resumed."
        entries, seconds = record.entries, record.seconds
        return cls(game, GIVEN, message=message, entries=entries, seconds=seconds)

    @classmethod
    def load(cls, source: str | os.PathLike[str]) -> Start:
        """Return the start of the game or board in a file, or of a board code."""
        content = read_any(source)
        if isinstance(content, Position):
            raise SapperError("a position cannot be played: it has no minefield")
        return cls.resume(content) if isinstance(content, Record) else cls.on(content)


def _unflagged(minefield: Minesweeper) -> Minesweeper:
    """Return a copy of a minefield for another game: the course's minefield knows the flags."""
    return Minesweeper.with_mines(minefield.height, minefield.width, minefield.mines)
