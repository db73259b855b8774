"""Every certain cell has a valid proof, and no uncertain cell has one."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import pytest
from hypothesis import given, settings

from sapper import (
    BadPosition,
    InconsistentPosition,
    Kind,
    Limit,
    NotCertain,
    Position,
    Proof,
    SapperError,
    Step,
    WrongProof,
    analyse,
    engine_name,
    explain,
)
from sapper.game.game import Game
from sapper.position import Cell
from sapper.proof.facts import Rule
from sapper.proof.prover import Prover
from tests.support.oracle import batches
from tests.support.strategies import possible_positions

quick_engine = pytest.mark.skipif(
    engine_name == "python",
    reason="the plain-Python engine takes long for the positions of expert games",
)


def parsed(*rows: str, mines: int) -> Position:
    return Position.parse("\n".join(rows), mines=mines)


def check(proof: Proof, position: Position) -> None:
    """Check every property of a proof."""
    proof.check(position)
    hidden = position.hidden
    for step in proof.every_step():
        assert step.cells <= hidden
    assert proof.numbers <= position.numbers.keys()
    assert proof.uses_mine_count == (proof.kind is Kind.MINE_COUNT)
    json.dumps(proof.to_json())


def certain_cells(position: Position) -> dict[Cell, str]:
    analysis = analyse(position)
    return dict.fromkeys(analysis.safe, "safe") | dict.fromkeys(analysis.mines, "mine")


def can_do_with_fewer(proof: Proof, position: Position) -> bool:
    """Return whether a proof of the same or a simpler kind needs fewer numbers."""
    prover, count = Prover(position, Limit().start()), int(proof.verdict == "mine")
    return any(
        prover.prove(proof.cell, count, most=proof.kind, among=proof.numbers - {number}) is not None
        for number in proof.numbers
    )


@given(possible_positions())
@settings(max_examples=150)
def test_certain_cells_have_proofs_and_others_have_none(position: Position) -> None:
    analysis, certain = analyse(position), certain_cells(position)
    for cell in sorted(position.hidden):
        if cell in certain:
            proof = explain(position, cell)
            assert proof.verdict == certain[cell]
            check(proof, position)
            assert not can_do_with_fewer(proof, position)
        else:
            with pytest.raises(NotCertain) as caught:
                explain(position, cell)
            assert caught.value.risk == analysis.risk[cell]
            prover = Prover(position, Limit().start())
            assert prover.prove(cell, 0) is None
            assert prover.prove(cell, 1) is None


@quick_engine
@pytest.mark.parametrize("seeds", batches(40, full=2000), ids=lambda seeds: f"{seeds.start}-")
def test_every_certain_cell_of_expert_games_has_a_proof(seeds: range) -> None:
    """Provably safe cells are opened in order; if there is none, the first cell without a mine."""
    for seed in seeds:
        game = Game.new("expert", seed=seed, promise="open")
        game.open((3, 3))
        done: set[Cell] = set()
        while not game.over:
            position = game.position
            certain = certain_cells(position)
            for cell in sorted(certain.keys() - done):
                proof = explain(position, cell)
                assert proof.verdict == certain[cell]
                check(proof, position)
                done.add(cell)
            assert game.minefield is not None
            free = sorted(position.hidden - game.minefield.mines)
            safe = [cell for cell in free if cell in certain] or free[:1]
            for cell in safe:
                if game.position.is_hidden(cell) and not game.over:
                    game.open(cell)


@quick_engine
@pytest.mark.parametrize("seed", range(3))
def test_no_number_can_be_left_out_of_a_proof(seed: int) -> None:
    game = Game.new("expert", seed=seed, promise="open")
    game.open((3, 3))
    for _ in range(4):
        position = game.position
        for cell in sorted(certain_cells(position)):
            proof = explain(position, cell)
            assert not can_do_with_fewer(proof, position), str(proof)
            simpler = Prover(position, Limit().start()).prove(
                cell, int(proof.verdict == "mine"), most=Kind(max(proof.kind - 1, 1))
            )
            assert simpler is None or proof.kind is Kind.COUNTING
        safe = sorted(analyse(position).safe)
        if not safe:
            break
        for cell in safe:
            if game.position.is_hidden(cell):
                game.open(cell)


def changed(step: Step) -> list[Step]:
    """Return wrong variants of a step."""
    return [
        replace(step, low=step.low + 1, high=step.high + 1),
        replace(step, low=step.low - 1),
        replace(step, high=step.high + 1),
        replace(
            step, cells=step.cells | {(0, 0)} if (0, 0) not in step.cells else step.cells - {(0, 0)}
        ),
        *([replace(step, since=step.since[1:])] if step.since else []),
        *([replace(step, steps=step.steps[:-1])] if step.steps else []),
    ]


@quick_engine
def test_no_changed_step_passes_the_check() -> None:
    game = Game.new("expert", seed=1, promise="open")
    game.open((3, 3))
    kinds = set()
    while not game.over:
        position = game.position
        safe = sorted(analyse(position).safe)
        for cell in safe:
            proof = explain(position, cell)
            kinds.add(proof.kind)
            for at, step in enumerate(proof.steps):
                for wrong in changed(step):
                    steps = (*proof.steps[:at], wrong, *proof.steps[at + 1 :])
                    with pytest.raises(WrongProof):
                        replace(proof, steps=steps).check(position)
            with pytest.raises(WrongProof):
                replace(proof, verdict="mine").check(position)
            with pytest.raises(WrongProof):
                replace(proof, steps=()).check(position)
        assert game.minefield is not None
        free = sorted(position.hidden - game.minefield.mines)
        for cell in safe or free[:1]:
            if game.position.is_hidden(cell) and not game.over:
                game.open(cell)
    assert kinds >= {Kind.SUBSET, Kind.CHAIN, Kind.OVERLAP}


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("7x7/16 2#32211 #5##2#1 ##42211 ##3.111 3#312#1 2#3##43 #######", (6, 1)),
        ("8x8/20 #2#33##1 122##43# ..13###1 1111#3## 3#2112## ##31#1## ######## ########", (3, 4)),
    ],
)
def test_conclusions_from_an_inner_supposition_stay_inside_it(text: str, cell: Cell) -> None:
    position = Position.parse(text.replace(" ", "\n"))
    proof = explain(position, cell)
    check(proof, position)
    assert str(proof).count("Suppose ") > 1


def test_a_supposition_cannot_be_used_outside_its_case() -> None:
    """A supposition and its consequences cannot be used anywhere else."""
    position = parsed("# # #", mines=1)
    cell = frozenset([(0, 0)])
    supposed = Step("1.1", Rule.SUPPOSED, cell, 0, 0)
    with pytest.raises(WrongProof):
        Proof(position, (0, 0), "safe", Kind.CASES, (supposed,)).check(position)
    taken = Step("1", Rule.WITHOUT, cell, 0, 0, (supposed,))
    with pytest.raises(WrongProof):
        Proof(position, (0, 0), "safe", Kind.CASES, (taken,)).check(position)
    for inside in ((), (replace(supposed, low=1, high=1),)):
        empty = Step("1", Rule.OPPOSITE, cell, 0, 0, steps=inside)
        with pytest.raises(WrongProof):
            Proof(position, (0, 0), "safe", Kind.CASES, (empty,)).check(position)


def test_a_supposition_may_be_made_inside_another() -> None:
    """The inner supposition is not listed outside."""
    position = parsed("# 3 # # 2", "# 4 4 # #", "1 2 # # 2", mines=7)
    proof = explain(position, (1, 3))
    check(proof, position)
    assert any(step.rule is Rule.OPPOSITE for step in proof.steps[-1].steps)
    assert all(step.rule is not Rule.SUPPOSED for step in proof.steps)


def test_an_impossible_position_proves_nothing() -> None:
    position = parsed(". 1 # 2", ". # # #", "# 2 3 #", "# 1 # #", mines=4)
    check(explain(position, (3, 2)), position)


@pytest.mark.parametrize(
    ("rows", "mines", "cell", "kind"),
    [
        (("# 1 . .",), 1, (0, 0), Kind.COUNTING),
        (("# # # #", "1 2 2 1"), 2, (0, 1), Kind.SUBSET),
        (("# # # #", "1 2 2 1"), 2, (0, 0), Kind.CHAIN),
        (("# # # # #", "# 1 2 # #"), 4, (0, 4), None),
        (("# # 1 .", "# # 1 ."), 1, (0, 0), Kind.MINE_COUNT),
    ],
)
def test_explain_finds_the_expected_kind_of_proof(
    rows: tuple[str, ...], mines: int, cell: Cell, kind: Kind | None
) -> None:
    position = parsed(*rows, mines=mines)
    if kind is None:
        with pytest.raises(NotCertain):
            explain(position, cell)
    else:
        proof = explain(position, cell)
        assert proof.kind is kind
        check(proof, position)


def test_flags_prove_nothing() -> None:
    assert explain(parsed("F 1 # #", mines=2), (0, 3)).kind is Kind.MINE_COUNT
    with pytest.raises(NotCertain):
        explain(parsed("F 1 #", mines=1), (0, 2))


def test_invalid_questions_are_refused() -> None:
    with pytest.raises(BadPosition, match="already open"):
        explain(parsed("# 1", mines=1), (0, 1))
    with pytest.raises(BadPosition, match="not a cell"):
        explain(parsed("# 1", mines=1), (3, 1))
    with pytest.raises(InconsistentPosition):
        explain(parsed("# 2", mines=1), (0, 0))
    with pytest.raises(SapperError, match="no step 9"):
        explain(parsed("# 1", mines=1), (0, 0)).svg(step=9)
    error = NotCertain("why", 0.5)
    assert pickle.loads(pickle.dumps(error)).risk == 0.5


def test_a_proof_has_a_text_and_a_picture() -> None:
    position = parsed("# # # #", "1 2 2 1", mines=2)
    proof = explain(position, (0, 0))
    assert str(proof).splitlines() == [
        "Row 1, column 1 is safe (chain):",
        "1. The 1 at row 2, column 1 says that exactly one of row 1, columns 1 and 2 is a mine.",
        "2. The 2 at row 2, column 3 says that exactly two of row 1, columns 2 to 4 are mines.",
        "3. The 1 at row 2, column 4 says that exactly one of row 1, columns 3 and 4 is a mine.",
        "4. Subtract step 3 from the 2 at row 2, column 3: row 1, column 2 is a mine.",
        "5. By step 4, the 1 at row 2, column 1 has all its mines: row 1, column 1 is safe.",
    ]
    assert proof.difficulty == 22
    pictures = {proof.svg(), *(proof.svg(step=step) for step in range(1, 6))}
    assert len(pictures) == 6
    assert all("<title>Row 1, column 1 is safe (chain)</title>" in picture for picture in pictures)


# Words -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cell", "sentence"),
    [
        ("1 #", (0, 1), "has only one hidden neighbour left: row 1, column 2 is a mine."),
        ("2 #\n# 2", (0, 1), "has only two hidden neighbours left"),
        ("# 1\n# 1\n# 1", (0, 0), "says that exactly one of rows 1 to 3, column 1 is a mine."),
        (
            "1 1 #\n# # #",
            (0, 2),
            "says that exactly one of these cells is a mine: row 1, column 3; row 2, columns 1 to 3.",
        ),
    ],
)
def test_sentences_are_easy_to_read(text: str, cell: Cell, sentence: str) -> None:
    mines = 2 if text.startswith("2") else 1
    assert sentence in str(explain(Position.parse(text, mines=mines), cell))


def test_consecutive_steps_are_named_as_a_range() -> None:
    proof = explain(parsed("1 # 1 1 # 1 1 # # #", mines=3), (0, 9))
    assert "By steps 2 to 4, the board has all its mines" in str(proof)
