"""The board generator: boards by seed, no-guess boards, and boards of a given difficulty."""

from __future__ import annotations

import secrets
from typing import Final

from sapper import arguments
from sapper.analysis import Limit
from sapper.arguments import boolean
from sapper.boards.grading import hardest_kind
from sapper.boards.no_guess import NoGuessSearch, draw
from sapper.errors import BadLevel, LimitReached, SapperError
from sapper.game.game import Game, check_seed, minefield_of
from sapper.game.setup import Setup
from sapper.levels import Level, Promise
from sapper.position import Cell
from sapper.proof.facts import Kind
from sapper.text import quoted

LIMIT: Final = Limit(seconds=30.0)
"""The default limit for finding a board."""


def generate(
    level: str | Level,
    *,
    seed: int | None = None,
    first: Cell | None = None,
    no_guess: bool = True,
    difficulty: str | Kind | None = None,
    limit: Limit | None = None,
) -> Game:
    """Return a new game whose minefield is made for a first click, `game.first`.

    From there the board can be won without guessing: the generator has checked it with Sapper's own
    proofs. `difficulty` is the hardest kind of proof that the board needs, or a range of kinds (see
    `parse_kinds`). With `no_guess=False` it may be any board. The same seed gives the same board. If no
    board is found within the limit, it raises `LimitReached`.

    >>> from sapper import analyse
    >>> game = generate("beginner", seed=7)
    >>> game.first, len(game.minefield.mines)
    ((3, 3), 10)
    >>> opened = game.open(game.first)
    >>> while not game.over:
    ...     opened = game.open(min(analyse(game.position).safe))
    >>> game.outcome
    <Outcome.WON: 'won'>
    >>> hard = generate("beginner", seed=7, difficulty="overlap")
    """
    level = Level.named(level)
    if seed is None:
        seed = secrets.randbits(64)
    seed, limit = check_seed(seed), Limit.given(limit, LIMIT)
    promise = Level.custom(level.height, level.width, level.mines).promise
    if promise is Promise.NONE:
        raise BadLevel(f"a board of {level.size} has no cell to open")
    setup = Setup.of(level, first=first, promise=promise)
    if boolean(no_guess, "no_guess"):
        minefield = _find(setup, seed, difficulty, limit)
    elif difficulty is None:
        minefield = draw(setup, seed)
    else:
        raise SapperError("a difficulty can only be chosen for boards that need no guess")
    field = minefield_of(level, minefield)
    return Game(level, seed=None, promise=promise, minefield=field, first=setup.first)


def _find(setup: Setup, seed: int, difficulty: str | Kind | None, limit: Limit) -> bytes:
    """Return the first minefield of the seed that needs no guess and has the difficulty."""
    wanted = None if difficulty is None else parse_kinds(difficulty)
    budget = limit.start()
    search = NoGuessSearch(setup, budget)
    try:
        for minefield in search.minefields(seed):
            if wanted is None:
                return minefield
            kind = hardest_kind(setup, minefield, most=wanted[1], budget=budget)
            if kind is not None and kind >= wanted[0]:
                return minefield
            budget.check()
    except LimitReached as reason:
        hard = "" if wanted is None else f" and needs {_describe(*wanted)}"
        board = f"no board of {setup.level.size} that needs no guess{hard} was found"
        raise LimitReached(f"{board}: {reason}") from None
    raise AssertionError("a search ends with a board, or with an error")


def parse_kinds(text: str | Kind) -> tuple[Kind, Kind]:
    """Return the range of the hardest kind of proof that a board needs: its lower and upper end.

    `chain` means exactly this kind, `..chain` this kind or an easier one, `chain..` this kind or a
    harder one, and `subset..overlap` the kinds from one to the other.

    >>> parse_kinds("..chain")
    (<Kind.COUNTING: 1>, <Kind.CHAIN: 3>)
    """
    if isinstance(text, Kind):
        return text, text
    low, dots, high = arguments.text(text, "a difficulty").partition("..")
    least = Kind.named(low) if low.strip() or not dots else Kind.COUNTING
    if not dots:
        return least, least
    most = Kind.named(high) if high.strip() else Kind.MINE_COUNT
    if least > most:
        raise SapperError(f"{quoted(text)}: {least} is harder than {most}")
    return least, most


def _describe(least: Kind, most: Kind) -> str:
    """Return the range as text."""
    if least is most:
        return f"a proof by {least} but none harder"
    return f"proofs up to {most}" if least is Kind.COUNTING else f"a proof by {least} to {most}"
