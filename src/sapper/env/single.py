"""A Gymnasium environment in which an agent opens one cell per step.

Importing this module registers `sapper/Minesweeper-v0`. It requires the extra `env`.
"""

from __future__ import annotations

from typing import Any, Final

from sapper.extras import install_command

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded
    from numpy.typing import NDArray
except ImportError as reason:
    needed = f"environments require the extra 'env': run {install_command('env')}"
    raise ImportError(f"{needed} ({reason})") from reason

from sapper.arguments import instance
from sapper.env.pixels import draw_pixels
from sapper.env.rules import Rewards, Rules
from sapper.errors import BadLevel, IllegalMove, SapperError
from sapper.game.game import LARGEST_SEED, Game, Outcome, check_seed
from sapper.levels import Level, Promise
from sapper.position import HIDDEN, Cell
from sapper.text import quoted

__all__ = ["ENVIRONMENT_ID", "MinesweeperEnv", "Rewards"]

ENVIRONMENT_ID: Final = "sapper/Minesweeper-v0"

Observation = NDArray[np.uint8]


class MinesweeperEnv(gymnasium.Env[Observation, np.int64]):
    """One game at a time. An action is the number of the cell to open, counted row by row from 0.

    An observation has a number for each cell: 0 to 8 for an open cell, 9 for a hidden one. `info` has
    the `action_mask` (1 for each hidden cell), the `outcome` (`playing`, `won` or `lost`), the number
    of cells `opened` by this step, and the `seed` of the board: `Game.new(level, seed=int(seed))` is
    the same game.

    `first` is a cell that every reset opens. `rewards` gives the rewards for steps.

    >>> env = MinesweeperEnv("beginner")
    >>> observation, info = env.reset(seed=7)
    >>> observation.shape, int(info["action_mask"].sum()), int(info["seed"])
    ((9, 9), 81, 7)
    >>> observation, reward, terminated, truncated, info = env.step(40)
    >>> int(observation[4, 4]), info["opened"], round(reward, 3), terminated
    (0, 52, 0.732, False)
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as in Gymnasium.
        "render_modes": ["ansi", "human", "rgb_array"],
        "render_fps": 4,
    }

    def __init__(
        self,
        level: str | Level = "beginner",
        *,
        promise: str | Promise | None = None,
        first: Cell | None = None,
        rewards: Rewards | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.rules = Rules.of(level, promise=promise, first=first)
        self.rewards = Rewards() if rewards is None else instance(rewards, Rewards, "rewards")
        check_render_mode(render_mode, self.metadata)
        self.render_mode = render_mode
        size = (self.rules.level.height, self.rules.level.width)
        self.observation_space = spaces.Box(0, HIDDEN, size, np.uint8)
        self.action_space = spaces.Discrete(size[0] * size[1])
        self.game: Game | None = None
        """The current game; None before the first reset."""
        self._rules_now = self.rules
        self._ended = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a game with this seed, or with a random seed that follows from the previous one.

        For this game only, the options may change the `level` (of the same height and width), the
        `promise` or the `first` cell.
        """
        rules = self._rules_with(options)
        if seed is not None:
            seed = check_seed(seed)  # Raise errors before anything changes.
        super().reset(seed=seed)
        if seed is None:
            seed = int(self.np_random.integers(LARGEST_SEED, dtype=np.uint64, endpoint=True))
        self.game = Game.new(rules.level, seed=seed, promise=rules.promise)
        self._rules_now, self._ended = rules, False
        opened = 0 if rules.first is None else len(self.game.open(rules.first))
        observation, info = self._observe(self.game, opened)
        self._show()
        return observation, info

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Open a cell. An open cell stays open. The game ends when it is won or lost.

        If opening the `first` cell has already won the game, it ends with the first step.
        """
        game = self.game
        if game is None or self._ended:
            raise ResetNeeded("the game is over or has not started: call reset first")
        if isinstance(action, bool) or not self.action_space.contains(action):
            raise IllegalMove(
                f"an action must be from 0 to {len(game.position) - 1}, not {quoted(action)}"
            )
        cell = divmod(int(action), game.level.width)
        can_open = not game.over and game.position.is_hidden(cell)
        opened = len(game.open(cell)) if can_open else 0
        outcome = game.outcome
        reward = self.rewards.of_step(opened=opened, safe=self._rules_now.safe, outcome=outcome.value)
        self._ended = outcome is not Outcome.PLAYING
        observation, info = self._observe(game, opened)
        self._show()
        return observation, reward, self._ended, False, info

    def render(self) -> Any:  # noqa: ANN401 - as in Gymnasium.
        """Return the position as text (`ansi`) or pixels (`rgb_array`), or print it (`human`)."""
        if self.game is None:
            raise ResetNeeded("no game has started: call reset first")
        if self.render_mode == "ansi":
            return str(self.game.position)
        if self.render_mode == "rgb_array":
            return draw_pixels(self.game.position)
        if self.render_mode == "human":
            print(self.game.position, end="\n\n")
        return None

    def _rules_with(self, options: dict[str, Any] | None) -> Rules:
        options = {} if options is None else instance(options, dict, "the options of reset")
        unknown = sorted(map(quoted, options.keys() - {"level", "promise", "first"}))
        if unknown:
            raise SapperError(f"{unknown[0]} is not an option of reset: use level, promise or first")
        if not options:
            return self.rules
        own = self.rules
        level = Level.named(options.get("level", own.level))
        size = (level.height, level.width)
        if size != self.observation_space.shape:
            raise BadLevel(f"the level must have the size of {own.level.size}, not of {level.size}")
        promise = options.get("promise", None if "level" in options else own.promise)
        return Rules.of(level, promise=promise, first=options.get("first", own.first))

    def _observe(self, game: Game, opened: int) -> tuple[Observation, dict[str, Any]]:
        codes = np.frombuffer(game.position.codes, np.uint8)
        info = {
            "action_mask": (codes == HIDDEN).astype(np.int8),
            "outcome": game.outcome.value,
            "opened": opened,
            "seed": np.uint64(game.seed or 0),
        }
        return codes.reshape(game.level.height, game.level.width).copy(), info

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def check_render_mode(mode: str | None, metadata: dict[str, Any]) -> None:
    """Raise `SapperError` unless the render mode is valid.

    >>> check_render_mode("smell", MinesweeperEnv.metadata)
    Traceback (most recent call last):
    sapper.errors.SapperError: 'smell' is not a render mode: use ansi, human or rgb_array
    """
    modes = metadata["render_modes"]
    if mode is not None and (not isinstance(mode, str) or mode not in modes):
        raise SapperError(
            f"{quoted(mode)} is not a render mode: use {', '.join(modes[:-1])} or {modes[-1]}"
        )


if ENVIRONMENT_ID not in gymnasium.registry:
    gymnasium.register(
        ENVIRONMENT_ID,
        entry_point="sapper.env:MinesweeperEnv",
        vector_entry_point="sapper.env.vector:MinesweeperVectorEnv",
    )
