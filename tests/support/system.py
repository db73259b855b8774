"""System helpers: an unprivileged user, and a small disk."""

from __future__ import annotations

import encodings.utf_8_sig  # noqa: F401 - another user may not be able to import it later.
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

_NOBODY = 65534


@contextmanager
def ordinary_user() -> Iterator[Path]:
    """Enter a new folder of a user who may not write everywhere; root becomes another user for it."""
    if not hasattr(os, "geteuid"):
        pytest.skip("this system has no such users")
    with TemporaryDirectory(prefix="sapper-user-") as folder:
        if os.geteuid() != 0:
            yield Path(folder)
            return
        os.chown(folder, _NOBODY, -1)
        os.seteuid(_NOBODY)
        try:
            yield Path(folder)
        finally:
            os.seteuid(0)


@contextmanager
def small_disk(folder: Path, kibibytes: int) -> Iterator[Path]:
    """Mount a file system of this size on a new folder; skip the test where that is not allowed."""
    disk = folder / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={kibibytes}k,mode=700", "tmpfs", str(disk)]
    try:
        mounted = subprocess.run(command, check=False, capture_output=True).returncode == 0
    except FileNotFoundError:
        mounted = False
    if not mounted:
        pytest.skip("only root can mount a small disk")
    try:
        yield disk
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def fill(folder: Path) -> Path:
    """Write a file until the disk is full; return the file."""
    file = folder / "filling"
    with file.open("wb", buffering=0) as opened:
        try:
            while True:
                opened.write(bytes(1024))
        except OSError:
            return file
