"""Session: one person's game with an agent and help at hand. It draws nothing and prints nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from sapper import agents
from sapper.advice.hints import LIMIT
from sapper.advice.overlay import Overlay
from sapper.agents.agent import Choice, ReasoningAgent, with_reasons
from sapper.agents.specs import AgentSpec
from sapper.analysis import Limit
from sapper.boards.generator import generate
from sapper.errors import BadFile, SapperError
from sapper.formats import board_code, read_any
from sapper.formats.recorder import Recorder
from sapper.game.game import Action, Game, Outcome
from sapper.game.record import MOST_SECONDS, PLAYER, Entry, EntryKind, Record, repeat
from sapper.levels import Level, Promise
from sapper.position import FLAG, HIDDEN, Cell, Position, describe_cell
from sapper.session.help import Asked, HelpDesk
from sapper.session.thinking import Thinker

SPEEDS: Final = (0.5, 100.0)
"""The slowest and the fastest autoplay, in moves a second."""
_LONGEST_NAME: Final = 100
"""Of who made a move, in a record."""
RANDOM, NO_GUESS, GIVEN = "random", "no guess", "given"
"""The kinds of boards."""


class Session:
    """A game, an agent beside it, help, and what happened last in words.

    What the player opens, the agent learns too: it can take over at any time. What takes long is worked
    out by a thinker; `tick` takes in what it found.

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
        level: str | Level | Game = "course",
        *,
        seed: int | None = None,
        promise: str | Promise | None = None,
        agent: str | AgentSpec = "logic",
        recorder: Callable[[Game], Recorder | None] | None = None,
        thinker: Thinker | None = None,
        clock: Callable[[], float] = time.monotonic,
        limit: Limit = LIMIT,
        agent_seconds: float | None = None,
    ) -> None:
        """Begin a game on a level, or go on with one.

        A recorder is made for every game of the session, and told all that is done. Without a thinker
        everything is worked out at once. `limit` is for each piece of help and for a board without
        guesses, `agent_seconds` for each move of the agent.
        """
        self._thinker = Thinker(threads=0) if thinker is None else thinker
        self._limit = limit
        self._agent_seconds = agent_seconds
        self._clock = clock
        self._make_recorder = recorder
        self._agent_source = agent
        self.question_marks = False
        """Whether a second mark on a cell is a question mark."""
        self.autoplay = False
        """Whether the agent plays by itself."""
        self.speed = 4.0
        """How many moves a second it makes."""
        self.on_end: Callable[[Session], None] = lambda _: None
        """Called once for every game that is won or lost, unless it is practice."""
        self._help = HelpDesk(self._thinker, limit)
        self.wanted: dict[str, object] | None = None
        """What a board without guesses is to be like that is made with the first opening."""
        kind = GIVEN if isinstance(level, Game) and level.seed is None else RANDOM
        if not isinstance(level, Game):
            level = Game.new(level, seed=seed, promise=promise)
        self._begin(level, kind)
        self.recorder = recorder and recorder(self.game)

    # Boards ------------------------------------------------------------------------------------

    def _begin(self, game: Game, kind: str = RANDOM) -> None:
        self._thinker.forget("move")
        self._thinker.forget("board")
        self.game = game
        self.kind = kind
        """`RANDOM`, `NO_GUESS` or `GIVEN`."""
        self.agent = self._create_agent(self._agent_source, game.seed)
        self.last: Cell | None = None
        """The cell of the last move."""
        self.message = "New board."
        """What happened last, in words."""
        if game.first is not None and not game.actions:
            self.message = f"New board. Start at {describe_cell(game.first)}."
        self.helped = False
        """Whether the player had help, or took an opening back."""
        self.practice = False
        """Whether the game went on after a mine."""
        self.questions: frozenset[Cell] = frozenset()
        """The cells with a question mark."""
        self.waiting: str | None = None
        """What is being made, in words; None if nothing is."""
        self.autoplay = False
        self._ended = game.over
        self.entries: list[Entry] = []
        """All that was done, taken back or not."""
        self._undone: list[Action] = []
        self._seconds = 0.0
        self._since: float | None = None
        self._due = 0.0
        self._refresh_help()

    def reset(self, level: str | Level | None = None) -> None:
        """Begin a new board with a new agent, on the same level or another."""
        if level is None:
            self._begin(Game.new(self.game.level, promise=self.game.promise))
        else:
            self.wanted = None
            self._begin(Game.new(level))
        self._record_anew()

    def new(
        self,
        level: str | Level | None = None,
        *,
        promise: str | Promise | None = None,
        no_guess: bool = False,
        difficulty: str | None = None,
    ) -> None:
        """Begin a new board; one that needs no guess is made when its first cell is opened."""
        level = self.game.level if level is None else Level.named(level)
        self.wanted = {"difficulty": difficulty} if no_guess else None
        if no_guess and promise is None:
            promise = Level.custom(level.height, level.width, level.mines).promise
        self._begin(Game.new(level, promise=promise), NO_GUESS if no_guess else RANDOM)
        if no_guess:
            self.message = "New board that never needs a guess. Start anywhere."
        self._record_anew()

    def again(self) -> None:
        """Begin the same board from its start."""
        game, kind, wanted = self.game, self.kind, self.wanted
        if game.minefield is None:
            self._begin(Game.new(game.level, seed=game.seed, promise=game.promise), kind)
        else:
            first = next((each.cell for each in game.actions if each.kind == "open"), game.first)
            same = Game(
                game.level,
                seed=game.seed,
                promise=game.promise,
                minefield=game.minefield,
                first=game.first or (first if game.promise is not Promise.NONE else None),
            )
            same.minefield.mines_found = set()  # type: ignore[union-attr]
            self._begin(same, kind)
        self.wanted = wanted
        self._record_anew()

    def load(self, source: str | os.PathLike[str]) -> None:
        """Go on with what a file holds, or with the board of a code. An error changes nothing."""
        content = read_any(source)
        if isinstance(content, Position):
            raise SapperError("a position cannot be played: it has no minefield")
        if isinstance(content, Record):
            self.wanted = None
            self.restore(content.replay(), content.entries, content.seconds)
            self._record_anew()
        else:
            self.begin(content)

    def begin(self, game: Game) -> None:
        """Begin a game on a given board."""
        self.wanted = None
        self._begin(game, GIVEN)
        self._record_anew()

    def restore(
        self,
        game: Game,
        entries: Iterable[Entry],
        seconds: float,
        *,
        kind: str = GIVEN,
        undone: Iterable[Action] = (),
        heat: bool = False,
    ) -> None:
        """Go on with a game in which all this was done, in so many seconds.

        `undone` are the actions that can be redone, the last one first. If `heat` is on, the risks are
        computed after the next move, or by `ask_again`.
        """
        self._begin(game, kind)
        self._help.heat_is_on = heat
        self.entries = list(entries)
        self._undone = list(undone)
        self._seconds = seconds
        self.message = f"This game was {game.outcome.value}. You can review it."
        if not game.over:
            self.message = "Game resumed."
            self._keep_time()

    def _record_anew(self) -> None:
        try:
            self.recorder = self._make_recorder and self._make_recorder(self.game)
            if self.recorder is not None and self.entries:
                self.recorder.go_on_from(self.entries)
        except BadFile as trouble:
            self.recorder = None
            self.message += f" Recording stopped: {trouble}."

    @property
    def code(self) -> str:
        """The code of the board."""
        return board_code(self.game)

    @property
    def record(self) -> Record | None:
        """What was done so far; None before the mines are drawn."""
        if self.game.minefield is None:
            return None
        return Record.of(self.game, tuple(self.entries))

    @property
    def seconds(self) -> float:
        """How long the game has taken since its first opening."""
        running = 0.0 if self._since is None else max(self._clock() - self._since, 0.0)
        return min(self._seconds + running, float(MOST_SECONDS))

    # Moves -------------------------------------------------------------------------------------

    def open(self, cell: Cell) -> None:
        """Open a hidden cell; on a number, open its neighbours if its flags are set (a chord).

        A flagged cell stays closed, and so does everything once the game is over.
        """
        if self.game.over or self.waiting is not None:
            return
        if self.wanted is not None and self.game.minefield is None:
            self._make_board(cell)
            return
        kind: EntryKind = "click"
        if self.game.position[cell] == HIDDEN:
            self.game.open(cell)
            kind = "open"
        elif self.game.position[cell] != FLAG and not self.game.level.course_rules:
            kind = "chord" if self.game.chord(cell) or self.game.over else "click"
        self._note(kind, cell)
        if kind != "click":
            self._undone.clear()
            self._report(cell, f"You opened {describe_cell(cell)}.")

    def _make_board(self, cell: Cell) -> None:
        """Make a board that needs no guess after this first click, and open it."""
        assert self.wanted is not None
        level, wanted = self.game.level, self.wanted
        work = partial(generate, level, first=cell, limit=self._limit, **wanted)  # type: ignore[arg-type]

        def begin(game: Game) -> None:
            self._begin(game, NO_GUESS)
            self._record_anew()
            self.open(cell)

        def give_up(error: SapperError) -> None:
            self.waiting = None
            self.message = f"{str(error)[:1].upper()}{str(error)[1:]}."

        self.waiting = "a board that never needs a guess"
        self.message = "Generating a board that never needs a guess..."
        self._thinker.ask("board", work, begin, give_up)

    def flag(self, cell: Cell) -> None:
        """Flag a hidden cell, or take its flag off."""
        if self.game.over:
            return
        if not self.game.position.is_hidden(cell):
            self._note("click", cell)
            return
        self.questions -= {cell}
        self._undone.clear()
        flagged = self.game.flag(cell)
        self._note("flag", cell)
        self._report(cell, f"You {'flagged' if flagged else 'unflagged'} {describe_cell(cell)}.")

    def mark(self, cell: Cell) -> None:
        """Put a flag, then a question mark if those are on, then nothing."""
        if cell in self.questions:
            self.questions -= {cell}
            return
        was_flagged = cell in self.game.flags
        self.flag(cell)
        if was_flagged and self.question_marks and not self.game.over:
            self.questions |= {cell}

    @property
    def undone(self) -> tuple[Action, ...]:
        """The actions that `redo` can do again; it starts with the last."""
        return tuple(self._undone)

    def undo(self) -> bool:
        """Take the last action back; return whether there was one."""
        if not self.game.actions or self.waiting is not None:
            return False
        action = self.game.undo()
        self._undone.append(action)
        self.helped = self.helped or action.kind != "flag"
        self._note("undo", None)
        if self.game.minefield is None:  # Other mines may be drawn: only what stands is of that board.
            standing = self.game.actions
            self.entries = [Entry(0.0, each.kind, each.cell) for each in standing]
        self._report(action.cell, f"Undone: {describe_cell(action.cell)}.")
        return True

    def redo(self) -> bool:
        """Do again what was taken back last; return whether there was anything."""
        if not self._undone or self.game.over:
            return False
        action = self._undone.pop()
        repeat(self.game, Entry(0.0, action.kind, action.cell))
        self._note(action.kind, action.cell)
        self._report(action.cell, f"Redone: {describe_cell(action.cell)}.")
        return True

    def go_on(self) -> bool:
        """Go on after a mine, which is flagged: from now on it is practice."""
        if self.game.outcome is not Outcome.LOST:
            return False
        mines = sorted(self.game.exploded)
        self.practice = True
        self.game.undo()
        self._note("undo", None)
        for mine in mines:
            if mine not in self.game.flags and not self.game.over:
                self.game.flag(mine)
                self._note("flag", mine)
        self._report(mines[0], "Practice: the mine is flagged and the game continues.")
        return True

    # The agent ---------------------------------------------------------------------------------

    @property
    def agent_names(self) -> tuple[str, ...]:
        """The agents that there are with the engine in use."""
        return tuple(map(str, agents.available()))

    @property
    def agent_name(self) -> str:
        """The name of the agent that makes the AI's moves."""
        return str(self._agent_source)

    def use_agent(self, agent: str | AgentSpec) -> None:
        """Let another agent make the AI's moves: a built-in one by its name, or a specified one."""
        self._thinker.forget("move")
        self.agent = self._create_agent(agent, self.game.seed)
        self._agent_source = agent
        self.message = f"Agent: {agent}."

    def _create_agent(self, agent: str | AgentSpec, seed: int | None) -> ReasoningAgent:
        if isinstance(agent, str):
            return agents.named(agent, seed=seed, seconds=self._agent_seconds)
        return with_reasons(agent.create(seed=seed, seconds=self._agent_seconds))

    def ai_move(self) -> str | None:
        """Let the agent move; return what it announces, or None when the game is over.

        It opens a safe cell if it knows one, else a random cell not known to be a mine; when none is
        left it flags the mines it knows.
        """
        if self.game.over or self.waiting is not None:
            return None
        self._thinker.forget("move")
        return self._do(self._decide())

    def toggle_autoplay(self) -> None:
        """Let the agent play by itself, or stop it."""
        self.autoplay = not self.autoplay and not self.game.over
        self._due = self._clock()

    def _decide(self) -> Choice | None:
        """Return what the agent chooses; the first click is given if the board was laid for one."""
        game = self.game
        if game.first is not None and not game.begun:
            return Choice(game.first, safe=True, explanation="the board was made for this first click")
        return self.agent.decide(game.position)

    def _do(self, choice: Choice | None) -> str:
        self.helped = True
        self._undone.clear()
        by = _player_name(self.agent_name)
        if choice is None:
            for mine in sorted(self.agent.known_mines(self.game.position) - self.game.flags):
                self.game.flag(mine)
                self._note("flag", mine, by=by)
            self._report(None, "The AI flagged the mines it knows.")
            return "No moves left to make."
        if self.wanted is not None and self.game.minefield is None:
            self._make_board(choice.cell)
            return "AI making safe move."
        if choice.cell in self.game.flags:
            self.game.flag(choice.cell)
            self._note("flag", choice.cell, by=by)
        self.game.open(choice.cell)
        self._note("open", choice.cell, by=by)
        self._report(choice.cell, f"The AI opened {describe_cell(choice.cell)}; {choice.reason}.")
        if choice.safe:
            return "AI making safe move."
        return "No known safe moves, AI making random move."

    # Help --------------------------------------------------------------------------------------

    @property
    def overlay(self) -> Overlay | None:
        """What is to be shown over the board and beside it."""
        return self._help.overlay

    @property
    def asked(self) -> Asked | None:
        """The hint or proof that is on screen; None if there is none."""
        return self._help.asked

    @property
    def heat_is_on(self) -> bool:
        """Whether the risk of every cell is shown."""
        return self._help.heat_is_on

    def ask_again(self, asked: Asked | None) -> None:
        """Show the help that was on screen when the session was stored."""
        if not self.game.over:
            self._help.ask_again(self.game.position, asked)

    def hint(self) -> None:
        """Show where a cell is certain; asked once more, show the cell."""
        if not self.game.over:
            self.helped = True
            self._help.hint(self.game.position)

    def why(self, cell: Cell | None = None) -> None:
        """Show why a hidden cell is safe or a mine; without a cell, why the easiest one is safe."""
        if not self.game.over and (cell is None or self.game.position.is_hidden(cell)):
            self.helped = True
            self._help.why(self.game.position, cell)

    def step(self, forward: int) -> None:
        """Show the next step of the proof, or the one before; before the first is the whole."""
        self._help.step(forward)

    def toggle_heat(self) -> None:
        """Show the risk of every cell, or stop."""
        self._help.heat_is_on = not self._help.heat_is_on
        self._note_heat()
        self._help.refresh_heat(None if self.game.over else self.game.position)

    def clear_help(self) -> None:
        """Show no hint and no proof."""
        self._help.clear()

    def _note_heat(self) -> None:
        self.helped = self.helped or (self._help.heat_is_on and not self.game.over)

    def _refresh_help(self) -> None:
        self._note_heat()
        self._help.refresh(None if self.game.over else self.game.position)

    # Time --------------------------------------------------------------------------------------

    def tick(self) -> bool:
        """Take in what was worked out, and let autoplay move when it is due.

        To be called many times a second. Returns whether anything has changed.
        """
        changed = self._thinker.collect()
        if not self.autoplay or self.waiting is not None or self._thinker.is_busy("move"):
            return changed
        if self.game.over:
            self.autoplay = False
            return True
        if self._clock() < self._due:
            return changed
        self._due = max(self._due + 1 / self.speed, self._clock() - 1 / self.speed)
        self._thinker.ask("move", self._decide, self._do)
        return changed or not self._thinker.is_busy("move")

    def close(self) -> None:
        """Let the thinker rest."""
        self._thinker.close()

    def _keep_time(self) -> None:
        """Let the clock run while the game does."""
        running = (self.game.begun or self._seconds > 0) and not self.game.over
        if running and self._since is None:
            self._since = self._clock()
        elif not running and self._since is not None:
            self._seconds, self._since = self.seconds, None

    def _note(self, kind: EntryKind, cell: Cell | None, *, by: str = PLAYER) -> None:
        self._keep_time()
        at = max(self.entries[-1].at if self.entries else 0.0, round(self.seconds, 3))
        self.entries.append(Entry(at, kind, cell, by))
        if self.recorder is not None:
            self.recorder.note(kind, cell, by=by)

    def _report(self, cell: Cell | None, message: str) -> None:
        self.last = cell
        self._refresh_help()
        if self.questions:
            self.questions &= self.game.position.hidden
        ending = {Outcome.PLAYING: "", Outcome.WON: " Won!", Outcome.LOST: " It was a mine."}
        self.message = message + ending[self.game.outcome]
        if self.recorder is not None and self.recorder.trouble is not None:
            self.message += f" Recording stopped: {self.recorder.trouble}."
            self.recorder = None  # Said once is enough.
        if self.game.over and not self._ended:
            self._ended = True
            if not self.practice:
                self.on_end(self)


def _player_name(agent: str) -> str:
    """Return the name of an agent for a record, which takes printable and short ones only.

    >>> _player_name("program:bot\\n"), len(_player_name("program:" + "x" * 999))
    ('program:bot', 100)
    """
    return "".join(filter(str.isprintable, agent))[:_LONGEST_NAME]
