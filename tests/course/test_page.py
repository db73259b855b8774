"""The pictures and the code in docs/knowledge.md are up to date."""

from __future__ import annotations

import re
import textwrap

import pytest

from benchmarks import baseline
from benchmarks.knowledge_pictures import IMAGES, SEEN, SOLVED, pictures
from sapper import Position
from sapper.minesweeper import MinesweeperAI

PAGE = (IMAGES.parent / "knowledge.md").read_text(encoding="utf-8")


def test_the_committed_pictures_are_up_to_date() -> None:
    drawn = pictures()
    assert {path.name for path in IMAGES.glob("knowledge-*.svg")} == drawn.keys()
    for name, picture in drawn.items():
        assert (IMAGES / name).read_text(encoding="utf-8") == picture, name
        assert f"(images/{name})" in PAGE


def test_the_page_shows_the_code_of_the_naive_version() -> None:
    (shown,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert baseline.__file__ is not None
    with open(baseline.__file__, encoding="utf-8") as file:
        assert textwrap.indent(shown, "    ") in file.read()


@pytest.mark.parametrize(
    ("name", "safes", "mines"),
    [
        ("number", set(), set()),
        ("mine", set(), {(1, 1)}),
        ("zero", {(i, j) for i in range(3) for j in range(3)} - {(1, 1)}, set()),
        ("all", set(), {(0, 1), (1, 0), (1, 1)}),
        ("subset", {(0, 2), (1, 2)}, set()),
    ],
)
def test_the_agent_concludes_what_the_pictures_show(
    name: str, safes: set[tuple[int, int]], mines: set[tuple[int, int]]
) -> None:
    position = Position.parse((SEEN | SOLVED)[name])
    ai = MinesweeperAI(position.height, position.width)
    for cell, number in position.numbers.items():
        ai.add_knowledge(cell, number)
    assert ai.safes - ai.moves_made == safes
    assert ai.mines == mines
