"""Tasks: what requests ask the engine for, as functions from data to data that any process can run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from sapper.analysis import Limit, analyse
from sapper.background import Report
from sapper.difficulty import easiest_proof
from sapper.errors import InconsistentPosition, LimitReached, SapperError
from sapper.formats import analysis_to_json, position_from_text, record_from_json
from sapper.guess import explain_guess
from sapper.position import Position
from sapper.proof import NotCertain, explain
from sapper.review import review

Data = dict[str, Any]

MOST_CELLS: Final = 40_000
"""A board on the server has no more."""


class Refused(Exception):
    """The request cannot be answered: `status` and `facts` say why."""

    def __init__(self, status: int, facts: Data) -> None:
        super().__init__(status, facts)
        self.status = status
        self.facts = facts

    @classmethod
    def because(cls, error: SapperError) -> Refused:
        """Return what is said of one of our errors.

        >>> Refused.because(LimitReached("the limit was reached")).status
        503
        """
        facts: Data = {"error": str(error), "kind": type(error).__name__}
        if isinstance(error, InconsistentPosition):
            facts["numbers"] = sorted(map(list, error.numbers))
            facts["uses_mine_count"] = error.uses_mine_count
        if isinstance(error, NotCertain):
            facts["risk"] = float(error.risk)
        return cls(503 if isinstance(error, LimitReached) else 422, facts)


def read_position(text: str, mines: int | None = None) -> Position:
    """Return the position of a text, if it is not too large for the server."""
    position = position_from_text(text, mines=mines)
    if len(position) > MOST_CELLS:
        raise SapperError(f"a board here has at most {MOST_CELLS:,} cells")
    return position


def do_analyse(facts: Data, _: Report) -> Data:
    """Return the analysis of a position: the object of `sapper hint --json`."""
    position = read_position(facts["position"], facts.get("mines"))
    limit = Limit(seconds=facts["seconds"], states=facts["states"])
    analysis = analyse(position, trust_flags=facts.get("trust_flags", False), limit=limit)
    return analysis_to_json(analysis)


def do_explain(facts: Data, _: Report) -> Data:
    """Return a proof, or why a guess is due: the object of `sapper explain --json`."""
    position = read_position(facts["position"], facts.get("mines"))
    limit = Limit(seconds=facts["seconds"])
    cell = facts.get("cell")
    if cell is not None:
        if tuple(cell) not in position:
            raise SapperError(
                f"{cell} is not a cell of a board of {position.width} x {position.height}"
            )
        return explain(position, (cell[0], cell[1]), limit=limit).to_json()
    proof = easiest_proof(position, limit=limit)
    if proof is not None:
        return proof.to_json()
    if len(position.hidden) == position.mines:
        raise SapperError("no cell is left to open")
    return explain_guess(position, limit=limit).to_json()


def do_review(facts: Data, report: Report) -> Data:
    """Return the review of a record: the object of `sapper review --json`."""
    record = record_from_json(facts["record"])
    playouts, seconds = facts["playouts"], facts["seconds"]
    return review(record, playouts=playouts, seconds=seconds, jobs=1, progress=report).to_json()


TASKS: Final[dict[str, Callable[[Data, Report], Data]]] = {
    "analyse": do_analyse,
    "explain": do_explain,
    "review": do_review,
}


def ignore(done: int, count: int) -> None:
    """Take no notice of how much is done; a `Report` for those who do not ask.

    >>> ignore(1, 2)
    """


def run_task(name: str, facts: Data, report: Report = ignore) -> Data:
    """Do a task; our errors become `Refused`.

    >>> facts = {"position": "1 #", "mines": 1, "seconds": 1.0, "states": 1000}
    >>> run_task("analyse", facts)["mine_cells"]
    [[0, 1]]
    """
    try:
        return TASKS[name](facts, report)
    except SapperError as error:
        raise Refused.because(error) from None
