"""Output files of commands: checked before any work is done, and never overwritten by accident."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from sapper.errors import BadFile
from sapper.storage.files import check_apart, check_writable, file_name


def check_outputs(
    outputs: Mapping[str, Path | None],
    inputs: Mapping[str, str | Path | None] | None = None,
    *,
    force: bool,
) -> None:
    """Raise an error if an output cannot be written, or would destroy another file.

    The keys say what the files are. An output must differ from all other files; an existing file is
    overwritten only with `force`. Devices and pipes are written to.

    >>> check_outputs({"the picture": Path("p.txt")}, {"the input": "./p.txt"}, force=True)
    Traceback (most recent call last):
    sapper.errors.SapperError: p.txt cannot be both the input and the picture
    """
    sources = {
        name: None if file in (None, "-") else Path(file) for name, file in (inputs or {}).items()
    }
    check_apart(outputs, sources)
    for file in outputs.values():
        if file is not None:
            check_output(file, force=force)


def check_output(file: Path, *, force: bool) -> None:
    """Raise an error if a file cannot be written, or exists and may not be overwritten."""
    check_writable(file)
    is_special = file.exists() and not file.is_file()
    if not force and os.path.lexists(file) and not is_special:
        raise BadFile(f"{file_name(file)} already exists: use --force to overwrite it")
