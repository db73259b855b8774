"""Workers that play games: threads of the compiled engine, Python processes, or programs."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import partial
from itertools import repeat
from time import perf_counter, thread_time

from sapper import agents
from sapper.agents.agent import Agent, ReasoningAgent
from sapper.agents.program import Program
from sapper.agents.specs import BuiltInAgent, ImportedAgent, ProgramAgent, make_agent
from sapper.analysis import Limit
from sapper.arena.plans import Board, SeedRange
from sapper.arena.statistics import Times
from sapper.arena.tally import Played, Tally
from sapper.engine import engine
from sapper.engine.seeds import board_seed
from sapper.errors import SapperError
from sapper.game.game import REACH, Game, Outcome, minefield_of
from sapper.game.setup import Setup
from sapper.processes import ctrl_c_blocked, end_with_parent

AgentSource = str | BuiltInAgent | ProgramAgent | ImportedAgent | Agent | Callable[..., Agent]
"""The name of a built-in agent, a specification, an agent, or a class or function that creates one.

A class or function is called for every game, with a seed if it takes one. An agent plays all games.
"""


def agent_name(agent: AgentSource) -> str:
    """Return the name of an agent in tables.

    >>> agent_name("strong"), agent_name(agents.Logic)
    ('strong', 'Logic')
    """
    if isinstance(agent, (str, BuiltInAgent, ProgramAgent, ImportedAgent)):
        return str(agent)
    return getattr(agent, "__qualname__", None) or type(agent).__qualname__


class GameWorkers(ABC):
    """Plays games, and measures how long each decision takes."""

    times: Times
    """The durations of all decisions so far."""

    @abstractmethod
    def play(self, boards: Sequence[Board]) -> list[Played]:
        """Play the games on these boards, and return them in order."""

    def tally(self, boards: Sequence[Board]) -> Tally:
        """Play the games on these boards, and return their totals."""
        return Tally.of(self.play(boards))

    def close(self) -> None:  # noqa: B027 - most kinds have nothing to free.
        """End threads, processes and programs."""


def workers_for(agent: AgentSource, setup: Setup, jobs: int, limit: Limit) -> GameWorkers:
    """Return workers for an agent: engine threads if the engine has it, otherwise processes.

    A single job needs no other process. An agent that cannot be created is an error.
    """
    if isinstance(agent, (str, BuiltInAgent)) and str(agent) in engine_players():
        return EngineWorkers(str(agent), setup, jobs, limit)
    if isinstance(agent, ProgramAgent):
        return ProgramWorkers(agent.command, setup, jobs)
    create_agent(agent, 0)
    return LocalWorker(agent, setup) if jobs == 1 else ProcessWorkers(agent, setup, jobs)


def engine_players() -> list[str]:
    """Return the names of the agents that the engine in use plays itself.

    >>> set(engine_players()) < set(agents.AgentName)
    True
    """
    return list(engine.players)


# In the compiled engine --------------------------------------------------------------------------


class EngineWorkers(GameWorkers):
    """Threads of the compiled engine."""

    def __init__(self, player: str, setup: Setup, jobs: int, limit: Limit) -> None:
        level = setup.level
        self.times = Times()
        self._arena = engine.create_arena(
            player,
            height=level.height,
            width=level.width,
            mines=level.mines,
            first=setup.first_index,
            promise=REACH[setup.promise],
            threads=jobs,
            limit=limit,
        )

    def play(self, boards: Sequence[Board]) -> list[Played]:
        """Play the games on these boards, and return them in order."""
        seeds: Iterable[int | None]
        if isinstance(boards, SeedRange):
            games = self._arena.play_seeds(boards.seed, boards.numbers)
            seeds = (board_seed(boards.seed, number) for number in boards.numbers)
        else:
            minefields = [board.minefield for board in boards if board.minefield is not None]
            games = self._arena.play_minefields(minefields)
            seeds = repeat(None)
        times = self._arena.times()
        self.times = Times(times.counts, times.longest)
        return [
            Played(
                seed=seed,
                won=game.won,
                left=game.left,
                decisions=game.decisions,
                guesses=game.guesses,
                survival=game.survival,
                solved=game.solved,
                seconds=game.seconds,
                lost_at=game.lost_at,
                luck=game.luck,
            )
            for seed, game in zip(seeds, games, strict=False)
        ]


# In Python ---------------------------------------------------------------------------------------


def create_agent(agent: AgentSource, seed: int) -> Agent:
    """Return an agent for a game.

    >>> type(create_agent("logic", 1)).__name__
    'Logic'
    """
    if isinstance(agent, str):
        return agents.named(agent, seed=seed)
    if isinstance(agent, (BuiltInAgent, ProgramAgent, ImportedAgent)):
        return agent.create(seed=seed)
    return make_agent(agent, seed)


def play_games(
    agent: AgentSource,
    setup: Setup,
    boards: Sequence[Board],
    clock: Callable[[], float] = thread_time,
) -> tuple[list[Played], Times]:
    """Let an agent play the games on these boards; return them, and the durations of its decisions."""
    times = Times()
    return [_play_game(agent, setup, board, times, clock) for board in boards], times


def _play_game(
    agent: AgentSource, setup: Setup, board: Board, times: Times, clock: Callable[[], float]
) -> Played:
    level = replace(setup.level, course_rules=False)
    minefield = None if board.minefield is None else minefield_of(level, board.minefield)
    game = Game(level, seed=board.seed, promise=setup.promise, minefield=minefield)
    player = create_agent(agent, board.seed)
    if not game.over:  # If all cells are mines, the game is already won.
        game.open(setup.first)
    decide = player.decide if isinstance(player, ReasoningAgent) else None
    decisions = guesses = 0
    start = clock()
    before = start
    while not game.over:
        decisions += 1
        if decide is None:
            cell = player.choose(game.position)
        else:
            choice = decide(game.position)
            if choice is None:
                break  # The agent gives up.
            guesses += not choice.safe
            cell = choice.cell
        game.open(cell)
        now = clock()
        times.add(now - before)
        before = now
    return Played(
        seed=board.seed if board.minefield is None else None,
        won=game.outcome is Outcome.WON,
        left=len(game.position) - level.mines - len(game.position.numbers),
        decisions=decisions,
        guesses=None if decide is None else guesses,
        survival=None,
        solved=None,
        seconds=before - start,
        lost_at=next(iter(game.exploded), None),
    )


class LocalWorker(GameWorkers):
    """An agent in this process."""

    def __init__(self, agent: AgentSource, setup: Setup) -> None:
        self._agent, self._setup = agent, setup
        self.times = Times()

    def play(self, boards: Sequence[Board]) -> list[Played]:
        """Play the games on these boards, and return them in order."""
        played, times = play_games(self._agent, self._setup, boards)
        self.times.add_all(times)
        return played


class ProcessWorkers(GameWorkers):
    """Processes, each with its own agent."""

    def __init__(self, agent: AgentSource, setup: Setup, jobs: int) -> None:
        try:
            pickle.dumps(agent)
        except (pickle.PicklingError, AttributeError, TypeError) as reason:
            raise SapperError(
                f"the agent cannot be sent to other processes; use jobs=1: {reason}"
            ) from reason
        self._agent, self._setup, self._jobs = agent, setup, jobs
        self.times = Times()
        self._pool = ProcessPoolExecutor(
            jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_prepare_process
        )

    def play(self, boards: Sequence[Board]) -> list[Played]:
        """Play the games on these boards, and return them in order."""
        parts = [boards[start :: self._jobs] for start in range(min(self._jobs, len(boards)))]
        with ctrl_c_blocked():  # The first task starts the processes.
            tasks = [self._pool.submit(play_games, self._agent, self._setup, part) for part in parts]
        played: list[Played | None] = [None] * len(boards)
        try:
            for start, task in enumerate(tasks):
                played[start :: self._jobs], times = task.result()
                self.times.add_all(times)
        except BrokenProcessPool as reason:
            raise SapperError("a worker process died") from reason
        return [game for game in played if game is not None]

    def close(self) -> None:
        """End the processes."""
        self._pool.shutdown(cancel_futures=True)


class ProgramWorkers(GameWorkers):
    """Programs that speak the engine protocol: one for each job, with a thread that talks to it.

    A program is started once and told when a new game begins. Its times are wall-clock times.
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
        """Play the games on these boards, and return them in order."""
        jobs = len(self._programs)
        parts = [boards[start::jobs] for start in range(min(jobs, len(boards)))]
        played: list[Played | None] = [None] * len(boards)
        with ThreadPoolExecutor(jobs) as pool:
            tasks = [
                pool.submit(play_games, partial(_begin_game, program), self._setup, part, perf_counter)
                for program, part in zip(self._programs, parts, strict=False)
            ]
            try:
                for start, task in enumerate(tasks):
                    played[start::jobs], times = task.result()
                    self.times.add_all(times)
            except BaseException:
                self.close()  # The other threads are waiting for their programs.
                raise
        return [game for game in played if game is not None]

    def close(self) -> None:
        """End the programs."""
        for program in self._programs:
            program.close()


def _begin_game(program: Program, seed: int) -> Program:
    """Tell a program that a new game begins, and return it."""
    program.begin(seed)
    return program


def _prepare_process() -> None:
    """Let Ctrl-C end this process silently, and let it end with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if os.name != "nt":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    end_with_parent()


def core_count() -> int:
    """Return the number of cores that this process may use.

    >>> core_count() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
