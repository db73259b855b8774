"""Surveys: win rates by first click, density of mines or number of guesses; where games are lost.

Create a survey, then `play` it. `sapper.arena.survey_charts` draws it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeVar

from sapper.arena.batches import Batch
from sapper.arena.breakdown import ENDINGS, Breakdown
from sapper.arena.plans import Plan
from sapper.arena.runs import Run
from sapper.arena.statistics import estimate_rate
from sapper.arena.tally import Played
from sapper.arena.workers import AgentSource, agent_name
from sapper.errors import SapperError
from sapper.game.setup import Setup
from sapper.levels import Level, Promise, most_mines
from sapper.position import Cell, describe_cell

Progress = Callable[["Survey"], None]
"""Called with the survey after each step of games."""
Some = TypeVar("Some", bound="Survey")

_SHARES: Final = tuple(percent / 100 for percent in range(2, 31, 2))
"""The default densities of mines."""


@dataclass
class Part:
    """Games of one agent that are counted together."""

    agent: AgentSource
    plan: Plan
    breakdown: Breakdown

    @classmethod
    def of(cls, agent: AgentSource, plan: Plan) -> Part:
        """Return a part without games."""
        return cls(agent, plan, Breakdown.on(plan.setup.level))

    @property
    def agent_name(self) -> str:
        """The name of the agent in tables."""
        return agent_name(self.agent)


class Survey(ABC):
    """Games to play and count, in parts."""

    kind: ClassVar[str]
    """Its name on the command line."""
    needs_guesses: ClassVar[bool] = False
    """Whether the agent must report its guesses."""
    parts: Sequence[Part]
    level: Level
    promise: Promise
    seed: int

    def play(self: Some, *, jobs: int | None = None, progress: Progress | None = None) -> Some:
        """Play all games and return the survey. If it is stopped, it contains the games played so far.

        >>> Guesses("4x4/3", agent="safest", games=10).play(jobs=1).games
        10
        """
        for part in {part.agent_name: part for part in self.parts}.values():
            with Run(part.plan, agent=part.agent, jobs=jobs):
                pass  # An agent that cannot play is an error before any game.
        for part in self.parts:
            part.breakdown = Breakdown.on(part.plan.setup.level)
        for part in self.parts:
            self._play_part(part, jobs, progress)
        return self

    def _play_part(self, part: Part, jobs: int | None, progress: Progress | None) -> None:
        def count(played: Sequence[Played]) -> None:
            if self.needs_guesses and any(game.guesses is None for game in played):
                raise SapperError(f"the agent {part.agent_name} does not report its guesses")
            part.breakdown.add(played)
            if progress is not None:
                progress(self)

        with Batch(part.plan, [part.agent], jobs=jobs, keep=False) as batch:
            batch.play(count)

    @property
    def games(self) -> int:
        """The number of games played so far."""
        return sum(part.breakdown.games for part in self.parts)

    @property
    def games_asked(self) -> int:
        """The number of games planned."""
        return sum(part.plan.games for part in self.parts)

    @property
    def agents(self) -> list[str]:
        """The names of the agents, without duplicates."""
        return list(dict.fromkeys(part.agent_name for part in self.parts))

    @abstractmethod
    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the figures as rows of a table."""

    @abstractmethod
    def summary(self) -> Iterator[str]:
        """Yield the most important figures as lines of text."""

    def to_json(self) -> dict[str, Any]:
        """Return the survey as an object for `json.dumps`, described in docs/plots.md.

        >>> Guesses("beginner", games=10).to_json()["games_asked"]
        10
        """
        return {
            "kind": self.kind,
            "agents": self.agents,
            "level": self.level.name,
            "width": self.level.width,
            "height": self.level.height,
            "mines": self.level.mines,
            "promise": self.promise.value,
            "seed": str(self.seed),
            "games_asked": self.games_asked,
            "games": self.games,
            "rows": list(self.rows()),
        }

    def _repr_svg_(self) -> str | None:
        """Return the chart for notebooks; None before any game is played."""
        from sapper.arena.survey_charts import draw_survey  # It imports this module.

        return draw_survey(self) if self.games else None


def _rated(games: int, wins: int) -> dict[str, Any]:
    """Return the columns with the number of games and the win rate."""
    rate = estimate_rate(wins, games) if games else None
    ends = (None, None, None) if rate is None else (rate.value, rate.low, rate.high)
    return {"games": games, "wins": wins} | dict(zip(("rate", "low", "high"), ends, strict=True))


# By first click ----------------------------------------------------------------------------------


def mirror_images(cell: Cell, height: int, width: int) -> frozenset[Cell]:
    """Return the images of a cell when the board is mirrored or, if it is square, rotated.

    >>> sorted(mirror_images((0, 1), 3, 4))
    [(0, 1), (0, 2), (2, 1), (2, 2)]
    >>> len(mirror_images((0, 1), 4, 4))
    8
    """
    row, column = cell
    images = {(i, j) for i in (row, height - 1 - row) for j in (column, width - 1 - column)}
    if height == width:
        images |= {(j, i) for i, j in images}
    return frozenset(images)


class FirstClicks(Survey):
    """The win rate for each first click.

    Mirror images of a cell share its games, which start at the upper left one of them; `games` is their
    number. With `every_cell`, each cell has its own games. All first clicks are tried with the same
    seeds.

    >>> survey = FirstClicks("3x3/2", agent="safest", promise="safe", games=40).play(jobs=1)
    >>> [(cell, breakdown.games) for cell, breakdown in sorted(survey.breakdowns.items())][:3]
    [((0, 0), 40), ((0, 1), 40), ((0, 2), 40)]
    >>> survey.games
    120
    """

    kind = "first-click"

    def __init__(
        self,
        level: str | Level = "expert",
        *,
        agent: AgentSource = "safest",
        promise: str | Promise | None = None,
        games: int = 1_000,
        seed: int = 0,
        every_cell: bool = False,
    ) -> None:
        self.level = Level.named(level)
        self.seed = seed
        height, width = self.level.height, self.level.width
        cells = [(i, j) for i in range(height) for j in range(width)]
        same = {cell: min(mirror_images(cell, height, width)) for cell in cells}
        self.played_from: dict[Cell, Cell] = (
            dict(zip(cells, cells, strict=True)) if every_cell else same
        )
        """For each cell, the first click of its games."""
        self.parts = [
            Part.of(agent, Plan.of(self.level, promise=promise, first=cell, games=games, seed=seed))
            for cell in sorted(set(self.played_from.values()))
        ]
        self.promise = self.parts[0].plan.setup.promise

    @property
    def breakdowns(self) -> dict[Cell, Breakdown]:
        """The games of each cell, which include those of its mirror images."""
        breakdowns = {part.plan.setup.first: part.breakdown for part in self.parts}
        return {cell: breakdowns[played] for cell, played in self.played_from.items()}

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the figures for each cell."""
        for cell, breakdown in self.breakdowns.items():
            row, column = self.played_from[cell]
            cells = {"row": cell[0], "column": cell[1], "played_row": row, "played_column": column}
            yield cells | _rated(breakdown.games, breakdown.wins)

    def summary(self) -> Iterator[str]:
        """Yield the best and the worst first click."""
        played = [part for part in self.parts if part.breakdown.games]
        for word, chosen in (("best", max), ("worst", min)):
            part = chosen(played, key=lambda part: part.breakdown.rate.value)
            cell = describe_cell(part.plan.setup.first)
            yield f"{word} first click: {cell}, {part.breakdown.rate.percent()}"


# By density of mines -----------------------------------------------------------------------------


def mine_counts(level: Level, promise: Promise) -> list[int]:
    """Return 2 to 30 % of the cells as numbers of mines, and the level's own, as far as they fit.

    >>> mine_counts(Level.named("beginner"), Promise.OPEN)
    [2, 3, 5, 6, 8, 10, 11, 13, 15, 16, 18, 19, 21, 23, 24]
    """
    cells = level.height * level.width
    counts = {max(1, round(share * cells)) for share in _SHARES} | {level.mines}
    return sorted(mines for mines in counts if mines <= most_mines(level.height, level.width, promise))


class Densities(Survey):
    """The win rate by number of mines, for one or more agents.

    >>> survey = Densities("5x5/4", agents=["safest"], mines=[2, 6], games=30).play(jobs=1)
    >>> few, many = (part.breakdown for part in survey.parts)
    >>> few.wins > many.wins
    True
    """

    kind = "density"

    def __init__(
        self,
        level: str | Level = "expert",
        *,
        agents: Sequence[AgentSource] = ("safest",),
        promise: str | Promise | None = None,
        first: Cell | None = None,
        mines: Sequence[int] | None = None,
        games: int = 4_000,
        seed: int = 0,
    ) -> None:
        self.level = Level.named(level)
        self.seed = seed
        self.promise = Setup.of(self.level, promise=promise).promise
        if mines is None:
            mines = mine_counts(self.level, self.promise)
        if not mines or not agents:
            raise SapperError("a survey of densities needs at least one number of mines and one agent")
        boards = [
            Level.custom(self.level.height, self.level.width, count) for count in sorted(set(mines))
        ]
        self.parts = [
            Part.of(agent, Plan.of(board, promise=self.promise, first=first, games=games, seed=seed))
            for board in boards
            for agent in dict.fromkeys(agents)
        ]

    @property
    def breakdowns(self) -> dict[str, dict[int, Breakdown]]:
        """The games of each agent by number of mines; numbers without games are left out."""
        breakdowns: dict[str, dict[int, Breakdown]] = {}
        for part in self.parts:
            if part.breakdown.games:
                breakdowns.setdefault(part.agent_name, {})[part.plan.setup.level.mines] = part.breakdown
        return breakdowns

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the figures for each agent and number of mines."""
        cells = self.level.height * self.level.width
        for part in self.parts:
            mines = part.plan.setup.level.mines
            named = {"agent": part.agent_name, "mines": mines, "density": mines / cells}
            yield named | _rated(part.breakdown.games, part.breakdown.wins)

    def summary(self) -> Iterator[str]:
        """Yield the largest number of mines at which each agent wins half of its games."""
        for agent, breakdowns in self.breakdowns.items():
            won = [
                mines
                for mines, breakdown in breakdowns.items()
                if 2 * breakdown.wins >= breakdown.games
            ]
            most = f"with up to {max(won)} mines" if won else "with none of the numbers of mines"
            yield f"{agent} wins at least half of its games {most}"


# By guesses, and by place of loss ----------------------------------------------------------------


class _OnePart(Survey):
    """A survey of one agent on one level."""

    def __init__(
        self,
        level: str | Level = "expert",
        *,
        agent: AgentSource = "safest",
        promise: str | Promise | None = None,
        first: Cell | None = None,
        games: int = 10_000,
        seed: int = 0,
    ) -> None:
        plan = Plan.of(level, promise=promise, first=first, games=games, seed=seed)
        self.level, self.promise, self.seed = plan.setup.level, plan.setup.promise, seed
        self.parts = [Part.of(agent, plan)]

    @property
    def breakdown(self) -> Breakdown:
        """The games."""
        return self.parts[0].breakdown

    @property
    def first(self) -> Cell:
        """The first click."""
        return self.parts[0].plan.setup.first

    def to_json(self) -> dict[str, Any]:
        """Return the survey as an object for `json.dumps`, described in docs/plots.md."""
        return {**super().to_json(), "first": list(self.first)}


class Guesses(_OnePart):
    """The games by number of guesses, and the win rate of each group.

    >>> survey = Guesses("5x5/3", agent="safest", games=50).play(jobs=1)
    >>> sum(row["games"] for row in survey.rows()), next(survey.rows())["rate"]
    (50, 1.0)
    """

    kind = "guesses"
    needs_guesses = True

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the figures for each number of guesses."""
        for guesses, games in sorted(self.breakdown.games_by_guesses.items()):
            counts = {"guesses": guesses, "share": games / self.games}
            yield counts | _rated(games, self.breakdown.wins_by_guesses[guesses])

    def summary(self) -> Iterator[str]:
        """Yield the share of games won without a guess, and the mean number of guesses."""
        counts = self.breakdown.games_by_guesses
        guesses = sum(guesses * games for guesses, games in counts.items())
        yield f"games won without a guess: {100 * self.breakdown.wins_by_guesses[0] / self.games:.2f} %"
        yield f"guesses per game: {guesses / self.games:.2f}"


class Losses(_OnePart):
    """Where games are lost: at which cell, and with how many of the safe cells open.

    >>> survey = Losses("4x4/3", agent="safest", promise="none", games=50).play(jobs=1)
    >>> cells = sum(row["losses"] for row in survey.rows() if row["of"] == "cell")
    >>> cells == sum(survey.breakdown.endings) == 50 - survey.breakdown.wins > 0
    True
    """

    kind = "losses"

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the losses at each cell, then the losses by share of safe cells opened."""
        for row in range(self.level.height):
            for column in range(self.level.width):
                yield self._row("cell", self.breakdown.lost_at[row, column], row=row, column=column)
        for number, losses in enumerate(self.breakdown.endings):
            ends = {"opened_from": number / ENDINGS, "opened_to": (number + 1) / ENDINGS}
            yield self._row("ending", losses, **ends)

    def _row(self, of: str, losses: int, **where: float) -> dict[str, Any]:
        empty: dict[str, Any] = dict.fromkeys(("row", "column", "opened_from", "opened_to"))
        lost = self.breakdown.games - self.breakdown.wins
        return {"of": of, **empty, **where, "losses": losses, "share": losses / lost if lost else 0.0}

    def summary(self) -> Iterator[str]:
        """Yield the number of games lost, and the share of late losses."""
        lost = self.breakdown.games - self.breakdown.wins
        yield f"games lost: {lost:,} of {self.breakdown.games:,}"
        if lost:
            late = sum(self.breakdown.endings[ENDINGS * 9 // 10 :])
            yield f"lost with at least 90 % of the safe cells open: {100 * late / lost:.1f} %"
