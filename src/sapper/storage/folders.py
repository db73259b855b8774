"""Folders of a player: where finished games and settings are kept, and who may write there."""

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
    """Return where games are kept: the given folder, `SAPPER_DATA`, or the system's usual one.

    Raises a `SapperError` if the system names no such folder.

    >>> data_folder("games").name
    'games'
    """
    return _chosen(folder, "SAPPER_DATA", "user_data_path")


def config_folder(folder: str | os.PathLike[str] | None = None) -> Path:
    """Return where settings are kept: the given folder, `SAPPER_CONFIG`, or the system's usual one.

    Raises a `SapperError` if the system names no such folder.

    >>> config_folder("settings").name
    'settings'
    """
    return _chosen(folder, "SAPPER_CONFIG", "user_config_path")


def _chosen(folder: str | os.PathLike[str] | None, variable: str, usual: str) -> Path:
    if folder is not None:
        return Path(folder)
    if os.environ.get(variable):
        path = Path(os.path.expanduser(os.environ[variable]))
        if path.parts[0].startswith("~"):
            raise SapperError(f"{variable} is {file_name(path)}, but there is no user {path.parts[0]}")
        return path
    import platformdirs  # Imported here because it is needed only where nothing was chosen.

    try:
        path = getattr(platformdirs, usual)(NAME, appauthor=False)
    except RuntimeError:
        path = Path("~")
    if not path.is_absolute():  # Older versions of platformdirs answer this instead of an error.
        raise SapperError(
            f"your home folder is not known: set HOME to its absolute path, or {variable} to a folder"
        )
    return path


def make_private_folder(folder: Path) -> None:
    """Create a folder, and those above it, that only the owner may enter; check one that exists.

    A folder of another user raises a `BadFile`: that user could replace files with links to yours.

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
    """Raise a `BadFile` if writing to this name could change a file that another user chose.

    In a folder that everybody may write to, only plain files of your own are used: no symbolic links,
    no files with several names, and no files of others. Elsewhere, symbolic links are followed.
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
        trouble = "a file of another user"
    elif stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
        trouble = "a hard link"
    else:
        return
    raise BadFile(
        f"it is {trouble}, in a folder that everybody may write to."
        f" Make the folder private: chmod o-w {file_name(path.parent)}"
    )


def _is_of_another_user(status: os.stat_result) -> bool:
    return hasattr(os, "geteuid") and status.st_uid not in (os.geteuid(), 0)
