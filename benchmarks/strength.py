"""How strong the players are, and for how much time: `python -m benchmarks.strength`.

Prints the tables of docs/strength.md. `--plot FILE` draws the share of expert games won by the time
they take, from a table that was printed before: `python -m benchmarks.strength > table.md`, then
`python -m benchmarks.strength --plot strength.svg < table.md`.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path
from typing import NamedTuple

from sapper.arena import Result, bench, compare
from sapper.statistics import Estimate

LEVELS = ("beginner", "intermediate", "expert")
PROMISES = ("open", "safe")
AGENTS = ("safest", "strong-fast", "strong", "strong-high")
SEED = 2026
"""Never used to tune the players."""


class Row(NamedTuple):
    """A line of the table."""

    level: str
    promise: str
    agent: str
    games: int
    rate: float
    low: float
    high: float
    milliseconds: float
    move_p99: float
    move_worst: float

    def __str__(self) -> str:
        return (
            f"| {self.level} | {self.promise} | `{self.agent}` | {self.games:,} |"
            f" {self.rate:.2f} ({self.low:.2f} to {self.high:.2f}) | {self.milliseconds:.3f} |"
            f" {self.move_p99:.2f} | {self.move_worst:.0f} |"
        )

    @classmethod
    def parse(cls, line: str) -> Row:
        """Return the row that was printed like this."""
        level, promise, agent, games, rate, game, p99, worst = line.strip().strip("|").split("|")
        value, low, _, high = rate.replace("(", "").replace(")", "").split()
        return cls(
            level.strip(),
            promise.strip(),
            agent.strip().strip("`"),
            int(games.replace(",", "")),
            *map(float, (value, low, high, game, p99, worst)),
        )


HEADER = """\
| level | promise | player | games | won, % (95 % interval) | ms a game | a move: 99 %, ms | worst, ms |
| --- | --- | --- | --- | --- | --- | --- | --- |"""


def row_of(result: Result) -> Row:
    rate, setup = result.rate, result.plan.setup
    return Row(
        str(setup.level.name),
        setup.promise.value,
        result.agent,
        result.games,
        100 * rate.value,
        100 * rate.low,
        100 * rate.high,
        1e3 * result.game_seconds,
        1e3 * result.times.quantile(0.99),
        1e3 * result.times.longest,
    )


def print_table(agents: list[str], levels: list[str], games: int) -> None:
    print(HEADER)
    for level in levels:
        for promise in PROMISES:
            for agent in agents:
                result = bench(level, agent=agent, promise=promise, games=games, seed=SEED)
                print(row_of(result), flush=True)


def points(estimate: Estimate) -> str:
    value, low, high = (100 * part for part in (estimate.value, estimate.low, estimate.high))
    return f"{value:+.2f} ({low:+.2f} to {high:+.2f})"


def print_comparison(first: str, second: str, games: int) -> None:
    for promise in PROMISES:
        both = compare(first, second, "expert", promise=promise, games=games, seed=SEED)
        print(HEADER, row_of(both.first), row_of(both.second), sep="\n")
        print(
            f"expert {promise}: {second} wins {points(both.difference)} points more than {first},"
            f" {points(both.score_difference)} with solved games scored by chance",
            flush=True,
        )


# The plot ----------------------------------------------------------------------------------------

WIDTH, HEIGHT, MARGIN = 640, 360, 56
COLOURS = {"open": "#1f6fb4", "safe": "#c2571a"}


def plot(rows: list[Row]) -> str:
    """Return a drawing: the share of games won by the CPU time of a game, which is on a log scale."""
    times = [math.log10(row.milliseconds) for row in rows]
    left, right = math.floor(min(times)), math.ceil(max(times))
    bottom = math.floor(min(row.low for row in rows) / 5) * 5
    top = math.ceil(max(row.high for row in rows) / 5) * 5

    def x(milliseconds: float) -> float:
        share = (math.log10(milliseconds) - left) / (right - left)
        return MARGIN + share * (WIDTH - 2 * MARGIN)

    def y(percent: float) -> float:
        return HEIGHT - MARGIN - (percent - bottom) / (top - bottom) * (HEIGHT - 2 * MARGIN)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    for power in range(left, right + 1):
        at = x(10.0**power)
        lines.append(f'<path d="M{at:.1f} {MARGIN}V{HEIGHT - MARGIN}" stroke="#ddd"/>')
        lines.append(
            f'<text x="{at:.1f}" y="{HEIGHT - MARGIN + 18}" text-anchor="middle">{10.0**power:g}</text>'
        )
    for percent in range(bottom, top + 1, 5):
        at = y(percent)
        lines.append(f'<path d="M{MARGIN} {at:.1f}H{WIDTH - MARGIN}" stroke="#ddd"/>')
        lines.append(f'<text x="{MARGIN - 8}" y="{at + 4:.1f}" text-anchor="end">{percent} %</text>')
    for promise in PROMISES:
        line = sorted((row for row in rows if row.promise == promise), key=lambda row: row.milliseconds)
        colour = COLOURS[promise]
        path = "L".join(f"{x(row.milliseconds):.1f} {y(row.rate):.1f}" for row in line)
        lines.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for index, row in enumerate(line):
            at, low, high = x(row.milliseconds), y(row.low), y(row.high)
            lines.append(f'<path d="M{at:.1f} {low:.1f}V{high:.1f}" stroke="{colour}"/>')
            lines.append(f'<circle cx="{at:.1f}" cy="{y(row.rate):.1f}" r="4" fill="{colour}"/>')
            beside = y(row.rate) + (-12 if index % 2 else 24)
            lines.append(
                f'<text x="{at:.1f}" y="{beside:.1f}" text-anchor="middle" fill="{colour}">'
                f"{row.agent} {row.rate:.1f}</text>"
            )
    lines.append(
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 14}" text-anchor="middle">CPU milliseconds a game</text>'
    )
    lines.append(
        f'<text x="{WIDTH / 2}" y="24" text-anchor="middle">expert games won: first click promised'
        f' <tspan fill="{COLOURS["open"]}">open</tspan> and'
        f' <tspan fill="{COLOURS["safe"]}">safe</tspan></text>'
    )
    return "\n".join([*lines, "</svg>\n"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--agents", nargs="+", default=list(AGENTS))
    parser.add_argument("--levels", nargs="+", default=list(LEVELS))
    parser.add_argument("--compare", nargs=2, metavar="AGENT", help="on the same expert boards instead")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the expert rows of a table")
    options = parser.parse_args()
    if options.plot:
        rows = [Row.parse(line) for line in sys.stdin if line.startswith("| expert")]
        options.plot.write_text(plot(rows), encoding="utf-8")
    elif options.compare:
        print_comparison(options.compare[0], options.compare[1], options.games)
    else:
        print_table(options.agents, options.levels, options.games)


if __name__ == "__main__":
    main()
