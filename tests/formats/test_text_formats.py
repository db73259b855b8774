"""JSON and text agree with the analysis, and rounding never makes a probability look certain."""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper import Analysis, Position, analyse
from sapper.formats import analysis_to_json, format_count, format_digits, format_percent
from tests.support.strategies import possible_positions, told_analyses


def check(analysis: Analysis) -> None:
    facts = json.loads(json.dumps(analysis_to_json(analysis), allow_nan=False))
    position = analysis.position
    assert (facts["height"], facts["width"]) == (position.height, position.width)
    assert facts["mines"] == position.mines
    assert (facts["exact"], facts["trust_flags"]) == (analysis.exact, analysis.trust_flags)
    assert {tuple(cell) for cell in facts["safe_cells"]} == analysis.safe
    assert {tuple(cell) for cell in facts["mine_cells"]} == analysis.mines
    assert len(facts["risk"]) == position.height
    assert {len(row) for row in facts["risk"]} == {position.width}
    for i, j in position:
        assert facts["risk"][i][j] == analysis.risk.get((i, j))
    if analysis.best is None:
        assert facts["best"] is None
    else:
        assert tuple(facts["best"]["cell"]) == analysis.best.cell
        assert facts["best"]["risk"] == analysis.best.risk
    if analysis.exact:
        assert int(facts["layouts"]) == analysis.layouts
    else:
        assert facts["layouts"] is None


@settings(deadline=None)
@given(possible_positions())
def test_the_json_contains_the_analysis(position: Position) -> None:
    check(analyse(position))


@given(told_analyses())
def test_estimates_are_marked_as_such(analysis: Analysis) -> None:
    check(analysis)


def test_fractions_become_numbers() -> None:
    analysis = analyse(Position.parse("# # #", mines=1), exact_fractions=True)
    assert analysis_to_json(analysis)["risk"] == [[1 / 3, 1 / 3, 1 / 3]]


def test_the_json_has_the_documented_keys() -> None:
    """They are documented in docs/cli.md, and programs rely on them."""
    facts = analysis_to_json(analyse(Position.parse("# 1 # #", mines=2)))
    assert facts == {
        "width": 4,
        "height": 1,
        "mines": 2,
        "trust_flags": False,
        "exact": True,
        "layouts": "2",
        "safe_cells": [],
        "mine_cells": [[0, 3]],
        "risk": [[0.5, None, 0.5, 1.0]],
        "best": {"cell": [0, 0], "risk": 0.5, "win_chance": 0.5},
    }


@pytest.mark.parametrize("cells", [1, 20, 40_000])
def test_numbers_of_any_length_have_all_their_digits(cells: int) -> None:
    number = comb(cells, cells // 5)
    digits = format_digits(number)
    assert digits.isdigit()
    value = 0
    for start in range(0, len(digits), 1000):
        part = digits[start : start + 1000]
        value = value * 10 ** len(part) + int(part)
    assert value == number


def test_counts_are_formatted_for_people() -> None:
    assert format_count(0) == "0"
    assert format_count(1_000_000) == "1,000,000"
    assert format_count(1_234 * 10**5000) == "1.23e+5003"


@given(st.integers(0, 10**30))
def test_counts_are_right_to_three_digits(number: int) -> None:
    assert float(format_count(number).replace(",", "")) == pytest.approx(number, rel=0.005)


@given(st.floats(0, 1) | st.fractions(0, 1), st.integers(0, 3))
def test_only_certainties_are_printed_as_0_or_100(chance: float | Fraction, digits: int) -> None:
    text = format_percent(chance, digits=digits)
    percent, shown = 100 * float(chance), float(text.strip("<>"))
    assert (shown in (0, 100)) == (chance in (0, 1))
    if text.startswith("<"):
        assert percent < shown
    elif text.startswith(">"):
        assert percent > shown
    else:
        assert shown == pytest.approx(percent, abs=0.51 * 10**-digits)
