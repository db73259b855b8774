"""How often the agents win, and how long a large board takes: `python -m benchmarks.agents`.

Prints the table of docs/agents.md, from games of the arena's seed 0. With `--large`, `safest` plays one
game of 1000 x 1000 cells instead.
"""

from __future__ import annotations

import argparse
import sys
from time import perf_counter

from sapper import Game, agents
from sapper.arena import Result, bench

PROMISES = {"safe": "the corner, promised `safe`", "open": "row 4, column 4, promised `open`"}


def percent(result: Result) -> str:
    rate = result.rate
    return f"{100 * rate.value:.1f} % ({100 * rate.low:.1f} to {100 * rate.high:.1f})"


def play_expert(names: list[str], games: int) -> None:
    print("| expert, first click | " + " | ".join(f"`{name}`" for name in names) + " |")
    print("| --- |" + " --- |" * len(names))
    for promise, first in PROMISES.items():
        results = [bench("expert", agent=name, promise=promise, games=games) for name in names]
        print(f"| {first} | " + " | ".join(map(percent, results)) + " |", flush=True)


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
    parser.add_argument("--games", type=int, default=50_000)
    parser.add_argument("--large", action="store_true", help="one game on a board of a million cells")
    parser.add_argument("agents", nargs="*", default=["safest", "strong"])
    options = parser.parse_args()
    if options.large:
        play_large()
    else:
        play_expert(options.agents, options.games)


if __name__ == "__main__":
    main()
