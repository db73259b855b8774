"""Walking: how far certainty alone leads on a board, by either engine."""

from __future__ import annotations

from typing import NamedTuple

from minesweeper import Minesweeper, MinesweeperAI, neighbours
from sapper import _engine
from sapper.analysis import Limit, analyse
from sapper.boards import Setup
from sapper.errors import LimitReached
from sapper.game import minefield_of
from sapper.position import HIDDEN, Position

FRONTIER, BEYOND = 1, 2


class Walked(NamedTuple):
    """Where a walk has ended."""

    codes: bytes
    """What is open there."""
    unknown: bytes
    """For each cell that is not certain `FRONTIER` if it touches a number, else `BEYOND`."""

    @property
    def is_done(self) -> bool:
        """Whether all is open."""
        return not self.unknown

    @property
    def hidden_count(self) -> int:
        """How many cells are not open."""
        return self.codes.count(HIDDEN)


def walk(setup: Setup, minefield: bytes, *, codes: bytes | None = None, limit: Limit) -> Walked:
    """Open the first click, and again and again all cells that are certainly safe.

    The minefield has a byte for each cell, 1 for a mine. What is open in `codes` is so from the start.

    >>> walked = walk(Setup.of("6x1/1", first=(0, 0)), bytes([0, 0, 1, 0, 0, 0]), limit=Limit())
    >>> walked.is_done, list(walked.codes)
    (True, [0, 1, 9, 1, 0, 0])
    """
    if codes is None:
        codes = bytes([HIDDEN]) * len(minefield)
    level = setup.level
    if _engine.name == "python":
        return _walk_plainly(setup, minefield, codes, limit)
    core = _engine.engine
    size = (level.height, level.width, level.mines)
    try:
        return Walked(*core.walk(*size, minefield, codes, setup.place, *limit.countable))
    except core.LimitReached as reason:
        raise LimitReached(str(reason)) from None


def _walk_plainly(setup: Setup, minefield: bytes, codes: bytes, limit: Limit) -> Walked:
    """Walk without the compiled engine: the course's agent goes ahead, for it is quick."""
    height, width, mines = setup.level.height, setup.level.width, setup.level.mines
    field = minefield_of(setup.level, minefield)
    agent = MinesweeperAI(height, width)
    opened = (divmod(place, width) for place, code in enumerate(codes) if code < HIDDEN)
    safe = {setup.first, *opened}
    safe -= field.mines
    while safe:
        for cell in safe - agent.moves_made:
            agent.add_knowledge(cell, field.nearby_mines(cell))
        safe = agent.safes - agent.moves_made
        if not safe and len(agent.moves_made) + mines < len(codes):
            analysis = analyse(_seen(agent, field, setup), limit=limit)
            safe = set(analysis.safe)
    position = _seen(agent, field, setup)
    if len(agent.moves_made) + mines == len(codes):
        return Walked(position.codes, b"")
    unknown = bytearray(len(codes))
    for i, j in position.hidden - analysis.mines:
        near_numbers = neighbours((i, j), height, width) & agent.moves_made
        unknown[i * width + j] = FRONTIER if near_numbers else BEYOND
    return Walked(position.codes, bytes(unknown))


def _seen(agent: MinesweeperAI, field: Minesweeper, setup: Setup) -> Position:
    """Return the position in which these cells are open."""
    level = setup.level
    codes = bytearray([HIDDEN]) * (level.height * level.width)
    for i, j in agent.moves_made:
        codes[i * level.width + j] = field.nearby_mines((i, j))
    return Position(level.height, level.width, level.mines, bytes(codes))
