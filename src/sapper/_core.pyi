"""The compiled engine."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

class LimitReached(Exception):
    pass

def draw_mines(height: int, width: int, mines: int, first: int, promise: int, seed: int) -> bytes:
    """Return a byte for each cell, row by row: 1 for a mine, 0 for none."""

def count_around(height: int, width: int, minefield: bytes) -> bytes:
    """
    Return how many mines are around each cell; the minefield has a 1 for each mine.
    """

def has_twins(height: int, width: int, minefield: bytes, first: int) -> bool:
    """
    Return whether a mine and a cell beside, above or below it, not the first click, touch the
    same safe cells: then nothing can tell them apart.
    """

def analyse(
    height: int, width: int, mines: int, codes: bytes, trust_flags: bool, seconds: float, states: int
) -> tuple[bool, bool, bytes, bytes]:
    """
    Return whether the position is possible, whether the risks are exact, the risks as doubles,
    and a byte for each cell: 1 if it is certainly safe, 2 if it is certainly a mine.
    """

def is_possible(
    height: int,
    width: int,
    mines: int,
    codes: bytes,
    trust_flags: bool,
    any_mines: bool,
    seconds: float,
    states: int,
) -> bool:
    """
    Return whether there is a layout, with the right number of mines or with any; opened
    cells with the code 11 say nothing.
    """

def shows(
    height: int,
    width: int,
    mines: int,
    codes: bytes,
    trust_flags: bool,
    cell: int,
    seconds: float,
    states: int,
) -> list[float]:
    """
    Return the chances of the numbers 0 to 8 that the cell shows, given that it is safe.
    """

def frontier_size(height: int, width: int, mines: int, codes: bytes, trust_flags: bool) -> int:
    """Return how many unknown cells touch numbers."""

def count(
    height: int,
    width: int,
    mines: int,
    codes: bytes,
    trust_flags: bool,
    primes: Sequence[int],
    seconds: float,
    states: int,
) -> tuple[int, int, int, list[list[int]]]:
    """
    Return the fewest mines on the frontier, the cells beyond it, the mines left, and for
    each prime the ways to lay each number of mines on the frontier, modulo the prime.
    """

def solve(
    height: int, width: int, mines: int, codes: bytes, trust_flags: bool, seconds: float, states: int
) -> tuple[int, int, list[int]]:
    """
    Return how many layouts perfect play wins, how many there are (0 if the position is
    impossible), and the places of all cells that it can open first.
    """

def safety(
    height: int,
    width: int,
    mines: int,
    codes: bytes,
    trust_flags: bool,
    cells: Sequence[int],
    seconds: float,
    states: int,
) -> float:
    """Return the chance that none of these hidden cells is a mine."""

def solve_moves(
    height: int,
    width: int,
    mines: int,
    codes: bytes,
    trust_flags: bool,
    moves: Sequence[Sequence[int]],
    seconds: float,
    states: int,
) -> tuple[list[int], int]:
    """
    Return how many layouts perfect play wins after each move, which opens some hidden cells at
    once, and how many there are (0 if the position is impossible).
    """

def estimate(
    height: int,
    width: int,
    mines: int,
    codes: bytes,
    moves: Sequence[Sequence[int]],
    playouts: int,
    enough: float,
    seed: int,
    seconds: float,
    states: int,
    player: str | None = None,
) -> list[tuple[float, float, float, float]]:
    """
    Return for each move, which opens some hidden cells at once, the chance to win when a fast
    player goes on, or that of this name, its standard error, how much less that is than with the first
    move, and the standard error of that: by so many games on drawn layouts, the same for all moves, or
    fewer if errors are good enough. The position must be possible.
    """

class Tracker:
    """Follows the positions of a game."""

    def __init__(self) -> None: ...
    def update(
        self,
        height: int,
        width: int,
        mines: int,
        codes: bytes,
        trust_flags: bool,
        seconds: float,
        states: int,
    ) -> tuple[int, bool, list[int], list[int]]:
        """
        Return 0 if all certain cells are known now, 1 if the number of mines may tell more, 2 if
        the position is impossible; whether another game was begun; and the places of the cells
        that have become certainly safe, and certainly mines.
        """

def walk(
    height: int,
    width: int,
    mines: int,
    minefield: bytes,
    codes: bytes,
    first: int,
    seconds: float,
    states: int,
) -> tuple[bytes, bytes]:
    """
    Open the first click, and again and again all cells that are certainly safe; what is open in
    the codes is so from the start. Return the codes then and, if not all is open, a byte for
    each cell: 1 if it is unknown and touches a number, 2 if it is unknown and touches none.
    """

def players() -> list[str]:
    """Return the names of the players."""

class Player:
    """Chooses the cells to open."""

    def __init__(self, name: str) -> None: ...
    def decide(
        self,
        height: int,
        width: int,
        mines: int,
        codes: bytes,
        trust_flags: bool,
        seconds: float,
        states: int,
    ) -> tuple[bool, list[int], int, float, float | None]:
        """
        Return whether the position is possible; all cells that are certainly safe; where there
        is none, the cell to risk, its risk, and the chance to win if the endgame was solved.
        There must be something left to open.
        """

class Arena:
    """
    Plays many games at once; a game is (seed, won, cells
    left, decisions, guesses, survival, solved, seconds, lost at, luck).
    """

    def __init__(self, player: str, seats: int, seconds: float, states: int) -> None: ...
    def play_seeds(
        self,
        height: int,
        width: int,
        mines: int,
        first: int,
        promise: int,
        seed: int,
        start: int,
        games: int,
    ) -> list[
        tuple[int | None, bool, int, int, int, float, float | None, float, tuple[int, int] | None]
    ]:
        """
        Play so many games of the run with this seed, from the one of this number on.
        """

    def play_minefields(
        self, height: int, width: int, mines: int, first: int, minefields: Sequence[bytes]
    ) -> list[
        tuple[int | None, bool, int, int, int, float, float | None, float, tuple[int, int] | None]
    ]:
        """Play a game on each minefield: a byte for each cell, 1 for a mine."""

    def times(self) -> tuple[list[int], float]:
        """
        Return how many decisions took how long, in steps of a sixteenth of an octave from
        2**-30 seconds on, and the longest.
        """

class VectorEnv:
    """
    Many games stepped together; its arrays are its own memory,
    which steps change.
    """

    def __init__(
        self,
        games: int,
        height: int,
        width: int,
        mines: int,
        promise: int,
        first: int | None,
        progress: float,
        win: float,
        mine: float,
        repeat: float,
    ) -> None: ...
    def supply(
        self,
        game: int,
        seeds: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None:
        """Give a game the seeds of its next boards."""

    def reset(self) -> None:
        """Begin every game on its next board."""

    def step(
        self,
        actions: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None:
        """
        Open a cell in every game; one that is over begins on its next board instead.
        """

    @property
    def codes(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None), writable=False)]:
        """What is seen: a row for each game."""

    @property
    def masks(self) -> Annotated[NDArray[numpy.int8], dict(shape=(None, None), writable=False)]:
        """1 for each hidden cell: a row for each game."""

    @property
    def rewards(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """What the last step was worth."""

    @property
    def ended(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]:
        """1 if the last step ended the game."""

    @property
    def outcomes(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]:
        """0 while it is played, 1 if won, 2 if lost."""

    @property
    def opened(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), writable=False)]:
        """How many cells the last step opened."""

    @property
    def seeds(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,), writable=False)]:
        """The seeds of the boards."""

    @property
    def seeds_left(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), writable=False)]:
        """How many boards are supplied."""

def time_analyses(positions: Sequence[tuple[int, int, int, bytes]], repeats: int) -> list[float]:
    """
    Return the least seconds that the analysis of each position (height, width, mines,
    codes) took, over some repeats.
    """
