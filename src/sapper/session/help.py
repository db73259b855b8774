"""Help desk: hints, proofs and heat maps, worked out beside the game and shown as one overlay."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, NamedTuple

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
from sapper.advice.overlay import Overlay
from sapper.analysis import Limit, analyse
from sapper.errors import SapperError
from sapper.position import Cell, Position
from sapper.proof.proof import Proof
from sapper.session.thinking import Found, Thinker


class Asked(NamedTuple):
    """The help that is on screen: what the player asked for, so that it can be asked for again."""

    what: Literal["hint", "why"]
    cell: Cell | None = None
    more: bool = False
    """Whether the hint names the cell."""
    step: int = 0
    """The step of the proof that is shown, counted from 1; 0 for the whole proof."""


class HelpDesk:
    """Answers about the present position; what it says of an earlier one is dropped.

    >>> desk = HelpDesk(Thinker(threads=0))
    >>> position = Position.parse("# 1 . #", mines=1)
    >>> desk.hint(position)
    >>> desk.overlay.title
    'A cell here is certainly safe.'
    >>> desk.hint(position)
    >>> desk.overlay.target
    (0, 3)
    """

    def __init__(self, thinker: Thinker, limit: Limit = LIMIT) -> None:
        self._thinker = thinker
        self._limit = limit
        self.asked: Asked | None = None
        """The hint or proof that is on screen; None if there is none."""
        self.heat_is_on = False
        """Whether the risk of every cell is shown."""
        self._help: Overlay | None = None
        self._heat: Overlay | None = None
        self._advice: Advice | None = None
        self._proof: Proof | None = None

    @property
    def overlay(self) -> Overlay | None:
        """What is to be shown over the board and beside it."""
        return merge(self._heat, self._help)

    def refresh(self, position: Position | None) -> None:
        """Take another position, or none: what was said of the one before is gone."""
        self.clear()
        self.refresh_heat(position)

    def refresh_heat(self, position: Position | None) -> None:
        """Show the risks of this position, if they are wanted; a hint or a proof stays."""
        self._thinker.forget("heat")
        if position is None or not self.heat_is_on:
            self._heat = None
        else:
            work = partial(_find_heat, position, self._limit)
            self._thinker.ask("heat", work, self._show_heat, self._show_no_heat)

    def clear(self) -> None:
        """Show no hint and no proof."""
        self._thinker.forget("help")
        self._help = self._advice = self._proof = self.asked = None

    def ask_again(self, position: Position, asked: Asked | None) -> None:
        """Show the risks if they are on, and the hint or proof that was on screen.

        >>> position = Position.parse("# 1 . #", mines=1)
        >>> desk = HelpDesk(Thinker(threads=0))
        >>> desk.ask_again(position, Asked("hint", more=True))
        >>> desk.overlay.target
        (0, 3)
        """
        self.refresh_heat(position)
        if asked is None:
            return
        if asked.what == "why":
            self.why(position, asked.cell)
            self.step(asked.step)
        else:
            self.hint(position)
            if asked.more:
                self.hint(position)

    def hint(self, position: Position) -> None:
        """Show where a cell is certain; asked once more, show the cell."""
        if self._advice is not None:
            self.asked = Asked("hint", more=True)
            self._help = show_hint(position, self._advice, more=True)
            return
        self.asked = Asked("hint")

        def show(advice: Advice) -> None:
            self._advice = advice
            self._help = show_hint(position, advice, more=False)

        self._ask(partial(advise, position, self._limit), show)

    def why(self, position: Position, cell: Cell | None) -> None:
        """Show why a hidden cell is safe or a mine; without a cell, why the easiest one is safe."""
        self.asked = Asked("why", cell)
        if cell is not None:
            self._ask(partial(explain_cell, position, cell, self._limit), self._show_explained)
        elif self._advice is not None:
            self._show_advice(self._advice)
        else:
            self._ask(partial(advise, position, self._limit), self._show_advice)

    def step(self, forward: int) -> None:
        """Show the next step of the proof, or the one before; before the first is the whole."""
        if self._proof is not None and self._help is not None:
            at = 0 if self._help.step is None else self._help.step[0]
            step = min(max(0, at + forward), len(self._proof.steps))
            self._help = show_proof(self._proof, step or None)
            if self.asked is not None:
                self.asked = self.asked._replace(step=step)

    def _ask(self, work: Callable[[], Found], then: Callable[[Found], None]) -> None:
        def fail(error: SapperError) -> None:
            self._help = Overlay(title=f"The answer could not be computed in time: {error}.")

        self._help = Overlay(title="Thinking...")
        self._thinker.ask("help", work, then, fail)

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

    def _show_no_heat(self, error: SapperError) -> None:
        self._heat = Overlay(lines=(f"The risks could not be computed in time: {error}.",))


def _find_heat(position: Position, limit: Limit) -> Overlay:
    """Return the risks, all of them looked up already: that takes long on a large board."""
    return show_heat(analyse(position, limit=limit))
