"""Replies of workers, their limits, and the responses to errors."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from sapper.analysis import Limit
from sapper.errors import InconsistentPosition, LimitReached, NotCertain, SapperError
from sapper.formats import check_cells
from sapper.levels import Level

Data = dict[str, Any]
"""A JSON object."""

MOST_CELLS: Final = 40_000
"""The most cells that a board on the server may have."""
LIMIT: Final = Limit(seconds=4.0, memory=256)
"""The limit for one reply. Workers that do not reply are stopped a little later."""


@dataclass(frozen=True)
class Reply:
    """The reply to a task: the body of the response and, for a game, the session to store."""

    body: bytes
    media_type: str = "application/json"
    session: str | None = None


class Refused(Exception):
    """A request was refused. The status and the body of the response say why."""

    def __init__(self, status: int, facts: Data) -> None:
        super().__init__(status, facts)
        self.status = status
        self.facts = facts

    @classmethod
    def because(cls, error: SapperError) -> Refused:
        """Return the response to one of Sapper's errors.

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


def to_json(data: object) -> bytes:
    """Return data as JSON."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False).encode()


def read_level(name: str, most: int = MOST_CELLS) -> Level:
    """Return a level that is not too large for the server."""
    level = Level.named(name)
    check_cells(level.height * level.width, most)
    return level
