"""Reading a game: what is shown about a move before and after the review is finished."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper.errors import BadRecord, SapperError
from sapper.game.record import Entry, Record
from sapper.levels import Level, Promise
from sapper.position import describe_cell
from sapper.reviews.review import Label, Review, review
from sapper.session.background import Report
from sapper.window.layout import SMALLEST_CELL, SMALLEST_WINDOW, Rect, frame
from sapper.window.reading import Reading
from sapper.window.review_layout import arrange_review, arrange_statistics
from sapper.window.rows import Rows

LONG = 30.0


def careless() -> Record:
    """Four cells, a mine at the second: the 1 says that it or the fourth is one, the first is safe."""
    entries = (Entry(0.0, "open", (0, 2)), Entry(0.5, "flag", (0, 1)), Entry(1.0, "open", (0, 3)))
    return Record(Level.named("4x1/1"), Promise.SAFE, frozenset({(0, 1)}), entries)


def unlucky() -> Record:
    """Three cells: after the middle one it is a coin toss, and it is lost."""
    entries = (Entry(0.0, "open", (0, 1)), Entry(1.0, "open", (0, 0), "logic"))
    return Record(Level.named("3x1/1"), Promise.SAFE, frozenset({(0, 0)}), entries)


@contextmanager
def reading(record: Record) -> Iterator[Reading]:
    """A reading whose review is finished."""
    read = Reading(record)
    try:
        read.wait()
        yield read
    finally:
        read.close()


# Before the review is finished ------------------------------------------------------------------


def test_a_game_can_be_read_before_it_is_reviewed() -> None:
    may_end, has_begun = threading.Event(), threading.Event()

    def judge(record: Record, report: Report) -> Review:
        report(1, 5)
        has_begun.set()
        assert may_end.wait(LONG)
        return review(record)

    read = Reading(careless(), judge=judge)
    assert has_begun.wait(LONG)
    read.tick()
    assert read.review is None
    assert read.summary == "1 of 5 positions"
    assert read.faults == []
    assert read.listed == [1, 2, 3, 4]
    assert read.words == ["The game is unfinished.", "The review is not finished yet."]
    read.choose(3)
    assert str(read.game.position) == "4x1/1\n# F 1 #"
    assert read.cells == ((0, 3),)
    assert read.better is None
    while read.insight is None:
        read.tick()
    assert read.insight.risks == {(0, 0): 0, (0, 1): 0.5, (0, 3): 0.5}
    assert read.words == [
        "Opened row 1, column 4.",
        "Risk 50.0 %.",
        "The review is not finished yet.",
    ]
    may_end.set()
    read.wait()
    assert read.review is not None
    assert read.number == 3
    assert read.insight is not None
    assert read.insight.proof is not None
    read.close()


def test_closing_cancels_the_review() -> None:
    has_begun, may_go_on, ended = threading.Event(), threading.Event(), threading.Event()

    def judge(record: Record, report: Report) -> Review:
        has_begun.set()
        assert may_go_on.wait(LONG)
        try:
            report(1, 2)
        finally:
            ended.set()
        return review(record)

    read = Reading(unlucky(), judge=judge)
    assert has_begun.wait(LONG)
    read.close()
    may_go_on.set()
    assert ended.wait(LONG)
    read.wait()
    assert read.review is None


def test_a_failed_review_says_why() -> None:
    def judge(_record: Record, _report: Report) -> Review:
        raise SapperError("the game is too long")

    read = Reading(unlucky(), judge=judge)
    read.wait()
    assert read.review is None
    assert read.summary == "No review available"
    assert read.words == ["The game was lost.", "The review failed: the game is too long."]
    read.choose(1)
    assert read.words[-1] == "The review failed: the game is too long."
    read.close()


def test_a_game_that_cannot_have_been_played_is_not_read() -> None:
    record = Record(
        Level.named("2x1/1"), Promise.NONE, frozenset({(0, 0)}), (Entry(0, "open", (9, 9)),)
    )
    with pytest.raises(BadRecord, match="move 1 cannot be made"):
        Reading(record)


# After the review is finished -------------------------------------------------------------------


def test_reading_starts_at_the_end_with_the_summary() -> None:
    with reading(unlucky()) as read:
        assert read.title == "Review: 3x1/1, lost"
        assert read.heading == "End of the game"
        assert read.number == read.end == 3
        assert read.game.exploded == {(0, 0)}
        assert read.words[0] == "Lost in 1.0 s: 3x1/1, 2 moves."
        assert read.insight is not None
        assert not read.insight.risks


def test_a_missed_safe_cell_is_better_and_is_proved() -> None:
    with reading(careless()) as read:
        assert read.faults == [3]
        assert read.find_fault(-1)
        assert read.number == 3
        read.wait()
        assert read.move is not None
        assert read.move.label is Label.NEEDLESS_GUESS
        assert read.move.before is not None
        assert read.move.before.chance == 1
        assert read.better == (0, 0)
        assert "Risk 50.0 %, though row 1, column 1 was certainly safe." in read.words
        assert "Row 1, column 1 is safe (mine count):" in read.words
        assert read.words[-1].startswith("3. ")


def test_the_better_cell_is_the_proved_one_and_the_text_agrees() -> None:
    """Both mines are around the corner's 2: four cells are safe, and one is easiest to prove."""
    entries = (Entry(0.0, "open", (0, 2)), Entry(1.0, "open", (2, 1)), Entry(2.0, "open", (1, 2)))
    mines = frozenset({(0, 1), (1, 1)})
    with reading(Record(Level.named("3x3/2"), Promise.NONE, mines, entries)) as read:
        read.choose(3)
        read.wait()
        assert read.insight is not None
        assert read.insight.proof is not None
        assert read.move is not None
        assert read.better == read.insight.proof.cell != read.move.missed
        assert f"though {describe_cell(read.better)} was certainly safe" in read.words[1]


def test_only_a_few_insights_are_kept_in_memory_for_large_boards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sapper.window.reading.MOST_CACHED_CELLS", 0)
    computed = []
    with reading(careless()) as read:
        for number in (1, 2, 3, 4, 1):
            read.choose(number)
            read.wait()
            assert read.insight is not None
            computed.append(weakref.ref(read.insight))
        gc.collect()
        assert len({id(insight) for each in computed if (insight := each()) is not None}) <= 2


def test_a_forced_guess_has_no_better_cell() -> None:
    with reading(unlucky()) as read:
        read.choose(2)
        read.wait()
        assert read.move is not None
        assert read.move.luck == Fraction(-1, 2)
        assert read.better is None
        assert read.words[0] == "Opened row 1, column 1, by logic."
        assert not read.find_fault(1)
        assert not read.find_fault(-1)
        assert read.number == 2


def test_a_flag_is_a_move_that_opens_nothing() -> None:
    with reading(careless()) as read:
        read.choose(2)
        assert read.cells == ((0, 1),)
        assert read.words == ["Flagged or unflagged row 1, column 2.", "It opened nothing."]


def test_the_list_has_all_moves_and_the_end_or_only_faults() -> None:
    with reading(careless()) as read:
        assert read.listed == [1, 2, 3, 4]
        read.faults_only = True
        assert read.listed == [3]


def taken_back() -> Record:
    """The careless game, but a mine is opened first, and taken back."""
    game = careless()
    first, *rest = game.entries
    return replace(game, entries=(first, Entry(0.1, "open", (0, 1)), Entry(0.2, "undo"), *rest))


@settings(deadline=None, max_examples=30)
@given(st.sampled_from([careless(), unlucky(), taken_back()]), st.lists(st.integers(-10, 10)))
def test_the_board_before_a_move_does_not_depend_on_the_path(
    record: Record, numbers: list[int]
) -> None:
    with reading(record) as read:
        for number in numbers:
            read.choose(number)
            assert 1 <= read.number <= read.end
            before = replace(record, entries=record.entries[: read.number - 1]).replay()
            assert read.game.position == before.position
            assert read.game.outcome == before.outcome
            assert read.game.exploded == before.exploded


def test_a_game_without_moves_can_be_read() -> None:
    with reading(Record(Level.named("3x1/1"), Promise.SAFE, frozenset({(0, 0)}), ())) as read:
        assert read.number == read.end == 1
        assert read.listed == [1]
        assert read.words[0] == "Unfinished: 3x1/1, 0 moves."
        read.wait()
        assert read.insight is not None
        assert set(read.insight.risks) == {(0, 0), (0, 1), (0, 2)}


# Layout ------------------------------------------------------------------------------------------

sizes = st.tuples(st.integers(SMALLEST_WINDOW[0], 4000), st.integers(SMALLEST_WINDOW[1], 3000))
sides = st.one_of(st.integers(1, 40), st.integers(1, 1000))
densities = st.sampled_from([1.0, 1.5, 2.0])
scales = st.floats(0.5, 3)


def assert_apart_and_inside(parts: list[Rect], room: Rect) -> None:
    for number, part in enumerate(parts):
        assert part.width > 0
        assert part.height > 0
        assert room.contains((part.x, part.y))
        assert room.contains((part.right - 1, part.bottom - 1))
        assert not any(part.overlaps(other) for other in parts[:number])


@given(st.integers(1, 300), st.integers(1, 50), st.integers(1, 500), st.data())
def test_every_row_can_be_shown_and_found(
    height: int, row_height: int, count: int, data: st.DataObject
) -> None:
    rows = Rows(Rect(5, 7, 100, max(height, row_height)), row_height, count)
    for row in data.draw(st.lists(st.integers(0, count - 1), min_size=1, max_size=5)):
        rows = rows.showing(row)
        assert rows.seen(row) == rows.rect(row)
        assert rows.at(rows.rect(row).center) == row
        assert row in rows.visible()
        bar = rows.scroll_bar(4)
        assert (bar is None) == (row_height * count <= rows.area.height)
        assert bar is None or rows.area.y <= bar.y <= bar.bottom <= rows.area.bottom


@given(st.integers(1, 300), st.integers(1, 50), st.integers(1, 500), st.integers(-9999, 9999))
def test_rows_are_not_scrolled_beyond_their_ends(
    height: int, row_height: int, count: int, down: int
) -> None:
    rows = Rows(Rect(0, 0, 10, height), row_height, count).scrolled(down)
    assert rows.rect(0).y <= 0
    if row_height * count > height:
        assert rows.rect(count - 1).bottom >= height
    else:
        assert rows.top == 0
    seen = [rows.seen(row) for row in range(count)]
    assert sum(rect.height for rect in seen) == min(height, row_height * count)
    assert {row for row, rect in enumerate(seen) if rect.height} == set(rows.visible())


@settings(deadline=None)
@given(sizes, sides, sides, densities, scales, st.floats(1, 15))
def test_no_part_of_the_review_overlaps_another(
    size: tuple[int, int], rows: int, columns: int, density: float, scale: float, zoom: float
) -> None:
    layout = arrange_review(*size, rows, columns, density=density, text_scale=scale, zoom=zoom)
    parts = [
        *(layout.title, layout.summary, layout.board, layout.graph, layout.words, layout.moves),
        *layout.buttons.values(),
    ]
    assert_apart_and_inside(parts, frame(*size, density, scale).room)
    assert layout.graph.contains((layout.plot.x, layout.plot.y))
    assert layout.graph.contains((layout.plot.right - 1, layout.plot.bottom - 1))
    assert layout.board.width >= layout.cell >= SMALLEST_CELL
    assert layout.board.height >= layout.cell
    assert layout.plot.width >= 8 * layout.size
    assert layout.plot.height >= layout.size
    assert layout.moves.height >= 3 * layout.row
    assert layout.words.height >= 3 * layout.row
    assert layout.words.width >= 10 * layout.size


@settings(deadline=None)
@given(sizes, densities, scales)
def test_no_part_of_the_statistics_overlaps_another(
    size: tuple[int, int], density: float, scale: float
) -> None:
    layout = arrange_statistics(*size, density=density, text_scale=scale)
    parts = [layout.title, layout.head, layout.table, layout.details, layout.back]
    assert_apart_and_inside(parts, frame(*size, density, scale).room)
    assert layout.table.height >= 3 * layout.size
