"""Programs: a console program that speaks the engine protocol, as an agent."""

from __future__ import annotations

import os
import queue
import secrets
import shlex
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Final

from sapper.agents.agent import Choice
from sapper.agents.protocol import LONGEST_ANSWER, Command, Go, Hello, NewGame, Show, parse_answer
from sapper.errors import BadLine, BadProgram, IllegalMove, SapperError
from sapper.position import Cell, Position

PATIENCE: Final = 10.0
"""How many seconds a program has for a move if nothing else is said."""
_START_SECONDS: Final = 30.0  # How long a program may take to begin.
_END_SECONDS: Final = 1.0  # How long it may take to end by itself.
_SHOWN: Final = 200  # How much of what it said an error repeats.
_LONGEST_NAME: Final = 100  # How long its name may be.

_Exchange = queue.SimpleQueue[str | None]
_Replies = queue.SimpleQueue[bytes]


class Program:
    """An agent that is a program: it is started here, and asked by the engine protocol.

    A move takes at most `seconds`. In a `with` statement it is ended at its end; otherwise when nothing
    refers to the agent any more.

    >>> import sys
    >>> code = "print('id 1 One');[print('ok' if i % 3 < 2 else 'open 0 0') for i in range(3)]"
    >>> with Program([sys.executable, "-c", code], seed=1) as program:
    ...     program.name, program.choose(Position.blank(1, 2, mines=1))
    ('One', (0, 0))
    """

    def __init__(
        self, command: str | Sequence[str], *, seed: int | None = None, seconds: float = PATIENCE
    ) -> None:
        if not (seconds > 0):
            raise SapperError(f"a program needs some seconds for a move, not {seconds}")
        words = split_command(command) if isinstance(command, str) else list(command)
        self.command = command if isinstance(command, str) else shlex.join(words)
        self._seconds = seconds
        self._requests: _Exchange = queue.SimpleQueue()
        self._replies: _Replies = queue.SimpleQueue()
        process = _start(words, self.command)
        assert process.stdin is not None
        assert process.stdout is not None
        pipes = (process.stdin, process.stdout)
        talker = threading.Thread(
            target=_talk, args=(*pipes, self._requests, self._replies), daemon=True
        )
        talker.start()
        self._process = process
        self._end = weakref.finalize(self, _end, process, talker, self._requests)
        try:
            self.name = self._greet()
            self.begin(seed)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the program: it is told to quit, and killed if it does not."""
        self._end()

    def begin(self, seed: int | None = None) -> None:
        """Tell the program that another game begins, and its seed; a random one if there is none."""
        self._tell(NewGame(secrets.randbits(63) if seed is None else seed))

    def choose(self, position: Position) -> Cell:
        """Return the cell to open next."""
        choice = self.decide(position)
        if choice is None:
            raise IllegalMove(f"the program {self.command!r} opens no cell of this position")
        return choice.cell

    def decide(self, position: Position) -> Choice | None:
        """Return the cell to open next and what the program says of it; None if it would open none."""
        self._tell(Show(position))
        said = self._ask(Go(self._seconds), self._seconds + _END_SECONDS)
        try:
            return parse_answer(said, position)
        except BadLine as reason:
            raise self._failed(f"answered {said[:_SHOWN]!r} to 'go': {reason}") from None

    def known_mines(self, position: Position) -> frozenset[Cell]:  # noqa: ARG002
        """Return the hidden cells that it knows to be mines: none, it does not say."""
        return frozenset()

    def _greet(self) -> str:
        said = self._ask(Hello(), _START_SECONDS)
        match said.split(maxsplit=2):
            case ["id", "1", name] if name.isprintable() and len(name) <= _LONGEST_NAME:
                return name
        raise self._failed(f"answered {said[:_SHOWN]!r} to 'sapper', not 'id 1 NAME'")

    def _tell(self, command: Command) -> None:
        said = self._ask(command, self._seconds + _END_SECONDS)
        if said != "ok":
            line = str(command)
            asked = line if len(line) <= _SHOWN else line.split()[0]
            raise self._failed(f"answered {said[:_SHOWN]!r} to {asked!r}, not 'ok'")

    def _ask(self, command: Command, seconds: float) -> str:
        """Return the program's answer to a command: one line."""
        word = str(command).split()[0]
        if not self._end.alive:
            raise self._failed(f"has ended, and cannot be asked to '{word}'")
        self._requests.put(str(command))
        try:
            said = self._replies.get(timeout=min(seconds, threading.TIMEOUT_MAX))
        except queue.Empty:
            self.close()
            raise self._failed(f"did not answer '{word}' within {seconds:g} seconds") from None
        except BaseException:  # Ctrl-C: its answer would be taken for the next one.
            self.close()
            raise
        if not said.endswith(b"\n"):
            self.close()
            line = said.decode(errors="backslashreplace")[:_SHOWN]
            if len(said) >= LONGEST_ANSWER:
                raise self._failed(f"answered '{word}' with more than a line: {line!r}...")
            code = self._process.returncode
            last = f", its last words were {line!r}" if line else ""
            raise self._failed(f"ended without an answer to '{word}' (exit code {code}){last}")
        return said.decode(errors="backslashreplace").strip()

    def _failed(self, what: str) -> BadProgram:
        return BadProgram(f"the program {self.command!r} {what}")


def split_command(command: str) -> list[str]:
    """Return the words of a command, quoted as a shell has them.

    >>> split_command("python 'my agent.py' --fast")
    ['python', 'my agent.py', '--fast']
    """
    try:
        if os.name == "nt":  # There a backslash parts the folders of a path.
            words = [word.strip('"') for word in shlex.split(command, posix=False)]
        else:
            words = shlex.split(command)
    except ValueError as reason:
        raise BadProgram(f"the command {command!r} cannot be read: {reason}") from None
    if not words:
        raise BadProgram("the command of a program is missing")
    return words


def _start(words: list[str], command: str) -> subprocess.Popen[bytes]:
    apart = os.name != "nt"  # So that Ctrl-C is for us to answer, and what it starts can be ended too.
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(words, stdin=pipe, stdout=pipe, start_new_session=apart)
    except (OSError, ValueError) as reason:
        why = getattr(reason, "strerror", None) or reason
        raise BadProgram(f"the program {command!r} cannot be started: {why}") from None


def _talk(to: IO[bytes], answers: IO[bytes], requests: _Exchange, replies: _Replies) -> None:
    """Pass requests on and answers back. A thread, for a program may neither read nor write."""
    while (request := requests.get()) is not None:
        said = b""
        with suppress(OSError):  # It may have ended before it read all; its answer may be there still.
            to.write(request.encode() + b"\n")
            to.flush()
        with suppress(OSError):
            said = answers.readline(LONGEST_ANSWER)
        replies.put(said)
    with suppress(OSError):
        to.write(b"quit\n")
        to.flush()
    for pipe in (to, answers):
        with suppress(OSError):
            pipe.close()


def _end(process: subprocess.Popen[bytes], talker: threading.Thread, requests: _Exchange) -> None:
    requests.put(None)
    try:
        _wait(process, _END_SECONDS)
    finally:  # Even if Ctrl-C ends the wait.
        _kill(process)
        process.wait()
    talker.join(_END_SECONDS)


def _wait(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Wait until the program has ended, or the time is up."""
    if not hasattr(os, "waitid"):
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        return
    # The program stays listed, so that no other process can get its number before its group is killed.
    options = os.WEXITED | os.WNOHANG | os.WNOWAIT
    end, pause = time.monotonic() + seconds, 0.001
    with suppress(ChildProcessError):
        while os.waitid(os.P_PID, process.pid, options) is None and time.monotonic() < end:
            time.sleep(pause)
            pause = min(2 * pause, 0.05)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a program that still runs, and whatever it has started, even if itself has ended."""
    if os.name == "nt":
        process.kill()
        return
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
