"""Files: reading with a size limit, atomic writing, and errors that name the file."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import chain, count
from pathlib import Path
from typing import BinaryIO, Final

from sapper.errors import BadFile, SapperError

PRIVATE: Final = 0o600
"""The permissions of files with personal data: only the owner may read and write them."""
_DEFAULT_MODE: Final = 0o666
"""The permissions of other new files. The umask applies to both."""
_LONGEST_NAME_SHOWN: Final = 300


def file_name(path: str | os.PathLike[str]) -> str:
    """Return the name of a file for a message: printable, on one line, and not too long.

    >>> file_name("game.json"), file_name("two\\nlines")
    ('game.json', "'two\\\\nlines'")
    """
    name = os.fspath(path)
    if len(name) > _LONGEST_NAME_SHOWN:
        name = f"{name[: _LONGEST_NAME_SHOWN // 2]}...{name[-_LONGEST_NAME_SHOWN // 2 :]}"
    return name if name and name.isprintable() else repr(name)


def system_text(error: OSError) -> str:
    """Return what the operating system says about an error, in lower case like our messages.

    >>> system_text(FileNotFoundError(2, "No such file or directory"))
    'no such file or directory'
    """
    text = error.strerror or str(error)
    return text[:1].lower() + text[1:]


@contextmanager
def errors_named(path: str | os.PathLike[str], action: str) -> Iterator[None]:
    """Name the file in errors. `action` says what has failed, such as `read` or `write`.

    >>> with errors_named("game.json", "read"):
    ...     raise FileNotFoundError(2, "No such file or directory")
    Traceback (most recent call last):
    sapper.errors.BadFile: cannot read game.json: no such file or directory
    """
    try:
        yield
    except OSError as error:
        raise BadFile(f"cannot {action} {file_name(path)}: {system_text(error)}") from error
    except SapperError as error:
        raise BadFile(f"{file_name(path)}: {error}") from error
    except ValueError as error:  # No file can have a name with a null character.
        raise BadFile(f"cannot {action} {file_name(path)}: {error}") from error


def describe_link(path: Path) -> str:
    """Return what is wrong with a broken symbolic link.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Path(folder, "link").symlink_to("nowhere")
    ...     describe_link(Path(folder, "link"))
    'a symbolic link to nowhere, which does not exist: restore the target or delete the link'
    """
    try:
        path.stat()
    except FileNotFoundError:
        trouble = "which does not exist"
    except OSError as error:
        trouble = f"which cannot be used: {system_text(error)}"
    except RuntimeError:  # Python 3.10 to 3.12 report some loops this way.
        trouble = "which is a loop"
    else:
        trouble = "which exists"
    target = file_name(os.readlink(path))
    return f"a symbolic link to {target}, {trouble}: restore the target or delete the link"


def read_limited(path: Path, most: int) -> bytes:
    """Return the content of a file. An empty file, or one of more than `most` bytes, is an error."""
    if path.is_symlink() and not path.exists():
        raise BadFile(f"it is {describe_link(path)}")
    if path.is_dir():
        raise BadFile("it is a directory")
    if not stat.S_ISREG(path.stat().st_mode):
        raise BadFile("it is not a file")
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise BadFile(f"it is larger than {most:,} bytes")
    if not data:
        raise BadFile("it is empty")
    return data


class Replacement:
    """A temporary file that replaces another file when it is complete.

    Use it in a `with` statement. After an error, the other file is unchanged.
    """

    def __init__(self, path: Path, *, mode: int = _DEFAULT_MODE) -> None:
        """Replace a file, or the target of a symbolic link. `mode` applies only to a new file."""
        self._path = Path(os.path.realpath(path))
        if self._path.is_symlink():  # `realpath` leaves only loops unresolved.
            raise BadFile(f"it is {describe_link(path)}")
        if self._path.exists():
            if not self._path.is_file():
                raise BadFile("it is a directory" if self._path.is_dir() else "it is not a file")
            if not _may_write(self._path):
                raise BadFile("it is read-only")
        self._temporary = self._path.with_name(f".sapper-{secrets.token_hex(8)}")
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
        self.file: BinaryIO = os.fdopen(os.open(self._temporary, flags, mode), "wb")

    def __enter__(self) -> BinaryIO:
        return self.file

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if error is None:
            self.finish()
        else:
            self.discard()

    def finish(self) -> None:
        """Replace the other file."""
        try:
            self.file.flush()
            os.fsync(self.file.fileno())  # Otherwise a power failure could leave an empty file.
            self.file.close()
            if self._path.exists():
                self._temporary.chmod(stat.S_IMODE(self._path.stat().st_mode))
            self._temporary.replace(self._path)
        except BaseException:
            self.discard()
            raise

    def discard(self) -> None:
        """Delete this file and leave the other one unchanged."""
        with suppress(OSError):
            self.file.close()
        with suppress(OSError):
            self._temporary.unlink()


def replace_file(path: Path, data: bytes | bytearray, *, mode: int = _DEFAULT_MODE) -> None:
    """Write a file atomically. `mode` applies to a new file; an existing one keeps its permissions."""
    with Replacement(path, mode=mode) as file:
        file.write(data)


def write_text(file: Path, text: str) -> None:
    """Write a text file atomically. A pipe or a device is written to, not replaced."""
    with errors_named(file, "write"):
        if _is_special(file):
            file.write_text(text, encoding="utf-8")
        else:
            replace_file(file, text.encode())


def _may_write(path: Path) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _is_special(path: Path) -> bool:
    """Return whether the path is neither a regular file nor a directory, but a pipe, for example."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


# Checks before writing ---------------------------------------------------------------------------


def check_apart(
    outputs: Mapping[str, Path | None], inputs: Mapping[str, Path | None] | None = None
) -> None:
    """Raise an error if two outputs, or an output and an input, are the same file.

    The keys describe the files for the error message. Paths that are None are ignored. Symbolic links
    and hard links to the same file count as the same file. Devices and pipes may be repeated. Files to
    which the standard streams are redirected are included.

    >>> check_apart({"the picture": Path("p.txt")}, {"the position": Path("./p.txt")})
    Traceback (most recent call last):
    sapper.errors.SapperError: p.txt cannot be both the position and the picture
    """
    seen: dict[object, str] = dict(_redirections())
    for kind, file in (*(inputs or {}).items(), *outputs.items()):
        if file is None or _is_special(file):
            continue
        for identity in _identities(file):
            other = seen.setdefault(identity, kind)
            if other != kind and kind in outputs:
                raise SapperError(f"{file_name(file)} cannot be both {other} and {kind}")


def _redirections() -> Iterator[tuple[object, str]]:
    """Generate the identities of files that the standard streams are redirected from or to."""
    for number, name in enumerate(("standard input", "standard output", "standard error")):
        with suppress(OSError):
            status = os.fstat(number)
            if stat.S_ISREG(status.st_mode) and status.st_ino:
                yield (status.st_dev, status.st_ino), name


def _identities(file: Path) -> Iterator[object]:
    """Generate keys that are equal for two paths of the same file."""
    with suppress(OSError, ValueError):
        yield os.path.normcase(os.path.realpath(file))
    with suppress(OSError, ValueError):
        status = file.stat()
        if status.st_ino:
            yield status.st_dev, status.st_ino


def check_writable(file: Path) -> None:
    """Raise an error if a file cannot be written. The file is not changed."""
    try:
        if _is_special(file):
            if not _may_write(file):
                raise BadFile("permission denied")
            return
        Replacement(file).discard()
    except OSError as error:
        raise BadFile(f"cannot write {file_name(file)}: {system_text(error)}") from error
    except ValueError as error:  # A `SapperError`, or a name with a null character.
        raise BadFile(f"cannot write {file_name(file)}: {error}") from error


def move_aside(path: Path) -> Path:
    """Rename a broken file so that its name ends with `.broken`; return the new path."""
    aside = unused_name(path)
    path.rename(aside)
    return aside


def unused_name(path: Path) -> Path:
    """Return an unused name for a broken file: `x.broken`, `x.2.broken` and so on.

    >>> unused_name(Path("history.sqlite")).name
    'history.sqlite.broken'
    """
    names = (f"{path.name}{number}.broken" for number in chain([""], (f".{n}" for n in count(2))))
    return next(path.with_name(name) for name in names if not os.path.lexists(path.with_name(name)))
