"""The `sapper` command in this process: its exit code, and what it prints."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple
from unittest.mock import patch

from sapper.cli import main


class Done(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


def run_command(*arguments: object) -> Done:
    """Run a command. An error that it does not handle, which would be a traceback, is raised."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with patch.object(sys, "argv", ["sapper", *map(str, arguments)]):
        with redirect_stdout(out), redirect_stderr(err):
            try:
                main()
            except SystemExit as leaving:
                code = leaving.code
        for stream in (out, err):
            stream.flush()
    assert isinstance(code, int)
    printed = [stream.buffer.getvalue().decode() for stream in (out, err)]
    return Done(code, *printed)


def refusal(*arguments: object) -> str:
    """Run a command that must refuse its input; return the one line that it prints."""
    done = run_command(*arguments)
    assert (done.code, done.out) == (2, ""), done
    assert done.err.startswith("Error: ")
    assert done.err.count("\n") == 1
    assert done.err.endswith("\n")
    return done.err.removeprefix("Error: ").rstrip("\n")
