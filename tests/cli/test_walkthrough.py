"""The commands of the tutorial print what it shows."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import sapper

PAGE = (Path(__file__).parents[2] / "docs" / "walkthrough.md").read_text(encoding="utf-8")


def steps() -> list[tuple[str, str]]:
    """Return the commands of the page, and what they are to print."""
    blocks = re.findall(r"(?:^    .*\n|^\n(?=    ))+", PAGE, re.MULTILINE)
    shown = "\n".join(line[4:] for block in blocks for line in block.splitlines())
    parts = re.split(r"^\$ ", shown, flags=re.MULTILINE)[1:]
    return [
        (command.strip(), printed) for command, _, printed in (part.partition("\n") for part in parts)
    ]


@pytest.mark.skipif(sapper.engine_name == "python", reason="reviews estimate with the compiled engine")
def test_the_commands_of_the_tutorial_print_what_it_shows(tmp_path: Path) -> None:
    found = steps()
    assert len(found) >= 7
    for command, expected in found:
        name, *words = command.split()
        assert name == "sapper", command
        done = subprocess.run(
            [sys.executable, "-c", "from sapper.cli import main; main()", *words],
            cwd=tmp_path,
            env={**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "200"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        )
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        assert doctest.OutputChecker().check_output(expected, done.stdout, flags), done.stdout
    assert (tmp_path / "lost.html").read_text(encoding="utf-8").lower().startswith("<!doctype html>")
    record = sapper.read(tmp_path / "lost.json")
    assert isinstance(record, sapper.Record)
    assert record.outcome is sapper.Outcome.LOST
