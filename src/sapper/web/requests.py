"""Requests: the bodies that clients may send, with limits."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from sapper.agents.built_in import AgentName

LONGEST_POSITION = 120_000
LONGEST_RECORD = 2_000_000

CellField = Annotated[
    tuple[Annotated[int, Field(ge=0, le=999)], Annotated[int, Field(ge=0, le=999)]],
    Field(description="Row and column, counted from 0."),
]
LevelField = Annotated[
    str,
    Field(max_length=40, description="course, beginner, intermediate, expert or WIDTHxHEIGHT/MINES"),
]
PositionField = Annotated[
    str,
    Field(
        max_length=LONGEST_POSITION,
        description="A position in Sapper's text format or the .mine format.",
    ),
]
SeedField = Annotated[
    str, Field(pattern=r"^\d{1,20}$", description="A number from 0 to 2**64 - 1, as text.")
]
PromiseField = Literal["none", "safe", "open"]


FileKind = Literal["txt", "mine", "mbf", "json", "avf", "evf", "rmv", "mvf"]


class RequestModel(BaseModel):
    """The base of all requests: unknown fields are rejected."""

    model_config = ConfigDict(extra="forbid", strict=False)


class AnalyseRequest(RequestModel):
    """A position to analyse."""

    position: PositionField
    mines: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    trust_flags: bool = False


class ExplainRequest(RequestModel):
    """A cell to explain; without a cell, the easiest proof of a safe cell, or why a guess is needed."""

    position: PositionField
    mines: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    cell: CellField | None = None


class BoardRequest(RequestModel):
    """A board to generate."""

    level: LevelField
    seed: SeedField | None = None
    first: CellField | None = None
    no_guess: bool = True
    difficulty: Annotated[str, Field(max_length=40)] | None = None


class GameRequest(RequestModel):
    """A game to begin: on a level, or with a board code."""

    level: LevelField = "beginner"
    promise: PromiseField | None = None
    no_guess: bool = False
    difficulty: Annotated[str, Field(max_length=40)] | None = None
    code: Annotated[str, Field(max_length=60_000)] | None = None
    agent: AgentName | None = None


class MoveRequest(RequestModel):
    """A move in a game; `open`, `flag` and `mark` need a cell."""

    do: Literal["open", "flag", "mark", "undo", "redo", "go_on", "again", "ai"]
    cell: CellField | None = None


class HelpRequest(RequestModel):
    """Help to show on the board."""

    what: Literal["hint", "why", "heat", "next", "previous", "clear"]
    cell: CellField | None = None


class AgentRequest(RequestModel):
    """The agent that makes the AI moves."""

    agent: AgentName


class LearnRequest(RequestModel):
    """A board for the course's agent."""

    level: LevelField = "course"
    seed: SeedField | None = None


class PictureRequest(RequestModel):
    """A position to draw, optionally with its risks."""

    position: PositionField
    mines: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    heat: bool = False


class ReviewRequest(RequestModel):
    """A game to review: a record as text, or the name of a game on this server."""

    record: Annotated[str, Field(max_length=LONGEST_RECORD)] | None = None
    game: Annotated[str, Field(max_length=40)] | None = None

    @model_validator(mode="after")
    def _check(self) -> ReviewRequest:
        if (self.record is None) == (self.game is None):
            raise ValueError("give either a record or the name of a game")
        return self
