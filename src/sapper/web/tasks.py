"""Tasks: the work of requests, as functions that a worker process runs."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final

import sapper
from sapper.advice.guess import explain_guess_within
from sapper.analysis import analyse_within
from sapper.course.trace import trace
from sapper.errors import SapperError
from sapper.formats import (
    analysis_to_json,
    board_code,
    board_to_json,
    check_cells,
    position_from_text,
    read_bytes,
    record_from_json,
    record_to_json,
)
from sapper.game.game import Game
from sapper.game.record import Record
from sapper.position import Position
from sapper.proof.difficulty import easiest_proof_within
from sapper.proof.proof import explain
from sapper.reviews.review import review
from sapper.session.background import Report
from sapper.web.play import do_begin, do_look, do_play, do_record
from sapper.web.replies import LIMIT, MOST_CELLS, Data, Refused, Reply, read_level, to_json

MOST_LEARN_CELLS: Final = 256
"""The most cells of a board on the Learn page."""
MOST_PICTURE_CELLS: Final = 10_000
"""The most cells in a picture."""
REVIEW_SECONDS: Final = 25.0
REVIEW_PLAYOUTS: Final = 256


def read_position(facts: Data, most: int = MOST_CELLS) -> Position:
    """Return the position of a request; raise an error if it is too large for the server."""
    position = position_from_text(facts["position"], mines=facts.get("mines"))
    check_cells(len(position), most)
    return position


def do_analyse(facts: Data, _: Report) -> Reply:
    """Reply with the analysis of a position: the object of `sapper hint --json`."""
    trust_flags = facts.get("trust_flags", False)
    analysis = analyse_within(read_position(facts), LIMIT.start(), trust_flags=trust_flags)
    return Reply(to_json(analysis_to_json(analysis)))


def do_explain(facts: Data, _: Report) -> Reply:
    """Reply with a proof or the reasons for a guess: the object of `sapper explain --json`."""
    position, cell = read_position(facts), facts.get("cell")
    if cell is not None:
        return Reply(to_json(explain(position, (cell[0], cell[1]), limit=LIMIT).to_json()))
    if len(position.hidden) == position.mines:
        raise SapperError("every hidden cell is a mine, so there is nothing left to open")
    budget = LIMIT.start()
    proof = easiest_proof_within(position, budget)
    found = explain_guess_within(position, budget) if proof is None else proof
    return Reply(to_json(found.to_json()))


def do_review(facts: Data, report: Report) -> Reply:
    """Reply with the review of a record: the object of `sapper review --json`."""
    record = record_from_json(facts["record"], most_cells=MOST_CELLS)
    found = review(record, playouts=REVIEW_PLAYOUTS, seconds=REVIEW_SECONDS, jobs=1, progress=report)
    return Reply(to_json(found.to_json()))


def do_board(facts: Data, _: Report) -> Reply:
    """Reply with a new board and its mines: the object of `sapper new --format json`."""
    game = sapper.generate(
        read_level(facts["level"]),
        seed=None if facts["seed"] is None else int(facts["seed"]),
        first=None if facts["first"] is None else (facts["first"][0], facts["first"][1]),
        no_guess=facts["no_guess"],
        difficulty=facts["difficulty"],
        limit=LIMIT,
    )
    return Reply(to_json(board_to_json(game)))


def do_learn(facts: Data, _: Report) -> Reply:
    """Reply with a game of the course's agent: every inference is an event."""
    level = read_level(facts["level"], MOST_LEARN_CELLS)
    seed = secrets.randbits(32) if facts["seed"] is None else int(facts["seed"])
    game = Game.new(level, seed=seed, promise="safe")
    events = trace(game, seed=seed)
    assert game.minefield is not None
    return Reply(
        to_json(
            {
                "width": level.width,
                "height": level.height,
                "mines": level.mines,
                "seed": str(seed),
                "minefield": sorted(map(list, game.minefield.mines)),
                "events": events,
            }
        )
    )


def do_picture(facts: Data, _: Report) -> Reply:
    """Reply with a position as an SVG picture."""
    position = read_position(facts, MOST_PICTURE_CELLS)
    analysis = analyse_within(position, LIMIT.start()) if facts["heat"] else None
    return Reply(position.svg(analysis).encode(), "image/svg+xml")


def do_read_file(facts: Data, _: Report) -> Reply:
    """Reply with the content of a file: a position, a board or a game."""
    content = read_bytes(facts["data"], kind=facts["kind"], most_cells=MOST_CELLS)
    if isinstance(content, Position):
        return Reply(to_json({"holds": "position", "position": str(content)}))
    if isinstance(content, Record):
        return Reply(to_json({"holds": "game", "record": record_to_json(content)}))
    return Reply(to_json({"holds": "board", "code": board_code(content)}))


TASKS: Final[dict[str, Callable[[Data, Report], Reply]]] = {
    "analyse": do_analyse,
    "explain": do_explain,
    "review": do_review,
    "board": do_board,
    "learn": do_learn,
    "picture": do_picture,
    "read_file": do_read_file,
    "begin": do_begin,
    "look": do_look,
    "play": do_play,
    "record": do_record,
}


def ignore(done: int, count: int) -> None:
    """Ignore progress.

    >>> ignore(1, 2)
    """


def run_task(name: str, facts: Data, report: Report = ignore) -> Reply:
    """Run a task; turn Sapper's errors into `Refused`.

    >>> run_task("analyse", {"position": "1 #", "mines": 1}).body[:9]
    b'{"width":'
    """
    try:
        return TASKS[name](facts, report)
    except SapperError as error:
        raise Refused.because(error) from None
