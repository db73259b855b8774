"""Session: one person's game with an agent at hand. It draws nothing and prints nothing."""

from __future__ import annotations

from collections.abc import Callable

from minesweeper import Cell
from sapper import agents
from sapper.agents import Choice
from sapper.errors import BadFile
from sapper.formats.recorder import Recorder
from sapper.game import Game, Outcome
from sapper.levels import Level, Promise
from sapper.position import FLAG, HIDDEN, describe_cell
from sapper.record import PLAYER, EntryKind


class Session:
    """A game, an agent beside it, and what happened last in words.

    What the player opens, the agent learns too: it can take over at any time.

    >>> session = Session("beginner", seed=7)
    >>> session.open((4, 4))
    >>> session.ai_move()
    'AI making safe move.'
    >>> session.last
    (0, 8)
    """

    def __init__(
        self,
        level: str | Level | Game = "course",
        *,
        seed: int | None = None,
        promise: str | Promise | None = None,
        agent: str = "logic",
        recorder: Callable[[Game], Recorder] | None = None,
    ) -> None:
        """Begin a game on a level, or go on with one.

        A recorder is made for every game of the session, and told all that is done.
        """
        self._agent_name = agent
        self._make_recorder = recorder
        if not isinstance(level, Game):
            level = Game.new(level, seed=seed, promise=promise)
        self._begin(level)
        self.recorder = recorder and recorder(self.game)

    def _begin(self, game: Game) -> None:
        self.game = game
        self.agent = agents.named(self._agent_name, seed=game.seed)
        self.last: Cell | None = None
        """The cell of the last move."""
        self.message = "A new board."
        """What happened last, in words."""
        if game.first is not None and not game.actions:
            self.message = f"A new board: begin at {describe_cell(game.first)}."

    def reset(self, level: str | Level | None = None) -> None:
        """Begin a new board with a new agent, on the same level or another."""
        if level is None:
            self._begin(Game.new(self.game.level, promise=self.game.promise))
        else:
            self._begin(Game.new(level))
        try:
            self.recorder = self._make_recorder and self._make_recorder(self.game)
        except BadFile as trouble:
            self.recorder = None
            self.message += f" Recording has stopped: {trouble}."

    def open(self, cell: Cell) -> None:
        """Open a hidden cell; on a number, open its neighbours if its flags are set (a chord).

        A flagged cell stays closed, and so does everything once the game is over.
        """
        if self.game.over:
            return
        kind: EntryKind = "click"
        if self.game.position[cell] == HIDDEN:
            self.game.open(cell)
            kind = "open"
        elif self.game.position[cell] != FLAG and not self.game.level.course_rules:
            kind = "chord" if self.game.chord(cell) or self.game.over else "click"
        self._note(kind, cell)
        if kind != "click":
            self._report(cell, f"You opened {describe_cell(cell)}.")

    def flag(self, cell: Cell) -> None:
        """Flag a hidden cell, or take its flag off."""
        if self.game.over:
            return
        if not self.game.position.is_hidden(cell):
            self._note("click", cell)
            return
        flagged = self.game.flag(cell)
        self._note("flag", cell)
        self._report(cell, f"You {'flagged' if flagged else 'unflagged'} {describe_cell(cell)}.")

    def ai_move(self) -> str | None:
        """Let the agent move; return what it announces, or None when the game is over.

        It opens a safe cell if it knows one, else a random cell not known to be a mine; when none is
        left it flags the mines it knows.
        """
        if self.game.over:
            return None
        choice = self._decide()
        if choice is None:
            for mine in sorted(self.agent.known_mines(self.game.position) - self.game.flags):
                self.game.flag(mine)
                self._note("flag", mine, by=self._agent_name)
            self._report(None, "The AI flagged the mines it knows.")
            return "No moves left to make."
        if choice.cell in self.game.flags:
            self.game.flag(choice.cell)
            self._note("flag", choice.cell, by=self._agent_name)
        self.game.open(choice.cell)
        self._note("open", choice.cell, by=self._agent_name)
        self._report(choice.cell, f"The AI opened {describe_cell(choice.cell)}; {choice.reason}.")
        if choice.safe:
            return "AI making safe move."
        return "No known safe moves, AI making random move."

    def _decide(self) -> Choice | None:
        """Return what the agent chooses; the first click is given if the board was laid for one."""
        game = self.game
        if game.first is not None and len(game.position.hidden) == len(game.position):
            return Choice(game.first, safe=True, reason="the board begins there")
        return self.agent.decide(game.position)

    def _note(self, kind: EntryKind, cell: Cell, *, by: str = PLAYER) -> None:
        if self.recorder is not None:
            self.recorder.note(kind, cell, by=by)

    def _report(self, cell: Cell | None, message: str) -> None:
        self.last = cell
        ending = {Outcome.PLAYING: "", Outcome.WON: " Won!", Outcome.LOST: " It was a mine."}
        self.message = message + ending[self.game.outcome]
        if self.recorder is not None and self.recorder.trouble is not None:
            self.message += f" Recording has stopped: {self.recorder.trouble}."
            self.recorder = None  # Said once is enough.
