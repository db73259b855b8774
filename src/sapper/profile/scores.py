"""Scores: finished games, and their statistics by level and kind of board."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone
from functools import lru_cache
from itertools import groupby
from typing import Any, Final, Literal, TypeAlias, get_args

from sapper.boards.regions import Regions
from sapper.errors import BadScore
from sapper.formats.code import board_code
from sapper.formats.records import record_to_json
from sapper.game.game import Outcome
from sapper.game.record import MOST_SECONDS, PLAYER, Record
from sapper.levels import LEVELS, Level, Promise
from sapper.position import LARGEST_SIDE, format_size

BoardKind: TypeAlias = Literal["random", "no guess", "given"]
"""Where a board came from: drawn at random, made to need no guess, or given by a code or a file."""

KINDS: Final[tuple[str, ...]] = get_args(BoardKind)
BEST: Final = 5
"""The number of best times listed."""
MOST_CLICKS: Final = 10**9
_MOST_BBBV: Final = LARGEST_SIDE**2
_TYPES: Final[dict[str, tuple[type, ...]]] = {
    **dict.fromkeys(("finished", "level", "promise", "kind", "code"), (str,)),
    **dict.fromkeys(("width", "height", "mines", "bbbv"), (int,)),
    "clicks": (int, type(None)),
    "seconds": (float, int),
    "record": (str, type(None)),
}
_NAMES_OF_TYPES: Final = {str: "text", int: "a whole number", float: "a number"}


@dataclass(frozen=True)
class FinishedGame:
    """A game that was won or lost: a row of the history."""

    finished: str
    """When the game was finished: UTC, in ISO 8601 format."""
    level: str
    width: int
    height: int
    mines: int
    promise: str
    kind: BoardKind
    outcome: Outcome
    seconds: float
    bbbv: int
    """3BV: the fewest left clicks that win without flags."""
    clicks: int | None
    """None if they were not counted."""
    helped: bool
    """Whether the player had help: an agent's move, advice, or an undone move."""
    practice: bool
    """Whether the game was for practice."""
    code: str
    """The board's code."""
    record: str | None = field(default=None, repr=False, compare=False)
    """The game as the text of a `.json` file. `History` reads it only on request."""
    number: int | None = field(default=None, compare=False)
    """Its number in the history; None if it is not on disk."""

    def __post_init__(self) -> None:
        for name, types in _TYPES.items():
            value = getattr(self, name)
            if not isinstance(value, types) or isinstance(value, bool):
                raise BadScore(f"{name} is {_shown(value)}, not {_NAMES_OF_TYPES[types[0]]}")
        if self.outcome not in (Outcome.WON, Outcome.LOST):
            raise BadScore("the game is not finished")
        if self.kind not in KINDS:
            raise BadScore(f"{_shown(self.kind)} is not a kind of board: {', '.join(KINDS)}")
        if self.level not in _names(self.height, self.width, self.mines):
            size = format_size(self.height, self.width, self.mines)
            raise BadScore(f"{_shown(self.level)} is not a level of size {size}")
        if not 0 <= self.bbbv <= _MOST_BBBV:
            raise BadScore(f"{self.bbbv} is not a 3BV from 0 to {_MOST_BBBV:,}")
        if self.clicks is not None and not 0 <= self.clicks <= MOST_CLICKS:
            raise BadScore(f"{self.clicks} is not a number of clicks from 0 to {MOST_CLICKS:,}")
        if not 0 <= self.seconds <= MOST_SECONDS:
            raise BadScore(f"{self.seconds} is not a number of seconds from 0 to {MOST_SECONDS:,}")
        try:
            when = datetime.fromisoformat(self.finished)
        except ValueError:
            raise BadScore(f"{_shown(self.finished)} is not a time in ISO 8601 format") from None
        if when.utcoffset() is None or when.utcoffset():
            raise BadScore(f"{_shown(self.finished)} is not a time in UTC")
        Promise.named(self.promise)

    @classmethod
    def of(
        cls,
        record: Record,
        *,
        kind: BoardKind = "random",
        helped: bool = False,
        practice: bool = False,
        finished: datetime | None = None,
    ) -> FinishedGame:
        """Return the row of a recorded game; `finished` defaults to the current time.

        A record with agent moves or undone moves counts as helped. The caller passes `helped` for other
        help, such as hints.

        >>> from sapper.game.record import Entry
        >>> moves = Entry(0.0, "open", (0, 0)), Entry(1.5, "open", (0, 3))
        >>> record = Record(Level.named("4x1/1"), Promise.SAFE, frozenset({(0, 2)}), moves)
        >>> game = FinishedGame.of(record, kind="given")
        >>> game.outcome, game.seconds, game.bbbv, game.clicks, game.bbbv_per_second
        (<Outcome.WON: 'won'>, 1.5, 2, 2, 1.3333333333333333)
        """
        level = record.level
        played = record.replay()
        assert played.minefield is not None
        finished = (finished or _now()).astimezone(timezone.utc)
        return cls(
            finished=finished.isoformat(timespec="seconds"),
            level=_name_of(level),
            width=level.width,
            height=level.height,
            mines=level.mines,
            promise=record.promise.value,
            kind=kind,
            outcome=played.outcome,
            seconds=record.seconds,
            bbbv=Regions(played.minefield).bbbv,
            clicks=sum(entry.kind != "undo" for entry in record.entries),
            helped=helped
            or any(entry.by != PLAYER or entry.kind == "undo" for entry in record.entries),
            practice=practice,
            code=board_code(played),
            record=record_to_json(record),
        )

    @property
    def won(self) -> bool:
        """Whether it was won."""
        return self.outcome is Outcome.WON

    @property
    def counts(self) -> bool:
        """Whether it counts: no help and no practice."""
        return not (self.helped or self.practice)

    @property
    def bbbv_per_second(self) -> float | None:
        """The speed of a win in 3BV per second; None if the game was lost or took under 1 ms."""
        return self.bbbv / self.seconds if self.won and self.seconds >= 0.001 else None


@dataclass(frozen=True)
class LevelStatistics:
    """The statistics of the games on one level and kind of board.

    Games with help and practice games are counted separately. They affect neither times nor streaks.
    """

    level: str
    kind: BoardKind
    games: int
    wins: int
    streak: int
    """The current streak: the number of wins since the last loss."""
    longest_streak: int
    best: tuple[FinishedGame, ...]
    """The fastest wins, up to five; the earlier of two equal times comes first."""
    mean_seconds: float | None
    """The mean time of the wins; None if there are none."""
    best_bbbv_per_second: float | None
    """The highest speed of a win; None if it is unknown."""
    helped: int
    """The number of additional games with help."""
    practice: int
    """The number of additional practice games, with or without help."""

    @property
    def share(self) -> float | None:
        """The win rate; None if there are no games."""
        return self.wins / self.games if self.games else None

    @property
    def best_seconds(self) -> float | None:
        """The time of the fastest win; None if there is none."""
        return self.best[0].seconds if self.best else None

    def to_json(self) -> dict[str, Any]:
        """Return the statistics as an object for `json.dumps`.

        >>> statistics([])
        []
        """
        best = [
            {"seconds": game.seconds, "bbbv": game.bbbv, "finished": game.finished, "code": game.code}
            for game in self.best
        ]
        return asdict(self) | {"share": self.share, "best_seconds": self.best_seconds, "best": best}


def statistics(
    games: Iterable[FinishedGame], *, level: str | Level | None = None, kind: str | None = None
) -> list[LevelStatistics]:
    """Return the statistics of games, given in the order they were finished.

    There is one entry per level and kind of board: named levels first, then others by size. `level` and
    `kind` restrict the games.

    >>> from sapper.game.record import Entry
    >>> moves = Entry(0.0, "open", (0, 0)), Entry(1.5, "open", (0, 3))
    >>> record = Record(Level.named("4x1/1"), Promise.SAFE, frozenset({(0, 2)}), moves)
    >>> games = FinishedGame.of(record), FinishedGame.of(record, helped=True)
    >>> (row,) = statistics(games)
    >>> row.games, row.wins, row.share, row.streak, row.best_seconds, row.helped
    (1, 1, 1.0, 1, 1.5, 1)
    """
    name = None if level is None else _name_of(Level.named(level))
    if kind is not None and kind not in KINDS:
        raise BadScore(f"{kind!r} is not a kind of board: {', '.join(KINDS)}")
    wanted = [
        game
        for game in games
        if (name is None or game.level == name) and (kind is None or game.kind == kind)
    ]
    groups = groupby(
        sorted(wanted, key=_order), key=_order
    )  # The sort is stable, so games stay in order.
    return [_statistics(list(group)) for _, group in groups]


def _statistics(games: Sequence[FinishedGame]) -> LevelStatistics:
    counted = [game for game in games if game.counts]
    wins = [game for game in counted if game.won]
    streaks = [len(list(run)) for won, run in groupby(counted, lambda game: game.won) if won]
    speeds = [speed for game in wins if (speed := game.bbbv_per_second) is not None]
    return LevelStatistics(
        level=games[0].level,
        kind=games[0].kind,
        games=len(counted),
        wins=len(wins),
        streak=streaks[-1] if counted and counted[-1].won else 0,
        longest_streak=max(streaks, default=0),
        best=tuple(sorted(wins, key=lambda game: game.seconds)[:BEST]),
        mean_seconds=math.fsum(game.seconds for game in wins) / len(wins) if wins else None,
        best_bbbv_per_second=max(speeds, default=None),
        helped=sum(game.helped and not game.practice for game in games),
        practice=sum(game.practice for game in games),
    )


def _order(game: FinishedGame) -> tuple[int, int, str, int]:
    """Return the sort key of a game: its level and kind of board."""
    names = list(LEVELS)
    place = names.index(game.level) if game.level in names else len(names)
    return place, game.width * game.height, game.level, KINDS.index(game.kind)


def _now() -> datetime:
    """Return the current time, or a substitute: a wrong clock must not lose a game."""
    try:
        return datetime.now(timezone.utc)
    except (OSError, OverflowError, ValueError):  # The clock is beyond the year 9999.
        return datetime.max.replace(tzinfo=timezone.utc)


def _shown(value: object) -> str:
    """Return a value for an error message: short and on one line."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _name_of(level: Level) -> str:
    """Return the name of a level, whether it was chosen by name or by size."""
    return _names(level.height, level.width, level.mines)[level.course_rules]


@lru_cache
def _names(height: int, width: int, mines: int) -> tuple[str, str]:
    """Return the names of the levels of a size: with the normal rules, and with the course's."""
    normal = Level.of_size(height, width, mines)
    return normal.name, Level.of_size(height, width, mines, course_rules=True).name
