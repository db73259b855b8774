"""Seeds: random numbers that are the same on every machine, forever.

The method is SplitMix64, with Lemire's unbiased range. docs/game.md specifies it; the compiled twin is
cpp/base/random.hpp.
"""

from __future__ import annotations

from collections.abc import Iterator

_WORD = 2**64
_STEP = 0x9E3779B97F4A7C15


def _mixed(word: int) -> int:
    """Return the 64-bit word with its bits well mixed, one to one (the finish of SplitMix64)."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % _WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB % _WORD
    return word ^ word >> 31


def random_halves(seed: int) -> Iterator[int]:
    """Generate random 32-bit numbers without end: the upper halves of a SplitMix64 sequence."""
    state = _mixed((seed + _STEP) % _WORD)
    while True:
        state = (state + _STEP) % _WORD
        yield _mixed(state) >> 32


def board_seed(seed: int, game: int) -> int:
    """Return the seed of a game's board in a run with its own seed; games are numbered from 0.

    It is a number of the run's SplitMix64 sequence, all 64 bits: no two games of a run share one.

    >>> board_seed(0, 0), board_seed(0, 1)
    (12035550249420947055, 12935080325729570654)
    """
    return _mixed((_mixed((seed + _STEP) % _WORD) + (game + 1) * _STEP) % _WORD)


def below(limit: int, halves: Iterator[int]) -> int:
    """Return a random number from 0 to `limit - 1`, each equally likely.

    The product spreads 2**32 numbers over the range; those that would make some results more likely
    than others are drawn again (Lemire's method).
    """
    while True:
        product = next(halves) * limit
        if product % 2**32 >= 2**32 % limit:
            return product >> 32
