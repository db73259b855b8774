"""Checks by example: sentences, marking, the steps of add_knowledge, and marks made by hand.

Each function takes a submission and yields the problems it finds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from sapper.course.report import Problem
from sapper.course.scripts import Cells, Claim, Moment, Script, StudentError, parse_cells, show_cells
from sapper.course.submission import Run, SentenceResult, Submission
from sapper.minesweeper import neighbours
from sapper.position import Cell
from sapper.text import quoted

Problems = Iterator[Problem]

_SUBSET: Final = (
    "Step 5: the cells of one sentence are a subset of the cells of another. The agent does not "
    "infer the sentence about the remaining cells, or does not use it."
)
A, B, C, D = (0, 0), (0, 1), (0, 2), (1, 0)


def problem_of(submission: Submission, error: StudentError, message: str) -> Problem:
    """Return the problem that an exception is, with the student's line."""
    return Problem(
        f"{message} raised {error}.",
        line=error.line,
        function=error.function,
        source=submission.source_line(error.line),
    )


def sentences(submission: Submission) -> Problems:
    """Find methods of Sentence that return or do the wrong thing."""
    all_three, nothing = frozenset({A, B, C}), frozenset[Cell]()
    for cells, count, mines, safes in [
        (all_three, 3, all_three, nothing),
        (all_three, 2, nothing, nothing),
        (all_three, 0, nothing, all_three),
        (frozenset({A}), 1, frozenset({A}), nothing),
        (nothing, 0, nothing, nothing),
    ]:
        for method, wanted in (("known_mines", mines), ("known_safes", safes)):
            result = submission.sentence(cells, count, method)
            yield from _returned(submission, Claim(cells, count), method, wanted, result)
    for method, cell, after in [
        ("mark_mine", A, Claim(frozenset({B, C}), 1)),
        ("mark_mine", D, Claim(all_three, 2)),
        ("mark_safe", A, Claim(frozenset({B, C}), 2)),
        ("mark_safe", D, Claim(all_three, 2)),
    ]:
        before = Claim(all_three, 2)
        result = submission.sentence(before.cells, before.count, method, cell=cell)
        call = f"Sentence({show_cells(before.cells)}, 2).{method}({cell})"
        if result.error is not None:
            yield problem_of(submission, result.error, f"`{call}`")
        elif Claim(result.cells, result.count) != after:
            is_in = "is in" if cell in before.cells else "is not in"
            yield Problem(
                f"After `{call}`, the sentence is {Claim(result.cells, result.count)}. "
                f"The cell {is_in} the sentence.",
                expected=str(after),
            )
    two = frozenset({A, B})
    for other, same in [
        (Claim(all_three, 2), True),
        (Claim(all_three, 1), False),
        (Claim(two, 2), False),
    ]:
        result = submission.sentence(all_three, 2, "==", other=(other.cells, other.count))
        if result.error is not None:
            yield problem_of(submission, result.error, "Comparing two sentences")
        elif result.returned is not same:
            yield Problem(
                f"Sentences {Claim(all_three, 2)} and {other} should "
                f"{'' if same else 'not '}be equal (`==`)."
            )
    result = submission.sentence(two, 1, "change the given set")
    if result.error is None and result.cells != two:
        yield Problem(
            "`Sentence(cells, count)` keeps the caller's own set: if the caller changes it, the "
            "sentence changes.",
            expected="a new set",
        )
    result = submission.sentence({A}, 1, "str")
    wanted_text = str(Claim(frozenset({A}), 1))
    if result.error is not None:
        yield problem_of(submission, result.error, "`str(sentence)`")
    elif result.returned not in (wanted_text, f"frozenset({show_cells({A})}) = 1"):
        yield Problem(f"`str(sentence)` is {quoted(result.returned)}.", expected=repr(wanted_text))


def _returned(
    submission: Submission, claim: Claim, method: str, wanted: Cells, result: SentenceResult
) -> Problems:
    call = f"Sentence({show_cells(claim.cells)}, {claim.count}).{method}()"
    if result.error is not None:
        yield problem_of(submission, result.error, f"`{call}`")
        return
    kind = result.returned["kind"]
    if kind == "none":
        yield Problem(f"`{call}` returned None.", expected=show_cells(wanted))
    elif kind != "set":
        found = result.returned.get("text", "a single cell")
        yield Problem(f"`{call}` returned {found}, not a set.", expected=show_cells(wanted))
    elif parse_cells(result.returned["cells"]) != wanted:
        found = show_cells(parse_cells(result.returned["cells"]))
        yield Problem(f"`{call}` returned {found}.", expected=show_cells(wanted))
    elif (result.cells, result.count) != (claim.cells, claim.count):
        yield Problem(
            f"`{call}` returns the sentence's own set, not a copy: changing the result changes the "
            "sentence. Loops over the result then fail when cells are marked.",
            expected="a new set",
        )


def marking(submission: Submission) -> Problems:
    """Find out whether marking a cell updates the agent's sets and every sentence."""
    for method, attribute, before, left in (
        ("mark_mine", "mines", ((2, {A, B, C}), (1, {A, D})), ((1, {B, C}), (0, {D}))),
        ("mark_safe", "safes", ((2, {A, B, C}), (1, {A, D})), ((2, {B, C}), (1, {D}))),
        ("mark_mine", "mines", ((1, {A}), (2, {A, B})), ((1, {B}),)),
        ("mark_safe", "safes", ((0, {A}), (1, {A, B, C})), ((1, {B, C}),)),
    ):
        script = Script(3, 3)
        for count, cells in before:
            script = script.then("add sentence", count=count, cells=cells)
        moment, problem = last_moment(submission, script.then(method, A))
        if moment is None:
            yield problem
            continue
        if A not in getattr(moment, attribute):
            yield replace(problem, message=f"`ai.{method}(cell)` does not add the cell to {attribute}.")
        mentions = [claim for claim in moment.knowledge if A in claim.cells]
        wanted = [Claim(frozenset(cells), count) for count, cells in left]
        if mentions:
            yield replace(
                problem,
                message=f"`ai.{method}({A})` leaves the cell in the sentence {mentions[0]}. "
                "It should update every sentence in `knowledge`.",
            )
        elif any(one.cells == two.cells and one != two for one in moment.knowledge for two in wanted):
            yield replace(
                problem,
                message=f"After `ai.{method}({A})`, a sentence has the wrong count.",
                expected=" and ".join(map(str, wanted)),
            )


def steps(submission: Submission) -> Problems:
    """Find out whether each step of add_knowledge works in the simplest examples."""
    middle = (1, 1)
    around = frozenset(neighbours(middle, 3, 3))
    opened = Script(3, 3).add_knowledge(middle, 1)
    moment, problem = last_moment(submission, opened)
    if moment is None:
        yield problem
        return
    if middle not in moment.moves_made:
        yield replace(problem, message="Step 1: the opened cell is not in `moves_made`.", cell=middle)
    if middle not in moment.safes:
        yield replace(problem, message="Step 2: the opened cell is not marked as safe.", cell=middle)
    rest = frozenset({(0, 2), (1, 2), (2, 0), (2, 1), (2, 2)})
    for script, wanted, why in [
        (opened, Claim(around, 1), "the neighbours of the opened cell"),
        (
            Script(3, 3).add_knowledge(A, 1),
            Claim(frozenset({(0, 1), (1, 0), (1, 1)}), 1),
            "the neighbours of the opened cell, which are on the board",
        ),
        (
            Script(3, 3).add_knowledge((0, 0), 3).add_knowledge((2, 2), 2),
            Claim(frozenset({(1, 2), (2, 1)}), 1),
            "the neighbours that are still undetermined; a known mine reduces the count",
        ),
        (
            Script(3, 3).add_knowledge((0, 0), 0).add_knowledge(middle, 3),
            Claim(rest, 3),
            "the neighbours that are still undetermined; a safe cell does not change the count",
        ),
    ]:
        moment, problem = last_moment(submission, script)
        if moment is None:
            yield problem
        elif wanted not in moment.knowledge:
            yield replace(
                problem,
                message=f"Step 3: the new sentence should be about {why}.",
                expected=f"sentence: {wanted}",
            )
    for script, mines, safes, message in [
        (
            Script(3, 3).add_knowledge(A, 0),
            frozenset[Cell](),
            frozenset(neighbours(A, 3, 3)),
            "Step 4: a count of 0 means that all neighbours are safe.",
        ),
        (
            Script(3, 3).add_knowledge(A, 3),
            frozenset(neighbours(A, 3, 3)),
            frozenset[Cell](),
            "Step 4: a count equal to the number of cells means that all of them are mines.",
        ),
        (
            Script(3, 3).add_knowledge((0, 0), 1).add_knowledge((0, 1), 1),
            frozenset[Cell](),
            frozenset({(0, 2), (1, 2)}),
            _SUBSET,
        ),
        (
            Script(3, 3).add_knowledge((0, 0), 1).add_knowledge((0, 1), 3),
            frozenset({(0, 2), (1, 2)}),
            frozenset[Cell](),
            _SUBSET,
        ),
    ]:
        moment, problem = last_moment(submission, script)
        if moment is None:
            yield problem
        elif not (mines <= moment.mines and safes <= moment.safes):
            expected = f"mines: {show_cells(mines)}" if mines else f"safes: {show_cells(safes)}"
            yield replace(problem, message=message, expected=expected)


def manual_marks(submission: Submission) -> Problems:
    """Find out whether a new sentence leaves out cells that were added to mines or safes by hand."""
    middle, other = (1, 1), (0, 1)
    around = frozenset(neighbours(middle, 3, 3))
    for action, count, attribute in (("add to mines", 2, "mines"), ("add to safes", 3, "safes")):
        script = Script(3, 3).then(action, other).add_knowledge(middle, 3)
        moment, problem = last_moment(submission, script)
        wanted = Claim(around - {other}, count)
        if moment is None:
            yield problem
        elif wanted not in moment.knowledge:
            yield replace(
                problem,
                message=f"A cell was added to `ai.{attribute}` by hand, as the course's own checks do. "
                "The next call of add_knowledge should take it into account.",
                expected=f"sentence: {wanted}",
            )


def last_moment(submission: Submission, script: Script) -> tuple[Moment | None, Problem]:
    """Return what the agent knows after a script, and a problem to fill in; None if it raised."""
    run: Run = submission.run(script)
    problem = Problem(
        "",
        height=script.height,
        width=script.width,
        numbers=script.numbers,
        steps=tuple(map(str, script.steps)),
    )
    if run.error is not None:
        done = script.steps[len(run.moments)] if len(run.moments) < len(script.steps) else None
        found = problem_of(submission, run.error, f"`{done}`")
        merged = replace(
            problem,
            message=found.message,
            line=found.line,
            source=found.source,
            function=found.function,
        )
        return None, merged
    moment = run.moments[-1]
    if moment.malformed:
        return None, replace(problem, message=f"The agent has a wrong attribute: {moment.malformed}.")
    return moment, replace(problem, knows=moment)
