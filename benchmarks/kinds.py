"""How many certain cells each method of reasoning finds: `python -m benchmarks.kinds [--games N]`.

Prints the table in docs/knowledge.md: of all certain cells, the share that each method settles. The
games are those of benchmarks/proof.py. Each cell counts once, when it first becomes certain, for the
simplest method that settles it in that position. The course's agent decides what subsets settle, its
sentences decide what overlaps settle, and the engine decides the rest. The last column is the share of
the course's agent's own games in which it guesses although a cell is certainly safe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache

from benchmarks.proof import START, certain_positions, lucky_cell, open_all
from benchmarks.support import command_line
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
    """Return the cells that follow from single numbers, applied repeatedly."""
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
    """Return the cells that follow from the agent's sentences if overlapping ones bound each other."""
    index_of = {
        cell: index for index, cell in enumerate({c for each in ai.knowledge for c in each.cells})
    }
    facts = [
        Fact(sum(1 << index_of[cell] for cell in each.cells), each.count, each.count, Rule.NUMBER)
        for each in ai.knowledge
    ]
    known = Knowledge(facts, overlaps=True, budget=Limit().start())
    known.conclude()
    return {cell for cell, index in index_of.items() if not known.unknown >> index & 1}


def settled_by_numbers(position: Position, cells: Iterable[Cell]) -> set[Cell]:
    """Return the certain cells that follow without the mine count."""
    numbers = list(position.numbers)

    def can_be(*mines: Cell, safe: Cell | None) -> bool:
        budget = Limit().start()
        return engine.is_possible(
            position, numbers, budget, mines=mines, safe=safe, use_mine_count=False
        )

    return {cell for cell in cells if not (can_be(cell, safe=None) and can_be(safe=cell))}


def methods_of(position: Position, ai: MinesweeperAI, cells: Iterable[Cell]) -> Counter[str]:
    """Return how many of the certain cells each method settles and no simpler method does."""
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
    """Add the newly opened cells to the agent's knowledge."""
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
    """Return whether the agent ever guesses although some cell is certainly safe.

    Other guesses open a cell without a mine, so that the game continues to its end.
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
    parser = command_line(__doc__)
    parser.add_argument("--games", type=int, default=1_000, help="games per level, from seed 0")
    parser.add_argument("--level", choices=LEVELS, help="measure only this level")
    options = parser.parse_args()
    print(
        f"Certain cells of {options.games:,} games per level, by the simplest method that settles them:"
    )
    print(f"  {'':14}" + "".join(f"{name:>12}" for name in ("cells", *METHODS, "guesses")))
    for level in [options.level] if options.level else LEVELS:
        print_level(level, options.games)
    print(
        "guesses: share of games in which the course's agent guesses although a cell is certainly safe"
    )


if __name__ == "__main__":
    main()
