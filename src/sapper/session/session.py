"""A session: one person's game, with an agent and help. It neither draws nor prints."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, Protocol

from sapper import agents
from sapper.advice.first_click import FirstClick
from sapper.advice.hints import LIMIT
from sapper.advice.overlay import Overlay
from sapper.agents.agent import Agent, Choice, ReasoningAgent, with_reasons
from sapper.analysis import Limit
from sapper.course.examination import Examination, ExaminedAgent
from sapper.course.knowledge_change import KnowledgeChange
from sapper.errors import SapperError
from sapper.formats.recorder import Recorder
from sapper.game.game import Game
from sapper.levels import Level, Promise
from sapper.position import Cell, describe_cell
from sapper.session.advisor import Advisor, ShownHelp
from sapper.session.background import BackgroundTasks
from sapper.session.examiner import Examiner
from sapper.session.play import Play
from sapper.session.start import GIVEN, RANDOM, Start

SPEEDS: Final = (0.5, 100.0)
"""The lowest and highest autoplay speed, in moves per second."""
NO_MOVES: Final = "No moves left to make."
"""What the AI announces when it opens no cell."""
_LONGEST_NAME: Final = 100
"""The most characters that a record allows in the name of a player or agent."""


class AgentSource(Protocol):
    """Anything that creates agents, such as an agent specification; its `str` is their name."""

    def create(self, *, seed: int | None = None, seconds: float | None = None) -> Agent:
        """Return a new agent."""
        ...


class Session(Play):
    """A game with an agent and help.

    The agent sees every cell that the player opens, so it can take over at any time. Background tasks
    do the slow work; `tick` collects their results. Callers read the attributes but never set them.

    >>> session = Session("beginner", seed=7)
    >>> session.open((4, 4))
    >>> session.ai_move()
    'AI making safe move.'
    >>> session.last
    (0, 8)
    >>> session.undo(), session.helped
    (True, True)
    """

    def __init__(
        self,
        start: str | Level | Game | Start = "course",
        *,
        seed: int | None = None,
        promise: str | Promise | None = None,
        agent: str | AgentSource = "logic",
        recorder: Callable[[Game], Recorder | None] | None = None,
        on_end: Callable[[Play], None] = lambda _: None,
        tasks: BackgroundTasks | None = None,
        clock: Callable[[], float] = time.monotonic,
        limit: Limit = LIMIT,
        agent_seconds: float | None = None,
    ) -> None:
        """Begin a session with a level, a game or a `Start`.

        `recorder` creates a recorder for each game. `on_end` is called once for each game that is won
        or lost, except in practice. Without `tasks`, everything is computed at once. `limit` applies to
        each piece of help and each generated board, `agent_seconds` to each move of the agent.
        """
        tasks = BackgroundTasks(threads=0) if tasks is None else tasks
        self._agent_source = agent
        self._agent_seconds = agent_seconds
        self._advisor = Advisor(tasks, limit)
        # One thread, so that an agent from a file sees the positions in order, and only the agent waits
        # if it hangs.
        self._agent_tasks = (
            tasks if isinstance(agent, str) else BackgroundTasks(threads=min(tasks.threads, 1))
        )
        self._examiner = Examiner(self._agent_tasks, self.note_help, self._examination_failed)
        self.agent: ReasoningAgent
        self.built_in_agent = agent if isinstance(agent, str) else "logic"
        """The built-in agent that the player has chosen, even if another agent makes the AI moves."""
        self.autoplay = False
        """Whether the agent plays by itself."""
        self.speed = 4.0
        """The autoplay speed, in moves per second."""
        self._next_move_at = 0.0
        if isinstance(start, Game):
            start = Start.on(start, kind=GIVEN if start.seed is None else RANDOM)
        elif not isinstance(start, Start):
            start = Start.new(start, seed=seed, promise=promise)
        super().__init__(start, recorder=recorder, on_end=on_end, tasks=tasks, clock=clock, limit=limit)

    def _set_up(self, start: Start) -> None:
        self._agent_tasks.cancel("move")
        self.autoplay = False
        super()._set_up(start)
        self._close_agent()
        self.agent = self._create_agent(self._agent_source, self.game.seed)
        self._examiner.follow(self.agent)
        self._examiner.refresh(self.game.position)
        if start.heat is None:
            self._refresh_help()
        else:
            self._advisor.clear()
            self._advisor.heat_is_on = start.heat

    def _after_action(self, cell: Cell | None, message: str) -> None:
        self._agent_tasks.cancel("move")  # It was chosen for the position before.
        self._refresh_help()
        super()._after_action(cell, message)
        self._examiner.refresh(self.game.position)

    # The agent ---------------------------------------------------------------------------------

    @property
    def agent_names(self) -> tuple[str, ...]:
        """The agents that work with the engine in use."""
        return tuple(map(str, agents.available()))

    @property
    def agent_name(self) -> str:
        """The name of the agent that makes the AI moves."""
        return str(self._agent_source)

    @property
    def is_examined(self) -> bool:
        """Whether the agent is examined: its mistakes are shown, and it cannot be replaced."""
        return isinstance(self.agent, ExaminedAgent)

    def use_agent(self, agent: str | AgentSource) -> None:
        """Let another agent make the AI moves: a built-in agent, by name, or any other agent."""
        if isinstance(agent, str):
            self.built_in_agent = str(agent)
        if self.is_examined:
            self.show_message(f"The AI moves still come from {self.agent_name}.")
            return
        self._agent_tasks.cancel("move")
        self.agent = self._create_agent(agent, self.game.seed)
        self._agent_source = agent
        self.show_message(f"Agent: {agent}.")

    def _create_agent(self, agent: str | AgentSource, seed: int | None) -> ReasoningAgent:
        if isinstance(agent, str):
            return agents.named(agent, seed=seed, seconds=self._agent_seconds)
        return with_reasons(agent.create(seed=seed, seconds=self._agent_seconds))

    def _close_agent(self) -> None:
        """End the process of an examined agent."""
        agent = getattr(self, "agent", None)
        if isinstance(agent, ExaminedAgent):
            agent.close()

    def ai_move(self) -> str | None:
        """Let the agent make one move; return its announcement, or None if the game is over.

        The course's agent opens a safe cell if it knows one, otherwise a random cell not known to be a
        mine. If there is none, it flags the mines it knows.
        """
        if self.game.over or self.is_generating:
            return None
        self._agent_tasks.cancel("move")
        return self._play(self._choose())

    def start_ai_move(self, announce: Callable[[str], object]) -> None:
        """Let the agent make one move in the background; `announce` gets its announcement."""
        if self.game.over or self.is_generating or self._agent_tasks.is_running("move"):
            return
        self.show_message(f"Waiting for {self.agent_name}...")
        self._agent_tasks.start(
            "move",
            lambda _: self._choose(),
            lambda choice: announce(self._play(choice)),
            self._agent_failed,
        )

    def toggle_autoplay(self) -> None:
        """Start or stop autoplay."""
        self.autoplay = not self.autoplay and not self.game.over
        self._next_move_at = self._clock()

    def set_speed(self, speed: float) -> None:
        """Set the autoplay speed, in moves per second, within `SPEEDS`."""
        slowest, fastest = SPEEDS
        self.speed = min(max(slowest, speed), fastest)

    def _choose(self) -> Choice | None:
        """Return the agent's choice. A board made for a given first click starts with that click.

        A guaranteed first click is safe, even if the agent does not know about the guarantee.
        """
        game = self.game
        if game.first is not None and not game.begun:
            explanation = "the board was made for this first click"
            return Choice(game.first, safe=True, explanation=explanation)
        choice = self.agent.decide(game.position)
        if choice is None or FirstClick.of(game) is None:
            return choice
        return Choice(choice.cell, safe=True, explanation="the first click is guaranteed to be safe")

    def _play(self, choice: Choice | None) -> str:
        self.helped = True
        self._undone.clear()
        by = _player_name(self.agent_name)
        if choice is None:
            for mine in sorted(self.agent.known_mines(self.game.position) - self.game.flags):
                self.game.flag(mine)
                self._add_entry("flag", mine, by=by)
            self.autoplay = self.autoplay and self.game.over  # Nothing would change any more.
            self._after_action(None, "The AI flagged the mines it knows.")
            return NO_MOVES
        if self.no_guess is not None and self.game.minefield is None:
            self._generate_board(self.no_guess, choice.cell)
            return "AI making safe move."
        if choice.cell in self.game.flags:
            self.game.flag(choice.cell)
            self._add_entry("flag", choice.cell, by=by)
        self.game.open(choice.cell)
        self._add_entry("open", choice.cell, by=by)
        message = f"The AI opened {describe_cell(choice.cell)}; {choice.reason}."
        self._after_action(choice.cell, message)
        if choice.safe:
            return "AI making safe move."
        return "No known safe moves, AI making random move."

    def _stop_autoplay(self, error: SapperError) -> None:
        if self.is_examined:
            self._agent_failed(error)
        else:
            self.autoplay = False
            self.show_error(error)

    def _agent_failed(self, error: SapperError) -> None:
        self.autoplay = False
        self.show_message(f"The AI cannot move until you start a new board: {error}.")

    def _examination_failed(self, error: SapperError) -> None:
        message = self.message  # It says what the player has just done.
        self._agent_failed(error)
        self.show_message(f"{message} {self.message}")

    # Help --------------------------------------------------------------------------------------

    @property
    def overlay(self) -> Overlay | None:
        """The marks on the board and the text beside it."""
        return self._examiner.add_to(self._advisor.overlay)

    @property
    def examination(self) -> Examination | None:
        """What the agent has missed or wrongly believes; None if it is not examined."""
        return self._examiner.examination

    @property
    def changes(self) -> tuple[KnowledgeChange, ...]:
        """How the knowledge of an examined agent has changed since the game began."""
        return self._examiner.changes

    def toggle_knowledge(self) -> None:
        """Show or hide how the agent's knowledge changed with each number; `step` goes through it."""
        if not self.is_examined:
            self.show_message("Only an agent from a file (--ai FILE) shows its knowledge.")
            return
        self._advisor.clear()
        if not self._examiner.toggle_knowledge():
            self.show_message("The agent has not learned anything yet.")

    @property
    def shown_help(self) -> ShownHelp | None:
        """The hint or explanation on screen; None if there is none."""
        return self._advisor.shown

    @property
    def heat_is_on(self) -> bool:
        """Whether the risk of every cell is shown."""
        return self._advisor.heat_is_on

    def restore_help(self, shown: ShownHelp | None) -> None:
        """Show the help that was on screen when the session was saved."""
        if not self.game.over:
            self._advisor.restore(self.game.position, shown, FirstClick.of(self.game))

    def hint(self) -> None:
        """Show where a cell is certainly safe; the second time, show the cell."""
        if not self.game.over:
            self.helped = True
            self._advisor.hint(self.game.position, FirstClick.of(self.game))

    def why(self, cell: Cell | None = None) -> None:
        """Explain why a cell is safe or a mine; without a cell, show the easiest safety proof.

        If an examined agent has made mistakes, explain those first.
        """
        examination = self._examiner.examination
        if examination is not None and (cell is None or cell in examination.cells):
            mistake = self._examiner.next_mistake() if cell is None else cell
            if mistake is not None:
                self.note_help()
                self._advisor.why_mistake(examination, mistake)
                return
        if not self.game.over and (cell is None or self.game.position.is_hidden(cell)):
            self.helped = True
            self._advisor.why(self.game.position, cell, FirstClick.of(self.game))

    def step(self, forward: int) -> None:
        """Step through the proof, forward or (with -1) back; step 0 is the whole proof.

        Without a proof on screen, step through the changes of the agent's knowledge.
        """
        if self._advisor.shown is None:
            self._examiner.step(forward)
        self._advisor.step(forward)

    def toggle_heat(self) -> None:
        """Show or hide the risk of every cell."""
        self._advisor.heat_is_on = not self._advisor.heat_is_on
        self._note_heat()
        position = None if self.game.over else self.game.position
        self._advisor.refresh_heat(position, FirstClick.of(self.game))

    def clear_help(self) -> None:
        """Remove the hint or explanation; if there is none, the text about the agent's mistakes."""
        if self._advisor.shown is None:
            self._examiner.dismiss()
        self._advisor.clear()

    def note_help(self) -> None:
        """Mark the game as helped unless it is over: the player has seen its risks elsewhere."""
        self.helped = self.helped or not self.game.over

    def _note_heat(self) -> None:
        if self._advisor.heat_is_on:
            self.note_help()

    def _refresh_help(self) -> None:
        self._note_heat()
        position = None if self.game.over else self.game.position
        self._advisor.refresh(position, FirstClick.of(self.game))

    # Time --------------------------------------------------------------------------------------

    def tick(self) -> bool:
        """Collect results and make the autoplay move that is due; return whether anything changed.

        Call this many times per second.
        """
        changed = self._tasks.poll()
        if self._agent_tasks is not self._tasks:
            changed = self._agent_tasks.poll() or changed
        if not self.autoplay or self.is_generating or self._agent_tasks.is_running("move"):
            return changed
        if self.game.over:
            self.autoplay = False
            return True
        now = self._clock()
        if now < self._next_move_at:
            return changed
        self._next_move_at = max(self._next_move_at + 1 / self.speed, now - 1 / self.speed)
        self._agent_tasks.start("move", lambda _: self._choose(), self._play, self._stop_autoplay)
        return changed or not self._agent_tasks.is_running("move")

    def close(self) -> None:
        """Cancel all background tasks, and end the process of an examined agent."""
        self._tasks.close()
        self._agent_tasks.close()
        self._close_agent()


def _player_name(agent: str) -> str:
    """Return the name of an agent for a record: short and printable.

    >>> _player_name("program:bot\\n"), len(_player_name("program:" + "x" * 999))
    ('program:bot', 100)
    """
    return "".join(filter(str.isprintable, agent))[:_LONGEST_NAME]
