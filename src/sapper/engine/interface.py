"""The interface of an engine, and the results that it returns.

Three implementations share it: compiled, plain Python, and WebAssembly in a browser. An implementation
need not offer players, estimates, many games at once, or vector environments.
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
"""A probability: a float, or a fraction where exact fractions were asked for."""

FRONTIER: Final = 1
"""In `Walk.unknown`: the cell touches a number."""
BEYOND: Final = 2
"""In `Walk.unknown`: the cell touches no number."""


@dataclass(frozen=True)
class Findings:
    """What an analysis found."""

    exact: bool
    """Whether the risks are exact; otherwise they are estimates."""
    risk: Mapping[Cell, Chance]
    """The probability of a mine on each hidden cell."""
    certain: bytes
    """A byte for each cell: 1 if it is certainly safe, 2 if it is certainly a mine."""


@dataclass(frozen=True)
class Endgame:
    """What perfect play makes of a position."""

    won: int
    """The number of layouts that it wins."""
    layouts: int
    """The number of layouts."""
    moves: frozenset[Cell] = frozenset()
    """All cells that it can open first; empty if a move was given."""


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
    """What a move is worth, by playouts; each figure with its standard error."""

    chance: float
    """The probability of winning with it."""
    chance_error: float
    less: float
    """How much less that is than with the first move."""
    less_error: float


@dataclass(frozen=True)
class Walk:
    """How far certainty alone led on a board."""

    codes: bytes
    """What is open at the end."""
    unknown: bytes
    """Empty if all is open. Otherwise for each cell 0, or `FRONTIER` or `BEYOND` if it is unknown."""

    @property
    def is_done(self) -> bool:
        """Whether all is open."""
        return not self.unknown

    @property
    def hidden_count(self) -> int:
        """The number of cells that are not open."""
        return self.codes.count(HIDDEN)


@dataclass(frozen=True)
class EngineGame:
    """How a game went that an engine played."""

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
    """How long decisions took: how many in each step of a logarithmic scale, and the longest."""

    counts: list[int]
    longest: float


class SafeCellFinder(Protocol):
    """Follows the positions of a game, and finds safe cells without a whole analysis."""

    def find(self, position: Position, budget: Budget, *, trust_flags: bool) -> Cell | None:
        """Return the first hidden cell that is known to be safe; None if only an analysis can tell."""
        ...


class EngineArena(Protocol):
    """Plays many games with one of the engine's players."""

    def play_seeds(self, seed: int, numbers: range) -> list[EngineGame]:
        """Play the games of a run with these numbers."""
        ...

    def play_minefields(self, minefields: Sequence[bytes]) -> list[EngineGame]:
        """Play a game on each minefield."""
        ...

    def times(self) -> DecisionTimes:
        """Return how long the decisions of all games so far took."""
        ...


class Engine(ABC):
    """What an engine can do. A position that no minefield fits gives None, or no layouts."""

    name: str
    """`compiled` or `python`."""

    # Boards ------------------------------------------------------------------------------------

    @abstractmethod
    def draw_mines(
        self, height: int, width: int, mines: int, first: int, promise: int, seed: int
    ) -> bytes:
        """Return a byte for each cell, row by row: 1 for a mine, 0 for none.

        `first` is the index of the first click, `promise` how far around it there is no mine: 0
        nowhere, 1 on the cell, 2 on its neighbours too.
        """

    @abstractmethod
    def count_around(self, height: int, width: int, minefield: bytes) -> bytes:
        """Return the number of mines around each cell, row by row."""

    @abstractmethod
    def has_twins(self, height: int, width: int, minefield: bytes, first: int) -> bool:
        """Return whether nothing can tell a mine from a cell next to it, other than the first click."""

    @abstractmethod
    def walk(self, position: Position, minefield: bytes, first: Cell, budget: Budget) -> Walk:
        """Open the first click, and then all cells that are certainly safe, again and again.

        What is open in the position is open from the start.
        """

    # Counting ----------------------------------------------------------------------------------

    @abstractmethod
    def analyse(self, position: Position, budget: Budget, *, trust_flags: bool) -> Findings | None:
        """Return the risk of every hidden cell, and what is certain."""

    @abstractmethod
    def count_layouts(self, position: Position, budget: Budget, *, trust_flags: bool) -> int:
        """Return the exact number of layouts."""

    @abstractmethod
    def number_chances(
        self, position: Position, cell: Cell, budget: Budget, *, trust_flags: bool
    ) -> dict[int, Chance]:
        """Return the probability of each number that a hidden cell may show, given that it is safe."""

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
        """Return a cell of least risk; None if every risk is 1.

        Of several, the one most likely to show a 0; of several such, the first. If there are no
        candidates, all hidden cells are. If the budget does not suffice to compare cells of equal risk,
        the first one is taken.
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
        """Return whether there is a layout in which these numbers are true.

        It has mines on the cells in `mines`, none on the cell `safe`, and as many as the position says
        if the mine count is used. Other numbers and flags are ignored.
        """

    def create_finder(self) -> SafeCellFinder | None:
        """Return a finder of safe cells; None if this engine has none."""
        return None

    # Endgames ----------------------------------------------------------------------------------

    @abstractmethod
    def solve(self, position: Position, budget: Budget, *, trust_flags: bool) -> Endgame | None:
        """Return what perfect play makes of the position."""

    @abstractmethod
    def solve_move(
        self, position: Position, cells: Sequence[Cell], budget: Budget, *, trust_flags: bool
    ) -> Endgame | None:
        """Return what perfect play makes of the position after these cells are opened at once."""

    # Players -----------------------------------------------------------------------------------

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players that this engine has."""
        return ()

    def decide(self, player: str, position: Position, budget: Budget) -> Decision | None:
        """Return what a player does; None if the position is impossible."""
        raise self._unsupported(f"the player {player}")

    @property
    def can_estimate(self) -> bool:
        """Whether `estimate_moves` works."""
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
        """Estimate what moves are worth, by playouts on the same sampled layouts.

        A fast player goes on after each move, or the one that is named. It stops early when all
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
        """Return an arena for games of one of the engine's players; `limit` is for each decision."""
        raise self._unsupported("games on threads")

    def create_vector_env(self, games: int, **options: Any) -> Any:
        """Return many games that are stepped together."""
        raise self._unsupported("a vector environment")

    def _unsupported(self, what: str) -> SapperError:
        return SapperError(f"{what} needs the compiled engine")
