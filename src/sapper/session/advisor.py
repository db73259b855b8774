"""The advisor: hints, proofs and risks, computed in the background and combined into an overlay."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, NamedTuple

from sapper.advice.first_click import FirstClick
from sapper.advice.hints import (
    LIMIT,
    Advice,
    advise,
    explain_cell,
    merge,
    show_advice,
    show_heat,
    show_hint,
    show_proof,
)
from sapper.advice.mistakes import explain_mistake, show_mistake
from sapper.advice.overlay import Overlay
from sapper.analysis import Limit, analyse
from sapper.course.examination import Examination
from sapper.errors import SapperError
from sapper.position import Cell, Position
from sapper.proof.proof import Proof
from sapper.session.background import BackgroundTasks, Result


class ShownHelp(NamedTuple):
    """Identifies the hint or explanation on screen, so that it can be saved and restored."""

    kind: Literal["hint", "why"]
    cell: Cell | None = None
    names_cell: bool = False
    """Whether the hint names the cell."""
    step: int = 0
    """The step of the proof, counted from 1; 0 means the whole proof."""


class Advisor:
    """Gives help with the current position. Answers for earlier positions are dropped.

    Before the first click, callers also pass what is guaranteed about it.

    >>> advisor = Advisor(BackgroundTasks(threads=0))
    >>> position = Position.parse("# 1 . #", mines=1)
    >>> advisor.hint(position)
    >>> advisor.overlay.title
    'A cell here is certainly safe.'
    >>> advisor.hint(position)
    >>> advisor.overlay.target
    (0, 3)
    """

    def __init__(self, tasks: BackgroundTasks, limit: Limit = LIMIT) -> None:
        self._tasks = tasks
        self._limit = limit
        self.shown: ShownHelp | None = None
        """The hint or explanation on screen; None if there is none."""
        self.heat_is_on = False
        """Whether the risk of every cell is shown."""
        self._help: Overlay | None = None
        self._heat: Overlay | None = None
        self._advice: Advice | None = None
        self._proof: Proof | None = None

    @property
    def overlay(self) -> Overlay | None:
        """The marks on the board and the text beside it."""
        return merge(self._heat, self._help)

    def refresh(self, position: Position | None, first_click: FirstClick | None = None) -> None:
        """Switch to another position, or to none; drop the help for the previous one."""
        self.clear()
        self.refresh_heat(position, first_click)

    def refresh_heat(self, position: Position | None, first_click: FirstClick | None = None) -> None:
        """Compute the risks of a position if they are shown; keep the hint or explanation."""
        self._tasks.cancel("heat")
        if position is None or not self.heat_is_on:
            self._heat = None
        else:
            work = partial(_heat, position, self._limit, first_click)
            self._tasks.start("heat", lambda _: work(), self._show_heat, self._show_heat_error)

    def clear(self) -> None:
        """Remove the hint or explanation."""
        self._tasks.cancel("help")
        self._help = self._advice = self._proof = self.shown = None

    def restore(
        self, position: Position, shown: ShownHelp | None, first_click: FirstClick | None = None
    ) -> None:
        """Show saved help again, and the risks if they are on.

        >>> position = Position.parse("# 1 . #", mines=1)
        >>> advisor = Advisor(BackgroundTasks(threads=0))
        >>> advisor.restore(position, ShownHelp("hint", names_cell=True))
        >>> advisor.overlay.target
        (0, 3)
        """
        self.refresh_heat(position, first_click)
        if shown is None:
            return
        if shown.kind == "why":
            self.why(position, shown.cell, first_click)
            self.step(shown.step)
        else:
            self.hint(position, first_click)
            if shown.names_cell:
                self.hint(position, first_click)

    def hint(self, position: Position, first_click: FirstClick | None = None) -> None:
        """Show where a cell is certainly safe; the second time, show the cell."""
        if self._advice is not None:
            self.shown = ShownHelp("hint", names_cell=True)
            self._help = show_hint(position, self._advice, more=True)
            return
        self.shown = ShownHelp("hint")

        def show(advice: Advice) -> None:
            self._advice = advice
            self._help = show_hint(position, advice, more=False)

        self._compute(partial(advise, position, self._limit, first_click=first_click), show)

    def why(self, position: Position, cell: Cell | None, first_click: FirstClick | None = None) -> None:
        """Explain why a cell is safe or a mine; without a cell, show the easiest safety proof."""
        self.shown = ShownHelp("why", cell)
        if cell is not None and first_click is not None:
            self._help = Overlay(target=cell, title=first_click.explain(cell))
        elif cell is not None:
            self._compute(partial(explain_cell, position, cell, self._limit), self._show_explained)
        elif self._advice is not None:
            self._show_advice(self._advice)
        else:
            work = partial(advise, position, self._limit, first_click=first_click)
            self._compute(work, self._show_advice)

    def why_mistake(self, examination: Examination, cell: Cell) -> None:
        """Explain why an agent should have marked a cell, or why it should not."""
        self.shown = ShownHelp("why", cell)

        def show(explained: Proof | Overlay) -> None:
            if isinstance(explained, Overlay):
                self._help = explained
            else:
                self._proof = explained
                self._help = show_mistake(examination, explained)

        self._proof = None
        self._compute(partial(explain_mistake, examination, cell), show)

    def step(self, forward: int) -> None:
        """Step through the proof, forward or (with -1) back; step 0 is the whole proof."""
        if self._proof is not None and self._help is not None:
            at = 0 if self._help.step is None else self._help.step[0]
            step = min(max(0, at + forward), len(self._proof.steps))
            self._help = show_proof(self._proof, step or None)
            if self.shown is not None:
                self.shown = self.shown._replace(step=step)

    def _compute(self, work: Callable[[], Result], show: Callable[[Result], None]) -> None:
        def show_error(error: SapperError) -> None:
            self._help = Overlay(title=f"The answer could not be computed in time: {error}.")

        self._help = Overlay(title="Computing...")
        self._tasks.start("help", lambda _: work(), show, show_error)

    def _show_advice(self, advice: Advice) -> None:
        self._advice, self._proof = advice, advice.proof
        self._help = show_advice(advice)

    def _show_explained(self, explained: Proof | str) -> None:
        if isinstance(explained, str):
            self._help = Overlay(title=explained)
        else:
            self._proof = explained
            self._help = show_proof(explained)

    def _show_heat(self, heat: Overlay) -> None:
        self._heat = heat

    def _show_heat_error(self, error: SapperError) -> None:
        self._heat = Overlay(lines=(f"The risks could not be computed in time: {error}.",))


def _heat(position: Position, limit: Limit, first_click: FirstClick | None) -> Overlay:
    return show_heat(analyse(position, limit=limit)) if first_click is None else first_click.heat()
