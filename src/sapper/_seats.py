"""Who plays the games of an arena: threads of the compiled engine, processes with an agent each, or
programs."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib import import_module
from time import perf_counter, thread_time
from typing import NamedTuple, Protocol

from minesweeper import Cell, Minesweeper
from sapper import _engine, agents
from sapper.agents import Agent, ReasoningAgent
from sapper.analysis import Limit
from sapper.boards import Board, Setup
from sapper.errors import LimitReached, SapperError
from sapper.game import REACH, Game, Outcome
from sapper.program import Program
from sapper.statistics import Times

AgentMaker = Callable[[int], Agent]
"""What makes an agent for a game; it is called with a seed."""


class Played(NamedTuple):
    """How a game went."""

    seed: int | None
    """The board's seed, as in `Game.new(level, seed=seed)`; None if the board was read from a file."""
    won: bool
    left: int
    """How many cells without a mine were never opened."""
    decisions: int
    """How often the agent was asked; a player of the engine opens all cells that are safe at once."""
    guesses: int | None
    """How often it risked a cell; None if it does not say."""
    survival: float | None
    """The chance to survive all its guesses, by the risks it gave; None if it gives none."""
    solved: float | None
    """The chance to win when the rest of the game was first solved; None if it never was."""
    seconds: float
    """How long it worked, in CPU time."""
    lost_at: Cell | None = None
    """The cell whose mine ended the game; None if it was won, or the agent gave up."""

    @property
    def score(self) -> float:
        """The chance to win where the game was solved, else 1 if it was won and 0 if not."""
        return float(self.won) if self.solved is None else self.solved

    def columns(self, width: int) -> tuple[int | float | None, ...]:
        """Return the game as the columns of a table: the cell as its number, row by row from 0.

        >>> Played(7, False, 3, 2, 1, 0.5, None, 0.25, lost_at=(1, 2)).columns(width=9)
        (7, False, 3, 2, 1, 0.5, None, 0.25, 11)
        """
        at = self.lost_at
        return (*self[:-1], None if at is None else at[0] * width + at[1])


def _seed(board: Board) -> int | None:
    return board.seed if board.minefield is None else None


def _cell(place: int | None, width: int) -> Cell | None:
    return None if place is None else divmod(place, width)


class Seats(Protocol):
    """Plays games, and knows how long each decision took."""

    @property
    def times(self) -> Times:
        """How long each decision took so far."""
        ...

    def play(self, boards: Sequence[Board]) -> list[Played]:
        """Return how the games on these boards went."""
        ...

    def close(self) -> None:
        """Free what was taken."""
        ...


def seats_for(agent: str | AgentMaker, setup: Setup, jobs: int, limit: Limit) -> Seats:
    """Return who plays: the engine if it knows the player, else processes, or this one for one job."""
    if isinstance(agent, str) and agent in engine_players():
        return EngineSeats(agent, setup, jobs, limit)
    if isinstance(agent, str) and agent.startswith(agents.PROGRAM):
        return ProgramSeats(agent.removeprefix(agents.PROGRAM), setup, jobs)
    make_agent(agent, 0)  # What cannot be made is an error before any game.
    return LocalSeat(agent, setup) if jobs == 1 else ProcessSeats(agent, setup, jobs)


def engine_players() -> list[str]:
    """Return the names of the players that the engine in use knows.

    >>> set(engine_players()) < set(agents.AGENTS)
    True
    """
    if _engine.name == "python":
        return []
    from sapper import _core

    return _core.players()


# In the compiled engine --------------------------------------------------------------------------


class EngineSeats:
    """Threads of the compiled engine."""

    def __init__(self, player: str, setup: Setup, jobs: int, limit: Limit) -> None:
        from sapper import _core

        self._setup = setup
        self._arena = _core.Arena(player, jobs, *limit.countable)

    @property
    def times(self) -> Times:
        """How long each decision took so far."""
        return Times(*self._arena.times())

    def play(self, boards: Sequence[Board]) -> list[Played]:
        """Return how the games on these boards went."""
        from sapper import _core

        level, first = self._setup.level, self._setup.place
        size = (level.height, level.width, level.mines)
        minefields = [board.minefield for board in boards if board.minefield is not None]
        try:
            if minefields:
                played = self._arena.play_minefields(*size, first, minefields)
            else:
                seeds = [board.seed for board in boards]
                played = self._arena.play_seeds(*size, first, REACH[self._setup.promise], seeds)
        except _core.LimitReached as reason:
            raise LimitReached(str(reason)) from None
        return [
            Played(
                _seed(board), *game[:-1], None if game[-1] is None else divmod(game[-1], level.width)
            )
            for board, game in zip(boards, played, strict=True)
        ]

    def close(self) -> None:
        """Free what was taken: nothing."""


# In Python ---------------------------------------------------------------------------------------


def make_agent(agent: str | AgentMaker, seed: int) -> Agent:
    """Return a new agent: by its name, a program, as `module:attribute`, or from what makes agents.

    >>> type(make_agent("sapper.agents:Safest.limited", 1))
    Traceback (most recent call last):
    sapper.errors.SapperError: there is no agent 'sapper.agents:Safest.limited': ...
    """
    if not isinstance(agent, str):
        return agent(seed)
    module, colon, attribute = agent.partition(":")
    if not colon or agent.startswith(agents.PROGRAM):
        return agents.named(agent, seed=seed)
    try:
        maker: AgentMaker = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as reason:
        raise SapperError(f"there is no agent {agent!r}: {reason}") from reason
    return maker(seed)


def play_games(
    agent: str | AgentMaker,
    setup: Setup,
    boards: Sequence[Board],
    clock: Callable[[], float] = thread_time,
) -> tuple[list[Played], Times]:
    """Return how an agent's games on these boards went, and how long its decisions took."""
    times = Times()
    return [_play_game(agent, setup, board, times, clock) for board in boards], times


def _play_game(
    agent: str | AgentMaker, setup: Setup, board: Board, times: Times, clock: Callable[[], float]
) -> Played:
    level = replace(setup.level, course_rules=False)
    minefield = None
    if board.minefield is not None:
        mines = (divmod(at, level.width) for at, mine in enumerate(board.minefield) if mine)
        minefield = Minesweeper.with_mines(level.height, level.width, mines)
    game = Game(level, seed=board.seed, promise=setup.promise, minefield=minefield)
    player = make_agent(agent, board.seed)
    if not game.over:  # Where all cells are mines, it is won already.
        game.open(setup.first)
    decisions = guesses = 0
    start = clock()
    before = start
    while not game.over:
        decisions += 1
        if isinstance(player, ReasoningAgent):
            choice = player.decide(game.position)
            if choice is None:
                break  # It gives up.
            guesses += not choice.safe
            game.open(choice.cell)
        else:
            game.open(player.choose(game.position))
        now = clock()
        times.add(now - before)
        before = now
    return Played(
        seed=_seed(board),
        won=game.outcome is Outcome.WON,
        left=len(game.position) - level.mines - len(game.position.numbers),
        decisions=decisions,
        guesses=guesses if isinstance(player, ReasoningAgent) else None,
        survival=None,
        solved=None,
        seconds=before - start,
        lost_at=next(iter(game.exploded), None),
    )


class LocalSeat:
    """An agent in this process."""

    def __init__(self, agent: str | AgentMaker, setup: Setup) -> None:
        self._agent, self._setup = agent, setup
        self.times = Times()

    def play(self, boards: Sequence[Board]) -> list[Played]:
        """Return how the games on these boards went."""
        played, times = play_games(self._agent, self._setup, boards)
        self.times.add_all(times)
        return played

    def close(self) -> None:
        """Free what was taken: nothing."""


class ProcessSeats:
    """Agents in processes of their own."""

    def __init__(self, agent: str | AgentMaker, setup: Setup, jobs: int) -> None:
        try:
            pickle.dumps(agent)
        except (pickle.PicklingError, AttributeError, TypeError) as reason:
            raise SapperError(f"the agent can only play with jobs=1: {reason}") from reason
        self._agent, self._setup, self._jobs = agent, setup, jobs
        self.times = Times()
        self._pool = ProcessPoolExecutor(
            jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_die_at_once
        )

    def play(self, boards: Sequence[Board]) -> list[Played]:
        """Return how the games on these boards went."""
        parts = [boards[start :: self._jobs] for start in range(min(self._jobs, len(boards)))]
        with holding_ctrl_c():  # This may start processes.
            tasks = [self._pool.submit(play_games, self._agent, self._setup, part) for part in parts]
        played: list[Played | None] = [None] * len(boards)
        try:
            for start, task in enumerate(tasks):
                played[start :: self._jobs], times = task.result()
                self.times.add_all(times)
        except BrokenProcessPool as reason:
            raise SapperError("a process that played has died") from reason
        return [game for game in played if game is not None]

    def close(self) -> None:
        """End the processes."""
        self._pool.shutdown(cancel_futures=True)


class ProgramSeats:
    """Programs that speak the engine protocol, as many as there are jobs, with a thread for each.

    They are started once, and told of every game. Their time is that on the clock.
    """

    def __init__(self, command: str, setup: Setup, jobs: int) -> None:
        self._setup = setup
        self.times = Times()
        self._programs: list[Program] = []
        try:
            for _ in range(jobs):
                self._programs.append(Program(command, seed=0))
        except BaseException:
            self.close()
            raise

    def play(self, boards: Sequence[Board]) -> list[Played]:
        """Return how the games on these boards went."""
        jobs = len(self._programs)
        parts = [boards[start::jobs] for start in range(min(jobs, len(boards)))]
        played: list[Played | None] = [None] * len(boards)
        with ThreadPoolExecutor(jobs) as pool:
            tasks = [
                pool.submit(play_games, partial(_begun, program), self._setup, part, perf_counter)
                for program, part in zip(self._programs, parts, strict=False)
            ]
            try:
                for start, task in enumerate(tasks):
                    played[start::jobs], times = task.result()
                    self.times.add_all(times)
            except BaseException:
                self.close()  # The other threads wait for theirs.
                raise
        return [game for game in played if game is not None]

    def close(self) -> None:
        """End the programs."""
        for program in self._programs:
            program.close()


def _begun(program: Program, seed: int) -> Program:
    """Return a program that was told of a new game."""
    program.begin(seed)
    return program


@contextmanager
def holding_ctrl_c() -> Iterator[None]:
    """Let Ctrl-C wait: here until the end, in a process started meanwhile until it says otherwise."""
    if os.name == "nt":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _die_at_once() -> None:
    """Let Ctrl-C end this process without a word: the one that began it speaks for all."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if os.name != "nt":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def core_count() -> int:
    """Return how many cores this process may use.

    >>> core_count() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
