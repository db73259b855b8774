"""Random calls and manual changes of the course's agent, compared with a naive update."""

from __future__ import annotations

import copy
import pickle
import random
from itertools import permutations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from sapper.minesweeper import Cell, MinesweeperAI, Sentence, neighbours
from tests.support.course_agent import public_state

State = tuple[frozenset[Cell], frozenset[Cell], frozenset[Cell], frozenset[tuple[frozenset[Cell], int]]]


def known(ai: MinesweeperAI) -> State:
    """Return everything that callers can see, without order."""
    sentences = frozenset((frozenset(each.cells), each.count) for each in ai.knowledge)
    return frozenset(ai.moves_made), frozenset(ai.mines), frozenset(ai.safes), sentences


class Contradiction(Exception):
    """What is known cannot be true."""


def naive_update(ai: MinesweeperAI, opened: tuple[Cell, int] | None = None) -> State:
    """Return what must be known after an update, by comparing all pairs until nothing changes."""
    moves, mines, safes = set(ai.moves_made), set(ai.mines), set(ai.safes)
    claims = {(frozenset(each.cells), each.count) for each in ai.knowledge}
    if opened is not None:
        cell, count = opened
        moves.add(cell)
        claims.add((frozenset(neighbours(cell, ai.height, ai.width)), count))
    safes |= moves
    before = None
    while True:
        if mines & safes:
            raise Contradiction
        claims = {(cells - mines - safes, count - len(cells & mines)) for cells, count in claims}
        for cells, count in claims:
            if not 0 <= count <= len(cells):
                raise Contradiction
            safes |= cells if count == 0 else set()
            mines |= cells if count == len(cells) else set()
        claims = {(cells, count) for cells, count in claims if 0 < count < len(cells)}
        if len({cells for cells, _ in claims}) < len(claims):
            raise Contradiction
        state = frozenset(moves), frozenset(mines), frozenset(safes), frozenset(claims)
        if state == before:
            return state
        before = state
        for (part, part_count), (whole, whole_count) in permutations(list(claims), 2):
            if part < whole:
                claims.add((whole - part, whole_count - part_count))


class Editing(RuleBasedStateMachine):
    """Calls the agent and changes its attributes in every way that a student might."""

    @initialize(height=st.integers(1, 4), width=st.integers(1, 5), data=st.data())
    def begin(self, height: int, width: int, data: st.DataObject) -> None:
        self.ai = MinesweeperAI(height, width)
        self.cells = [(i, j) for i in range(height) for j in range(width)]
        self.mines = data.draw(st.sets(st.sampled_from(self.cells), max_size=len(self.cells) // 2))

    def draw_cell(self, data: st.DataObject) -> Cell:
        return data.draw(st.sampled_from(self.cells))

    def draw_sentence(self, data: st.DataObject) -> Sentence:
        cells = data.draw(st.sets(st.sampled_from(self.cells), max_size=4))
        truth = len(cells & self.mines)
        return Sentence(cells, data.draw(st.sampled_from([truth, truth, truth, 0, 1])))

    # Calls -------------------------------------------------------------------------------------

    def check_call(self, opened: tuple[Cell, int] | None) -> None:
        before = public_state(self.ai)
        expected: State | None
        try:
            expected = naive_update(self.ai, opened)
        except Contradiction:
            expected = None
        try:
            if opened is None:
                self.ai.update_knowledge()
            else:
                self.ai.add_knowledge(*opened)
        except ValueError as error:
            assert expected is None, error
            assert public_state(self.ai) == before
            self.make_consistent()
        else:
            assert known(self.ai) == expected
            assert len(self.ai.knowledge) == len(expected[3])  # No two are equal.

    def make_consistent(self) -> None:
        """After a contradiction, go on with the truth about what is known."""
        self.ai.mines &= self.mines
        self.ai.safes -= self.mines
        self.ai.moves_made -= self.mines
        for each in self.ai.knowledge:
            each.count = len(each.cells & self.mines)

    @rule(data=st.data())
    def open_a_cell(self, data: st.DataObject) -> None:
        safe = [cell for cell in self.cells if cell not in self.mines]
        if safe:
            cell = data.draw(st.sampled_from(safe))
            around = neighbours(cell, self.ai.height, self.ai.width)
            self.check_call((cell, len(around & self.mines)))

    @rule(data=st.data(), wrong=st.integers(0, 8))
    def open_with_a_wrong_count(self, data: st.DataObject, wrong: int) -> None:
        cell = self.draw_cell(data)
        if wrong <= len(neighbours(cell, self.ai.height, self.ai.width)):
            self.check_call((cell, wrong))
            self.make_consistent()

    @rule()
    def update(self) -> None:
        self.check_call(None)

    # Edits -------------------------------------------------------------------------------------

    @rule(seed=st.integers(0, 99))
    def shuffle(self, seed: int) -> None:
        random.Random(seed).shuffle(self.ai.knowledge)

    @rule()
    def reverse_and_sort(self) -> None:
        self.ai.knowledge.reverse()
        self.ai.knowledge.sort(key=lambda each: len(each.cells))

    @rule(how=st.sampled_from(["deepcopy", "rebuild", "slice", "pickle", "double"]))
    def replace_the_list(self, how: str) -> None:
        match how:
            case "deepcopy":
                self.ai.knowledge = copy.deepcopy(self.ai.knowledge)
            case "rebuild":
                self.ai.knowledge = [Sentence(each.cells, each.count) for each in self.ai.knowledge]
            case "slice":
                self.ai.knowledge = self.ai.knowledge[:]
            case "pickle":
                self.ai = pickle.loads(pickle.dumps(self.ai))
            case "double":
                self.ai.knowledge = self.ai.knowledge * 2

    @rule()
    def copy_the_agent(self) -> None:
        self.ai = copy.deepcopy(self.ai)

    @rule(data=st.data())
    def add_a_sentence(self, data: st.DataObject) -> None:
        self.ai.knowledge.append(self.draw_sentence(data))

    @rule(data=st.data())
    def swap_a_sentence(self, data: st.DataObject) -> None:
        if self.ai.knowledge:
            place = data.draw(st.integers(0, len(self.ai.knowledge) - 1))
            self.ai.knowledge[place] = self.draw_sentence(data)

    @rule(data=st.data())
    def remove_a_sentence(self, data: st.DataObject) -> None:
        if self.ai.knowledge:
            del self.ai.knowledge[data.draw(st.integers(0, len(self.ai.knowledge) - 1))]

    @rule(data=st.data())
    def edit_a_sentence_in_place(self, data: st.DataObject) -> None:
        if self.ai.knowledge:
            sentence = data.draw(st.sampled_from(self.ai.knowledge))
            cell = self.draw_cell(data)
            match data.draw(st.sampled_from(["add", "remove", "exchange", "count"])):
                case "add":
                    sentence.cells.add(cell)
                case "remove":
                    sentence.cells.discard(cell)
                case "exchange":
                    if sentence.cells:
                        sentence.cells.remove(min(sentence.cells))
                        sentence.cells.add(cell)
                case "count":
                    sentence.count = data.draw(st.integers(-1, 4))
            if data.draw(st.booleans()):
                sentence.count = len(sentence.cells & self.mines)

    @rule(data=st.data(), is_known=st.booleans())
    def edit_the_marks(self, data: st.DataObject, is_known: bool) -> None:
        cell = self.draw_cell(data)
        if not is_known:
            data.draw(st.sampled_from([self.ai.mines, self.ai.safes, self.ai.moves_made])).discard(cell)
        elif cell in self.mines:
            self.ai.mines.add(cell)
        else:
            self.ai.safes.add(cell)

    @rule(data=st.data())
    def exchange_a_mark(self, data: st.DataObject) -> None:
        """As many marks as before, but not the same ones."""
        others = [cell for cell in self.cells if cell not in self.mines and cell not in self.ai.safes]
        if others and self.ai.safes:
            self.ai.safes.remove(min(self.ai.safes))
            self.ai.safes.add(data.draw(st.sampled_from(others)))

    @rule(data=st.data())
    def mark_by_hand(self, data: st.DataObject) -> None:
        cell = self.draw_cell(data)
        if cell in self.mines:
            self.ai.mark_mine(cell)
        else:
            self.ai.mark_safe(cell)

    @rule(data=st.data())
    def mark_wrongly(self, data: st.DataObject) -> None:
        cell = self.draw_cell(data)
        data.draw(st.sampled_from([self.ai.mark_mine, self.ai.mark_safe]))(cell)

    @invariant()
    def moves_change_nothing(self) -> None:
        before = public_state(self.ai)
        self.ai.make_safe_move()
        self.ai.make_random_move()
        assert public_state(self.ai) == before


Editing.TestCase.settings = settings(max_examples=200, stateful_step_count=30, deadline=None)
test_every_manual_change_is_taken_into_account = Editing.TestCase
