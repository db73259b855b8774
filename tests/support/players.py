"""Agents for tests of the arena."""

from __future__ import annotations

import sapper
from sapper import Position


class Reckless:
    """Opens the first hidden cell, and gives no reason."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, position: Position) -> sapper.Cell:
        return min(position.hidden)


class Timid(Reckless):
    """Gives up at once."""

    def decide(self, _: Position) -> None:
        return None

    def known_mines(self, _: Position) -> frozenset[sapper.Cell]:
        return frozenset()
