"""Win rates of the agents on expert, or the time of one very large game.

`python -m benchmarks.agents` prints a table of win rates, from the arena's games with seed 0.
`python -m benchmarks.agents --large` lets `safest` play one game on 1000 x 1000 cells instead.
"""

from __future__ import annotations

from time import perf_counter

from benchmarks.support import command_line, end_progress, show_progress
from sapper import Game, agents
from sapper.arena import Result, bench

PROMISES = {"safe": "the corner, promise `safe`", "open": "row 4, column 4, promise `open`"}


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
            show_progress(f"{moves} moves")
    seconds = perf_counter() - start
    end_progress()
    print(
        f"safest, 1000 x 1000 cells, 100,000 mines: {game.outcome.value} after {moves} moves,"
        f" {guesses} of them guesses, in {seconds:.0f} s ({1e3 * seconds / moves:.2f} ms per move)"
    )


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--games", type=int, default=50_000, help="games per agent and promise")
    parser.add_argument("--large", action="store_true", help="play one game on a million cells instead")
    parser.add_argument("agents", nargs="*", default=["safest", "strong"], help="agents to measure")
    options = parser.parse_args()
    if options.large:
        play_large()
    else:
        play_expert(options.agents, options.games)


if __name__ == "__main__":
    main()
