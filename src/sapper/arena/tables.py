"""Tables: the games of runs as rows of a file, CSV or Parquet, written while they are played."""

from __future__ import annotations

import csv
import io
import shutil
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, Final

from sapper.arena.runs import Run
from sapper.arena.tally import Played
from sapper.errors import SapperError
from sapper.storage.csv_cells import safe_cell
from sapper.storage.files import Replacement, errors_named, starts_with

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
    "luck": "float64",
}
"""The columns and, for Parquet, pyarrow's names of their types; docs/arena.md says what they hold."""

_ROWS_A_GROUP: Final = 65_536
"""Of a Parquet file, which is written a group at a time."""
_TROUBLE: Final = "it cannot be written"

Row = tuple[Any, ...]


def rows(runs: Sequence[Run], start: int, *played: Sequence[Played]) -> Iterator[Row]:
    """Generate a row for each game of the runs, from a number on; None where something is not known.

    The games of two runs on the same board come one after the other.

    >>> from sapper.arena import Plan, board_seed
    >>> with Run(Plan.of("2x1/1", games=2), jobs=1) as run:
    ...     first, second = rows([run], 0, run.play(2))
    >>> second[:6] == (0, "safest", 1, board_seed(0, 1), True, 0)
    True
    """
    width = runs[0].plan.setup.level.width
    for number, games in enumerate(zip(*played, strict=True), start):
        for order, game in enumerate(games):
            yield (order, runs[order].agent, number, *game.columns(width))


class GamesFile(ABC):
    """A file that takes the games of runs as they are played, and is there when all are.

    In a `with` statement; after an error, an older file is as it was.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._has_failed = False

    def __enter__(self) -> GamesFile:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        try:
            if error is None and not self._has_failed:
                with errors_named(self._path, _TROUBLE):
                    self._finish()
        finally:
            self._free()

    def add(self, *played: Sequence[Played]) -> None:
        """Write the next games of each run. After an error, the file is never completed."""
        try:
            with errors_named(self._path, _TROUBLE):
                self._write(*played)
        except BaseException:
            self._has_failed = True
            raise

    @abstractmethod
    def _write(self, *played: Sequence[Played]) -> None: ...

    @abstractmethod
    def _finish(self) -> None: ...

    @abstractmethod
    def _free(self) -> None: ...


class Table(GamesFile):
    """A table with a row for each game; it is written beside an older one, which it replaces."""

    def __init__(self, path: Path, runs: Sequence[Run]) -> None:
        super().__init__(path)
        self._runs = runs
        self._number = 0
        with errors_named(path, _TROUBLE):
            self._replacement = Replacement(path)

    def _write(self, *played: Sequence[Played]) -> None:
        self._write_rows(rows(self._runs, self._number, *played))
        self._number += len(played[0])

    @abstractmethod
    def _write_rows(self, games: Iterator[Row]) -> None: ...

    def _free(self) -> None:
        self._replacement.discard()  # Once it was put in its place, there is nothing to discard.


class CsvTable(Table):
    """A file of comma-separated values: `won` is 1 or 0, and unknown values are empty.

    Texts that a spreadsheet would take for formulas start with an apostrophe.
    """

    def __init__(self, path: Path, runs: Sequence[Run]) -> None:
        super().__init__(path, runs)
        self._text = io.TextIOWrapper(self._replacement.file, encoding="utf-8", newline="")
        self._writer = csv.writer(self._text, lineterminator="\n")
        self._writer.writerow(COLUMNS)

    def _write_rows(self, games: Iterator[Row]) -> None:
        for row in games:
            values = (int(value) if isinstance(value, bool) else value for value in row)
            self._writer.writerow(map(safe_cell, values))

    def _finish(self) -> None:
        self._text.flush()
        self._replacement.finish()


class ParquetTable(Table):
    """A Parquet file; it needs pyarrow."""

    def __init__(self, path: Path, runs: Sequence[Run]) -> None:
        self._pyarrow, parquet = load_pyarrow()
        super().__init__(path, runs)
        fields = [(name, getattr(self._pyarrow, kind)()) for name, kind in COLUMNS.items()]
        self._schema = self._pyarrow.schema(fields)
        self._writer = parquet.ParquetWriter(self._replacement.file, self._schema)
        self._waiting: list[Row] = []

    def _write_rows(self, games: Iterator[Row]) -> None:
        self._waiting += games
        while len(self._waiting) >= _ROWS_A_GROUP:
            self._write_group(self._waiting[:_ROWS_A_GROUP])
            del self._waiting[:_ROWS_A_GROUP]

    def _write_group(self, games: Sequence[Row]) -> None:
        columns = list(zip(*games, strict=True)) or [() for _ in COLUMNS]
        arrays = [
            self._pyarrow.array(column, field.type)
            for column, field in zip(columns, self._schema, strict=True)
        ]
        self._writer.write_table(self._pyarrow.Table.from_arrays(arrays, schema=self._schema))

    def _finish(self) -> None:
        self._write_group(self._waiting)
        self._writer.close()
        self._replacement.finish()

    def _free(self) -> None:
        with suppress(OSError, ValueError):  # What it still has to write is for a file that goes.
            self._writer.close()
        super()._free()


class Outcomes(GamesFile):
    """A line for each run, with 1 for a game that was won and 0 for one that was not.

    A pipe or a device cannot be replaced, and is written to.
    """

    def __init__(self, path: Path, runs: Sequence[Run]) -> None:
        super().__init__(path)
        self._lines: list[BinaryIO] = [tempfile.TemporaryFile() for _ in runs]  # noqa: SIM115 - freed.

    def _write(self, *played: Sequence[Played]) -> None:
        for line, games in zip(self._lines, played, strict=True):
            line.write(bytes(b"01"[game.won] for game in games))

    def _finish(self) -> None:
        replaced = self._path.is_file() or not self._path.exists()
        with Replacement(self._path) if replaced else self._path.open("wb") as file:
            for line in self._lines:
                line.seek(0)
                shutil.copyfileobj(line, file)
                file.write(b"\n")

    def _free(self) -> None:
        for line in self._lines:
            line.close()


def is_csv_table(file: BinaryIO) -> bool:
    """Return whether a file is a `CsvTable`.

    >>> is_csv_table(io.BytesIO(",".join(COLUMNS).encode())), is_csv_table(io.BytesIO(b"name,age"))
    (True, False)
    """
    return starts_with(",".join(COLUMNS))(file)


def is_parquet_table(file: BinaryIO) -> bool:
    """Return whether a file is a `ParquetTable`.

    >>> is_parquet_table(io.BytesIO(b"PAR2"))
    False
    """
    if file.read(4) != b"PAR1":
        return False
    pyarrow, parquet = load_pyarrow()
    try:
        return list(parquet.read_schema(file).names) == list(COLUMNS)
    except (OSError, pyarrow.ArrowException):
        return False


def is_outcomes(file: BinaryIO) -> bool:
    r"""Return whether a file is a list of `Outcomes`.

    >>> is_outcomes(io.BytesIO(b"0110\n")), is_outcomes(io.BytesIO(b"0110, 9\n"))
    (True, False)
    """
    while part := file.read(2**16):
        if part.strip(b"01\n"):
            return False
    return True


def load_pyarrow() -> tuple[Any, Any]:
    """Return pyarrow and its module for Parquet; an error that says what to do where there is none."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise SapperError("Parquet files need the package pyarrow: pip install pyarrow") from None
