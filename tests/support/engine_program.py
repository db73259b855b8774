"""The command that starts the engine protocol."""

from __future__ import annotations

import sys

ENGINE = [sys.executable, "-c", "from sapper.cli import main; main()", "engine"]
