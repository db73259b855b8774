"""What several benchmarks share: their command lines, percentiles, progress and folders."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from sapper import Limit

IMAGES = Path(__file__).parents[1] / "docs" / "images"
UNLIMITED = Limit(seconds=3600, states=10**12)
"""In effect no limit: a benchmark measures how long a call takes, not whether it is cut short."""


class _HelpFormatter(argparse.ArgumentDefaultsHelpFormatter, argparse.RawDescriptionHelpFormatter):
    """Keeps the line breaks of the description, and shows defaults other than None, False and []."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return super()._get_help_string(action) if action.default else action.help


def command_line(description: str | None) -> argparse.ArgumentParser:
    """Return a parser whose help is a module's docstring and a list of its options."""
    return argparse.ArgumentParser(description=description, formatter_class=_HelpFormatter)


def image_folder(description: str | None) -> Path:
    """Return the folder that the command line names for images, and create it."""
    parser = command_line(description)
    parser.add_argument("folder", nargs="?", type=Path, default=IMAGES, help="folder for the images")
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the value that this percentage of the values does not exceed.

    >>> percentile([3.0, 1.0, 2.0], 50), percentile(range(101), 99)
    (2.0, 99)
    """
    return sorted(values)[int(percent / 100 * (len(values) - 1))]


def show_progress(text: str) -> None:
    """Replace the current line on standard error."""
    print(f"\r  {text}", end="", file=sys.stderr, flush=True)


def end_progress() -> None:
    """Keep the last line of progress, and begin a new one."""
    print(file=sys.stderr)
