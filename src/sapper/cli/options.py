"""Options and arguments that commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import sapper
from sapper.cli.numbers import whole_number

LevelName = Annotated[
    str, typer.Argument(help="course, beginner, intermediate, expert or WIDTHxHEIGHT/MINES")
]
LevelOption = Annotated[
    str, typer.Option("--level", help="course, beginner, intermediate, expert or WIDTHxHEIGHT/MINES")
]
Seed = Annotated[
    int | None,
    typer.Option(parser=whole_number(), metavar="N", help="The board's number; random without it."),
]
PromiseName = Annotated[
    str | None, typer.Option("--promise", help="The first click's: none, safe or open.")
]

AGENTS = ", ".join(sapper.agents.AgentName)
WHO_PLAYS = (
    f"Who plays: {AGENTS}, program:COMMAND, or module:attribute of what makes one;"
    " strong if not given, safest without the compiled engine."
)
AgentName = Annotated[
    str,
    typer.Argument(
        metavar="AGENT", help=f"{AGENTS}, program:COMMAND, or module:attribute of what makes one."
    ),
]
BenchLevel = Annotated[
    str | None,
    typer.Argument(metavar="LEVEL", help="As for watch; expert if none is given."),
]
FirstClick = Annotated[
    str | None,
    typer.Option(
        metavar="ROW,COLUMN",
        help="The first click, counted from 0: 0,0 if not given, or 3,3 if it is promised open.",
    ),
]
Games = Annotated[
    int | None,
    typer.Option(
        parser=whole_number(),
        metavar="N",
        help="80,000 if not given; 1,000 for strong-high, programs and agents in Python.",
    ),
]
RunSeed = Annotated[
    int | None,
    typer.Option(
        parser=whole_number(),
        metavar="N",
        help="The run's number: the same one, the same boards; 0 if not given.",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        parser=whole_number(), metavar="N", help="Threads or processes; one a core if not given."
    ),
]
PositionFile = Annotated[
    str, typer.Argument(help="A position as text; - or nothing: the standard input.")
]
Mines = Annotated[
    int | None,
    typer.Option(
        parser=whole_number(),
        metavar="N",
        help="The number of mines, if the first line does not say it.",
    ),
]
Picture = Annotated[
    Path | None,
    typer.Option("--svg", metavar="PICTURE", help="Write the board as a picture too."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print an object for programs.")]
SaveFile = Annotated[
    Path | None, typer.Option("--save", metavar="FILE", help="Add the games to an SQLite file.")
]
Resume = Annotated[
    bool,
    typer.Option("--resume", help="Go on with the last such run in the file of --save."),
]
ClusterAddress = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Play on the workers of this Dask scheduler; local: on --jobs workers of our own.",
    ),
]
BoardsFile = Annotated[
    Path | None, typer.Option("--boards", metavar="FILE", help="Play the boards of this file.")
]
OutcomesFile = Annotated[
    Path | None,
    typer.Option("--outcomes", metavar="FILE", help="Write 1 for each game won, 0 for each lost."),
]
CsvFile = Annotated[
    Path | None, typer.Option("--csv", metavar="FILE", help="Write a table with a row for each game.")
]
ParquetFile = Annotated[
    Path | None,
    typer.Option("--parquet", metavar="FILE", help="The same as a Parquet file; needs pyarrow."),
]
BoardSource = Annotated[
    str | None,
    typer.Option("--board", metavar="BOARD", help="A board instead: its code, or a file with it."),
]
RecordFile = Annotated[
    Path | None,
    typer.Option("--record", metavar="FILE", help="Write the game into a new file, move by move."),
]
