"""The environment plays the same games as `Game`, with the documented rewards."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper import HIDDEN, BadLevel, BadPosition, Game, IllegalMove, Level, Outcome, SapperError

np = pytest.importorskip("numpy", reason="the environment is an extra")
gymnasium = pytest.importorskip("gymnasium", reason="the environment is an extra")

from gymnasium.error import ResetNeeded  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402

from sapper.env.single import ENVIRONMENT_ID, MinesweeperEnv, Rewards  # noqa: E402

LEVELS = ("beginner", "5x4/3", "1x1/0", "30x16/99", "4x4/15")
seeds = st.integers(0, 2**64 - 1)


@pytest.mark.parametrize("mode", [None, "ansi", "rgb_array", "human"])
def test_the_environment_passes_gymnasiums_own_checks(mode: str | None) -> None:
    environment = gymnasium.make(ENVIRONMENT_ID, level="6x5/4", render_mode=mode)
    check_env(environment.unwrapped)


@settings(max_examples=30)
@given(level=st.sampled_from(LEVELS), seed=seeds, data=st.data())
def test_an_episode_is_the_game_of_its_seed(level: str, seed: int, data: st.DataObject) -> None:
    environment = MinesweeperEnv(level)
    observation, info = environment.reset(seed=seed)
    game = Game.new(level, seed=seed)
    safe = len(game.position) - game.level.mines
    total = 0.0
    while not game.over:
        assert info["outcome"] == "playing"
        assert observation.tobytes() == game.position.codes
        assert list(info["action_mask"]) == [code == HIDDEN for code in game.position.codes]
        place = data.draw(st.sampled_from(np.flatnonzero(info["action_mask"]).tolist()))
        opened = game.open(divmod(place, game.level.width))
        observation, reward, terminated, truncated, info = environment.step(place)
        total += reward
        assert info["opened"] == len(opened)
        assert (terminated, truncated) == (game.over, False)
    assert info["outcome"] == game.outcome.value
    share = (len(game.position) - len(game.position.hidden)) / safe
    assert total == pytest.approx(2 if game.outcome is Outcome.WON else share - 1)
    with pytest.raises(ResetNeeded):
        environment.step(0)


def test_each_kind_of_step_has_its_reward() -> None:
    rewards = Rewards(progress=8, win=100, mine=-50, repeat=-3)
    environment = MinesweeperEnv("3x3/1", promise="safe", rewards=rewards)
    seed = next(seed for seed in range(100) if drawn_mines(seed) == {(0, 1)})
    environment.reset(seed=seed)
    assert environment.step(0)[1] == 1  # 1 of 8 safe cells.
    assert environment.step(0)[1:3] == (-3, False)
    assert environment.step(2)[1] == 1
    assert environment.step(6)[1:3] == (106, True)  # The lower two rows, and all is open.
    environment.reset(seed=seed)
    environment.step(0)
    assert environment.step(1)[1:3] == (-50, True)


def drawn_mines(seed: int) -> set[tuple[int, int]]:
    game = Game.new("3x3/1", seed=seed, promise="safe")
    game.open((0, 0))
    assert game.minefield is not None
    return game.minefield.mines


def test_the_same_seed_always_gives_the_same_games() -> None:
    def boards(environment: MinesweeperEnv) -> list[int]:
        return [environment.reset(seed=5)[1]["seed"]] + [
            environment.reset()[1]["seed"] for _ in range(4)
        ]

    once = boards(MinesweeperEnv())
    assert once == boards(MinesweeperEnv("expert"))
    assert once[0] == 5
    assert len(set(once)) == 5


def test_without_a_seed_games_differ() -> None:
    assert MinesweeperEnv().reset()[1]["seed"] != MinesweeperEnv().reset()[1]["seed"]


@given(seed=seeds)
@settings(max_examples=20)
def test_a_first_cell_is_opened_by_the_reset(seed: int) -> None:
    environment = MinesweeperEnv("beginner", first=(4, 4))
    observation, info = environment.reset(seed=seed)
    assert observation[4, 4] == 0
    assert info["opened"] == (observation != HIDDEN).sum() >= 9
    observation, info = environment.reset(seed=seed, options={"first": (0, 0)})
    assert observation[0, 0] == 0


def test_a_game_won_by_its_first_cell_ends_with_the_next_step() -> None:
    environment = MinesweeperEnv("3x3/0", first=(1, 1), rewards=Rewards(win=7))
    _, info = environment.reset(seed=1)
    assert (info["outcome"], info["opened"]) == ("won", 9)
    _, reward, terminated, _, info = environment.step(3)
    assert (reward, terminated, info["opened"]) == (7, True, 0)


def test_options_change_one_game() -> None:
    environment = MinesweeperEnv("9x9/10")
    environment.reset(seed=3, options={"level": "9x9/1", "promise": "none"})
    assert environment.game is not None
    assert (environment.game.level.mines, environment.game.promise.value) == (1, "none")
    environment.reset(seed=3)
    assert (environment.game.level.mines, environment.game.promise.value) == (10, "open")


def test_rendering_shows_the_position() -> None:
    environment = MinesweeperEnv("6x5/4", render_mode="ansi")
    with pytest.raises(ResetNeeded):
        environment.render()
    environment.reset(seed=2)
    environment.step(14)
    assert environment.game is not None
    assert environment.render() == str(environment.game.position)


def test_a_picture_shows_as_many_kinds_of_cells_as_there_are() -> None:
    environment = MinesweeperEnv("6x5/4", render_mode="rgb_array")
    environment.reset(seed=2)
    observation = environment.step(14)[0]
    picture = environment.render()
    assert (picture.dtype, picture.shape) == (np.uint8, (80, 96, 3))
    tiles = picture.reshape(5, 16, 6, 16, 3).transpose(0, 2, 1, 3, 4).reshape(30, -1)
    by_code: dict[int, set[bytes]] = {}
    for code, tile in zip(observation.ravel().tolist(), tiles, strict=True):
        by_code.setdefault(code, set()).add(tile.tobytes())
    assert all(len(pictures) == 1 for pictures in by_code.values())
    assert len(set.union(*by_code.values())) == len(by_code) > 2


def test_human_mode_prints_the_board(capsys: pytest.CaptureFixture[str]) -> None:
    environment = MinesweeperEnv("4x2/2", render_mode="human")
    environment.reset(seed=2)
    assert capsys.readouterr().out == "4x2/2\n# # # #\n# # # #\n\n"


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"level": "course"}, BadLevel, "flags"),
        ({"level": "3x3/9"}, BadLevel, "no safe cell"),
        ({"level": "3x3/5", "promise": "open"}, BadLevel, "too many"),
        ({"promise": "none", "first": (0, 0)}, BadLevel, "promise"),
        ({"first": (9, 0)}, BadPosition, "not a cell"),
        ({"render_mode": "smell"}, SapperError, "smell"),
    ],
)
def test_the_error_names_an_invalid_option(
    options: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        MinesweeperEnv(**options)


@pytest.mark.parametrize(
    ("options", "said"), [({"level": "8x8/3"}, "must have the size of"), ({"colour": 1}, "colour")]
)
def test_the_error_names_an_invalid_reset_option(options: dict[str, Any], said: str) -> None:
    with pytest.raises(SapperError, match=said):
        MinesweeperEnv().reset(options=options)


def test_rewards_are_finite() -> None:
    with pytest.raises(SapperError, match="mine"):
        Rewards(mine=float("nan"))


@pytest.mark.parametrize("action", [-1, 81, 1.5])
def test_an_action_is_a_place_on_the_board(action: Any) -> None:  # noqa: ANN401
    environment = MinesweeperEnv(Level.named("beginner"))
    environment.reset(seed=1)
    with pytest.raises(IllegalMove, match="from 0 to 80"):
        environment.step(action)


@pytest.mark.parametrize("seed", [-1, 2**64, 10**400, 1.5, "1", True, float("nan"), [1]])
def test_a_bad_seed_changes_nothing(seed: object) -> None:
    environment = MinesweeperEnv()
    environment.reset(seed=5)
    environment.step(40)
    game, position = environment.game, environment.game and environment.game.position
    state = environment.np_random.bit_generator.state
    with pytest.raises((TypeError, ValueError), match="seed"):
        environment.reset(seed=seed)  # type: ignore[arg-type]
    assert environment.game is game
    assert game is not None
    assert game.position == position
    assert environment.np_random.bit_generator.state == state


def test_integers_of_numpy_are_seeds() -> None:
    environment = MinesweeperEnv()
    for seed in (np.int64(7), np.uint64(7), np.int8(7)):
        assert environment.reset(seed=seed)[1]["seed"] == 7


@pytest.mark.parametrize(
    "action", [True, np.True_, 1.0, -1, 81, "1", None, [1], np.array([1]), 10**400]
)
def test_a_bad_action_changes_nothing(action: object) -> None:
    environment = MinesweeperEnv()
    before, _ = environment.reset(seed=5)
    with pytest.raises(IllegalMove, match="an action must be from 0 to 80"):
        environment.step(action)  # type: ignore[arg-type]
    assert environment.game is not None
    assert not environment.game.begun
    assert (environment.step(40)[0] != before).any()


@pytest.mark.parametrize("first", ["12", (1.9, 2.2), ("1", "2"), (True, False), (1,), 5, (9, 0)])
def test_a_bad_first_cell_is_an_error(first: object) -> None:
    with pytest.raises(SapperError, match="not a cell"):
        MinesweeperEnv(first=first)  # type: ignore[arg-type]
    with pytest.raises(SapperError, match="not a cell"):
        MinesweeperEnv().reset(options={"first": first})


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400, "1", None, True, 1j])
def test_a_reward_is_a_finite_number(value: object) -> None:
    with pytest.raises((TypeError, SapperError), match="'win' must be a"):
        Rewards(win=value)  # type: ignore[arg-type]
