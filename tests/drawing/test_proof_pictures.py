"""The pictures and examples of docs/proofs.md are what the code makes of them now."""

from __future__ import annotations

import pytest

from benchmarks.proof_pictures import EXAMPLES, examples, pictures
from benchmarks.smallest import Search
from benchmarks.support import IMAGES
from sapper import Kind, Position

PAGE = IMAGES.parent / "proofs.md"


def test_the_committed_pictures_are_up_to_date() -> None:
    drawn = pictures()
    assert {path.name for path in IMAGES.glob("proof-*.svg")} == drawn.keys()
    for name, picture in drawn.items():
        assert (IMAGES / name).read_text(encoding="utf-8") == picture, name


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_page_shows_each_example_and_its_proof(name: str) -> None:
    page, proof = PAGE.read_text(encoding="utf-8"), examples()[name]
    lines = "\n".join(f"    {line}" for line in str(proof).splitlines())
    proof.check(proof.position)
    assert str(proof.kind).replace(" ", "-") == name
    assert f"(images/proof-{name}.svg)" in page
    assert f"\n{lines}\n" in page


def test_the_examples_are_the_smallest_positions(capsys: pytest.CaptureFixture[str]) -> None:
    search = Search(stuck=True)
    search.run(most=9)
    found = {str(kind).replace(" ", "-"): proof for kind, proof in search.found.items()}
    smallest = {name: (str(proof.position), proof.cell) for name, proof in found.items()}
    assert smallest == EXAMPLES
    assert "none on boards" not in capsys.readouterr().out


def test_the_smallest_position_may_also_have_simpler_proofs() -> None:
    search = Search(stuck=False)
    search.run(most=6)
    assert {kind: str(proof.position) for kind, proof in search.found.items()} == {
        Kind.COUNTING: "2x1/1\n1 #",
        Kind.SUBSET: "4x1/1\n1 # 1 #",
        Kind.CHAIN: "5x1/2\n# 1 # 2 #",
        Kind.OVERLAP: "3x2/2\n1 # 2\n# # #",
        Kind.MINE_COUNT: "3x1/1\n1 # #",
    }
    assert search.found[Kind.OVERLAP].position == Position.parse(EXAMPLES["overlap"][0])
