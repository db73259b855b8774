"""The compiled engine. Use it through sapper.engine."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

class Budget:
    """The time and work that all calls for one answer share."""

    def __init__(self, seconds: float, states: int, memory: int) -> None:
        """
        Start a budget of seconds and states, with a limit in bytes on the memory of each call.
        """

    def spend(self, states: int) -> None:
        """Use up states. Raise LimitReached if too few are left."""

    def check(self) -> None:
        """Raise LimitReached if the time is up."""

    def reserve(self, bytes: int) -> None:
        """Raise LimitReached if this is more memory than a call may allocate."""

    def renew(self) -> Budget:
        """Return a budget with the same deadline and all states available again."""

    @property
    def seconds_left(self) -> float: ...
    @property
    def states_left(self) -> int: ...

class Position:
    """A position, and whether its flags are trusted to be mines."""

    def __init__(self, height: int, width: int, mines: int, codes: bytes, trust_flags: bool) -> None:
        """
        The codes have a byte per cell, row by row: 0 to 8 for open cells, 9 for hidden cells, 10 for
        flags, and 11 for open cells whose number is ignored.
        """

class Walked:
    """The end of a walk."""

    @property
    def codes(self) -> bytes:
        """The codes of the final position."""

    @property
    def unknown(self) -> bytes:
        """
        Empty if all safe cells are open. Otherwise a byte per cell: 1 if it is unknown and touches a
        number, 2 if it is unknown and touches none.
        """

def draw_mines(height: int, width: int, mines: int, first: int, promise: int, seed: int) -> bytes:
    """
    Return a minefield: a byte per cell, row by row, 1 for a mine and 0 for none.
    """

def count_around(height: int, width: int, minefield: bytes) -> bytes:
    """Return the number of adjacent mines of each cell, a byte per cell."""

def has_twins(height: int, width: int, minefield: bytes, first: int) -> bool:
    """
    Return whether some mine and an adjacent cell, other than the first click, touch the same safe
    cells, so that nothing can tell them apart.
    """

def walk(position: Position, minefield: bytes, first: int, budget: Budget) -> Walked:
    """
    Open the first click, and then repeatedly all certainly safe cells. Cells that are open in the
    position are open from the start.
    """

class Findings:
    """The result of an analysis."""

    @property
    def possible(self) -> bool:
        """Whether some minefield can produce the position."""

    @property
    def exact(self) -> bool:
        """Whether the risks are exact."""

    @property
    def risks(self) -> bytes:
        """A double per cell; NaN for open cells."""

    @property
    def certain(self) -> bytes:
        """
        A byte per cell: 1 if it is certainly safe, 2 if it is certainly a mine, otherwise 0.
        """

class LayoutCount:
    """The number of layouts, in factors."""

    @property
    def low(self) -> int:
        """The fewest mines on the frontier."""

    @property
    def free(self) -> int:
        """The number of cells that touch no number."""

    @property
    def mines_left(self) -> int:
        """The number of mines on unknown cells."""

    @property
    def ways(self) -> list[bytes]:
        """
        For each prime, an array of 64-bit integers: the number of layouts of the frontier for each
        number of mines from `low` up, modulo the prime.
        """

def analyse(position: Position, budget: Budget) -> Findings:
    """Return the risk of every hidden cell, and the certain cells."""

def is_possible(position: Position, any_mines: bool, budget: Budget) -> bool:
    """
    Return whether there is a layout with the right number of mines, or with any number of mines.
    """

def number_chances(position: Position, cell: int, budget: Budget) -> list[float]:
    """
    Return the probability of each number from 0 to 8 that a cell may show, given that it is safe.
    """

def safety(position: Position, cells: Sequence[int], budget: Budget) -> float:
    """Return the probability that none of these hidden cells is a mine."""

def frontier_size(position: Position, budget: Budget) -> int:
    """Return the number of unknown cells that touch numbers."""

def count_layouts(position: Position, primes: Sequence[int], budget: Budget) -> LayoutCount:
    """Return the number of layouts, in factors and modulo each prime."""

class Update:
    """The result of Tracker.update."""

    @property
    def began(self) -> bool:
        """
        Whether another game began, so that earlier safe cells no longer count.
        """

    @property
    def safe(self) -> list[int]:
        """The cells that became certainly safe."""

class Tracker:
    """Finds safe cells move by move, in one game after another."""

    def __init__(self) -> None: ...
    def update(self, position: Position, budget: Budget) -> Update:
        """
        Take the next position of a game, or the first position of another. Only an analysis finds the
        cells that are certain because of the mine count.
        """

class Solution:
    """The result of perfect play."""

    @property
    def won(self) -> int:
        """The number of layouts that perfect play wins."""

    @property
    def layouts(self) -> int:
        """The number of layouts; 0 if the position is impossible."""

    @property
    def moves(self) -> list[int]:
        """All cells that perfect play can open first."""

def solve(position: Position, budget: Budget) -> Solution:
    """Solve the rest of the game."""

def solve_move(position: Position, cells: Sequence[int], budget: Budget) -> Solution:
    """
    Solve the rest of the game after these hidden cells are opened, all at once.
    """

class Decision:
    """The decision of a player."""

    @property
    def possible(self) -> bool:
        """Whether some minefield can produce the position."""

    @property
    def safe(self) -> list[int]:
        """The certainly safe cells that were found."""

    @property
    def cell(self) -> int | None:
        """
        If no cell is safe, the cell to guess; None if every hidden cell is a mine.
        """

    @property
    def risk(self) -> float:
        """The probability that `cell` is a mine."""

    @property
    def win_chance(self) -> float | None:
        """
        The probability of winning with perfect play, if the rest of the game was solved.
        """

def players() -> list[str]:
    """Return the names of the players."""

def decide(player: str, position: Position, budget: Budget) -> Decision:
    """Return the decision of a player. It depends only on the position."""

def choose_safest(
    position: Position, risks: bytes, candidates: Sequence[int], exact: bool, budget: Budget
) -> int | None:
    """
    Return the cell of least risk, or None if every risk is 1. Ties go to the cell most likely to show
    a 0. Empty candidates mean all hidden cells.
    """

class MoveEstimate:
    """The estimated value of a move."""

    @property
    def chance(self) -> float:
        """The probability of winning with the move."""

    @property
    def chance_error(self) -> float:
        """The standard error of `chance`."""

    @property
    def less(self) -> float:
        """How much less `chance` is than with the first move."""

    @property
    def less_error(self) -> float:
        """The standard error of `less`."""

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
    Play every move on the same sampled layouts, continued by a fast player or the named one, until
    all standard errors are at most good_error. The position must be possible.
    """

class Played:
    """The record of a finished game."""

    @property
    def won(self) -> bool: ...
    @property
    def left(self) -> int:
        """The number of safe cells that were never opened."""

    @property
    def decisions(self) -> int: ...
    @property
    def guesses(self) -> int: ...
    @property
    def survival(self) -> float:
        """The probability of surviving all guesses."""

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
        """How much the luck of guesses changed the probability of winning."""

class DecisionTimes:
    """A histogram of the time per decision."""

    @property
    def counts(self) -> list[int]:
        """
        The number of decisions per bin. Bins start at 2**-30 seconds; there are sixteen per octave.
        """

    @property
    def longest(self) -> float: ...

class Arena:
    """Plays many games at once, on several threads."""

    def __init__(self, player: str, threads: int, seconds: float, states: int, memory: int) -> None:
        """The limits apply to each decision."""

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
        Play games number `start` to `start + games - 1` of the run with this seed.
        """

    def play_minefields(
        self, height: int, width: int, mines: int, first: int, minefields: Sequence[bytes]
    ) -> list[Played]:
        """
        Play a game on each minefield. A minefield has a byte per cell, 1 for a mine.
        """

    def times(self) -> DecisionTimes:
        """Return the time per decision, over all games so far."""

class VectorEnv:
    """
    Many games stepped together. Its arrays are views that each step updates.
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
        """Set the seeds of the next boards of a game."""

    def reset(self) -> None:
        """Start every game on its next board."""

    def step(
        self,
        actions: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None:
        """
        Open a cell in every game. A game that is over starts on its next board instead.
        """

    @property
    def codes(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None), writable=False)]:
        """The codes of each position, one row per game."""

    @property
    def masks(self) -> Annotated[NDArray[numpy.int8], dict(shape=(None, None), writable=False)]:
        """1 for each hidden cell, one row per game."""

    @property
    def rewards(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """The rewards of the last step."""

    @property
    def ended(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]:
        """1 if the last step ended the game."""

    @property
    def outcomes(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]:
        """0 while the game goes on, 1 if it is won, 2 if it is lost."""

    @property
    def opened(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), writable=False)]:
        """The number of cells that the last step opened."""

    @property
    def seeds(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,), writable=False)]:
        """The seeds of the current boards."""

    @property
    def seeds_left(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), writable=False)]:
        """The number of seeds not used yet."""
