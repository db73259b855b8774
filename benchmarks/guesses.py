"""How much better an agent guesses than `strong`: `python -m benchmarks.guesses [--player AGENT]`.

Prints the table in docs/experiments.md ("Judging by guesses"). The agent plays games. Whenever it
guesses another cell than `strong` would, both cells are opened on the same sampled layouts, and
`strong` plays each game to the end. The mean gain of these guesses, added up over a game, is the
difference between the win rates of the two agents. It depends on luck much less than the outcomes do: a
thousand games say as much as seventy thousand pairs of games on the same boards.

`--others 8` also estimates how much could still be gained. The eight most promising other cells are
played out. The best of them, if it wins by more than one standard error, is compared with the agent's
cell on new layouts. A hundred games take minutes.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from random import Random

from benchmarks.proof import open_all
from benchmarks.strength import AGENTS
from benchmarks.support import command_line, end_progress, show_progress
from sapper import Game, Limit, Position, SapperError, agents, analyse
from sapper.agents import Strong
from sapper.analysis import Analysis
from sapper.arena.statistics import Moments
from sapper.engine import engine
from sapper.engine.seeds import board_seed
from sapper.game.setup import Setup
from sapper.position import Cell

BASE = "strong"
PHASES = {
    "60 or fewer": range(61),
    "61 to 445": range(61, 446),
    "446 or more": range(446, 10**6),
    "any": range(10**6),
}
"""Ranges of unknown cells. `strong-high` uses playouts in the first two."""
SAFEST = 24
"""The number of safest cells among which promising ones are sought."""
LIMIT = Limit(seconds=600, states=10**12)


@dataclass(frozen=True)
class Trials:
    """The number of playouts per cell, and of other cells that are tried."""

    count: int = 200
    others: int = 0


@dataclass(frozen=True)
class Guess:
    """A guess, and how much it gained in the probability of winning."""

    unknown: int
    is_other: bool
    """Whether `strong` would have guessed another cell."""
    gain: float = 0.0
    """The gain over the cell that `strong` would have chosen."""
    left: float = 0.0
    """What the best other cell would have gained in addition."""


def guesses_of(player: str, game: Game, trials: Trials) -> list[Guess]:
    """Play a game that has begun, and return its guesses.

    Many games start with the same positions. Each game samples its own layouts, by its seed, so that
    their errors are independent.
    """
    agent, base, random = agents.named(player), Strong(), Random(game.seed)
    found: list[Guess] = []
    while not game.over:
        analysis = analyse(game.position)
        if analysis.safe:
            open_all(game, analysis.safe)
            continue
        cell, usual = agent.choose(game.position), base.decide(game.position)
        assert usual is not None  # There is a cell to open.
        is_solved = usual.win_chance is not None
        gain = left = 0.0
        if cell != usual.cell:
            _, (_, _, less, _) = tried(game.position, [usual.cell, cell], trials.count, random)
            gain = -less
        if trials.others and not is_solved:
            left = gain_left(analysis, cell, trials, random)
        found.append(Guess(len(analysis.risk) - len(analysis.mines), cell != usual.cell, gain, left))
        game.open(cell)
    return found


def tried(
    position: Position, cells: Sequence[Cell], count: int, random: Random
) -> list[tuple[float, float, float, float]]:
    """Return for each cell: win probability, its error, loss against the first cell, and its error."""
    found = engine.estimate_moves(
        position,
        [[cell] for cell in cells],
        LIMIT.start(),
        playouts=count,
        good_error=0.0,
        seed=random.getrandbits(64),
        player=BASE,
    )
    return [(each.chance, each.chance_error, each.less, each.less_error) for each in found]


def gain_left(analysis: Analysis, cell: Cell, trials: Trials, random: Random) -> float:
    """Return the gain of the best other cell, on other layouts than those that selected it."""
    cells = [cell, *promising(analysis, cell, trials.others)]
    chosen, most = 0, 0.0
    for at, (_, _, less, error) in enumerate(tried(analysis.position, cells, trials.count, random)):
        if -less - error > most:
            chosen, most = at, -less - error
    if not chosen:
        return 0.0
    _, (_, _, less, _) = tried(analysis.position, [cell, cells[chosen]], trials.count, random)
    return -less


def promising(analysis: Analysis, cell: Cell, count: int) -> list[Cell]:
    """Return the safest other cells, those that promise to survive two moves first."""
    safest = sorted(
        analysis.risk.keys() - analysis.mines - {cell}, key=lambda each: (analysis.risk[each], each)
    )
    return sorted(safest[:SAFEST], key=lambda each: -survival_of(analysis, each))[:count]


def survival_of(analysis: Analysis, cell: Cell) -> float:
    """Return the probability of surviving this cell and the safest one after it."""
    survival = 0.0
    for number, chance in analysis.shows(cell).items():
        after = analyse(analysis.position.opened(cell, number))
        survival += float(chance) * (1 - min(map(float, after.risk.values()), default=0.0))
    return survival


# Many games --------------------------------------------------------------------------------------


def play(player: str, setup: Setup, trials: Trials, seed: int) -> list[Guess]:
    """Return the guesses in the game on the board of this seed."""
    level = replace(setup.level, course_rules=False)  # The game ends when all safe cells are open.
    game = Game.new(level, seed=seed, promise=setup.promise)
    game.open(setup.first)
    return guesses_of(player, game, trials)


def play_all(
    player: str, setup: Setup, trials: Trials, seeds: Sequence[int], jobs: int
) -> Iterator[list[Guess]]:
    """Yield the guesses of each game when it ends."""
    ignoring_ctrl_c = (signal.SIGINT, signal.SIG_IGN)  # Only the parent process handles Ctrl-C.
    with ProcessPoolExecutor(jobs, initializer=signal.signal, initargs=ignoring_ctrl_c) as workers:
        waiting = [workers.submit(play, player, setup, trials, seed) for seed in seeds]
        try:
            for done in as_completed(waiting):
                yield done.result()
        finally:
            workers.shutdown(wait=False, cancel_futures=True)


def points(values: Sequence[float]) -> str:
    """Return a mean in percentage points, with its standard error."""
    moments = Moments.of(values)
    return f"{100 * moments.mean:+.3f} ± {100 * (moments.variance / moments.count) ** 0.5:.3f}"


def print_table(games: Sequence[Sequence[Guess]], *, with_left: bool) -> None:
    """Print the gain in each phase, and the possible gain if `with_left`."""
    columns = ["unknown cells", "guesses per game", "other cells, %", "gain per game"]
    if with_left:
        columns.append("possible gain")
    print(f"| {' | '.join(columns)} |\n|{' --- |' * len(columns)}")
    for name, phase in PHASES.items():
        meant = [[guess for guess in game if guess.unknown in phase] for game in games]
        guesses = [guess for game in meant for guess in game]
        if guesses:
            fields = [
                name,
                f"{len(guesses) / len(games):.2f}",
                f"{100 * sum(guess.is_other for guess in guesses) / len(guesses):.0f}",
                points([sum(guess.gain for guess in game) for game in meant]),
                points([sum(guess.left for guess in game) for game in meant]),
            ]
            print(f"| {' | '.join(fields[: len(columns)])} |")


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--player", default="strong-high", choices=AGENTS, help="agent to judge")
    parser.add_argument("--level", default="expert", help="board to play")
    parser.add_argument("--promise", help="guarantee for the first click (default: that of the level)")
    parser.add_argument("--games", type=int, default=1000, help="number of games")
    parser.add_argument("--seed", type=int, default=31, help="seed of the boards")
    parser.add_argument("--trials", type=int, default=200, help="playouts per cell")
    parser.add_argument("--others", type=int, default=0, help="other cells to try")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="number of processes")
    options = parser.parse_args()
    try:
        setup = Setup.of(options.level, promise=options.promise)
    except SapperError as reason:
        parser.error(str(reason))
    if min(options.games, options.trials, options.jobs) < 1 or options.others < 0:
        parser.error("--games, --trials and --jobs must be at least 1, and --others at least 0")
    seeds = [board_seed(options.seed, game) for game in range(options.games)]
    trials = Trials(options.trials, options.others)
    games: list[list[Guess]] = []
    try:
        for game in play_all(options.player, setup, trials, seeds, options.jobs):
            games.append(game)
            show_progress(f"{len(games):,} of {len(seeds):,} games")
    except KeyboardInterrupt:
        pass
    end_progress()
    if games:
        print(
            f"{options.player}, {setup.level.name}, promise: {setup.promise}, {len(games):,} games:\n"
        )
        print_table(games, with_left=options.others > 0)


if __name__ == "__main__":
    main()
