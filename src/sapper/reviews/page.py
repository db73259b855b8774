"""The HTML page of a review: one self-contained file, with the board at every move."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from typing import Any, Final

from sapper.analysis import Limit, analyse
from sapper.drawing.board import heat_colour
from sapper.errors import LimitReached, SapperError
from sapper.game.game import Outcome
from sapper.position import HIDDEN, Position, describe_cell
from sapper.proof.proof import Proof
from sapper.reviews.labels import FAULTS, Label
from sapper.reviews.reviewed_game import Review
from sapper.reviews.reviewed_move import ReviewedMove
from sapper.reviews.wording import game_words, judgement_words, move_words
from sapper.text import plural

_FIRST_RISK: Final = 0xA1
"""Risks are encoded as single characters, starting with this one for 0 percent."""
_MOST_CELLS: Final = 10_000_000
"""The limit for all boards of a page together. Browsers cannot handle more."""
_SECONDS: Final = 30.0
"""The time limit for the risks of all boards."""
_WORTH_READING: Final = (*FAULTS, Label.FINE, Label.FORCED_GUESS)


def page_of(review: Review) -> str:
    """Return the review as a self-contained HTML page.

    >>> from sapper import Entry, Level, Promise, Record, review
    >>> moves = (Entry(0.0, "open", (0, 1)), Entry(1.5, "open", (0, 2)))
    >>> game = Record(Level.named("3x1/1"), Promise.SAFE, frozenset({(0, 0)}), moves)
    >>> page_of(review(game)).startswith("<!DOCTYPE html>")
    True
    """
    level = review.record.level
    if level.height * level.width * (len(review.moves) + 1) > _MOST_CELLS:
        raise SapperError(
            f"a game of {plural(len(review.moves), 'move')} on {level.width} x {level.height} cells is"
            " too large for a page"
        )
    template = _template()
    # In JSON, `<` occurs only inside strings. Escaped, it cannot end the script element.
    data = json.dumps(_data(review), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return template.replace("/*DATA*/", data)


def _template() -> str:
    return (files("sapper.reviews") / "review.html").read_text(encoding="utf-8")


def _data(review: Review) -> dict[str, Any]:
    record, level = review.record, review.record.level
    proofs = review.proofs()
    moves = [_pointing_at(proofs.get(move.number), move) for move in review.moves]
    words = list(game_words(review))
    last = review.line[-1] if review.line else None
    end = last.after if last is not None else None
    place = level.width
    outcome = "unfinished" if review.outcome is Outcome.PLAYING else review.outcome.value
    return {
        "title": f"Review of a game: {level.name}, {outcome}",
        "subtitle": f"{level.width} x {level.height} cells, {plural(level.mines, 'mine')}",
        "summary": words,
        "seconds": record.seconds,
        "width": level.width,
        "height": level.height,
        "mines": sorted(row * place + column for row, column in record.mines),
        "exploded": _exploded(review),
        "heat": [heat_colour(percent / 100) for percent in range(101)],
        "faults": [label.value for label in FAULTS],
        "end": end and {"chance": float(end.chance), "error": end.error},
        "frames": list(_frames(review)),
        "moves": [
            {
                "number": move.number,
                "at": move.at,
                "by": move.by,
                "kind": move.kind,
                "what": move_words(move),
                "short": _short(move),
                "cell": move.cell,
                "cells": move.cells,
                "best": move.best,
                "label": move.label and move.label.value,
                "undone": move.undone,
                "before": move.before
                and {"chance": float(move.before.chance), "error": move.before.error},
                "lost_points": _lost_points(move),
                "worth_reading": move.label in _WORTH_READING,
                "words": list(judgement_words(move)),
                "proof": str(proofs[move.number]).splitlines() if move.number in proofs else None,
            }
            for move in moves
        ],
    }


def _pointing_at(proof: Proof | None, move: ReviewedMove) -> ReviewedMove:
    """Return the move with the cell of the proof as the missed cell, so that the texts agree."""
    return move if proof is None else replace(move, missed=proof.cell, best=proof.cell)


def _exploded(review: Review) -> list[int]:
    last = review.line[-1] if review.line else None
    if last is None or not last.lost:
        return []
    width, mines = review.record.level.width, review.record.mines
    return [row * width + column for row, column in last.cells if (row, column) in mines]


def _short(move: ReviewedMove) -> str:
    if move.cell is None:
        return move.kind
    return ("" if move.kind == "open" else f"{move.kind}, ") + describe_cell(move.cell)


def _lost_points(move: ReviewedMove) -> str:
    if move.loss is None or move.loss.chance == 0:
        return ""
    points = 100 * float(move.loss.chance)
    return "<0.1" if points < 0.1 else f"−{points:.1f}"  # noqa: RUF001 - A minus sign, for people.


def _frames(review: Review) -> Iterator[dict[str, Any]]:
    """Generate the changes and the risks of the board before each move and at the end."""
    level = review.record.level
    shown = bytes([HIDDEN]) * (level.height * level.width)
    until = time.monotonic() + _SECONDS
    after = None
    for moment in review.record.moments():
        yield _frame(moment.before, shown, until)
        shown, after = moment.before.codes, moment.after
    final = after or Position.blank(level.height, level.width, level.mines)
    yield {"changes": _changes(shown, final.codes), "risks": None, "certain": None}


def _frame(position: Position, shown: bytes, until: float) -> dict[str, Any]:
    frame: dict[str, Any] = {"changes": _changes(shown, position.codes), "risks": None, "certain": None}
    left = until - time.monotonic()
    if left <= 0:
        return frame
    try:
        analysis = analyse(position, limit=Limit(seconds=left))
    except LimitReached:
        return frame
    risks = bytearray(len(position))
    for (row, column), risk in analysis.risk.items():
        risks[row * position.width + column] = round(100 * risk)
    frame["risks"] = "".join(chr(_FIRST_RISK + percent) for percent in risks)
    frame["certain"] = {
        name: sorted(row * position.width + column for row, column in cells)
        for name, cells in (("safe", analysis.safe), ("mines", analysis.mines))
    }
    return frame


def _changes(before: bytes, after: bytes) -> list[tuple[int, int]]:
    pairs = zip(before, after, strict=True)
    return [(place, new) for place, (old, new) in enumerate(pairs) if old != new]
