"""The committed fuzz corpus has the expected outcomes, and a short fuzz run finds no error."""

from __future__ import annotations

from pathlib import Path

import pytest

import sapper
from sapper import BadPosition, InconsistentPosition, Limit, LimitReached, SapperError
from sapper.errors import MissingMineCount
from tests.support.fuzz_python import TEXTS, Case, make_case, try_case
from tests.support.make_corpus import made_files

OUTCOMES: dict[str, set[type[SapperError] | None]] = {
    "broken": {BadPosition, MissingMineCount},
    "impossible": {InconsistentPosition},
    "hard": {None, LimitReached},
}
"""The possible outcomes for texts whose names begin with these words; all others are analysed."""
LIMIT = Limit(seconds=60, states=10_000_000 if sapper.engine_name == "compiled" else 20_000)


@pytest.mark.parametrize("path", sorted(TEXTS.glob("*.txt")), ids=lambda path: path.stem)
def test_the_name_of_a_text_predicts_its_outcome(path: Path) -> None:
    text = path.read_bytes().decode()
    expected = OUTCOMES.get(path.stem.split("-")[0], {None})
    for question in range(5):
        assert try_case(Case(text, None, False, question), LIMIT) in expected


@pytest.mark.parametrize("batch", range(5))
def test_a_damaged_position_gives_a_result_or_a_sapper_error(batch: int) -> None:
    for number in range(batch * 200, batch * 200 + 200):
        case = make_case(number)
        print(f"case {number}: {case}")  # Shown by pytest if the test fails.
        try_case(case)


def test_the_corpus_is_up_to_date_with_its_script() -> None:
    for path, content in made_files().items():
        assert path.read_bytes() == content, f"{path.name} is not what make_corpus.py writes"
