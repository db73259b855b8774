"""How often `safest` wins, and how long it takes on a large board: `python -m benchmarks.safest`.

Prints the figures of docs/agents.md. The boards are those of the seeds from 0 on. With `--large` it
plays one game of 1000 x 1000 cells instead.
"""

from __future__ import annotations

import argparse
import math
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from time import perf_counter

from sapper import Game, Outcome, agents

FIRST = {"safe": (0, 0), "open": (3, 3)}


def wins(name: str, promise: str, seeds: range) -> int:
    """Return how many of the expert games with these seeds the agent wins."""
    won = 0
    for seed in seeds:
        game = Game.new("expert", seed=seed, promise=promise)
        agent = agents.named(name, seed=seed)
        game.open(FIRST[promise])
        while not game.over:
            game.open(agent.choose(game.position))
        won += game.outcome is Outcome.WON
    return won


def interval(won: int, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a rate (Wilson's)."""
    z = 1.959964
    rate, spread = won / games, z * z / games
    middle = (rate + spread / 2) / (1 + spread)
    half = z * math.sqrt(rate * (1 - rate) / games + spread / games / 4) / (1 + spread)
    return middle - half, middle + half


def play_large() -> None:
    game, agent = Game.new("1000x1000/100000", seed=1), agents.Safest()
    start, guesses, moves = perf_counter(), 0, 1
    game.open((500, 500))
    while not game.over:
        choice = agent.decide(game.position)
        assert choice is not None
        guesses += not choice.safe
        game.open(choice.cell)
        moves += 1
        if moves % 1000 == 0:
            print(f"\r  {moves} moves", end="", file=sys.stderr, flush=True)
    seconds = perf_counter() - start
    print(file=sys.stderr)
    print(
        f"safest, 1000 x 1000 cells, 100,000 mines: {game.outcome.value} after {moves} moves,"
        f" {guesses} of them guesses, in {seconds:.0f} s ({1e3 * seconds / moves:.2f} ms a move)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--agent", default="safest", choices=list(agents.AGENTS))
    parser.add_argument("--large", action="store_true", help="one game on a board of a million cells")
    options = parser.parse_args()
    if options.large:
        play_large()
        return
    chunks = [range(start, min(start + 100, options.games)) for start in range(0, options.games, 100)]
    with ProcessPoolExecutor() as pool:
        for promise, first in FIRST.items():
            won = done = 0
            played = pool.map(wins, repeat(options.agent), repeat(promise), chunks)
            for chunk, more in zip(chunks, played, strict=True):
                won, done = won + more, done + len(chunk)
                print(f"\r  {done} of {options.games}", end="", file=sys.stderr, flush=True)
            low, high = interval(won, done)
            print(file=sys.stderr)
            print(
                f"{options.agent}, expert, first click {first} promised {promise}: {won} of {done} won,"
                f" {won / done:.1%} ({low:.1%} to {high:.1%})"
            )


if __name__ == "__main__":
    main()
