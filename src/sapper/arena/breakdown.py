"""Games counted by number of guesses and by place of loss, without keeping them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from sapper.arena.statistics import Estimate, estimate_rate
from sapper.arena.tally import Played
from sapper.levels import Level
from sapper.position import Cell

ENDINGS: Final = 20
"""The number of equal bins for the share of safe cells opened in lost games."""


@dataclass
class Breakdown:
    """Games and wins, by number of guesses and by place of loss.

    >>> from sapper.arena import bench
    >>> breakdown = Breakdown(safe_cells=21)
    >>> result = bench("5x5/4", games=20, seed=1, jobs=1, progress=breakdown.add)
    >>> breakdown.games, breakdown.wins == result.wins == sum(breakdown.wins_by_guesses.values())
    (20, True)
    """

    safe_cells: int
    """The number of cells without a mine."""
    games: int = 0
    wins: int = 0
    games_by_guesses: Counter[int] = field(default_factory=Counter)
    """The number of games by number of guesses, if the agent reports them."""
    wins_by_guesses: Counter[int] = field(default_factory=Counter)
    lost_at: Counter[Cell] = field(default_factory=Counter)
    """The number of games lost at each cell."""
    endings: list[int] = field(default_factory=lambda: [0] * ENDINGS)
    """The number of games lost, by share of safe cells opened."""

    @classmethod
    def on(cls, level: Level) -> Breakdown:
        """Return an empty breakdown of games on a level.

        >>> Breakdown.on(Level.named("beginner")).safe_cells
        71
        """
        return cls(level.height * level.width - level.mines)

    def add(self, played: Iterable[Played]) -> None:
        """Count more games."""
        for game in played:
            self.games += 1
            self.wins += game.won
            if game.guesses is not None:
                self.games_by_guesses[game.guesses] += 1
                self.wins_by_guesses[game.guesses] += game.won
            if game.lost_at is not None:
                self.lost_at[game.lost_at] += 1
            if not game.won:
                opened = self.safe_cells - game.left
                self.endings[min(ENDINGS * opened // self.safe_cells, ENDINGS - 1)] += 1

    @property
    def rate(self) -> Estimate:
        """The win rate. There must be at least one game.

        >>> Breakdown(safe_cells=3, games=10, wins=8).rate.value
        0.8
        """
        return estimate_rate(self.wins, self.games)

    def to_json(self) -> dict[str, Any]:
        """Return the breakdown as an object for `json.dumps`, which `from_json` reads.

        >>> Breakdown.from_json(Breakdown(safe_cells=3, games=10, wins=8).to_json()).wins
        8
        """
        return {
            "safe_cells": self.safe_cells,
            "games": self.games,
            "wins": self.wins,
            "guesses": [
                [guesses, games, self.wins_by_guesses[guesses]]
                for guesses, games in sorted(self.games_by_guesses.items())
            ],
            "lost_at": [[*cell, games] for cell, games in sorted(self.lost_at.items())],
            "endings": self.endings,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Breakdown:
        """Return the breakdown that `to_json` returned as an object."""
        return cls(
            data["safe_cells"],
            data["games"],
            data["wins"],
            Counter({guesses: games for guesses, games, _ in data["guesses"]}),
            Counter({guesses: wins for guesses, _, wins in data["guesses"]}),
            Counter({(row, column): games for row, column, games in data["lost_at"]}),
            list(data["endings"]),
        )
