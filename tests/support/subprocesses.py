"""Commands in processes of their own, without a display and without a terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import sapper

ROOT = Path(__file__).parents[2]


PLAIN = {"SAPPER_ENGINE": sapper.engine_name}


def run(*arguments: str, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command without a display and without a terminal."""
    hidden = {"DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"}
    variables = {name: value for name, value in os.environ.items() if name not in hidden}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**variables, **PLAIN, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def sapper_command(
    *arguments: str, cwd: Path = ROOT, **environment: str
) -> subprocess.CompletedProcess[str]:
    return run("-m", "sapper", *arguments, cwd=cwd, **environment)
