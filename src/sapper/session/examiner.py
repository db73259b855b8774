"""The examiner: follows what an agent believes, and shows its mistakes and its knowledge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sapper.advice.mistakes import show_change, show_mistakes
from sapper.advice.overlay import Overlay
from sapper.agents.agent import Agent
from sapper.course.examination import Examination, ExaminedAgent
from sapper.course.knowledge_change import KnowledgeChange
from sapper.errors import SapperError
from sapper.position import Cell, Position
from sapper.session.background import BackgroundTasks, Report


class Examiner:
    """Examines the agent after every move, if it is an agent that can be examined."""

    def __init__(
        self,
        tasks: BackgroundTasks,
        on_mistake: Callable[[], object],
        on_error: Callable[[SapperError], object],
    ) -> None:
        """Call `on_mistake` when a mistake is shown, and `on_error` when the agent fails."""
        self._tasks = tasks
        self._on_mistake = on_mistake
        self._on_error = on_error
        self._agent: ExaminedAgent | None = None
        self._is_broken = False
        self.examination: Examination | None = None
        """What the agent has missed or wrongly believes; None if that is not known."""
        self.changes: tuple[KnowledgeChange, ...] = ()
        """How the agent's knowledge has changed since the game began."""
        self._mistakes: Overlay | None = None
        self._is_dismissed = False
        self._explained = 0
        self._step: int | None = None

    def follow(self, agent: Agent) -> None:
        """Examine this agent from now on."""
        self._tasks.cancel("examine")
        self._agent = agent if isinstance(agent, ExaminedAgent) else None
        self._is_broken = False
        self._step = None
        self.changes = ()
        self._forget()

    def _forget(self) -> None:
        self.examination = self._mistakes = None
        self._is_dismissed = False
        self._explained = 0

    def refresh(self, position: Position) -> None:
        """Examine what the agent believes in a new position."""
        agent = self._agent
        if agent is None or self._is_broken:
            return

        def work(_: Report) -> tuple[Examination, tuple[KnowledgeChange, ...]]:
            return agent.examine(position), agent.changes

        self._tasks.start("examine", work, lambda found: self._show(*found), self._fail)

    def _show(self, examination: Examination, changes: tuple[KnowledgeChange, ...]) -> None:
        self._forget()
        self.changes = changes
        self.examination = examination
        if self._step is not None:
            self._step = len(self.changes)
        if not examination.is_clean:
            self._mistakes = show_mistakes(examination)
            self._on_mistake()

    def _fail(self, error: SapperError) -> None:
        self._forget()
        self._is_broken = True
        self._on_error(error)

    def next_mistake(self) -> Cell | None:
        """Return the next cell to explain; after the last one comes the first."""
        cells = [] if self.examination is None else self.examination.cells
        if not cells:
            return None
        self._explained += 1
        return cells[(self._explained - 1) % len(cells)]

    # The view of the knowledge -----------------------------------------------------------------

    @property
    def shows_knowledge(self) -> bool:
        """Whether a step of the agent's knowledge is on screen."""
        return self._step is not None

    def toggle_knowledge(self) -> bool:
        """Show or hide the last change of the agent's knowledge; return whether there is one."""
        self._step = None if self._step is not None else len(self.changes)
        return bool(self.changes)

    def step(self, forward: int) -> None:
        """Show an earlier or later change of the agent's knowledge."""
        if self._step is not None:
            self._step = min(max(1, self._step + forward), len(self.changes))

    def dismiss(self) -> None:
        """Hide the text. The marks of mistakes stay on the board."""
        self._step = None
        self._is_dismissed = True

    def add_to(self, overlay: Overlay | None) -> Overlay | None:
        """Add the mistakes to an overlay of other help. Its text takes precedence."""
        has_text = overlay is not None and bool(overlay.title)
        mistakes, changes = self._mistakes, self.changes
        if self._step is not None and changes and not has_text:
            step = min(max(1, self._step), len(changes))
            shown = show_change(changes[step - 1], step, len(changes))
        elif mistakes is None:
            return overlay
        elif has_text or self._is_dismissed:
            shown = Overlay(missed=mistakes.missed, wrong=mistakes.wrong)
        else:
            shown = mistakes
        if mistakes is not None:
            shown = replace(shown, missed=mistakes.missed, wrong=mistakes.wrong)
        if overlay is None:
            return shown
        return replace(
            overlay,
            safe=overlay.safe | shown.safe,
            mines=overlay.mines | shown.mines,
            numbers=overlay.numbers | shown.numbers,
            missed=shown.missed,
            wrong=shown.wrong,
            title=overlay.title or shown.title,
            lines=shown.lines + overlay.lines,
            step=overlay.step or shown.step,
        )
