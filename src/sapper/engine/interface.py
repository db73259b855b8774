"""The interface of an engine, and the results that it returns.

Three implementations share it: compiled, pure Python, and WebAssembly in a browser. Players, estimates,
arenas and vector environments are optional.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Protocol

from sapper.engine.limits import Budget
from sapper.errors import SapperError
from sapper.position import HIDDEN, Cell, Position

if TYPE_CHECKING:
    from sapper.engine.limits import Limit

Chance = float | Fraction
"""A probability: a float, or a fraction if exact fractions were requested."""

FRONTIER: Final = 1
"""In `Walk.unknown`: the cell is next to a number."""
BEYOND: Final = 2
"""In `Walk.unknown`: the cell is not next to any number."""


@dataclass(frozen=True)
class Findings:
    """The result of an analysis."""

    exact: bool
    """Whether the risks are exact; otherwise they are estimates."""
    risk: Mapping[Cell, Chance]
    """The probability that each hidden cell is a mine."""
    certain: bytes
    """One byte per cell: 1 if it is certainly safe, 2 if it is certainly a mine, else 0."""


@dataclass(frozen=True)
class Endgame:
    """The result of perfect play from a position."""

    won: int
    """The number of layouts that it wins."""
    layouts: int
    """The number of layouts."""
    moves: frozenset[Cell] = frozenset()
    """All cells that perfect play can open first; empty if the first move was given."""


@dataclass(slots=True)  # Not frozen: one is made for every move, and freezing it takes a microsecond.
class Decision:
    """What a player does in a position."""

    cell: Cell | None
    """The cell to open: the first safe cell if one is known. None if every hidden cell is a mine."""
    is_safe: bool
    """Whether the cell is certainly safe."""
    risk: float
    """The probability that the cell is a mine."""
    win_chance: float | None
    """The probability of winning with perfect play, if the rest of the game was solved."""


@dataclass(frozen=True)
class MoveEstimate:
    """The worth of a move, estimated by playouts, with standard errors."""

    chance: float
    """The probability of winning with this move."""
    chance_error: float
    less: float
    """How much lower that is than with the first of the estimated moves."""
    less_error: float


@dataclass(frozen=True)
class Walk:
    """How much of a board can be opened without guessing."""

    codes: bytes
    """The codes of the cells at the end."""
    unknown: bytes
    """Empty if every safe cell is open. Otherwise one byte per cell: `FRONTIER`, `BEYOND` or 0."""

    @property
    def is_done(self) -> bool:
        """Whether every safe cell is open."""
        return not self.unknown

    @property
    def hidden_count(self) -> int:
        """The number of hidden cells."""
        return self.codes.count(HIDDEN)


@dataclass(frozen=True)
class EngineGame:
    """The result of a game that an engine played."""

    won: bool
    left: int
    decisions: int
    guesses: int
    survival: float
    solved: float | None
    seconds: float
    lost_at: Cell | None
    luck: float


@dataclass(frozen=True)
class DecisionTimes:
    """How long decisions took: a histogram with a logarithmic scale, and the longest time."""

    counts: list[int]
    longest: float


class SafeCellFinder(Protocol):
    """Follows the positions of a game, and finds safe cells without a full analysis."""

    def find(self, position: Position, budget: Budget, *, trust_flags: bool) -> Cell | None:
        """Return the first hidden cell known to be safe; None if that needs a full analysis."""
        ...


class EngineArena(Protocol):
    """Plays many games with one of the engine's players."""

    def play_seeds(self, seed: int, numbers: range) -> list[EngineGame]:
        """Play the games with these numbers of the run with this seed."""
        ...

    def play_minefields(self, minefields: Sequence[bytes]) -> list[EngineGame]:
        """Play a game on each minefield."""
        ...

    def times(self) -> DecisionTimes:
        """Return how long all decisions so far took."""
        ...


class Engine(ABC):
    """The operations of an engine. For an impossible position they return None, or 0 layouts."""

    name: str
    """`compiled` or `python`."""

    # Boards ------------------------------------------------------------------------------------

    @abstractmethod
    def draw_mines(
        self, height: int, width: int, mines: int, first: int, promise: int, seed: int
    ) -> bytes:
        """Return one byte per cell, row by row: 1 for a mine, otherwise 0.

        `first` is the index of the first click. `promise` says what is free of mines: 0 nothing, 1 the
        first click, 2 the first click and its neighbours.
        """

    @abstractmethod
    def count_around(self, height: int, width: int, minefield: bytes) -> bytes:
        """Return the number of mines around each cell, row by row."""

    @abstractmethod
    def has_twins(self, height: int, width: int, minefield: bytes, first: int) -> bool:
        """Return whether a mine and a safe cell, not the first click, cannot be told apart."""

    @abstractmethod
    def walk(self, position: Position, minefield: bytes, first: Cell, budget: Budget) -> Walk:
        """Open the first click, and then certainly safe cells until there are none.

        Cells that are open in the position are open from the start.
        """

    # Counting ----------------------------------------------------------------------------------

    @abstractmethod
    def analyse(self, position: Position, budget: Budget, *, trust_flags: bool) -> Findings | None:
        """Return the risk of every hidden cell, and the certain cells."""

    @abstractmethod
    def count_layouts(self, position: Position, budget: Budget, *, trust_flags: bool) -> int:
        """Return the exact number of layouts."""

    @abstractmethod
    def number_chances(
        self, position: Position, cell: Cell, budget: Budget, *, trust_flags: bool
    ) -> dict[int, Chance]:
        """Return the probability of each number that a hidden cell may show if it is safe."""

    @abstractmethod
    def choose_safest(
        self,
        position: Position,
        findings: Findings,
        candidates: Sequence[Cell],
        budget: Budget,
        *,
        trust_flags: bool,
    ) -> Cell | None:
        """Return the candidate with the lowest risk; None if every risk is 1.

        Ties go to the cell most likely to show a 0, then to the first. Without candidates, all hidden
        cells are candidates. If the budget runs out while ties are compared, the first cell wins.
        """

    @abstractmethod
    def safety(
        self, position: Position, cells: Sequence[Cell], budget: Budget, *, trust_flags: bool
    ) -> Chance:
        """Return the probability that none of these hidden cells is a mine."""

    @abstractmethod
    def is_possible(
        self,
        position: Position,
        numbers: Collection[Cell],
        budget: Budget,
        *,
        mines: Collection[Cell] = (),
        safe: Cell | None = None,
        use_mine_count: bool,
    ) -> bool:
        """Return whether a layout satisfies these numbers.

        It must have mines on the cells in `mines`, none on the cell `safe`, and the position's number
        of mines if `use_mine_count` is true. Other numbers and flags are ignored.
        """

    def create_finder(self) -> SafeCellFinder | None:
        """Return a finder of safe cells; None if the engine has none."""
        return None

    # Endgames ----------------------------------------------------------------------------------

    @abstractmethod
    def solve(self, position: Position, budget: Budget, *, trust_flags: bool) -> Endgame | None:
        """Return the result of perfect play."""

    @abstractmethod
    def solve_move(
        self, position: Position, cells: Sequence[Cell], budget: Budget, *, trust_flags: bool
    ) -> Endgame | None:
        """Return the result of perfect play after these cells are opened at once."""

    # Players -----------------------------------------------------------------------------------

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the engine's players."""
        return ()

    def decide(self, player: str, position: Position, budget: Budget) -> Decision | None:
        """Return a player's decision; None if the position is impossible."""
        raise self._unsupported(f"the player {player}")

    @property
    def can_estimate(self) -> bool:
        """Whether `estimate_moves` is supported."""
        return False

    def estimate_moves(
        self,
        position: Position,
        moves: Sequence[Sequence[Cell]],
        budget: Budget,
        *,
        playouts: int,
        good_error: float,
        seed: int,
        player: str | None = None,
    ) -> list[MoveEstimate]:
        """Estimate the worth of moves, by playouts on the same sampled layouts.

        After each move, `player` finishes the game (default: a fast one). Playouts stop early when all
        standard errors are at most `good_error`.
        """
        raise self._unsupported("estimates by playouts")

    # Games -------------------------------------------------------------------------------------

    def create_arena(
        self,
        player: str,
        *,
        height: int,
        width: int,
        mines: int,
        first: int,
        promise: int,
        threads: int,
        limit: Limit,
    ) -> EngineArena:
        """Return an arena for one of the engine's players; `limit` applies to each decision."""
        raise self._unsupported("games on threads")

    def create_vector_env(self, games: int, **options: Any) -> Any:
        """Return an environment of many games that are stepped together."""
        raise self._unsupported("a vector environment")

    def _unsupported(self, what: str) -> SapperError:
        return SapperError(f"{what} needs the compiled engine")
