"""The statistics of a player, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Console

from sapper.profile.scores import LevelStatistics
from sapper.terminal.board import print_line

_HEADINGS: Final = (
    *("level", "boards", "games", "won", "win rate", "streak", "longest"),
    *("best", "mean", "3BV/s"),
)
_TEXT_COLUMNS: Final = 2
"""The number of text columns, which come first. The others are numbers."""


def print_statistics(rows: Sequence[LevelStatistics], console: Console) -> None:
    """Print statistics for every level and kind of board, the best times, and the games not counted.

    >>> import sys
    >>> from sapper import Game, Record
    >>> from sapper.profile.scores import FinishedGame, statistics
    >>> game = Game.on("3x1/1", [(0, 2)])
    >>> opened = game.open((0, 0))
    >>> won = FinishedGame.of(Record.of(game))
    >>> print_statistics(statistics([won]), Console(file=sys.stdout))
    level  boards  games  won  win rate  streak  longest  best  mean  3BV/s
    3x1/1  random      1    1     100 %       1        1  0.00  0.00      -
    <BLANKLINE>
    Best times in seconds
    3x1/1, random boards: 0.00
    >>> print_statistics([], Console(file=sys.stdout))
    No games yet.
    """
    if not rows:
        print_line([("No games yet.", "")], console)
        return
    table = [_HEADINGS, *map(_cells, rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for number, cells in enumerate(table):
        words = [f"{cell:{width}}" for cell, width in zip(cells, widths, strict=True)][:_TEXT_COLUMNS]
        numbers = [f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True)][
            _TEXT_COLUMNS:
        ]
        print_line([("  ".join((*words, *numbers)), "" if number else "dim")], console)
    _print_list("Best times in seconds", [(row, _best(row)) for row in rows if row.best], console)
    apart = [(row, _apart(row)) for row in rows if row.helped or row.practice]
    _print_list("Not counted", apart, console)


def _print_list(title: str, entries: Sequence[tuple[LevelStatistics, str]], console: Console) -> None:
    if not entries:
        return
    print_line([("", "")], console)
    print_line([(title, "dim")], console)
    for row, words in entries:
        print_line([(f"{row.level}, {row.kind} boards: ", ""), (words, "bold")], console)


def _cells(row: LevelStatistics) -> tuple[str, ...]:
    return (
        *(row.level, row.kind, f"{row.games:,}", f"{row.wins:,}"),
        "-" if row.share is None else f"{100 * row.share:.0f} %",
        *(str(row.streak), str(row.longest_streak)),
        *(_number(value) for value in (row.best_seconds, row.mean_seconds, row.best_bbbv_per_second)),
    )


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _best(row: LevelStatistics) -> str:
    return ", ".join(_number(game.seconds) for game in row.best)


def _apart(row: LevelStatistics) -> str:
    helped = [f"{row.helped:,} with help"] if row.helped else []
    practice = [f"{row.practice:,} for practice"] if row.practice else []
    return ", ".join(helped + practice)
