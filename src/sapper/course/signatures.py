"""Checks of what is in a student's file: imports, classes, methods, parameters and attributes.

Each function takes a submission and yields the problems it finds.
"""

from __future__ import annotations

from typing import Any, Final

from sapper.course.examples import Problems, problem_of
from sapper.course.report import Problem
from sapper.course.scripts import Script
from sapper.course.submission import Loaded, Stopped, Submission
from sapper.text import listed

_CONTRACT: Final = {
    "Minesweeper": {
        "__init__": ("height", "width", "mines"),
        "print": (),
        "is_mine": ("cell",),
        "nearby_mines": ("cell",),
        "won": (),
    },
    "Sentence": {
        "__init__": ("cells", "count"),
        "known_mines": (),
        "known_safes": (),
        "mark_mine": ("cell",),
        "mark_safe": ("cell",),
    },
    "MinesweeperAI": {
        "__init__": ("height", "width"),
        "mark_mine": ("cell",),
        "mark_safe": ("cell",),
        "add_knowledge": ("cell", "count"),
        "make_safe_move": (),
        "make_random_move": (),
    },
}
"""The parameters of every method, without `self`."""


def imports(submission: Submission, loaded: Loaded) -> Problems:
    """Find imports from outside the standard library."""
    for module, line in loaded.imports:
        what = "another file" if module == "." else f"`{module}`"
        yield Problem(
            f"The file imports {what}, which is not in the standard library. "
            "The course checks minesweeper.py alone.",
            line=line,
            source=submission.source_line(line),
        )


def signatures(submission: Submission, loaded: Loaded) -> Problems:
    """Find classes, methods, parameters and attributes that are missing or different."""
    if not _CONTRACT.keys() & loaded.classes.keys():
        yield Problem(f"The file has none of the classes {listed(list(_CONTRACT))}.")
    for name, methods in _CONTRACT.items():
        found = loaded.classes.get(name)
        if found is None:
            yield Problem(f"The class `{name}` is missing.")
            continue
        for method, wanted in methods.items():
            parameters = found.get(method)
            shown = f"{name}.{method}({', '.join(('self', *wanted))})"
            if parameters is None:
                yield Problem(f"The method `{shown}` is missing.")
            elif not _accepts(parameters, wanted, by_name=method == "__init__"):
                actual = ", ".join(each[0] for each in parameters)
                yield Problem(
                    f"`{name}.{method}({actual})` has other parameters than the course's `{shown}`."
                )
            elif method == "__init__" and name != "Sentence" and not _optional(parameters):
                yield Problem(f"`{name}()` should work without arguments: the default size is 8x8.")
    run = submission.run(Script(2, 3))
    if run.error is not None:
        yield problem_of(submission, run.error, "`MinesweeperAI(height=2, width=3)`")
    elif run.moments and run.moments[0].malformed:
        yield Problem(f"A new agent has a wrong attribute: {run.moments[0].malformed}.")
    else:
        moment = run.moments[0]
        for attribute in ("mines", "safes", "moves_made", "knowledge"):
            if getattr(moment, attribute):
                yield Problem(f"A new agent should know nothing, but `{attribute}` is not empty.")
        yield from _shared_state(submission)


def _shared_state(submission: Submission) -> Problems:
    """Find out whether an agent starts with what an earlier agent has learned."""
    try:
        submission.run(Script(2, 2).add_knowledge((0, 0), 0))
        submission.run(Script(2, 2).add_knowledge((0, 0), 3))
    except Stopped:
        return  # The other checks say more about that.
    run = submission.run(Script(2, 2))
    for attribute in ("mines", "safes", "moves_made", "knowledge"):
        if run.moments and getattr(run.moments[0], attribute):
            yield Problem(
                f"A new agent already has something in `{attribute}`: agents share it. The cause may "
                "be a mutable default argument, a class attribute or a global variable.",
            )


def _accepts(parameters: list[Any], wanted: tuple[str, ...], *, by_name: bool) -> bool:
    """Return whether a method can be called as the course calls it."""
    own = parameters[1:]
    positional = [each for each in own if each[1] in ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD")]
    names = [each[0] for each in positional]
    needed = [each for each in own if not each[2] and each[1] in _NEEDED]
    if any(each[1] == "VAR_POSITIONAL" for each in own):
        return True
    if len(names) < len(wanted) or len(needed) > len(wanted):
        return False
    if by_name:
        return tuple(names[: len(wanted)]) == wanted
    return set(names[: len(wanted)]) != set(wanted) or tuple(names[: len(wanted)]) == wanted


def _optional(parameters: list[Any]) -> bool:
    """Return whether every parameter but `self` has a default."""
    return all(has_default or kind.startswith("VAR") for _, kind, has_default in parameters[1:])


_NEEDED: Final = ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY")
