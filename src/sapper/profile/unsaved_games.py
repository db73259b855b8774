"""Unsaved games: finished games that could not be added to the history yet, in separate files."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from sapper.errors import BadFile
from sapper.formats.files import MOST_BYTES
from sapper.storage.database import Row
from sapper.storage.files import PRIVATE, errors_named, move_aside, read_limited, replace_file
from sapper.storage.folders import make_private_folder

_SUFFIX: Final = ".json"


class UnsavedGames:
    """A folder with one file per game. The name of a file is the game's token and is never reused.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     unsaved = UnsavedGames(Path(folder, "unsaved"))
    ...     unsaved.add({"finished": "2026-05-01T12:00:00+00:00", "level": "expert"})
    ...     [row["level"] for row in unsaved.read().values()]
    ['expert']
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.broken: list[Path] = []
        """The files that `read` could not read, under their new names."""

    def add(self, row: Row) -> None:
        """Save a game in a new file; raise `BadFile` if that fails."""
        with errors_named(self.folder, "write"):
            make_private_folder(self.folder)
            # Numbers, not dates, keep the order: the clock may have been set back.
            numbers = [path.name.partition("-")[0] for path in self._files()]
            last = max((int(number) for number in numbers if number.isdecimal()), default=0)
            path = self.folder / f"{last + 1:06}-{secrets.token_hex(8)}{_SUFFIX}"
            replace_file(path, json.dumps(row).encode(), mode=PRIVATE)

    def read(self) -> dict[str, Row]:
        """Return the games by token, oldest first. Invalid files are renamed."""
        rows = {}
        for path in self._files():
            try:
                row = json.loads(read_limited(path, MOST_BYTES))
                if not isinstance(row, dict):
                    raise BadFile("it is not a JSON object")
                rows[path.stem] = row
            except (RecursionError, ValueError):
                self.set_aside(path.stem)
            except OSError:  # It may be readable next time.
                continue
        return rows

    def set_aside(self, token: str) -> None:
        """Rename an invalid file."""
        with suppress(OSError):
            self.broken.append(move_aside(self.folder / f"{token}{_SUFFIX}"))

    def remove(self, tokens: Iterable[str]) -> None:
        """Delete the files of games that have been added, and the folder if it is empty."""
        for token in tokens:
            with suppress(OSError):
                (self.folder / f"{token}{_SUFFIX}").unlink()
        with suppress(OSError):
            self.folder.rmdir()

    def _files(self) -> Iterator[Path]:
        with suppress(OSError):
            yield from sorted(path for path in self.folder.iterdir() if path.suffix == _SUFFIX)
