"""A student's file: runs in a process of its own, with limits on time and memory."""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import IO, Any, Final

from sapper.course import host
from sapper.course.scripts import Moment, Script, StudentError, parse_cells, parse_moment
from sapper.errors import SapperError
from sapper.position import Cell
from sapper.text import plural

MEMORY: Final = 128 * 2**20
"""Bytes that a student's code may allocate. A whole expert board needs a few million."""
_START_SECONDS: Final = 20.0
_NONSENSE: Final = "the process of the agent gave an answer that makes no sense"
_LONGEST_ANSWER: Final = 64 * 2**20
_MOST_SECONDS: Final = 20.0
"""The time for all calls of a script together."""
_BEAT: Final = b".\n"
"""What the host writes when a call that took long has ended."""
_MOST_THREADS: Final = 50
"""A process that has more threads left over is replaced. Their stacks count as memory."""
_FRAME: Final = re.compile(r'File "(.*)", line (\d+) in (.*)')


class Stopped(SapperError):
    """The student's code did not finish: it took too much time or memory, or ended its process."""

    def __init__(self, reason: str, *, line: int | None = None, function: str = "") -> None:
        super().__init__(reason)
        self.line = line
        self.function = function
        self.script: Script | None = None
        """What the agent was doing."""


class TooSlow(Stopped):
    """Each call ended, but all of them together took too long."""


@dataclass(frozen=True)
class Loaded:
    """What is in a student's file."""

    classes: dict[str, dict[str, Any]]
    """The parameters of each method of each class."""
    imports: tuple[tuple[str, int], ...]
    """The imported modules that are not in the standard library, with their lines."""
    output: str
    """What the file printed while it was imported."""
    error: StudentError | None
    """Why the file could not be imported."""


@dataclass(frozen=True)
class Run:
    """The result of a script."""

    moments: tuple[Moment, ...]
    """What the agent knew after each step that was carried out."""
    error: StudentError | None
    """What the next step raised."""
    seconds: float
    """The time that the whole script took."""
    threads: int
    """The number of threads that the student's code has left running."""


@dataclass(frozen=True)
class SentenceResult:
    """What a method of a sentence returned, and the sentence afterwards."""

    returned: Any
    cells: frozenset[Cell]
    count: int
    error: StudentError | None


class Submission:
    """A student's file, which runs in a process of its own.

    The process starts with the first question. If it does not answer in time, it is killed, the
    question raises `Stopped`, and the next question starts a new process. This protects the checker
    from mistakes, not the computer from malice: the code runs with the rights of the user.

    >>> from sapper import minesweeper
    >>> with Submission(minesweeper.__file__) as submission:
    ...     run = submission.run(Script(1, 2).add_knowledge((0, 0), 1))
    >>> run.moments[0].mines
    frozenset({(0, 1)})
    """

    def __init__(self, path: str | Path, *, memory: int = MEMORY) -> None:
        self.path = Path(path).resolve()
        self._memory = memory
        self.printed = ""
        """What the agent has printed first, if it has printed anything."""
        self._process: _Process | None = None

    def __enter__(self) -> Submission:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill the process and everything it started."""
        if self._process is not None:
            self._process.kill()
            self._process = None

    def source_line(self, number: int | None) -> str:
        """Return a line of the file, without indentation."""
        if number is None:
            return ""
        with suppress(OSError, SyntaxError), open(self.path, "rb") as file:
            lines = file.read().decode("utf-8", "replace").splitlines()
            return lines[number - 1].strip() if 0 < number <= len(lines) else ""
        return ""

    def load(self, *, seconds: float = 10.0) -> Loaded:
        """Import the file, and return what is in it."""
        return _loaded(self._ask({"do": "load"}, seconds))

    def run(self, script: Script, *, seconds: float = 5.0, last_only: bool = False) -> Run:
        """Carry out a script with a new agent."""
        try:
            answer = self._ask({"do": "run", **script.to_json(), "last_only": last_only}, seconds)
        except Stopped as stop:
            stop.script = script
            raise
        try:
            moments = tuple(parse_moment(each) for each in answer.get("moments", ()))
        except (KeyError, TypeError, ValueError):
            raise Stopped(_NONSENSE) from None
        printed = next((moment.output for moment in moments if moment.output), answer["output"])
        self.printed = self.printed or printed
        if answer["threads"] > _MOST_THREADS:
            self.close()  # The next script starts without them.
        return Run(moments, _error(answer), answer.get("seconds", 0.0), answer["threads"])

    def sentence(
        self,
        cells: Iterable[Cell],
        count: int,
        action: str,
        *,
        cell: Cell | None = None,
        other: tuple[Iterable[Cell], int] | None = None,
        seconds: float = 5.0,
    ) -> SentenceResult:
        """Create a sentence and call one of its methods."""
        request: dict[str, Any] = {"do": "sentence", "action": action}
        request |= {"cells": sorted(cells), "count": count}
        if cell is not None:
            request["cell"] = cell
        if other is not None:
            request["other"] = {"cells": sorted(other[0]), "count": other[1]}
        answer = self._ask(request, seconds)
        found = parse_cells(answer.get("cells", ()))
        return SentenceResult(answer.get("returned"), found, answer.get("count", 0), _error(answer))

    def play(
        self, height: int, width: int, mines: Iterable[Cell], *, seed: int, seconds: float = 20.0
    ) -> bool:
        """Let the agent play a game as the course's window does; return whether it won.

        A game in which it raises an exception is lost.
        """
        request = {"do": "play", "height": height, "width": width, "seed": seed}
        answer = self._ask(request | {"mines": sorted(mines)}, seconds)
        return answer.get("won", False) is True

    def _ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        if self._process is None or not self._process.alive:
            self._process = _Process(self.path, self._memory)
        try:
            return self._process.ask(request, seconds)
        except BaseException:
            self.close()
            raise


@dataclass(frozen=True)
class AgentMove:
    """What an agent wants to open."""

    cell: Cell | None
    is_safe: bool
    """Whether `make_safe_move` returned it."""
    text: str = ""
    """What was returned instead of a cell."""


class LiveAgent:
    """An agent of a student's file that plays one game, in a process of its own.

    Unlike a `Submission`, it never starts another process: after `Stopped`, the agent is gone. Another
    thread may call `close` while a question waits for its answer.

    >>> from sapper import minesweeper
    >>> with LiveAgent(minesweeper.__file__) as agent:
    ...     _ = agent.load(), agent.begin(1, 3, seed=1)
    ...     moment, _ = agent.tell([((0, 0), 0)])
    ...     agent.move()[0].cell, sorted(moment.safes)
    ((0, 1), [(0, 0), (0, 1)])
    """

    def __init__(self, path: str | Path, *, memory: int = MEMORY) -> None:
        self._process = _Process(Path(path).resolve(), memory)

    def __enter__(self) -> LiveAgent:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill the process and everything it started."""
        self._process.kill()

    def load(self, *, seconds: float = _START_SECONDS) -> Loaded:
        """Import the file, and return what is in it."""
        return _loaded(self._ask({"do": "load"}, seconds))

    def begin(
        self, height: int, width: int, *, seed: int | None, seconds: float = 5.0
    ) -> tuple[Moment, StudentError | None]:
        """Create the agent; return what it knows, and what it raised."""
        request = {"do": "begin", "height": height, "width": width, "seed": seed}
        return self._state(request, seconds)

    def tell(
        self, numbers: Iterable[tuple[Cell, int]], *, seconds: float = 5.0
    ) -> tuple[Moment, StudentError | None]:
        """Call `add_knowledge` with each number; return what the agent knows then, or its error."""
        return self._state({"do": "tell", "numbers": list(numbers)}, seconds)

    def move(self, *, seconds: float = 5.0) -> tuple[AgentMove, StudentError | None]:
        """Ask for a safe move, or else for a random one."""
        answer = self._ask({"do": "move"}, seconds)
        if (error := _error(answer)) is not None:
            return AgentMove(None, is_safe=False), error
        try:
            is_safe, value = answer["returned"]
            cell: Cell | None = None
            if value["kind"] == "cell":
                i, j = value["cell"]
                cell = int(i), int(j)
            text = {"none": "", "cell": "", "set": "a set"}.get(value["kind"], value.get("text", ""))
            return AgentMove(cell, bool(is_safe), str(text)), None
        except (AttributeError, KeyError, TypeError, ValueError):
            raise Stopped(_NONSENSE) from None

    def _state(self, request: dict[str, Any], seconds: float) -> tuple[Moment, StudentError | None]:
        answer = self._ask(request, seconds)
        try:
            return parse_moment(answer), _error(answer)
        except (KeyError, TypeError, ValueError):
            raise Stopped(_NONSENSE) from None

    def _ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        if not self._process.alive:
            raise Stopped("its process has ended")
        try:
            return self._process.ask(request, seconds)
        except BaseException:
            self.close()
            raise


def _loaded(answer: dict[str, Any]) -> Loaded:
    imports = tuple((each["module"], each["line"]) for each in answer.get("imports", ()))
    return Loaded(answer.get("classes", {}), imports, answer["output"], _error(answer))


def _error(answer: dict[str, Any]) -> StudentError | None:
    found = answer.get("error")
    if found is None:
        return None
    return StudentError(found["type"], found["message"], found["line"], found["function"])


class _Process:
    """The process of a student's file."""

    def __init__(self, path: Path, memory: int) -> None:
        self._path = str(path)
        self._memory = memory
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        folder = tempfile.TemporaryDirectory(prefix="sapper-check-")
        self._traces = Path(folder.name, "traces")
        words = [sys.executable, "-I", "-S", "-B", "-X", "utf8", host.__file__]
        pipe = subprocess.PIPE
        apart = os.name != "nt"  # A session of its own: it can be killed with all its children.
        process = subprocess.Popen(
            [*words, self._path, str(memory), str(self._traces)],
            stdin=pipe,
            stdout=pipe,
            stderr=subprocess.DEVNULL,
            start_new_session=apart,
            cwd=folder.name,
        )
        self._process = process
        assert process.stdin is not None
        assert process.stdout is not None
        self._stdin = process.stdin
        reader = threading.Thread(target=_read, args=(process.stdout, self._answers), daemon=True)
        reader.start()
        self.kill = weakref.finalize(self, _kill, process, reader, folder)

    @property
    def alive(self) -> bool:
        """Whether the process can answer."""
        return self.kill.alive and self._process.poll() is None

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Return the answer to a request; raise `Stopped` if there is none in time."""
        line = json.dumps(request | {"trace_after": 0.9 * seconds}).encode() + b"\n"
        with suppress(OSError, ValueError):  # If it has ended, there will be no answer.
            self._stdin.write(line)
            self._stdin.flush()
        end = monotonic() + _MOST_SECONDS
        answer = _BEAT
        while answer == _BEAT:  # A call has ended; the next one has begun.
            try:
                answer = self._answers.get(timeout=seconds + 0.5)
            except queue.Empty:
                raise self._timed_out(seconds) from None
            if answer == _BEAT and monotonic() > end:
                raise TooSlow(f"the calls together took more than {_MOST_SECONDS:g} seconds")
        if not answer.endswith(b"\n"):
            raise self._ended()
        try:
            parsed = json.loads(answer)
            assert isinstance(parsed, dict)
        except (ValueError, AssertionError):
            raise Stopped(_NONSENSE) from None
        error = parsed.get("error")
        if error is not None and error["type"] == "MemoryError":
            raise Stopped(
                f"it needs more than {self._memory // 2**20} MB of memory",
                line=error["line"],
                function=error["function"],
            )
        if error is not None and error["type"] == "SystemExit":
            raise Stopped(
                "it ends the program (SystemExit)", line=error["line"], function=error["function"]
            )
        return parsed

    def _timed_out(self, seconds: float) -> Stopped:
        line, function = None, ""
        with suppress(OSError):
            for text in self._traces.read_text("utf-8", "replace").splitlines():
                found = _FRAME.search(text)
                if found and found[1] == self._path:  # The first is the innermost.
                    line, function = int(found[2]), found[3]
                    break
        after = plural(round(seconds), "second") if seconds >= 1 else f"{seconds:g} seconds"
        return Stopped(f"a call was still running after {after}", line=line, function=function)

    def _ended(self) -> Stopped:
        code = self._process.wait()
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return Stopped(f"its process ended ({how})")


def _read(answers: IO[bytes], to: queue.SimpleQueue[bytes]) -> None:
    """Pass answers on. A thread does it because the process may never answer."""
    with suppress(OSError, ValueError):
        while line := answers.readline(_LONGEST_ANSWER):
            to.put(line)
    to.put(b"")


def _kill(
    process: subprocess.Popen[bytes],
    reader: threading.Thread,
    folder: tempfile.TemporaryDirectory[str],
) -> None:
    if os.name == "nt":
        process.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    reader.join(1.0)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    folder.cleanup()
