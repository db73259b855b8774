"""Win rates and CPU times of the agents: `python -m benchmarks.strength`.

Prints the tables in docs/strength.md. `--plot FILE` draws the win rate on expert by CPU time, from a
table on standard input. This redraws the chart in the docs:

    python -m benchmarks.strength --plot docs/images/strength.svg < docs/strength.md

If an agent has two rows, the first one is drawn.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

from benchmarks.results import LEVELS, PROMISES, SEED
from benchmarks.support import command_line
from sapper.arena import Result, bench, compare
from sapper.arena.statistics import Estimate
from sapper.drawing.charts import Line, Point, draw_lines
from sapper.errors import SapperError

AGENTS = ("safest", "strong-fast", "strong", "strong-high")
RULES = ("open", "safe")
"""The promises that most solvers are measured with; these are compared and drawn."""


class Row(NamedTuple):
    """A row of the table."""

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
        """Return the row that was printed as this line."""
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
| level | promise | player | games | won, % (95 % interval) | ms per game | p99 of moves, ms | longest |
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


def print_table(agents: list[str], levels: list[str], promises: list[str], games: int) -> None:
    print(HEADER)
    for level in levels:
        for promise in promises:
            for agent in agents:
                result = bench(level, agent=agent, promise=promise, games=games, seed=SEED)
                print(row_of(result), flush=True)


def points(estimate: Estimate) -> str:
    value, low, high = (100 * part for part in (estimate.value, estimate.low, estimate.high))
    return f"{value:+.2f} ({low:+.2f} to {high:+.2f})"


def print_comparison(first: str, second: str, games: int) -> None:
    for promise in RULES:
        both = compare(first, second, "expert", promise=promise, games=games, seed=SEED)
        print(HEADER, row_of(both.first), row_of(both.second), sep="\n")
        print(
            f"expert {promise}: {second} wins {points(both.difference)} points more than {first},"
            f" {points(both.score_difference)} adjusted for luck in guesses",
            flush=True,
        )


# The plot ----------------------------------------------------------------------------------------


def plot(rows: list[Row]) -> str:
    """Return a chart of the win rate by CPU time per game, on a logarithmic scale."""
    lines = []
    for promise in RULES:
        once = {row.agent: row for row in reversed(rows) if row.promise == promise}
        chosen = sorted(once.values(), key=lambda row: row.milliseconds)
        points = [
            Point(
                row.milliseconds,
                row.rate / 100,
                row.low / 100,
                row.high / 100,
                f"{row.agent} {row.rate:.1f}",
            )
            for row in chosen
        ]
        lines.append(Line(f"promise: {promise}", points))
    return draw_lines(
        "Expert games won",
        lines,
        across="CPU milliseconds per game",
        is_logarithmic=True,
        from_zero=False,
    )


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--games", type=int, default=100_000, help="games per row")
    parser.add_argument("--agents", nargs="+", default=list(AGENTS), help="agents to measure")
    parser.add_argument("--levels", nargs="+", default=list(LEVELS), help="levels to play")
    parser.add_argument(
        "--promises", nargs="+", default=list(PROMISES), help="guarantees for the first click"
    )
    parser.add_argument(
        "--compare",
        nargs=2,
        metavar="AGENT",
        help="compare two agents on the same expert boards instead",
    )
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="draw the expert rows of a table from standard input"
    )
    options = parser.parse_args()
    if options.plot:
        rows = [Row.parse(line) for line in sys.stdin if line.startswith("| expert")]
        options.plot.write_text(plot(rows), encoding="utf-8")
        return
    try:
        if options.compare:
            print_comparison(options.compare[0], options.compare[1], options.games)
        else:
            print_table(options.agents, options.levels, options.promises, options.games)
    except SapperError as reason:
        parser.error(str(reason))
    except KeyboardInterrupt:
        sys.exit("\nStopped.")


if __name__ == "__main__":
    main()
