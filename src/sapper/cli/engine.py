"""The command that lets other programs use the engine: a line in, a line out."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import BinaryIO

import sapper
from sapper import agents
from sapper.agents import protocol
from sapper.errors import BadLine, SapperError


def engine() -> None:
    """Answer the lines of another program on standard input, one line each.

    docs/engine_protocol.md says which lines there are.
    """
    if sys.stdin is None:
        raise SapperError("standard input is closed: nobody can ask anything")
    try:
        talk(sys.stdin.buffer, sys.stdout.buffer)
    except BrokenPipeError:  # Nobody listens any more; Python would complain at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def talk(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer each line until one says `quit`, or there are no more.

    >>> from io import BytesIO
    >>> answers = BytesIO()
    >>> talk(BytesIO(b"position 3x1/1 #1.\\ngo\\nanalyse\\ncastle\\n"), answers)
    >>> print(answers.getvalue().decode(), end="")
    ok
    none
    risks exact * - -
    error 'castle' is not a command
    """
    desk = Desk()
    for line in _lines(questions):
        answer = desk.answer(line)
        if answer is None:
            return
        answers.write(answer.encode("ascii", errors="backslashreplace") + b"\n")
        answers.flush()  # Who asked waits for this line.


def _lines(file: BinaryIO) -> Iterator[str | None]:
    """Generate the lines of a file that are not blank, None for one that is too long."""
    while line := file.readline(protocol.LONGEST_COMMAND + 1):
        if len(line) > protocol.LONGEST_COMMAND and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = file.readline(protocol.LONGEST_COMMAND)
            yield None
        elif line.strip():
            yield line.decode(errors="backslashreplace")


class Desk:
    """Answers lines of the protocol, one after the other: it knows the agent and the position.

    >>> desk = Desk()
    >>> desk.answer("go")
    'error there is no position yet'
    """

    def __init__(self) -> None:
        self._name = "strong" if "strong" in agents.available() else "safest"
        self._seed: int | None = None
        self._position: sapper.Position | None = None
        self._agent: agents.ReasoningAgent | None = None
        self._seconds: float | None = None

    def answer(self, line: str | None) -> str | None:
        """Return the answer to a line, None to `quit`; a line that is None was too long."""
        if line is None or line.split()[:1] == ["position"]:
            self._position = None  # If this one is wrong, the one before must not be taken for it.
        try:
            if line is None:
                raise BadLine(f"a line has at most {protocol.LONGEST_COMMAND} bytes")
            return self._obey(protocol.parse_command(line))
        except SapperError as error:
            return protocol.format_error(error)

    def _obey(self, command: protocol.Command) -> str | None:
        match command:
            case protocol.Hello():
                return f"id {protocol.VERSION} Sapper {sapper.__version__}"
            case protocol.ListAgents():
                return f"agents {' '.join(agents.available())}"
            case protocol.UseAgent(name):
                self._use(name)
            case protocol.NewGame(seed):
                self._seed, self._agent = seed, None
            case protocol.Show(position):
                self._position = position
            case protocol.Go(seconds):
                return protocol.format_answer(self._player(seconds).decide(self._shown()))
            case protocol.Analyse(seconds):
                limit = sapper.Limit() if seconds is None else sapper.Limit(seconds=seconds)
                return protocol.format_analysis(sapper.analyse(self._shown(), limit=limit))
            case protocol.Quit():
                return None
        return "ok"

    def _use(self, name: str) -> None:
        if name not in agents.available():
            raise SapperError(f"{name!r} is not an agent: {', '.join(agents.available())}")
        self._name, self._agent = name, None

    def _shown(self) -> sapper.Position:
        if self._position is None:
            raise SapperError("there is no position yet")
        return self._position

    def _player(self, seconds: float | None) -> agents.ReasoningAgent:
        """Return the agent; a new one in a new game, and for another limit."""
        if self._agent is None or self._seconds != seconds:
            self._agent = agents.named(self._name, seed=self._seed, seconds=seconds)
            self._seconds = seconds
        return self._agent
