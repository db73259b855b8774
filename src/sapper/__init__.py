"""Sapper plays Minesweeper by logic, explains its moves, and lets people play, learn and measure."""

from __future__ import annotations

from minesweeper import Cell
from sapper import agents
from sapper._engine import name as engine_name
from sapper.agents import Agent
from sapper.analysis import Analyser, Analysis, Limit, Move, analyse
from sapper.difficulty import Difficulty, difficulty
from sapper.endgame import perfect_moves, win_chance
from sapper.errors import (
    BadLevel,
    BadPosition,
    IllegalMove,
    InconsistentPosition,
    LimitReached,
    SapperError,
)
from sapper.game import Action, Game, Outcome
from sapper.guess import Guess, explain_guess
from sapper.levels import LEVELS, Level, Promise
from sapper.position import FLAG, HIDDEN, Position
from sapper.proof import Kind, NotCertain, Proof, Step, WrongProof, explain
from sapper.record import BadRecord, Entry, Moment, Record
from sapper.review import Label, Review, ReviewedMove, review
from sapper.session import Session

__version__ = "0.1.0"

__all__ = [
    "FLAG",
    "HIDDEN",
    "LEVELS",
    "Action",
    "Agent",
    "Analyser",
    "Analysis",
    "BadLevel",
    "BadPosition",
    "BadRecord",
    "Cell",
    "Difficulty",
    "Entry",
    "Game",
    "Guess",
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
    "Review",
    "ReviewedMove",
    "SapperError",
    "Session",
    "Step",
    "WrongProof",
    "agents",
    "analyse",
    "difficulty",
    "engine_name",
    "explain",
    "explain_guess",
    "perfect_moves",
    "review",
    "win_chance",
]
