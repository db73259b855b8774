"""Analysis: what follows from a position, and the result of perfect play."""

from __future__ import annotations

from sapper.analysis.analysis import LARGE, Analyser, Analysis, Move, analyse, analyse_within
from sapper.analysis.contradictions import contradiction
from sapper.analysis.endgame import perfect_moves, win_chance, win_chance_after
from sapper.engine import Budget, Chance, Limit

__all__ = [
    "LARGE",
    "Analyser",
    "Analysis",
    "Budget",
    "Chance",
    "Limit",
    "Move",
    "analyse",
    "analyse_within",
    "contradiction",
    "perfect_moves",
    "win_chance",
    "win_chance_after",
]
