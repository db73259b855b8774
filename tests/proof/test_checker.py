"""The proof checker accepts valid proofs and raises `WrongProof` for everything else."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper import FLAG, Kind, Position, Proof, SapperError, Step, WrongProof, analyse, explain
from sapper.position import Cell
from sapper.proof.facts import Rule
from sapper.proof.proof import find_proof
from tests.support.forging import JUNK, derived, forged, has_right_kind, is_sound, is_true
from tests.support.oracle import AllLayouts
from tests.support.strategies import possible_positions

pytestmark = pytest.mark.any_engine

EXAMPLES: dict[Kind, tuple[str, Cell]] = {
    Kind.COUNTING: ("3x1/1 #1.", (0, 0)),
    Kind.SUBSET: ("4x2/2 ####/1221", (0, 1)),
    Kind.CHAIN: ("4x2/2 ####/1221", (0, 0)),
    Kind.OVERLAP: ("3x2/2 1#2/###", (1, 0)),
    Kind.CASES: ("3x3/2 #1#/1#1/###", (2, 1)),
    Kind.MINE_COUNT: ("4x1/1 #1##", (0, 3)),
}
"""A position and a cell for each kind of proof."""


def parsed(text: str) -> Position:
    return Position.parse(text.replace(" ", "\n").replace("/", "\n").replace("\n", "/", 1))


def example(kind: Kind) -> Proof:
    text, cell = EXAMPLES[kind]
    proof = explain(parsed(text), cell)
    assert proof.kind is kind
    return proof


proofs = pytest.mark.parametrize("proof", [example(kind) for kind in Kind], ids=lambda p: str(p.kind))


def refused(proof: Proof, position: Position | None = None) -> str:
    """Assert that the check refuses a proof with one line, and return it."""
    with pytest.raises(WrongProof) as caught:
        proof.check(proof.position if position is None else position)
    message = str(caught.value)
    assert message.isprintable()
    assert 0 < len(message) < 200
    return message


# Single defects ----------------------------------------------------------------------------------


@proofs
def test_a_valid_proof_passes(proof: Proof) -> None:
    proof.check(proof.position)


@proofs
@pytest.mark.parametrize("verdict", ["", "Safe", "a mine", "banana", None, True, 1, b"mine"])
def test_an_unknown_verdict_is_refused(proof: Proof, verdict: object) -> None:
    refused(replace(proof, verdict=verdict))  # type: ignore[arg-type]


@proofs
def test_the_opposite_verdict_is_refused(proof: Proof) -> None:
    refused(replace(proof, verdict="mine" if proof.verdict == "safe" else "safe"))


@proofs
def test_a_kind_that_does_not_match_the_rules_used_is_refused(proof: Proof) -> None:
    for kind in set(Kind) - {proof.kind}:
        assert str(proof.kind) in refused(replace(proof, kind=kind))
    for value in (int(proof.kind), str(proof.kind), None, True):
        refused(replace(proof, kind=value))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "number", [(0, 3), (-1, 0), (10**9, 0), (0, 0), (0.0, 1.0), (False, True), None]
)
def test_a_number_that_is_not_an_open_cell_is_refused(number: object) -> None:
    refused(with_junk(example(Kind.COUNTING), 0, "number", number))


@proofs
@pytest.mark.parametrize("cell", [(0, 9), (-1, 0), (10**9, 10**9), (0.0, 0.0), [0, 0], None, "00"])
def test_a_proof_about_a_cell_outside_the_board_is_refused(proof: Proof, cell: object) -> None:
    refused(replace(proof, cell=cell))  # type: ignore[arg-type]


@proofs
def test_a_proof_about_another_cell_is_refused(proof: Proof) -> None:
    for cell in set(proof.position) - proof.steps[-1].cells:
        refused(replace(proof, cell=cell))


@proofs
def test_a_proof_is_refused_for_every_other_position(proof: Proof) -> None:
    own = proof.position
    others = [Position(own.width, own.height, own.mines, own.codes)] if own.width != own.height else []
    for place, code in enumerate(own.codes):
        changed = {*range(10)} - {min(code, 9)}
        others += [
            replace(own, codes=own.codes[:place] + bytes([other]) + own.codes[place + 1 :])
            for other in changed
        ]
    others += [replace(own, mines=mines) for mines in range(len(own)) if mines != own.mines]
    for other in others:
        assert refused(proof, other) == "the proof is for another position"
        refused(replace(proof, position=other), own)


@proofs
def test_a_proof_still_holds_if_only_flags_change(proof: Proof) -> None:
    own = proof.position
    flagged = replace(own, codes=bytes(FLAG if code >= 9 else code for code in own.codes))
    proof.check(flagged)
    replace(proof, position=flagged).check(own)


def test_a_proof_is_checked_against_a_position_only() -> None:
    for junk in JUNK:
        with pytest.raises(WrongProof):
            example(Kind.COUNTING).check(junk)


@proofs
def test_steps_that_later_steps_do_not_use_are_refused(proof: Proof) -> None:
    own = proof.position
    total = Step("1", Rule.MINE_COUNT, own.hidden, own.mines, own.mines)
    moved = [replace(step, label=str(int(step.label) + 1)) for step in proof.steps[:1]]
    if proof.kind is Kind.COUNTING:
        refused(replace(proof, kind=Kind.MINE_COUNT, steps=(total, *moved)))
    refused(replace(proof, steps=(*proof.steps, replace(total, label=str(len(proof.steps) + 1)))))


def test_a_sentence_about_no_cells_is_refused() -> None:
    position = Position.parse("3x1/1\n. 1 #")
    empty = Step("1", Rule.NUMBER, frozenset(), 0, 0, number=(0, 0))
    one = Step("2", Rule.NUMBER, frozenset([(0, 2)]), 1, 1, number=(0, 1))
    last = Step("3", Rule.WITHOUT, frozenset([(0, 2)]), 1, 1, since=(one, empty))
    assert "no cells" in refused(Proof(position, (0, 2), "mine", Kind.SUBSET, (empty, one, last)))


def test_a_contradiction_outside_a_case_is_refused() -> None:
    """In a position that no minefield can produce, everything would follow."""
    position = Position.parse("3x1/1\n2 # .")
    wrong = Step("1", Rule.NUMBER, frozenset([(0, 1)]), 2, 2, number=(0, 0))
    assert "impossible" in refused(Proof(position, (0, 1), "mine", Kind.COUNTING, (wrong,)))


@proofs
def test_a_repeated_step_is_refused(proof: Proof) -> None:
    refused(replace(proof, steps=(*proof.steps, proof.steps[-1])))
    refused(replace(proof, steps=proof.steps * 2))


@proofs
def test_a_step_cannot_use_itself_or_a_later_step(proof: Proof) -> None:
    first, last = proof.steps[0], replace(proof.steps[-1])
    object.__setattr__(last, "since", (last, *last.since))
    refused(replace(proof, steps=(*proof.steps[:-1], last)))
    early = replace(first, rule=Rule.WITHOUT, number=None, since=(proof.steps[-1], first))
    refused(replace(proof, steps=(early, *proof.steps[1:])))


def test_what_is_known_in_a_case_is_not_known_after_it() -> None:
    proof = example(Kind.CASES)
    opposite = proof.steps[-1]
    inside = opposite.steps[1]
    after = replace(opposite, label=str(len(proof.steps) + 1), rule=Rule.WITHOUT, steps=())
    leaked = replace(after, since=(opposite, inside), cells=opposite.cells - inside.cells)
    assert "not available" in refused(replace(proof, steps=(*proof.steps, leaked)))


@proofs
@pytest.mark.parametrize("at", [0, -1])
def test_a_wrong_value_anywhere_is_refused(proof: Proof, at: int) -> None:
    """Wrong types, numbers that are too large, objects that are equal to everything."""
    step = proof.steps[at]
    for junk in JUNK:
        for name in ("label", "rule", "cells", "low", "high", "since", "number", "steps"):
            if type(junk) is not type(getattr(step, name)) or junk != getattr(step, name):
                refused(with_junk(proof, at, name, junk))
        for name in ("position", "cell", "verdict", "kind", "steps"):
            if type(junk) is not type(getattr(proof, name)) or junk != getattr(proof, name):
                refused(replace(proof, **{name: junk}), proof.position)


def with_junk(proof: Proof, at: int, name: str, junk: object) -> Proof:
    """Return the proof with one value of a step changed, also where later steps refer to it."""
    changed = {step: replace(step) for step in proof.steps}
    for step in changed.values():
        object.__setattr__(step, "since", tuple(changed[each] for each in step.since))
    object.__setattr__(changed[proof.steps[at]], name, junk)
    return replace(proof, steps=tuple(changed.values()))


@proofs
def test_missing_values_are_refused(proof: Proof) -> None:
    bare = object.__new__(Step)
    refused(replace(proof, steps=(bare,)))
    empty = object.__new__(Proof)
    refused(empty, proof.position)


class Convinced(Step):
    """A step of another class that claims to be valid."""

    is_safe = property(lambda _: True)
    is_mines = is_safe
    is_impossible = property(lambda _: False)


def test_a_step_of_another_class_is_refused() -> None:
    proof = example(Kind.COUNTING)
    step = proof.steps[0]
    other = Convinced(step.label, step.rule, step.cells, 0, 9, number=step.number)
    assert "is not a Step" in refused(replace(proof, steps=(other,)))


# Time and depth ----------------------------------------------------------------------------------


def opposite(label: str, inside: tuple[Step, ...]) -> Step:
    """Return a step that says: the left cell of `3x1/1 #1#` is safe, because of the steps inside."""
    cell = frozenset([(0, 0)])
    return Step(label, Rule.OPPOSITE, cell, 0, 0, steps=inside)


POSITION = Position.parse("3x1/1\n# 1 #")


def test_steps_in_a_circle_are_refused() -> None:
    step = opposite("1", ())
    supposed = Step("1.1", Rule.SUPPOSED, frozenset([(0, 0)]), 1, 1)
    object.__setattr__(step, "steps", (supposed, step))
    assert "twice" in refused(Proof(POSITION, (0, 0), "safe", Kind.CASES, (step,)))
    object.__setattr__(step, "steps", (step,))
    assert "twice" in refused(Proof(POSITION, (0, 0), "safe", Kind.CASES, (step,)))


@pytest.mark.parametrize("depth", [10, 3 * sys.getrecursionlimit()])
def test_cases_that_are_nested_deeply_are_refused(depth: int) -> None:
    """Each label is correct, so the checker visits every level."""
    labels = ["1"]
    for _ in range(depth):
        labels.append(f"{labels[-1]}.2")
    cell, inside = frozenset([(0, 0)]), Step(f"{labels[-1]}.2", Rule.MINE_COUNT, frozenset(), 2, 2)
    for label in reversed(labels):
        supposed = Step(f"{label}.1", Rule.SUPPOSED, cell, 1, 1)
        inside = opposite(label, (supposed, inside))
    refused(Proof(POSITION, (0, 0), "safe", Kind.CASES, (inside,)))


def test_shared_steps_do_not_take_exponential_time() -> None:
    step = Step("", Rule.SUPPOSED, frozenset([(0, 0)]), 1, 1)
    for _ in range(200):
        step = opposite("1", (step, step))
    refused(Proof(POSITION, (0, 0), "safe", Kind.CASES, (step,)))


def test_a_proof_with_thirty_thousand_steps_is_refused_quickly() -> None:
    cells = POSITION.hidden
    one = Step("1", Rule.NUMBER, cells, 1, 1, number=(0, 1))
    steps = (one, *(Step(str(n), Rule.NUMBER, cells, 1, 1, number=(0, 1)) for n in range(2, 30_001)))
    start = time.process_time()
    refused(Proof(POSITION, (0, 0), "safe", Kind.COUNTING, steps))
    refused(Proof(POSITION, (0, 0), "safe", Kind.CHAIN, (one, replace(one, since=steps))))
    assert time.process_time() - start < 60


def test_steps_that_share_a_large_set_of_cells_are_refused_quickly() -> None:
    position = Position.blank(100, 100, 10)
    cells = position.hidden
    total = Step("1", Rule.MINE_COUNT, cells, 10, 10)
    steps = (total, *(Step(str(n), Rule.MINE_COUNT, cells, 10, 10) for n in range(2, 5_001)))
    start = time.process_time()
    refused(Proof(position, (0, 0), "safe", Kind.MINE_COUNT, steps))
    again = Step("2", Rule.WITHOUT, cells, 10, 10, (total,) * 5_000)
    refused(Proof(position, (0, 0), "safe", Kind.MINE_COUNT, (total, again)))
    assert time.process_time() - start < 30


def test_a_proof_by_the_mine_count_of_a_large_board_passes() -> None:
    position = Position.blank(100, 100, 0)
    total = Step("1", Rule.MINE_COUNT, position.hidden, 0, 0)
    Proof(position, (5, 5), "safe", Kind.MINE_COUNT, (total,)).check(position)
    proof = find_proof(position, (5, 5), "safe")
    assert proof is not None
    proof.check(position)


def long_row(width: int) -> Position:
    """Return a row in which each certain cell determines the next one."""
    mines = {*range(1, width, 4)}
    codes = (
        9 if column % 2 else (column - 1 in mines) + (column + 1 in mines) for column in range(width)
    )
    return Position(1, width, len(mines), bytes(codes))


def test_a_proof_may_have_more_steps_than_python_has_frames() -> None:
    position = long_row(600)
    proof = find_proof(position, (0, 599), "safe")
    assert proof is not None
    assert len(proof.steps) > 550
    proof.check(position)
    assert len(str(proof).splitlines()) == len(proof.steps) + 1
    assert len(json.dumps(proof.to_json())) > 10_000


def deep_proof(depth: int) -> Proof:
    """Return a valid proof with nested cases, each of which refutes the same supposition."""
    position = Position.parse("3x1/1\n1 # #")
    cell = frozenset([(0, 1)])
    number = Step("1", Rule.NUMBER, cell, 1, 1, number=(0, 0))
    labels = ["2"]
    for _ in range(depth):
        labels.append(f"{labels[-1]}.2")
    step = None
    for label in reversed(labels):
        supposed = Step(f"{label}.1", Rule.SUPPOSED, cell, 0, 0)
        if step is None:
            wrong = Step(f"{label}.2", Rule.WITHOUT, frozenset(), 1, 1, (number, supposed))
            step = Step(label, Rule.OPPOSITE, cell, 1, 1, steps=(supposed, wrong))
        else:
            wrong = Step(f"{label}.3", Rule.WITHOUT, frozenset(), 1, 1, (step, supposed))
            step = Step(label, Rule.OPPOSITE, cell, 1, 1, steps=(supposed, step, wrong))
    assert step is not None
    return Proof(position, (0, 1), "mine", Kind.CASES, (number, step))


@pytest.mark.parametrize("depth", [0, 3, 2000])
def test_a_valid_proof_of_any_depth_passes_and_can_be_shown(depth: int) -> None:
    proof = deep_proof(depth)
    proof.check(proof.position)
    assert str(proof).count("Suppose ") == depth + 1
    assert len(list(proof.every_step())) == 3 * depth + 4
    assert proof.to_json()["steps"][1]["label"] == "2"


# The search -------------------------------------------------------------------------------------


def test_the_wrong_verdict_has_no_proof() -> None:
    for kind in Kind:
        proof = example(kind)
        wrong = "safe" if proof.verdict == "mine" else "mine"
        assert find_proof(proof.position, proof.cell, wrong) is None


def test_a_contradiction_proves_nothing() -> None:
    for text in ("3x1/1 2#.", "3x3/1 ###/1../###", "4x1/2 1#1#"):
        position = parsed(text)
        for cell in position.hidden:
            for verdict in ("safe", "mine"):
                proof = find_proof(position, cell, verdict)
                if proof is not None:
                    assert proof.verdict == verdict
                    assert has_right_kind(proof)


def test_an_unknown_verdict_cannot_be_asked_for() -> None:
    with pytest.raises(SapperError, match="'safe' or 'mine', not 'banana'"):
        find_proof(POSITION, (0, 0), "banana")


def test_inexact_bounds_are_subtracted_correctly() -> None:
    """The cell at row 2, column 4 has 0 or 1 mines, which leaves -1 to 0 for its neighbour."""
    position = parsed("4x2/1 ##1./#1##")
    around = {number: frozenset(position.neighbours(number) & position.hidden) for number in position}
    one = Step("1", Rule.NUMBER, around[0, 2], 1, 1, number=(0, 2))
    two = Step("2", Rule.NUMBER, around[1, 1], 1, 1, number=(1, 1))
    bounded = Step("3", Rule.OVERLAP, frozenset([(1, 3)]), 0, 1, (one, two))
    none = Step("4", Rule.NUMBER, around[0, 3], 0, 0, number=(0, 3))
    last = Step("5", Rule.WITHOUT, frozenset([(1, 2)]), -1, 0, (none, bounded))
    proof = Proof(position, (1, 2), "safe", Kind.OVERLAP, (one, two, bounded, none, last))
    proof.check(position)
    for low, high in ((0, -1), (0, 0), (-1, -1), (-2, 0), (-1, 1)):
        refused(replace(proof, steps=(*proof.steps[:-1], replace(last, low=low, high=high))))


# Conclusions drawn at random --------------------------------------------------------------------


@given(possible_positions().filter(lambda position: len(position.hidden) <= 10), st.randoms())
@settings(max_examples=300)
def test_every_proof_with_valid_steps_passes(position: Position, random: Random) -> None:
    """This includes indirect proofs with inexact bounds, which no search would find."""
    for _ in range(5):
        proof = derived(position, random)
        if proof is not None:
            proof.check(position)
            assert is_sound(proof, position)


@given(
    possible_positions().filter(lambda position: len(position.hidden) <= 10),
    st.randoms(),
    st.sampled_from([1, 2]),
)
@settings(max_examples=300)
def test_no_proof_by_a_wrong_formula_passes(position: Position, random: Random, wrongly: int) -> None:
    for _ in range(5):
        proof = derived(position, random, wrongly=wrongly)
        if proof is not None and not is_sound(proof, position):
            refused(proof)


# Forged proofs ----------------------------------------------------------------------------------


@given(possible_positions().filter(lambda position: len(position.hidden) <= 12), st.randoms())
@settings(max_examples=200)
def test_a_forged_proof_is_refused_or_still_valid(position: Position, random: Random) -> None:
    analysis = analyse(position)
    certain = sorted(analysis.safe | analysis.mines)
    layouts = AllLayouts(position)
    for cell in certain[:3]:
        proof = explain(position, cell)
        proof.check(position)
        assert is_sound(proof, position)
        for _ in range(5):
            forgery = forged(proof, random)
            try:
                forgery.check(position)
            except WrongProof as error:
                assert str(error).isprintable()
                assert len(str(error)) < 200
                continue
            assert is_true(forgery, layouts, position), forgery
            assert is_sound(forgery, position), forgery
            assert has_right_kind(forgery), forgery
            assert str(forgery)
            assert json.dumps(forgery.to_json())


@proofs
def test_many_forgeries_of_each_kind_are_refused_or_still_valid(proof: Proof) -> None:
    position, random = proof.position, Random(str(proof))
    layouts = AllLayouts(position)
    passed = 0
    for _ in range(1000):
        forgery = forged(proof, random)
        try:
            forgery.check(position)
        except WrongProof:
            continue
        passed += 1
        assert is_true(forgery, layouts, position), forgery
        assert is_sound(forgery, position), forgery
        assert has_right_kind(forgery), forgery
    assert passed < 1000
