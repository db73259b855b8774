"""Guesses: why one is due, and why this one."""

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
from sapper.position import Cell, HasPosition, Position, describe_cell, position_of, surroundings
from sapper.proof.wording import describe_cells
from sapper.text import format_count

__all__ = ["Candidate", "Guess", "explain_guess"]

_SHOWN = 6
_ENDGAME = Limit(seconds=0.2, states=10_000)
"""How much is spent on solving the endgame after each number that a cell may show."""
_ALIKE = 1e-9


@dataclass(frozen=True)
class Candidate:
    """A cell that may be risked."""

    cell: Cell
    risk: Chance
    goes_on: float
    """The chance to survive it and to find a cell that is certainly safe."""
    survives: float
    """The chance to survive it and the safest move after it."""
    win_chance: float | None
    """The chance to win with perfect play, where that is known."""


@dataclass(frozen=True)
class Guess:
    """Why a guess is due, and why this one. Made by `explain_guess`."""

    position: Position
    choice: Candidate
    candidates: tuple[Candidate, ...]
    """The choice and others with little risk, the best first."""
    toss: frozenset[Cell]
    """If the choice is a forced coin toss, the two cells of it."""
    due: str
    """Why there is nothing better than a guess, in one sentence."""
    why: str
    """What decides, in one sentence."""

    @property
    def advice(self) -> str:
        """What to open, and why."""
        return f"Open {describe_cell(self.choice.cell)}: {self.why}"

    def __str__(self) -> str:
        lines = [self.due, self.advice]
        columns = ["risk", "goes on", "two moves"]
        if any(each.win_chance is not None for each in self.candidates):
            columns.append("wins")
        lines.append(" " * 22 + "".join(f"{column:>11}" for column in columns))
        for each in self.candidates:
            mark = ">" if each is self.choice else " "
            chances = (each.risk, each.goes_on, each.survives, each.win_chance)[: len(columns)]
            row = "".join(f"{_percent(chance):>11}" for chance in chances)
            lines.append(f"{mark} {describe_cell(each.cell):20}{row}")
        return "\n".join(lines)

    def svg(self) -> str:
        """Return a picture of the position: the risks as a heat map, a ring around the choice.

        >>> explain_guess(Position.parse("# 1 #", mines=1)).svg().startswith("<svg ")
        True
        """
        return draw_svg(self.position, analyse(self.position), chosen=self.choice.cell)

    def _repr_svg_(self) -> str:
        return self.svg()

    def to_json(self) -> dict[str, Any]:
        """Return the guess as an object for `json.dumps`; chances are numbers from 0 to 1.

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
    """Return why a guess is due, and why this one: what it risks, and what it may lead to.

    The cell is that of the agent `strong`, or the best of the analysis without the compiled engine. It
    is a `SapperError` if no guess is due: a cell is certainly safe, or all hidden cells are mines. Once
    the limit's time is over, no more cells are looked at.

    >>> print(explain_guess(Position.parse("# # # # #", mines=1)))
    No cell is certainly safe: every hidden cell is a mine in some of the 5 layouts.
    Open row 1, column 1: with perfect play it wins 80.0 %, and no other cell wins more.
                                 risk    goes on  two moves       wins
    > row 1, column 1          20.0 %     80.0 %     80.0 %     80.0 %
    ...
    """
    return explain_guess_within(position, Limit.given(limit).start())


def explain_guess_within(position: Position | HasPosition, budget: Budget) -> Guess:
    """Return the same as `explain_guess`, within a budget that other work shares."""
    check_budget(budget)
    position = position_of(position)
    analysis = analyse_within(position, budget.renew())
    if analysis.safe:
        cell = describe_cell(min(analysis.safe))
        raise SapperError(f"no guess is due: {cell} is certainly safe")
    if analysis.best is None:
        raise SapperError("no guess is due: every hidden cell is a mine")
    chosen = _chosen(analysis, budget)
    solved = analysis.best.win_chance is not None
    choice = _candidate(analysis, chosen, solved, budget)
    others = []
    with suppress(LimitReached):  # If the time is over, no more cells are looked at.
        for other in _others(analysis, chosen):
            others.append(_candidate(analysis, other, solved, budget))
    others.sort(key=lambda each: (-(each.win_chance or 0), -each.survives, each.cell))
    toss = _toss(analysis, chosen, budget)
    why = _toss_words(toss) if toss else _why(choice, others)
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
    """Return a few more cells of the least risk, of equal cells far from all numbers only one."""
    seen = {surroundings(analysis.position, chosen)}
    cells: list[Cell] = []
    for cell in sorted(analysis.risk, key=lambda cell: (analysis.risk[cell], cell)):
        alike = surroundings(analysis.position, cell)
        if cell not in analysis.mines and alike not in seen and len(cells) < _SHOWN - 1:
            seen.add(alike)
            cells.append(cell)
    return cells


def _candidate(analysis: Analysis, cell: Cell, solved: bool, budget: Budget) -> Candidate:
    """Look at each number that the cell may show, and at what may be done after it."""
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
        return "No cell is known to be safe: there are too many layouts to go through."
    some = "layout" if analysis.layouts == 1 else "layouts"
    return (
        "No cell is certainly safe: every hidden cell is a mine in some of the "
        f"{format_count(analysis.layouts)} {some}."
    )


def _toss(analysis: Analysis, cell: Cell, budget: Budget) -> frozenset[Cell]:
    """Return the cell and another, if one of them is a mine and no cell can ever tell which."""
    position = analysis.position
    if not analysis.exact or not _is_even(analysis.risk[cell]):
        return frozenset()
    unknown = position.hidden - analysis.mines

    def touched(of: Cell) -> frozenset[Cell]:
        return position.neighbours(of) & unknown

    for other in sorted(unknown - {cell}):
        pair = {cell, other}
        if (
            _is_even(analysis.risk[other])
            and touched(cell) - pair == touched(other) - pair
            and not engine.is_possible(
                position, list(position.numbers), budget.renew(), mines=pair, use_mine_count=True
            )
        ):
            return frozenset(pair)
    return frozenset()


def _is_even(risk: Chance) -> bool:
    return abs(float(risk) - 0.5) <= _ALIKE


def _toss_words(toss: frozenset[Cell]) -> str:
    return (
        f"it is a forced coin toss: one of {describe_cells(toss)} is a mine, and nothing that may be "
        "opened tells which."
    )


def _why(choice: Candidate, others: list[Candidate]) -> str:
    """Return what decides for the choice."""
    if not others:
        return "nothing else can be opened."
    best = others[0]
    if choice.win_chance is not None:
        wins = f"with perfect play it wins {_percent(choice.win_chance)}"
        if best.win_chance is None or choice.win_chance > best.win_chance + _ALIKE:
            return f"{wins}, more than any other cell."
        return f"{wins}, and no other cell wins more."
    survives = f"both it and the next move are survived in {_percent(choice.survives)}"
    steadiest = max(others, key=lambda each: each.survives)
    if steadiest.survives > choice.survives + _ALIKE:
        if choice.goes_on <= steadiest.goes_on:
            return f"{survives}, and later guesses and forced coin tosses speak for it."
        return (
            f"{survives}, less than with {describe_cell(steadiest.cell)}, but it goes on without "
            f"another guess in {_percent(choice.goes_on)}, not in {_percent(steadiest.goes_on)}."
        )
    safest = min(others, key=lambda each: (each.risk, -each.survives))
    if choice.risk > safest.risk + _ALIKE:
        return (
            f"it risks {_percent(choice.risk)}, more than {describe_cell(safest.cell)} with "
            f"{_percent(safest.risk)}, but {survives}, not in {_percent(safest.survives)}."
        )
    if choice.risk < safest.risk - _ALIKE:
        return f"it has the least risk, {_percent(choice.risk)}, and {survives}."
    return f"no cell risks less than {_percent(choice.risk)}, and {survives}."


def _percent(chance: Chance | None) -> str:
    return "?" if chance is None else f"{100 * float(chance):.1f} %"
