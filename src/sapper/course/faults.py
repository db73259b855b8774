"""Checks by playing: what an agent gets wrong in a game, and the smallest game that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from sapper.course.games import CheckGame
from sapper.course.logic import derive, find_layout, show_board
from sapper.course.report import Problem
from sapper.course.scripts import Cells, Moment, Script, Step, show_cells
from sapper.course.submission import Run, Submission
from sapper.minesweeper import MinesweeperAI, Sentence
from sapper.position import Cell

_MOST_CELLS: Final = 100
"""On larger boards, looking for other layouts could take very long. Only false beliefs are found."""


@dataclass(frozen=True)
class Observation:
    """A game that an agent was told, what it knew after each opening, and what it should have known."""

    game: CheckGame
    run: Run
    found: int = 0
    """The number of forced cells that it found, added up over all openings."""
    forced: int = 0
    faults: dict[str, Fault] = field(default_factory=dict)
    """The first fault of each kind."""


@dataclass(frozen=True)
class Fault:
    """Something that an agent got wrong in a game."""

    kind: str
    """The name of the check."""
    openings: int
    """After how many openings."""
    cell: Cell | None = None
    is_mine: bool = False
    """What the agent believes of the cell, or does not know of it."""
    layout: Cells | None = None
    detail: str = ""


def observe(submission: Submission, game: CheckGame, *, seconds: float) -> Observation:
    """Tell an agent the numbers of a game, and compare what it knows with what follows."""
    run = submission.run(game.script, seconds=seconds)
    reference = MinesweeperAI(game.height, game.width)
    faults: dict[str, Fault] = {}
    found = forced = 0
    believed: Cells = frozenset()
    for opened, (cell, number) in enumerate(game.numbers.items(), 1):
        reference.add_knowledge(cell, number)
        forced += len(reference.mines | reference.safes) - len(reference.moves_made)
        if opened > len(run.moments):
            continue  # An exception has ended the run.
        moment = run.moments[opened - 1]
        for fault in _faults(game, opened, moment, reference, believed):
            faults.setdefault(fault.kind, fault)
        believed = moment.mines | moment.safes
        known = (reference.mines & moment.mines) | (reference.safes & moment.safes)
        found += len(known - reference.moves_made)
    if run.error is not None:
        faults["errors"] = Fault("errors", len(run.moments) + 1, detail=str(run.error))
    if run.threads > 0:
        faults["threads"] = Fault("threads", len(run.moments))
    return Observation(game, run, found, forced, faults)


def _faults(
    game: CheckGame, opened: int, moment: Moment, reference: MinesweeperAI, believed: Cells
) -> Iterator[Fault]:
    """Yield what is wrong after an opening. Cells that were believed before are not checked again."""
    if moment.malformed:
        yield Fault("errors", opened, detail=moment.malformed)
        return
    for cells, is_mine, known in (
        (moment.mines, True, reference.mines),
        (moment.safes, False, reference.safes),
    ):
        for cell in sorted(cells - known - (believed if not moment.mines & moment.safes else set())):
            layout = _refutation(game, opened, cell, is_mine)
            if layout is not None:
                yield Fault("soundness", opened, cell, is_mine, layout)
                break
        missed = sorted(known - cells)
        if missed:
            yield Fault("completeness", opened, missed[0], is_mine)
    for number, claim in enumerate(moment.knowledge):
        determined = claim.cells & (moment.mines | moment.safes)
        if not claim.cells:
            yield Fault("clean", opened, detail="an empty sentence")
        elif determined:
            cell = min(determined)
            yield Fault("clean", opened, cell, detail=f"{claim}, although {cell} is determined")
        elif claim in moment.knowledge[:number]:
            yield Fault("clean", opened, detail=f"{claim} twice")
        else:
            continue
        break
    if moment.output:
        yield Fault("output", opened, detail=moment.output)


def _refutation(game: CheckGame, opened: int, cell: Cell, is_mine: bool) -> Cells | None:
    """Return mines that agree with all numbers, but not with what an agent believes of a cell."""
    if not (0 <= cell[0] < game.height and 0 <= cell[1] < game.width):
        return game.mines
    if (cell in game.mines) != is_mine:
        return game.mines
    if game.height * game.width > _MOST_CELLS:
        return None
    numbers = game.first(opened).numbers
    return find_layout(game.height, game.width, numbers, {cell: not is_mine})


def explain(submission: Submission, observation: Observation, fault: Fault) -> Problem:
    """Return a fault as a problem for the report."""
    if fault.kind == "threads":
        return Problem("The agent starts threads that keep running after the call.")
    game, run = observation.game.first(fault.openings), observation.run
    moment = run.moments[fault.openings - 1] if fault.openings <= len(run.moments) else None
    numbers = game.numbers
    problem = Problem(
        "",
        height=game.height,
        width=game.width,
        numbers=numbers,
        steps=tuple(map(str, game.script.steps)),
        knows=moment,
        cell=fault.cell,
    )
    match fault.kind:
        case "errors":
            return _error(submission, run, problem, fault)
        case "soundness":
            return _unsound(game, problem, fault)
        case "completeness":
            return _incomplete(game, problem, fault)
        case "clean":
            message = f"The knowledge base contains {fault.detail}."
            expected = "no empty sentence, no sentence twice, and no cell that is already determined"
            return replace(problem, message=message, expected=expected)
    message = "add_knowledge prints. Informing the user is the window's job."
    return replace(problem, message=message, output=fault.detail)


def _error(submission: Submission, run: Run, problem: Problem, fault: Fault) -> Problem:
    error = run.error
    last = problem.steps[-1] if problem.steps else "MinesweeperAI(...)"
    if error is None:
        return replace(problem, message=f"The agent has a wrong attribute: {fault.detail}.")
    return replace(
        problem,
        message=f"`{last}` raised {error}.",
        knows=run.moments[-1] if run.moments else None,
        line=error.line,
        function=error.function,
        source=submission.source_line(error.line),
    )


def _unsound(game: CheckGame, problem: Problem, fault: Fault) -> Problem:
    cell, knows = fault.cell, problem.knows
    assert cell is not None
    assert knows is not None
    what, other = ("a mine", "safe") if fault.is_mine else ("safe", "a mine")
    if cell in knows.mines & knows.safes:
        return replace(problem, message=f"The agent has marked {cell} as a mine and as safe.")
    if not (0 <= cell[0] < game.height and 0 <= cell[1] < game.width):
        return replace(problem, message=f"The agent has marked {cell}, which is not on the board.")
    board = show_board(game.height, game.width, game.numbers, fault.layout or frozenset())
    if cell in game.numbers:
        message = f"The agent believes that {cell} is a mine, but that cell has been opened."
        return replace(problem, message=message)
    return replace(
        problem,
        message=f"The agent believes that {cell} is {what}, but that does not follow.",
        expected=f"nothing about {cell}: it can be {other}",
        reasons=(f"With these mines (*), all numbers are right, and {cell} is {other}:", board),
        layout=fault.layout,
    )


def _incomplete(game: CheckGame, problem: Problem, fault: Fault) -> Problem:
    assert fault.cell is not None
    what = "a mine" if fault.is_mine else "safe"
    derivation = derive(game.height, game.width, game.numbers, fault.cell)
    reasons = () if derivation is None else tuple(derivation.sentences(game.numbers))
    return replace(
        problem,
        message=f"The agent does not find out that {fault.cell} is {what}.",
        expected=f"{fault.cell} in {'mines' if fault.is_mine else 'safes'}",
        reasons=reasons,
    )


def order_fault(submission: Submission, game: CheckGame, *, seconds: float) -> Problem | None:
    """Return a problem if opening the cells in the opposite order leads to other knowledge."""
    reverse = replace(game, openings=game.openings[::-1])
    one = submission.run(game.script, seconds=seconds)
    two = submission.run(reverse.script, seconds=seconds)
    if one.error or two.error or not one.moments or not two.moments:
        return None
    first, second = one.moments[-1], two.moments[-1]
    if (first.mines, first.safes) == (second.mines, second.safes):
        return None
    differing = (first.mines ^ second.mines) | (first.safes ^ second.safes)
    cell = min(differing)
    return Problem(
        f"What the agent knows of {cell} depends on the order in which the cells are opened.",
        height=game.height,
        width=game.width,
        numbers=game.numbers,
        steps=tuple(map(str, game.script.steps)),
        knows=first,
        cell=cell,
        expected=f"the same as in the opposite order: mines: {show_cells(second.mines)}, "
        f"safes: {show_cells(second.safes)}",
    )


EDITS: Final = (
    Step("reverse knowledge"),
    Step("copy knowledge"),
    Step("rebuild knowledge"),
    Step("add to mines"),
    Step("add to safes"),
    Step("add sentence"),
    Step("replace knowledge"),
)
"""Changes that students make by hand. The cells and sentences are filled in later."""


def edit_fault(submission: Submission, game: CheckGame, *, edit: int, seconds: float) -> Problem | None:
    """Return a problem if an agent ignores a change that was made by hand before the last opening.

    The change is the one with this number. Cells and sentences that are added by hand are true.
    """
    step = EDITS[edit]
    hidden = sorted(
        (i, j) for i in range(game.height) for j in range(game.width) if (i, j) not in game.openings
    )
    if len(game.openings) < 2 or not hidden:
        return None
    mines = [cell for cell in hidden if cell in game.mines]
    last = game.openings[-1]
    if step.action == "add to mines":
        if not mines:
            return None
        step = replace(step, cell=mines[0])
    elif step.action == "add to safes":
        step = replace(step, cell=last)
    elif step.action in ("add sentence", "replace knowledge"):
        some = frozenset(hidden[:2])
        step = replace(step, cells=some, count=len(some & game.mines))
    *openings, final = game.script.steps
    script = Script(game.height, game.width, (*openings, step, final))
    run = submission.run(script, seconds=seconds)
    reference = MinesweeperAI(game.height, game.width)
    for each in script.steps:
        _apply(reference, each)
    problem = Problem(
        "",
        height=game.height,
        width=game.width,
        numbers=game.numbers,
        steps=tuple(map(str, script.steps)),
    )
    if run.error is not None:
        return replace(
            problem,
            message=f"After `{step}`, the next call raised {run.error}.",
            line=run.error.line,
            function=run.error.function,
            source=submission.source_line(run.error.line),
        )
    moment = run.moments[-1]
    problem = replace(problem, knows=moment)
    for known, cells, what in (
        (reference.mines, moment.mines, "mines"),
        (reference.safes, moment.safes, "safes"),
    ):
        missed = sorted(known - cells)
        if missed:
            return replace(
                problem,
                message=f"The knowledge was changed by hand (`{step}`){_aside(step)}, and the next "
                f"call of add_knowledge does not find out what {missed[0]} is.",
                expected=f"{missed[0]} in {what}",
                cell=missed[0],
            )
    return None


def _aside(step: Step) -> str:
    """Return why a mark made by hand concerns sentences that exist already."""
    return ", which concerns sentences that exist already" if step.cell is not None else ""


def _apply(ai: MinesweeperAI, step: Step) -> None:
    """Carry out a step with the reference agent."""
    if step.action == "add_knowledge" and step.cell is not None and step.count is not None:
        ai.add_knowledge(step.cell, step.count)
    elif step.action == "add to mines" and step.cell is not None:
        ai.mines.add(step.cell)
    elif step.action == "add to safes" and step.cell is not None:
        ai.safes.add(step.cell)
    elif step.action in ("add sentence", "replace knowledge"):
        ai.knowledge.append(Sentence(step.cells or (), step.count or 0))
