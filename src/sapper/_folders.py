"""Folders of a player: where finished games and settings are kept."""

from __future__ import annotations

import os
from pathlib import Path

NAME = "sapper"


def data_folder(folder: str | os.PathLike[str] | None = None) -> Path:
    """Return where games are kept: a folder given, that of `SAPPER_DATA`, or the system's own.

    >>> data_folder("games").name
    'games'
    """
    return _chosen(folder, "SAPPER_DATA", "user_data_path")


def config_folder(folder: str | os.PathLike[str] | None = None) -> Path:
    """Return where settings are kept: a folder given, that of `SAPPER_CONFIG`, or the system's own.

    >>> config_folder("settings").name
    'settings'
    """
    return _chosen(folder, "SAPPER_CONFIG", "user_config_path")


def _chosen(folder: str | os.PathLike[str] | None, variable: str, usual: str) -> Path:
    if folder is not None:
        return Path(folder)
    if os.environ.get(variable):
        return Path(os.environ[variable])
    import platformdirs  # Here and not above: it is only needed where nothing was chosen.

    path: Path = getattr(platformdirs, usual)(NAME, appauthor=False)
    return path
