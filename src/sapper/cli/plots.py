"""The command that plays many games and draws charts of them."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from sapper.agents.specs import AgentSpec
from sapper.arena.survey import Densities, FirstClicks, Guesses, Losses, Survey
from sapper.cli.inputs import parse_cell
from sapper.cli.numbers import whole_number
from sapper.cli.options import (
    AgentOptions,
    AsJson,
    BenchLevel,
    FirstClick,
    Force,
    Jobs,
    PromiseName,
    RunSeed,
)
from sapper.cli.outputs import check_outputs
from sapper.cli.players import are_fast, default_agent, parse_agents
from sapper.errors import SapperError


class PlotKind(str, Enum):
    """The kinds of charts."""

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
"""Default numbers of games: for fast agents of the engine, and for all others."""


def plot(
    kind: Annotated[
        PlotKind,
        typer.Argument(
            metavar="KIND",
            help="first-click: win rate by first click. density: win rate by density of mines. guesses:"
            " games and win rate by number of guesses. losses: where games are lost.",
        ),
    ],
    level: BenchLevel = None,
    agent: AgentOptions = None,
    promise: PromiseName = None,
    first: FirstClick = None,
    games: Annotated[
        int | None,
        typer.Option(
            parser=whole_number(),
            metavar="N",
            help="Number of games, for each first click or density.",
            show_default="first-click 1,000, density 4,000, others 80,000; fewer for slow agents",
        ),
    ] = None,
    seed: RunSeed = None,
    jobs: Jobs = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Draw the chart as an SVG file.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the figures as a CSV table.")
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
    every_cell: Annotated[
        bool,
        typer.Option(
            "--every-cell", help="For first-click: play separate games for mirror images of a cell."
        ),
    ] = False,
    mines: Annotated[
        str | None,
        typer.Option(
            metavar="N,N,...",
            help="For density: the numbers of mines.",
            show_default="2 to 30 % of the cells",
        ),
    ] = None,
) -> None:
    """Play many games, and draw a chart of the results."""
    from sapper import terminal

    if svg is None and csv is None and not as_json:
        raise SapperError("no output was requested: add --svg FILE, --csv FILE or --json")
    check_outputs({"the picture": svg, "the CSV table": csv}, force=force)
    agents = parse_agents(agent or [default_agent()])
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
    """Return the survey of this kind; raise an error for options of other kinds."""
    kinds: dict[PlotKind, tuple[type[Survey], set[str]]] = {
        PlotKind.FIRST_CLICK: (FirstClicks, {"every_cell"}),
        PlotKind.DENSITY: (Densities, {"first", "mines"}),
        PlotKind.GUESSES: (Guesses, {"first"}),
        PlotKind.LOSSES: (Losses, {"first"}),
    }
    make, own = kinds[kind]
    more = {name: value for name, value in special.items() if value is not None}
    for name in sorted(set(more) - own):
        raise SapperError(f"--{name.replace('_', '-')} cannot be used with {kind.value}")
    if make is Densities:
        return Densities(level, agents=agents, **given, **more)
    if len(agents) > 1:
        raise SapperError(f"{kind.value} takes one agent, not {len(agents)}")
    return make(level, agent=agents[0], **given, **more)  # type: ignore[call-arg]


def _parse_counts(text: str) -> list[int]:
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdigit() and len(word) <= 9 for word in words):
        raise SapperError(f"{text[:40]!r} is not a list of numbers: write N,N,...")
    return [int(word) for word in words]
