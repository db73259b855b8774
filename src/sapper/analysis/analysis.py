"""Analyses: certain cells, risks, layouts, and the best move of a position."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sapper.analysis.contradictions import contradiction
from sapper.arguments import boolean
from sapper.caching import cached_property
from sapper.engine import Budget, Chance, Endgame, Engine, Findings, Limit, engine, exact_engine
from sapper.engine.limits import check_budget
from sapper.errors import BadPosition, LimitReached
from sapper.position import (
    FLAG,
    HIDDEN,
    Cell,
    HasPosition,
    Position,
    cells_where,
    describe_cell,
    describe_cells,
    format_size,
    position_of,
)
from sapper.text import percent, plural

LARGE = 4096
"""On boards with at least this many cells, following a game is faster than analysing each position."""

_MOST_LAYOUTS, _MOST_UNKNOWN = 1000, 64
"""With more layouts or unknown cells, `best` does not try to solve the endgame."""
_ENDGAME = Limit(seconds=1, states=10_000)
"""The limit for solving the endgame in `best`."""
_ONLY_SAFE, _ONLY_MINES = bytes.maketrans(b"\2", b"\0"), bytes.maketrans(b"\1", b"\0")


@dataclass(frozen=True)
class Move:
    """A cell to open, its risk, and the exact probability of winning with perfect play if known."""

    cell: Cell
    risk: Chance
    win_chance: Fraction | None = None


class Analysis:
    """What follows from a position. Returned by `analyse`.

    The probabilities and the number of layouts are computed lazily. The limit applies to each of them
    separately; when it is reached, they raise `LimitReached`.

    >>> analysis = analyse(Position.parse("# 1 # #", mines=2))
    >>> analysis.risk[0, 0], sorted(analysis.mines), analysis.layouts, analysis.exact
    (0.5, [(0, 3)], 2, True)
    """

    def __init__(
        self,
        position: Position,
        engine: Engine,
        start: Callable[[], Budget],
        *,
        trust_flags: bool,
        known_safe: Cell | None = None,
    ) -> None:
        """`start` returns the budget for an answer; `known_safe` is a safe cell, if one is known."""
        self.position = position
        self.trust_flags = trust_flags
        self._engine = engine
        self._start = start
        self._known_safe = known_safe
        self._found: Findings | None = None

    def __repr__(self) -> str:
        """Return the size and what was found; nothing is computed for this.

        >>> analyse(Position.parse("# 1 # #", mines=2))
        <Analysis of 4x1/2: 0 safe cells, 1 mine, lowest risk 50.0 %>
        """
        position, found = self.position, self._found
        facts = ["not computed yet"]
        if found is not None:
            safe, mines = found.certain.count(1), found.certain.count(2)
            facts = [plural(safe, "safe cell"), plural(mines, "mine")]
            if not safe and len(found.risk) > mines:
                facts.append(f"lowest risk {percent(min(found.risk.values()))}")
        size = format_size(position.height, position.width, position.mines)
        return f"<Analysis of {size}: {', '.join(facts)}>"

    def __str__(self) -> str:
        """Return the findings in a few lines.

        >>> print(analyse(Position.parse("# 1 # #", mines=2)))
        4x1/2: 2 layouts
        Safe: none
        Mines: row 1, column 4
        Best: row 1, column 1 (risk 50.0 %, perfect play wins 50.0 %)
        """
        position = self.position
        size = format_size(position.height, position.width, position.mines)
        try:
            count = plural(self.layouts, "layout")
        except LimitReached:
            count = "number of layouts unknown; the risks are estimates"
        return "\n".join(
            [
                f"{size}: {count}",
                f"Safe: {describe_cells(self.safe) or 'none'}",
                f"Mines: {describe_cells(self.mines) or 'none'}",
                f"Best: {self._describe_best()}",
            ]
        )

    def _describe_best(self) -> str:
        best = self.best
        if best is None:
            return "none; every hidden cell is a mine"
        facts = ["safe" if best.cell in self.safe else f"risk {percent(best.risk)}"]
        if best.win_chance is not None:
            facts.append(f"perfect play wins {percent(best.win_chance)}")
        return f"{describe_cell(best.cell)} ({', '.join(facts)})"

    def find(self, budget: Budget) -> Findings:
        """Return the risks and the certain cells. They are computed only once."""
        if self._found is None:
            found = self._engine.analyse(self.position, budget, trust_flags=self.trust_flags)
            if found is None:
                raise contradiction(self.position, budget, trust_flags=self.trust_flags)
            self._found = found
        return self._found

    @property
    def _findings(self) -> Findings:
        return self._found or self.find(self._start())

    @property
    def risk(self) -> Mapping[Cell, Chance]:
        """The probability of a mine, for every hidden cell."""
        return self._findings.risk

    @property
    def exact(self) -> bool:
        """Whether the risks are exact. Otherwise they are estimates; certain cells are still proven."""
        return self._findings.exact

    @cached_property
    def safe(self) -> frozenset[Cell]:
        """The hidden cells that cannot be mines."""
        return self._cells_marked(_ONLY_SAFE)

    @cached_property
    def mines(self) -> frozenset[Cell]:
        """The hidden cells that must be mines."""
        return self._cells_marked(_ONLY_MINES)

    def _cells_marked(self, kept: bytes) -> frozenset[Cell]:
        return frozenset(cells_where(self._findings.certain.translate(kept), self.position.width))

    @cached_property
    def layouts(self) -> int:
        """The exact number of layouts."""
        budget = self._start()
        if not self.find(budget).exact:
            raise LimitReached("the number of layouts is not known: the analysis reached its limit")
        return self._engine.count_layouts(self.position, budget, trust_flags=self.trust_flags)

    def shows(self, cell: Cell) -> dict[int, Chance]:
        """Return the probability of each number that the cell may show if it is opened.

        They add up to the probability that the cell is safe.

        >>> analyse(Position.parse("# # #", mines=1), exact_fractions=True).shows((0, 1))
        {1: Fraction(2, 3)}
        """
        return self._shows(self._check_hidden(cell), self._start())

    def _shows(self, cell: Cell, budget: Budget) -> dict[int, Chance]:
        if cell in self.mines:
            return {}
        safety = 1 - self.find(budget).risk[cell]
        flags = self.trust_flags
        chances = self._engine.number_chances(self.position, cell, budget, trust_flags=flags)
        return {number: chance * safety for number, chance in chances.items()}

    def safety(self, cells: Iterable[Cell]) -> Chance:
        """Return the probability that none of these hidden cells is a mine.

        >>> analyse(Position.parse("# # # #", mines=1), exact_fractions=True).safety([(0, 0), (0, 1)])
        Fraction(1, 2)
        """
        cells = sorted(set(map(self._check_hidden, cells)))
        budget = self._start()
        risk = self.find(budget).risk
        if len(cells) <= 1 or self.safe.issuperset(cells):
            return 1 - max((risk[cell] for cell in cells), default=0)
        return self._engine.safety(self.position, cells, budget, trust_flags=self.trust_flags)

    def _check_hidden(self, cell: Cell) -> Cell:
        cell = self.position.check_cell(cell)
        if not self.position.is_hidden(cell):
            raise BadPosition(f"the cell at {describe_cell(cell)} is already open")
        return cell

    @cached_property
    def dead(self) -> frozenset[Cell]:
        """The cells that may be safe, but whose number is certain: opening one reveals nothing new."""
        budget = self._start()
        risk = self.find(budget).risk
        return frozenset(cell for cell in risk if len(self._shows(cell, budget)) == 1)

    @cached_property
    def best(self) -> Move | None:
        """The move most likely to win, if few layouts are left and the endgame can be solved.

        Otherwise it is the `safest`. A cell that is certainly safe always comes first. None if no
        hidden cell can be safe.

        >>> analyse(Position.parse("# # # # #", mines=1)).best
        Move(cell=(0, 0), risk=0.2, win_chance=Fraction(4, 5))
        """
        if self._known_safe is not None:
            return Move(self._known_safe, 0.0)
        budget = self._start()
        endgame = self._solve(budget)
        if endgame is None or not endgame.moves:
            return self._find_safest(budget)
        cell = self._first_safe() or self._choose(sorted(endgame.moves), budget)
        assert cell is not None  # Perfect play opens no cell that must be a mine.
        win_chance = Fraction(endgame.won, endgame.layouts)
        return Move(cell, self.find(budget).risk[cell], win_chance)

    @cached_property
    def safest(self) -> Move | None:
        """The move most likely to be safe; None if no hidden cell can be safe.

        Ties go to the cell most likely to show a 0, which opens its neighbours.

        >>> analyse(Position.parse("# # # # #", mines=1)).safest
        Move(cell=(0, 0), risk=0.2, win_chance=None)
        """
        if self._known_safe is not None:
            return Move(self._known_safe, 0.0)
        return self._find_safest(self._start())

    def _find_safest(self, budget: Budget) -> Move | None:
        found = self.find(budget)
        cell = self._first_safe() or self._choose((), budget)
        return None if cell is None else Move(cell, found.risk[cell])

    def _first_safe(self) -> Cell | None:
        index = self._findings.certain.find(1)
        return None if index < 0 else divmod(index, self.position.width)

    def _choose(self, candidates: Sequence[Cell], budget: Budget) -> Cell | None:
        found, flags = self.find(budget), self.trust_flags
        return self._engine.choose_safest(self.position, found, candidates, budget, trust_flags=flags)

    def _solve(self, budget: Budget) -> Endgame | None:
        """Return the result of perfect play; None if it cannot be computed quickly."""
        codes, found = self.position.codes, self.find(budget)
        hidden = codes.count(HIDDEN) + codes.count(FLAG)
        unknown = hidden - found.certain.count(1) - found.certain.count(2)
        if not found.exact or unknown > _MOST_UNKNOWN:
            return None
        try:
            if self._count_layouts(budget) > _MOST_LAYOUTS:
                return None
            own = _ENDGAME.start_within(budget)
            return engine.solve(self.position, own, trust_flags=self.trust_flags)
        except LimitReached:
            return None

    def _count_layouts(self, budget: Budget) -> int:
        known: int | None = self.__dict__.get("layouts")
        if known is not None:
            return known
        return self._engine.count_layouts(self.position, budget, trust_flags=self.trust_flags)

    def _repr_svg_(self) -> str:
        return self.position.svg(self)


def analyse(
    position: Position | HasPosition,
    *,
    trust_flags: bool = False,
    exact_fractions: bool = False,
    limit: Limit | None = None,
) -> Analysis:
    """Return what follows from a position: certain cells, risks, and the number of layouts.

    For a game, it analyses the current position. Flags are ignored unless `trust_flags` is true. A
    position that no minefield can produce raises `InconsistentPosition`.

    >>> analysis = analyse(Position.parse("# # # / 1 2 1".replace(" / ", chr(10)), mines=2))
    >>> sorted(analysis.mines), sorted(analysis.safe)
    ([(0, 0), (0, 2)], [(0, 1)])
    """
    position, start = position_of(position), Limit.given(limit).start
    trust_flags = boolean(trust_flags, "trust_flags")
    used = exact_engine if boolean(exact_fractions, "exact_fractions") else engine
    analysis = Analysis(position, used, start, trust_flags=trust_flags)
    analysis.find(start())
    return analysis


def analyse_within(
    position: Position | HasPosition, budget: Budget, *, trust_flags: bool = False
) -> Analysis:
    """Return the analysis of a position; all its answers share one budget.

    >>> budget = Limit(seconds=5).start()
    >>> sorted(analyse_within(Position.parse("# 1 . #", mines=1), budget).safe)
    [(0, 3)]
    """
    check_budget(budget)
    position, trust_flags = position_of(position), boolean(trust_flags, "trust_flags")
    analysis = Analysis(position, engine, lambda: budget, trust_flags=trust_flags)
    analysis.find(budget)
    return analysis


class Analyser:
    """Analyses the positions of a game one after another.

    On large boards it keeps what it found, and re-examines only the parts of the board that a move
    changed. The answers are those of `analyse`, but computed lazily: if a cell is known to be safe,
    `best` needs no full analysis.

    Threads may share an analyser.

    >>> analyser = Analyser()
    >>> analyser.feed(Position.parse("# 1 # #", mines=1)).best
    Move(cell=(0, 3), risk=0.0, win_chance=Fraction(1, 1))
    """

    def __init__(self, *, trust_flags: bool = False, limit: Limit | None = None) -> None:
        self._trust_flags = boolean(trust_flags, "trust_flags")
        self._limit = Limit.given(limit)
        self._finder = engine.create_finder()

    def feed(self, position: Position | HasPosition) -> Analysis:
        """Return the analysis of the next position of the game, or of a new game."""
        position = position_of(position)
        flags = self._trust_flags
        if self._finder is None or len(position) < LARGE:
            return analyse(position, trust_flags=flags, limit=self._limit)
        safe = self._finder.find(position, self._limit.start(), trust_flags=flags)
        start = self._limit.start
        return Analysis(position, engine, start, trust_flags=flags, known_safe=safe)
