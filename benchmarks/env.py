"""Steps per second of the environments: `python -m benchmarks.env [--games N] [--level LEVEL ...]`.

Prints the figures in docs/env.md. Every step opens a random hidden cell in each game: in a loop over
single environments, in the vector environment, and in jumanji's Minesweeper if it is installed
(`pip install jumanji`; JAX on the CPU). The time to restart finished games counts; the time to choose
cells and to compile does not. Each figure is the fastest of several alternating runs.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.support import command_line
from sapper import Level
from sapper.env.single import MinesweeperEnv
from sapper.env.vector import MinesweeperVectorEnv

Stepper = Callable[[int], float]
"""Plays a number of steps, and returns how many seconds they took."""


def choose(masks: NDArray[Any], random: np.random.Generator) -> NDArray[np.int64]:
    """Return a random allowed action for each game, or 0 if none is allowed."""
    actions: NDArray[np.int64] = (random.random(masks.shape) * masks).argmax(axis=1)
    return actions


def loop(level: Level, games: int) -> Stepper:
    environments = [MinesweeperEnv(level) for _ in range(games)]
    infos = [each.reset(seed=seed)[1] for seed, each in enumerate(environments)]
    is_over = [False] * games
    random = np.random.default_rng(0)

    def play(steps: int) -> float:
        seconds = 0.0
        for _ in range(steps):
            actions = choose(np.stack([info["action_mask"] for info in infos]), random).tolist()
            start = time.perf_counter()
            for game, environment in enumerate(environments):
                if is_over[game]:
                    infos[game] = environment.reset()[1]
                    is_over[game] = False
                else:
                    stepped = environment.step(actions[game])
                    is_over[game], infos[game] = stepped[2], stepped[4]
            seconds += time.perf_counter() - start
        return seconds

    return play


def vector(level: Level, games: int, *, copy: bool) -> Stepper:
    environments = MinesweeperVectorEnv(games, level, copy=copy)
    _, infos = environments.reset(seed=0)
    random = np.random.default_rng(0)

    def play(steps: int) -> float:
        nonlocal infos
        seconds = 0.0
        for _ in range(steps):
            actions = choose(infos["action_mask"], random)
            start = time.perf_counter()
            *_, infos = environments.step(actions)
            seconds += time.perf_counter() - start
        return seconds

    return play


def jumanji_steppers(level: Level, games: int) -> dict[str, Stepper]:
    """Return two ways to step jumanji, by name; none if it is not installed."""
    try:
        jax = importlib.import_module("jax")
        wrappers = importlib.import_module("jumanji.wrappers")
        environments = importlib.import_module("jumanji.environments")
        generators = importlib.import_module("jumanji.environments.logic.minesweeper.generator")
    except ImportError:
        return {}
    generator = generators.UniformSamplingGenerator(level.height, level.width, level.mines)
    environment = wrappers.VmapAutoResetWrapper(environments.Minesweeper(generator=generator))
    begin = jax.jit(environment.reset)
    step = jax.jit(environment.step)
    keys = jax.random.split(jax.random.PRNGKey(0), games)
    random = np.random.default_rng(0)

    def chosen(timestep: Any) -> NDArray[np.int32]:  # noqa: ANN401
        masks = np.asarray(timestep.observation.action_mask).reshape(games, -1)
        return np.stack(divmod(choose(masks, random), level.width), axis=1).astype(np.int32)

    def play(steps: int) -> float:
        state, timestep = begin(keys)
        jax.block_until_ready(step(state, chosen(timestep)))  # This compiles it.
        seconds = 0.0
        for _ in range(steps):
            actions = jax.numpy.asarray(chosen(timestep))
            start = time.perf_counter()
            state, timestep = jax.block_until_ready(step(state, actions))
            seconds += time.perf_counter() - start
        return seconds

    def scan(state: Any, actions: Any) -> Any:  # noqa: ANN401
        def one(before: Any, action: Any) -> Any:  # noqa: ANN401
            after, timestep = environment.step(before, action)
            return after, (timestep.reward, timestep.observation.board)

        return jax.lax.scan(one, state, actions)

    step_all = jax.jit(scan)

    recorded: dict[int, Any] = {}

    def play_at_once(steps: int) -> float:
        first, timestep = begin(keys)
        if steps not in recorded:  # Choose the cells once, step by step; then compile.
            state, actions = first, []
            for _ in range(steps):
                actions.append(chosen(timestep))
                state, timestep = step(state, actions[-1])
            recorded[steps] = jax.numpy.asarray(np.stack(actions))
            jax.block_until_ready(step_all(first, recorded[steps]))
        start = time.perf_counter()
        jax.block_until_ready(step_all(first, recorded[steps]))
        return time.perf_counter() - start

    return {"jumanji, one call per step": play, "jumanji, all steps in one call": play_at_once}


def print_level(level: Level, games: int, steps: int, runs: int) -> None:
    steppers: dict[str, Stepper] = {
        "loop over single environments": loop(level, games),
        "vector environment": vector(level, games, copy=True),
        "vector environment, copy=False": vector(level, games, copy=False),
        **jumanji_steppers(level, games),
    }
    best = dict.fromkeys(steppers, 0.0)
    for _ in range(runs):
        for name, play in steppers.items():
            fewer = max(1, steps // 10) if name.startswith("loop") else steps
            best[name] = max(best[name], games * fewer / play(fewer))
    slowest = best["loop over single environments"]
    print(f"{level.size}: {games:,} games")
    for name, speed in best.items():
        print(
            f"  {name:32}{speed:14,.0f} steps per second{speed / slowest:9.1f} x the loop", flush=True
        )


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--games", type=int, default=1024, help="number of parallel games")
    parser.add_argument(
        "--steps", type=int, default=200, help="steps per run; the loop plays a tenth of them"
    )
    parser.add_argument("--runs", type=int, default=5, help="number of runs; the fastest counts")
    parser.add_argument("--level", nargs="+", default=["10x10/10", "30x16/99"], help="levels to play")
    options = parser.parse_args()
    for level in options.level:
        print_level(Level.named(level), options.games, options.steps, options.runs)


if __name__ == "__main__":
    main()
