"""Proofs in plain English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sapper.position import MOST_NAMED, describe_cell, describe_cells
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
            return f"{capitalised(_named(step, proof))}: {reading(step, proof)}."
        case Rule.MINE_COUNT:
            hidden = plural(len(step.cells), "hidden cell")
            return f"The mine count: the board has {plural(step.low, 'mine')} in {hidden}."
        case Rule.OVERLAP:
            return _overlap(step, proof)
        case _:
            return _without(step, proof)


def _without(step: Step, proof: Proof) -> str:
    whole, *parts = step.since
    by = f"By {_steps(parts)}, "
    name = _named(whole, proof)
    source = "the mine count" if whole.rule is Rule.MINE_COUNT else name
    if step.is_impossible:
        return f"{by}{name} has too {'many' if step.high < 0 else 'few'} mines: impossible."
    if step.is_safe and all(part.is_mines for part in parts):
        return f"{by}{name} has all its mines: {reading(step, proof)}."
    if step.is_mines and all(part.is_safe for part in parts):
        return f"{by}{name} needs all its other cells: {reading(step, proof)}."
    if all(part.is_safe or part.is_mines for part in parts):
        return f"{by}{source} reduces to: {reading(step, proof)}."
    return f"Subtract {_steps(parts)} from {source}: {reading(step, proof)}."


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
    are_mines = f"of them {'is a mine' if bound.endswith(' 1') else 'are mines'}"
    found = "impossible" if step.is_impossible else reading(step, proof)
    both = f"{capitalised(_named(other, proof))} and {_named(whole, proof)}"
    return (
        f"{both} share {describe_cells(shared)}. "
        f"By step {other.label}, {bound} {are_mines}. So by step {whole.label}: {found}."
    )


def _named(step: Step, proof: Proof) -> str:
    if step.number is not None:
        return f"the {proof.position[step.number]} at {describe_cell(step.number)}"
    return "the board" if step.rule is Rule.MINE_COUNT else f"step {step.label}"


def _steps(steps: Sequence[Step]) -> str:
    return f"step{'s' if len(steps) > 1 else ''} {listed([step.label for step in steps])}"


def reading(step: Step, proof: Proof) -> str:
    """Return what a step says about its cells."""
    cells = describe_cells(step.cells)
    if len(step.cells) > MOST_NAMED and proof.cell in step.cells:
        cells += f", including {describe_cell(proof.cell)},"
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
