"""Surveys: games by first click, mines, guesses and losses, and their charts."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sapper
from sapper import Cell, Position
from sapper.arena import Played, bench
from sapper.arena.breakdown import ENDINGS, Breakdown
from sapper.arena.survey import (
    Densities,
    FirstClicks,
    Guesses,
    Losses,
    Survey,
    mine_counts,
    mirror_images,
)
from sapper.arena.survey_charts import draw_survey
from sapper.cli import main
from sapper.drawing.heat_maps import LOSSES, WINS, ink_on
from sapper.errors import SapperError
from sapper.levels import Level, Promise
from tests.support.svg import SVG, luminance

pytestmark = pytest.mark.any_engine


class Reckless:
    """Opens the first hidden cell, and gives no reason."""

    def __init__(self, seed: int) -> None:
        pass

    def choose(self, position: Position) -> Cell:
        return min(position.hidden)


class Impatient(Reckless):
    """Presses Ctrl-C after nine games."""

    made = 0

    def __init__(self, seed: int) -> None:
        if seed:  # The arena first creates one agent with seed 0 to check that it can.
            Impatient.made += 1
        if Impatient.made > 9:
            raise KeyboardInterrupt
        super().__init__(seed)


def surveys() -> list[Survey]:
    return [
        FirstClicks("3x2/2", games=6, promise="safe"),
        Densities("4x3/2", games=8, mines=[1, 3]),
        Guesses("4x4/4", games=20, promise="none"),
        Losses("4x4/4", games=20, promise="none"),
    ]


# Breakdowns -----------------------------------------------------------------------------------------


def played(won: bool, left: int, guesses: int | None, lost_at: Cell | None) -> Played:
    return Played(1, won, left, 1, guesses, None, None, 0.1, lost_at)


def test_games_are_counted_by_guesses_and_by_where_they_end() -> None:
    breakdown = Breakdown(safe_cells=40)
    breakdown.add([played(True, 0, 0, None), played(True, 0, 2, None)])
    breakdown.add(
        [played(False, 39, 2, (1, 3)), played(False, 2, None, (1, 3)), played(False, 40, 1, None)]
    )
    assert (breakdown.games, breakdown.wins, breakdown.lost_at) == (5, 2, {(1, 3): 2})
    assert breakdown.games_by_guesses == {0: 1, 1: 1, 2: 2}
    assert breakdown.wins_by_guesses == {0: 1, 1: 0, 2: 1}
    assert breakdown.endings == [2, *[0] * 18, 1]  # 0 and 1 of 40 cells open, 38 of 40.


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 9), st.integers(0, 4), st.integers(0, 8))))
def test_a_breakdown_round_trips_through_json(games: list[tuple[bool, int, int, int]]) -> None:
    breakdown = Breakdown(safe_cells=9)
    breakdown.add(
        played(won, left, guesses, None if won else divmod(at, 3)) for won, left, guesses, at in games
    )
    assert Breakdown.from_json(json.loads(json.dumps(breakdown.to_json()))) == breakdown
    assert sum(breakdown.endings) == sum(breakdown.lost_at.values()) == breakdown.games - breakdown.wins


# What surveys play -------------------------------------------------------------------------------


@pytest.mark.parametrize("survey", surveys(), ids=lambda survey: str(survey.kind))
def test_the_number_of_jobs_changes_nothing(survey: Survey) -> None:
    one, two = (survey.play(jobs=jobs).to_json() for jobs in (1, 2))
    assert one == two
    assert survey.games == survey.games_asked == one["games"]


def test_a_survey_plays_the_same_games_as_the_arena() -> None:
    survey = FirstClicks("4x3/3", games=8, promise="safe", seed=3).play(jobs=1)
    for cell in ((0, 0), (1, 1)):
        result = bench("4x3/3", games=8, promise="safe", seed=3, first=cell, jobs=1)
        assert survey.breakdowns[cell].wins == result.wins
    for cell, breakdown in survey.breakdowns.items():
        assert all(survey.breakdowns[image] is breakdown for image in mirror_images(cell, 3, 4))


@given(st.integers(1, 7), st.integers(1, 7))
def test_mirror_images_partition_the_board(height: int, width: int) -> None:
    survey = FirstClicks(Level.custom(height, width, 0), games=1)
    half, other = (height + 1) // 2, (width + 1) // 2
    classes = half * (half + 1) // 2 if height == width else half * other
    assert len(survey.parts) == classes
    assert all(
        cell in mirror_images(played, height, width) for cell, played in survey.played_from.items()
    )
    every = FirstClicks(Level.custom(height, width, 0), games=1, every_cell=True)
    assert len(every.parts) == height * width


def test_four_cells_with_one_mine_need_two_guesses() -> None:
    # A 1 next to three cells: the first guess loses a third of the games, the second half of the rest.
    breakdown = Guesses("2x2/1", promise="safe", games=60).play(jobs=1).breakdown
    assert set(breakdown.games_by_guesses) == {1, 2}
    assert breakdown.wins_by_guesses[1] == 0
    assert 0 < breakdown.wins == breakdown.wins_by_guesses[2] < breakdown.games_by_guesses[2]


def test_without_a_promise_the_first_click_can_lose() -> None:
    survey = Losses("2x1/1", promise="none", games=60, agent=Reckless).play(jobs=1)
    lost = survey.breakdown.games - survey.breakdown.wins
    assert 0 < lost < 60
    assert survey.breakdown.lost_at == {(0, 0): lost}
    assert survey.breakdown.endings[0] == lost


def test_more_mines_are_won_less_often() -> None:
    survey = Densities("5x5/5", agents=["safest", "safest"], mines=[8, 1], games=25).play(jobs=1)
    few, many = list(survey.rows())  # An agent that is listed twice plays once.
    assert (few["mines"], many["mines"], few["density"]) == (1, 8, 1 / 25)
    assert few["low"] > many["high"]


@pytest.mark.parametrize("level", ["beginner", "intermediate", "expert", "1x9/1", "30x1/0"])
@pytest.mark.parametrize("promise", list(Promise))
def test_the_surveyed_mine_counts_allow_the_promise(level: str, promise: Promise) -> None:
    board = Level.named(level)
    counts = mine_counts(board, promise)
    assert board.mines in counts or promise is Promise.OPEN
    for mines in counts:
        Level.custom(board.height, board.width, mines).check_promise(promise)


def test_an_agent_that_does_not_report_guesses_is_an_error() -> None:
    with pytest.raises(SapperError, match="Reckless does not report its guesses"):
        Guesses("4x4/3", agent=Reckless, games=4).play(jobs=1)


def test_an_agent_that_cannot_play_is_an_error_before_any_game() -> None:
    survey = Densities("4x4/3", agents=["safest", "oracle"], games=2)
    with pytest.raises(SapperError, match="oracle"):
        survey.play(jobs=1)
    assert survey.games == 0


# Charts ------------------------------------------------------------------------------------------


def texts(picture: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(picture).iter(f"{SVG}text")]


@pytest.mark.parametrize("survey", surveys(), ids=lambda survey: str(survey.kind))
def test_a_chart_is_self_contained(survey: Survey) -> None:
    with pytest.raises(SapperError, match="no game"):
        draw_survey(survey)
    assert survey._repr_svg_() is None
    picture = draw_survey(survey.play(jobs=1))
    assert survey._repr_svg_() == picture
    assert all(agent in picture for agent in survey.agents)
    assert "href" not in picture
    assert "url(" not in picture
    assert "nan" not in picture


def test_a_heat_map_shows_a_figure_in_every_cell() -> None:
    survey = FirstClicks("4x3/2", games=7, promise="safe").play(jobs=1)
    drawn = texts(draw_survey(survey))
    for figure in {f"{100 * breakdown.rate.value:.1f}" for breakdown in survey.breakdowns.values()}:
        cells = [
            1
            for breakdown in survey.breakdowns.values()
            if f"{100 * breakdown.rate.value:.1f}" == figure
        ]
        assert drawn.count(figure) == len(cells)


def test_large_maps_are_drawn_without_figures() -> None:
    survey = Losses("300x200/100")
    survey.breakdown.add([played(False, 3, 1, (199, 299)), played(True, 0, 0, None)])
    picture = draw_survey(survey)
    assert len(texts(picture)) < 200
    assert LOSSES[100] in picture


@pytest.mark.parametrize("colours", [WINS, LOSSES])
def test_higher_values_are_darker_and_their_figures_are_readable(colours: tuple[str, ...]) -> None:
    shades = [luminance(colour) for colour in colours]
    assert shades == sorted(shades, reverse=True)
    for colour in colours:
        darker, lighter = sorted((luminance(colour), luminance(ink_on(colour))))
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5


@given(st.dictionaries(st.integers(0, 30), st.tuples(st.integers(1, 500), st.floats(0, 1)), min_size=1))
@settings(deadline=None, max_examples=30)
def test_the_bars_of_guesses_contain_every_game(counts: dict[int, tuple[int, float]]) -> None:
    survey = Guesses("beginner", games=1)
    for guesses, (games, share) in counts.items():
        won = round(games * share)
        survey.breakdown.add([played(True, 0, guesses, None)] * won)
        survey.breakdown.add([played(False, 1, guesses, None)] * (games - won))
    assert sum(row["games"] for row in survey.rows()) == survey.games
    assert sum(row["share"] for row in survey.rows()) == pytest.approx(1)
    ElementTree.fromstring(draw_survey(survey))


# The command -------------------------------------------------------------------------------------


def plot(
    arguments: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str, str]:
    """Return the exit code of `sapper plot` and what it printed."""
    monkeypatch.setattr(sys, "argv", ["sapper", "plot", *arguments.split()])
    with pytest.raises(SystemExit) as done:
        main()
    printed = capsys.readouterr()
    assert isinstance(done.value.code, int)
    return done.value.code, printed.out, printed.err


def test_the_command_writes_the_figures_it_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    options = "losses 4x4/4 --agent safest --promise none --games 30 --seed 2 --first 2,2 --jobs 1"
    code, out, err = plot(f"{options} --json --svg a.svg --csv a.csv", monkeypatch, capsys)
    survey = Losses("4x4/4", promise="none", games=30, seed=2, first=(1, 1)).play(jobs=1)
    assert (code, err, json.loads(out)) == (0, "", survey.to_json())
    assert (tmp_path / "a.svg").read_text() == draw_survey(survey)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text())))
    assert [int(row["losses"]) for row in rows] == [row["losses"] for row in survey.rows()]
    assert len(rows) == 16 + ENDINGS
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.csv", "a.svg"]


@pytest.mark.parametrize(
    ("arguments", "trouble"),
    [
        ("losses", "no output was requested"),
        ("losses --svg nowhere/a", "cannot write nowhere/a: no such file"),
        ("losses --svg a --csv ./a", "a cannot be both the picture and the CSV table"),
        ("guesses --mines 3 --json", "--mines cannot be used with guesses"),
        ("first-click --first 1,1 --json", "--first cannot be used with first-click"),
        ("density --every-cell --json", "--every-cell cannot be used with density"),
        ("density --mines 2,x --json", "'2,x' is not a list of numbers"),
        ("density 5x5/3 --mines 40 --json", "40 mines do not fit"),
        ("density 5x5/3 --promise open --mines 20 --json", "20 mines are too many to promise"),
        ("losses --agent safest --agent logic --json", "losses takes one agent, not 2"),
        ("losses --agent oracle --svg a", "unknown agent 'oracle'"),
        ("losses --games 0 --json", "the number of games must be at least 1, not 0"),
        ("losses --jobs 0 --json", "the number of jobs must be from 1 to 1024, not 0"),
        ("losses experts --json", "'experts' is not a level"),
        ("losses --promise sure --json", "'sure' is not a promise"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(
    arguments: str,
    trouble: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = plot(arguments, monkeypatch, capsys)
    assert (code, out) == (2, "")
    assert trouble in err
    assert len(err.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_ctrl_c_draws_the_games_so_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Impatient, "made", 0)
    options = f"first-click 4x3/2 --games 7 --agent {__name__}:Impatient --jobs 1 --json --svg a.svg"
    code, out, err = plot(options, monkeypatch, capsys)
    shown = json.loads(out)
    assert (code, err) == (130, "")
    assert 7 <= shown["games"] <= 9 < shown["games_asked"] == 28
    assert {row["rate"] is None for row in shown["rows"]} == {True, False}
    ElementTree.parse(tmp_path / "a.svg")


def test_ctrl_c_before_the_first_game_reports_that_none_was_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Impatient, "made", 9)
    options = f"losses 4x3/2 --agent {__name__}:Impatient --jobs 1 --svg a.svg"
    code, out, err = plot(options, monkeypatch, capsys)
    assert (code, out, err) == (130, "", "No game was finished; nothing was written.\n")
    assert not list(tmp_path.iterdir())


def test_the_help_names_every_kind(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    code, out, _ = plot("--help", monkeypatch, capsys)
    assert code == 0
    assert all(survey.kind in out for survey in surveys())
    assert sapper.agents.available()[0] in out
