"""Every public function that may take long, as a function of a position and a limit.

The tests of limits, threads, signals and forks go through this table. `test_entry_points.py` fails if a
public name is missing from it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

import sapper
from sapper import Limit, Position, SapperError, agents, arena
from sapper.analysis import win_chance_after
from sapper.engine import engine
from sapper.formats import analysis_to_json
from sapper.proof.difficulty import easiest_proof

Call = Callable[[Position, Limit], Any]


def _some_hidden(position: Position) -> list[sapper.Cell]:
    return list(islice((cell for cell in position if position.is_hidden(cell)), 3))


def _first_hidden(position: Position) -> sapper.Cell:
    return _some_hidden(position)[0]


def _record(position: Position) -> sapper.Record:
    """Return a short game on a board as large as the position."""
    width, height = position.width, position.height
    game = sapper.Game.new(f"{width}x{height}/{min(position.mines, width * height - 9)}", seed=1)
    entries = []
    for at, cell in enumerate([(height // 2, width // 2), (0, 0), (height - 1, width - 1)]):
        if not game.over and game.position.is_hidden(cell):
            game.open(cell)
            entries.append(sapper.Entry(float(at), "open", cell))
    return sapper.Record.of(game, tuple(entries))


def _feed(position: Position, limit: Limit) -> object:
    analysis = sapper.Analyser(limit=limit).feed(position)
    return analysis.best and analysis.best.cell


def _decide(name: str) -> Call:
    def decide(position: Position, limit: Limit) -> object:
        choice = agents.named(name, seed=1, seconds=limit.seconds).decide(position)
        return choice and (choice.cell, choice.safe)

    return decide


def _generate(position: Position, limit: Limit) -> object:
    level = sapper.Level.custom(position.height, position.width, position.mines)
    return sapper.generate(level, seed=1, limit=limit).first


def _bench(position: Position, limit: Limit) -> object:
    """Play a game on a small board: the limit is for each move, and a large board has many."""
    height, width = min(position.height, 9), min(position.width, 9)
    mines = position.mines * height * width // len(position)
    level = sapper.Level.custom(height, width, mines)
    return arena.bench(level, games=1, jobs=1, limit=limit).wins


ENTRY_POINTS: dict[str, Call] = {
    "analyse": lambda p, limit: sapper.analyse(p, limit=limit).exact,
    "analyse.fractions": lambda p, limit: sapper.analyse(p, limit=limit, exact_fractions=True).exact,
    "analyse.layouts": lambda p, limit: sapper.analyse(p, limit=limit).layouts,
    "analyse.best": lambda p, limit: sapper.analyse(p, limit=limit).best,
    "analyse.safest": lambda p, limit: sapper.analyse(p, limit=limit).safest,
    "analyse.dead": lambda p, limit: sapper.analyse(p, limit=limit).dead,
    "analyse.shows": lambda p, limit: sapper.analyse(p, limit=limit).shows(_first_hidden(p)),
    "analyse.safety": lambda p, limit: sapper.analyse(p, limit=limit).safety(_some_hidden(p)),
    "analyse.json": lambda p, limit: analysis_to_json(sapper.analyse(p, limit=limit))["exact"],
    "Analyser.feed": _feed,
    "win_chance": lambda p, limit: sapper.win_chance(p, limit=limit),
    "win_chance_after": lambda p, limit: win_chance_after(p, [_first_hidden(p)], limit=limit),
    "perfect_moves": lambda p, limit: sapper.perfect_moves(p, limit=limit),
    "explain": lambda p, limit: sapper.explain(p, _first_hidden(p), limit=limit).kind,
    "explain_guess": lambda p, limit: sapper.explain_guess(p, limit=limit).choice.cell,
    "easiest_proof": lambda p, limit: getattr(easiest_proof(p, limit=limit), "kind", None),
    "difficulty": lambda p, limit: sapper.difficulty(p, limit=limit).score,
    "generate": _generate,
    "review": lambda p, limit: sapper.review(_record(p), seconds=limit.seconds, jobs=1).outcome,
    "bench": _bench,
    "agents.logic": _decide("logic"),
    "agents.safest": _decide("safest"),
    **{f"agents.{name}": _decide(name) for name in engine.players if name.startswith("strong")},
}


def outcome(call: Call, position: Position, limit: Limit) -> object:
    """Return what a call returns, or the type of Sapper's error that it raises."""
    try:
        return call(position, limit)
    except SapperError as error:
        return type(error)


WITHOUT_LIMIT = {
    "Game": "a game in Python; the size of the board bounds its work",
    "History": "files; tested with damaged ones",
    "Position": "data",
    "Recorder": "a file; tested with damaged ones",
    "Session": "one person's game; its help has a limit of its own",
    "Settings": "data",
    "board_code": "the size of the board bounds its work",
    "game_from_code": "the size of the board bounds its work",
    "measure": "the size of the board bounds its work",
    "measure_record": "the size of the record bounds its work",
    "read": "the largest file bounds its work",
    "write": "the size of the board bounds its work",
}
"""Public names that do work but take no limit, and why."""


def hostile_positions() -> dict[str, Position]:
    """Return positions on which some call takes very long, or a lot of memory, without a limit."""
    return {
        "two mines on 2,000 cells": Position.blank(40, 50, 2),
        "half of 64 cells": Position.blank(8, 8, 32),
        "a blank million": Position.blank(1000, 1000, 200_000),
        "many components": _scattered(200, 8),
        "a million cells, 60,000 components": _scattered(1000, 4),
        "one wide component": wide_position(60),
        "a long chain": _chain(1000),
        "a long fuse": _fuse(1000),
        "impossible": Position.parse("\n".join(["#2#2#" * 60, "#" * 300] * 100), mines=20_000),
    }


def _scattered(side: int, step: int) -> Position:
    """Return a board with many pairs of numbers that share no cell with others."""
    codes = bytearray([sapper.HIDDEN]) * (side * side)
    for i in range(2, side - 2, step):
        for j in range(2, side - 2, step):
            codes[i * side + j] = codes[i * side + j + 1] = 2
    return Position(side, side, side * side // 6, bytes(codes))


def wide_position(side: int) -> Position:
    """Return a board on which every fourth cell is open: one component that is as wide as the board."""
    codes = bytearray([sapper.HIDDEN]) * (side * side)
    for i in range(1, side, 2):
        for j in range(1, side, 2):
            codes[i * side + j] = 2
    return Position(side, side, side * side // 4, bytes(codes))


def _chain(width: int) -> Position:
    """Return three rows with a row of ones in the middle that the mines in the others allow."""
    codes = bytearray([sapper.HIDDEN]) * (3 * width)
    codes[width : 2 * width] = bytes([2]) * width
    return Position(3, width, 2 * width // 3, bytes(codes))


def _fuse(side: int) -> Position:
    """Return a board on which each number determines the next cell, row by row."""
    codes = bytearray([sapper.HIDDEN]) * (side * side)
    for i in range(1, side, 3):
        for j in range(1, side):
            codes[i * side + j] = 3
    codes[side + 0] = 2
    return Position(side, side, side * side // 3, bytes(codes))
