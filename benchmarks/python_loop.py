"""The cost of playing games from Python, move by move: `python -m benchmarks.python_loop`.

Prints CPU milliseconds per expert game for the loop
`while not game.over: game.open(agent.choose(game.position))`, and for the same boards played entirely
inside the compiled engine.
"""

from __future__ import annotations

from time import process_time

from benchmarks.support import command_line
from sapper import LEVELS, Game, agents
from sapper.engine import Limit, engine
from sapper.engine.seeds import board_seed

LEVEL = LEVELS["expert"]
FIRST = (3, 3)
OPEN = 2
"""The engine's code for the promise `open`."""


def play_in_python(agent: agents.Agent, games: int) -> int:
    """Play the boards of the run with seed 0, and return how many were won."""
    won = 0
    for number in range(games):
        game = Game.new(LEVEL, seed=board_seed(0, number))
        game.open(FIRST)
        while not game.over:
            game.open(agent.choose(game.position))
        won += not game.exploded
    return won


def play_in_engine(player: str, games: int) -> int:
    """Play the same boards on one thread of the engine, and return how many were won."""
    arena = engine.create_arena(
        player,
        height=LEVEL.height,
        width=LEVEL.width,
        mines=LEVEL.mines,
        first=FIRST[0] * LEVEL.width + FIRST[1],
        promise=OPEN,
        threads=1,
        limit=Limit(),
    )
    return sum(played.won for played in arena.play_seeds(0, range(games)))


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--games", type=int, default=300, help="games per agent")
    parser.add_argument("--rounds", type=int, default=3, help="repeats; the fastest one counts")
    options = parser.parse_args()
    print("| agent | won | Python loop, ms per game | engine, ms per game | ratio |")
    print("| --- | --- | --- | --- | --- |")
    for name in ("safest", "strong"):
        python, compiled = [], []
        for _ in range(options.rounds):
            start = process_time()
            won = play_in_python(agents.named(name), options.games)
            middle = process_time()
            assert play_in_engine(name, options.games) == won
            python.append(1e3 * (middle - start) / options.games)
            compiled.append(1e3 * (process_time() - middle) / options.games)
        slow, fast = min(python), min(compiled)
        print(f"| `{name}` | {won} | {slow:.2f} | {fast:.2f} | {slow / fast:.1f} |", flush=True)


if __name__ == "__main__":
    main()
