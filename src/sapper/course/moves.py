"""Checks of make_safe_move and make_random_move.

Each function takes a submission and yields the problems it finds.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from sapper.course.examples import Problems, last_moment
from sapper.course.report import Problem
from sapper.course.scripts import Cells, Moment, Script, show_cells
from sapper.course.submission import Submission

A, B, D = (0, 0), (0, 1), (1, 0)


def safe_moves(submission: Submission) -> Problems:
    """Find out whether make_safe_move returns an unopened safe cell or None, and changes nothing."""
    yield from _safe_moves(
        submission,
        (
            Script(3, 3),
            Script(3, 3).add_knowledge(A, 0),
            Script(3, 3).then("mark_safe", A),
            Script(3, 3).then("mark_mine", (2, 2)).then("mark_safe", (1, 1)),
            Script(2, 2).add_knowledge(A, 0).add_knowledge(B, 0).add_knowledge(D, 0),
        ),
    )


def random_moves(submission: Submission) -> Problems:
    """Find out whether make_random_move returns a uniformly random legal cell or None."""
    marked = Script(3, 3).then("mark_mine", A).then("mark_mine", (1, 2)).add_knowledge((0, 2), 2)
    corner = Script(3, 3).add_knowledge(A, 1)
    full = Script(2, 2).add_knowledge(A, 3)
    safe = Script(3, 3).then("mark_safe", (1, 1))
    scripts = ((Script(3, 3), 9), (marked, 6), (corner, 8), (safe, 9), (full, 0))
    yield from _random_moves(submission, scripts)


def moves_on_rectangles(submission: Submission) -> Problems:
    """Find out whether both kinds of moves stay on boards that are not square."""
    opened = Script(1, 3).add_knowledge((0, 1), 1).add_knowledge((0, 2), 0)
    yield from _safe_moves(submission, (opened,))
    wide, high = Script(2, 4).add_knowledge((0, 3), 1), Script(4, 2).add_knowledge(A, 1)
    yield from _random_moves(submission, ((wide, 7), (high, 7), (Script(1, 3), 3)))


def _safe_moves(submission: Submission, scripts: tuple[Script, ...]) -> Problems:
    for script in scripts:
        before, problem = last_moment(submission, script)
        asked = script.then("make_safe_move", times=20)
        after, asked_problem = last_moment(submission, asked)
        if before is None or after is None:
            yield problem if before is None else asked_problem
            continue
        allowed = before.safes - before.moves_made
        yield from _moves(asked_problem, before, after, allowed, "make_safe_move")


def _random_moves(submission: Submission, scripts: tuple[tuple[Script, int], ...]) -> Problems:
    for script, legal in scripts:
        before, problem = last_moment(submission, script)
        asked = script.then("make_random_move", times=200 * legal or 1)
        after, asked_problem = last_moment(submission, asked)
        if before is None or after is None:
            yield problem if before is None else asked_problem
            continue
        board = {(i, j) for i in range(script.height) for j in range(script.width)}
        allowed = frozenset(board - before.moves_made - before.mines)
        found = list(_moves(asked_problem, before, after, allowed, "make_random_move"))
        yield from found
        counts = Counter(tuple(each["cell"]) for each in after.returned if each["kind"] == "cell")
        if found or not allowed:
            continue
        mean = sum(counts.values()) / len(allowed)
        # With 200 moves per cell, the statistic of a uniform choice exceeds 80 once in 10**12 checks.
        if sum((counts[cell] - mean) ** 2 / mean for cell in allowed) > 80:
            cell, most = counts.most_common(1)[0]
            total = sum(counts.values())
            yield replace(
                asked_problem,
                message=f"make_random_move does not choose uniformly: of {total} moves, {most} went to "
                f"{cell}, and there were {len(allowed)} cells to choose from.",
                expected=f"each cell about {mean:.0f} times",
            )


def _moves(problem: Problem, before: Moment, after: Moment, allowed: Cells, method: str) -> Problems:
    """Find a move that is not allowed, or a change of what the agent knows."""
    for each in after.returned:
        if each["kind"] == "none":
            if allowed:
                expected = f"one of {show_cells(allowed)}"
                yield replace(problem, message=f"{method} returned None.", expected=expected)
                return
        elif each["kind"] != "cell":
            shown = each.get("text", "a set")
            yield replace(problem, message=f"{method} returned {shown}, not a cell (i, j).")
            return
        elif tuple(each["cell"]) not in allowed:
            cell = tuple(each["cell"])
            if cell in before.moves_made:
                why = "it has been opened already"
            elif cell in before.mines:
                why = "it is known to be a mine"
            elif method == "make_safe_move":
                why = "it is not known to be safe"
            else:
                why = "it is not on the board"
            yield replace(
                problem,
                message=f"{method} returned {cell}, but {why}.",
                expected=f"one of {show_cells(allowed)}" if allowed else "None",
            )
            return
    for attribute in ("moves_made", "safes", "mines"):
        if getattr(before, attribute) != getattr(after, attribute):
            yield replace(
                problem,
                message=f"{method} changes `ai.{attribute}`. It should only return a cell: "
                "the caller opens it and then calls add_knowledge.",
                expected=f"{attribute}: {show_cells(getattr(before, attribute))}",
            )
            return
