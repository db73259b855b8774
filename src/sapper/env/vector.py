"""A Gymnasium vector environment: the compiled engine steps many games at once.

It requires the extra `env`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from sapper.arguments import instance, integer
from sapper.engine import engine
from sapper.env.pixels import draw_pixels
from sapper.env.rules import Rules
from sapper.env.single import Observation, Rewards, check_render_mode
from sapper.errors import IllegalMove, SapperError
from sapper.game.game import LARGEST_SEED, REACH, check_seed
from sapper.levels import Level, Promise
from sapper.position import HIDDEN, Cell, Position
from sapper.text import quoted

__all__ = ["MinesweeperVectorEnv"]

_OUTCOMES: Final = np.array(["playing", "won", "lost"], dtype=object)
_SEEDS_AT_ONCE: Final = 64
_MOST_CELLS: Final = 2**31
"""The most cells of all games together: 2 GiB of observations."""


class MinesweeperVectorEnv(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Many games at once, each the same as in a `MinesweeperEnv` that was reset with the same seed.

    After a game is over, the next step starts a new one; its action is ignored and its reward is 0.
    `info` is the same as for one game, as arrays with one row per game. With `copy=False`, the returned
    arrays are read-only, and the next step changes them.

    It requires the compiled engine.

    >>> envs = MinesweeperVectorEnv(3, "beginner")
    >>> observations, infos = envs.reset(seed=7)
    >>> observations.shape, infos["seed"].tolist()
    ((3, 9, 9), [7, 8, 9])
    >>> observations, rewards, terminations, truncations, infos = envs.step([40, 40, 40])
    >>> infos["opened"].tolist(), terminations.tolist()
    ([52, 35, 63], [False, False, False])
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as in Gymnasium.
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 4,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int,
        level: str | Level = "beginner",
        *,
        promise: str | Promise | None = None,
        first: Cell | None = None,
        rewards: Rewards | None = None,
        render_mode: str | None = None,
        copy: bool = True,
    ) -> None:
        self.rules = Rules.of(level, promise=promise, first=first)
        self.rewards = Rewards() if rewards is None else instance(rewards, Rewards, "rewards")
        num_envs = integer(num_envs, "the number of games")
        cells = self.rules.level.height * self.rules.level.width
        if not 1 <= num_envs <= _MOST_CELLS // cells:
            most = _MOST_CELLS // cells
            raise SapperError(f"the number of games must be from 1 to {most}, not {quoted(num_envs)}")
        check_render_mode(render_mode, self.metadata)
        if engine.name != "compiled":
            raise SapperError("MinesweeperVectorEnv requires the compiled engine: use MinesweeperEnv")
        self.render_mode = render_mode
        self.num_envs = num_envs
        height, width = self.rules.level.height, self.rules.level.width
        self.single_observation_space = spaces.Box(0, HIDDEN, (height, width), np.uint8)
        self.single_action_space = spaces.Discrete(height * width)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        first = self.rules.first
        self._games = games = engine.create_vector_env(
            num_envs,
            height=height,
            width=width,
            mines=self.rules.level.mines,
            promise=REACH[self.rules.promise],
            first=None if first is None else first[0] * width + first[1],
            progress=self.rewards.progress,
            win=self.rewards.win,
            mine=self.rewards.mine,
            repeat=self.rewards.repeat,
        )
        self._copy = copy
        # Each game has its own generator of seeds, as it would alone.
        self._generators: list[np.random.Generator] = []
        # Views of the memory that the engine writes to.
        self._observations = games.codes.reshape(num_envs, height, width)
        self._terminations = games.ended.view(np.bool_)
        self._earned, self._outcomes, self._seeds_left = games.rewards, games.outcomes, games.seeds_left
        self._facts = {"action_mask": games.masks, "opened": games.opened, "seed": games.seeds}
        self._all = np.ones(num_envs, np.bool_)
        self._never = np.zeros(num_envs, np.bool_)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Start all games. The seed is that of the first game; the others have the next seeds."""
        if options:
            name = min(map(quoted, instance(options, dict, "the options of reset")))
            raise SapperError(f"{name} is not an option of reset, which has no options")
        seeds = self._seeds(seed)
        if not self._generators:
            self._generators = [np_random(own)[0] for own in seeds]
        for game, own in enumerate(seeds):
            if own is not None:
                self._generators[game] = np_random(own)[0]
                self._games.supply(game, np.array([own], np.uint64))
        self._supply()
        self._games.reset()
        return self._own(self._observations), self._info()

    def step(
        self, actions: ArrayLike
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Open a cell in every game in progress, and restart the games that are over."""
        if not self._generators:
            raise ResetNeeded("no game has started: call reset first")
        indices = np.asarray(actions)
        if indices.shape != (self.num_envs,) or indices.dtype.kind not in "iu":
            raise IllegalMove(f"actions are {self.num_envs} whole numbers, one for each game")
        self._supply()
        try:
            self._games.step(np.ascontiguousarray(indices, np.int64))
        except ValueError as error:
            most = self.rules.level.height * self.rules.level.width - 1
            raise IllegalMove(f"an action must be from 0 to {most}: {error}") from error
        return (
            self._own(self._observations),
            self._own(self._earned),
            self._own(self._terminations),
            self._own(self._never),
            self._info(),
        )

    def render(self) -> tuple[Any, ...] | None:
        """Return the positions of all games as text (`ansi`) or pixels (`rgb_array`)."""
        if not self._generators:
            raise ResetNeeded("no game has started: call reset first")
        if self.render_mode is None:
            return None
        level = self.rules.level
        rows = (row.tobytes() for row in self._observations)
        positions = [Position(level.height, level.width, level.mines, codes) for codes in rows]
        draw = draw_pixels if self.render_mode == "rgb_array" else str
        return tuple(map(draw, positions))

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        """Return the seed of each game."""
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, list | tuple | np.ndarray):
            seeds = [None if own is None else check_seed(own) for own in seed]
            if len(seeds) != self.num_envs:
                raise SapperError(
                    f"expected {self.num_envs} seeds, one per game, not {len(seeds)} seeds"
                )
            return seeds
        first = check_seed(cast(int, seed))  # Any other sequence raises a TypeError.
        check_seed(first + self.num_envs - 1)  # The last game's.
        return [first + game for game in range(self.num_envs)]

    def _supply(self) -> None:
        """Give new seeds to the games that have used up theirs."""
        for game in np.flatnonzero(self._seeds_left == 0).tolist():
            seeds = self._generators[game].integers(
                LARGEST_SEED, size=_SEEDS_AT_ONCE, dtype=np.uint64, endpoint=True
            )
            self._games.supply(game, seeds)

    def _own(self, values: NDArray[Any]) -> NDArray[Any]:
        return values.copy() if self._copy else values

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {name: self._own(values) for name, values in self._facts.items()}
        info["outcome"] = _OUTCOMES[self._outcomes]
        return info | {f"_{name}": self._all for name in info}  # Gymnasium's mask: every game has it.
