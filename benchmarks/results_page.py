"""docs/results.md and its pictures, from rows that `python -m benchmarks.results` has measured."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sapper.arena.breakdown import Breakdown
from sapper.arena.survey import FirstClicks
from sapper.arena.survey_charts import draw_densities, draw_first_clicks, draw_guesses, draw_losses
from sapper.game.setup import Setup
from sapper.levels import Level, Promise
from sapper.position import Cell
from sapper.storage.files import replace_file

PUBLISHED = Path(__file__).with_name("published.json")
AGENTS = ("logic", "safest", "strong-fast", "strong", "strong-high")
LEVELS = ("beginner", "intermediate", "expert")
PROMISES = ("open", "safe", "none")

Row = Mapping[str, Any]
Rows = Mapping[tuple[str, str, str, str], Row]
"""Rows by kind, agent, level and promise."""

HEAD = """\
# Results

How often the agents win, measured on boards drawn from seeds, so anyone can repeat it.
`python -m benchmarks.results` makes this page, its pictures and all of Sapper's figures from
`benchmarks/results.jsonl`, which contains its measurements. The [published results](#published-results)
of other solvers, and [our measurements of them](#other-solvers-measured-by-us), are listed separately.

*Open*: the first click is at row 4, column 4, and it has no adjacent mines. *Safe*: it is in the corner
and is not a mine. *None*: it is in the corner and may be a mine. Intervals are Wilson's 95 % intervals.
*Won without a guess* is the share of all games in which the agent never opened a cell that it did not
know to be safe; an agent that knows less guesses more often. The first click does not count as a guess.
Times are CPU times. They depend on the machine and its load, and are accurate to about a third.

[Strength](strength.md) explains where the strength comes from, [the arena](arena.md) how games are
played, and [plots](plots.md) how to draw such pictures for any agent and board.
"""
COLUMNS = (
    "promise, agent, games, won %, 95 % interval, won without a guess %, guesses per game, ms per game"
)
CLICKS = """\
The win rate of `strong` for each first click, in percent. Cells that are mirror images of each other
share their games. With so many cells, the best and the worst are partly luck: the intervals are above
each map.
"""
GUESSES = """\
The number of guesses in expert games of `strong`, and the win rate by that number.
"""
LOSSES = """\
The cells whose mines ended the expert games that `strong` lost, and how many safe cells were open by
then.
"""
PUBLISHED_HEAD = """\
These figures come from the sources, on other boards than ours; the sources define the intervals. The
paper's beginner boards have 8x8 cells and are omitted.
"""
MEASURED_HEAD = """\
All of these solvers played the same fixed boards, which are not those of the tables above. ± is one
standard error, and times are CPU milliseconds per expert game. Empty cells were not measured.
"""
HOW = """\
`python -m benchmarks.results` measures the rows one after the other and resumes where it was stopped.
`--list` lists the rows, `--only NAME ...` measures some of them, `--again` measures them again, and
`--page` writes this page from the existing rows. The boards are those of the seed 2026, which were
never used to tune a player. The {count} rows took {hours:.1f} hours, one after the other.
"""


def write_page(docs: Path, rows: Sequence[Row]) -> None:
    """Write the page and its pictures into a folder, from as many rows as there are."""
    named: Rows = {tuple(row["name"].split("/")): row for row in rows}
    (docs / "images").mkdir(parents=True, exist_ok=True)
    pictures = dict(_pictures(named))
    for name, picture in pictures.items():
        replace_file(docs / "images" / f"results-{name}.svg", picture.encode())
    replace_file(docs / "results.md", "\n".join(_lines(named, list(pictures))).encode())


def _lines(rows: Rows, pictures: Sequence[str]) -> Iterator[str]:
    yield HEAD
    yield from _tables(rows)
    yield from _maps(rows, pictures)
    yield from _charts(pictures)
    yield from _others()
    yield from _how(rows)


# Our own -----------------------------------------------------------------------------------------


def _tables(rows: Rows) -> Iterator[str]:
    yield "## Games won\n"
    for level in LEVELS:
        lines = [
            _table_line(agent, promise, rows["table", agent, level, promise])
            for promise in PROMISES
            for agent in AGENTS
            if ("table", agent, level, promise) in rows
        ]
        if lines:
            yield f"### {level.capitalize()}, {Level.named(level).size}\n"
            yield from _header(COLUMNS)
            yield from lines
            yield ""


def _header(columns: str) -> Iterator[str]:
    names = columns.split(", ")
    yield f"| {' | '.join(names)} |"
    yield "| --- " * len(names) + "|"


def _table_line(agent: str, promise: str, row: Row) -> str:
    breakdown = Breakdown.from_json(row["breakdown"])
    rate, low, high = (
        100 * part for part in (breakdown.rate.value, breakdown.rate.low, breakdown.rate.high)
    )
    guesses = (
        sum(number * games for number, games in breakdown.games_by_guesses.items()) / breakdown.games
    )
    sure = 100 * breakdown.wins_by_guesses[0] / breakdown.games
    return (
        f"| {promise} | `{agent}` | {breakdown.games:,} | {rate:.2f} | {_unbroken(low, high)} |"
        f" {sure:.2f} | {guesses:.2f} | {1e3 * row['cpu_seconds_a_game']:.3f} |"
    )


def _unbroken(low: float, high: float) -> str:
    """Return an interval that stays on one line of a table."""
    return f"{low:.2f} to {high:.2f}".replace(" ", "\N{NO-BREAK SPACE}")


def _maps(rows: Rows, pictures: Sequence[str]) -> Iterator[str]:
    if not any(kind == "first-click" for kind, *_ in rows):
        return
    yield "## The first click\n"
    yield CLICKS
    yield from _header("level, promise, games per first click, best %, worst %")
    for level in LEVELS:
        for promise in PROMISES:
            row = rows.get(("first-click", "strong", level, promise))
            if row is not None:
                best, worst = _extremes(row)
                yield f"| {level} | {promise} | {row['games']:,} | {best} | {worst} |"
    yield ""
    for name in pictures:
        if name.startswith("first-click"):
            _, _, level, promise = name.rsplit("-", 3)
            title = f"{level.capitalize()}, {promise}: games won by first click"
            yield f"![{title}](images/results-{name}.svg)\n"


def _extremes(row: Row) -> tuple[str, str]:
    """Return the best first click and the worst, in words."""
    rates = {(i, j): Breakdown(1, games, wins).rate for i, j, games, wins in row["cells"]}
    ordered = sorted(rates, key=lambda cell: rates[cell].value)
    return _click(ordered[-1], rates[ordered[-1]].value), _click(ordered[0], rates[ordered[0]].value)


def _click(cell: Cell, rate: float) -> str:
    return f"{100 * rate:.1f} at row {cell[0] + 1}, column {cell[1] + 1}"


def _charts(pictures: Sequence[str]) -> Iterator[str]:
    if "density-expert-safe" in pictures:
        yield "## Density of mines\n"
        yield "On boards of expert's size. The bands are the intervals.\n"
        yield "![Games won by the density of mines](images/results-density-expert-safe.svg)\n"
    for kind, title, words in (
        ("guesses", "Guesses", GUESSES),
        ("losses", "Where games are lost", LOSSES),
    ):
        drawn = [name for name in pictures if name.startswith(kind)]
        if drawn:
            yield f"## {title}\n"
            yield words
            for name in drawn:
                yield f"![{title}: {name.rsplit('-', 1)[1]}](images/results-{name}.svg)\n"


def _pictures(rows: Rows) -> Iterator[tuple[str, str]]:
    """Generate the pictures by name."""
    for level in LEVELS:
        for promise in PROMISES:
            row = rows.get(("first-click", "strong", level, promise))
            if row is not None:
                board = Level.named(level)
                played_from = FirstClicks(board, promise=promise).played_from
                counts = {(i, j): Breakdown(1, games, wins) for i, j, games, wins in row["cells"]}
                breakdowns = {cell: counts[played] for cell, played in played_from.items()}
                picture = draw_first_clicks(board, Promise.named(promise), "strong", breakdowns)
                yield f"first-click-{level}-{promise}", picture
    densities = {
        agent: {mines: Breakdown(1, games, wins) for mines, games, wins in row["mines"]}
        for (kind, agent, *_), row in sorted(rows.items())
        if kind == "density"
    }
    if densities:
        yield "density-expert-safe", draw_densities(Level.named("expert"), Promise.SAFE, densities)
    for promise in PROMISES[:2]:
        row = rows.get(("table", "strong", "expert", promise))
        if row is not None:
            setup, breakdown = (
                Setup.of("expert", promise=promise),
                Breakdown.from_json(row["breakdown"]),
            )
            about = (setup.level, setup.promise, "strong", breakdown)
            yield f"guesses-{promise}", draw_guesses(*about)
            yield f"losses-{promise}", draw_losses(*about, first=setup.first)


# Others ------------------------------------------------------------------------------------------


def _others() -> Iterator[str]:
    data = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    yield "## Published results\n"
    yield PUBLISHED_HEAD
    yield from _header("solver, level, first click, won %, games")
    for row in data["published"]:
        address = data["sources"][row["source"]]["address"]
        words = " | ".join(row[name] for name in ("level", "first", "won", "games"))
        yield f"| [{row['solver']}]({address}) | {words} |"
    yield "\nSources:\n"
    for source in data["sources"].values():
        yield f"- {source['name']}: <{source['address']}>"
    yield "\n## Other solvers, measured by us\n"
    yield MEASURED_HEAD
    names = list(data["measured"][0])
    yield from _header(", ".join(f"{name} %" if " " in name else name for name in names[:-1]) + ", ms")
    for row in data["measured"]:
        yield f"| {' | '.join(row[name] for name in names)} |"
    yield ""


def _how(rows: Rows) -> Iterator[str]:
    hours = sum(row["seconds"] for row in rows.values()) / 3600
    yield "## How it was measured\n"
    yield HOW.format(count=len(rows), hours=hours)
