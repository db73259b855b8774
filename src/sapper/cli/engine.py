"""The command that lets other programs use the engine: one line in, one line out."""

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
    """Serve another program: read commands on standard input, answer each with one line.

    The commands are listed in docs/engine_protocol.md.
    """
    if sys.stdin is None:
        raise SapperError("standard input is closed")
    try:
        talk(sys.stdin.buffer, sys.stdout.buffer)
    except BrokenPipeError:  # The reader is gone; without this, Python prints an error at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def talk(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer each line, until `quit` or the end of the input.

    >>> from io import BytesIO
    >>> answers = BytesIO()
    >>> talk(BytesIO(b"position 3x1/1 #1.\\ngo\\nanalyse\\ncastle\\n"), answers)
    >>> print(answers.getvalue().decode(), end="")
    ok
    none
    risks exact * - -
    error 'castle' is not a command
    """
    server = EngineServer()
    for line in _lines(questions):
        answer = server.answer(line)
        if answer is None:
            return
        answers.write(answer.encode("ascii", errors="backslashreplace") + b"\n")
        answers.flush()  # The other program waits for this line.


def _lines(file: BinaryIO) -> Iterator[str | None]:
    """Generate the lines of a file that are not blank; None stands for a line that is too long."""
    while line := file.readline(protocol.LONGEST_COMMAND + 1):
        if len(line) > protocol.LONGEST_COMMAND and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = file.readline(protocol.LONGEST_COMMAND)
            yield None
        elif line.strip():
            yield line.decode(errors="backslashreplace")


class EngineServer:
    """Answers the commands of the engine protocol. Its state is the agent and the position.

    >>> EngineServer().answer("go")
    'error there is no position yet'
    """

    def __init__(self) -> None:
        self._name = "strong" if "strong" in agents.available() else "safest"
        self._seed: int | None = None
        self._position: sapper.Position | None = None
        self._agent: agents.ReasoningAgent | None = None
        self._seconds: float | None = None

    def answer(self, line: str | None) -> str | None:
        """Return the answer to a line, None for `quit`. A line that is None was too long."""
        if line is None or line.split()[:1] == ["position"]:
            self._position = None  # A wrong position must not leave the previous one in place.
        try:
            if line is None:
                raise BadLine(
                    f"the line is too long: at most {protocol.LONGEST_COMMAND} bytes are allowed"
                )
            return self._execute(protocol.parse_command(line))
        except SapperError as error:
            return protocol.format_error(error)

    def _execute(self, command: protocol.Command) -> str | None:
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
            raise SapperError(f"{name!r} is not an agent: choose {', '.join(agents.available())}")
        self._name, self._agent = name, None

    def _shown(self) -> sapper.Position:
        if self._position is None:
            raise SapperError("there is no position yet")
        return self._position

    def _player(self, seconds: float | None) -> agents.ReasoningAgent:
        """Return the agent. A new game or another time limit needs a new one."""
        if self._agent is None or self._seconds != seconds:
            self._agent = agents.named(self._name, seed=self._seed, seconds=seconds)
            self._seconds = seconds
        return self._agent
