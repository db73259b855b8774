"""Measures of a board or a game, as a table."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console

from sapper.boards.measures import BoardMeasures, GameMeasures
from sapper.game.game import Outcome
from sapper.position import format_size
from sapper.terminal.board import print_line

MeasureRow = tuple[str, str, str]
"""A measure: its name, its value, and what it means."""


def print_measures(measured: BoardMeasures | GameMeasures, console: Console) -> None:
    """Print the measures of a board, or of a game and its board. Unknown values appear as `-`.

    >>> import sys
    >>> from sapper.minesweeper import Minesweeper
    >>> from sapper import measure
    >>> print_measures(measure(Minesweeper.with_mines(1, 3, [(0, 1)])), Console(file=sys.stdout))
    board       3x1/1  width x height / mines
    3BV             2  left clicks needed to win without flags
    openings        0  groups of zeros
    islands         2  groups of numbers next to no zero
    ZiNi            2  clicks needed to win with flags and chords (greedy estimate)
    human ZiNi      2  the same, with all openings first
    safe cells      2  showing 1: 2
    """
    if isinstance(measured, GameMeasures):
        _print_rows(list(_game_rows(measured)), console)
        console.print()
        measured = measured.board
    _print_rows(list(_board_rows(measured)), console)


def _print_rows(rows: list[MeasureRow], console: Console) -> None:
    names, values, _ = zip(*rows, strict=True)
    name_width, value_width = max(map(len, names)), max(map(len, values))
    for name, value, meaning in rows:
        line = [
            (f"{name:{name_width}}  ", ""),
            (f"{value:>{value_width}}", "bold"),
            (f"  {meaning}", "dim"),
        ]
        print_line(line, console)


def _board_rows(board: BoardMeasures) -> Iterator[MeasureRow]:
    size = format_size(board.height, board.width, board.mines)
    yield "board", size, "width x height / mines"
    yield "3BV", str(board.bbbv), "left clicks needed to win without flags"
    yield "openings", str(board.openings), "groups of zeros"
    yield "islands", str(board.islands), "groups of numbers next to no zero"
    yield "ZiNi", str(board.zini), "clicks needed to win with flags and chords (greedy estimate)"
    yield "human ZiNi", str(board.hzini), "the same, with all openings first"
    shown = [f"{number}: {count}" for number, count in enumerate(board.numbers) if count]
    yield "safe cells", str(sum(board.numbers)), f"showing {', '.join(shown)}" if shown else ""


def _game_rows(game: GameMeasures) -> Iterator[MeasureRow]:
    outcome = "unfinished" if game.outcome is Outcome.PLAYING else game.outcome.value
    yield "outcome", outcome, f"played with {game.style}"
    yield "time", _format(game.seconds), "seconds"
    if game.outcome is not Outcome.WON:
        yield "estimated", _format(game.estimated_seconds), "seconds for the whole board"
    yield "3BV done", str(game.bbbv_done), f"of {game.board.bbbv}"
    yield "3BV/s", _format(game.bbbv_per_second), "3BV done per second"
    yield "RQP", _format(game.rqp), "time / 3BV/s: lower is better"
    kinds = f"{game.left} left, {game.right} right, {game.chords} chords, {game.idle} other"
    yield "clicks", str(game.clicks), kinds
    if game.by_agents:
        yield "by agents", str(game.by_agents), "of the clicks"
    if game.undone:
        yield "undone", str(game.undone), "moves"
    yield "wasted", str(game.wasted), "clicks that changed nothing"
    yield "clicks/s", _format(game.clicks_per_second), "clicks per second"
    yield "IOE", _format(game.ioe), "3BV done / clicks"
    yield "correctness", _format(game.correctness), "useful clicks / clicks"
    yield "throughput", _format(game.throughput), "3BV done / useful clicks"
    yield "ZNE", _format(game.zne), "ZiNi / clicks"
    yield "ZNT", _format(game.znt), "ZiNi / useful clicks"


def _format(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
