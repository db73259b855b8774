"""Checks of worker results: every real result passes, and every broken one is refused."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest

from sapper import agents
from sapper.analysis import Limit
from sapper.arena.cluster import play_range
from sapper.arena.plans import Board, Plan, SeedRange
from sapper.arena.runs import Run
from sapper.arena.statistics import Moments, Times
from sapper.arena.tally import Played, Tally
from sapper.arena.worker_results import check_games, check_tally, check_times
from sapper.errors import SapperError
from sapper.game.setup import Setup
from tests.support.players import Reckless, Timid

pytestmark = pytest.mark.any_engine

LEVEL, SEED, COUNT = "5x4/6", 7, 24
SETUP = Setup.of(LEVEL)
BOARDS = SeedRange(SEED, range(COUNT))


def games(agent: Any = "safest") -> list[Played]:  # noqa: ANN401 - a name or a class.
    with Run(Plan.of(LEVEL, games=COUNT, seed=SEED), agent=agent, jobs=1) as run:
        return run.play(COUNT)


@pytest.mark.parametrize("agent", [*agents.available(), Reckless, Timid])
@pytest.mark.parametrize("level", ["5x4/6", "1x1/1", "9x9/10"])
def test_every_genuine_result_is_accepted(agent: Any, level: str) -> None:  # noqa: ANN401 - as above.
    count = 4 if agent == "strong-high" else COUNT
    plan = Plan.of(level, games=count, seed=SEED)
    with Run(plan, agent=agent, jobs=1) as run:
        played = run.play(count)
        boards = plan.boards(0, count)
        assert check_games(played, plan.setup, boards) == played
        assert check_tally(Tally.of(played), plan.setup, boards) == Tally.of(played)
        assert check_times(run.times) == run.times


def test_games_on_boards_from_a_file_have_no_seed() -> None:
    board = Board(3, bytes(14) + bytes([1]) * 6)
    limit = Limit()
    (game,), _ = play_range(_build(), "safest", SETUP, limit, [board])
    assert check_games([game], SETUP, [board]) == [game]
    with pytest.raises(SapperError, match="game 0: seed is 3, not None"):
        check_games([game._replace(seed=3)], SETUP, [board])


def _build() -> str:
    import sapper

    return f"Sapper {sapper.__version__} with the {sapper.engine_name} engine"


WON = next(number for number, game in enumerate(games()) if game.won)
LOST = next(number for number, game in enumerate(games()) if not game.won)


@pytest.mark.parametrize(
    ("number", "field", "value"),
    [
        (WON, "seed", None),
        (WON, "seed", 1),
        (WON, "seed", "1"),
        (WON, "won", 1),
        (WON, "won", False),
        (WON, "left", 1),
        (WON, "lost_at", (0, 0)),
        (LOST, "won", True),
        (LOST, "left", 0),
        (LOST, "left", -1),
        (LOST, "left", 15),
        (LOST, "left", 2.0),
        (LOST, "left", True),
        (LOST, "decisions", -1),
        (LOST, "decisions", 2**63),
        (LOST, "decisions", None),
        (LOST, "guesses", -1),
        (LOST, "guesses", 10**6),
        (LOST, "guesses", "2"),
        (LOST, "survival", 1.5),
        (LOST, "survival", math.nan),
        (LOST, "survival", 1),
        (LOST, "solved", -0.1),
        (LOST, "solved", math.inf),
        (LOST, "seconds", -1.0),
        (LOST, "seconds", math.nan),
        (LOST, "seconds", math.inf),
        (LOST, "seconds", None),
        (LOST, "luck", math.nan),
        (LOST, "luck", 1e6),
        (LOST, "luck", None),
        (LOST, "lost_at", (4, 0)),
        (LOST, "lost_at", (0, 5)),
        (LOST, "lost_at", (-1, 0)),
        (LOST, "lost_at", (0.0, 0.0)),
        (LOST, "lost_at", [0, 0]),
        (LOST, "lost_at", 0),
    ],
)
def test_a_game_with_a_wrong_field_is_refused(number: int, field: str, value: Any) -> None:  # noqa: ANN401
    played = games()
    played[number] = played[number]._replace(**{field: value})
    with pytest.raises(SapperError, match=f"^game {number}: "):
        check_games(played, SETUP, BOARDS)


def test_a_number_too_long_to_print_is_refused() -> None:
    played = games()
    played[LOST] = played[LOST]._replace(left=10**6000)
    with pytest.raises(SapperError, match="left is a number with thousands of digits, not"):
        check_games(played, SETUP, BOARDS)


@pytest.mark.parametrize("answer", [None, (), "games", {}, [None], [()], Tally(), [Tally()] * COUNT])
def test_a_result_that_is_not_a_list_of_games_is_refused(answer: object) -> None:
    with pytest.raises(SapperError):
        check_games(answer, SETUP, BOARDS)


def test_missing_or_additional_games_are_refused() -> None:
    played = games()
    for wrong in (played[:-1], [*played, played[0]]):
        with pytest.raises(SapperError, match=rf"{len(wrong)} games, not {COUNT}"):
            check_games(wrong, SETUP, BOARDS)
    with pytest.raises(SapperError, match="game 0: seed is"):
        check_games([played[1], played[0], *played[2:]], SETUP, BOARDS)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("games", COUNT + 1),
        ("games", float(COUNT)),
        ("wins", -1),
        ("wins", COUNT + 1),
        ("wins", 0),  # The numbers of lost games do not add up.
        ("scores", None),
        ("scores", Moments()),
        ("scores", Moments(COUNT, 0, -1)),
        ("scores", Moments(COUNT, 1 << 1074, 0)),
        ("scores", Moments(COUNT, 1 << 4000, 1 << 9000)),
        ("scores", Moments(COUNT, 0.0, 0)),  # type: ignore[arg-type]
        ("solved", COUNT + 1),
        ("guesses", -1),
        ("guesses", None),
        ("guess_tellers", COUNT + 1),
        ("lost_with", Counter()),
        ("lost_with", {}),
        ("lost_with", Counter({99: COUNT})),
        ("lost_with", Counter({"a": -1})),
        ("losses", Counter({(9, 9): 1})),
        ("losses", Counter({(0, 0): COUNT + 1})),
        ("losses", None),
        ("nanoseconds", -1),
        ("nanoseconds", 1.0),
    ],
)
def test_a_tally_with_a_wrong_field_is_refused(field: str, value: object) -> None:
    tally = Tally.of(games())
    setattr(tally, field, value)
    with pytest.raises(SapperError):
        check_tally(tally, SETUP, BOARDS)


@pytest.mark.parametrize("answer", [None, [], [games()]])
def test_a_result_that_is_not_a_tally_is_refused(answer: object) -> None:
    with pytest.raises(SapperError, match="not a tally of games"):
        check_tally(answer, SETUP, BOARDS)


@pytest.mark.parametrize(
    "answer",
    [
        None,
        Times([0] * 639),
        Times([-1] * 640),
        Times([0.0] * 640),  # type: ignore[list-item]
        Times((0,) * 640),  # type: ignore[arg-type]
        Times([0] * 640, math.inf),
        Times([0] * 640, -1.0),
        Times([0] * 640, None),  # type: ignore[arg-type]
    ],
)
def test_wrong_times_are_refused(answer: object) -> None:
    with pytest.raises(SapperError):
        check_times(answer)
