"""Sapper plays Minesweeper by logic, explains its moves, and lets people play, learn and measure."""

from __future__ import annotations

from sapper import agents, engine
from sapper.agents import Agent
from sapper.analysis import Analyser, Analysis, Limit, Move, analyse, perfect_moves, win_chance
from sapper.difficulty import Difficulty, difficulty
from sapper.errors import (
    BadFile,
    BadLevel,
    BadPosition,
    IllegalMove,
    InconsistentPosition,
    LimitReached,
    SapperError,
)
from sapper.formats import BadCode, Recorder, board_code, game_from_code, read, write
from sapper.game import Action, Game, Outcome
from sapper.generate import generate
from sapper.guess import Guess, explain_guess
from sapper.history import History
from sapper.levels import LEVELS, Level, Promise
from sapper.measures import BoardMeasures, GameMeasures, measure, measure_record
from sapper.position import FLAG, HIDDEN, Cell, Position
from sapper.proof import Kind, NotCertain, Proof, Step, WrongProof, explain
from sapper.record import BadRecord, Entry, Moment, Record
from sapper.review import Label, Review, ReviewedMove, review
from sapper.session import Session
from sapper.settings import Settings

__version__ = "0.1.0"

engine_name = engine.engine.name
"""The engine in use: `compiled` or `python`."""

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
    "board_code",
    "difficulty",
    "engine_name",
    "explain",
    "explain_guess",
    "game_from_code",
    "generate",
    "measure",
    "measure_record",
    "perfect_moves",
    "read",
    "review",
    "win_chance",
    "write",
]
