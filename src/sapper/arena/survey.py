"""Surveys: games won by first click, by the share of mines, by guesses, and where games are lost.

A survey is made, which plays nothing yet, and then played. `sapper.survey_charts` draws it. How the
games go depends on the seed alone, as in the arena.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeVar

from sapper.arena.breakdown import ENDINGS, Breakdown
from sapper.arena.experiments import bench
from sapper.arena.plans import Plan
from sapper.arena.runs import Run
from sapper.arena.statistics import estimate_rate
from sapper.arena.tally import Played
from sapper.arena.workers import AgentSource, agent_name
from sapper.errors import SapperError
from sapper.game.setup import Setup
from sapper.levels import Level, Promise, most_mines
from sapper.position import Cell

Progress = Callable[["Survey"], None]
"""What is called with the survey whenever it has played some games."""
Some = TypeVar("Some", bound="Survey")

_SHARES: Final = tuple(percent / 100 for percent in range(2, 31, 2))
"""The shares of mines that a survey of densities goes through."""


@dataclass
class Part:
    """Games of one agent that a survey counts together."""

    agent: AgentSource
    plan: Plan
    breakdown: Breakdown

    @classmethod
    def of(cls, agent: AgentSource, plan: Plan) -> Part:
        """Return a part that has no games yet."""
        return cls(agent, plan, Breakdown.on(plan.setup.level))

    @property
    def agent_name(self) -> str:
        """The agent as it is called in tables."""
        return agent_name(self.agent)


class Survey(ABC):
    """Games to be played and counted, part by part."""

    kind: ClassVar[str]
    """What the command calls it."""
    needs_guesses: ClassVar[bool] = False
    """Whether it can tell nothing of an agent that does not say when it guesses."""
    parts: Sequence[Part]
    level: Level
    promise: Promise
    seed: int

    def play(self: Some, *, jobs: int | None = None, progress: Progress | None = None) -> Some:
        """Play all games, from the start, and return the survey; if it is stopped, it has those played.

        >>> Guesses("4x4/3", agent="safest", games=10).play(jobs=1).games
        10
        """
        for part in {part.agent_name: part for part in self.parts}.values():
            with Run(part.plan, agent=part.agent, jobs=jobs):
                pass  # What cannot play is an error before any game.
        for part in self.parts:
            part.breakdown = Breakdown.on(part.plan.setup.level)
        for part in self.parts:
            self._play_part(part, jobs, progress)
        return self

    def _play_part(self, part: Part, jobs: int | None, progress: Progress | None) -> None:
        def count(played: Sequence[Played]) -> None:
            if self.needs_guesses and any(game.guesses is None for game in played):
                raise SapperError(f"the agent {part.agent_name} does not say when it guesses")
            part.breakdown.add(played)
            if progress is not None:
                progress(self)

        setup = part.plan.setup
        bench(
            setup.level,
            agent=part.agent,
            promise=setup.promise,
            first=setup.first,
            games=part.plan.games,
            seed=self.seed,
            jobs=jobs,
            keep=False,
            progress=count,
        )

    @property
    def games(self) -> int:
        """How many games were played so far."""
        return sum(part.breakdown.games for part in self.parts)

    @property
    def games_asked(self) -> int:
        """How many games it takes."""
        return sum(part.plan.games for part in self.parts)

    @property
    def agents(self) -> list[str]:
        """The names of the agents, each once."""
        return list(dict.fromkeys(part.agent_name for part in self.parts))

    @abstractmethod
    def rows(self) -> Iterator[dict[str, Any]]:
        """Generate the figures as rows of a table."""

    @abstractmethod
    def summary(self) -> Iterator[str]:
        """Generate the most telling figures as lines of text."""

    def to_json(self) -> dict[str, Any]:
        """Return the survey as an object for `json.dumps`; docs/plots.md says what it holds.

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
            "seed": self.seed,
            "games_asked": self.games_asked,
            "games": self.games,
            "rows": list(self.rows()),
        }

    def _repr_svg_(self) -> str | None:
        """Return the chart, for notebooks; None before any game."""
        from sapper.arena.survey_charts import draw_survey  # It knows all kinds of surveys.

        return draw_survey(self) if self.games else None


def _rated(games: int, wins: int) -> dict[str, Any]:
    """Return the columns that say how many games were won."""
    rate = estimate_rate(wins, games) if games else None
    ends = (None, None, None) if rate is None else (rate.value, rate.low, rate.high)
    return {"games": games, "wins": wins} | dict(zip(("rate", "low", "high"), ends, strict=True))


# By first click ----------------------------------------------------------------------------------


def mirror_images(cell: Cell, height: int, width: int) -> frozenset[Cell]:
    """Return the cells that a cell comes to when the board is mirrored or, if it is square, turned.

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
    """The share of games won for each first click.

    Cells that are mirror images of each other share their games, of which there are so many for each
    such set of cells: they are played from the upper left one. If the survey is of every cell, each has
    games of its own. Every first click is tried on boards of the same seeds.

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
        """For each cell the one from which its games are played."""
        self.parts = [
            Part.of(agent, Plan.of(self.level, promise=promise, first=cell, games=games, seed=seed))
            for cell in sorted(set(self.played_from.values()))
        ]
        self.promise = self.parts[0].plan.setup.promise

    @property
    def breakdowns(self) -> dict[Cell, Breakdown]:
        """The games of each cell, also those of its mirror images."""
        breakdowns = {part.plan.setup.first: part.breakdown for part in self.parts}
        return {cell: breakdowns[played] for cell, played in self.played_from.items()}

    def rows(self) -> Iterator[dict[str, Any]]:
        """Generate the figures of each cell."""
        for cell, breakdown in self.breakdowns.items():
            row, column = self.played_from[cell]
            place = {"row": cell[0], "column": cell[1], "played_row": row, "played_column": column}
            yield place | _rated(breakdown.games, breakdown.wins)

    def summary(self) -> Iterator[str]:
        """Generate the best first click and the worst."""
        played = [part for part in self.parts if part.breakdown.games]
        for word, chosen in (("best", max), ("worst", min)):
            part = chosen(played, key=lambda part: part.breakdown.rate.value)
            row, column = part.plan.setup.first
            rate = part.breakdown.rate.percent()
            yield f"{word} first click: row {row}, column {column} (from 0), {rate}"


# By the share of mines ---------------------------------------------------------------------------


def mine_counts(level: Level, promise: Promise) -> list[int]:
    """Return how many mines are 2 to 30 % of a board, and its own number, as far as there is room.

    >>> mine_counts(Level.named("beginner"), Promise.OPEN)
    [2, 3, 5, 6, 8, 10, 11, 13, 15, 16, 18, 19, 21, 23, 24]
    """
    cells = level.height * level.width
    counts = {max(1, round(share * cells)) for share in _SHARES} | {level.mines}
    return sorted(mines for mines in counts if mines <= most_mines(level.height, level.width, promise))


class Densities(Survey):
    """The share of games won by the number of mines on a board, for one or more agents.

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
            raise SapperError("a survey of densities needs a number of mines and an agent at least")
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
        """The games of each agent by the number of mines, as far as there are any."""
        breakdowns: dict[str, dict[int, Breakdown]] = {}
        for part in self.parts:
            if part.breakdown.games:
                breakdowns.setdefault(part.agent_name, {})[part.plan.setup.level.mines] = part.breakdown
        return breakdowns

    def rows(self) -> Iterator[dict[str, Any]]:
        """Generate the figures of each agent and number of mines."""
        cells = self.level.height * self.level.width
        for part in self.parts:
            mines = part.plan.setup.level.mines
            named = {"agent": part.agent_name, "mines": mines, "density": mines / cells}
            yield named | _rated(part.breakdown.games, part.breakdown.wins)

    def summary(self) -> Iterator[str]:
        """Generate how many mines each agent still wins half of its games with."""
        for agent, breakdowns in self.breakdowns.items():
            won = [
                mines
                for mines, breakdown in breakdowns.items()
                if 2 * breakdown.wins >= breakdown.games
            ]
            most = f"with up to {max(won)} mines" if won else "with no number of mines tried"
            yield f"{agent} wins at least half of its games {most}"


# By guesses, and where games are lost ------------------------------------------------------------


class _OnePart(Survey):
    """A survey of the games of one agent on one kind of board."""

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
        """Return the survey as an object for `json.dumps`; docs/plots.md says what it holds."""
        return {**super().to_json(), "first": list(self.first)}


class Guesses(_OnePart):
    """How many games took how many guesses, and the share of them that was won.

    >>> survey = Guesses("5x5/3", agent="safest", games=50).play(jobs=1)
    >>> sum(row["games"] for row in survey.rows()), next(survey.rows())["rate"]
    (50, 1.0)
    """

    kind = "guesses"
    needs_guesses = True

    def rows(self) -> Iterator[dict[str, Any]]:
        """Generate the figures of each number of guesses."""
        for guesses, games in sorted(self.breakdown.games_by_guesses.items()):
            counts = {"guesses": guesses, "share": games / self.games}
            yield counts | _rated(games, self.breakdown.wins_by_guesses[guesses])

    def summary(self) -> Iterator[str]:
        """Generate how many games were won without a guess, and how many guesses a game took."""
        counts = self.breakdown.games_by_guesses
        guesses = sum(guesses * games for guesses, games in counts.items())
        yield f"games won without a guess: {100 * self.breakdown.wins_by_guesses[0] / self.games:.2f} %"
        yield f"guesses a game: {guesses / self.games:.2f}"


class Losses(_OnePart):
    """Where games are lost: at which cell's mine, and with how many of the safe cells open.

    >>> survey = Losses("4x4/3", agent="safest", promise="none", games=50).play(jobs=1)
    >>> cells = sum(row["losses"] for row in survey.rows() if row["of"] == "cell")
    >>> cells == sum(survey.breakdown.endings) == 50 - survey.breakdown.wins > 0
    True
    """

    kind = "losses"

    def rows(self) -> Iterator[dict[str, Any]]:
        """Generate the losses at each cell, then those by the share of safe cells opened."""
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
        """Generate how many games were lost, and how many of them late."""
        lost = self.breakdown.games - self.breakdown.wins
        yield f"games lost: {lost:,} of {self.breakdown.games:,}"
        if lost:
            late = sum(self.breakdown.endings[ENDINGS * 9 // 10 :])
            yield f"of these with at least 90 % of the safe cells open: {100 * late / lost:.1f} %"
