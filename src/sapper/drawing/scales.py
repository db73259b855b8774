"""Scales of charts: positions of values on an axis, and round tick marks."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass


def round_step(span: float, most: int = 5) -> float:
    """Return a round distance between marks, so that a span has at least two and at most `most`.

    >>> round_step(70), round_step(9), round_step(0.3), round_step(70, most=10)
    (20.0, 2.0, 0.1, 10.0)
    """
    power = 10.0 ** math.floor(math.log10(span / most))
    step: float = next(power * by for by in (1, 2, 5, 10, 20) if span / (power * by) <= most)
    return round(step, 12)


@dataclass(frozen=True)
class Scale:
    """The range of an axis, and its marks.

    >>> Scale.around([0.31, 0.44]).marks
    (0.3, 0.35, 0.4, 0.45)
    """

    low: float
    high: float
    marks: tuple[float, ...]
    is_logarithmic: bool = False
    power: float = 1.0
    """The part of the way is raised to this: below 1, small values are spread out."""

    @classmethod
    def around(cls, values: Iterable[float], *, most: int = 5, is_tight: bool = False) -> Scale:
        """Return a scale that contains all values, with a limited number of round marks.

        It ends at marks, or if it is tight where the values do.
        """
        values = list(values)
        low, high = min(values), max(values)
        step = round_step((high - low) or abs(high) or 1.0, most)
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        last = max(last, first + 1)
        marks = tuple(round(mark * step, 12) for mark in range(first, last + 1))
        if not is_tight or low == high:
            return cls(marks[0], marks[-1], marks)
        return cls(low, high, tuple(mark for mark in marks if low <= mark <= high))

    @classmethod
    def powers(cls, values: Iterable[float]) -> Scale:
        """Return a logarithmic scale that contains all values, with a mark at each power of ten.

        >>> Scale.powers([0.4, 17.0]).marks
        (0.1, 1.0, 10.0, 100.0)
        """
        exponents = [math.log10(value) for value in values]
        low = math.floor(min(exponents))
        high = max(math.ceil(max(exponents)), low + 1)
        marks = tuple(10.0**power for power in range(low, high + 1))
        return cls(marks[0], marks[-1], marks, is_logarithmic=True)

    @classmethod
    def roots(cls, highest: float) -> Scale:
        """Return a square-root scale from 0, with round marks that do not overlap.

        >>> Scale.roots(0.146).marks
        (0.0, 0.005, 0.02, 0.05, 0.1, 0.15)
        """
        highest = cls.around([0.0, highest]).high
        power = math.floor(math.log10(highest))
        scale, marks = cls(0.0, highest, (), power=0.5), [highest]
        for exponent in range(power, power - 4, -1):
            for by in (5, 2, 1):
                mark = round(by * 10.0**exponent, 12)
                if 0.12 <= scale.share(mark) <= scale.share(marks[0]) - 0.14:
                    marks.insert(0, mark)
        return cls(0.0, highest, (0.0, *marks), power=0.5)

    def share(self, value: float) -> float:
        """Return the relative position of a value between low and high.

        >>> Scale(0, 20, ()).share(5), Scale.powers([1, 100]).share(10)
        (0.25, 0.5)
        """
        if self.is_logarithmic:
            return math.log10(value / self.low) / math.log10(self.high / self.low)
        part = (value - self.low) / (self.high - self.low)
        return float(part**self.power)


def plain(value: float) -> str:
    """Return the label of a value.

    >>> plain(20000.0), plain(0.25), plain(1e-3)
    ('20,000', '0.25', '0.001')
    """
    return f"{value:,.12g}"


def percent(share: float) -> str:
    """Return the label of a value in percent.

    >>> percent(0.35), percent(0.125)
    ('35 %', '12.5 %')
    """
    return f"{round(100 * share, 10):g} %"
