"""The student's side of a check: loads a `minesweeper.py` and does what the checker asks.

This file runs as a program in a process of its own, which `Submission` starts and limits. It uses
only the standard library and does not import Sapper. It reads one request per line from standard
input and writes one answer per line; both are JSON.
"""
# ruff: noqa: ANN401 -- nothing is known about the types of a student's objects.

from __future__ import annotations

import ast
import copy
import faulthandler
import inspect
import io
import json
import os
import random
import sys
import threading
import time
import types
from collections.abc import Callable
from operator import index
from typing import Any, Final

MOST_OUTPUT: Final = 2000
"""The number of printed characters that are kept."""
MOST_SENTENCES: Final = 5000
"""An answer lists at most this many sentences."""
_MOST_SOURCE: Final = 1_000_000
"""Longer files are not read."""
_STACK: Final = 2**20
"""The stack of a thread, in bytes. The usual 8 MiB would soon use up the memory that is allowed."""
_BEAT_SECONDS: Final = 0.2
"""How long a call must take to be reported by itself."""
_CPU_SECONDS: Final = 600
"""A process that its parent has lost ends after this much CPU time."""

Json = dict[str, Any]


class _Printed(io.TextIOBase):
    """Stands in for standard output and keeps the beginning of what is printed."""

    def __init__(self) -> None:
        self._text = ""

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        self._text += text[: MOST_OUTPUT - len(self._text)]
        return len(text)

    def take(self) -> str:
        """Return what was printed since the last call."""
        text, self._text = self._text, ""
        return text


class Host:
    """Holds the student's module, runs scripts with its classes, and keeps one agent for a game."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.beat: Callable[[], None] = lambda: None
        """Is called after each step of a script."""
        self.module: types.ModuleType | None = None
        self._printed = _Printed()
        self._threads = threading.active_count()
        self._agent: Any = None

    def answer(self, request: Json) -> Json:
        """Return the answer to one request. What the student's code raises is part of the answer."""
        act = {
            "load": self._load,
            "run": self._run,
            "sentence": self._sentence,
            "play": self._play,
            "begin": self._begin,
            "tell": self._tell,
            "move": self._move,
        }
        standard = sys.stdout, sys.stderr
        sys.stdout = sys.stderr = self._printed
        try:
            answer = act[request["do"]](request)
        except BaseException as error:
            answer = {"error": self._describe(error)}
        finally:
            sys.stdout, sys.stderr = standard
        answer["output"] = self._printed.take()
        answer["threads"] = threading.active_count() - self._threads
        return answer

    # Loading -----------------------------------------------------------------------------------

    def _load(self, _: Json) -> Json:
        with open(self.path, "rb") as file:
            source = file.read(_MOST_SOURCE + 1)
        if len(source) > _MOST_SOURCE:
            raise ValueError(f"the file is longer than {_MOST_SOURCE} bytes")
        tree = ast.parse(source, self.path)
        answer: Json = {"imports": _foreign_imports(tree)}
        module = types.ModuleType("minesweeper")
        module.__file__ = self.path
        sys.modules["minesweeper"] = module
        try:
            exec(compile(tree, self.path, "exec"), module.__dict__)
        except BaseException as error:
            answer["error"] = self._describe(error)
            return answer
        self.module = module
        answer["classes"] = {
            name: _methods(value) for name, value in vars(module).items() if inspect.isclass(value)
        }
        return answer

    def _class(self, name: str) -> Any:
        if self.module is None:
            self._load({})
        return getattr(self.module, name)

    # Running -----------------------------------------------------------------------------------

    def _run(self, request: Json) -> Json:
        """Create an agent and carry out the steps of a script; report its state after each."""
        moments: list[Json] = []
        last_only = request.get("last_only", False)
        started = time.perf_counter()
        try:
            ai = self._class("MinesweeperAI")(height=request["height"], width=request["width"])
            if not request["steps"]:
                moments.append(_state(ai))
            for number, step in enumerate(request["steps"]):
                returned = self._step(ai, step)
                moment = {} if last_only and number + 1 < len(request["steps"]) else _state(ai)
                moment |= {"returned": returned, "output": self._printed.take()}
                moments.append(moment)
                self.beat()
        except BaseException as error:
            return {"moments": moments, "error": self._describe(error)}
        return {"moments": moments, "seconds": time.perf_counter() - started}

    def _step(self, ai: Any, step: Json) -> Any:
        cell = tuple(step["cell"]) if "cell" in step else None
        match step["action"]:
            case "add_knowledge":
                ai.add_knowledge(cell, step["count"])
            case "mark_mine" | "mark_safe" as name:
                getattr(ai, name)(cell)
            case "make_safe_move" | "make_random_move" as name:
                move = getattr(ai, name)
                return [_value(move()) for _ in range(step.get("times", 1))]
            case "add to mines":
                ai.mines.add(cell)
            case "add to safes":
                ai.safes.add(cell)
            case "add sentence":
                ai.knowledge.append(self._new_sentence(step))
            case "reverse knowledge":
                ai.knowledge.reverse()
            case "replace knowledge":
                ai.knowledge = [*ai.knowledge, self._new_sentence(step)]
            case "copy knowledge":
                ai.knowledge = copy.deepcopy(ai.knowledge)
            case "rebuild knowledge":
                sentence = self._class("Sentence")
                ai.knowledge = [sentence(set(each.cells), each.count) for each in ai.knowledge]
        return None

    def _new_sentence(self, step: Json) -> Any:
        return self._class("Sentence")({tuple(cell) for cell in step["cells"]}, step["count"])

    def _sentence(self, request: Json) -> Json:
        """Create a sentence and carry out one action with it."""
        sentence = self._new_sentence(request)
        cell = tuple(request["cell"]) if "cell" in request else None
        returned: Any = None
        match request["action"]:
            case "known_mines" | "known_safes" as name:
                result = getattr(sentence, name)()
                returned = _value(result)
                if isinstance(result, set):
                    result.clear()  # A live set would take the sentence's cells with it.
            case "mark_mine" | "mark_safe" as name:
                getattr(sentence, name)(cell)
            case "==":
                returned = bool(sentence == self._new_sentence(request["other"]))
            case "str":
                returned = str(sentence)
        return {"returned": returned, "cells": _cells(sentence.cells), "count": index(sentence.count)}

    def _play(self, request: Json) -> Json:
        """Play a game as the course's window does, and report whether it was won."""
        random.seed(request["seed"])
        height, width = request["height"], request["width"]
        mines = {tuple(cell) for cell in request["mines"]}
        ai = self._class("MinesweeperAI")(height=height, width=width)
        opened: set[Any] = set()
        while len(opened) < height * width - len(mines):
            cell = ai.make_safe_move()
            known = cell is not None
            if cell is None:
                cell = ai.make_random_move()
            if cell is None or cell in mines or cell in opened:
                return {"won": False, "false": known and cell in mines}
            opened.add(cell)
            i, j = cell
            around = {(x, y) for x in range(i - 1, i + 2) for y in range(j - 1, j + 2)}
            ai.add_knowledge(cell, len(around & mines))
        return {"won": True, "false": False}

    # One agent, over several requests ----------------------------------------------------------

    def _begin(self, request: Json) -> Json:
        """Create the agent of a new game."""
        random.seed(request["seed"])
        self._agent = self._class("MinesweeperAI")(height=request["height"], width=request["width"])
        return _state(self._agent)

    def _tell(self, request: Json) -> Json:
        """Tell the agent numbers, in order; report what it knows then."""
        for cell, count in request["numbers"]:
            self._agent.add_knowledge(tuple(cell), count)
        return _state(self._agent)

    def _move(self, _: Json) -> Json:
        """Ask the agent for a safe move or else for a random one."""
        made = self._agent.make_safe_move()
        is_safe = made is not None
        if made is None:
            made = self._agent.make_random_move()
        return {"returned": [is_safe, _value(made)]}

    # Errors ------------------------------------------------------------------------------------

    def _describe(self, error: BaseException) -> Json:
        """Return an exception's type, message and the last line of the student's file it came from."""
        line: int | None = None
        function = ""
        trace = error.__traceback__
        while trace is not None:
            code = trace.tb_frame.f_code
            if code.co_filename == self.path:
                line, function = trace.tb_lineno, code.co_name
            trace = trace.tb_next
        if isinstance(error, SyntaxError) and error.filename == self.path:
            line, function = error.lineno, ""
        try:
            message = error.msg if isinstance(error, SyntaxError) else str(error)
        except Exception:
            message = ""
        return {
            "type": type(error).__name__,
            "message": message[:300],
            "line": line,
            "function": "" if function == "<module>" else function,
        }


def _foreign_imports(tree: ast.Module) -> list[Json]:
    """Return the imported modules that are not in the standard library, with their lines."""
    found = []
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "."] if node.level == 0 else ["."]
        for name in names:
            top = name.split(".")[0]
            if top not in sys.stdlib_module_names:
                found.append({"module": name, "line": getattr(node, "lineno", None)})
    return found


def _methods(owner: type) -> dict[str, Any]:
    """Return the parameters of each method of a class, as pairs of a name and a kind."""
    methods: dict[str, Any] = {}
    for name in dir(owner):
        method = getattr(owner, name, None)
        if callable(method) and (not name.startswith("__") or name == "__init__"):
            try:
                parameters = inspect.signature(method).parameters.values()
            except (TypeError, ValueError):
                continue
            methods[name] = [
                [each.name, each.kind.name, each.default is not each.empty] for each in parameters
            ]
    return methods


def _cells(cells: Any) -> list[list[int]]:
    """Return cells as lists; raise a TypeError if they are no cells."""
    try:
        return [[index(i), index(j)] for i, j in cells]
    except (TypeError, ValueError):
        shown = repr(cells)[:60]
        raise TypeError(f"found {shown}") from None


def _value(value: Any) -> Json:
    """Return what a method returned: None, a cell, a set of cells, or something else."""
    if value is None:
        return {"kind": "none"}
    try:
        if isinstance(value, (set, frozenset)):
            return {"kind": "set", "cells": _cells(value)}
        if isinstance(value, tuple):
            return {"kind": "cell", "cell": _cells([value])[0]}
    except TypeError:
        pass
    return {"kind": "other", "text": repr(value)[:60]}


def _state(ai: Any) -> Json:
    """Return what the agent knows."""
    state: Json = {}
    for name in ("mines", "safes", "moves_made"):
        try:
            state[name] = _cells(getattr(ai, name))
        except (AttributeError, TypeError) as error:
            state["malformed"] = f"ai.{name} should be a set of cells ({error})"
            return state
    try:
        state["sentences"] = len(ai.knowledge)
        state["knowledge"] = [
            [_cells(sentence.cells), index(sentence.count)]
            for sentence in ai.knowledge[:MOST_SENTENCES]
        ]
    except (AttributeError, TypeError) as error:
        state["malformed"] = f"ai.knowledge should be a list of Sentence ({error})"
    return state


def _limit_memory(amount: int) -> None:
    """Limit how much memory the process can allocate beyond what it uses now."""
    try:
        import resource
    except ImportError:  # Windows.
        return
    with open("/proc/self/statm" if os.path.exists("/proc/self/statm") else os.devnull) as file:
        fields = file.read().split()
    used = int(fields[5]) * resource.getpagesize() if fields else 0  # Data and stack.
    for kind, value in (
        (resource.RLIMIT_DATA, used + amount),
        (resource.RLIMIT_CPU, _CPU_SECONDS),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 2**20),
    ):
        _, hard = resource.getrlimit(kind)
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (most, hard))


def _end_with(parent: int) -> None:
    """End the process soon after its parent was killed, even if the student's code never returns."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


def main(path: str, memory: int, trace_file: str) -> None:
    """Answer requests until standard input ends."""
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # The student's code can neither read requests nor write answers.
        os.dup2(nothing, stream)
    sys.path.insert(0, os.path.dirname(path))
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    host = Host(path)
    with open(trace_file, "w") as traces:
        _limit_memory(memory)
        threading.stack_size(_STACK)
        last_beat = 0.0

        def begin_call(trace_after: float) -> None:
            nonlocal last_beat
            last_beat = time.monotonic()
            traces.seek(0)
            traces.truncate()
            faulthandler.dump_traceback_later(trace_after, file=traces)

        for line in requests:
            request = json.loads(line)
            seconds = request["trace_after"]

            def beat(seconds: float = seconds) -> None:
                """Tell the checker that a call has ended, unless that was quick."""
                if time.monotonic() - last_beat > _BEAT_SECONDS:
                    answers.write(".\n")
                    answers.flush()
                    begin_call(seconds)

            host.beat = beat
            begin_call(seconds)
            answer = host.answer(request)
            faulthandler.cancel_dump_traceback_later()
            answers.write(json.dumps(answer) + "\n")
            answers.flush()
    os._exit(0)  # Threads of the student's code do not keep the process alive.


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
