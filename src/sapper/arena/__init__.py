"""Arena: batches of games, how many of them an agent wins, and which of two agents wins more."""

from __future__ import annotations

from sapper.arena.cluster import Cluster
from sapper.arena.comparison import Comparison, Match
from sapper.arena.experiments import bench, compare
from sapper.arena.plans import Boards, Plan
from sapper.arena.runs import Result, Run, paced
from sapper.arena.sequential import SequentialTest, Verdict
from sapper.arena.tally import Played, Tally
from sapper.arena.workers import engine_players
from sapper.engine.seeds import board_seed
from sapper.game.setup import Setup

__all__ = [
    "Boards",
    "Cluster",
    "Comparison",
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
    "paced",
]
