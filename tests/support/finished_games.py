"""Finished games for the history and its statistics."""

from __future__ import annotations

from datetime import datetime, timezone

from hypothesis import strategies as st

from sapper import Level, Outcome
from sapper.profile.scores import BoardKind, FinishedGame

NOON = datetime(2026, 5, 1, 12, tzinfo=timezone.utc)


def game(
    result: str = "won",
    seconds: float = 10.0,
    *,
    level: str = "beginner",
    kind: BoardKind = "random",
    bbbv: int = 20,
    helped: bool = False,
    practice: bool = False,
) -> FinishedGame:
    size = Level.named(level)
    return FinishedGame(
        finished=NOON.isoformat(),
        level=size.name,
        width=size.width,
        height=size.height,
        mines=size.mines,
        promise="open",
        kind=kind,
        outcome=Outcome(result),
        seconds=seconds,
        bbbv=bbbv,
        clicks=None,
        helped=helped,
        practice=practice,
        code="",
    )


games = st.builds(
    game,
    st.sampled_from(["won", "lost"]),
    st.floats(0, 1e6),
    level=st.sampled_from(["beginner", "expert"]),
    kind=st.sampled_from(["random", "no guess"]),
    bbbv=st.integers(0, 300),
    helped=st.booleans(),
    practice=st.booleans(),
)
