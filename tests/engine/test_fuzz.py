"""The corpus of the fuzzers, and a little fuzzing."""

from __future__ import annotations

from pathlib import Path

import pytest

from sapper import BadPosition, InconsistentPosition, Limit, LimitReached, SapperError
from tests.support.fuzz_python import TEXTS, Case, make_case, try_case
from tests.support.make_corpus import made_files

OUTCOMES: dict[str, set[type[SapperError] | None]] = {
    "broken": {BadPosition},
    "impossible": {InconsistentPosition},
    "hard": {None, LimitReached},
}


@pytest.mark.parametrize("path", sorted(TEXTS.glob("*.txt")), ids=lambda path: path.stem)
def test_a_text_is_what_its_name_says(path: Path) -> None:
    text = path.read_bytes().decode()
    expected = OUTCOMES.get(path.stem.split("-")[0], {None})
    for question in range(5):
        assert try_case(Case(text, None, False, question), Limit(seconds=60)) in expected


@pytest.mark.parametrize("batch", range(5))
def test_half_broken_positions_come_to_a_good_end(batch: int) -> None:
    for number in range(batch * 200, batch * 200 + 200):
        case = make_case(number)
        print(f"case {number}: {case}")  # Shown by pytest if the test fails.
        try_case(case)


def test_the_corpus_is_what_its_script_makes() -> None:
    for path, content in made_files().items():
        assert path.read_bytes() == content, f"{path.name} is not what make_corpus.py writes"
