"""Commands about a position: what follows from it, and why."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console

import sapper
from sapper.cli.edges import check_picture, errors_in, write_text
from sapper.cli.numbers import number, whole_number
from sapper.cli.options import AsJson, Mines, Picture, PositionFile
from sapper.errors import SapperError
from sapper.formats import analysis_to_json, position_from_text
from sapper.proof.difficulty import easiest_proof


def hint(
    file: PositionFile = "-",
    mines: Mines = None,
    trust_flags: Annotated[bool, typer.Option("--trust-flags", help="Take flags for mines.")] = False,
    as_json: AsJson = False,
    svg: Picture = None,
    seconds: Annotated[
        float, typer.Option(parser=number(0), metavar="SECONDS", help="How long it may take.")
    ] = 10.0,
) -> None:
    """Tell which cells of a position are certain, the risk of the others, and the best move."""
    from sapper import terminal

    check_picture(svg, source=file)
    with errors_in(file):
        position = position_from_text(terminal.read_text(file), mines=mines)
        limit = sapper.Limit(seconds=seconds)
        analysis = sapper.analyse(position, trust_flags=trust_flags, limit=limit)
    if svg is not None:
        write_text(svg, position.svg(analysis))
    if as_json:
        print(json.dumps(analysis_to_json(analysis)))
    else:
        terminal.print_hint(analysis, Console(highlight=False))


def explain(
    file: PositionFile = "-",
    row: Annotated[
        int | None, typer.Argument(parser=whole_number(), help="The cell's row, counted from 1.")
    ] = None,
    column: Annotated[
        int | None, typer.Argument(parser=whole_number(), help="Its column, counted from 1.")
    ] = None,
    mines: Mines = None,
    as_json: AsJson = False,
    svg: Picture = None,
) -> None:
    """Prove that a cell is safe or a mine, step by step.

    If none is given: the safe cell with the easiest proof, or why a guess is due.
    """
    from sapper import terminal

    check_picture(svg, source=file)
    with errors_in(file):
        position = position_from_text(terminal.read_text(file), mines=mines)
        if row is None:
            if sapper.analyse(position).mines == position.hidden:
                raise SapperError("no cell is left to open")
            found = easiest_proof(position) or sapper.explain_guess(position)
        else:
            found = sapper.explain(position, _cell_of(position, row, column))
    if svg is not None:
        write_text(svg, found.svg())
    if as_json:
        print(json.dumps(found.to_json()))
    elif isinstance(found, sapper.Guess):
        print(found)
    else:
        terminal.print_proof(found, Console(highlight=False))


def _cell_of(position: sapper.Position, row: int, column: int | None) -> sapper.Cell:
    """Return the cell of this row and column, which are counted from 1."""
    if column is None:
        raise SapperError(f"row {row} was given without a column")
    cell = row - 1, column - 1
    if cell not in position:
        size = f"it has rows 1 to {position.height} and columns 1 to {position.width}"
        raise SapperError(f"row {row}, column {column} is not on the board: {size}")
    return cell
