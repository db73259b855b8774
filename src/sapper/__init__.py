"""Sapper plays Minesweeper by logic, explains its moves, and lets people play, learn and measure.

The public names and packages below are loaded when they are first used, so `import sapper` is fast.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sapper import agents, analysis, arena, boards, drawing, formats, proof, reviews, window
    from sapper import env as env
    from sapper.advice.guess import Guess, explain_guess
    from sapper.agents.agent import Agent
    from sapper.analysis import Analyser, Analysis, Limit, Move, analyse, perfect_moves, win_chance
    from sapper.boards.generator import generate
    from sapper.boards.measures import BoardMeasures, GameMeasures, measure, measure_record
    from sapper.engine import engine_name
    from sapper.errors import (
        BadCode,
        BadFile,
        BadLevel,
        BadPosition,
        BadRecord,
        IllegalMove,
        InconsistentPosition,
        LimitReached,
        NotCertain,
        SapperError,
        WrongProof,
    )
    from sapper.formats import Recorder, board_code, game_from_code, read, write
    from sapper.game import Action, Entry, Game, Moment, Outcome, Record
    from sapper.levels import LEVELS, Level, Promise
    from sapper.position import FLAG, HIDDEN, Cell, Position
    from sapper.profile.history import History
    from sapper.profile.settings import Settings
    from sapper.proof import Kind, Proof, Step, explain
    from sapper.proof.difficulty import Difficulty, difficulty
    from sapper.reviews.review import Label, Review, ReviewedMove, review
    from sapper.session import Session

__version__ = "0.1.0"

_NAMES: Final = {
    "sapper.advice.guess": ["Guess", "explain_guess"],
    "sapper.agents.agent": ["Agent"],
    "sapper.analysis": [
        "Analyser",
        "Analysis",
        "Limit",
        "Move",
        "analyse",
        "perfect_moves",
        "win_chance",
    ],
    "sapper.boards.generator": ["generate"],
    "sapper.boards.measures": ["BoardMeasures", "GameMeasures", "measure", "measure_record"],
    "sapper.engine": ["engine_name"],
    "sapper.errors": [
        "BadCode",
        "BadFile",
        "BadLevel",
        "BadPosition",
        "BadRecord",
        "IllegalMove",
        "InconsistentPosition",
        "LimitReached",
        "NotCertain",
        "SapperError",
        "WrongProof",
    ],
    "sapper.formats": ["Recorder", "board_code", "game_from_code", "read", "write"],
    "sapper.game": ["Action", "Entry", "Game", "Moment", "Outcome", "Record"],
    "sapper.levels": ["LEVELS", "Level", "Promise"],
    "sapper.position": ["FLAG", "HIDDEN", "Cell", "Position"],
    "sapper.profile.history": ["History"],
    "sapper.profile.settings": ["Settings"],
    "sapper.proof": ["Kind", "Proof", "Step", "explain"],
    "sapper.proof.difficulty": ["Difficulty", "difficulty"],
    "sapper.reviews.review": ["Label", "Review", "ReviewedMove", "review"],
    "sapper.session": ["Session"],
}
_MODULE_OF: Final = {name: module for module, names in _NAMES.items() for name in names}
_PACKAGES: Final = [
    "agents",
    "analysis",
    "arena",
    "boards",
    "drawing",
    "env",
    "formats",
    "proof",
    "reviews",
    "window",
]

__all__ = [
    "FLAG",
    "HIDDEN",
    "LEVELS",
    "Action",
    "Agent",
    "Analyser",
    "Analysis",
    "BadCode",
    "BadFile",
    "BadLevel",
    "BadPosition",
    "BadRecord",
    "BoardMeasures",
    "Cell",
    "Difficulty",
    "Entry",
    "Game",
    "GameMeasures",
    "Guess",
    "History",
    "IllegalMove",
    "InconsistentPosition",
    "Kind",
    "Label",
    "Level",
    "Limit",
    "LimitReached",
    "Moment",
    "Move",
    "NotCertain",
    "Outcome",
    "Position",
    "Promise",
    "Proof",
    "Record",
    "Recorder",
    "Review",
    "ReviewedMove",
    "SapperError",
    "Session",
    "Settings",
    "Step",
    "WrongProof",
    "agents",
    "analyse",
    "analysis",
    "arena",
    "board_code",
    "boards",
    "difficulty",
    "drawing",
    "engine_name",
    "explain",
    "explain_guess",
    "formats",
    "game_from_code",
    "generate",
    "measure",
    "measure_record",
    "perfect_moves",
    "proof",
    "read",
    "review",
    "reviews",
    "win_chance",
    "window",
    "write",
]


def __getattr__(name: str) -> object:
    """Load a public name or package when it is first used."""
    if name in _PACKAGES:
        return import_module(f"sapper.{name}")
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'sapper' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULE_OF[name]), name)
    return value


def __dir__() -> list[str]:
    """Return the public names. `env` is one only if its extra is installed: reading it imports it."""
    extra = [] if find_spec("gymnasium") is None else ["env"]
    here = [name for name, value in globals().items() if isinstance(value, ModuleType)]
    special = [name for name in globals() if name.startswith("__")]
    return sorted({*__all__, *extra, *here, *special})
