"""Guesses: why a guess is needed, and why this cell is the best one."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sapper.analysis import Analysis, Budget, Chance, Limit, analyse, analyse_within
from sapper.analysis.endgame import win_chance_after_within
from sapper.drawing.board import draw_svg
from sapper.engine import engine
from sapper.engine.limits import check_budget
from sapper.errors import LimitReached, SapperError
from sapper.position import (
    MOST_NAMED,
    Cell,
    HasPosition,
    Position,
    describe_cell,
    describe_cells,
    position_of,
    surroundings,
)
from sapper.text import percent, plural

__all__ = ["Candidate", "Guess", "explain_guess"]

_MOST_CANDIDATES = 6
_ENDGAME = Limit(seconds=0.2, states=10_000)
"""The limit for solving the endgame once for each number that a cell may show."""
_TOLERANCE = 1e-9
"""Probabilities that differ by less than this are equal."""


@dataclass(frozen=True)
class Candidate:
    """A cell that could be opened, with the probabilities that decide between the cells."""

    cell: Cell
    risk: Chance
    goes_on: float
    """The probability that it is safe and reveals a certainly safe cell."""
    survives: float
    """The probability of surviving both this move and the safest move after it."""
    win_chance: float | None
    """The probability of winning with perfect play, if known."""


@dataclass(frozen=True)
class Guess:
    """Why a guess is needed, and why this cell is the best one. Returned by `explain_guess`."""

    position: Position
    choice: Candidate
    candidates: tuple[Candidate, ...]
    """The choice, followed by other low-risk cells, best first."""
    toss: frozenset[Cell]
    """The two cells of a forced coin toss; empty if it is not one."""
    due: str
    """Why a guess is needed, in one sentence."""
    why: str
    """Why the choice is the best cell, in one sentence."""

    @property
    def advice(self) -> str:
        """The cell to open, and why."""
        return f"Open {describe_cell(self.choice.cell)}: {self.why}"

    def __str__(self) -> str:
        lines = [self.due, self.advice]
        columns = ["risk", "progress", "survival"]
        if any(each.win_chance is not None for each in self.candidates):
            columns.append("win")
        lines.append(" " * 22 + "".join(f"{column:>11}" for column in columns))
        for each in self.candidates:
            mark = ">" if each is self.choice else " "
            chances = (each.risk, each.goes_on, each.survives, each.win_chance)[: len(columns)]
            row = "".join(f"{'?' if chance is None else percent(chance):>11}" for chance in chances)
            lines.append(f"{mark} {describe_cell(each.cell):20}{row}")
        return "\n".join(lines)

    def svg(self) -> str:
        """Return an SVG picture: a heat map of the risks, with a ring around the choice.

        >>> explain_guess(Position.parse("# 1 #", mines=1)).svg().startswith("<svg ")
        True
        """
        return draw_svg(self.position, analyse(self.position), chosen=self.choice.cell)

    def _repr_svg_(self) -> str:
        return self.svg()

    def to_json(self) -> dict[str, Any]:
        """Return the guess as an object for `json.dumps`; probabilities are numbers from 0 to 1.

        >>> facts = explain_guess(Position.parse("# 1 #", mines=1)).to_json()
        >>> facts["cell"], facts["toss"]
        ([0, 0], [[0, 0], [0, 2]])
        """
        return {
            "cell": list(self.choice.cell),
            "due": self.due,
            "why": self.why,
            "toss": sorted(map(list, self.toss)),
            "candidates": [
                {
                    "cell": list(each.cell),
                    "risk": float(each.risk),
                    "goes_on": each.goes_on,
                    "survives": each.survives,
                    "win_chance": each.win_chance,
                }
                for each in self.candidates
            ],
        }


def explain_guess(position: Position | HasPosition, *, limit: Limit | None = None) -> Guess:
    """Return why a guess is needed in this position, and why one cell is the best guess.

    The cell is the one that the agent `strong` opens or, without the compiled engine, the best move of
    the analysis. If a cell is certainly safe, or if every hidden cell is a mine, no guess is needed:
    that raises `SapperError`. When the limit is reached, fewer cells are compared.

    >>> print(explain_guess(Position.parse("# # # # #", mines=1)))
    No cell is certainly safe: every hidden cell is a mine in some of the 5 layouts.
    Open row 1, column 1: with perfect play it wins 80.0 % of the time, and no other cell ...
                                 risk   progress   survival        win
    > row 1, column 1          20.0 %     80.0 %     80.0 %     80.0 %
    ...
    """
    return explain_guess_within(position, Limit.given(limit).start())


def explain_guess_within(position: Position | HasPosition, budget: Budget) -> Guess:
    """Do the same as `explain_guess`, within a budget shared with other work."""
    check_budget(budget)
    position = position_of(position)
    analysis = analyse_within(position, budget.renew())
    if analysis.safe:
        cell = describe_cell(min(analysis.safe))
        raise SapperError(f"no guess is needed: {cell} is certainly safe")
    if analysis.best is None:
        raise SapperError("no guess is needed: every hidden cell is a mine")
    chosen = _chosen(analysis, budget)
    solved = analysis.best.win_chance is not None
    choice = _candidate(analysis, chosen, solved, budget)
    others = []
    with suppress(LimitReached):  # When time runs out, the remaining cells are left out.
        for other in _others(analysis, chosen):
            others.append(_candidate(analysis, other, solved, budget))
    others.sort(key=lambda each: (-(each.win_chance or 0), -each.survives, each.cell))
    toss = _toss(analysis, chosen, budget)
    why = _toss_words(toss) if toss else _why(analysis, choice, others, budget)
    return Guess(position, choice, (choice, *others), toss, _due(analysis), why)


def _chosen(analysis: Analysis, budget: Budget) -> Cell:
    assert analysis.best is not None
    if analysis.best.win_chance is None and "strong" in engine.players:
        with suppress(LimitReached):
            decision = engine.decide("strong", analysis.position, budget.renew())
            if decision is not None and decision.cell is not None:
                return decision.cell
    return analysis.best.cell


def _others(analysis: Analysis, chosen: Cell) -> list[Cell]:
    """Return a few more low-risk cells, but only one of several with the same surroundings."""
    seen = {surroundings(analysis.position, chosen)}
    cells: list[Cell] = []
    for cell in sorted(analysis.risk, key=lambda cell: (analysis.risk[cell], cell)):
        key = surroundings(analysis.position, cell)
        if cell not in analysis.mines and key not in seen and len(cells) < _MOST_CANDIDATES - 1:
            seen.add(key)
            cells.append(cell)
    return cells


def _candidate(analysis: Analysis, cell: Cell, solved: bool, budget: Budget) -> Candidate:
    """Analyse the position after each number that the cell may show."""
    goes_on = survives = wins = 0.0
    for number, chance in analysis.shows(cell).items():
        budget.check()
        after = analysis.position.opened(cell, number)
        if len(after.hidden) == after.mines:
            goes_on, survives, wins = goes_on + chance, survives + chance, wins + chance
            continue
        then = analyse_within(after, budget.renew())
        least = 0 if then.safe else min(then.risk.values())
        goes_on += float(chance) * bool(then.safe)
        survives += float(chance) * float(1 - least)
        if solved:
            try:
                own = _ENDGAME.start_within(budget)
                wins += float(chance) * float(win_chance_after_within(after, (), own))
            except LimitReached:
                solved = False
    return Candidate(cell, analysis.risk[cell], goes_on, survives, wins if solved else None)


def _due(analysis: Analysis) -> str:
    if not analysis.exact:
        return "No cell is known to be safe: there are too many layouts to check all of them."
    layouts = plural(analysis.layouts, "layout")
    return f"No cell is certainly safe: every hidden cell is a mine in some of the {layouts}."


def _toss(analysis: Analysis, cell: Cell, budget: Budget) -> frozenset[Cell]:
    """Return the cell and another if exactly one of them is a mine and no cell can reveal which."""
    position = analysis.position
    if not analysis.exact or not _is_even(analysis.risk[cell]):
        return frozenset()
    unknown = position.hidden - analysis.mines

    def unknown_neighbours(of: Cell) -> frozenset[Cell]:
        return position.neighbours(of) & unknown

    for other in sorted(unknown - {cell}):
        pair = {cell, other}
        if (
            _is_even(analysis.risk[other])
            and unknown_neighbours(cell) - pair == unknown_neighbours(other) - pair
            and not engine.is_possible(
                position, list(position.numbers), budget.renew(), mines=pair, use_mine_count=True
            )
        ):
            return frozenset(pair)
    return frozenset()


def _is_even(risk: Chance) -> bool:
    return abs(float(risk) - 0.5) <= _TOLERANCE


def _toss_words(toss: frozenset[Cell]) -> str:
    return (
        f"it is a forced coin toss: one of {describe_cells(toss)} is a mine, and no other cell can "
        "tell which."
    )


def _why(analysis: Analysis, choice: Candidate, others: list[Candidate], budget: Budget) -> str:
    """Return why no other cell is better than the choice."""
    rest = analysis.position.hidden - analysis.mines - {choice.cell}
    if not rest:
        return "no other cell can be opened."
    if choice.win_chance is not None:
        wins = f"with perfect play it wins {percent(choice.win_chance)} of the time"
        return f"{wins}, {_comparison(analysis, choice, budget)}."
    survives = f"it and the next move are both safe with probability {percent(choice.survives)}"
    steadiest = max(others, key=lambda each: each.survives, default=choice)
    if steadiest.survives > choice.survives + _TOLERANCE:
        if choice.goes_on <= steadiest.goes_on:
            return f"{survives}, and it leaves better chances for later guesses and coin tosses."
        return (
            f"{survives}, less than with {describe_cell(steadiest.cell)}, but it leads to a safe cell "
            f"with probability {percent(choice.goes_on)} instead of {percent(steadiest.goes_on)}."
        )
    safest = min(others, key=lambda each: (each.risk, -each.survives), default=choice)
    if choice.risk > safest.risk + _TOLERANCE:
        return (
            f"its risk, {percent(choice.risk)}, is higher than the {percent(safest.risk)} of "
            f"{describe_cell(safest.cell)}, but {survives} instead of {percent(safest.survives)}."
        )
    # Compared with all cells: `others` has only one of several with the same surroundings.
    least = min(analysis.risk[cell] for cell in rest)
    if choice.risk < least - _TOLERANCE:
        return f"it has the lowest risk, {percent(choice.risk)}, and {survives}."
    if choice.risk <= least + _TOLERANCE:
        return f"no cell has a lower risk than {percent(choice.risk)}, and {survives}."
    return f"{survives}."


def _comparison(analysis: Analysis, choice: Candidate, budget: Budget) -> str:
    """Return how the choice, which wins most, compares with all other cells."""
    endgame = None
    with suppress(LimitReached):
        endgame = engine.solve(analysis.position, _ENDGAME.start_within(budget), trust_flags=False)
    if endgame is None:
        return "and no other cell wins more"
    equal = endgame.moves - {choice.cell}
    if not equal:
        return "more than any other cell"
    named = describe_cells(equal) if len(equal) <= MOST_NAMED else f"{len(equal)} other cells"
    return f"and no other cell wins more (equally good: {named})"
