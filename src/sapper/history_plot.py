"""A plot of a player's games as an SVG picture: the times of those that were won, and the share won."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from xml.sax.saxutils import escape

from sapper.errors import SapperError
from sapper.scores import FinishedGame, LevelStatistics, statistics
from sapper.statistics import estimate_rate

_WIDTH: Final = 640
_LEFT: Final = 60
_RIGHT: Final = 24
_PANEL: Final = 190
"""The height of the diagram of a level, with its title and its marks."""
_ABOVE: Final = 30
_BELOW: Final = 40
_BAR: Final = 46
_INK, _GRID, _POINT, _FILL = "#1d2733", "#dde4ec", "#1f62b8", "#7fa9de"


def draw_history(games: Iterable[FinishedGame]) -> str:
    """Return the text of an SVG picture of the games that count; it refers to nothing outside it.

    For each level and kind of board a point is a game that was won, over its number among all that
    were played there. Below are the shares won, with their 95 % intervals as thin lines.

    >>> from sapper import Game, Record
    >>> game = Game.on("3x1/1", [(0, 2)])
    >>> opened = game.open((0, 0))
    >>> draw_history([FinishedGame.of(Record.of(game))]).splitlines()[2]
    '<text x="60.0" y="20.0" font-weight="bold">3x1/1, random boards: seconds of games won</text>'
    """
    counted = [game for game in games if game.counts]
    rows = statistics(counted)
    if not rows:
        raise SapperError("there are no games to draw: none was finished without help")
    height = _PANEL * len(rows) + _ABOVE + _BAR * len(rows)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}"'
        f' height="{height}" font-family="sans-serif" font-size="12" fill="{_INK}">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
    ]
    for number, row in enumerate(rows):
        played = [game for game in counted if (game.level, game.kind) == (row.level, row.kind)]
        lines += _draw_times(row, played, top=_PANEL * number)
    top = _PANEL * len(rows)
    lines.append(_text(_LEFT, top + 20, "Share of games won", 'font-weight="bold"'))
    for number, row in enumerate(rows):
        lines += _draw_share(row, top=top + _ABOVE + _BAR * number)
    return "\n".join([*lines, "</svg>\n"])


def round_step(span: float) -> float:
    """Return the distance of round marks of which a span holds two to five.

    >>> round_step(70), round_step(9), round_step(0.3)
    (20.0, 2.0, 0.1)
    """
    power = 10.0 ** math.floor(math.log10(span / 2))
    step: float = next(power * by for by in (1, 2, 5, 10) if span / (power * by) <= 5)
    return round(step, 12)


def _draw_times(row: LevelStatistics, games: Sequence[FinishedGame], *, top: float) -> Iterator[str]:
    """Generate the diagram of the times on a level."""
    title = f"{row.level}, {row.kind} boards: seconds of games won"
    yield _text(_LEFT, top + 20, title, 'font-weight="bold"')
    wins = [(number, game.seconds) for number, game in enumerate(games, start=1) if game.won]
    slowest = max([0.01, *(seconds for _, seconds in wins)])
    y_step = round_step(slowest)
    longest = y_step * math.ceil(slowest / y_step)
    x_step = max(1.0, round_step(len(games)))

    def across(number: float) -> float:
        return _LEFT + number / len(games) * (_WIDTH - _LEFT - _RIGHT)

    def down(seconds: float) -> float:
        return top + _PANEL - _BELOW - seconds / longest * (_PANEL - _ABOVE - _BELOW)

    for mark in range(round(longest / y_step) + 1):
        at = down(mark * y_step)
        yield f'<path d="M{_LEFT} {at:.1f}H{_WIDTH - _RIGHT}" stroke="{_GRID}"/>'
        yield _text(_LEFT - 8, at + 4, f"{mark * y_step:g}", 'text-anchor="end"')
    for mark in range(int(len(games) / x_step) + 1):
        number = mark * x_step
        yield _text(across(number), down(0) + 16, f"{number:g}", 'text-anchor="middle"')
    yield _text(_WIDTH / 2, down(0) + 32, "games played", 'text-anchor="middle"')
    if wins:
        points = "".join(f"M{across(number):.1f} {down(seconds):.1f}h0" for number, seconds in wins)
        yield f'<path d="{points}" stroke="{_POINT}" stroke-width="5" stroke-linecap="round"/>'


def _draw_share(row: LevelStatistics, *, top: float) -> Iterator[str]:
    """Generate the bar of the share won on a level, with its interval."""
    share = estimate_rate(row.wins, row.games)
    whole = _WIDTH - _LEFT - _RIGHT
    words = f"{row.level}, {row.kind} boards: {row.wins:,} of {row.games:,}, {100 * share.value:.0f} %"
    yield _text(_LEFT, top + 14, words)
    for width, colour in ((whole, _GRID), (share.value * whole, _FILL)):
        yield f'<rect x="{_LEFT}" y="{top + 20}" width="{width:.1f}" height="14" fill="{colour}"/>'
    low, high = (_LEFT + end * whole for end in (share.low, share.high))
    yield f'<path d="M{low:.1f} {top + 27}H{high:.1f}" stroke="{_INK}" stroke-width="2"/>'


def _text(x: float, y: float, words: str, style: str = "") -> str:
    attributes = f'x="{x:.1f}" y="{y:.1f}" {style}'.rstrip()
    return f"<text {attributes}>{escape(words)}</text>"
