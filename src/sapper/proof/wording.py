"""Proofs in plain words."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Final

from sapper.position import Cell, describe_cell
from sapper.proof.facts import Rule

if TYPE_CHECKING:
    from sapper.proof.proof import Proof, Step

_MANY: Final = 24
"""More cells than this are not named one by one."""


def headline(proof: Proof) -> str:
    """Return what is proved, and by what kind of proof."""
    verdict = "safe" if proof.verdict == "safe" else "a mine"
    return f"{_capital(describe_cell(proof.cell))} is {verdict} ({proof.kind}):"


def describe(step: Step, proof: Proof, indent: str = "") -> Iterator[str]:
    """Generate the lines of a step."""
    # A list and not recursion: cases inside cases may be nested to any depth.
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
        supposed = f"{describe_cells(each.cells)} were {'safe' if each.low else 'a mine'}"
        yield start + f"Suppose ({each.steps[0].label}) that {supposed}."
        waiting.append(f"{indent}   So {reading(each, proof)}.")
        waiting += [(inner, indent + "   ") for inner in reversed(each.steps[1:])]


def _sentence(step: Step, proof: Proof) -> str:
    match step.rule:
        case Rule.NUMBER:
            return f"{_capital(_named(step, proof))}: {reading(step, proof)}."
        case Rule.MINE_COUNT:
            mines = "1 mine is" if step.low == 1 else f"{step.low} mines are"
            return f"{mines} on the board, among {_counted(len(step.cells), 'hidden cell')}."
        case Rule.OVERLAP:
            return _overlap(step, proof)
        case _:
            return _without(step, proof)


def _without(step: Step, proof: Proof) -> str:
    whole, *parts = step.since
    by = f"By {_steps(parts)}, "
    name = _named(whole, proof)
    if step.is_impossible:
        return f"{by}{name} has too {'many' if step.high < 0 else 'few'} mines: impossible."
    if step.is_safe and all(part.is_mines for part in parts):
        return f"{by}{name} has all its mines: {reading(step, proof)}."
    if step.is_mines and all(part.is_safe for part in parts):
        return f"{by}{name} needs all its other cells: {reading(step, proof)}."
    if all(part.is_safe or part.is_mines for part in parts):
        return f"{by}of {name} there is left: {reading(step, proof)}."
    return f"Take {_steps(parts)} out of {name}: {reading(step, proof)}."


def _overlap(step: Step, proof: Proof) -> str:
    whole, other = step.since
    shared = whole.cells & other.cells
    most, least = whole.low - step.low, whole.high - step.high
    if most == least:
        bound = f"exactly {most}"
    elif step.is_safe:
        bound = f"at least {least}"
    else:
        bound = f"at most {most}"
    holds = "is a mine" if bound.endswith(" 1") else "are mines"
    found = "impossible" if step.is_impossible else reading(step, proof)
    return (
        f"{_capital(_named(other, proof))} and {_named(whole, proof)} share {describe_cells(shared)}, "
        f"of which by step {other.label} {bound} {holds}. So by step {whole.label}: {found}."
    )


def _named(step: Step, proof: Proof) -> str:
    if step.number is not None:
        return f"the {proof.position[step.number]} at {describe_cell(step.number)}"
    return "the board" if step.rule is Rule.MINE_COUNT else f"step {step.label}"


def _steps(steps: Collection[Step]) -> str:
    labels = [step.label for step in steps]
    return f"step{'s' if len(labels) > 1 else ''} {_listed(labels)}"


def reading(step: Step, proof: Proof) -> str:
    """Return what a step says of its cells."""
    cells = describe_cells(step.cells)
    if len(step.cells) > _MANY and proof.cell in step.cells:
        cells += f", {describe_cell(proof.cell)} among them,"
    one = len(step.cells) == 1
    if step.is_safe:
        return f"{cells} {'is' if one else 'are'} safe"
    if step.is_mines:
        return f"{cells} {'is a mine' if one else 'are mines'}"
    if step.low == step.high:
        amount = f"exactly {step.low}"
    elif step.high >= len(step.cells):
        amount = f"at least {step.low}"
    elif step.low <= 0:
        amount = f"at most {step.high}"
    else:
        amount = f"{step.low} to {step.high}"
    return f"{amount} of {cells} {'is a mine' if amount.endswith(' 1') else 'are mines'}"


def describe_cells(cells: Collection[Cell]) -> str:
    """Return cells as people say them, row by row, counted from 1.

    >>> describe_cells([(0, 0), (0, 1), (0, 2), (2, 4), (2, 5)])
    'row 1, columns 1 to 3; row 3, columns 5 and 6'
    """
    if len(cells) > _MANY:
        return _counted(len(cells), "cell")
    rows = groupby(sorted(cells), key=lambda cell: cell[0])
    return "; ".join(
        f"row {row + 1}, {_columns([column + 1 for _, column in each])}" for row, each in rows
    )


def _columns(columns: list[int]) -> str:
    if len(columns) == 1:
        return f"column {columns[0]}"
    runs: list[list[int]] = []
    for column in columns:
        if runs and column == runs[-1][-1] + 1:
            runs[-1].append(column)
        else:
            runs.append([column])
    parts = []
    for run in runs:
        parts += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else [str(column) for column in run]
    return f"columns {_listed(parts)}"


def _listed(parts: Collection[str]) -> str:
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
