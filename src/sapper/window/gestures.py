"""Mouse gestures on a board: button presses, moves and releases in, actions out. Nothing is drawn."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum, auto
from typing import Final, NamedTuple, Protocol

from sapper.position import Cell
from sapper.window.layout import Point

LEFT, MIDDLE, RIGHT = 1, 2, 3
"""Mouse buttons, as pygame numbers them."""
DRAG_DISTANCE: Final = 5.0
"""The pixels that the mouse must move before a middle press pans: a hand is never quite still."""


class Face(Enum):
    """What a cell shows."""

    HIDDEN = auto()
    FLAG = auto()
    QUESTION = auto()
    OPEN = auto()


class Board(Protocol):
    """What gestures need to know about a board."""

    def face(self, cell: Cell) -> Face:
        """Return what a cell shows."""
        ...

    def chord_cells(self, cell: Cell) -> frozenset[Cell]:
        """Return the cells around a cell; none if numbers cannot be chorded."""
        ...


class Pointer(NamedTuple):
    """The position of the mouse."""

    point: Point
    cell: Cell | None
    """The cell at the point; None if the mouse is not on the board."""
    core: Cell | None
    """The cell, if the point is well inside it: dragging over a corner should not flag the cell."""


class GestureKind(Enum):
    """What a gesture does."""

    MARK = auto()
    """Change the mark of a cell, as a right click does."""
    FLAG = auto()
    """Set or remove the flag of a cell, as part of a right drag."""
    OPEN = auto()
    """Open a cell, or chord on a number, as a left click does."""
    CHORD = auto()
    """Chord on a number."""
    PAN = auto()
    """Move the board with the mouse."""


class Gesture(NamedTuple):
    """One action of the mouse: on a cell or, when panning, by a distance in pixels."""

    kind: GestureKind
    cell: Cell | None = None
    right: float = 0.0
    down: float = 0.0


class _Mode(Enum):
    """What the buttons that are down will do."""

    IDLE = auto()
    OPENING = auto()
    CHORDING = auto()
    FLAGGING = auto()
    MIDDLE = auto()
    PANNING = auto()
    SPENT = auto()
    """The gesture is complete, but a button is still down."""


class Gestures:
    """The gesture in progress.

    Flags are set on press; cells open and chord on release, at the cell that is then under the mouse.

    >>> class Hidden:
    ...     def face(self, cell): return Face.HIDDEN
    ...     def chord_cells(self, cell): return frozenset()
    >>> gestures = Gestures(Hidden())
    >>> gestures.press(LEFT, Pointer((5, 5), (0, 0), (0, 0)))
    []
    >>> [gesture] = gestures.release(LEFT, Pointer((15, 5), (0, 1), (0, 1)))
    >>> gesture.kind.name, gesture.cell
    ('OPEN', (0, 1))
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._mode = _Mode.IDLE
        self._down: set[int] = set()
        self._pointer = Pointer((-1, -1), None, None)
        self._painted: Face | None = None
        """The face that a right drag changes; None if it changes nothing more."""
        self._painted_last: Cell | None = None

    @property
    def is_active(self) -> bool:
        """Whether a button is down."""
        return bool(self._down)

    @property
    def sunken(self) -> frozenset[Cell]:
        """The cells that look pressed: those that a release would open, if the flags are right."""
        cell = self._pointer.cell
        if cell is None:
            return frozenset()
        is_open = self._board.face(cell) is Face.OPEN
        cells: set[Cell] = set()
        if self._mode in (_Mode.CHORDING, _Mode.MIDDLE) or (self._mode is _Mode.OPENING and is_open):
            cells |= self._board.chord_cells(cell)
        if self._mode in (_Mode.CHORDING, _Mode.OPENING) and not is_open:
            cells.add(cell)
        closed = (Face.HIDDEN, Face.QUESTION)
        return frozenset(near for near in cells if self._board.face(near) in closed)

    def cancel(self) -> None:
        """Forget all buttons that are down."""
        self._mode = _Mode.IDLE
        self._down.clear()

    def keep_only(self, buttons: Collection[int]) -> None:
        """Cancel if a button is no longer down: its release was not reported."""
        if not self._down <= set(buttons):
            self.cancel()

    def press(self, button: int, pointer: Pointer) -> list[Gesture]:
        """Handle the press of a button on the board."""
        if button not in (LEFT, MIDDLE, RIGHT):
            return []
        self._pointer = pointer
        others = self._down - {button}
        self._down.add(button)
        if {LEFT, RIGHT} <= self._down and MIDDLE not in self._down:
            self._mode = _Mode.CHORDING
        elif others:
            self._mode = _Mode.SPENT
        elif button == LEFT:
            self._mode = _Mode.OPENING
        elif button == MIDDLE:
            self._mode, self._origin = _Mode.MIDDLE, pointer.point
        else:
            self._mode = _Mode.FLAGGING
            return self._begin_flags(pointer.cell)
        return []

    def _begin_flags(self, cell: Cell | None) -> list[Gesture]:
        """Mark the cell that was pressed. A drag then repeats this on equal cells."""
        face = Face.OPEN if cell is None else self._board.face(cell)
        self._painted = face if face in (Face.HIDDEN, Face.FLAG) else None
        self._painted_last = cell
        return [] if face is Face.OPEN else [Gesture(GestureKind.MARK, cell)]

    def move(self, pointer: Pointer) -> list[Gesture]:
        """Handle a move of the mouse."""
        before, self._pointer = self._pointer, pointer
        if self._mode is _Mode.FLAGGING and pointer.core is not None:
            return self._paint(pointer.core)
        if self._mode is _Mode.MIDDLE and _distance(self._origin, pointer.point) >= DRAG_DISTANCE:
            self._mode, before = _Mode.PANNING, before._replace(point=self._origin)
        if self._mode is _Mode.PANNING:
            right, down = pointer.point[0] - before.point[0], pointer.point[1] - before.point[1]
            return [Gesture(GestureKind.PAN, None, right, down)]
        return []

    def _paint(self, cell: Cell) -> list[Gesture]:
        """Continue a right drag. It ends at an open cell, where a 1.5-click would continue."""
        gestures: list[Gesture] = []
        for passed in _line(self._painted_last or cell, cell):
            face = self._board.face(passed)
            if face is Face.OPEN:
                self._painted = None
            if self._painted is None:
                break
            if face is self._painted and passed != self._painted_last:
                gestures.append(Gesture(GestureKind.FLAG, passed))
        self._painted_last = cell
        return gestures

    def release(self, button: int, pointer: Pointer) -> list[Gesture]:
        """Handle the release of a button, on the board or elsewhere."""
        self._pointer = pointer
        if button not in self._down:
            return []
        self._down.discard(button)
        mode, self._mode = self._mode, _Mode.SPENT if self._down else _Mode.IDLE
        cell = pointer.cell
        if cell is None:
            return []
        if mode is _Mode.OPENING:
            return [Gesture(GestureKind.OPEN, cell)]
        if mode in (_Mode.CHORDING, _Mode.MIDDLE) and self._board.face(cell) is Face.OPEN:
            return [Gesture(GestureKind.CHORD, cell)]
        return []


def _distance(one: Point, other: Point) -> float:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def _line(start: Cell, end: Cell) -> list[Cell]:
    """Return the cells on the way from one cell to another: a fast mouse skips some.

    >>> _line((0, 0), (0, 3)), _line((2, 2), (2, 2))
    ([(0, 1), (0, 2), (0, 3)], [])
    """
    down, right = end[0] - start[0], end[1] - start[1]
    steps = max(abs(down), abs(right))
    return [
        (start[0] + round(down * step / steps), start[1] + round(right * step / steps))
        for step in range(1, steps + 1)
    ]
