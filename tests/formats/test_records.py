"""Game records as JSON: records are read back unchanged, and errors name what is wrong."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper import BadRecord, Entry, Level, Promise, Record
from sapper.formats import record_from_json, record_to_json
from tests.support.strategies import records

RECORD = Record(
    Level.named("4x1/1"),
    Promise.SAFE,
    frozenset({(0, 2)}),
    (Entry(0.0, "flag", (0, 2)), Entry(0.5, "undo"), Entry(1.5, "open", (0, 0), by="logic")),
    seed=2**64 - 1,
    first=(0, 0),
)


@given(records())
def test_a_record_is_read_as_it_was_written(record: Record) -> None:
    text = record_to_json(record)
    assert record_from_json(text) == record
    assert text.isascii()
    assert json.loads(text)["format"] == "sapper game"


@given(records())
def test_each_move_is_a_line(record: Record) -> None:
    lines = record_to_json(record).splitlines()
    moves = lines[lines.index(' "moves": [') + 1 : -2]
    assert len(moves) == len(record.entries)
    for line, entry in zip(moves, record.entries, strict=True):
        move = json.loads(line.strip().rstrip(","))
        assert (move["at"], move["do"], move["by"]) == (entry.at, entry.kind, entry.by)


def test_a_large_seed_keeps_its_digits() -> None:
    assert json.loads(record_to_json(RECORD))["seed"] == "18446744073709551615"


def changed(*path: str | int, to: object) -> str:
    """Return the record with one value changed, or taken out."""
    facts: Any = json.loads(record_to_json(RECORD))
    inner = facts
    for step in path[:-1]:
        inner = inner[step]
    if to is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = to
    return json.dumps(facts)


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("", "not JSON"),
        ("{", "not JSON.*line 1, column 2"),
        ("[]", "not a game record"),
        ("null", "not a game record"),
        ("[" * 100_000, "too deep"),
        ("1" * 10_000, "a number has 10,000 digits"),
        ('{"a": NaN}', "NaN"),
        ('{"format": "sapper game", "format": "sapper game"}', '"format" appears twice'),
        (changed("format", to="chess game"), "not a game record"),
        (changed("version", to=2), "game records of version 2 are not supported"),
        (changed("version", to=True), "version true"),
        (changed("version", to=...), "version null"),
        (changed("seed", to=...), 'has no "seed"'),
        (changed("notes", to="a"), 'an unknown name: "notes"'),
        (changed("width", to=0), "width"),
        (changed("width", to=4.0), "width.*4.0"),
        (changed("width", to=-1), "width.*-1"),
        (changed("width", to=10**30), "a number has 31 digits"),
        (changed("height", to=2), "2 rows"),
        (changed("mines", to=2), "4x1/2 does not fit a minefield with 1 mine"),
        (changed("mines", to=5), "5 mines do not fit"),
        (changed("rules", to="chess"), "rules.*chess"),
        (changed("rules", to=[]), "rules.*a list"),
        (changed("promise", to="sure"), "promise.*sure"),
        (changed("promise", to="open"), None),
        (changed("seed", to=7), "the seed is 7, not null or a text"),
        (changed("seed", to="07"), "seed"),
        (changed("seed", to=str(2**64)), "seed"),
        (changed("seed", to="٣"), "seed"),
        (changed("first", to=[0, 4]), "not a cell"),
        (changed("first", to=[0]), '"first".*not a cell'),
        (changed("first", to="a1"), '"first".*not a cell'),
        (changed("minefield", to=None), "the mines are not placed"),
        (changed("minefield", to="..*."), "1 rows"),
        (changed("minefield", 0, to="..*"), "row 1"),
        (changed("minefield", 0, to="..X."), "row 1"),
        (changed("minefield", 0, to=7), "row 1"),
        (changed("moves", to={}), "moves.*not a list"),
        (changed("moves", 1, to=[]), "move 2 is a list"),
        (changed("moves", 0, "by", to=...), 'move 1 has no "by"'),
        (changed("moves", 0, "by", to=""), "move 1.*not a valid name"),
        (changed("moves", 0, "by", to="two\nlines"), "move 1.*not a valid name"),
        (changed("moves", 0, "by", to="\ud800"), "move 1.*not a valid name"),
        (changed("moves", 0, "by", to="x" * 101), "move 1.*not a valid name"),
        (changed("moves", 0, "by", to=1), "move 1"),
        (changed("moves", 0, "why", to=1), "move 1 has an unknown name"),
        (changed("moves", 0, "do", to="jump"), 'move 1: "jump"'),
        (changed("moves", 0, "do", to="undo"), "move 1.*cell"),
        (changed("moves", 1, "do", to="open"), 'move 2 has no "cell"'),
        (changed("moves", 0, "cell", to=[0, 4]), "move 1 cannot be made"),
        (changed("moves", 0, "cell", to=[0, -1]), "move 1"),
        (changed("moves", 0, "cell", to=[0, True]), "move 1"),
        (changed("moves", 0, "cell", to=[0, 1, 2]), "move 1"),
        (
            changed("moves", 0, to={"at": 0, "do": "undo", "by": "x"}),
            "move 1 cannot be made",
        ),
        (changed("moves", 0, "at", to=1.0), "move 2: the time goes back from 1.0 to 0.5"),
        (changed("moves", 2, "at", to=-1), "move 3"),
        (changed("moves", 2, "at", to=10**400), "a number has 401 digits"),
        (changed("moves", 2, "at", to="1"), "move 3"),
        (changed("moves", 2, "at", to=1.5).replace("1.5", "1e999"), "move 3"),
        (changed("moves", 2, "cell", to=[0, 2]), None),
    ],
)
def test_invalid_records_are_explained(text: str, trouble: str | None) -> None:
    if trouble is None:
        assert record_from_json(text).level == RECORD.level
        return
    with pytest.raises(BadRecord, match=trouble) as error:
        record_from_json(text)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize(
    "record",
    [
        replace(RECORD, entries=(Entry(float("nan"), "open", (0, 0)),)),
        replace(RECORD, entries=(Entry(0.0, "open", (0, 0)), Entry(0.0, "open", (0, 0)))),
        replace(RECORD, entries=(Entry(0.0, "open"),)),
        replace(RECORD, first=(9, 9)),
        replace(RECORD, mines=frozenset()),
    ],
)
def test_an_unreadable_record_is_not_written(record: Record) -> None:
    with pytest.raises(BadRecord):
        record_to_json(record)


def test_a_record_that_takes_too_long_to_replay_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A large empty board is opened and closed many times."""
    level = Level("large", 300, 300, 0, Promise.NONE)
    moves = (Entry(0.0, "open", (0, 0)), Entry(0.0, "undo")) * 1000
    monkeypatch.setattr("sapper.formats.records.REPLAY_SECONDS", 0.25)
    with pytest.raises(BadRecord, match=r"replaying it takes too long: 0\.25 s for \d+ moves"):
        record_to_json(Record(level, Promise.NONE, frozenset(), moves))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=300)
@given(st.data())
def test_any_change_gives_a_record_or_an_error(data: st.DataObject) -> None:
    """Any value may be replaced, and any text removed or inserted."""
    facts = json.loads(record_to_json(data.draw(records())))
    if data.draw(st.booleans()):
        place = data.draw(st.sampled_from(sorted(facts)))
        inner, last = facts, place
        if place == "moves" and facts["moves"]:
            inner, last = facts["moves"], data.draw(st.integers(0, len(facts["moves"]) - 1))
            if data.draw(st.booleans()):
                inner, last = inner[last], data.draw(st.sampled_from(sorted(inner[last])))
        inner[last] = data.draw(JSON)
        text = json.dumps(facts)
    else:
        text = json.dumps(facts)
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        put = data.draw(st.text(max_size=3) | st.text('[]{}",:0', max_size=3))
        text = text[:start] + put + text[end:]
    try:
        record = record_from_json(text)
    except BadRecord:
        return
    assert record_from_json(record_to_json(record)) == record
