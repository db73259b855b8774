"""Reviews: exact laws on small boards, a game for each label, limits, and what is said of the game."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from fractions import Fraction
from html import unescape
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sapper
from sapper import (
    BadRecord,
    Entry,
    Game,
    Label,
    Level,
    LimitReached,
    Outcome,
    Position,
    Promise,
    Record,
    Review,
    ReviewedMove,
    SapperError,
    analyse,
    perfect_moves,
    review,
    win_chance,
)
from sapper.engine.python.endgame import all_layouts
from sapper.position import Cell
from sapper.reviews import examining, judging, worth
from tests.support.oracle import AllLayouts

IS_QUICK = sapper.engine_name == "compiled"
EXAMPLES = 60 if IS_QUICK else 15
SIZES = ["6x1/2", "5x2/2", "3x3/2", "3x3/3", *(["4x3/3", "4x4/3"] if IS_QUICK else [])]


def record_of(
    level: str | Level,
    mines: Sequence[Cell],
    moves: Sequence[Cell | tuple[str, Cell | None]],
    *,
    promise: Promise = Promise.NONE,
) -> Record:
    """Return a game: a cell is opened; anything else is done to it by its kind."""
    entries: list[Entry] = []
    for move in moves:
        kind, cell = move if isinstance(move[0], str) else ("open", move)
        entries.append(Entry(float(len(entries)), kind, cell))  # type: ignore[arg-type]
    return Record(Level.named(level), promise, frozenset(mines), tuple(entries))


def last_of(
    level: str, mines: Sequence[Cell], moves: Sequence[Any], *, promise: Promise = Promise.NONE
) -> ReviewedMove:
    """Return the last move of a game, reviewed."""
    return review(record_of(level, mines, moves, promise=promise)).moves[-1]


# Laws on small boards ----------------------------------------------------------------------


@st.composite
def games(draw: st.DrawFn) -> Record:
    """A game on a small board with random openings, flags, chords and undone moves."""
    size = draw(st.sampled_from(SIZES))
    level = Level.named(size)
    cells = [(i, j) for i in range(level.height) for j in range(level.width)]
    mines = frozenset(draw(st.permutations(cells))[: level.mines])
    game, entries = Game.on(level, mines), list[Entry]()
    for _ in range(draw(st.integers(1, 12))):
        kinds = ["flag", "undo"] if game.outcome is Outcome.LOST else ["open", "open", "open", "flag"]
        if game.outcome is Outcome.WON:
            break
        kind = draw(st.sampled_from([*kinds, "undo", "chord"]))
        if kind == "undo":
            if not game.actions:
                continue
            game.undo()
            entries.append(Entry(float(len(entries)), "undo"))
        elif game.outcome is Outcome.PLAYING:
            fits = {
                "open": [cell for cell in cells if game.position[cell] == sapper.HIDDEN],
                "flag": sorted(game.position.hidden),
                "chord": sorted(game.position.numbers),
            }[kind]
            if fits:
                cell = draw(st.sampled_from(fits))
                {"open": game.open, "flag": game.flag, "chord": game.chord}[kind](cell)
                entries.append(Entry(float(len(entries)), kind, cell))  # type: ignore[arg-type]
    return Record(level, Promise.NONE, mines, tuple(entries))


def worth_of(position: Position, cells: Sequence[Cell]) -> Fraction:
    """Return the layouts that perfect play wins after these were opened, one by one."""
    if not cells:
        return win_chance(position) * AllLayouts(position).count
    after = [position.opened(cells[0], number) for number in AllLayouts(position).shows(cells[0])]
    return sum((worth_of(each, cells[1:]) for each in after), Fraction(0))


@settings(max_examples=EXAMPLES)
@given(games())
def test_luck_and_skill_agree_with_all_layouts(record: Record) -> None:
    found = review(record, jobs=1)
    assert [move.number for move in found.moves] == list(range(1, len(record.entries) + 1))
    for move, moment in zip(found.moves, record.moments(), strict=True):
        assert (move.label is None) == (not move.cells)
        if not move.cells:
            continue
        position, layouts = moment.before, AllLayouts(moment.before)
        assert move.before is not None
        assert move.after is not None
        assert move.loss is not None
        assert move.before.exact
        assert move.before.chance == win_chance(position)
        chance = worth_of(position, move.cells) / layouts.count
        assert move.chance == chance == move.before.chance - move.loss.chance
        assert move.loss.chance >= 0
        if len(move.cells) == 1:
            assert (move.loss.chance == 0) == (move.cells[0] in perfect_moves(position))
        lost = not record.mines.isdisjoint(move.cells)
        assert move.lost == lost
        assert move.after.chance == (0 if lost else win_chance(moment.after))
        assert move.luck == move.after.chance - chance
        safe = {cell for cell, times in layouts.mines.items() if times == 0}
        assert move.certain == safe.issuperset(move.cells)
        assert move.missed == (None if move.certain else min(safe, default=None))
        assert move.least_risk == pytest.approx(
            0 if safe else min(layouts.mines.values()) / layouts.count
        )
        assert move.risk == pytest.approx(float(1 - Fraction(layouts.safe(move.cells), layouts.count)))


@settings(max_examples=EXAMPLES)
@given(games())
def test_losses_and_luck_add_up_to_the_outcome(record: Record) -> None:
    found = review(record, jobs=1)
    if not found.line:
        return
    first, last = found.line[0], found.line[-1]
    assert first.before is not None
    assert last.after is not None
    luck = sum(move.luck for move in found.line if move.luck is not None)
    lost = sum(move.loss.chance for move in found.line if move.loss is not None)
    assert first.before.chance - lost + luck == last.after.chance
    if found.outcome is not Outcome.PLAYING:
        assert last.after.chance == (found.outcome is Outcome.WON)


@settings(max_examples=EXAMPLES)
@given(games())
def test_a_label_depends_on_what_was_known_not_on_what_was_shown(record: Record) -> None:
    """The last move has the same label on every minefield that fits the position before it."""
    found = review(record, jobs=1)
    opening = [move for move in found.moves if move.cells]
    if not opening or any(entry.kind == "undo" for entry in record.entries):
        return
    move = opening[-1]
    position = found.position(move.number)
    entries = record.entries[: move.number]
    for mines in sorted(all_layouts(position, sapper.Limit().start()))[:6]:
        other = Record(record.level, record.promise, frozenset(mines), entries)
        judged = review(other, jobs=1).moves[-1]
        assert (judged.label, judged.loss, judged.before) == (move.label, move.loss, move.before)


# A game for each label ---------------------------------------------------------------------


def test_a_promised_first_click_is_not_graded() -> None:
    move = last_of("3x1/1", [(0, 0)], [(0, 1)], promise=Promise.SAFE)
    assert (move.label, move.risk, move.loss, move.accuracy) == (Label.FIRST_CLICK, None, None, None)
    assert move.after is not None
    assert move.after.chance == Fraction(1, 2)


def test_the_first_click_of_a_prepared_board_is_not_graded() -> None:
    entries = (Entry(0.0, "open", (0, 1)),)
    level, mines = Level.named("3x1/1"), frozenset({(0, 0)})
    labels = [
        review(Record(level, Promise.NONE, mines, entries, first=first)).moves[0].label
        for first in ((0, 1), (0, 2), None)
    ]
    assert labels == [Label.FIRST_CLICK, Label.BLUNDER, Label.BLUNDER]


def test_a_safe_cell_is_best_and_the_only_safe_cell_is_the_only_move() -> None:
    best = last_of("4x1/1", [(0, 1)], [(0, 0), (0, 3)])  # 1 # # #: two are safe
    assert (best.label, best.loss and best.loss.chance, best.accuracy) == (Label.BEST, 0, None)
    only = last_of("4x1/1", [(0, 2)], [(0, 1), (0, 3)])  # # 1 # #: one is
    assert only.label is Label.ONLY_MOVE


def test_losing_a_forced_coin_toss_is_not_a_mistake() -> None:
    move = last_of("3x1/1", [(0, 0)], [(0, 1), (0, 0)])  # # 1 #
    assert move.lost
    assert (move.label, move.loss and move.loss.chance) == (Label.FORCED_GUESS, 0)
    assert (move.luck, move.accuracy) == (-Fraction(1, 2), None)  # There was nothing to decide.


def test_a_lucky_blunder_is_still_a_blunder() -> None:
    # # # # # 1: the fourth is a mine, and one of the first three. The middle one is as safe as the
    # others, but shows 1 wherever the mine is: a coin toss follows. The first tells it apart.
    move = last_of("5x1/2", [(0, 2), (0, 3)], [(0, 4), (0, 1)])
    assert not move.lost
    assert move.risk == pytest.approx(1 / 3)
    assert move.least_risk == pytest.approx(1 / 3)
    assert move.before is not None
    assert (move.before.chance, move.chance) == (Fraction(2, 3), Fraction(1, 3))
    assert (move.label, move.luck) == (Label.BLUNDER, Fraction(1, 6))
    assert move.best in {(0, 0), (0, 2)}
    assert move.accuracy == 50


def test_a_cell_that_is_certainly_a_mine_is_a_blunder() -> None:
    move = last_of("4x1/1", [(0, 1)], [(0, 0), (0, 1)])
    assert (move.label, move.chance, move.luck, move.risk) == (Label.BLUNDER, 0, 0, 1)


@pytest.mark.parametrize(
    ("size", "mines", "cell", "loss", "label"),
    [
        ("3x3/2", [(0, 1), (2, 2)], (0, 0), Fraction(1, 36), Label.FINE),
        ("6x1/3", [(0, 1), (0, 2), (0, 3)], (0, 0), Fraction(1, 20), Label.FINE),
        ("6x1/2", [(0, 2), (0, 4)], (0, 5), Fraction(1, 15), Label.INACCURACY),
        ("6x1/2", [(0, 0), (0, 2)], (0, 4), Fraction(2, 15), Label.MISTAKE),
    ],
)
def test_other_guesses_are_labelled_by_what_they_lose(
    size: str, mines: list[Cell], cell: Cell, loss: Fraction, label: Label
) -> None:
    move = last_of(size, mines, [cell])
    assert (move.loss and move.loss.chance, move.label) == (loss, label)


def test_a_needless_guess_comes_with_a_proof_of_what_it_missed() -> None:
    # # # 1 #: one of its two neighbours is a mine, so the first cell is safe, and shows which.
    found = review(record_of("4x1/1", [(0, 1)], [(0, 2), (0, 3)]))
    move = found.moves[-1]
    assert (move.label, move.missed, move.luck) == (Label.NEEDLESS_GUESS, (0, 0), Fraction(1, 2))
    assert move.loss is not None
    assert move.loss.chance == Fraction(1, 2)
    proof = found.proof(2)
    assert proof is not None
    assert (proof.cell, proof.verdict) == ((0, 0), "safe")
    proof.check(found.position(2))
    assert found.proof(1) is None
    assert found.to_json()["moves"][1]["proof"] == str(proof).splitlines()


def test_an_unavoidable_coin_toss_may_be_taken_at_once() -> None:
    # 2 # 1 / # # #: the last cell is safe, but tells nothing about the middle column.
    move = last_of("3x2/2", [(1, 0), (1, 1)], [(0, 2), (0, 0), (1, 1)])
    assert (move.label, move.missed, move.loss and move.loss.chance) == (Label.FINE, (1, 2), 0)


def test_a_chord_opens_all_its_cells_at_once() -> None:
    mines: list[Cell] = [(0, 0), (2, 0)]
    # # # # / # 2 # / # # #, two of the eight around the 2 are mines.
    flagged = [(1, 1), ("flag", (0, 0)), ("flag", (2, 0))]
    lucky = last_of("3x3/2", mines, [*flagged, ("chord", (1, 1))])
    assert (len(lucky.cells), lucky.label) == (6, Label.BLUNDER)
    assert lucky.risk == pytest.approx(27 / 28)
    assert lucky.chance == Fraction(1, 28)
    wrong = last_of("3x3/2", mines, [(1, 1), ("flag", (0, 0)), ("flag", (0, 1)), ("chord", (1, 1))])
    assert wrong.lost
    assert wrong.chance == Fraction(1, 28)
    # 1 # # #: with the mine flagged nothing is at risk.
    sure = last_of("4x1/1", [(0, 1)], [(0, 0), (0, 2), ("flag", (0, 1)), ("chord", (0, 2))])
    assert (sure.cells, sure.label) == (((0, 3),), Label.ONLY_MOVE)


def test_moves_without_effect_are_listed_but_not_graded() -> None:
    moves: list[Any] = [("flag", (0, 3)), (0, 1), ("chord", (0, 1)), ("click", (0, 1)), ("undo", None)]
    found = review(record_of("4x1/1", [(0, 0)], moves))
    assert [move.label for move in found.moves] == [None, Label.FORCED_GUESS, None, None, None]
    assert [move.undone for move in found.moves] == [False, True, False, False, False]
    assert found.line == ()


def test_undone_moves_are_graded_and_marked() -> None:
    moves: list[Any] = [(0, 1), (0, 0), ("undo", None), (0, 2)]
    found = review(record_of("3x1/1", [(0, 0)], moves))
    assert [move.undone for move in found.moves] == [False, True, False, False]
    assert [move.label for move in found.moves][1:] == [Label.FORCED_GUESS, None, Label.FORCED_GUESS]
    assert [move.luck for move in found.moves][1:] == [-Fraction(1, 2), None, Fraction(1, 2)]
    assert found.outcome is Outcome.WON
    assert found.survived == pytest.approx(2 / 3 * 1 / 2)


def test_by_the_courses_rules_opening_every_safe_cell_counts() -> None:
    level = Level("tiny course", 1, 4, 1, Promise.NONE, course_rules=True)
    moves: list[Any] = [(0, 0), (0, 1), (0, 2), ("flag", (0, 3))]
    found = review(record_of(level, [(0, 3)], moves))
    assert found.outcome is Outcome.WON
    assert [move.label for move in found.line] == [Label.FORCED_GUESS, Label.ONLY_MOVE, Label.ONLY_MOVE]
    assert found.line[-1].after == worth.WON
    assert "flagging the mines wins" in found.notes[0]


# The game ----------------------------------------------------------------------------------


def test_the_summary_of_a_game_matches_values_computed_by_hand() -> None:
    found = review(record_of("5x1/2", [(0, 2), (0, 3)], [(0, 4), (0, 1), (0, 0)]))
    # 2 of 5 are mines; then 1 of 3, a blunder; then a coin toss.
    assert found.outcome is Outcome.WON
    assert found.survived == pytest.approx(3 / 5 * 2 / 3 * 1 / 2)
    assert found.luck == pytest.approx(-math.log10(0.2))
    assert found.least_survival == pytest.approx(3 / 5 * 2 / 3 * 1 / 2)
    assert found.costliest == found.moves[1]
    assert found.luckiest == found.moves[2]
    assert found.unluckiest is None
    assert found.labels[Label.BLUNDER] == 1
    # Any first cell wins 4 of the 10 layouts, and a coin toss is no decision either.
    assert [move.accuracy for move in found.moves] == [None, 50, None]
    assert found.accuracy == 50
    assert found.notes == ()


def test_a_game_without_a_decision_has_no_accuracy() -> None:
    found = review(record_of("2x1/1", [(0, 1)], [(0, 0)], promise=Promise.SAFE))
    assert (found.accuracy, found.costliest, found.luck, found.survived) == (None, None, 0, 1)
    assert review(record_of("2x1/1", [(0, 1)], [])).moves == ()


def test_an_unfinished_game_is_reviewed_up_to_its_last_move() -> None:
    found = review(record_of("3x1/1", [(0, 0)], [(0, 1)]))
    assert found.outcome is Outcome.PLAYING
    assert found.moves[0].after == worth.Worth(Fraction(1, 2))


def test_the_json_of_a_review_has_only_plain_values() -> None:
    found = review(record_of("5x1/2", [(0, 2), (0, 3)], [(0, 4), (0, 1), ("flag", (0, 2))]))
    facts = json.loads(json.dumps(found.to_json()))
    assert facts["outcome"] == "playing"
    assert facts["costliest"] == 2
    assert facts["labels"]["blunder"] == 1
    move = facts["moves"][1]
    assert move["before"] == {"chance": pytest.approx(2 / 3), "error": 0.0, "exact": True}
    assert (move["label"], move["cell"], move["loss"]) == ("blunder", [0, 1], pytest.approx(1 / 3))
    assert facts["moves"][2]["label"] is None


def test_bad_input_is_named() -> None:
    record = record_of("3x1/1", [(0, 0)], [(0, 1)])
    with pytest.raises(SapperError, match=r"playouts must be 0 to .*, not -1"):
        review(record, playouts=-1)
    with pytest.raises(SapperError, match="at least 1, not 0"):
        review(record, jobs=0)
    with pytest.raises(SapperError, match="no move 2"):
        review(record).position(2)
    with pytest.raises(BadRecord, match="move 1 cannot be made"):
        review(record_of("3x1/1", [(0, 0)], [("undo", None)]))


# Estimates, limits and threads -------------------------------------------------------------


def played(level: str, seed: int, *, guess_at: int = -1) -> Record:
    """Return a game by the agent `safest`, which once opens the riskiest cell that may be safe."""
    game = Game.new(level, seed=seed, promise="open")
    game.open((game.level.height // 2, game.level.width // 2))
    agent = sapper.agents.Safest()
    while not game.over:
        cell = agent.choose(game.position)
        if len(game.actions) == guess_at:
            risk = analyse(game.position).risk
            cell = max((cell for cell in risk if risk[cell] < 1), key=lambda cell: risk[cell])
        game.open(cell)
    return Record.of(game)


@pytest.mark.compiled
def test_estimates_agree_with_exact_values(monkeypatch: pytest.MonkeyPatch) -> None:
    records = [played("9x9/16", seed, guess_at=9) for seed in range(9)]
    exact = [review(record) for record in records]
    monkeypatch.setattr(worth, "MOST_UNKNOWN", -1)
    monkeypatch.setattr(judging, "CERTAIN_MOVES_PER_PLAYOUT", 1)
    compared = 0
    for record, truth in zip(records, exact, strict=True):
        for move, true in zip(review(record, playouts=300).moves, truth.moves, strict=True):
            if true.before is None or not true.before.exact or move.before is None:
                continue
            assert not move.before.exact or move.before.chance == 1
            away = float(move.before.chance - true.before.chance)
            assert abs(away) < 5 * move.before.error + 0.03
            if true.loss is not None and move.loss is not None:
                assert float(move.loss.chance - true.loss.chance) < 5 * move.loss.error + 0.03
                assert float(true.loss.chance - move.loss.chance) < 7 * move.loss.error + 0.03
            compared += 1
    assert compared > 30


@pytest.mark.compiled
def test_an_expert_game_is_reviewed_the_same_by_any_number_of_threads() -> None:
    record = played("expert", 5, guess_at=40)
    seen: list[tuple[int, int]] = []
    found = review(record, playouts=64, progress=lambda done, total: seen.append((done, total)))
    assert found.moves == review(record, playouts=64, jobs=1).moves
    assert seen[-1][0] == seen[-1][1] == len(seen)
    assert any(move.before is not None and not move.before.exact for move in found.moves)
    assert found.moves[40].label is Label.NEEDLESS_GUESS
    line = [move for move in found.line if move.luck is not None]
    assert line[0].before is not None
    total = sum(float(move.luck or 0) - float(move.loss.chance if move.loss else 0) for move in line)
    assert float(line[0].before.chance) + total == pytest.approx(float(found.outcome is Outcome.WON))


def test_without_playouts_guesses_are_graded_by_risk() -> None:
    record = record_of("30x16/99", [(0, j) for j in range(30)] + _many(69), [(15, 29), (8, 8)])
    found = review(record, playouts=0)
    assert found.moves[0].before is None
    assert found.moves[0].label is Label.FORCED_GUESS  # All cells have the same risk.
    assert "by risk alone" in found.notes[-1]
    assert found.moves[0].accuracy == 100


def _many(count: int) -> list[Cell]:
    cells: list[Cell] = [(i, j) for i in range(1, 16, 2) for j in range(0, 30, 2)]
    return cells[:count]


def test_moves_after_the_time_limit_are_not_reviewed() -> None:
    found = review(record_of("4x1/1", [(0, 1)], [(0, 2), (0, 3)]), seconds=0)
    assert [move.label for move in found.moves] == [None, None]
    assert found.notes == ("2 moves were not reviewed: the time limit was reached.",)
    assert found.outcome is Outcome.PLAYING
    json.dumps(found.to_json())


def test_a_move_whose_analysis_reaches_the_limit_has_no_label(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def analyse_nothing(*_: object, **__: object) -> None:
        raise LimitReached("the limit was reached")

    monkeypatch.setattr(examining, "analyse_within", analyse_nothing)
    found = review(record_of("4x1/1", [(0, 1)], [(0, 2)]))
    assert found.notes == ("1 move was not reviewed: the time limit was reached.",)


def test_a_review_can_be_stopped() -> None:
    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    record = record_of("4x1/1", [(0, 1)], [(0, 2), (0, 3)])
    for jobs in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            review(record, jobs=jobs, progress=stop)


@pytest.mark.compiled
def test_a_board_with_too_many_unknown_cells_is_graded_by_risk() -> None:
    game = Game.new("60x60/600", seed=1, promise="none")
    cells = sorted(set(game.position) - set(game.minefield.mines if game.minefield else ()))[:3]
    for cell in cells:
        if game.position.is_hidden(cell):
            game.open(cell)
    found: Review = review(Record.of(game))
    assert all(move.before is None and move.label is not None for move in found.moves if move.cells)
    assert any("by risk alone" in note for note in found.notes)


def test_a_notebook_shows_the_page_of_a_review_in_a_frame() -> None:
    found = review(record_of("4x1/1", [(0, 1)], [(0, 2), (0, 3)]))
    shown = found._repr_html_()
    assert shown.startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;')
    assert unescape(shown.partition('srcdoc="')[2].partition('"')[0]) == found.html()
