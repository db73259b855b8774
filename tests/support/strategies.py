"""Hypothesis strategies for positions, analyses and games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from hypothesis import strategies as st

from sapper import (
    FLAG,
    HIDDEN,
    LEVELS,
    Analysis,
    Entry,
    Game,
    IllegalMove,
    Level,
    LimitReached,
    Move,
    Position,
    Promise,
    Record,
)
from sapper.game.record import EntryKind
from sapper.levels import most_mines
from sapper.minesweeper import Minesweeper
from sapper.position import Cell


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any position, most of them impossible."""
    height, width = draw(st.integers(1, 8)), draw(st.integers(1, 8))
    codes = draw(st.lists(st.integers(0, FLAG), min_size=height * width, max_size=height * width))
    return Position(height, width, draw(st.integers(0, height * width)), bytes(codes))


@st.composite
def possible_positions(draw: st.DrawFn) -> Position:
    """A position that some minefield leads to, with flags anywhere."""
    height, width = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    cells = [(i, j) for i in range(height) for j in range(width)]
    mines = draw(st.sets(st.sampled_from(cells), max_size=len(cells)))
    opened = draw(st.sets(st.sampled_from(cells), max_size=len(cells))) - mines
    flags = draw(st.sets(st.sampled_from(cells), max_size=3))
    minefield = Minesweeper.with_mines(height, width, mines)
    codes = (
        minefield.nearby_mines(cell) if cell in opened else FLAG if cell in flags else HIDDEN
        for cell in cells
    )
    return Position(height, width, len(mines), bytes(codes))


@dataclass(frozen=True)
class Told:
    """An analysis with invented values, unrelated to the position."""

    position: Position
    exact: bool
    risk: Mapping[Cell, float]
    safe: frozenset[Cell]
    mines: frozenset[Cell]
    best: Move | None
    trust_flags: bool = False

    @property
    def layouts(self) -> int:
        if not self.exact:
            raise LimitReached("made up")
        return 12345


@st.composite
def told_analyses(draw: st.DrawFn) -> Analysis:
    """An analysis with arbitrary risks, some of which only look certain because of rounding."""
    position = draw(positions())
    hidden = sorted(position.hidden)
    certain = {cell: draw(st.sampled_from([None, None, 0.0, 1.0])) for cell in hidden}
    risk = {
        cell: draw(st.floats(0, 1) | st.sampled_from([0.0, 1e-300, 0.0099, 0.995, 1.0]))
        if chance is None
        else chance
        for cell, chance in certain.items()
    }
    best = draw(st.none() | st.sampled_from(hidden)) if hidden else None
    told = Told(
        position,
        draw(st.booleans()),
        risk,
        frozenset(cell for cell in hidden if certain[cell] == 0),
        frozenset(cell for cell in hidden if certain[cell] == 1),
        best and Move(best, risk[best]),
    )
    return cast(Analysis, told)


@st.composite
def levels(draw: st.DrawFn, longest: int = 8) -> Level:
    """A level of any small size, by the usual rules or the course's."""
    height, width = draw(st.integers(1, longest)), draw(st.integers(1, longest))
    mines = draw(st.integers(0, height * width))
    return draw(
        st.sampled_from(
            [Level.of_size(height, width, mines, course_rules=rules) for rules in (False, True)]
            + [LEVELS["course"], LEVELS["beginner"]]
        )
    )


@st.composite
def given_games(draw: st.DrawFn) -> Game:
    """A new game on a given minefield, with a first click or without."""
    level = draw(levels())
    cells = [(i, j) for i in range(level.height) for j in range(level.width)]
    mines = draw(st.permutations(cells))[: level.mines]
    safe = [cell for cell in cells if cell not in mines]
    first = draw(st.none() | st.sampled_from(safe)) if safe else None
    return Game.on(level, mines, first=first)


@st.composite
def seeded_games(draw: st.DrawFn) -> Game:
    """A game from a seed with any promise that fits; some have had their first click."""
    level = draw(levels())
    size = level.height, level.width
    fitting = [promise for promise in Promise if level.mines <= most_mines(*size, promise)]
    game = Game.new(level, seed=draw(st.integers(0, 2**64 - 1)), promise=draw(st.sampled_from(fitting)))
    if not game.over and draw(st.booleans()):
        game.open((draw(st.integers(0, level.height - 1)), draw(st.integers(0, level.width - 1))))
    return game


@st.composite
def records(draw: st.DrawFn) -> Record:
    """A game with arbitrary moves of every kind."""
    game = draw(given_games())
    cells = st.tuples(st.integers(0, game.level.height - 1), st.integers(0, game.level.width - 1))
    kinds: st.SearchStrategy[EntryKind] = st.sampled_from(["open", "flag", "chord", "undo", "click"])
    entries, at = [], 0.0
    for kind, cell in draw(st.lists(st.tuples(kinds, cells), max_size=12)):
        by = draw(st.sampled_from(["player", "é"]))
        entry = Entry(at, kind, None if kind == "undo" else cell, by)
        try:
            play(game, entry)
        except IllegalMove:
            continue
        entries.append(entry)
        at += draw(st.floats(0, 100))
    seed = draw(st.none() | st.integers(0, 2**64 - 1))
    return replace(Record.of(game, tuple(entries)), seed=seed)


def play(game: Game, entry: Entry) -> None:
    """Do in a game what the entry says."""
    if entry.kind == "undo":
        game.undo()
    elif entry.kind != "click":
        assert entry.cell is not None
        {"open": game.open, "flag": game.flag, "chord": game.chord}[entry.kind](entry.cell)
