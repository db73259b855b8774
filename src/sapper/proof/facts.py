"""Facts about cells, and what follows from them: the course's conclusions, and a few more.

Cells are bits here, and a set of cells is an integer: cell `(i, j)` is bit `i * width + j`. A `Fact`
says how many of some cells are mines, and what it was concluded from. `Knowledge` gathers facts and
draws conclusions until nothing new follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum, IntEnum
from functools import reduce
from operator import or_
from typing import NamedTuple

from sapper.engine import Budget, Limit
from sapper.errors import SapperError


class Kind(IntEnum):
    """What a proof takes, simplest first.

    >>> Kind.SUBSET < Kind.CASES, str(Kind.MINE_COUNT)
    (True, 'mine count')
    """

    COUNTING = 1
    """A number has all its mines, or needs all its cells."""
    SUBSET = 2
    """One sentence is inside another: the rule of the course."""
    CHAIN = 3
    """Several of these, one after the other."""
    OVERLAP = 4
    """Two sentences share cells, and bound each other."""
    CASES = 5
    """Suppose the opposite, and something cannot be right."""
    MINE_COUNT = 6
    """The number of mines on the board is needed."""

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")

    @classmethod
    def named(cls, name: str) -> Kind:
        """Return the kind of this name; `mine-count` is as good as `mine count`.

        >>> Kind.named("mine-count")
        <Kind.MINE_COUNT: 6>
        """
        kinds = {str(kind): kind for kind in cls}
        kind = kinds.get(name.strip().lower().replace("-", " ").replace("_", " "))
        if kind is None:
            raise SapperError(f"{name!r} is not a kind of proof: {', '.join(kinds)}")
        return kind


class Rule(Enum):
    """How a fact is known."""

    NUMBER = "number"
    """An opened number counts the mines around it."""
    MINE_COUNT = "mine count"
    """The mines on the board are all among the hidden cells."""
    WITHOUT = "without"
    """From the first sentence the others are taken out."""
    OVERLAP = "overlap"
    """Of the first sentence, the cells that are not in the second."""
    SUPPOSED = "supposed"
    """It is not known, but supposed."""
    OPPOSITE = "opposite"
    """The opposite cannot be: its last fact is impossible."""


class Fact:
    """Of these cells, from `low` to `high` are mines."""

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
        self.number = number  # the place of the opened cell, if the rule is NUMBER
        # The suppositions that it depends on.
        self.under: frozenset[Fact] = (
            frozenset().union(*(fact.under for fact in since)) if since else frozenset()
        )
        if rule is Rule.SUPPOSED:
            self.under = frozenset((self,))
        elif rule is Rule.OPPOSITE:
            self.under -= {since[0]}

    @property
    def is_impossible(self) -> bool:
        """Whether no number of mines is within the bounds."""
        return self.low > self.high or self.high < 0 or self.low > self.mask.bit_count()

    @property
    def is_settled(self) -> bool:
        """Whether all of the cells are safe, or all are mines."""
        return self.high == 0 or self.low == self.mask.bit_count()


def facts_behind(fact: Fact) -> Iterator[Fact]:
    """Generate all facts that this one rests on, and itself, each once."""
    seen: set[Fact] = set()
    waiting = [fact]
    while waiting:
        each = waiting.pop()
        if each not in seen:
            seen.add(each)
            yield each
            waiting += each.since


class Knowledge:
    """Facts, and which cells they settle."""

    def __init__(
        self,
        facts: Iterable[Fact],
        *,
        subsets: bool = True,
        overlaps: bool = False,
        budget: Budget | None = None,
    ) -> None:
        self._budget = budget or Limit().start()
        self._subsets = subsets
        self._overlaps = overlaps
        self._safe = self._mines = 0
        self._why: dict[int, Fact] = {}  # by the bit of the cell
        self._pool: list[Fact] = []  # sentences: as many mines as that, exactly
        self._known: set[tuple[int, int]] = set()
        self._rests: dict[tuple[Fact, int], Fact] = {}
        self._total: Fact | None = None
        self.impossible: Fact | None = None
        for fact in facts:
            self.add(fact)

    def copy(self, *, subsets: bool, overlaps: bool) -> Knowledge:
        """Return the same knowledge, from which these conclusions may be drawn."""
        other = Knowledge((), subsets=subsets, overlaps=overlaps, budget=self._budget)
        other._safe, other._mines, other._why = self._safe, self._mines, dict(self._why)
        other._pool, other._known, other._total = list(self._pool), set(self._known), self._total
        other._rests, other.impossible = dict(self._rests), self.impossible
        return other

    @property
    def safe(self) -> int:
        """The cells that are known to be safe."""
        return self._safe

    @property
    def unknown(self) -> int:
        """The cells of its sentences that are not settled."""
        return reduce(or_, (fact.mask for fact in self._pool), 0) & ~self._safe & ~self._mines

    def narrowest(self) -> int:
        """Return a cell that is not settled, of a sentence with the fewest such cells."""
        mask, _, _ = min(self._unsettled(), key=lambda each: each[0].bit_count())
        return mask & -mask

    def add(self, fact: Fact) -> bool:
        """Take in a fact; return whether it was news."""
        if fact.is_impossible:
            self.impossible = fact
            return True
        if fact.is_settled:
            return self._settle(fact)
        if fact.low != fact.high or (fact.mask, fact.low) in self._known:
            return False
        self._known.add((fact.mask, fact.low))
        self._pool.append(fact)
        if fact.rule is Rule.MINE_COUNT:
            self._total = fact
        return True

    def _settle(self, fact: Fact) -> bool:
        is_safe = fact.high == 0
        clash = fact.mask & (self._mines if is_safe else self._safe)
        if clash:
            other = self._why[clash & -clash]
            mine, safe = (other, fact) if is_safe else (fact, other)
            self.impossible = without(mine, (safe,))
            return True
        new = fact.mask & ~(self._safe if is_safe else self._mines)
        if is_safe:
            self._safe |= new
        else:
            self._mines |= new
        for bit in bits(new):
            self._why[bit] = fact
        return new != 0

    def _reasons(self, cells: int) -> tuple[Fact, ...]:
        """Return facts that settle these cells."""
        found = []
        while cells:
            fact = self._why[cells & -cells]
            found.append(fact)
            cells &= ~fact.mask
        return tuple(found)

    # Conclusions -----------------------------------------------------------------------------------

    def conclude(self, cell: int = 0) -> Fact | None:
        """Draw conclusions until the cell is settled, or something is impossible, or nothing follows.

        Return the fact that settles the cell, or the impossible one.
        """
        while self.impossible is None and cell not in self._why:
            self._budget.check()
            if not (
                self._count()
                or (self._subsets and self._combine(cell, overlapping=False))
                or (self._overlaps and self._combine(cell, overlapping=True))
                or (self._total is not None and self._pack(self._total))
            ):
                break
        return self.impossible or self._why.get(cell)

    def _count(self) -> bool:
        """Look for sentences that have all their mines, or need all their cells."""
        news = False
        for fact in self._pool:
            mask, count = fact.mask, fact.low
            mines, others = mask & self._mines, mask & ~self._safe
            found = mines.bit_count()
            if found >= count and (mask & ~mines & ~self._safe or found > count):
                news |= self.add(without(fact, self._reasons(mines)))
            elif others.bit_count() <= count and (others & ~self._mines or others.bit_count() < count):
                news |= self.add(without(fact, self._reasons(mask & self._safe)))
            if self.impossible:
                break
        return news

    def _rest(self, fact: Fact, settled: int) -> Fact:
        """Return what the sentence says of the cells that are not among these settled ones."""
        settled &= fact.mask
        if not settled:
            return fact
        rest = self._rests.get((fact, settled))
        if rest is None:
            rest = self._rests[fact, settled] = without(fact, self._reasons(settled))
        return rest

    def _unsettled(self) -> list[tuple[int, int, Fact]]:
        """Return the cells and the mines that sentences have left, none twice."""
        found: dict[int, tuple[int, int, Fact]] = {}
        for fact in self._pool:
            mask = fact.mask & ~self._safe & ~self._mines
            if mask and mask not in found:
                found[mask] = (mask, fact.low - (fact.mask & self._mines).bit_count(), fact)
        return list(found.values())

    def _combine(self, cell: int, *, overlapping: bool) -> bool:
        """Look for sentences inside others, or for such that share cells and bound each other.

        Those that mention the cell come first, so that it is settled in as few steps as can be.
        """
        news = False
        settled = self._safe | self._mines
        sentences = [each for each in self._unsettled() if each[2].rule is not Rule.MINE_COUNT]
        sentences.sort(key=lambda each: not each[0] & cell)
        about: dict[int, list[int]] = {}  # the sentences that mention each cell
        for at, (mask, _, _) in enumerate(sentences):
            for bit in bits(mask):
                about.setdefault(bit, []).append(at)
        for mask, count, fact in sentences:
            self._budget.check()
            touching = {at for bit in bits(mask) for at in about[bit]}
            for part, part_count, part_fact in map(sentences.__getitem__, sorted(touching)):
                if part == mask:
                    continue
                if overlapping:
                    is_of_use = part & ~mask and _bounds(part, part_count, mask, count)
                else:
                    is_of_use = not part & ~mask and self._is_new(mask & ~part, count - part_count)
                if is_of_use:
                    whole, inside = self._rest(fact, settled), self._rest(part_fact, settled)
                    new = overlap(whole, inside) if overlapping else without(whole, (inside,))
                    news |= self.add(new)
                    if self.impossible or cell in self._why:
                        return True
        return news

    def _is_new(self, mask: int, count: int) -> bool:
        return (mask, count) not in self._known

    def _pack(self, total: Fact) -> bool:
        """Take sentences that share no cell out of the number of mines: as many mines as can be, or as
        many safe cells."""
        sentences = [each for each in self._unsettled() if each[2].rule is not Rule.MINE_COUNT]
        settled = self._safe | self._mines
        rest = self._rest(total, settled)
        news = False
        for weight in _WEIGHTS:
            packed = _heaviest([(mask, weight(mask, count), fact) for mask, count, fact in sentences])
            if packed and not self.impossible:
                news |= self.add(without(rest, tuple(self._rest(fact, settled) for fact in packed)))
        return news


def _bounds(mask: int, count: int, other: int, other_count: int) -> bool:
    """Return whether the first sentence says something of the cells that only the other has."""
    least, most = _shared_mines(mask, count, count, other)
    left = (other & ~mask).bit_count()
    return left > 0 and (other_count - most == left or other_count == least or most == least)


_WEIGHTS: tuple[Callable[[int, int], int], ...] = (
    lambda _, count: count,
    lambda mask, count: mask.bit_count() - count,
)
"""What counts in taking sentences out of the number of mines: the mines, or the safe cells."""


def _heaviest(sentences: list[tuple[int, int, Fact]], tries: int = 2000) -> list[Fact]:
    """Return sentences that share no cell, with the largest total weight that was found."""
    sentences = sorted(sentences, key=lambda each: (-each[1], each[0].bit_count()))
    left = [0]  # The weight of all sentences from each one on.
    for _, own, _ in reversed(sentences):
        left.append(left[-1] + own)
    left.reverse()
    best_weight, best = -1, _Chosen()
    # The next sentence, the cells in use, the weight, and the sentences chosen so far.
    waiting = [(0, 0, 0, best)]
    while waiting and tries > 0:
        tries -= 1
        at, used, weight, chosen = waiting.pop()
        if weight > best_weight:
            best_weight, best = weight, chosen
        if at == len(sentences) or weight + left[at] <= best_weight:
            continue
        mask, own, fact = sentences[at]
        waiting.append((at + 1, used, weight, chosen))
        if not mask & used:
            waiting.append((at + 1, used | mask, weight + own, _Chosen(fact, chosen)))
    return best.facts()


class _Chosen(NamedTuple):
    """A fact, and those that were chosen before it: a list that many searches share."""

    fact: Fact | None = None
    before: _Chosen | None = None

    def facts(self) -> list[Fact]:
        found = []
        each: _Chosen | None = self
        while each is not None and each.fact is not None:
            found.append(each.fact)
            each = each.before
        return found[::-1]


def without(whole: Fact, parts: Sequence[Fact]) -> Fact:
    """Return what is left of a sentence without some parts; settled ones may have cells elsewhere."""
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
    """Return what is known of the cells of a sentence that are not in the other."""
    least, most = _shared_mines(other.mask, other.low, other.high, whole.mask)
    low, high = whole.low - most, whole.high - least
    return Fact(whole.mask & ~other.mask, low, high, Rule.OVERLAP, (whole, other))


def _shared_mines(mask: int, low: int, high: int, other: int) -> tuple[int, int]:
    """Return how few and how many mines of a sentence may be on the cells it shares with the other."""
    return max(0, low - (mask & ~other).bit_count()), min((mask & other).bit_count(), high)


def bits(mask: int) -> Iterator[int]:
    """Generate the single bits of a mask."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit
