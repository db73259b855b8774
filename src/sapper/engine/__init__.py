"""The engine: counting layouts, solving endgames, drawing boards and playing many games.

`engine` is the implementation in use. It is selected once, when this package is imported: the compiled
engine, or the pure Python engine if that was not built. The environment variable `SAPPER_ENGINE`
selects one explicitly (`compiled` or `python`). Only this package imports the compiled module.
"""

from __future__ import annotations

from sapper.engine.interface import (
    Chance,
    Decision,
    Endgame,
    Engine,
    Findings,
    MoveEstimate,
    SafeCellFinder,
    Walk,
)
from sapper.engine.limits import Budget, Limit
from sapper.engine.python import PythonEngine
from sapper.engine.selection import core

__all__ = [
    "Budget",
    "Chance",
    "Decision",
    "Endgame",
    "Engine",
    "Findings",
    "Limit",
    "MoveEstimate",
    "SafeCellFinder",
    "Walk",
    "engine",
    "engine_name",
    "exact_engine",
]


def _create() -> Engine:
    if core is None:
        return PythonEngine()
    from sapper.engine.compiled import CompiledEngine

    return CompiledEngine()


engine: Engine = _create()
"""The implementation in use."""

exact_engine: Engine = PythonEngine(exact_fractions=True)
"""The pure Python implementation, with probabilities as fractions."""

engine_name = engine.name
"""The engine in use: `compiled` or `python`."""
