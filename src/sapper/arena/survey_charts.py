"""Charts of surveys, as SVG pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from sapper.arena.breakdown import ENDINGS, Breakdown
from sapper.arena.statistics import estimate_rate
from sapper.arena.survey import Densities, FirstClicks, Guesses, Losses, Survey
from sapper.drawing.charts import (
    INK,
    MUTED,
    PALETTE,
    Diagram,
    Line,
    Picture,
    Point,
    draw_lines,
    shortened,
)
from sapper.drawing.heat_maps import EDGE, LEGEND, LOSSES, WINS, HeatMap, cell_size
from sapper.drawing.scales import Scale, percent
from sapper.errors import SapperError
from sapper.levels import Level, Promise
from sapper.position import Cell

_MARGIN: Final = 24
_HEAD: Final = 64
"""The height of the title and the subtitle."""
_RARE: Final = 0.002
"""Numbers of guesses with a smaller share of games, and all larger ones, share one bar."""
_PALE: Final = "#8fb4e3"


def draw_survey(survey: Survey) -> str:
    """Return the chart of a survey that has played some games.

    >>> survey = FirstClicks("3x3/2", agent="safest", promise="safe", games=8).play(jobs=1)
    >>> draw_survey(survey).splitlines()[1]
    '<title>3x3/2: games won by first click</title>'
    """
    if not survey.games:
        raise SapperError("no games were played, so there is nothing to draw")
    match survey:
        case FirstClicks():
            rates = {
                cell: breakdown for cell, breakdown in survey.breakdowns.items() if breakdown.games
            }
            return draw_first_clicks(survey.level, survey.promise, survey.agents[0], rates)
        case Densities():
            return draw_densities(survey.level, survey.promise, survey.breakdowns)
        case Guesses():
            return draw_guesses(survey.level, survey.promise, survey.agents[0], survey.breakdown)
        case Losses():
            about = (survey.level, survey.promise, survey.agents[0], survey.breakdown)
            return draw_losses(*about, first=survey.first)
    raise SapperError(f"there is no chart of {survey!r}")


def _write_head(picture: Picture, title: str, about: str) -> None:
    picture.text(_MARGIN, 28, title, size=16, is_bold=True)
    picture.text(_MARGIN, 48, shortened(about, picture.width - 2 * _MARGIN), fill=MUTED)


def _map_picture(level: Level, title: str, about: str, more: float = 0) -> Picture:
    cell = cell_size(level.height, level.width)
    wide = max(cell * level.width + EDGE + 2 * _MARGIN, 520)
    picture = Picture(wide, cell * level.height + _HEAD + EDGE + LEGEND + more, title)
    _write_head(picture, title, about)
    return picture


def draw_first_clicks(
    level: Level, promise: Promise, agent: str, breakdowns: Mapping[Cell, Breakdown]
) -> str:
    """Return a heat map of the win rate by first click.

    >>> breakdowns = {(0, 0): Breakdown(safe_cells=1, games=200, wins=129)}
    >>> draw_first_clicks(Level.named("2x1/1"), Promise.SAFE, "safest", breakdowns).count(">64.5<")
    1
    """
    rates = {cell: breakdown.rate for cell, breakdown in breakdowns.items()}
    values = {cell: rate.value for cell, rate in rates.items()}
    half = max((rate.high - rate.low) / 2 for rate in rates.values())
    about = f"{agent}, promise: {promise}; 95 % intervals up to ± {100 * half:.1f} points"
    picture = _map_picture(level, f"{level.name}: games won by first click", about)
    board = (picture, _MARGIN + EDGE, _HEAD + EDGE / 2, level.height, level.width)
    heat_map = HeatMap(*board, values, Scale.around(values.values(), is_tight=True), WINS)
    heat_map.draw(lambda value: f"{100 * value:.1f}")
    heat_map.draw_legend("games won, %", percent)
    return picture.svg()


def draw_densities(
    level: Level, promise: Promise, breakdowns: Mapping[str, Mapping[int, Breakdown]]
) -> str:
    """Return a chart of the win rate by density of mines, with a line for each agent.

    The breakdowns are given by agent and number of mines.

    >>> breakdowns = {"safest": {2: Breakdown(23, 10, 9), 6: Breakdown(19, 10, 4)}}
    >>> draw_densities(Level.named("5x5/4"), Promise.OPEN, breakdowns).count("safest")
    1
    """
    cells = level.height * level.width
    lines = []
    for agent, by_mines in breakdowns.items():
        rates = [(mines / cells, breakdown.rate) for mines, breakdown in sorted(by_mines.items())]
        points = [Point(share, rate.value, rate.low, rate.high) for share, rate in rates]
        lines.append(Line(agent, points))
    return draw_lines(
        f"{level.width} x {level.height} cells, promise: {promise}: games won",
        lines,
        across="mines, as a share of the cells",
        across_marks=percent,
        marked=(level.mines / cells, f"{level.mines} mines"),
    )


def draw_guesses(level: Level, promise: Promise, agent: str, breakdown: Breakdown) -> str:
    """Return a chart of the games by number of guesses, and of the win rate for each number.

    >>> from collections import Counter
    >>> breakdown = Breakdown(71, 9, 7, Counter({0: 6, 2: 3}), Counter({0: 6, 2: 1}))
    >>> draw_guesses(Level.named("beginner"), Promise.OPEN, "strong", breakdown).count(">67<")
    1
    """
    title = f"{level.name}: games by the guesses they took"
    picture = Picture(640, 470, title)
    _write_head(picture, title, f"{agent}, promise: {promise}, {breakdown.games:,} games")
    names, games, wins = _group_guesses(breakdown)
    numbers = Scale(-0.6, len(games) - 0.4, tuple(range(len(games))))
    shares = [
        Point(number, count / breakdown.games, word=_brief(count / breakdown.games))
        for number, count in enumerate(games)
    ]
    upper = Diagram(
        picture,
        *(72, 82, 544, 140),
        numbers,
        Scale.around([0.0, *(point.y for point in shares)], most=4),
    )
    upper.draw_grid(across=None, is_upright=False)
    upper.name_axes(up="games, %")
    upper.draw_bars(shares, _PALE, 0.7)
    rates = [estimate_rate(won, count) for won, count in zip(wins, games, strict=True) if count]
    places = [number for number, count in enumerate(games) if count]
    points = [
        Point(number, rate.value, rate.low, rate.high)
        for number, rate in zip(places, rates, strict=True)
    ]
    lower = Diagram(picture, *(72, 252, 544, 160), numbers, Scale.around([0.0, 1.0]))
    lower.draw_grid(across=lambda number: names[round(number)], is_upright=False)
    lower.name_axes("guesses", "win rate")
    lower.draw_line(points, PALETTE[0])
    lower.draw_intervals(points, INK)
    lower.draw_points(points, PALETTE[0], size=7)
    return picture.svg()


def _group_guesses(breakdown: Breakdown) -> tuple[list[str], list[int], list[int]]:
    """Return the numbers of guesses, their games and wins. Rare large numbers are combined."""
    most = max(breakdown.games_by_guesses)
    games = [breakdown.games_by_guesses[guesses] for guesses in range(most + 1)]
    wins = [breakdown.wins_by_guesses[guesses] for guesses in range(most + 1)]
    last = most
    while last > 1 and sum(games[last - 1 :]) < _RARE * breakdown.games:
        last -= 1
    names = [*map(str, range(last)), str(last) if last == most else f"{last}+"]
    return names, [*games[:last], sum(games[last:])], [*wins[:last], sum(wins[last:])]


def _brief(share: float) -> str:
    """Return a share in percent without the sign, short enough to fit above a bar."""
    return f"{100 * share:.0f}" if share >= 0.1 else f"{100 * share:.1f}"


def draw_losses(
    level: Level, promise: Promise, agent: str, breakdown: Breakdown, *, first: Cell
) -> str:
    """Return a heat map of the cells where games were lost, and a histogram of their progress.

    >>> from collections import Counter
    >>> breakdown = Breakdown(1, 10, 6, lost_at=Counter({(0, 1): 4}), endings=[4] + [0] * 19)
    >>> picture = draw_losses(Level.named("2x1/1"), Promise.NONE, "safest", breakdown, first=(0, 0))
    >>> picture.count(">100<")
    2
    """
    lost = breakdown.games - breakdown.wins
    cells = [(row, column) for row in range(level.height) for column in range(level.width)]
    values = {cell: breakdown.lost_at[cell] / max(lost, 1) for cell in cells}
    title = f"{level.name}: where games are lost"
    about = (
        f"{agent}, promise: {promise}; first click ringed; {lost:,} of {breakdown.games:,} games lost"
    )
    picture = _map_picture(level, title, about, more=264)
    board = (picture, _MARGIN + EDGE, _HEAD + EDGE / 2, level.height, level.width)
    heat_map = HeatMap(*board, values, Scale.roots(max(values.values()) or 1.0), LOSSES)
    heat_map.draw(_three_digits)
    heat_map.draw_ring(first)
    heat_map.draw_legend("share of lost games that ended here, %", percent)
    _draw_endings(picture, breakdown.endings, heat_map.bottom + LEGEND + 26)
    return picture.svg()


def _three_digits(share: float) -> str:
    value = 100 * share
    if value == 0:
        return "0"
    return f"{value:.2f}" if value < 9.995 else f"{value:.1f}" if value < 99.95 else "100"


def _draw_endings(picture: Picture, endings: Sequence[int], top: float) -> None:
    """Draw a histogram of the share of safe cells that were open when games were lost."""
    lost = max(sum(endings), 1)
    points = [Point((number + 0.5) / ENDINGS, count / lost) for number, count in enumerate(endings)]
    words = [point._replace(word=_brief(point.y) if point.y >= 0.02 else "") for point in points]
    diagram = Diagram(
        picture,
        *(72, top + 34, min(picture.width - 72 - _MARGIN, 640), 150),
        Scale(0.0, 1.0, tuple(tenth / 10 for tenth in range(0, 11, 2))),
        Scale.around([0.0, *(point.y for point in points)], most=4),
    )
    picture.text(_MARGIN, top + 10, "Progress of lost games", size=14, is_bold=True)
    diagram.draw_grid(across=percent, is_upright=False)
    diagram.name_axes("safe cells open when the game was lost")
    diagram.draw_bars(words, LOSSES[55], 0.9 / ENDINGS)
