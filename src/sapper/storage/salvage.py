"""Salvage: recover the rows of a damaged SQLite file."""

from __future__ import annotations

import shutil
import sqlite3
import struct
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from sapper.storage.database import Row, Schema, limit_lengths, text_or_bytes

_PAGE_SIZE: Final = 4096
"""SQLite's default, which all of Sapper's files have."""
_PAGE_COUNT_OFFSET: Final = 28
_MOST_BYTES: Final = 2**30
"""Larger files are not salvaged. No history is nearly as large."""
_TIMEOUT: Final = 30.0
"""The time limit, in seconds, for each of the two ways of reading."""
_LEAF: Final = 0x0D
"""The first byte of a page with rows of a table."""


def salvage(
    file: Path,
    schema: Schema,
    table: str,
    key: str,
    columns: Sequence[str],
    is_valid: Callable[[Row], bool],
) -> Iterator[Row]:
    """Generate the valid rows of a damaged file, sorted by their integer primary key.

    The file itself is not changed: this works on a copy. Rows are found even if the definitions of the
    tables, or the pages that lead to the rows, are damaged. If only the last column of a row is
    unreadable, its value is None.

    >>> import tempfile
    >>> tables = "CREATE TABLE notes (n INTEGER PRIMARY KEY, t);"
    >>> schema = Schema(7, version=1, what="notes", tables=tables)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "notes.sqlite")
    ...     with closing(schema.connect(file)) as database, database:
    ...         inserted = database.execute("INSERT INTO notes VALUES (1, 'kept')")
    ...     written = file.write_bytes(bytes(4096) + file.read_bytes()[4096:])
    ...     list(salvage(file, schema, "notes", "n", ["t"], lambda row: True))
    [{'n': 1, 't': 'kept'}]
    """
    with TemporaryDirectory(prefix="sapper-") as folder:
        copy = Path(folder, "copy.sqlite")
        if file.stat().st_size > _MOST_BYTES:
            return
        shutil.copyfile(file, copy)
        journal = file.with_name(f"{file.name}-journal")
        if journal.is_file():  # SQLite uses it to undo an unfinished change.
            shutil.copyfile(journal, copy.with_name(f"{copy.name}-journal"))
        reader = _Reader(copy, table, key, columns)
        rows = {row[key]: row for row in reader.rows_of_tree() if is_valid(row)}
        if reader.has_failed or not rows:
            _replace_first_page(copy, schema)
            for row in reader.rows_of_pages():
                if row[key] not in rows and is_valid(row):
                    rows[row[key]] = row
        yield from (rows[number] for number in sorted(rows))


def _replace_first_page(copy: Path, schema: Schema) -> None:
    """Replace the first page of the copy with that of a new file, which defines the tables."""
    copy.with_name(f"{copy.name}-journal").unlink(missing_ok=True)
    fresh = copy.with_name("fresh.sqlite")
    schema.connect(fresh).close()
    page = bytearray(fresh.read_bytes()[:_PAGE_SIZE])
    data = copy.read_bytes()
    pages = max(-(-len(data) // _PAGE_SIZE), 1)
    struct.pack_into(">I", page, _PAGE_COUNT_OFFSET, pages)
    copy.write_bytes(page + data[_PAGE_SIZE:].ljust((pages - 1) * _PAGE_SIZE, b"\0"))


class _Reader:
    """Reads a table in a copy of a damaged file."""

    def __init__(self, copy: Path, table: str, key: str, columns: Sequence[str]) -> None:
        self._copy, self._table, self._key = copy, table, key
        self._names = (key, *columns)
        self.has_failed = False
        """Whether some rows could not be read."""

    def rows_of_tree(self) -> Iterator[Row]:
        """Generate rows as SQLite does, through the tree of pages, up to the first damage."""
        with self._opened() as database:
            try:
                yield from self._select(database, self._names, f"TRUE ORDER BY {self._key}")
            except sqlite3.Error:
                self.has_failed = True

    def rows_of_pages(self) -> Iterator[Row]:
        """Generate the rows of every page, as if each were a table of its own.

        This finds rows even if the pages that lead to them are damaged. It needs an intact first page.
        """
        data = self._copy.read_bytes()
        leaves = [
            start // _PAGE_SIZE + 1
            for start in range(_PAGE_SIZE, len(data), _PAGE_SIZE)
            if data[start] == _LEAF
        ]
        with self._opened() as database:
            database.execute("PRAGMA synchronous = OFF")
            database.execute("PRAGMA journal_mode = OFF")
            for page in leaves:
                try:
                    with database:
                        database.execute(
                            "UPDATE sqlite_master SET rootpage = ? WHERE name = ?", (page, self._table)
                        )
                    # This rereads the definitions.
                    database.execute("PRAGMA writable_schema = RESET")
                    database.execute("PRAGMA writable_schema = ON")
                except sqlite3.Error:
                    continue
                yield from self._rows_of_page(database)

    def _rows_of_page(self, database: sqlite3.Connection) -> Iterator[Row]:
        keys = []
        with suppress(sqlite3.Error):
            keys += [row[self._key] for row in self._select(database, [self._key], "TRUE")]
        for key in keys:
            for names in (self._names, self._names[:-1]):
                try:
                    rows = list(self._select(database, names, f"{self._key} = ?", key))
                except sqlite3.Error:
                    continue
                yield from ({name: row.get(name) for name in self._names} for row in rows)
                break

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._copy)) as database:
            database.text_factory = text_or_bytes
            limit_lengths(database)
            end = time.monotonic() + _TIMEOUT  # A query on a damaged file could be endless.
            database.set_progress_handler(lambda: time.monotonic() > end, 100_000)
            with suppress(sqlite3.Error):
                database.execute("PRAGMA trusted_schema = OFF")
                database.execute("PRAGMA writable_schema = ON")  # Accepts a truncated file.
            yield database

    def _select(
        self, database: sqlite3.Connection, names: Sequence[str], where: str, *values: int
    ) -> Iterator[Row]:
        query = f"SELECT {', '.join(names)} FROM {self._table} WHERE {where}"
        return (dict(zip(names, row, strict=True)) for row in database.execute(query, values))
