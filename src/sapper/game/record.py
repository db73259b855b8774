"""Records: what was done in a game, when, and by whom. A record can be replayed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from sapper.arguments import instance
from sapper.errors import BadRecord, IllegalMove, SapperError
from sapper.game.game import Game, Outcome, check_seed
from sapper.levels import Level, Promise
from sapper.position import Cell, Position
from sapper.text import plural, quoted

PLAYER = "player"
"""The name of the person who plays, as opposed to an agent."""

MOST_SECONDS: Final = 10**9
"""The longest game, about 31 years. Longer times come from a broken clock or a damaged file."""

EntryKind: TypeAlias = Literal["open", "flag", "chord", "undo", "click"]
"""`flag` sets or removes a flag, `undo` undoes the last action, and `click` changed nothing."""


class Entry(NamedTuple):
    """One action in a game."""

    at: float
    """The time, in seconds since the first entry."""
    kind: EntryKind
    """What was done."""
    cell: Cell | None = None
    """None for `undo`."""
    by: str = PLAYER
    """Who did it: `PLAYER`, or the name of an agent."""


class Moment(NamedTuple):
    """An entry of a record, and the positions before and after it."""

    entry: Entry
    before: Position
    after: Position


@dataclass(frozen=True, repr=False)
class Record:
    """A game that was played, finished or not.

    >>> moves = (Entry(0.0, "open", (0, 0)), Entry(1.5, "open", (0, 3)))
    >>> record = Record(Level.named("4x1/1"), Promise.SAFE, frozenset({(0, 2)}), moves)
    >>> record
    <Record of 4x1/1: 2 moves>
    >>> record.outcome, record.seconds
    (<Outcome.WON: 'won'>, 1.5)
    >>> [str(moment.after) for moment in record.moments()]
    ['4x1/1\\n. 1 # #', '4x1/1\\n. 1 # 1']
    """

    level: Level
    promise: Promise
    mines: frozenset[Cell]
    entries: tuple[Entry, ...]
    seed: int | None = None
    """The seed of the minefield; None if it is not known."""
    first: Cell | None = None
    """The first click that the minefield was made for; None if there is none."""

    def __post_init__(self) -> None:
        instance(self.level, Level, "the level of a record")
        object.__setattr__(self, "promise", Promise.named(self.promise))
        object.__setattr__(self, "mines", frozenset(self.mines))
        if isinstance(self.first, list):
            object.__setattr__(self, "first", tuple(self.first))
        object.__setattr__(self, "entries", tuple(self.entries))
        if self.seed is not None:
            object.__setattr__(self, "seed", check_seed(self.seed, BadRecord))
        for number, entry in enumerate(self.entries, start=1):
            instance(entry, Entry, f"entry {number} of a record")

    def __repr__(self) -> str:
        return f"<Record of {self.level.name}: {plural(len(self.entries), 'move')}>"

    @classmethod
    def of(cls, game: Game, entries: tuple[Entry, ...] | None = None) -> Record:
        """Return the record of a game whose minefield has been drawn.

        The default entries are the player's actions, all at time 0.
        """
        instance(game, Game, "the game of a record")
        if game.minefield is None:
            raise BadRecord("the game has not started: open a cell first, so that its mines are drawn")
        if entries is None:
            entries = tuple(Entry(0.0, action.kind, action.cell) for action in game.actions)
        mines = frozenset(game.minefield.mines)
        return cls(game.level, game.promise, mines, entries, game.seed, game.first)

    def begin(self) -> Game:
        """Return the game before its first entry."""
        game = Game.on(self.level, self.mines, first=self.first)
        game.seed, game.promise = self.seed, self.promise
        return game

    def moments(self) -> Iterator[Moment]:
        """Yield each entry with the positions before and after it.

        An entry that the rules do not allow raises `BadRecord`.
        """
        return self.play(self.begin())

    def replay(self) -> Game:
        """Return the game after its last entry.

        >>> Record(Level.named("2x1/1"), Promise.SAFE, frozenset({(0, 1)}), ()).replay().over
        False
        """
        game = self.begin()
        for _ in self.play(game):
            pass
        return game

    def play(self, game: Game) -> Iterator[Moment]:
        """Repeat the entries in a game, and generate each with the positions before and after it."""
        for number, entry in enumerate(self.entries, start=1):
            before = game.position
            try:
                repeat(game, entry)
            except SapperError as error:
                raise BadRecord(f"move {number} cannot be made: {error}") from error
            yield Moment(entry, before, game.position)

    @property
    def outcome(self) -> Outcome:
        """Whether the game was won, lost or not finished."""
        return self.replay().outcome

    @property
    def seconds(self) -> float:
        """The duration of the game."""
        return self.entries[-1].at if self.entries else 0.0


def check_times(record: Record) -> None:
    """Raise `BadRecord` unless the time of every entry is a number of seconds.

    >>> check_times(Record(Level.named("2x1/1"), Promise.SAFE, {(0, 1)}, [Entry(-1, "open", (0, 0))]))
    Traceback (most recent call last):
    sapper.errors.BadRecord: move 1: -1 is not a number of seconds
    """
    for number, entry in enumerate(record.entries, start=1):
        if not isinstance(entry.at, (int, float)) or not 0 <= entry.at <= MOST_SECONDS:
            raise BadRecord(f"move {number}: {quoted(entry.at)} is not a number of seconds")


def repeat(game: Game, entry: Entry) -> None:
    """Repeat the action of an entry in a game.

    >>> game = Game.on("4x1/1", [(0, 2)])
    >>> repeat(game, Entry(0.0, "open", (0, 0)))
    >>> str(game.position)
    '4x1/1\\n. 1 # #'
    """
    instance(game, Game, "the game")
    if instance(entry, Entry, "the entry").kind == "undo":
        game.undo()
        return
    if entry.cell is None or entry.cell not in game.position:
        raise IllegalMove(f"{quoted(entry.cell)} is not a cell of a board of {game.level.size}")
    match entry.kind:
        case "open":
            game.open(entry.cell)
        case "flag":
            game.flag(entry.cell)
        case "chord":
            game.chord(entry.cell)
        case "click":
            pass
        case other:
            raise IllegalMove(f"{quoted(other)} is not one of {', '.join(get_args(EntryKind))}")
