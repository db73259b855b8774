"""What the cells of a session's board show, for mouse gestures."""

from __future__ import annotations

from sapper.position import FLAG, HIDDEN, Cell
from sapper.session.session import Session
from sapper.window.gestures import Face


class Faces:
    """The cells of a session's game, as gestures see them.

    >>> session = Session("beginner", seed=7)
    >>> session.open((4, 4))
    >>> faces = Faces(session)
    >>> faces.face((4, 4)), faces.face((8, 8)), len(faces.chord_cells((4, 4)))
    (<Face.OPEN: 4>, <Face.HIDDEN: 1>, 8)
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    def face(self, cell: Cell) -> Face:
        """Return what a cell shows; after the game, nothing can be pressed."""
        game = self._session.game
        code = game.position[cell]
        if game.over or code < HIDDEN:
            return Face.OPEN
        if code == FLAG:
            return Face.FLAG
        return Face.QUESTION if cell in self._session.questions else Face.HIDDEN

    def chord_cells(self, cell: Cell) -> frozenset[Cell]:
        """Return the cells around a cell; none on the course level, which has no chords."""
        game = self._session.game
        return frozenset() if game.level.course_rules else game.position.neighbours(cell)
