"""Gymnasium environments. They require the extra `env`."""

from __future__ import annotations

from sapper.env.rules import Rewards
from sapper.env.single import ENVIRONMENT_ID, MinesweeperEnv, Observation
from sapper.env.vector import MinesweeperVectorEnv

__all__ = [
    "ENVIRONMENT_ID",
    "MinesweeperEnv",
    "MinesweeperVectorEnv",
    "Observation",
    "Rewards",
]
