"""Hints, proofs and heat maps, as overlays for a board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sapper.advice.first_click import FirstClick
from sapper.advice.guess import Guess, explain_guess_within
from sapper.advice.overlay import Overlay
from sapper.analysis import Analysis, Limit
from sapper.engine.risks import Risks
from sapper.errors import NotCertain
from sapper.position import FLAG, Cell, Position, describe_cell
from sapper.proof.difficulty import easiest_proof_within
from sapper.proof.proof import Proof, explain
from sapper.text import capitalised, format_percent

LIMIT = Limit(seconds=5)
"""The time limit for an answer to a waiting player."""


class Advice(NamedTuple):
    """What to open next: a proof, a guess or a guaranteed first click.

    All are None if no cell is left to open.
    """

    proof: Proof | None = None
    guess: Guess | None = None
    first_click: FirstClick | None = None


def advise(
    position: Position, limit: Limit = LIMIT, *, first_click: FirstClick | None = None
) -> Advice:
    """Return the easiest proof that a cell is safe, or else the best guess.

    If the first click is guaranteed, neither is needed.

    >>> advise(Position.parse("# 1 . #", mines=1)).proof.cell
    (0, 3)
    >>> advise(Position.parse("# 1 #", mines=1)).guess.choice.cell
    (0, 0)
    """
    if len(position.hidden) == position.mines:
        return Advice()
    if first_click is not None:
        return Advice(first_click=first_click)
    budget = limit.start()
    proof = easiest_proof_within(position, budget)
    return Advice(proof) if proof is not None else Advice(guess=explain_guess_within(position, budget))


def show_hint(position: Position, advice: Advice, *, more: bool) -> Overlay:
    """Return an overlay that shows where to look or, with `more`, which cell to open.

    >>> position = Position.parse("# 1 . #", mines=1)
    >>> sorted(show_hint(position, advise(position), more=False).area)
    [(0, 2), (0, 3)]
    >>> show_hint(position, advise(position), more=True).title
    'Row 1, column 4 is safe.'
    """
    if advice.proof is not None:
        cell, numbers = advice.proof.cell, advice.proof.numbers
        if more:
            title = f"{capitalised(describe_cell(cell))} is safe."
            lines = flag_warning(advice.proof)
            return Overlay(safe=frozenset({cell}), target=cell, title=title, lines=lines)
        area = numbers | {cell} | (position.neighbours(cell) if len(numbers) <= 1 else frozenset())
        near = frozenset(each for each in area if each != cell or len(area) > 1)
        flagged = position[cell] == FLAG
        title = "One of your flags here is wrong." if flagged else "A cell here is certainly safe."
        return Overlay(area=near, title=title)
    if advice.guess is not None:
        if not more:
            return Overlay(
                title="No cell is certainly safe: you have to guess.", lines=(advice.guess.due,)
            )
        cell = advice.guess.choice.cell
        lines = (advice.guess.advice,)
        if position[cell] == FLAG:
            lines += ("You have flagged that cell. Remove the flag first.",)
        return Overlay(target=cell, title="You have to guess.", lines=lines)
    if advice.first_click is not None:
        return advice.first_click.hint(more=more)
    return Overlay(title="No cell is left to open.")


def flag_warning(proof: Proof) -> tuple[str, ...]:
    """Return a sentence if the player has flagged a cell that is safe, and nothing otherwise.

    >>> flag_warning(explain(Position.parse("# 1 . F", mines=1), (0, 3)))
    ('Your flag there is wrong: remove it.',)
    """
    if proof.verdict != "safe" or proof.position[proof.cell] != FLAG:
        return ()
    return ("Your flag there is wrong: remove it.",)


def show_advice(advice: Advice) -> Overlay:
    """Return an overlay that explains why a cell is safe, or why a guess is needed."""
    if advice.proof is not None:
        return show_proof(advice.proof)
    if advice.first_click is not None:
        return advice.first_click.hint(more=True)
    if advice.guess is None:
        return Overlay(title="No cell is left to open.")
    due, advised, *table = str(advice.guess).splitlines()
    return Overlay(target=advice.guess.choice.cell, title=due, lines=(advised, *table))


def explain_cell(position: Position, cell: Cell, limit: Limit = LIMIT) -> Proof | str:
    """Return the proof that a cell is safe or a mine, or a sentence that says why there is none.

    >>> explain_cell(Position.parse("# 1 #", mines=1), (0, 0))
    'Row 1, column 1 may be safe or a mine: its risk is 50 %.'
    """
    try:
        return explain(position, cell, limit=limit)
    except NotCertain as error:
        risk = f"its risk is {format_percent(error.risk)} %"
        return f"{capitalised(describe_cell(cell))} may be safe or a mine: {risk}."


def show_proof(proof: Proof, step: int | None = None) -> Overlay:
    """Return an overlay of a whole proof, or of one of its steps, counted from 1.

    >>> proof = explain(Position.parse("# 1 . .", mines=1), (0, 0))
    >>> overlay = show_proof(proof, 1)
    >>> overlay.title, overlay.step, sorted(overlay.mines), sorted(overlay.numbers)
    ('Row 1, column 1 is a mine (counting):', (1, 1), [(0, 0)], [(0, 1)])
    """
    title, *lines = str(proof).splitlines()
    marks = proof.marks(step)
    shown = tuple(lines)
    if step is not None:
        label = proof.steps[step - 1].label
        shown = tuple(line for line in lines if line.lstrip().startswith((f"{label}. ", f"{label}.")))
    return Overlay(
        safe=marks.safe,
        mines=marks.mines,
        area=marks.about,
        numbers=marks.numbers,
        target=proof.cell,
        title=title,
        lines=shown + flag_warning(proof),
        step=None if step is None else (step, len(proof.steps)),
    )


def show_heat(analysis: Analysis) -> Overlay:
    """Return an overlay of the risk of every hidden cell.

    >>> from sapper import analyse
    >>> overlay = show_heat(analyse(Position.parse("# 1 # #", mines=2)))
    >>> overlay.risks[0, 0], sorted(overlay.mines)
    (0.5, [(0, 3)])
    """
    risks: Mapping[Cell, float]
    if isinstance(analysis.risk, Risks):
        risks = analysis.risk  # A copy would take longer than the analysis of a large board.
    else:
        risks = {cell: float(risk) for cell, risk in analysis.risk.items()}
    note = () if analysis.exact else ("The risks are estimates.",)
    return Overlay(risks=risks, safe=analysis.safe, mines=analysis.mines, lines=note)


def merge(heat: Overlay | None, help_: Overlay | None) -> Overlay | None:
    """Return the two overlays as one, with the help drawn over the heat map."""
    if heat is None or help_ is None:
        return help_ or heat
    return Overlay(
        risks=heat.risks,
        safe=heat.safe | help_.safe,
        mines=heat.mines | help_.mines,
        area=help_.area,
        numbers=help_.numbers,
        target=help_.target,
        title=help_.title,
        lines=help_.lines + heat.lines,
        step=help_.step,
    )
