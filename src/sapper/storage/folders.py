"""The player's folders for games and settings, and checks that they are safe to write to."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

from sapper.errors import BadFile, SapperError
from sapper.storage.files import describe_link, file_name

NAME: Final = "sapper"
_PRIVATE: Final = 0o700


def data_folder(folder: str | os.PathLike[str] | None = None) -> Path:
    """Return the folder for games: the given one, `SAPPER_DATA`, or the system's default.

    Raises `SapperError` if the system has no default.

    >>> data_folder("games").name
    'games'
    """
    return _folder(folder, "SAPPER_DATA", "user_data_path")


def config_folder(folder: str | os.PathLike[str] | None = None) -> Path:
    """Return the folder for settings: the given one, `SAPPER_CONFIG`, or the system's default.

    Raises `SapperError` if the system has no default.

    >>> config_folder("settings").name
    'settings'
    """
    return _folder(folder, "SAPPER_CONFIG", "user_config_path")


def _folder(folder: str | os.PathLike[str] | None, variable: str, default: str) -> Path:
    if folder is not None:
        return Path(folder)
    if os.environ.get(variable):
        path = Path(os.path.expanduser(os.environ[variable]))
        if path.parts[0].startswith("~"):
            raise SapperError(f"{variable} is {file_name(path)}, but there is no user {path.parts[0]}")
        return path
    import platformdirs  # Imported here because it is often not needed.

    try:
        path = getattr(platformdirs, default)(NAME, appauthor=False)
    except RuntimeError:
        path = Path("~")
    if not path.is_absolute():  # Older versions of platformdirs return this instead of an error.
        raise SapperError(
            f"your home folder is not known: set HOME to its absolute path, or {variable} to a folder"
        )
    return path


def make_private_folder(folder: Path) -> None:
    """Create a folder and its parents, accessible only to the owner; check the folder if it exists.

    Another user's folder raises `BadFile`: that user could replace files with links to yours.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as above:
    ...     make_private_folder(Path(above, "data", "sapper"))
    ...     oct(Path(above, "data").stat().st_mode)[-3:]
    '700'
    """
    if folder.is_symlink() and not folder.exists():
        raise BadFile(f"it is {describe_link(folder)}")
    if not folder.exists():
        if not folder.parent.exists():
            make_private_folder(folder.parent)
        folder.mkdir(mode=_PRIVATE, exist_ok=True)
    status = folder.stat()
    if not stat.S_ISDIR(status.st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    if _is_of_another_user(status):
        raise BadFile("it belongs to another user: choose a folder of your own")


def check_private_file(path: Path) -> None:
    """Raise `BadFile` if another user may have chosen the file that this path leads to.

    In a folder that everyone can write to, only your own regular files are accepted: no symbolic links,
    no hard links, and no files of other users. Elsewhere, symbolic links are followed.
    """
    try:
        status = path.lstat()
    except FileNotFoundError:
        return
    folder = path.parent.stat()
    if os.name == "nt" or not folder.st_mode & stat.S_IWOTH:
        return
    if stat.S_ISLNK(status.st_mode):
        trouble = "a symbolic link"
    elif _is_of_another_user(status):
        trouble = "another user's file"
    elif stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
        trouble = "a hard link"
    else:
        return
    raise BadFile(
        f"it is {trouble}, in a folder that everyone can write to."
        f" Make the folder private: chmod o-w {file_name(path.parent)}"
    )


def _is_of_another_user(status: os.stat_result) -> bool:
    return hasattr(os, "geteuid") and status.st_uid not in (os.geteuid(), 0)
