"""Games stepped together are the same as games stepped one by one."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sapper
from sapper import HIDDEN, BadLevel, IllegalMove, Position, SapperError

np = pytest.importorskip("numpy", reason="the environment is an extra")
gymnasium = pytest.importorskip("gymnasium", reason="the environment is an extra")

from gymnasium.error import ResetNeeded  # noqa: E402
from gymnasium.vector import SyncVectorEnv  # noqa: E402

from sapper.env.single import ENVIRONMENT_ID, MinesweeperEnv, Rewards  # noqa: E402
from sapper.env.vector import MinesweeperVectorEnv  # noqa: E402


def one_by_one(games: int, options: dict[str, Any]) -> SyncVectorEnv:
    """Return Gymnasium's own loop over single environments, which also begins games anew."""
    return SyncVectorEnv([lambda: MinesweeperEnv(**options)] * games)


def same(ours: tuple[Any, ...], theirs: tuple[Any, ...]) -> None:
    for one, other in zip(ours[:-1], theirs[:-1], strict=True):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)
    assert ours[-1].keys() == theirs[-1].keys()
    for name, values in ours[-1].items():
        assert np.array_equal(values, theirs[-1][name])


@pytest.mark.compiled
@settings(max_examples=30)
@given(
    level=st.sampled_from(["beginner", "5x4/3", "1x1/0", "1x7/2", "16x16/40", "4x4/15"]),
    promise=st.sampled_from([None, "safe", "none"]),
    seed=st.integers(0, 2**64 - 9),
    masked=st.booleans(),
    data=st.data(),
)
def test_games_in_a_vector_are_the_same_as_single_games(
    level: str, promise: str | None, seed: int, masked: bool, data: st.DataObject
) -> None:
    options: dict[str, Any] = {"level": level, "promise": promise}
    options["first"] = (0, 0) if promise != "none" and data.draw(st.booleans()) else None
    options["rewards"] = Rewards(*data.draw(st.tuples(*[st.floats(-9, 9)] * 4)))
    games, steps = 5, 400 if level == "1x1/0" else 150  # More games than seeds are drawn at once.
    ours, theirs = MinesweeperVectorEnv(games, **options), one_by_one(games, options)
    infos: dict[str, Any]
    begun, expected = ours.reset(seed=seed), theirs.reset(seed=seed)
    same(begun, expected)
    infos = begun[-1]
    choice = np.random.default_rng(seed)
    for step in range(steps):
        chances = choice.random(infos["action_mask"].shape)
        actions = (chances * infos["action_mask"] if masked else chances).argmax(axis=1)
        stepped = ours.step(actions)
        same(stepped, theirs.step(actions))
        infos = stepped[-1]
        if step == steps // 2:
            same(ours.reset(), theirs.reset())
    same(ours.reset(seed=[3, None, 5, 3, None]), theirs.reset(seed=[3, None, 5, 3, None]))
    same(ours.step([0] * games), theirs.step([0] * games))


@pytest.mark.compiled
def test_gymnasium_can_create_it() -> None:
    made = gymnasium.make_vec(ENVIRONMENT_ID, num_envs=4, level="expert")
    assert isinstance(made.unwrapped, MinesweeperVectorEnv)
    observations, infos = made.reset(seed=1)
    assert observations in made.observation_space
    observations, *_ = made.step(made.action_space.sample())
    assert observations in made.observation_space
    assert infos["_outcome"].all()


@pytest.mark.compiled
@pytest.mark.parametrize("copy", [True, False])
def test_copies_are_independent_and_views_are_read_only(copy: bool) -> None:
    environments = MinesweeperVectorEnv(2, "beginner", copy=copy)
    observations, infos = environments.reset(seed=1)
    environments.step([40, 40])
    assert (observations == HIDDEN).all() == copy
    assert infos["action_mask"].all() == copy
    if not copy:
        with pytest.raises(ValueError, match="read-only"):
            observations[0, 0, 0] = 1


@pytest.mark.compiled
def test_arrays_outlive_their_environment() -> None:
    environments = MinesweeperVectorEnv(50, "beginner", copy=False)
    observations, _ = environments.reset(seed=1)
    del environments
    assert (observations == HIDDEN).all()


@pytest.mark.compiled
def test_games_in_threads_are_the_same_as_single_games() -> None:
    def play(earned: list[Any]) -> None:
        environments = MinesweeperVectorEnv(100, "expert")
        environments.reset(seed=1)
        choice = np.random.default_rng(1)
        earned.extend(environments.step(choice.integers(480, size=100))[1] for _ in range(100))

    alone: list[Any] = []
    play(alone)
    together: list[list[Any]] = [[] for _ in range(4)]
    threads = [threading.Thread(target=play, args=[earned]) for earned in together]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for earned in together:
        assert np.array_equal(earned, alone)


@pytest.mark.compiled
def test_renders_are_the_positions() -> None:
    environments = MinesweeperVectorEnv(2, "6x5/4", render_mode="ansi")
    with pytest.raises(ResetNeeded):
        environments.render()
    environments.reset(seed=2)
    observations, *_ = environments.step([14, 20])
    for text, observation in zip(environments.render() or (), observations, strict=True):
        assert Position.parse(text).codes == observation.tobytes()
    pictures = MinesweeperVectorEnv(2, "6x5/4", render_mode="rgb_array")
    pictures.reset(seed=2)
    assert [picture.shape for picture in pictures.render() or ()] == [(80, 96, 3)] * 2


@pytest.mark.compiled
@pytest.mark.parametrize("actions", [[0], [0, 81], [-1, 0], [0.5, 1], [[0, 1]]])
def test_bad_actions_change_nothing(actions: Any) -> None:  # noqa: ANN401
    environments = MinesweeperVectorEnv(2, "beginner", copy=False)
    with pytest.raises(ResetNeeded):
        environments.step([0, 0])
    observations, _ = environments.reset(seed=1)
    with pytest.raises(IllegalMove, match="action"):
        environments.step(actions)
    assert (observations == HIDDEN).all()


@pytest.mark.compiled
def test_the_error_names_an_invalid_value() -> None:
    with pytest.raises(SapperError, match=r"1 to .*, not 0"):
        MinesweeperVectorEnv(0)
    with pytest.raises(BadLevel, match="flags"):
        MinesweeperVectorEnv(2, "course")
    with pytest.raises(SapperError, match="human"):
        MinesweeperVectorEnv(2, render_mode="human")
    environments = MinesweeperVectorEnv(2)
    with pytest.raises(SapperError, match="3 seeds"):
        environments.reset(seed=[1, 2, 3])
    with pytest.raises(BadLevel, match="-1"):
        environments.reset(seed=-1)
    with pytest.raises(SapperError, match="colour"):
        environments.reset(options={"colour": 1})


@pytest.mark.skipif(sapper.engine_name != "python", reason="is about the plain-Python engine")
def test_the_plain_python_engine_says_what_to_use() -> None:
    with pytest.raises(SapperError, match="requires the compiled engine"):
        MinesweeperVectorEnv(2)


@pytest.mark.compiled
@pytest.mark.parametrize(
    "seed", ["12", b"12", [1, 2.5], [1, "2"], [1, True], 1.5, True, [1, 2**64], 2**64 - 1, (-1, 1)]
)
def test_bad_seeds_change_nothing(seed: object) -> None:
    environments = MinesweeperVectorEnv(2)
    environments.reset(seed=3)
    before = environments.step([40, 40])[0]
    with pytest.raises((TypeError, ValueError), match="seed"):
        environments.reset(seed=seed)  # type: ignore[arg-type]
    again = MinesweeperVectorEnv(2)
    again.reset(seed=3)
    again.step([40, 40])
    assert (before == environments.step([40, 40])[0]).all()
    assert (environments.reset()[1]["seed"] == again.reset()[1]["seed"]).all()


@pytest.mark.compiled
@pytest.mark.parametrize("games", [0, -1, 1.5, True, "2", 10**400, 2**63, None])
def test_a_bad_number_of_games_is_an_error(games: object) -> None:
    with pytest.raises((TypeError, SapperError), match="the number of games"):
        MinesweeperVectorEnv(games)  # type: ignore[arg-type]


@pytest.mark.compiled
@pytest.mark.parametrize("games", [1, 10_000])
def test_a_vector_can_have_one_game_or_many(games: int) -> None:
    environments = MinesweeperVectorEnv(games, "4x4/2")
    observations, info = environments.reset(seed=0)
    assert observations.shape == (games, 4, 4)
    assert info["seed"].tolist() == list(range(games))
    opened = environments.step(np.full(games, 5))[-1]["opened"]
    assert opened.shape == (games,)
    assert (opened > 0).all()
