"""How much each way to reason finds: `python -m benchmarks.kinds [--games N] [--level NAME]`.

Prints the table of docs/knowledge.md: of the cells that are certain, the share that each method settles
on the whole board. Games are those of benchmarks/proof.py. A cell counts once, when it first becomes
certain, for the simplest method that settles it there. What subsets settle is asked of the course's
agent, what overlaps settle of the sentences it has then, and the rest of the engine. The last column is
about games of the course's agent alone.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from functools import cache

from benchmarks.proof import START, certain_positions, lucky_cell, open_all
from sapper import Game, Limit, Position, analyse
from sapper.engine import engine
from sapper.minesweeper import MinesweeperAI, neighbours
from sapper.position import Cell
from sapper.proof.facts import Fact, Rule
from sapper.proof.knowledge import Knowledge

LEVELS = ("beginner", "intermediate", "expert")
METHODS = ("counting", "subsets", "overlaps", "cases", "mine count")


@cache
def around(cell: Cell, height: int, width: int) -> frozenset[Cell]:
    return frozenset(neighbours(cell, height, width))


def settled_by_counting(position: Position) -> set[Cell]:
    """Return what single numbers settle, one after the other."""
    size, hidden, numbers = (position.height, position.width), position.hidden, position.numbers
    safe: set[Cell] = set()
    mines: set[Cell] = set()
    waiting = {near for cell in hidden for near in around(cell, *size)} - hidden
    while waiting:
        number = waiting.pop()
        near = around(number, *size) & hidden
        unknown = near - safe - mines
        left = numbers[number] - len(near & mines)
        if unknown and left in (0, len(unknown)):
            (mines if left else safe).update(unknown)
            waiting.update(*(around(cell, *size) for cell in unknown))
            waiting -= hidden
    return safe | mines


def settled_by_overlaps(ai: MinesweeperAI) -> set[Cell]:
    """Return what follows from the agent's sentences if those that share cells bound each other."""
    place = {cell: at for at, cell in enumerate({c for each in ai.knowledge for c in each.cells})}
    facts = [
        Fact(sum(1 << place[cell] for cell in each.cells), each.count, each.count, Rule.NUMBER)
        for each in ai.knowledge
    ]
    known = Knowledge(facts, overlaps=True, budget=Limit().start())
    known.conclude()
    return {cell for cell, at in place.items() if not known.unknown >> at & 1}


def settled_by_numbers(position: Position, cells: Iterable[Cell]) -> set[Cell]:
    """Return which of these certain cells need no mine count."""
    numbers = list(position.numbers)

    def can_be(*mines: Cell, safe: Cell | None) -> bool:
        budget = Limit().start()
        return engine.is_possible(
            position, numbers, budget, mines=mines, safe=safe, use_mine_count=False
        )

    return {cell for cell in cells if not (can_be(cell, safe=None) and can_be(safe=cell))}


def methods_of(position: Position, ai: MinesweeperAI, cells: Iterable[Cell]) -> Counter[str]:
    """Return how many of the certain cells each method settles that no simpler one does."""
    found: Counter[str] = Counter()
    left = set(cells)

    def take(method: str, settled: set[Cell]) -> None:
        found[method] += len(left & settled)
        left.difference_update(settled)

    take("counting", settled_by_counting(position))
    take("subsets", ai.mines | ai.safes)
    if left:
        take("overlaps", settled_by_overlaps(ai))
        take("cases", settled_by_numbers(position, left))
        take("mine count", set(left))
    return found


def learn(ai: MinesweeperAI, position: Position) -> None:
    """Tell the agent what was opened."""
    for cell, number in position.numbers.items():
        if cell not in ai.moves_made:
            ai.add_knowledge(cell, number)


def methods_of_game(level: str, seed: int) -> Counter[str]:
    found: Counter[str] = Counter()
    ai: MinesweeperAI | None = None
    for position, safe, mines in certain_positions(level, seed):
        ai = ai or MinesweeperAI(position.height, position.width)
        learn(ai, position)
        found += methods_of(position, ai, safe | mines)
    return found


def guesses_needlessly(level: str, seed: int) -> bool:
    """Return whether the agent, which opens what it knows to be safe, once guesses beside a safe cell.

    Where it must guess it has luck, so that the game goes on.
    """
    game = Game.new(level, seed=seed, promise="open")
    game.open(START)
    ai = MinesweeperAI(game.position.height, game.position.width)
    while not game.over:
        learn(ai, game.position)
        known = ai.safes - ai.moves_made
        if not known:
            analysis = analyse(game.position)
            if analysis.safe:
                return True
            known = {lucky_cell(game, analysis)}
        open_all(game, known)
    return False


def print_level(level: str, games: int) -> None:
    found: Counter[str] = Counter()
    guessed = 0
    for seed in range(games):
        found += methods_of_game(level, seed)
        guessed += guesses_needlessly(level, seed)
    shares = "".join(f"{found[method] / found.total():12.2%}" for method in METHODS)
    print(f"  {level:14}{found.total():12,}{shares}{guessed / games:12.1%}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=1_000, help="games a level, seeds from 0")
    parser.add_argument("--level", choices=LEVELS, help="only this one")
    options = parser.parse_args()
    print(f"Certain cells of {options.games:,} games a level, by the simplest method for each:")
    print(f"  {'':14}" + "".join(f"{name:>12}" for name in ("cells", *METHODS, "guesses")))
    for level in [options.level] if options.level else LEVELS:
        print_level(level, options.games)
    print("guesses: games in which the course's agent once has to guess though there is a safe cell")


if __name__ == "__main__":
    main()
