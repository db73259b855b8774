"""Measures: how much work a minefield takes, and how fast and efficiently a game was played."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from sapper.arguments import instance
from sapper.boards.regions import MINE, Regions
from sapper.boards.zini import greedy_zini, human_zini
from sapper.errors import SapperError
from sapper.game.game import Game, Outcome
from sapper.game.record import PLAYER, Record, check_times
from sapper.minesweeper import Minesweeper
from sapper.text import quoted

__all__ = ["BoardMeasures", "GameMeasures", "measure", "measure_record"]


@dataclass(frozen=True)
class BoardMeasures:
    """How much work a minefield takes."""

    height: int
    width: int
    mines: int
    bbbv: int
    """3BV: the fewest left clicks that open every safe cell, without flags."""
    openings: int
    """The number of connected groups of zeros, including diagonally: each is one click of the 3BV."""
    islands: int
    """The number of connected groups of numbers not next to a zero, including diagonally."""
    zini: int
    """Greedy ZiNi: the number of clicks to win with flags and chords, by a greedy method."""
    hzini: int
    """Human ZiNi: the same, but with all openings first, and chords only on open numbers."""
    numbers: tuple[int, ...]
    """The number of safe cells that show 0, 1, and so on up to 8."""

    def to_json(self) -> dict[str, Any]:
        """Return the measures as an object for `json.dumps`.

        >>> measure(Minesweeper.with_mines(1, 3, [(0, 0)])).to_json()["numbers"]
        [1, 1, 0, 0, 0, 0, 0, 0, 0]
        """
        return asdict(self) | {"numbers": list(self.numbers)}


@dataclass(frozen=True)
class GameMeasures:
    """How fast and efficiently a game was played, finished or not.

    Undefined values are None, such as a speed if no time has passed.
    """

    board: BoardMeasures
    outcome: Outcome
    seconds: float
    """From the first entry of the record to the last."""
    bbbv_done: int
    """The part of the 3BV that is done: openings with an open zero, and open numbers outside them."""
    left: int
    """Clicks that opened a cell, or a mine."""
    right: int
    """Clicks that set or removed a flag."""
    chords: int
    """Chords, including those that opened nothing."""
    idle: int
    """Other clicks that changed nothing."""
    wasted: int
    """All clicks that changed nothing: idle ones, and chords that opened nothing."""
    undone: int
    """The number of undone moves. Undoing is not a click, but the undone clicks count."""
    by_agents: int
    """The number of clicks made by agents."""

    @property
    def clicks(self) -> int:
        """All clicks."""
        return self.left + self.right + self.chords + self.idle

    @property
    def useful(self) -> int:
        """The clicks that changed the board."""
        return self.clicks - self.wasted

    @property
    def style(self) -> Literal["flags", "no flags"]:
        """Whether any flag was set."""
        return "flags" if self.right else "no flags"

    @property
    def bbbv_per_second(self) -> float | None:
        """Speed: 3BV done per second."""
        return _ratio(self.bbbv_done, self.seconds)

    @property
    def clicks_per_second(self) -> float | None:
        """Clicks per second."""
        return _ratio(self.clicks, self.seconds)

    @property
    def ioe(self) -> float | None:
        """Index of efficiency: 3BV done per click."""
        return _ratio(self.bbbv_done, self.clicks)

    @property
    def correctness(self) -> float | None:
        """The share of the clicks that were useful."""
        return _ratio(self.useful, self.clicks)

    @property
    def throughput(self) -> float | None:
        """3BV done per useful click."""
        return _ratio(self.bbbv_done, self.useful)

    @property
    def zne(self) -> float | None:
        """ZiNi efficiency: the board's ZiNi divided by the clicks; None unless the game was won."""
        return _ratio(self.board.zini, self.clicks) if self.outcome is Outcome.WON else None

    @property
    def znt(self) -> float | None:
        """ZiNi throughput: the board's ZiNi divided by the useful clicks; None unless it was won."""
        return _ratio(self.board.zini, self.useful) if self.outcome is Outcome.WON else None

    @property
    def rqp(self) -> float | None:
        """Rapport qualité prix: seconds divided by speed; lower is better."""
        speed = self.bbbv_per_second
        return None if speed is None else _ratio(self.seconds, speed)

    @property
    def estimated_seconds(self) -> float | None:
        """The time that the whole board would have taken at this speed; for a won game, its time."""
        if self.outcome is Outcome.WON:
            return self.seconds
        return _ratio(self.seconds * self.board.bbbv, self.bbbv_done)

    def to_json(self) -> dict[str, Any]:
        """Return the measures as an object for `json.dumps`, with those of the board as `board`.

        >>> facts = measure_record(Record.of(Game.on("3x1/1", [(0, 0)]))).to_json()
        >>> facts["outcome"], facts["clicks"], facts["ioe"], facts["board"]["bbbv"]
        ('playing', 0, None, 1)
        """
        return {
            "outcome": self.outcome.value,
            "seconds": self.seconds,
            "estimated_seconds": self.estimated_seconds,
            "bbbv_done": self.bbbv_done,
            "bbbv_per_second": self.bbbv_per_second,
            "rqp": self.rqp,
            "clicks": self.clicks,
            "left": self.left,
            "right": self.right,
            "chords": self.chords,
            "idle": self.idle,
            "wasted": self.wasted,
            "useful": self.useful,
            "undone": self.undone,
            "by_agents": self.by_agents,
            "style": self.style,
            "clicks_per_second": self.clicks_per_second,
            "ioe": self.ioe,
            "correctness": self.correctness,
            "throughput": self.throughput,
            "zne": self.zne,
            "znt": self.znt,
            "board": self.board.to_json(),
        }


def measure(of: Minesweeper | Game) -> BoardMeasures:
    """Return the measures of a minefield, or of a game's minefield.

    The minefield may be an instance of the package's class, or of the class in the course's file.

    >>> game = Game.new("expert", seed=7)
    >>> opened = game.open((8, 8))
    >>> board = measure(game)
    >>> board.bbbv, board.openings, board.islands, board.zini, board.hzini
    (154, 12, 9, 110, 119)
    """
    minefield = of.minefield if isinstance(of, Game) else of
    if minefield is None:
        raise SapperError("the game has not started: open a cell first, so that its mines are drawn")
    if not all(hasattr(minefield, name) for name in ("height", "width", "mines")):
        raise TypeError(f"expected a Minesweeper or Game object, not {quoted(of)}")
    return _measure_board(Regions(minefield))


def measure_record(record: Record) -> GameMeasures:
    """Return the measures of a recorded game.

    >>> from sapper import Entry
    >>> entries = Entry(0, "open", (0, 0)), Entry(1, "flag", (0, 2)), Entry(2.5, "open", (0, 3))
    >>> game = measure_record(Record.of(Game.on("4x1/1", [(0, 2)]), entries))
    >>> game.outcome, game.bbbv_done, game.bbbv_per_second, game.clicks, game.style
    (<Outcome.WON: 'won'>, 2, 0.8, 3, 'flags')
    """
    record = instance(record, Record, "the record of a game")
    check_times(record)
    game = record.begin()
    assert game.minefield is not None
    regions = Regions(game.minefield)
    kinds = {"open": 0, "flag": 0, "chord": 0, "undo": 0, "click": 0}
    empty_chords = by_agents = 0
    for entry, before, after in record.play(game):
        kinds[entry.kind] += 1
        by_agents += entry.by != PLAYER and entry.kind != "undo"
        # A chord into nothing but mines changes no position, but ends the game.
        empty_chords += entry.kind == "chord" and before == after and not game.exploded
    return GameMeasures(
        board=_measure_board(regions),
        outcome=game.outcome,
        seconds=record.seconds,
        bbbv_done=regions.bbbv_done(game.position),
        left=kinds["open"],
        right=kinds["flag"],
        chords=kinds["chord"],
        idle=kinds["click"],
        wasted=kinds["click"] + empty_chords,
        undone=kinds["undo"],
        by_agents=by_agents,
    )


def _measure_board(regions: Regions) -> BoardMeasures:
    return BoardMeasures(
        height=regions.height,
        width=regions.width,
        mines=regions.numbers.count(MINE),
        bbbv=regions.bbbv,
        openings=len(regions.openings),
        islands=regions.islands,
        zini=greedy_zini(regions),
        hzini=human_zini(regions),
        numbers=tuple(map(regions.numbers.count, range(9))),
    )


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None
