"""The command that draws what many games show."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from sapper.agents.specs import AgentSpec
from sapper.arena.survey import Densities, FirstClicks, Guesses, Losses, Survey
from sapper.cli.edges import parse_cell
from sapper.cli.numbers import whole_number
from sapper.cli.options import WHO_PLAYS, AsJson, BenchLevel, FirstClick, Jobs, PromiseName, RunSeed
from sapper.cli.players import are_fast, parse_agents, usual_player
from sapper.errors import SapperError


class PlotKind(str, Enum):
    """What is plotted."""

    FIRST_CLICK = "first-click"
    DENSITY = "density"
    GUESSES = "guesses"
    LOSSES = "losses"


_GAMES: Final = {
    PlotKind.FIRST_CLICK: (1_000, 20),
    PlotKind.DENSITY: (4_000, 50),
    PlotKind.GUESSES: (80_000, 1_000),
    PlotKind.LOSSES: (80_000, 1_000),
}
"""How many games are played by players of the engine that are quick, and by all others."""


def plot(
    kind: Annotated[
        PlotKind,
        typer.Argument(
            metavar="KIND",
            help="first-click: games won by first click; density: by the share of mines; guesses: by"
            " the guesses they took; losses: where games are lost.",
        ),
    ],
    level: BenchLevel = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(help=f"{WHO_PLAYS} For density more than once."),
    ] = None,
    promise: PromiseName = None,
    first: FirstClick = None,
    games: Annotated[
        int | None,
        typer.Option(
            parser=whole_number(),
            metavar="N",
            help="If not given: 1,000 for each first click, 4,000 for each share of mines, 80,000 for"
            " guesses and losses; far fewer for strong-high, programs and agents in Python.",
        ),
    ] = None,
    seed: RunSeed = None,
    jobs: Jobs = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Write the chart, a picture.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the figures as a table.")
    ] = None,
    as_json: AsJson = False,
    every_cell: Annotated[
        bool,
        typer.Option("--every-cell", help="For first-click: mirror images do not share their games."),
    ] = False,
    mines: Annotated[
        str | None,
        typer.Option(
            metavar="N,N,...", help="For density: the numbers of mines; 2 to 30 % if not given."
        ),
    ] = None,
) -> None:
    """Play many games, and draw what they show."""
    from sapper import terminal

    if svg is None and csv is None and not as_json:
        raise SapperError("nothing was asked for: --svg FILE, --csv FILE or --json")
    agents = parse_agents(agent or [usual_player()])
    if games is None:
        games = _GAMES[kind][0 if are_fast(agents) else 1]
    given: dict[str, Any] = {"promise": promise, "games": games, "seed": seed or 0}
    special: dict[str, Any] = {
        "first": None if first is None else parse_cell(first),
        "every_cell": every_cell or None,
        "mines": None if mines is None else _parse_counts(mines),
    }
    survey = _survey(kind, "expert" if level is None else level, agents, given, special)
    if not terminal.run_survey(survey, jobs=jobs, svg=svg, csv_file=csv, as_json=as_json):
        raise typer.Exit(130)


def _survey(
    kind: PlotKind, level: str, agents: list[AgentSpec], given: dict[str, Any], special: dict[str, Any]
) -> Survey:
    """Return the survey of this kind; an option that is not its own is an error."""
    kinds: dict[PlotKind, tuple[type[Survey], set[str]]] = {
        PlotKind.FIRST_CLICK: (FirstClicks, {"every_cell"}),
        PlotKind.DENSITY: (Densities, {"first", "mines"}),
        PlotKind.GUESSES: (Guesses, {"first"}),
        PlotKind.LOSSES: (Losses, {"first"}),
    }
    make, own = kinds[kind]
    more = {name: value for name, value in special.items() if value is not None}
    for name in sorted(set(more) - own):
        raise SapperError(f"--{name.replace('_', '-')} says nothing about {kind.value}")
    if make is Densities:
        return Densities(level, agents=agents, **given, **more)
    if len(agents) > 1:
        raise SapperError(f"{kind.value} is of one agent, not of {len(agents)}")
    return make(level, agent=agents[0], **given, **more)  # type: ignore[call-arg]


def _parse_counts(text: str) -> list[int]:
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdigit() and len(word) <= 9 for word in words):
        raise SapperError(f"{text[:40]!r} is not a list of numbers of mines: N,N,...")
    return [int(word) for word in words]
