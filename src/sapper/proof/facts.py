"""Facts about cells, and how one follows from others.

A set of cells is an integer here, and cell `(i, j)` is its bit `i * width + j`. A `Fact` says how many
of some cells are mines, and which facts it follows from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, IntEnum

from sapper.errors import SapperError
from sapper.text import listed, quoted


class Kind(IntEnum):
    """The kinds of proofs, simplest first.

    >>> Kind.SUBSET < Kind.CASES, str(Kind.MINE_COUNT)
    (True, 'mine count')
    """

    COUNTING = 1
    """A number has all its mines, or needs all its cells."""
    SUBSET = 2
    """The cells of one sentence are a subset of another's: the rule of the course."""
    CHAIN = 3
    """Several such steps in a row."""
    OVERLAP = 4
    """Two sentences share cells, and each limits the mines of the other."""
    CASES = 5
    """The opposite leads to a contradiction."""
    MINE_COUNT = 6
    """It also uses the number of mines on the board."""

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")

    @classmethod
    def named(cls, name: str) -> Kind:
        """Return the kind with this name; `mine-count` and `mine_count` also mean `mine count`.

        >>> Kind.named("mine-count")
        <Kind.MINE_COUNT: 6>
        """
        kinds = {str(kind): kind for kind in cls}
        kind = kinds.get(name.strip().lower().replace("-", " ").replace("_", " "))
        if kind is None:
            names = [each.replace(" ", "-") for each in kinds]
            raise SapperError(f"unknown kind of proof {quoted(name)}: choose {listed(names, 'or')}")
        return kind


class Rule(Enum):
    """The rule that a fact follows by."""

    NUMBER = "number"
    """An open number counts the mines around it."""
    MINE_COUNT = "mine count"
    """All mines of the board are on hidden cells."""
    WITHOUT = "without"
    """The other sentences are subtracted from the first."""
    OVERLAP = "overlap"
    """The cells of the first sentence that are not in the second, and the mines left for them."""
    SUPPOSED = "supposed"
    """An assumption, to be refuted."""
    OPPOSITE = "opposite"
    """The opposite is impossible: supposing it leads to an impossible fact."""


class Fact:
    """At least `low` and at most `high` of these cells are mines."""

    __slots__ = ("high", "low", "mask", "number", "rule", "since", "under")

    def __init__(
        self,
        mask: int,
        low: int,
        high: int,
        rule: Rule,
        since: tuple[Fact, ...] = (),
        number: int = -1,
    ) -> None:
        self.mask = mask
        self.low = low
        self.high = high
        self.rule = rule
        self.since = since
        self.number = number  # The index of the open cell, if the rule is NUMBER.
        # The assumptions that it depends on.
        self.under: frozenset[Fact] = (
            frozenset().union(*(fact.under for fact in since)) if since else frozenset()
        )
        if rule is Rule.SUPPOSED:
            self.under = frozenset((self,))
        elif rule is Rule.OPPOSITE:
            self.under -= {since[0]}

    @property
    def is_impossible(self) -> bool:
        """Whether no number of mines satisfies the bounds."""
        return self.low > self.high or self.high < 0 or self.low > self.mask.bit_count()

    @property
    def is_settled(self) -> bool:
        """Whether all the cells are safe, or all are mines."""
        return self.high == 0 or self.low == self.mask.bit_count()


def facts_behind(fact: Fact) -> Iterator[Fact]:
    """Yield this fact and all facts that it depends on, each once."""
    seen: set[Fact] = set()
    waiting = [fact]
    while waiting:
        each = waiting.pop()
        if each not in seen:
            seen.add(each)
            yield each
            waiting += each.since


def without(whole: Fact, parts: Sequence[Fact]) -> Fact:
    """Return a sentence minus some parts. A settled part may also have cells outside the sentence."""
    mask, low, high = whole.mask, whole.low, whole.high
    for part in parts:
        if part.is_settled:
            mines = (mask & part.mask).bit_count() if part.high else 0
            low, high = low - mines, high - mines
        else:
            low, high = low - part.high, high - part.low
        mask &= ~part.mask
    return Fact(mask, low, high, Rule.WITHOUT, (whole, *parts)) if parts else whole


def overlap(whole: Fact, other: Fact) -> Fact:
    """Return what follows about the cells of a sentence that are not in the other."""
    least, most = shared_mines(other.mask, other.low, other.high, whole.mask)
    low, high = whole.low - most, whole.high - least
    return Fact(whole.mask & ~other.mask, low, high, Rule.OVERLAP, (whole, other))


def shared_mines(mask: int, low: int, high: int, other: int) -> tuple[int, int]:
    """Return the fewest and the most mines of a sentence on the cells it shares with another."""
    return max(0, low - (mask & ~other).bit_count()), min((mask & other).bit_count(), high)


def bits(mask: int) -> Iterator[int]:
    """Yield the single bits of a mask."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit
