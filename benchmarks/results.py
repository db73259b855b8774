"""Measure and write docs/results.md: `python -m benchmarks.results`, three to six hours of CPU time.

Measures the rows one after the other, cheap ones first; adds each finished row to
benchmarks/results.jsonl; and writes the page and its charts. It can be stopped at any time, and resumes
where it stopped: finished rows are not measured again. Several processes may measure different rows at
the same time:

    python -m benchmarks.results --list              list the rows, and which are finished
    python -m benchmarks.results --only logic        rows with this word in their name
    python -m benchmarks.results --only strong-high table/strong/expert/open
    python -m benchmarks.results --again --only safest      measure again
    python -m benchmarks.results --page              only write the page, from finished rows
    python -m benchmarks.results --games 200 --data try.jsonl --docs try      a trial

With `--save FILE` the games of the tables are also saved in an SQLite database, as by
`sapper bench --save`, and an unfinished row is resumed from there.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.results_page import write_page
from benchmarks.support import command_line
from sapper.arena import Batch, Files, Plan
from sapper.arena.breakdown import Breakdown
from sapper.arena.survey import Densities, FirstClicks

DATA = Path(__file__).with_name("results.jsonl")
DOCS = Path(__file__).parents[1] / "docs"
LEVELS = ("beginner", "intermediate", "expert")
PROMISES = ("open", "safe", "none")
SEED = 2026
"""Never used to tune the players."""

QUICK = ("safest", "strong-fast", "strong")
SLOW = ("strong-high", "logic")
MAP_GAMES = {"beginner": 20_000, "intermediate": 20_000, "expert": 4_000}
"""For each first click, of which mirror images share their games."""
DENSITY_GAMES = {"safest": 10_000, "strong": 10_000, "logic": 1_000}
"""For each number of mines."""


@dataclass(frozen=True)
class Item:
    """A row to be measured."""

    kind: str
    agent: str
    level: str
    promise: str
    games: int

    @property
    def name(self) -> str:
        return f"{self.kind}/{self.agent}/{self.level}/{self.promise}"

    def is_meant(self, words: Sequence[str]) -> bool:
        """Return whether one of the words is its name, or a part of it."""
        return not words or any(word in (self.name, *self.name.split("/")) for word in words)

    def measure(self, jobs: int | None, save: Path | None) -> dict[str, Any]:
        """Measure the row and return it. Games that are already saved are not played again."""
        start = perf_counter()
        if self.kind == "table":
            measured = self._table(jobs, save)
        else:
            measured = self._clicks(jobs) if self.kind == "first-click" else self._densities(jobs)
        seconds = round(perf_counter() - start, 1)
        return {"name": self.name, "games": self.games, "seconds": seconds, **measured}

    def _table(self, jobs: int | None, save: Path | None) -> dict[str, Any]:
        plan = Plan.of(self.level, promise=self.promise, games=self.games, seed=SEED)
        breakdown = Breakdown.on(plan.setup.level)
        files = Files(save, resume=True)
        with Batch(plan, [self.agent], jobs=jobs, keep=False, files=files) as batch:
            batch.play(breakdown.add)
            result = batch.runs[0].result()
        return {
            "seconds": round(result.seconds, 1),
            "breakdown": breakdown.to_json(),
            "cpu_seconds_a_game": result.game_seconds,
        }

    def _clicks(self, jobs: int | None) -> dict[str, Any]:
        survey = FirstClicks(
            self.level, agent=self.agent, promise=self.promise, games=self.games, seed=SEED
        ).play(jobs=jobs)
        counts = {part.plan.setup.first: part.breakdown for part in survey.parts}
        return {
            "cells": [[*cell, breakdown.games, breakdown.wins] for cell, breakdown in counts.items()]
        }

    def _densities(self, jobs: int | None) -> dict[str, Any]:
        survey = Densities(
            self.level, agents=[self.agent], promise=self.promise, games=self.games, seed=SEED
        ).play(jobs=jobs)
        counts = survey.breakdowns[self.agent]
        return {
            "mines": [[mines, breakdown.games, breakdown.wins] for mines, breakdown in counts.items()]
        }


def items(games: int | None = None) -> list[Item]:
    """Return all rows, cheap ones first. `games` overrides their numbers of games."""

    def table(agents: Sequence[str]) -> Iterable[Item]:
        for level in LEVELS:
            for agent in agents:
                for promise in PROMISES:
                    yield Item("table", agent, level, promise, games or 100_000)

    def surveys(*agents: str) -> Iterable[Item]:
        for agent in agents:
            yield Item("density", agent, "expert", "safe", games or DENSITY_GAMES[agent])

    maps = [
        Item("first-click", "strong", level, promise, games or MAP_GAMES[level])
        for level in LEVELS
        for promise in ("safe", "open")
    ]
    return [*table(QUICK), *surveys("safest", "strong"), *maps, *surveys("logic"), *table(SLOW)]


# The rows on the disk ----------------------------------------------------------------------------


def read_rows(data: Path) -> dict[str, dict[str, Any]]:
    """Return the rows by name; of two with the same name, the later one.

    An incomplete line is ignored: its process was killed while writing it.
    """
    rows: dict[str, dict[str, Any]] = {}
    lines = data.read_text(encoding="utf-8").splitlines() if data.exists() else []
    for line in lines:
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            continue
        rows[row["name"]] = row
    return rows


def add_row(data: Path, row: Mapping[str, Any]) -> None:
    """Add a row to the file in a single write, so that several processes can add rows."""
    with data.open("ab+") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            is_whole = file.read(1) == b"\n"
        else:
            is_whole = True
        line = json.dumps(row, separators=(",", ":")) + "\n"
        file.write((line if is_whole else "\n" + line).encode())
        file.flush()
        os.fsync(file.fileno())


def is_finished(item: Item, rows: Mapping[str, Mapping[str, Any]]) -> bool:
    """Return whether the row has been measured with at least this many games."""
    return item.name in rows and int(rows[item.name]["games"]) >= item.games


# The command -------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the missing rows and write the page; return the exit code."""
    options = parser().parse_args(arguments)
    meant = [item for item in items(options.games) if item.is_meant(options.only)]
    if not meant:
        print(f"Error: no row is named {' or '.join(options.only)}", file=sys.stderr)
        return 2
    rows = read_rows(options.data)
    if options.list:
        for item in meant:
            there = rows[item.name]["games"] if item.name in rows else 0
            print(f"{item.name:45} {there:>9,} of {item.games:>9,} games")
        return 0
    due = [item for item in meant if options.again or not is_finished(item, rows)]
    try:
        for number, item in enumerate([] if options.page else due, start=1):
            print(f"{number}/{len(due)} {item.name}, {item.games:,} games", end="", flush=True)
            row = item.measure(options.jobs, options.save)
            add_row(options.data, row)
            print(f": {row['seconds']:.1f} s", flush=True)
    except KeyboardInterrupt:
        print("\nStopped; finished rows are saved.", file=sys.stderr)
        return 130
    rows = read_rows(options.data)  # Other processes may have added some.
    if not rows:
        print("Error: there are no rows to write", file=sys.stderr)
        return 2
    write_page(options.docs, [rows[item.name] for item in items() if item.name in rows])
    return 0


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = command_line(__doc__)
    parser.add_argument("--games", type=int, help="games per row, for a trial")
    parser.add_argument(
        "--only",
        nargs="+",
        default=[],
        metavar="NAME",
        help="rows with one of these words in their names",
    )
    parser.add_argument("--again", action="store_true", help="measure finished rows again")
    parser.add_argument("--page", action="store_true", help="only write the page")
    parser.add_argument("--list", action="store_true", help="only list the rows")
    parser.add_argument("--jobs", type=int, help="threads or processes (default: one per core)")
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="save the games of the tables in an SQLite database"
    )
    parser.add_argument("--data", type=Path, default=DATA, metavar="FILE", help="file with the rows")
    parser.add_argument(
        "--docs", type=Path, default=DOCS, metavar="DIRECTORY", help="directory of the page"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
