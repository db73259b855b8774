"""Files on the disk: read with a limit, written whole or not at all, and named in errors."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import chain, count
from pathlib import Path
from typing import BinaryIO, Final

from sapper._quoting import quoted
from sapper.errors import BadFile, SapperError

_LONGEST_NAME: Final = 1000
"""Longer names of files are cut in messages."""


def file_name(path: str | os.PathLike[str]) -> str:
    """Return the name of a file as messages show it: printable, on one line, and not too long.

    >>> file_name("game.json"), file_name("two\\nlines")
    ('game.json', "'two\\\\nlines'")
    """
    name = os.fspath(path)
    return (
        name if name.isprintable() and 0 < len(name) <= _LONGEST_NAME else quoted(name, _LONGEST_NAME)
    )


@contextmanager
def errors_named(path: str | os.PathLike[str], trouble: str) -> Iterator[None]:
    """Name the file in errors; `trouble` says what cannot be done with it if it is the disk's."""
    try:
        yield
    except OSError as error:
        raise BadFile(f"{file_name(path)}: {trouble}: {error.strerror or error}") from error
    except SapperError as error:
        raise BadFile(f"{file_name(path)}: {error}") from error
    except ValueError as error:  # A name that no file can have, with a null character in it.
        raise BadFile(f"{file_name(path)}: {trouble}: {error}") from error


def read_limited(path: Path, most: int) -> bytes:
    """Return the bytes of a file that has at most so many, and some."""
    if path.is_dir():
        raise BadFile("it is a folder")
    if not stat.S_ISREG(path.stat().st_mode):
        raise BadFile("it is not a file")
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise BadFile(f"it has more than the {most:,} bytes that are read")
    if not data:
        raise BadFile("it is empty")
    return data


class Replacement:
    """A file that is written beside another, bit by bit, and takes its place when it is whole.

    In a `with` statement: after an error the other is as it was before.
    """

    def __init__(self, path: Path) -> None:
        self._path = Path(os.path.realpath(path))  # What a link leads to is replaced, not the link.
        if self._path.exists() and not self._path.is_file():
            raise BadFile("it is a folder" if self._path.is_dir() else "it is not a file")
        self._beside = self._path.with_name(f".sapper-{secrets.token_hex(8)}")
        self.file: BinaryIO = self._beside.open("xb")

    def __enter__(self) -> BinaryIO:
        return self.file

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if error is None:
            self.finish()
        else:
            self.discard()

    def finish(self) -> None:
        """Put it in the other's place."""
        try:
            self.file.close()
            if self._path.exists():
                self._beside.chmod(stat.S_IMODE(self._path.stat().st_mode))
            self._beside.replace(self._path)
        except BaseException:
            self.discard()
            raise

    def discard(self) -> None:
        """Leave the other as it was."""
        with suppress(OSError):
            self.file.close()
        with suppress(OSError):
            self._beside.unlink()


def replace_file(path: Path, data: bytes | bytearray) -> None:
    """Write a file whole: beside it first, then in its place. If that fails it is as it was before."""
    with Replacement(path) as file:
        file.write(data)


def write_text(file: Path, text: str) -> None:
    """Write a file whole or not at all; a pipe or a device cannot be replaced, and is written to."""
    with errors_named(file, "it cannot be written"):
        if file.exists() and not file.is_file() and not file.is_dir():
            file.write_text(text, encoding="utf-8")
        else:
            replace_file(file, text.encode())


def check_apart(files: Mapping[str, Path | None]) -> None:
    """Raise an error if one file is to be two things; those that are None are not asked for."""
    seen: dict[Path, str] = {}
    for kind, file in files.items():
        if file is not None:
            other = seen.setdefault(file.resolve(), kind)
            if other != kind:
                raise SapperError(f"{file} cannot be both {other} and {kind}")


def check_writable(file: Path) -> None:
    """Raise an error if a file cannot be written; it is left as it was, or missing."""
    is_new = not file.exists()
    try:
        file.open("ab").close()
    except OSError as error:
        raise BadFile(f"{file_name(file)} cannot be written: {error.strerror}") from error
    if is_new:
        file.unlink()


def move_aside(path: Path) -> Path:
    """Give a broken file a name of its own that ends with `.broken`, and return it: nothing is lost."""
    names = (f"{path.name}{number}.broken" for number in chain([""], (f".{n}" for n in count(2))))
    aside = next(path.with_name(name) for name in names if not os.path.lexists(path.with_name(name)))
    path.rename(aside)
    return aside
