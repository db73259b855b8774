"""Checks of the results of cluster workers, before they are counted or saved.

A worker is another machine. Its memory may be faulty, and its copy of Sapper may have been changed. The
checks catch results that are impossible for the requested games. They do not protect against attackers:
Dask unpickles a result before it can be checked.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

from sapper.arena.plans import Board
from sapper.arena.statistics import Moments, Times
from sapper.arena.tally import Played, Tally
from sapper.errors import SapperError
from sapper.game.setup import Setup

_LARGEST: Final = 2**63 - 1
"""The largest number that SQLite stores."""


def check_games(answer: object, setup: Setup, boards: Sequence[Board]) -> list[Played]:
    """Return the answer if it is a valid list of games on these boards; otherwise raise an error.

    >>> from sapper.arena.plans import SeedRange
    >>> setup, boards = Setup.of("2x1/1"), SeedRange(7, range(1))
    >>> game = Played(boards[0].seed, True, 0, 1, 0, 1.0, None, 0.5)
    >>> check_games([game], setup, boards) == [game]
    True
    >>> check_games([game._replace(left=-3)], setup, boards)
    Traceback (most recent call last):
    sapper.errors.SapperError: game 0: left is -3, not a whole number from 0 to 1
    >>> check_games([], setup, boards)
    Traceback (most recent call last):
    sapper.errors.SapperError: 0 games, not 1
    """
    if type(answer) is not list:
        raise SapperError(f"{_shown(answer)}, not a list of games")
    if len(answer) != len(boards):
        raise SapperError(f"{len(answer)} games, not {len(boards)}")
    for number, (game, board) in enumerate(zip(answer, boards, strict=True)):
        try:
            _check_game(game, setup, board)
        except SapperError as error:
            raise SapperError(f"game {number}: {error}") from error
    return answer


def check_tally(answer: object, setup: Setup, boards: Sequence[Board]) -> Tally:
    """Return the answer if it is a valid total of games on these boards; otherwise raise an error.

    >>> from sapper.arena.plans import SeedRange
    >>> setup, boards = Setup.of("2x1/1"), SeedRange(7, range(1))
    >>> tally = Tally.of([Played(7, True, 0, 1, 0, 1.0, None, 0.5)])
    >>> check_tally(tally, setup, boards) == tally
    True
    >>> tally.wins = 2
    >>> check_tally(tally, setup, boards)
    Traceback (most recent call last):
    sapper.errors.SapperError: wins is 2, not a whole number from 0 to 1
    """
    if type(answer) is not Tally:
        raise SapperError(f"{_shown(answer)}, not a tally of games")
    games, safe = len(boards), _safe_cells(setup)
    _whole("games", answer.games, games, games)
    _whole("wins", answer.wins, 0, games)
    _whole("solved", answer.solved, 0, games)
    _whole("guess_tellers", answer.guess_tellers, 0, games)
    _whole("guesses", answer.guesses, 0, _LARGEST if answer.guess_tellers else 0)
    _whole("nanoseconds", answer.nanoseconds, 0, _LARGEST)
    lost = games - answer.wins
    if _sum_of_counts("lost_with", answer.lost_with) != lost:
        raise SapperError(
            f"lost_with counts {sum(answer.lost_with.values())} games, but {lost} were lost"
        )
    if _sum_of_counts("losses", answer.losses) > lost:
        raise SapperError(f"losses counts {sum(answer.losses.values())} games, but {lost} were lost")
    for left in answer.lost_with:
        _whole("lost_with", left, 1, safe)
    for cell in answer.losses:
        _cell("losses", cell, setup)
    _moments(answer.scores, games)
    return answer


def check_times(answer: object) -> Times:
    """Return the answer if it is a valid histogram of durations; otherwise raise an error.

    >>> check_times(Times()) == Times()
    True
    >>> check_times(Times([0] * 640, float("nan")))
    Traceback (most recent call last):
    sapper.errors.SapperError: longest is nan, not a number from 0 to ...
    """
    if type(answer) is not Times or type(answer.counts) is not list:
        raise SapperError(f"{_shown(answer)}, not a histogram of times")
    if len(answer.counts) != Times.STEPS:
        raise SapperError(f"the times have {len(answer.counts)} counts, not {Times.STEPS}")
    for count in answer.counts:
        _whole("a count of the times", count, 0, _LARGEST)
    _number("longest", answer.longest, 0, _LARGEST)
    return answer


def _check_game(game: object, setup: Setup, board: Board) -> None:
    if type(game) is not Played:
        raise SapperError(f"{_shown(game)}, not a game")
    seed = board.seed if board.minefield is None else None
    if game.seed != seed or type(game.seed) is not type(seed):
        raise SapperError(f"seed is {_shown(game.seed)}, not {seed}")
    if type(game.won) is not bool:
        raise SapperError(f"won is {_shown(game.won)}, not True or False")
    _whole("left", game.left, 0, _safe_cells(setup))
    if game.won != (game.left == 0):
        raise SapperError(f"won is {game.won}, but {game.left} safe cells are left")
    _whole("decisions", game.decisions, 0, _LARGEST)
    if game.guesses is not None:
        _whole("guesses", game.guesses, 0, game.decisions)
    for name, chance in (("survival", game.survival), ("solved", game.solved)):
        if chance is not None:
            _number(name, chance, 0, 1)
    _number("seconds", game.seconds, 0, _LARGEST)
    _number("luck", game.luck, -game.decisions, game.decisions)
    if game.lost_at is not None:
        _cell("lost_at", game.lost_at, setup)
        if game.won:
            raise SapperError(f"lost_at is {game.lost_at}, but the game was won")


def _safe_cells(setup: Setup) -> int:
    return setup.level.height * setup.level.width - setup.level.mines


def _whole(name: str, value: object, low: int, high: int) -> None:
    if type(value) is not int or not low <= value <= high:
        wanted = str(low) if low == high else f"a whole number from {low} to {high}"
        raise SapperError(f"{name} is {_shown(value)}, not {wanted}")


def _number(name: str, value: object, low: int, high: int) -> None:
    if type(value) is not float or not low <= value <= high:  # Also false for nan.
        raise SapperError(f"{name} is {_shown(value)}, not a number from {low} to {high}")


def _cell(name: str, cell: object, setup: Setup) -> None:
    level = setup.level
    if type(cell) is tuple and len(cell) == 2 and all(type(part) is int for part in cell):
        row, column = cell
        if 0 <= row < level.height and 0 <= column < level.width:
            return
    raise SapperError(f"{name} is {_shown(cell)}, not a cell of a {level.size} board")


def _sum_of_counts(name: str, counts: object) -> int:
    if type(counts) is not Counter:
        raise SapperError(f"{name} is {_shown(counts)}, not a Counter")
    for count in counts.values():
        _whole(f"a count of {name}", count, 0, _LARGEST)
    return sum(counts.values())


def _moments(scores: object, games: int) -> None:
    if type(scores) is not Moments:
        raise SapperError(f"scores is {_shown(scores)}, not Moments")
    _whole("the count of scores", scores.count, games, games)
    if type(scores.total) is not int or type(scores.squares) is not int:
        raise SapperError("the sums of scores are not whole numbers")
    if scores.count * scores.squares < scores.total * scores.total:
        raise SapperError("the squares of scores add up to less than their sum allows")
    if not math.isfinite(_mean(scores)):
        raise SapperError("the mean of scores is not finite")


def _mean(scores: Moments) -> float:
    try:
        return scores.mean if scores.count else 0.0
    except OverflowError:
        return math.inf


def _shown(value: object) -> str:
    """Return a short description of a value that may be anything."""
    if not isinstance(value, (int, float, str, tuple)):
        return f"an object of type {type(value).__name__}"
    try:
        return repr(value)[:60]
    except ValueError:
        return "a number with thousands of digits"
