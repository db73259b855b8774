"""Programs: an agent that is a separate program and speaks the engine protocol."""

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
from sapper.text import quoted

PATIENCE: Final = 10.0
"""The default time for a move, in seconds."""
START_SECONDS: Final = 30.0
"""The time that a program may take to start."""
_END_SECONDS: Final = 1.0
"""The time that a program may take to quit before it is killed."""
_LONGEST_QUOTE: Final = 200
"""Error messages quote at most this many characters of an answer."""
_LONGEST_NAME: Final = 100

_Exchange = queue.SimpleQueue[str | None]
_Replies = queue.SimpleQueue[bytes]


class Program:
    """An agent that starts a program and talks to it with the engine protocol.

    A move takes at most `seconds`. The program ends with the `with` statement, or when the agent is
    garbage-collected.

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
            raise SapperError(f"the seconds for a move must be more than 0, not {quoted(seconds)}")
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
        """Tell the program to quit, and kill it if it does not."""
        self._end()

    def begin(self, seed: int | None = None) -> None:
        """Tell the program that a new game begins, and its seed (default: random)."""
        self._tell(NewGame(secrets.randbits(63) if seed is None else seed))

    def choose(self, position: Position) -> Cell:
        """Return the cell to open next."""
        choice = self.decide(position)
        if choice is None:
            raise IllegalMove(f"the program {self.command!r} chose no cell")
        return choice.cell

    def decide(self, position: Position) -> Choice | None:
        """Return the cell to open next and the program's reason; None if it would open no cell."""
        self._tell(Show(position))
        said = self._ask(Go(self._seconds), self._seconds + _END_SECONDS)
        try:
            return parse_answer(said, position)
        except BadLine as reason:
            raise self._failed(f"answered {said[:_LONGEST_QUOTE]!r} to 'go': {reason}") from None

    def known_mines(self, position: Position) -> frozenset[Cell]:  # noqa: ARG002
        """Return the empty set: the protocol does not report known mines."""
        return frozenset()

    def _greet(self) -> str:
        said = self._ask(Hello(), START_SECONDS)
        match said.split(maxsplit=2):
            case ["id", "1", name] if name.isprintable() and len(name) <= _LONGEST_NAME:
                return name
        raise self._failed(f"answered {said[:_LONGEST_QUOTE]!r} to 'sapper', not 'id 1 NAME'")

    def _tell(self, command: Command) -> None:
        said = self._ask(command, self._seconds + _END_SECONDS)
        if said != "ok":
            line = str(command)
            asked = line if len(line) <= _LONGEST_QUOTE else line.split()[0]
            raise self._failed(f"answered {said[:_LONGEST_QUOTE]!r} to {asked!r}, not 'ok'")

    def _ask(self, command: Command, seconds: float) -> str:
        """Return the program's answer to a command: one line."""
        word = str(command).split()[0]
        if not self._end.alive:
            raise self._failed(f"has ended: it cannot answer '{word}'")
        self._requests.put(str(command))
        try:
            said = self._replies.get(timeout=min(seconds, threading.TIMEOUT_MAX))
        except queue.Empty:
            self.close()
            raise self._failed(f"did not answer '{word}' within {seconds:g} seconds") from None
        except BaseException:  # Ctrl-C: the late answer would be mistaken for the next one.
            self.close()
            raise
        if not said.endswith(b"\n"):
            self.close()
            line = said.decode(errors="backslashreplace")[:_LONGEST_QUOTE]
            if len(said) >= LONGEST_ANSWER:
                raise self._failed(f"answered '{word}' with more than one short line: {line!r}...")
            code = self._process.returncode
            last = f"; its last output was {line!r}" if line else ""
            raise self._failed(f"ended without an answer to '{word}' (exit code {code}){last}")
        return said.decode(errors="backslashreplace").strip()

    def _failed(self, what: str) -> BadProgram:
        return BadProgram(f"the program {self.command!r} {what}")


def split_command(command: str) -> list[str]:
    """Split a command into words, with the quoting rules of a shell.

    >>> split_command("python 'my agent.py' --fast")
    ['python', 'my agent.py', '--fast']
    """
    try:
        if os.name == "nt":  # There, backslashes separate the folders of a path.
            words = [word.strip('"') for word in shlex.split(command, posix=False)]
        else:
            words = shlex.split(command)
    except ValueError as reason:
        raise BadProgram(f"the command {command!r} is not valid: {reason}") from None
    if not words:
        raise BadProgram("the command of the program is empty")
    return words


def _start(words: list[str], command: str) -> subprocess.Popen[bytes]:
    # In a session of its own, it does not receive Ctrl-C, and its children can be killed with it.
    apart = os.name != "nt"
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(words, stdin=pipe, stdout=pipe, start_new_session=apart)
    except (OSError, ValueError) as reason:
        why = getattr(reason, "strerror", None) or reason
        raise BadProgram(f"the program {command!r} cannot be started: {why}") from None


def _talk(to: IO[bytes], answers: IO[bytes], requests: _Exchange, replies: _Replies) -> None:
    """Pass requests and answers on. It runs on a thread because a program may never read or answer."""
    while (request := requests.get()) is not None:
        said = b""
        with suppress(
            OSError
        ):  # The program may have ended before it read everything, but after it answered.
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
    """Wait until the program ends, or the time is up."""
    if not hasattr(os, "waitid"):
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        return
    # The program stays a zombie, so that its process ID is not reused before its group is killed.
    options = os.WEXITED | os.WNOHANG | os.WNOWAIT
    end, pause = time.monotonic() + seconds, 0.001
    with suppress(ChildProcessError):
        while os.waitid(os.P_PID, process.pid, options) is None and time.monotonic() < end:
            time.sleep(pause)
            pause = min(2 * pause, 0.05)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the program and everything it started, even if it has ended itself."""
    if os.name == "nt":
        process.kill()
        return
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
