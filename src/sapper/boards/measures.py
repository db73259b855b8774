"""Measures: how much work a minefield is, and how fast and how well a game was played."""

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
    """How much work a minefield is, whoever plays it."""

    height: int
    width: int
    mines: int
    bbbv: int
    """3BV: how many left clicks open every safe cell, if no flag is set."""
    openings: int
    """The groups of zeros that touch each other, also at corners: each is one click of the 3BV."""
    islands: int
    """The groups of numbers that touch no zero, of cells that touch each other, also at corners."""
    zini: int
    """Greedy ZiNi: how many clicks win with flags and chords, by a greedy method."""
    hzini: int
    """Human ZiNi: the same if all openings are opened first, and only open numbers are chorded."""
    numbers: tuple[int, ...]
    """How many safe cells show 0, how many 1, and so on up to 8."""

    def to_json(self) -> dict[str, Any]:
        """Return the measures as an object for `json.dumps`.

        >>> measure(Minesweeper.with_mines(1, 3, [(0, 0)])).to_json()["numbers"]
        [1, 1, 0, 0, 0, 0, 0, 0, 0]
        """
        return asdict(self) | {"numbers": list(self.numbers)}


@dataclass(frozen=True)
class GameMeasures:
    """How fast and how well a game was played, to its end or as far as it went.

    What cannot be told is None: a speed where no time has passed, a share of no clicks.
    """

    board: BoardMeasures
    outcome: Outcome
    seconds: float
    """From the first entry of the record to the last."""
    bbbv_done: int
    """How much of the 3BV is open at the end: openings with an open zero, and open numbers outside."""
    left: int
    """Clicks that opened a cell, or a mine."""
    right: int
    """Clicks that set a flag or took one off."""
    chords: int
    """Chords, those that opened nothing among them."""
    idle: int
    """Other clicks that changed nothing."""
    wasted: int
    """All clicks that changed nothing: idle ones, and chords that opened nothing."""
    undone: int
    """How often a move was taken back. That is no click, but the move's own clicks count."""
    by_agents: int
    """How many of the clicks were an agent's."""

    @property
    def clicks(self) -> int:
        """All clicks."""
        return self.left + self.right + self.chords + self.idle

    @property
    def useful(self) -> int:
        """The clicks that changed the board: opened a cell, set a flag or took one off."""
        return self.clicks - self.wasted

    @property
    def style(self) -> Literal["flags", "no flags"]:
        """Whether any flag was set."""
        return "flags" if self.right else "no flags"

    @property
    def bbbv_per_second(self) -> float | None:
        """Speed: the 3BV done in a second."""
        return _ratio(self.bbbv_done, self.seconds)

    @property
    def clicks_per_second(self) -> float | None:
        """All clicks in a second."""
        return _ratio(self.clicks, self.seconds)

    @property
    def ioe(self) -> float | None:
        """Index of efficiency: the 3BV done with a click."""
        return _ratio(self.bbbv_done, self.clicks)

    @property
    def correctness(self) -> float | None:
        """The share of the clicks that were useful."""
        return _ratio(self.useful, self.clicks)

    @property
    def throughput(self) -> float | None:
        """The 3BV done with a useful click."""
        return _ratio(self.bbbv_done, self.useful)

    @property
    def zne(self) -> float | None:
        """ZiNi efficiency: the board's ZiNi by the clicks; None for a game that was not won."""
        return _ratio(self.board.zini, self.clicks) if self.outcome is Outcome.WON else None

    @property
    def znt(self) -> float | None:
        """ZiNi throughput: the board's ZiNi by the useful clicks; None for a game that was not won."""
        return _ratio(self.board.zini, self.useful) if self.outcome is Outcome.WON else None

    @property
    def rqp(self) -> float | None:
        """Rapport qualité prix: the seconds by the speed; lower is better."""
        speed = self.bbbv_per_second
        return None if speed is None else _ratio(self.seconds, speed)

    @property
    def estimated_seconds(self) -> float | None:
        """The time the whole board would have taken at this speed; of a game won, the time it took."""
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
    """Return the measures of a minefield, or of the one a game is played on.

    The minefield may be of the package or of the course's file, which has a class of its own.

    >>> game = Game.new("expert", seed=7)
    >>> opened = game.open((8, 8))
    >>> board = measure(game)
    >>> board.bbbv, board.openings, board.islands, board.zini, board.hzini
    (154, 12, 9, 110, 119)
    """
    minefield = of.minefield if isinstance(of, Game) else of
    if minefield is None:
        raise SapperError("the game has not begun: its mines are not drawn")
    if not all(hasattr(minefield, name) for name in ("height", "width", "mines")):
        raise TypeError(f"expected a Minesweeper or Game object, not {quoted(of)}")
    return _measure_board(Regions(minefield))


def measure_record(record: Record) -> GameMeasures:
    """Return the measures of a game that was recorded.

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
