"""A program that starts `sapper engine` and asks it for a move."""

import sys
from subprocess import PIPE, Popen

COMMAND = [
    sys.executable,
    "-c",
    "from sapper.cli import main; main()",
    "engine",
]  # Or ["sapper", "engine"].

with Popen(COMMAND, stdin=PIPE, stdout=PIPE, text=True) as engine:
    assert engine.stdin is not None
    assert engine.stdout is not None
    for line in ("sapper", "position 4x4/3 ####/12##/.1##/.111", "go"):
        print(line, file=engine.stdin, flush=True)
        print(f"{line} -> {engine.stdout.readline().strip()}")
    engine.stdin.close()
