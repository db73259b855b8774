"""The words of a report, which the terminal and the page share."""

from __future__ import annotations

from typing import Final

from sapper.course.report import MOST_SHOWN, Problem, Report, Result, Status, printable
from sapper.course.scripts import show_cells
from sapper.text import format_count, percent, plural

COORDINATES: Final = "Cells are (row, column), counted from 0, as in the course."
NO_SOLUTIONS: Final = "This report shows positions and reasons, never solution code."
_MOST_OUTPUT_LINES: Final = 5
"""A report shows at most this many lines of what the code printed."""


def place_of(problem: Problem, file: str) -> str:
    """Return where in the student's file a problem comes from; empty if that is unknown.

    >>> place_of(Problem("", line=187, function="add_knowledge"), "minesweeper.py")
    'minesweeper.py, line 187, in add_knowledge'
    """
    if problem.line is None:
        return ""
    function = f", in {printable(problem.function, 60)}" if problem.function else ""
    return f"{printable(file)}, line {problem.line}{function}"


def calls_of(problem: Problem, *, most: int | None = None) -> list[str]:
    """Return what was done with the agent, one call per line. With `most`, middle ones are left out.

    >>> steps = tuple(f"ai.add_knowledge((0, {column}), 0)" for column in range(9))
    >>> for call in calls_of(Problem("", height=1, width=9, steps=steps), most=4):
    ...     print(call)
    ai = MinesweeperAI(height=1, width=9)
    ai.add_knowledge((0, 0), 0)
    ... and 6 more calls, then:
    ai.add_knowledge((0, 7), 0)
    ai.add_knowledge((0, 8), 0)
    """
    calls = list(problem.steps)
    if problem.cells:
        calls.insert(0, f"ai = MinesweeperAI(height={problem.height}, width={problem.width})")
    if most is not None and len(calls) > most + 1:
        half = most // 2
        left_out = plural(len(calls) - 2 * half, "more call")
        calls[half:-half] = [f"... and {left_out}, then:"]
    return calls


def beliefs_of(problem: Problem) -> list[tuple[str, str]]:
    """Return what the agent knows: pairs of an attribute and its value. Further sentences have no name.

    >>> from sapper.course.scripts import Claim, Moment
    >>> claim = Claim(frozenset({(0, 0), (0, 1)}), 1)
    >>> beliefs_of(Problem("", knows=Moment(knowledge=(claim,), sentences=1)))
    [('mines', 'set()'), ('safes', 'set()'), ('knowledge', '{(0, 0), (0, 1)} = 1')]
    """
    knows = problem.knows
    if knows is None:
        return []
    sentences = [printable(str(each)) for each in knows.knowledge[:MOST_SHOWN]]
    more = knows.sentences - len(sentences)
    if more > 0:
        sentences.append(f"and {plural(more, 'more sentence', 'more sentences')}")
    first, *rest = sentences or ["no sentences"]
    return [
        ("mines", printable(show_cells(knows.mines))),
        ("safes", printable(show_cells(knows.safes))),
        ("knowledge", first),
        *(("", each) for each in rest),
    ]


def knowledge_heading(problem: Problem) -> str:
    """Return the heading of what the agent knows. If the last call raised, it is from before that."""
    return (
        "What the agent knew before the last call"
        if problem.line
        else "What the agent knows afterwards"
    )


def reasons_of(problem: Problem) -> list[str]:
    """Return why a cell follows or does not, one sentence each, without boards drawn as text."""
    return [each for each in problem.reasons if "\n" not in each]


def output_of(problem: Problem) -> list[str]:
    """Return the first lines of what the code printed.

    >>> output_of(Problem("", output="move\\n" * 9))
    ['move', 'move', 'move', 'move', 'move', '...']
    """
    lines = problem.output.splitlines()
    shown = [printable(line, 100) for line in lines[:_MOST_OUTPUT_LINES]]
    return shown + ["..."] * (len(lines) > len(shown))


def is_failure(result: Result, *, strict: bool) -> bool:
    """Return whether a result makes the agent incorrect."""
    return result.status is Status.FAILED or (strict and result.status is Status.ADVICE)


def note_of(result: Result) -> str:
    """Return what follows the title of a check in the list: a measurement, or that it was skipped."""
    if result.status is Status.SKIPPED:
        return "not checked"
    return result.note


def verdict_of(report: Report, *, strict: bool) -> str:
    """Return the verdict in one sentence.

    >>> from pathlib import Path
    >>> verdict_of(Report(Path("x.py"), (), 0, 0, 1.0, Problem("It is empty.")), strict=False)
    'Could not be checked.'
    """
    if report.unreadable is not None:
        return "Could not be checked."
    counted = report.counted(strict=strict)
    kind = "check" if strict else "required check"
    failed = len(report.failures(strict=strict))
    if failed:
        return f"Incorrect: {failed} of {plural(len(counted), kind)} failed."
    if report.exit_code(strict=strict) == 2:
        skipped = sum(result.status is Status.SKIPPED for result in counted)
        return f"Not decided: {skipped} of {plural(len(counted), kind)} could not be made."
    return f"Correct: all {plural(len(counted), kind)} passed."


def share_of(report: Report) -> str:
    """Return the share of forced cells that the agent found, in one sentence; empty if unknown.

    >>> from pathlib import Path
    >>> share_of(Report(Path("x.py"), (), 50, 100, 1.0))
    'The agent found 50.0 % of the cells that follow by counting and subsets (50 of 100).'
    """
    if report.share_found is None:
        return ""
    return (
        f"The agent found {percent(report.share_found)} of the cells that follow by counting and"
        f" subsets ({format_count(report.found)} of {format_count(report.forced)})."
    )
