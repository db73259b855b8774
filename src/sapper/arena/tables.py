"""Files with the games of runs, written while they are played: CSV, Parquet and outcomes."""

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
from sapper.storage.files import Replacement, errors_named

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
"""The columns, described in docs/arena.md, and pyarrow's names of their types."""

_ROWS_PER_GROUP: Final = 65_536
"""Rows in a row group of a Parquet file."""

Row = tuple[Any, ...]


def rows(runs: Sequence[Run], start: int, *played: Sequence[Played]) -> Iterator[Row]:
    """Yield a row for each game of the runs. `start` is the number of the first game.

    Unknown values are None. The games of two runs on the same board follow each other.

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
    """A file that receives the games of runs as they are played, and appears when it is finished.

    As a context manager, it is finished unless there was an error; then an older file is unchanged.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._has_failed = False

    def __enter__(self) -> GamesFile:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        try:
            if error is None:
                self.finish()
        finally:
            self.discard()

    def finish(self) -> None:
        """Complete the file, unless writing to it has failed before."""
        if not self._has_failed:
            with errors_named(self._path, "write"):
                self._finish()

    def discard(self) -> None:
        """Free the resources of the file; if it is not finished, delete what was written."""
        self._free()

    def add(self, *played: Sequence[Played]) -> None:
        """Write the next games of each run. After an error, the file cannot be finished."""
        try:
            with errors_named(self._path, "write"):
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
    """A table with one row per game. It is written next to an older file, which it replaces."""

    def __init__(self, path: Path, runs: Sequence[Run]) -> None:
        super().__init__(path)
        self._runs = runs
        self._number = 0
        with errors_named(path, "write"):
            self._replacement = Replacement(path)

    def _write(self, *played: Sequence[Played]) -> None:
        self._write_rows(rows(self._runs, self._number, *played))
        self._number += len(played[0])

    @abstractmethod
    def _write_rows(self, games: Iterator[Row]) -> None: ...

    def _free(self) -> None:
        self._replacement.discard()  # Does nothing after it was finished.


class CsvTable(Table):
    """A CSV file: `won` is 1 or 0, and unknown values are empty.

    Texts that a spreadsheet would interpret as formulas start with an apostrophe.
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
    """A Parquet file. It requires pyarrow."""

    def __init__(self, path: Path, runs: Sequence[Run]) -> None:
        self._pyarrow, parquet = load_pyarrow()
        super().__init__(path, runs)
        fields = [(name, getattr(self._pyarrow, kind)()) for name, kind in COLUMNS.items()]
        self._schema = self._pyarrow.schema(fields)
        self._writer = parquet.ParquetWriter(self._replacement.file, self._schema)
        self._waiting: list[Row] = []

    def _write_rows(self, games: Iterator[Row]) -> None:
        self._waiting += games
        while len(self._waiting) >= _ROWS_PER_GROUP:
            self._write_group(self._waiting[:_ROWS_PER_GROUP])
            del self._waiting[:_ROWS_PER_GROUP]

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
        with suppress(OSError, ValueError):  # Whatever it still writes is deleted.
            self._writer.close()
        super()._free()


class Outcomes(GamesFile):
    """A text file with one line per run: 1 for each game won, 0 for each game lost.

    Pipes and devices are written to, not replaced.
    """

    def __init__(self, path: Path, runs: Sequence[Run]) -> None:
        super().__init__(path)
        self._lines: list[BinaryIO] = [tempfile.TemporaryFile() for _ in runs]  # noqa: SIM115 - closed in `_free`.

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


def load_pyarrow() -> tuple[Any, Any]:
    """Return pyarrow and its Parquet module; raise an error that says how to install them."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise SapperError("Parquet files require pyarrow: run pip install pyarrow") from None
