"""Agents: each chooses a move from a position."""

from __future__ import annotations

from sapper.agents.agent import Agent, Choice, ReasoningAgent, with_reasons
from sapper.agents.built_in import AgentName, available, named
from sapper.agents.logic import Logic
from sapper.agents.program import Program
from sapper.agents.safest import Safest
from sapper.agents.strong import EFFORTS, Strong

__all__ = [
    "EFFORTS",
    "Agent",
    "AgentName",
    "Choice",
    "Logic",
    "Program",
    "ReasoningAgent",
    "Safest",
    "Strong",
    "available",
    "named",
    "with_reasons",
]
