"""Tables: the games of runs as rows of a file, CSV or Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from sapper.arena import Run
from sapper.errors import SapperError
from sapper.formats._disk import errors_named, replace_file

COLUMNS: Final = {
    "run": "uint8",
    "agent": "string",
    "number": "uint64",
    "seed": "uint64",
    "won": "bool_",
    "cells_left": "uint32",
    "decisions": "uint32",
    "guesses": "uint32",
    "survival": "float64",
    "solved": "float64",
    "seconds": "float64",
    "lost_at": "uint32",
}
"""The columns and, for Parquet, pyarrow's names of their types; docs/arena.md says what they hold."""


def rows(runs: Sequence[Run]) -> Iterator[tuple[Any, ...]]:
    """Generate a row for each game of the runs, None where something is not known.

    >>> from sapper.arena import Plan
    >>> with Run(Plan.of("2x1/1", games=1), jobs=1) as run:
    ...     _ = run.play(1)
    >>> next(rows([run]))[:6] == (0, "safest", 0, run.plan.board(0).seed, True, 0)
    True
    """
    for order, run in enumerate(runs):
        width = run.plan.setup.level.width
        for number, game in enumerate(run.played):
            yield (order, run.agent, number, *game.columns(width))


def write_csv(path: Path, runs: Sequence[Run]) -> None:
    """Write the games into a file of comma-separated values; won is 1 or 0, what is not known empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows(runs):
        writer.writerow([int(value) if isinstance(value, bool) else value for value in row])
    with errors_named(path, "it cannot be written"):
        replace_file(path, text.getvalue().encode())


def write_parquet(path: Path, runs: Sequence[Run]) -> None:
    """Write the games into a Parquet file; it needs pyarrow."""
    pyarrow, parquet = load_pyarrow()
    fields = [(name, getattr(pyarrow, kind)()) for name, kind in COLUMNS.items()]
    columns = list(zip(*rows(runs), strict=True)) or [() for _ in fields]
    arrays = [pyarrow.array(column, kind) for column, (_, kind) in zip(columns, fields, strict=True)]
    table = pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields))
    buffer = io.BytesIO()
    parquet.write_table(table, buffer)
    with errors_named(path, "it cannot be written"):
        replace_file(path, buffer.getvalue())


def load_pyarrow() -> tuple[Any, Any]:
    """Return pyarrow and its module for Parquet; an error that says what to do where there is none."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise SapperError("Parquet files need the package pyarrow: pip install pyarrow") from None
