"""How long reviews take, and how much of them is exact: `python -m benchmarks.review`.

Prints the table in docs/review.md. The player of the reviewed expert games opens certain cells, or else
the safest cell, and occasionally a random cell that may be a mine. The compiled engine takes about a
minute. There are no options.
"""

from __future__ import annotations

import os
import random
import time
from statistics import mean

from benchmarks.support import command_line
from sapper import Game, Outcome, Record, Review, agents, analyse, review

GAMES = 10
CARELESS = 0.02
"""The probability that a move opens a random cell."""
MOST_RISK = 0.35
"""The highest risk of such a cell."""


def played(seed: int) -> Record:
    """Return the record of an expert game by a player who is sometimes careless."""
    generator = random.Random(seed)
    game = Game.new("expert", seed=seed, promise="open")
    game.open((8, 15))
    agent = agents.Safest()
    while not game.over:
        risks = analyse(game.position).risk
        careless = [cell for cell, risk in risks.items() if 0 < risk <= MOST_RISK]
        if careless and generator.random() < CARELESS:
            game.open(generator.choice(careless))
        else:
            game.open(agent.choose(game.position))
    return Record.of(game)


def row(seed: int, found: Review, seconds: float, busy: float) -> list[str]:
    known = [move.before for move in found.moves if move.before is not None]
    errors = [worth.error for worth in known if not worth.exact]
    losses = [move.loss.error for move in found.decisions if move.loss is not None and move.loss.error]
    accuracy = "" if found.accuracy is None else f"{found.accuracy:.0f}"
    return [
        str(seed),
        found.outcome.value,
        str(len(found.line)),
        str(sum(not move.certain for move in found.line) - 1),
        accuracy,
        f"{len(known)}",
        f"{sum(worth.exact for worth in known)}",
        f"{100 * mean(errors):.1f}" if errors else "",
        f"{100 * mean(losses):.1f}" if losses else "",
        f"{busy:.1f}",
        f"{seconds:.1f}",
    ]


def main() -> None:
    command_line(__doc__).parse_args()
    heads = ["seed", "outcome", "opening moves", "guesses", "accuracy", "positions judged", "exact"]
    heads += ["mean error of a probability, points", "mean error of a loss, points"]
    heads += ["CPU seconds", "seconds"]
    print("| " + " | ".join(heads) + " |")
    print("| ---: | --- |" + " ---: |" * (len(heads) - 2))
    taken, busy, won = [], [], 0
    for seed in range(GAMES):
        record = played(seed)
        start, worked = time.perf_counter(), time.process_time()
        found = review(record, seconds=600)
        taken.append(time.perf_counter() - start)
        busy.append(time.process_time() - worked)
        won += found.outcome is Outcome.WON
        print("| " + " | ".join(row(seed, found, taken[-1], busy[-1])) + " |", flush=True)
    times = f"{mean(busy):.1f} s of CPU time per game, {mean(taken):.1f} s elapsed"
    print(f"\n{won} of {GAMES} won; {times}, {os.cpu_count()} cores.")


if __name__ == "__main__":
    main()
