"""Knowledge: facts, and the rules that derive new facts from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import or_
from typing import Final, NamedTuple

from sapper.engine import Budget, Limit
from sapper.proof.facts import Fact, Rule, bits, overlap, shared_mines, without


class _Remainder(NamedTuple):
    """What a sentence says about its cells that are not settled."""

    cells: int
    mines: int
    fact: Fact


class Knowledge:
    """Facts, and the cells that they settle."""

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
        self._settled_by: dict[int, Fact] = {}  # By the bit of the cell.
        self._sentences: list[Fact] = []  # Facts with an exact number of mines.
        self._known: set[tuple[int, int]] = set()
        self._rests: dict[tuple[Fact, int], Fact] = {}
        self._total: Fact | None = None
        self.impossible: Fact | None = None
        for fact in facts:
            self.add(fact)

    def copy(self, *, subsets: bool, overlaps: bool) -> Knowledge:
        """Return a copy that uses these rules."""
        other = Knowledge((), subsets=subsets, overlaps=overlaps, budget=self._budget)
        other._safe, other._mines, other._settled_by = self._safe, self._mines, dict(self._settled_by)
        other._sentences, other._known, other._total = (
            list(self._sentences),
            set(self._known),
            self._total,
        )
        other._rests, other.impossible = dict(self._rests), self.impossible
        return other

    @property
    def safe(self) -> int:
        """The cells known to be safe."""
        return self._safe

    @property
    def unknown(self) -> int:
        """The cells of the sentences that are not settled."""
        return reduce(or_, (fact.mask for fact in self._sentences), 0) & ~self._safe & ~self._mines

    def narrowest(self) -> int:
        """Return an unsettled cell of the sentence with the fewest unsettled cells."""
        cells = min(self._remainders(), key=lambda each: each.cells.bit_count()).cells
        return cells & -cells

    def add(self, fact: Fact) -> bool:
        """Add a fact; return whether it is new."""
        if fact.is_impossible:
            self.impossible = fact
            return True
        if fact.is_settled:
            return self._settle(fact)
        if fact.low != fact.high or (fact.mask, fact.low) in self._known:
            return False
        self._known.add((fact.mask, fact.low))
        self._sentences.append(fact)
        if fact.rule is Rule.MINE_COUNT:
            self._total = fact
        return True

    def _settle(self, fact: Fact) -> bool:
        is_safe = fact.high == 0
        clash = fact.mask & (self._mines if is_safe else self._safe)
        if clash:
            other = self._settled_by[clash & -clash]
            mine, safe = (other, fact) if is_safe else (fact, other)
            self.impossible = without(mine, (safe,))
            return True
        new = fact.mask & ~(self._safe if is_safe else self._mines)
        if is_safe:
            self._safe |= new
        else:
            self._mines |= new
        for bit in bits(new):
            self._settled_by[bit] = fact
        return new != 0

    def _reasons(self, cells: int) -> tuple[Fact, ...]:
        """Return facts that settle these cells."""
        found = []
        while cells:
            fact = self._settled_by[cells & -cells]
            found.append(fact)
            cells &= ~fact.mask
        return tuple(found)

    # Conclusions -----------------------------------------------------------------------------------

    def conclude(self, cell: int = 0) -> Fact | None:
        """Apply the rules until the cell is settled, a fact is impossible, or nothing new follows.

        Return the fact that settles the cell, or the impossible one, or None.
        """
        while self.impossible is None and cell not in self._settled_by:
            self._budget.check()
            if not (
                self._count()
                or (self._subsets and self._subtract_subsets(cell))
                or (self._overlaps and self._combine_overlaps(cell))
                or (self._total is not None and self._subtract_disjoint(self._total))
            ):
                break
        return self.impossible or self._settled_by.get(cell)

    def _count(self) -> bool:
        """Settle the cells of sentences that have all their mines, or that need all their cells.

        Return whether any fact is new.
        """
        is_new = False
        for fact in self._sentences:
            mask, count = fact.mask, fact.low
            mines, others = mask & self._mines, mask & ~self._safe
            found = mines.bit_count()
            if found >= count and (mask & ~mines & ~self._safe or found > count):
                is_new |= self.add(without(fact, self._reasons(mines)))
            elif others.bit_count() <= count and (others & ~self._mines or others.bit_count() < count):
                is_new |= self.add(without(fact, self._reasons(mask & self._safe)))
            if self.impossible:
                break
        return is_new

    def _rest(self, fact: Fact, settled: int) -> Fact:
        """Return what a sentence says about its cells outside these settled ones."""
        settled &= fact.mask
        if not settled:
            return fact
        rest = self._rests.get((fact, settled))
        if rest is None:
            rest = self._rests[fact, settled] = without(fact, self._reasons(settled))
        return rest

    def _remainders(self) -> list[_Remainder]:
        """Return what the sentences say about unsettled cells, one for each set of cells."""
        found: dict[int, _Remainder] = {}
        for fact in self._sentences:
            cells = fact.mask & ~self._safe & ~self._mines
            if cells and cells not in found:
                mines = fact.low - (fact.mask & self._mines).bit_count()
                found[cells] = _Remainder(cells, mines, fact)
        return list(found.values())

    def _number_remainders(self) -> list[_Remainder]:
        """Return the remainders of all sentences except the mine count."""
        return [each for each in self._remainders() if each.fact.rule is not Rule.MINE_COUNT]

    def _pairs(self, cell: int) -> Iterator[tuple[_Remainder, _Remainder]]:
        """Yield the pairs of sentences that share unsettled cells, in both orders.

        Sentences that mention the cell come first, to settle it in as few steps as possible.
        """
        sentences = sorted(self._number_remainders(), key=lambda each: not each.cells & cell)
        mentions: dict[int, list[int]] = {}  # For each cell, the indices of the sentences with it.
        for index, sentence in enumerate(sentences):
            for bit in bits(sentence.cells):
                mentions.setdefault(bit, []).append(index)
        for one in sentences:
            self._budget.check()
            for index in sorted({index for bit in bits(one.cells) for index in mentions[bit]}):
                if sentences[index].cells != one.cells:
                    yield one, sentences[index]

    def _subtract_subsets(self, cell: int) -> bool:
        """Subtract sentences from those that contain all their cells; return whether any fact is new.

        Stop when the cell is settled, or a fact is impossible.
        """
        is_new = False
        settled = self._safe | self._mines
        for whole, part in self._pairs(cell):
            if part.cells & ~whole.cells:
                continue
            if self._is_known(whole.cells & ~part.cells, whole.mines - part.mines):
                continue
            rest = self._rest(whole.fact, settled)
            is_new |= self.add(without(rest, (self._rest(part.fact, settled),)))
            if self.impossible or cell in self._settled_by:
                return True
        return is_new

    def _combine_overlaps(self, cell: int) -> bool:
        """Combine sentences that share cells and limit each other; return whether any fact is new.

        Stop when the cell is settled, or a fact is impossible.
        """
        is_new = False
        settled = self._safe | self._mines
        for whole, other in self._pairs(cell):
            if other.cells & ~whole.cells and _limits(other, whole):
                rest = self._rest(whole.fact, settled)
                is_new |= self.add(overlap(rest, self._rest(other.fact, settled)))
                if self.impossible or cell in self._settled_by:
                    return True
        return is_new

    def _is_known(self, mask: int, count: int) -> bool:
        return (mask, count) in self._known

    def _subtract_disjoint(self, total: Fact) -> bool:
        """Subtract disjoint sentences from the mine count; return whether any fact is new.

        One choice of sentences has as many mines as possible, another as many safe cells.
        """
        sentences = self._number_remainders()
        settled = self._safe | self._mines
        rest = self._rest(total, settled)
        is_new = False
        for weight in (_mines_in, _safe_cells_in):
            chosen = _heaviest(sentences, weight)
            if chosen and not self.impossible:
                is_new |= self.add(without(rest, [self._rest(each.fact, settled) for each in chosen]))
        return is_new


def _mines_in(sentence: _Remainder) -> int:
    return sentence.mines


def _safe_cells_in(sentence: _Remainder) -> int:
    return sentence.cells.bit_count() - sentence.mines


def _limits(one: _Remainder, other: _Remainder) -> bool:
    """Return whether the first sentence says something about the cells that only the other has."""
    least, most = shared_mines(one.cells, one.mines, one.mines, other.cells)
    left = (other.cells & ~one.cells).bit_count()
    return left > 0 and (other.mines - most == left or other.mines == least or most == least)


_MOST_TRIES: Final = 2000
"""A bound for the search of disjoint sentences: the best found so far is good enough."""


def _heaviest(sentences: list[_Remainder], weigh: Callable[[_Remainder], int]) -> list[_Remainder]:
    """Return disjoint sentences with the largest total weight that was found."""
    weighed = [(weigh(each), each) for each in sentences]
    weighed.sort(key=lambda pair: (-pair[0], pair[1].cells.bit_count()))
    left = [0]  # The total weight of the sentences from each index on.
    for own, _ in reversed(weighed):
        left.append(left[-1] + own)
    left.reverse()
    best_weight, best = -1, _Chosen()
    # The index of the next sentence, the cells in use, the weight, and the sentences chosen so far.
    waiting = [(0, 0, 0, best)]
    for _ in range(_MOST_TRIES):
        if not waiting:
            break
        index, used, weight, chosen = waiting.pop()
        if weight > best_weight:
            best_weight, best = weight, chosen
        if index == len(weighed) or weight + left[index] <= best_weight:
            continue
        own, sentence = weighed[index]
        waiting.append((index + 1, used, weight, chosen))
        if not sentence.cells & used:
            following = _Chosen(sentence, chosen)
            waiting.append((index + 1, used | sentence.cells, weight + own, following))
    return best.sentences()


class _Chosen(NamedTuple):
    """A sentence and those chosen before it: a linked list, so that branches of the search share it."""

    sentence: _Remainder | None = None
    before: _Chosen | None = None

    def sentences(self) -> list[_Remainder]:
        found = []
        each: _Chosen | None = self
        while each is not None and each.sentence is not None:
            found.append(each.sentence)
            each = each.before
        return found[::-1]
