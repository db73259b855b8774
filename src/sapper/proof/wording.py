"""Proofs in plain English."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from sapper.position import MOST_NAMED, Cell, describe_cell, describe_cells
from sapper.proof.facts import Rule
from sapper.text import capitalised, listed, plural

if TYPE_CHECKING:
    from sapper.proof.proof import Proof, Step


def headline(proof: Proof) -> str:
    """Return what the proof proves, and its kind."""
    verdict = "safe" if proof.verdict == "safe" else "a mine"
    return f"{capitalised(describe_cell(proof.cell))} is {verdict} ({proof.kind}):"


def describe(step: Step, proof: Proof, indent: str = "") -> Iterator[str]:
    """Yield the lines that describe a step."""
    # A stack instead of recursion: cases can be nested to any depth.
    waiting: list[str | tuple[Step, str]] = [(step, indent)]
    while waiting:
        following = waiting.pop()
        if isinstance(following, str):
            yield following
            continue
        each, indent = following
        start = f"{indent}{each.label}. "
        if each.rule is not Rule.OPPOSITE:
            yield start + _sentence(each, proof)
            continue
        supposed = f"{describe_cells(each.cells)} is {'safe' if each.low else 'a mine'}"
        yield start + f"Suppose that {supposed} ({each.steps[0].label})."
        waiting.append(f"{indent}   So {reading(each, proof)}.")
        waiting += [(inner, indent + "   ") for inner in reversed(each.steps[1:])]


def _sentence(step: Step, proof: Proof) -> str:
    match step.rule:
        case Rule.NUMBER:
            return _number(step, proof)
        case Rule.MINE_COUNT:
            hidden = plural(len(step.cells), "hidden cell")
            return f"The mine count: the board has {plural(step.low, 'mine')} in {hidden}."
        case Rule.OVERLAP:
            return _overlap(step, proof)
        case _:
            return _without(step, proof)


def _number(step: Step, proof: Proof) -> str:
    name = capitalised(_named(step, proof))
    if step.is_mines and not step.is_impossible:
        neighbours = f"hidden neighbour{'s' if len(step.cells) > 1 else ''}"
        return _concluded(f"{name} has only {_word(len(step.cells))} {neighbours} left", step, proof)
    return f"{name} says that {reading(step, proof)}."


def _without(step: Step, proof: Proof) -> str:
    whole, *parts = step.since
    by = f"By {_steps(parts)}"
    name = _named(whole, proof)
    source = "the mine count" if whole.rule is Rule.MINE_COUNT else name
    if step.is_impossible:
        return f"{by}, {name} has too {'many' if step.high < 0 else 'few'} mines: impossible."
    if step.is_safe and all(part.is_mines for part in parts):
        return _concluded(f"{by}, {name} has all its mines", step, proof)
    if step.is_mines and all(part.is_safe for part in parts):
        return _concluded(f"{by}, {name} needs all its other cells", step, proof)
    if all(part.is_safe or part.is_mines for part in parts):
        return f"{by} and {source}, {reading(step, proof)}."
    return _concluded(f"Subtract {_steps(parts)} from {source}", step, proof)


def _concluded(start: str, step: Step, proof: Proof) -> str:
    """Return a sentence that ends with what the step says; two sentences if that has a colon."""
    conclusion = reading(step, proof)
    if ":" in conclusion:
        return f"{start}. {capitalised(conclusion)}."
    return f"{start}: {conclusion}."


def _overlap(step: Step, proof: Proof) -> str:
    whole, other = step.since
    shared = whole.cells & other.cells
    most, least = whole.low - step.low, whole.high - step.high
    if most == least:
        bound, number = "exactly", most
    elif step.is_safe:
        bound, number = "at least", least
    else:
        bound, number = "at most", most
    are_mines = "is a mine" if number == 1 else "are mines"
    found = "this is impossible" if step.is_impossible else reading(step, proof)
    both = f"{capitalised(_named(other, proof))} and {_named(whole, proof)}"
    return (
        f"{both} share {_describe_cells(shared)}. By step {other.label}, "
        f"{bound} {_word(number)} of them {are_mines}. So by step {whole.label}, {found}."
    )


def _named(step: Step, proof: Proof) -> str:
    if step.number is not None:
        return f"the {proof.position[step.number]} at {describe_cell(step.number)}"
    return "the board" if step.rule is Rule.MINE_COUNT else f"step {step.label}"


def _steps(steps: Sequence[Step]) -> str:
    labels = sorted((step.label for step in steps), key=lambda label: [*map(int, label.split("."))])
    return f"step{'s' if len(steps) > 1 else ''} {_ranges(labels)}"


def reading(step: Step, proof: Proof) -> str:
    """Return what a step says about its cells."""
    cells = _describe_cells(step.cells)
    if len(step.cells) > MOST_NAMED and proof.cell in step.cells:
        cells += f", including {describe_cell(proof.cell)},"
    one = len(step.cells) == 1
    # Several groups of cells are listed last: inside a sentence, they would be hard to read.
    these, after = ("these cells", f": {cells}") if ";" in cells else (cells, "")
    if step.is_safe:
        return f"{these} {'is' if one else 'are'} safe{after}"
    if step.is_mines:
        return f"{these} {'is a mine' if one else 'are mines'}{after}"
    low, high = _word(step.low), _word(step.high)
    if step.low == step.high:
        amount, number = f"exactly {low}", step.low
    elif step.high >= len(step.cells):
        amount, number = f"at least {low}", step.low
    elif step.low <= 0:
        amount, number = f"at most {high}", step.high
    else:
        amount, number = f"{low} {'or' if step.high == step.low + 1 else 'to'} {high}", step.high
    return f"{amount} of {these} {'is a mine' if number == 1 else 'are mines'}{after}"


def _word(number: int) -> str:
    """Return a number from 1 to 9 as a word, and other numbers as digits."""
    words = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    return words[number - 1] if 1 <= number <= len(words) else str(number)


def _describe_cells(cells: Collection[Cell]) -> str:
    """Return the rows and columns of cells, like `describe_cells`; rows that are alike are merged.

    >>> _describe_cells([(0, 5), (1, 5), (2, 5)]), _describe_cells([(0, 5), (1, 5), (1, 6)])
    ('rows 1 to 3, column 6', 'row 1, column 6; row 2, columns 6 and 7')
    """
    if len(cells) > MOST_NAMED:
        return describe_cells(cells)
    rows: dict[tuple[int, ...], list[int]] = {}
    for row, each in groupby(sorted(cells), key=itemgetter(0)):
        rows.setdefault(tuple(column for _, column in each), []).append(row)
    return "; ".join(
        f"{_lines('row', alike)}, {_lines('column', columns)}" for columns, alike in rows.items()
    )


def _lines(name: str, numbers: Sequence[int]) -> str:
    ranges = _ranges([str(number + 1) for number in numbers])
    return f"{name}{'s' if len(numbers) > 1 else ''} {ranges}"


def _ranges(labels: Sequence[str]) -> str:
    """Return labels as an English list in which three or more consecutive ones are a range.

    >>> _ranges(["1", "2", "3", "7"]), _ranges(["3", "4.2", "4.3", "4.4"])
    ('1 to 3 and 7', '3 and 4.2 to 4.4')
    """
    runs: list[list[str]] = []
    for label in labels:
        if runs and label == _next_label(runs[-1][-1]):
            runs[-1].append(label)
        else:
            runs.append([label])
    parts: list[str] = []
    for run in runs:
        parts += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else run
    return listed(parts)


def _next_label(label: str) -> str:
    outer, point, last = label.rpartition(".")
    return f"{outer}{point}{int(last) + 1}"
