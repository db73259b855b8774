"""Commands about a position: hints and proofs."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console

import sapper
from sapper.cli.inputs import errors_in, read_position
from sapper.cli.numbers import number, whole_number
from sapper.cli.options import AsJson, Force, Mines, MoveNumber, Picture, PositionFile
from sapper.cli.outputs import check_outputs
from sapper.errors import SapperError
from sapper.formats import analysis_to_json
from sapper.position import Cell
from sapper.proof.difficulty import easiest_proof
from sapper.storage.files import write_text


def hint(
    file: PositionFile = "-",
    mines: Mines = None,
    move: MoveNumber = None,
    trust_flags: Annotated[
        bool, typer.Option("--trust-flags", help="Assume that every flag is on a mine.")
    ] = False,
    as_json: AsJson = False,
    svg: Picture = None,
    force: Force = False,
    seconds: Annotated[
        float,
        typer.Option(
            parser=number(0),
            metavar="SECONDS",
            help="Time limit. When it is reached, risks are estimates.",
        ),
    ] = 10.0,
) -> None:
    """Show safe cells, mines, the risk of every other cell, and the best move.

    A position is text with one line per row. Valid characters are . or 0 for an open cell without
    adjacent mines, 1 to 8 for other open cells, # for a hidden cell and F for a flag; spaces are
    ignored. The first line may give the size and the number of mines, such as 9x9/10; if it does not,
    use --mines. FILE may also be a .mine file, a game record (.json) or a replay; --move selects a
    position within the game.
    """
    from sapper import terminal

    check_outputs({"the picture": svg}, {"the input": file}, force=force)
    position = read_position(file, mines=mines, move=move)
    with errors_in(file):
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
        int | None,
        typer.Argument(
            metavar="ROW", parser=whole_number(), help="Row of the cell to explain, counted from 1."
        ),
    ] = None,
    column: Annotated[
        int | None,
        typer.Argument(
            metavar="COLUMN",
            parser=whole_number(),
            help="Column of the cell to explain, counted from 1.",
        ),
    ] = None,
    mines: Mines = None,
    move: MoveNumber = None,
    as_json: AsJson = False,
    svg: Picture = None,
    force: Force = False,
) -> None:
    """Prove step by step that a cell is safe or a mine.

    Without ROW and COLUMN, explain the safe cell that is easiest to prove; if no cell is certainly
    safe, explain the best guess. FILE is read as by sapper hint.
    """
    from sapper import terminal

    check_outputs({"the picture": svg}, {"the input": file}, force=force)
    position = read_position(file, mines=mines, move=move)
    with errors_in(file):
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


def _cell_of(position: sapper.Position, row: int, column: int | None) -> Cell:
    """Return the cell in a row and column that are counted from 1."""
    if column is None:
        raise SapperError(f"row {row} was given without a column")
    cell = row - 1, column - 1
    if cell not in position:
        size = f"rows 1 to {position.height} and columns 1 to {position.width}"
        raise SapperError(f"row {row}, column {column} is not on the board, which has {size}")
    return cell
