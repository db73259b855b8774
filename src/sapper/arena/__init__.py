"""Batches of games: how often an agent wins, and which of two agents wins more."""

from __future__ import annotations

from sapper.arena.batches import Batch, Files
from sapper.arena.cluster import Cluster
from sapper.arena.experiments import bench, compare
from sapper.arena.matches import Match
from sapper.arena.plans import Boards, Plan
from sapper.arena.results import Comparison, Result
from sapper.arena.runs import Run, step_sizes
from sapper.arena.sequential import SequentialTest, Verdict
from sapper.arena.tally import Played, Tally
from sapper.arena.workers import engine_players
from sapper.engine.seeds import board_seed
from sapper.game.setup import Setup

__all__ = [
    "Batch",
    "Boards",
    "Cluster",
    "Comparison",
    "Files",
    "Match",
    "Plan",
    "Played",
    "Result",
    "Run",
    "SequentialTest",
    "Setup",
    "Tally",
    "Verdict",
    "bench",
    "board_seed",
    "compare",
    "engine_players",
    "step_sizes",
]
