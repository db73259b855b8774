"""Mistakes of an agent, and changes of its knowledge, as overlays for a board."""

from __future__ import annotations

from dataclasses import replace

from sapper.advice.hints import show_proof
from sapper.advice.overlay import Overlay
from sapper.course.examination import Examination
from sapper.course.knowledge_change import KnowledgeChange
from sapper.position import Cell
from sapper.proof.proof import Proof
from sapper.text import plural

MISSED_SIGN = "!"
WRONG_SIGN = "x"
"""The signs of missed and wrongly marked cells."""


def show_mistakes(examination: Examination) -> Overlay:
    """Return an overlay that marks everything that an agent has missed or wrongly believes.

    >>> from sapper import Position
    >>> from sapper.course.examination import examine
    >>> from sapper.course.scripts import Moment
    >>> overlay = show_mistakes(examine(Position.parse("# 1 . .", mines=1), Moment()))
    >>> overlay.title, overlay.lines[0], sorted(overlay.missed)
    ('1 missed cell (!)', 'Missed: row 1, column 1 is a mine.', [(0, 0)])
    """
    if examination.is_clean:
        return Overlay()
    counts = []
    if wrong := len(examination.wrong):
        counts.append(f"{plural(wrong, 'wrong belief')} ({WRONG_SIGN})")
    if missed := len(examination.missed):
        counts.append(f"{plural(missed, 'missed cell')} ({MISSED_SIGN})")
    return Overlay(
        missed=examination.missed,
        wrong=examination.wrong,
        title=", ".join(counts) or "Cells off the board",
        lines=(*examination.lines(), "Why? explains them one by one."),
    )


def show_change(change: KnowledgeChange, step: int, steps: int) -> Overlay:
    """Return an overlay of how an agent's knowledge changed in one step, counted from 1."""
    cells = frozenset(cell for cell, _ in change.numbers)
    return Overlay(
        safe=change.new_safes,
        mines=change.new_mines,
        numbers=cells if len(cells) == 1 else frozenset(),
        title=f"{change.title} The agent's knowledge:",
        lines=tuple(change.lines()),
        step=(step, steps),
    )


def explain_mistake(examination: Examination, cell: Cell) -> Proof | Overlay:
    """Return the proof for a cell, or an overlay with a layout that refutes the agent's belief."""
    explained = examination.explain(cell)
    if isinstance(explained, Proof):
        return explained
    overlay = Overlay(target=cell, title=examination.headline(cell), lines=explained)
    if cell not in examination.unfounded:
        return overlay
    layout = examination.counterexample(cell)
    if layout is None:
        return overlay
    safe = frozenset() if cell in layout else frozenset({cell})
    return replace(overlay, mines=layout, safe=safe)


def show_mistake(examination: Examination, proof: Proof) -> Overlay:
    """Return an overlay with the proof for a cell that an agent has missed or wrongly marked."""
    overlay = show_proof(proof)
    return replace(
        overlay, title=examination.headline(proof.cell), lines=(overlay.title, *overlay.lines)
    )
