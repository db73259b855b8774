"""The compiled engine. Use it through sapper.engine."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

class Budget:
    """What all calls for one answer may use together."""

    def __init__(self, seconds: float, states: int, memory: int) -> None:
        """Start a budget of seconds, states, and bytes of memory for each call."""

    def spend(self, states: int) -> None:
        """Spend states; raise LimitReached if there are not enough left."""

    def check(self) -> None:
        """Raise LimitReached if the time is over."""

    def reserve(self, bytes: int) -> None:
        """Raise LimitReached if a step needs more memory than it may take."""

    def renew(self) -> Budget:
        """Return a budget that ends at the same time, with all its states again."""

    @property
    def seconds_left(self) -> float: ...
    @property
    def states_left(self) -> int: ...

class Position:
    """A position, and whether its flags are to be trusted."""

    def __init__(self, height: int, width: int, mines: int, codes: bytes, trust_flags: bool) -> None:
        """
        Codes are 0 to 8 for open cells, 9 for hidden ones, 10 for flags, and 11 for open cells
        whose number is ignored.
        """

class Walked:
    """Where a walk has ended."""

    @property
    def codes(self) -> bytes:
        """What is open then."""

    @property
    def unknown(self) -> bytes:
        """
        Empty if all is open. Otherwise a byte for each cell: 1 if it is unknown and touches a
        number, 2 if it is unknown and touches none.
        """

def draw_mines(height: int, width: int, mines: int, first: int, promise: int, seed: int) -> bytes:
    """Return a byte for each cell, row by row: 1 for a mine, 0 for none."""

def count_around(height: int, width: int, minefield: bytes) -> bytes:
    """
    Return the number of mines around each cell; the minefield has a 1 for each mine.
    """

def has_twins(height: int, width: int, minefield: bytes, first: int) -> bool:
    """
    Return whether a mine and a cell next to it, other than the first click, touch the same
    safe cells: then nothing can tell them apart.
    """

def walk(position: Position, minefield: bytes, first: int, budget: Budget) -> Walked:
    """
    Open the first click, and then all cells that are certainly safe, again and again. Cells
    that are open in the position are open from the start.
    """

class Findings:
    """The result of an analysis."""

    @property
    def possible(self) -> bool:
        """Whether any minefield fits the position."""

    @property
    def exact(self) -> bool:
        """Whether the risks are exact."""

    @property
    def risks(self) -> bytes:
        """A double for each cell; not a number if it is open."""

    @property
    def certain(self) -> bytes:
        """
        A byte for each cell: 1 if it is certainly safe, 2 if it is certainly a mine.
        """

class LayoutCount:
    """The number of layouts in parts."""

    @property
    def low(self) -> int:
        """The fewest mines on the frontier."""

    @property
    def free(self) -> int:
        """The number of cells that touch no number."""

    @property
    def mines_left(self) -> int:
        """The number of mines that are not settled."""

    @property
    def ways(self) -> list[bytes]:
        """
        For each prime, 64-bit numbers: the ways to lay each number of mines on the frontier,
        modulo the prime.
        """

def analyse(position: Position, budget: Budget) -> Findings:
    """Return the risk of every hidden cell, and what is certain."""

def is_possible(position: Position, any_mines: bool, budget: Budget) -> bool:
    """
    Return whether there is a layout, with the right number of mines or with any.
    """

def number_chances(position: Position, cell: int, budget: Budget) -> list[float]:
    """
    Return the probabilities of the numbers 0 to 8 that a cell shows, given that it is safe.
    """

def safety(position: Position, cells: Sequence[int], budget: Budget) -> float:
    """Return the probability that none of these hidden cells is a mine."""

def frontier_size(position: Position, budget: Budget) -> int:
    """Return how many unknown cells touch numbers."""

def count_layouts(position: Position, primes: Sequence[int], budget: Budget) -> LayoutCount:
    """Return the number of layouts in parts, modulo each prime."""

class Update:
    """What a Tracker found."""

    @property
    def began(self) -> bool:
        """Whether another game began: earlier safe cells no longer count."""

    @property
    def safe(self) -> list[int]:
        """The cells that have become certainly safe."""

class Tracker:
    """Follows the positions of one game after another."""

    def __init__(self) -> None: ...
    def update(self, position: Position, budget: Budget) -> Update:
        """
        Take the next position of a game, or the first of another. Some cells may be certain that
        only an analysis finds.
        """

class Solution:
    """What perfect play makes of a position."""

    @property
    def won(self) -> int:
        """The number of layouts that it wins."""

    @property
    def layouts(self) -> int:
        """The number of layouts; 0 if the position is impossible."""

    @property
    def moves(self) -> list[int]:
        """All cells that it can open first."""

def solve(position: Position, budget: Budget) -> Solution:
    """Solve the rest of a game."""

def solve_move(position: Position, cells: Sequence[int], budget: Budget) -> Solution:
    """
    Solve the rest of a game after these hidden cells are opened, all at once.
    """

class Decision:
    """What a player does in a position."""

    @property
    def possible(self) -> bool:
        """Whether any minefield fits the position."""

    @property
    def safe(self) -> list[int]:
        """All cells that are certainly safe."""

    @property
    def cell(self) -> int | None:
        """
        If there is none, the cell to risk; None if every hidden cell is a mine.
        """

    @property
    def risk(self) -> float:
        """The probability that this cell is a mine."""

    @property
    def win_chance(self) -> float | None:
        """
        The probability of winning with perfect play, if the rest of the game was solved.
        """

def players() -> list[str]:
    """Return the names of the players."""

def decide(player: str, position: Position, budget: Budget) -> Decision:
    """Return what a player does. The answer depends on the position alone."""

def choose_safest(
    position: Position, risks: bytes, candidates: Sequence[int], exact: bool, budget: Budget
) -> int | None:
    """
    Return a cell of least risk, the one most likely to show a 0 if there are several; None if every
    risk is 1. If there are no candidates, all hidden cells are.
    """

class MoveEstimate:
    """What a move is worth."""

    @property
    def chance(self) -> float:
        """The probability of winning with it."""

    @property
    def chance_error(self) -> float:
        """The standard error of that."""

    @property
    def less(self) -> float:
        """How much less that is than with the first move."""

    @property
    def less_error(self) -> float:
        """The standard error of that."""

def estimate_moves(
    position: Position,
    moves: Sequence[Sequence[int]],
    playouts: int,
    good_error: float,
    seed: int,
    player: str | None,
    budget: Budget,
) -> list[MoveEstimate]:
    """
    Play every move on the same sampled layouts, with a fast player or a named one going on,
    until all standard errors are small enough. The position must be possible.
    """

class Played:
    """How a game went."""

    @property
    def won(self) -> bool: ...
    @property
    def left(self) -> int:
        """Safe cells that were never opened."""

    @property
    def decisions(self) -> int: ...
    @property
    def guesses(self) -> int: ...
    @property
    def survival(self) -> float:
        """The probability of surviving all its guesses."""

    @property
    def solved(self) -> float | None:
        """
        The probability of winning when the rest of the game was first solved; None if it never was.
        """

    @property
    def seconds(self) -> float:
        """CPU time."""

    @property
    def lost_at(self) -> int | None:
        """The cell whose mine ended the game; None if it was won."""

    @property
    def luck(self) -> float:
        """How much luck in guesses changed the probability of winning."""

class DecisionTimes:
    """How long decisions took."""

    @property
    def counts(self) -> list[int]:
        """
        How many took how long, in steps of a sixteenth of an octave from 2**-30 seconds on.
        """

    @property
    def longest(self) -> float: ...

class Arena:
    """Plays many games at once, on threads."""

    def __init__(self, player: str, threads: int, seconds: float, states: int, memory: int) -> None:
        """Each decision may use this much."""

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
    ) -> list[Played]:
        """
        Play games of the run with this seed, from the one with this number on.
        """

    def play_minefields(
        self, height: int, width: int, mines: int, first: int, minefields: Sequence[bytes]
    ) -> list[Played]:
        """Play a game on each minefield: a byte for each cell, 1 for a mine."""

    def times(self) -> DecisionTimes:
        """Return how long the decisions of all games so far took."""

class VectorEnv:
    """Many games stepped together. Its arrays are its own memory."""

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
