"""A plot of a player's games as SVG: winning times and win rates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from sapper.arena.statistics import estimate_rate
from sapper.drawing.charts import GRID, INK, PALETTE, Diagram, Picture, Point
from sapper.drawing.scales import Scale, plain
from sapper.errors import SapperError
from sapper.profile.scores import FinishedGame, LevelStatistics, statistics
from sapper.text import format_percent

_WIDTH: Final = 640
_LEFT: Final = 60
_RIGHT: Final = 24
_PANEL: Final = 190
"""The height of a level's diagram, including its title and labels."""
_ABOVE: Final = 30
_BELOW: Final = 40
_BAR: Final = 46
_FILL: Final = "#7fa9de"


def draw_history(games: Iterable[FinishedGame]) -> str:
    """Return an SVG plot of the games that count: winning times and win rates.

    Each level and kind of board has a diagram with a point for each win. Below are the win rates,
    with 95 % intervals as thin lines.

    >>> from sapper import Game, Record
    >>> game = Game.on("3x1/1", [(0, 2)])
    >>> opened = game.open((0, 0))
    >>> draw_history([FinishedGame.of(Record.of(game))]).splitlines()[3]
    '<text x="60.0" y="20.0" font-weight="bold">3x1/1, random boards: winning times in seconds</text>'
    """
    counted = [game for game in games if game.counts]
    rows = statistics(counted)
    if not rows:
        raise SapperError("there are no games to plot: no game was finished without help")
    top = _PANEL * len(rows)
    picture = Picture(_WIDTH, top + _ABOVE + _BAR * len(rows), "Finished games")
    for number, row in enumerate(rows):
        played = [game for game in counted if (game.level, game.kind) == (row.level, row.kind)]
        _draw_times(picture, row, played, top=_PANEL * number)
    picture.text(_LEFT, top + 20, "Win rate", is_bold=True)
    for number, row in enumerate(rows):
        _draw_share(picture, row, top=top + _ABOVE + _BAR * number)
    return picture.svg()


def _draw_times(
    picture: Picture, row: LevelStatistics, games: Sequence[FinishedGame], *, top: float
) -> None:
    """Draw the diagram of the times on a level."""
    title = f"{row.level}, {row.kind} boards: winning times in seconds"
    picture.text(_LEFT, top + 20, title, is_bold=True)
    wins = [Point(number, game.seconds) for number, game in enumerate(games, start=1) if game.won]
    numbers = Scale.around([0, len(games)], is_tight=True)
    whole = tuple(mark for mark in numbers.marks if mark == round(mark))
    diagram = Diagram(
        picture,
        *(_LEFT, top + _ABOVE, _WIDTH - _LEFT - _RIGHT, _PANEL - _ABOVE - _BELOW),
        Scale(numbers.low, numbers.high, whole),
        Scale.around([0.0, max([0.01, *(win.y for win in wins)])]),
    )
    diagram.draw_grid(up=plain, is_upright=False, below=16)
    diagram.name_axes("games played", below=32)
    diagram.draw_points(wins, PALETTE[0], size=5)


def _draw_share(picture: Picture, row: LevelStatistics, *, top: float) -> None:
    """Draw the win rate of a level, with its interval."""
    share = estimate_rate(row.wins, row.games)
    whole = _WIDTH - _LEFT - _RIGHT
    rate = f"{format_percent(share.value)} %"
    words = f"{row.level}, {row.kind} boards: {row.wins:,} of {row.games:,}, {rate}"
    picture.text(_LEFT, top + 14, words)
    for width, colour in ((whole, GRID), (share.value * whole, _FILL)):
        picture.rect(_LEFT, top + 20, width, 14, colour)
    low, high = (_LEFT + end * whole for end in (share.low, share.high))
    picture.path(f"M{low:.1f} {top + 27:g}H{high:.1f}", stroke=INK, stroke_width=2)
