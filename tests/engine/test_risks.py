"""The risks of the compiled engine: a mapping without a copy."""

from __future__ import annotations

from array import array
from math import nan

import pytest

from sapper.engine.risks import Risks
from sapper.position import Position

POSITION = Position.parse("# 1 #\n1 1 #", mines=2)
RISKS = Risks(POSITION, array("d", [1.0, nan, 0.25, nan, nan, 0.75]).tobytes())
SAME = {(0, 0): 1.0, (0, 2): 0.25, (1, 2): 0.75}


def test_it_is_the_mapping_of_the_hidden_cells() -> None:
    assert dict(RISKS) == SAME
    assert len(RISKS) == len(SAME)
    assert RISKS == SAME
    assert SAME == RISKS
    for cell in POSITION:
        assert RISKS.get(cell) == SAME.get(cell)


@pytest.mark.parametrize("cell", [(0, 3), (2, 0), (-1, 0), (0, -1), (1, -1)])
def test_cells_off_the_board_have_no_risk(cell: tuple[int, int]) -> None:
    assert RISKS.get(cell) is None
    assert RISKS.get(cell, 0.5) == 0.5


def test_equal_risks_are_equal_and_others_are_not() -> None:
    assert Risks(POSITION, RISKS.tobytes()) == RISKS
    assert Risks(POSITION, array("d", [1.0, nan, 0.75, nan, nan, 0.25]).tobytes()) != RISKS
    turned = Position.parse("# 1\n# 1\n1 #", mines=2)
    assert Risks(turned, RISKS.tobytes()) != RISKS
