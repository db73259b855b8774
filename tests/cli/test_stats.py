"""`sapper stats`: statistics as a table, as JSON and as a picture."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper import SapperError
from sapper.profile.history import FinishedGame, History
from sapper.profile.history_plot import draw_history
from tests.support.finished_games import game, games
from tests.support.subprocesses import sapper_command

SVG = "{http://www.w3.org/2000/svg}"
PLAYED = [
    game("won", 12.0, bbbv=30),
    game("lost", 3.0),
    game("won", 10.0, bbbv=20),
    game("won", 1.0, helped=True),
    game("lost", 80.0, level="expert", kind="no guess"),
    game("won", 1.0, level="expert", kind="no guess", practice=True),
]
TABLE = """\
level     boards    games  won  win rate  streak  longest   best   mean  3BV/s
beginner  random        3    2      67 %       1        1  10.00  11.00   2.50
expert    no guess      1    0       0 %       0        0      -      -      -

Best times in seconds
beginner, random boards: 10.00, 12.00

Not counted
beginner, random boards: 1 with help
expert, no guess boards: 1 for practice
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    history = History.open(tmp_path / "games")
    for played in PLAYED:
        history.add(played)
    return history.folder


def test_the_statistics_are_a_table(folder: Path) -> None:
    done = sapper_command("stats", "--data", str(folder))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == TABLE
    assert sapper_command("stats", SAPPER_DATA=str(folder)).stdout == TABLE


def test_statistics_can_be_limited_to_one_level(folder: Path) -> None:
    done = sapper_command("stats", "--data", str(folder), "--level", "Expert")
    assert "beginner" not in done.stdout
    assert done.stdout.splitlines()[1].split()[:4] == ["expert", "no", "guess", "1"]
    none = sapper_command("stats", "--data", str(folder), "--level", "3x3/1")
    assert (none.returncode, none.stdout) == (0, "No games on 3x3/1 yet.\n")


def test_stats_prints_json(folder: Path) -> None:
    done = sapper_command("stats", "--data", str(folder), "--json")
    beginner, expert = json.loads(done.stdout)["levels"]
    assert (beginner["level"], beginner["kind"], beginner["games"], beginner["wins"]) == (
        *("beginner", "random"),
        *(3, 2),
    )
    assert [best["seconds"] for best in beginner["best"]] == [10.0, 12.0]
    assert (expert["share"], expert["best_seconds"], expert["practice"]) == (0.0, None, 1)


def test_without_games_the_statistics_are_empty_and_no_file_is_created(tmp_path: Path) -> None:
    done = sapper_command("stats", SAPPER_DATA=str(tmp_path / "nowhere"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "No games yet.\n", "")
    done = sapper_command("stats", "--json", SAPPER_DATA=str(tmp_path / "nowhere"))
    assert json.loads(done.stdout) == {"levels": []}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "trouble"),
    [
        (("--level", "experts"), "'experts' is not a level"),
        (("--data", "no such folder"), "no such folder: no such directory"),
        (("--plot", "no such folder/plot.svg"), "plot.svg: no such file"),
    ],
)
def test_bad_input_is_one_line(folder: Path, arguments: tuple[str, ...], trouble: str) -> None:
    done = sapper_command("stats", *arguments, SAPPER_DATA=str(folder))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: ")
    assert trouble in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_broken_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "history.sqlite").write_text("no database at all")
    done = sapper_command("stats", "--data", str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert "history.sqlite was damaged: 0 games were recovered" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_unreadable_game_is_noted_and_the_others_are_shown(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "history.sqlite")) as database, database:
        database.execute("UPDATE games SET kind = 'easy' WHERE number = 5")
    done = sapper_command("stats", "--data", str(folder))
    assert done.returncode == 0
    assert done.stderr.startswith("Note: 1 game in ")
    assert "game 5: 'easy' is not a kind of board" in done.stderr
    assert "beginner" in done.stdout


def test_without_games_there_is_nothing_to_draw(tmp_path: Path) -> None:
    done = sapper_command("stats", "--plot", str(tmp_path / "plot.svg"), SAPPER_DATA=str(tmp_path))
    assert done.returncode == 2
    assert "there are no games to plot" in done.stderr
    assert list(tmp_path.iterdir()) == []


# The picture -------------------------------------------------------------------------------


def test_the_picture_is_written_in_addition_to_the_table(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "plot.svg"
    done = sapper_command("stats", "--data", str(folder), "--plot", str(path))
    assert (done.returncode, done.stderr, done.stdout) == (0, "", TABLE)
    assert path.read_text() == draw_history(PLAYED)


def points_of(picture: ElementTree.Element) -> list[tuple[float, float]]:
    """Return where the points of all diagrams are."""
    paths = (path.get("d", "") for path in picture.iter(f"{SVG}path") if "linecap" in str(path.attrib))
    return [(float(x), float(y)) for path in paths for x, y in re.findall(r"M(\S+) (\S+?)h0", path)]


def test_points_are_where_the_games_are() -> None:
    picture = ElementTree.fromstring(draw_history(PLAYED[:3]))
    # 3 games over 556 pixels from 60 on; up to 15 seconds over 120 pixels, from 150 up.
    assert points_of(picture) == [(245.3, 54.0), (616.0, 70.0)]
    rects = [rect for rect in picture.iter(f"{SVG}rect") if rect.get("height") == "14"]
    whole, won = (float(str(rect.get("width"))) for rect in rects)
    assert won / whole == pytest.approx(2 / 3, abs=1e-3)


@given(st.lists(games, max_size=30))
def test_every_win_that_counts_is_a_point_inside_the_picture(played: list[FinishedGame]) -> None:
    wins = [game for game in played if game.won and game.counts]
    if not any(game.counts for game in played):
        with pytest.raises(SapperError, match="no games to plot"):
            draw_history(played)
        return
    text = draw_history(played)
    picture = ElementTree.fromstring(text)
    points = points_of(picture)
    assert len(points) == len(wins)
    assert all(60 <= x <= 616 and 0 < y < float(str(picture.get("height"))) for x, y in points)
    assert "href" not in text
    assert "url(" not in text


def test_a_slower_game_is_a_higher_point() -> None:
    times = [5.0, 1.0, 9.0, 3.0]
    picture = ElementTree.fromstring(draw_history(replace(PLAYED[0], seconds=time) for time in times))
    heights = [-y for _, y in points_of(picture)]
    assert sorted(range(4), key=heights.__getitem__) == sorted(range(4), key=times.__getitem__)
