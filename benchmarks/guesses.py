"""What the guesses of a player win more than those of `strong`: `python -m benchmarks.guesses`.

A player plays games. Where it guesses another cell than `strong` would, both are tried: opened on the
same drawn layouts, with `strong` going on to the end. What a player wins more than `strong` is, on the
average, just what its guesses win more so, added up over a game. That is much less a matter of luck
than who wins: a thousand games tell as much as seventy thousand pairs on the same boards.

With `--others 8` it asks, too, what there would be left to win. Of so many other cells that promise
most, the one that wins most in trials, if by more than one standard error, is tried anew against the
player's own. That takes minutes for a hundred games.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from random import Random

from benchmarks.proof import open_all
from benchmarks.strength import AGENTS
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
"""Numbers of unknown cells: what `strong-high` tries out is in the first two."""
SAFEST = 24
"""Of so many cells it is asked what they promise."""
LIMIT = Limit(seconds=600, states=10**12)


@dataclass(frozen=True)
class Trials:
    """How many are made for each cell, and of how many other cells than the player's own."""

    count: int = 200
    others: int = 0


@dataclass(frozen=True)
class Guess:
    """What a guess won, in chances to win the game."""

    unknown: int
    is_other: bool
    """Whether `strong` would have guessed another cell."""
    gain: float = 0.0
    """How much more the cell wins than that of `strong`,"""
    left: float = 0.0
    """and how much more another would have won."""


def guesses_of(player: str, game: Game, trials: Trials) -> list[Guess]:
    """Play a game that has begun, and return what its guesses won.

    Many games come to the same first positions, and draw layouts of their own for them, by their seeds:
    else their errors would be one.
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
    """Return what each cell wins, its error, how much less than the first, and the error of that."""
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
    """Return how much more the best of other cells wins, in trials that did not choose it."""
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
    """Return other cells of little risk: those that are survived most, with the next move."""
    safest = sorted(
        analysis.risk.keys() - analysis.mines - {cell}, key=lambda each: (analysis.risk[each], each)
    )
    return sorted(safest[:SAFEST], key=lambda each: -promise_of(analysis, each))[:count]


def promise_of(analysis: Analysis, cell: Cell) -> float:
    """Return the chance to survive a cell and the safest one after it."""
    promise = 0.0
    for number, chance in analysis.shows(cell).items():
        after = analyse(analysis.position.opened(cell, number))
        promise += float(chance) * (1 - min(map(float, after.risk.values()), default=0.0))
    return promise


# Many games --------------------------------------------------------------------------------------


def play(player: str, setup: Setup, trials: Trials, seed: int) -> list[Guess]:
    """Return what the guesses won in the game on the board of a seed."""
    level = replace(setup.level, course_rules=False)  # A game is over when all safe cells are open.
    game = Game.new(level, seed=seed, promise=setup.promise)
    game.open(setup.first)
    return guesses_of(player, game, trials)


def play_all(
    player: str, setup: Setup, trials: Trials, seeds: Sequence[int], jobs: int
) -> Iterator[list[Guess]]:
    """Generate what the guesses of each game won, as they end."""
    ignoring_ctrl_c = (signal.SIGINT, signal.SIG_IGN)  # It is for the process that asks.
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
    """Print what was gained in each phase, and what is left if that was asked."""
    columns = ["unknown cells", "guesses a game", "other cells, %", "gain a game"]
    if with_left:
        columns.append("left")
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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--player", default="strong-high", choices=AGENTS)
    parser.add_argument("--level", default="expert")
    parser.add_argument("--promise", help="the level's own if not given")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--trials", type=int, default=200, help="of each cell")
    parser.add_argument("--others", type=int, default=0, help="cells tried, to see what is left")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    options = parser.parse_args()
    try:
        setup = Setup.of(options.level, promise=options.promise)
    except SapperError as reason:
        parser.error(str(reason))
    if min(options.games, options.trials, options.jobs) < 1 or options.others < 0:
        parser.error("games, trials and jobs are at least 1, others at least 0")
    seeds = [board_seed(options.seed, game) for game in range(options.games)]
    trials = Trials(options.trials, options.others)
    games: list[list[Guess]] = []
    try:
        for game in play_all(options.player, setup, trials, seeds, options.jobs):
            games.append(game)
            print(f"\r  {len(games):,} of {len(seeds):,} games", end="", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        pass
    print(file=sys.stderr)
    if games:
        print(f"{options.player}, {setup.level.name}, {setup.promise}, {len(games):,} games:\n")
        print_table(games, with_left=options.others > 0)


if __name__ == "__main__":
    main()
