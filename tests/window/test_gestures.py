"""Mouse gestures, without a window."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sapper.position import Cell, Position
from sapper.window.gestures import LEFT, MIDDLE, RIGHT, Face, Gesture, GestureKind, Gestures, Pointer

SIDE = 10
NUMBER = (1, 1)
HIDDEN = (0, 0)
FLAGGED = (0, 1)


class Table:
    """A board of 4x4 cells: one open number, one flag, one question mark, and hidden cells."""

    def __init__(self) -> None:
        self.faces = {(row, column): Face.HIDDEN for row in range(4) for column in range(4)}
        self.faces |= {NUMBER: Face.OPEN, FLAGGED: Face.FLAG, (3, 3): Face.QUESTION}

    def face(self, cell: Cell) -> Face:
        return self.faces[cell]

    def chord_cells(self, cell: Cell) -> frozenset[Cell]:
        return Position.blank(4, 4, 1).neighbours(cell)


class Mouse:
    """A mouse over the table. `None` is a place off the board."""

    def __init__(self) -> None:
        self.table = Table()
        self.gestures = Gestures(self.table)
        self.done: list[Gesture] = []

    def at(self, cell: Cell | None) -> Pointer:
        if cell is None:
            return Pointer((-50.0, -50.0), None, None)
        return Pointer((cell[1] * SIDE + 5.0, cell[0] * SIDE + 5.0), cell, cell)

    def press(self, button: int, cell: Cell | None) -> None:
        self._apply(self.gestures.press(button, self.at(cell)))

    def move(self, cell: Cell | None) -> None:
        self._apply(self.gestures.move(self.at(cell)))

    def release(self, button: int, cell: Cell | None) -> None:
        self._apply(self.gestures.release(button, self.at(cell)))

    def _apply(self, gestures: list[Gesture]) -> None:
        self.done += gestures
        for gesture in gestures:
            if gesture.kind in (GestureKind.MARK, GestureKind.FLAG):
                assert gesture.cell is not None
                flagged = self.table.faces[gesture.cell] is Face.FLAG
                self.table.faces[gesture.cell] = Face.HIDDEN if flagged else Face.FLAG

    @property
    def kinds(self) -> list[tuple[GestureKind, Cell | None]]:
        return [(gesture.kind, gesture.cell) for gesture in self.done]


def test_a_left_click_opens_on_release() -> None:
    mouse = Mouse()
    mouse.press(LEFT, HIDDEN)
    assert mouse.done == []
    mouse.release(LEFT, HIDDEN)
    assert mouse.kinds == [(GestureKind.OPEN, HIDDEN)]


def test_a_slide_opens_the_cell_where_the_button_is_released() -> None:
    mouse = Mouse()
    mouse.press(LEFT, HIDDEN)
    mouse.move((2, 2))
    mouse.release(LEFT, (2, 3))
    assert mouse.kinds == [(GestureKind.OPEN, (2, 3))]


def test_a_release_off_the_board_does_nothing() -> None:
    for button in (LEFT, MIDDLE):
        mouse = Mouse()
        mouse.press(button, NUMBER)
        mouse.release(button, None)
        mouse.release(button, NUMBER)
        assert mouse.done == []


def test_the_pressed_cell_sinks_until_the_mouse_leaves_it() -> None:
    mouse = Mouse()
    assert mouse.gestures.sunken == set()
    mouse.press(LEFT, HIDDEN)
    assert mouse.gestures.sunken == {HIDDEN}
    mouse.move((2, 2))
    assert mouse.gestures.sunken == {(2, 2)}
    mouse.move(None)
    assert mouse.gestures.sunken == set()
    mouse.move((3, 3))
    assert mouse.gestures.sunken == {(3, 3)}
    mouse.move(FLAGGED)
    assert mouse.gestures.sunken == set()
    mouse.release(LEFT, HIDDEN)
    assert mouse.gestures.sunken == set()


def test_the_hidden_neighbours_of_a_pressed_number_sink() -> None:
    around = set(Position.blank(4, 4, 1).neighbours(NUMBER)) - {FLAGGED}
    for buttons in ((LEFT,), (MIDDLE,), (LEFT, RIGHT), (RIGHT, LEFT)):
        mouse = Mouse()
        for button in buttons:
            mouse.press(button, NUMBER)
        assert mouse.gestures.sunken == around
        assert mouse.done == []


def test_the_right_button_marks_on_press_and_only_then() -> None:
    for cell in (HIDDEN, FLAGGED, (3, 3)):
        mouse = Mouse()
        mouse.press(RIGHT, cell)
        assert mouse.kinds == [(GestureKind.MARK, cell)]
        mouse.move(cell)
        mouse.release(RIGHT, cell)
        assert len(mouse.done) == 1


def test_a_right_press_on_a_number_does_nothing() -> None:
    mouse = Mouse()
    mouse.press(RIGHT, NUMBER)
    mouse.move(HIDDEN)
    mouse.release(RIGHT, HIDDEN)
    assert mouse.done == []


def test_a_right_drag_flags_hidden_cells_and_leaves_others_alone() -> None:
    mouse = Mouse()
    mouse.press(RIGHT, (3, 0))
    for cell in ((3, 1), (3, 2), (3, 3), (2, 3), (2, 3)):
        mouse.move(cell)
    flagged = {(3, 0), (3, 1), (3, 2), (2, 3)}
    assert {cell for _, cell in mouse.kinds} == flagged
    assert len(mouse.done) == len(flagged)
    assert mouse.table.faces[3, 3] is Face.QUESTION


def test_a_right_drag_from_a_flag_removes_flags() -> None:
    mouse = Mouse()
    mouse.table.faces |= {(0, 2): Face.FLAG, (1, 3): Face.FLAG}
    mouse.press(RIGHT, FLAGGED)
    for cell in ((0, 2), (0, 3), (1, 3)):
        mouse.move(cell)
    assert Face.FLAG not in mouse.table.faces.values()
    assert mouse.table.faces[0, 3] is Face.HIDDEN


def test_a_fast_right_drag_flags_the_cells_in_between() -> None:
    mouse = Mouse()
    mouse.press(RIGHT, (3, 0))
    mouse.move((3, 2))
    assert [cell for _, cell in mouse.kinds] == [(3, 0), (3, 1), (3, 2)]


def test_a_right_drag_over_a_corner_does_not_flag_the_cell() -> None:
    mouse = Mouse()
    mouse.press(RIGHT, (2, 2))
    mouse.gestures.move(Pointer((29.0, 19.5), (1, 2), None))
    mouse.move(NUMBER)
    assert mouse.kinds == [(GestureKind.MARK, (2, 2))]


def test_a_right_drag_ends_at_an_open_cell() -> None:
    mouse = Mouse()
    mouse.press(RIGHT, HIDDEN)
    mouse.move(NUMBER)
    mouse.move((2, 2))
    assert mouse.kinds == [(GestureKind.MARK, HIDDEN)]


def test_both_buttons_chord_on_the_first_release() -> None:
    for first, second in ((LEFT, RIGHT), (RIGHT, LEFT)):
        for released, kept in ((LEFT, RIGHT), (RIGHT, LEFT)):
            mouse = Mouse()
            mouse.press(first, NUMBER)
            mouse.press(second, NUMBER)
            mouse.release(released, NUMBER)
            mouse.release(kept, NUMBER)
            assert mouse.kinds == [(GestureKind.CHORD, NUMBER)]


def test_both_buttons_chord_where_the_first_is_released() -> None:
    mouse = Mouse()
    mouse.press(LEFT, HIDDEN)
    mouse.press(RIGHT, HIDDEN)
    mouse.move(NUMBER)
    mouse.release(RIGHT, NUMBER)
    mouse.release(LEFT, HIDDEN)
    assert mouse.kinds == [(GestureKind.CHORD, NUMBER)]


def test_both_buttons_on_a_hidden_cell_do_nothing() -> None:
    mouse = Mouse()
    mouse.press(LEFT, HIDDEN)
    mouse.press(RIGHT, HIDDEN)
    mouse.release(RIGHT, HIDDEN)
    mouse.release(LEFT, HIDDEN)
    assert mouse.done == []


def test_the_one_and_a_half_click_flags_and_chords() -> None:
    mouse = Mouse()
    mouse.press(RIGHT, HIDDEN)
    mouse.move(NUMBER)
    mouse.press(LEFT, NUMBER)
    mouse.release(LEFT, NUMBER)
    assert mouse.kinds == [(GestureKind.MARK, HIDDEN), (GestureKind.CHORD, NUMBER)]
    mouse.press(LEFT, NUMBER)  # The right button is still down: it chords again.
    mouse.release(LEFT, NUMBER)
    mouse.move((3, 0))
    mouse.release(RIGHT, (3, 0))
    assert mouse.kinds[2:] == [(GestureKind.CHORD, NUMBER)]


def test_a_middle_click_on_a_number_chords() -> None:
    mouse = Mouse()
    mouse.press(MIDDLE, NUMBER)
    mouse.gestures.move(Pointer((17.0, 16.0), NUMBER, NUMBER))  # A hand is never quite still.
    mouse.release(MIDDLE, NUMBER)
    assert mouse.kinds == [(GestureKind.CHORD, NUMBER)]


def test_a_middle_click_on_a_hidden_cell_does_nothing() -> None:
    mouse = Mouse()
    mouse.press(MIDDLE, HIDDEN)
    mouse.release(MIDDLE, HIDDEN)
    assert mouse.done == []


def test_a_middle_drag_pans_by_the_distance_moved_and_does_not_chord() -> None:
    mouse = Mouse()
    mouse.press(MIDDLE, NUMBER)
    mouse.move((2, 3))
    mouse.move(None)
    mouse.move(NUMBER)
    mouse.release(MIDDLE, NUMBER)
    assert {gesture.kind for gesture in mouse.done} == {GestureKind.PAN}
    assert [(each.right, each.down) for each in mouse.done[:1]] == [(20.0, 10.0)]
    assert sum(gesture.right for gesture in mouse.done) == 0
    assert mouse.gestures.sunken == set()


def test_cancelling_forgets_the_buttons() -> None:
    for button in (LEFT, MIDDLE, RIGHT):
        mouse = Mouse()
        mouse.press(button, NUMBER)
        assert mouse.gestures.is_active
        mouse.gestures.cancel()
        assert not mouse.gestures.is_active
        mouse.move((2, 2))
        mouse.release(button, NUMBER)
        assert mouse.done == []


cells = st.one_of(st.none(), st.tuples(st.integers(0, 3), st.integers(0, 3)))
buttons = st.sampled_from([LEFT, MIDDLE, RIGHT, 4])


@given(st.lists(st.tuples(st.sampled_from(["press", "move", "release"]), buttons, cells)))
def test_after_any_events_a_plain_click_works(events: list[tuple[str, int, Cell | None]]) -> None:
    mouse = Mouse()
    for name, button, cell in events:
        if name == "press":
            mouse.press(button, cell)
        elif name == "move":
            mouse.move(cell)
        else:
            mouse.release(button, cell)
        assert all(mouse.table.faces[near] is not Face.FLAG for near in mouse.gestures.sunken)
    for button in (LEFT, MIDDLE, RIGHT):
        mouse.release(button, None)
    mouse.done.clear()
    mouse.press(LEFT, (2, 2))
    mouse.release(LEFT, (2, 2))
    assert mouse.kinds == [(GestureKind.OPEN, (2, 2))]
