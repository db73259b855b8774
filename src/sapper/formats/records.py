"""Game records as JSON: what was done in a game, when and by whom, with one line per move."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Collection, Iterable, Set
from typing import Any, Final, NoReturn, cast, get_args

from sapper.errors import BadFile, BadRecord, SapperError
from sapper.game.game import LARGEST_SEED, Game
from sapper.game.record import Entry, EntryKind, Record
from sapper.levels import Level, Promise
from sapper.position import Cell

FORMAT: Final = "sapper game"
VERSION: Final = 1
ENDING: Final = "\n ]\n}\n"
"""The end of a record, after its last move."""
_NAMES: Final = frozenset(
    (
        *("format", "version", "width", "height", "mines", "rules", "promise"),
        *("seed", "first", "minefield", "moves"),
    )
)
_KINDS: Final = get_args(EntryKind)
_LONGEST_NAME: Final = 100
_MOST_SECONDS: Final = 10**9
REPLAY_SECONDS: Final = 60.0
"""The most seconds that replaying a game may take."""


class NotBegun(BadRecord):
    """No cell has been opened yet, so there is no minefield."""


# Writing -------------------------------------------------------------------------------------


def record_to_json(record: Record) -> str:
    """Return a record as the text of a `.json` file.

    >>> moves = (Entry(0.0, "open", (0, 0)), Entry(1.5, "open", (0, 3), by="logic"))
    >>> record = Record(Level.named("4x1/1"), Promise.SAFE, frozenset({(0, 2)}), moves, seed=7)
    >>> print(record_to_json(record), end="")
    {
     "format": "sapper game",
     "version": 1,
     "width": 4,
     "height": 1,
     "mines": 1,
     "rules": "usual",
     "promise": "safe",
     "seed": "7",
     "first": null,
     "minefield": [
      "..*."
     ],
     "moves": [
      {"at": 0.0, "do": "open", "cell": [0, 0], "by": "player"},
      {"at": 1.5, "do": "open", "cell": [0, 3], "by": "logic"}
     ]
    }
    """
    check_record(record)
    return text_of(record.begin(), record.entries)


def text_of(game: Game, entries: Iterable[Entry]) -> str:
    """Return the record of a game with these entries as text, even before the mines are placed.

    >>> text_of(Game.new("beginner", seed=7), []).splitlines()[-4:]
    [' "minefield": null,', ' "moves": [', ' ]', '}']
    """
    level = game.level
    facts = {
        "format": FORMAT,
        "version": VERSION,
        "width": level.width,
        "height": level.height,
        "mines": level.mines,
        "rules": "course" if level.course_rules else "usual",
        "promise": game.promise.value,
        "seed": None if game.seed is None else str(game.seed),
        "first": game.first,
    }
    lines = [f" {json.dumps(name)}: {json.dumps(value)}," for name, value in facts.items()]
    if game.minefield is None:
        lines.append(' "minefield": null,')
    else:
        rows = ",\n".join(f'  "{row}"' for row in _rows(level, game.minefield.mines))
        lines.append(f' "minefield": [\n{rows}\n ],')
    moves = ",".join("\n" + move_line(entry) for entry in entries)
    return "\n".join(("{", *lines, ' "moves": [')) + moves + ENDING


def move_line(entry: Entry) -> str:
    """Return the line of a move.

    >>> move_line(Entry(1.5, "undo"))
    '  {"at": 1.5, "do": "undo", "by": "player"}'
    """
    cell = {} if entry.cell is None else {"cell": entry.cell}
    return "  " + json.dumps({"at": entry.at, "do": entry.kind, **cell, "by": entry.by})


def _rows(level: Level, mines: Collection[Cell]) -> Iterable[str]:
    rows = [bytearray(b".") * level.width for _ in range(level.height)]
    for row, column in mines:
        rows[row][column] = ord("*")
    return (row.decode("ascii") for row in rows)


# Reading -------------------------------------------------------------------------------------


def record_from_json(text: str, *, most_cells: int | None = None) -> Record:
    """Return the record of a `.json` file; raises `BadRecord` if anything is invalid.

    A board with more than `most_cells` cells is an error, before any move is made on it.

    >>> moves = (Entry(0.0, "flag", (0, 2)), Entry(2.5, "undo"))
    >>> record = Record(Level.named("4x1/1"), Promise.NONE, frozenset({(0, 2)}), moves)
    >>> record_from_json(record_to_json(record)) == record
    True
    """
    facts = _parse(text)
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        raise BadRecord(f'it is not a game record: it does not contain "format": "{FORMAT}"')
    version = facts.get("version")
    if type(version) is not int or version != VERSION:
        raise BadRecord(f"game records of version {_shown(version)} are not supported")
    _check_names(facts, _NAMES, "the record")
    if facts["minefield"] is None:
        raise NotBegun("no cell has been opened yet, so the mines are not placed")
    try:
        record = _record(facts)
        check_cells(record.level.height * record.level.width, most_cells)
    except BadRecord:
        raise
    except SapperError as error:
        raise BadRecord(str(error)) from error
    check_record(record)
    return record


def check_cells(cells: int, most: int | None) -> None:
    """Raise an error if a board has more cells than are allowed; None allows any number.

    >>> check_cells(480, 40_000)
    """
    if most is not None and cells > most:
        raise BadFile(f"the board has {cells:,} cells; at most {most:,} are allowed")


def check_record(record: Record) -> None:
    """Raise `BadRecord` unless this game can be replayed move by move.

    >>> moves = (Entry(0.0, "open", (0, 0)), Entry(1.5, "open", (0, 0)))
    >>> check_record(Record(Level.named("4x1/1"), Promise.SAFE, frozenset({(0, 2)}), moves))
    Traceback (most recent call last):
    sapper.errors.BadRecord: move 2 cannot be made: the cell at row 1, column 1 is already open
    """
    before = 0.0
    for number, entry in enumerate(record.entries, start=1):
        check_entry(entry, number)
        if entry.at < before:
            raise BadRecord(f"move {number}: the time goes back from {before} to {entry.at}")
        before = entry.at
    try:
        record.level.check_promise(record.promise)
        end = time.monotonic() + REPLAY_SECONDS
        for number, _ in enumerate(record.moments(), start=1):
            if time.monotonic() > end:
                raise BadRecord(
                    f"replaying it takes too long: {REPLAY_SECONDS:g} s for {number:,} moves"
                )
    except BadRecord:
        raise
    except SapperError as error:
        raise BadRecord(str(error)) from error


def check_entry(entry: Entry, number: int) -> None:
    """Raise `BadRecord` unless an entry is valid by itself; `number` is for the message.

    >>> check_entry(Entry(0.0, "open"), 1)
    Traceback (most recent call last):
    sapper.errors.BadRecord: move 1: every move except undo needs a cell
    """
    if not 0 <= entry.at <= _MOST_SECONDS:
        raise BadRecord(f"move {number}: {entry.at} is not a number of seconds")
    if not (0 < len(entry.by) <= _LONGEST_NAME and entry.by.isprintable()):
        raise BadRecord(f"move {number}: {_shown(entry.by)} is not a valid name of a player or agent")
    if entry.kind not in _KINDS:
        raise BadRecord(f"move {number}: {_shown(entry.kind)} is not one of {', '.join(_KINDS)}")
    if (entry.cell is None) != (entry.kind == "undo"):
        raise BadRecord(f"move {number}: every move except undo needs a cell")


def _record(facts: dict[str, Any]) -> Record:
    height, width, mines = (_whole(facts[name], f'"{name}"') for name in ("height", "width", "mines"))
    course_rules = _one_of(facts, "rules", ("usual", "course")) == "course"
    level = Level.of_size(height, width, mines, course_rules=course_rules)
    if not isinstance(facts["moves"], list):
        raise BadRecord(f'"moves" is {_shown(facts["moves"])}, not a list')
    return Record(
        level,
        Promise(_one_of(facts, "promise", [promise.value for promise in Promise])),
        _mines(facts["minefield"], level),
        tuple(_entry(move, number) for number, move in enumerate(facts["moves"], start=1)),
        _seed(facts["seed"]),
        None if facts["first"] is None else _cell(facts["first"], '"first"'),
    )


def _entry(move: object, number: int) -> Entry:
    what = f"move {number}"
    if not isinstance(move, dict):
        raise BadRecord(f"{what} is {_shown(move)}, not an object")
    kind = move.get("do")
    _check_names(move, {"at", "do", "by"} if kind == "undo" else {"at", "do", "cell", "by"}, what)
    at, by = move["at"], move["by"]
    if type(at) not in (int, float) or not 0 <= at <= _MOST_SECONDS:
        raise BadRecord(f"{what}: {_shown(at)} is not a number of seconds")
    if not isinstance(kind, str) or not isinstance(by, str):
        raise BadRecord(f'{what}: "do" and "by" must be text')
    cell = None if kind == "undo" else _cell(move["cell"], what)
    return Entry(float(at), cast(EntryKind, kind), cell, by)


def _mines(rows: object, level: Level) -> frozenset[Cell]:
    if not isinstance(rows, list) or len(rows) != level.height:
        raise BadRecord(f'"minefield" is not a list of {level.height} rows')
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, str) or len(row) != level.width or set(row) - {".", "*"}:
            raise BadRecord(f'row {number} of "minefield" is not {level.width} characters "." or "*"')
    return frozenset(
        (i, j) for i, row in enumerate(rows) for j, symbol in enumerate(row) if symbol == "*"
    )


def _seed(seed: object) -> int | None:
    if seed is None:
        return None
    if isinstance(seed, str) and re.fullmatch(r"0|[1-9]\d{0,19}", seed, re.ASCII):
        number = int(seed)
        if number <= LARGEST_SEED:
            return number
    raise BadRecord(f'the seed is {_shown(seed)}, not null or a text from "0" to "{LARGEST_SEED}"')


def _cell(cell: object, what: str) -> Cell:
    if not isinstance(cell, list) or len(cell) != 2:
        raise BadRecord(f"{what}: {_shown(cell)} is not a cell [row, column]")
    row, column = (_whole(number, what) for number in cell)
    return row, column


def _whole(number: object, what: str) -> int:
    if type(number) is not int or not 0 <= number <= LARGEST_SEED:
        raise BadRecord(f"{what}: {_shown(number)} is not a whole number from 0 to 2**64 - 1")
    return number


def _one_of(facts: dict[str, Any], name: str, values: Collection[str]) -> str:
    value = facts[name]
    if not isinstance(value, str) or value not in values:
        raise BadRecord(f'"{name}" is {_shown(value)}, not one of {", ".join(values)}')
    return value


def _check_names(facts: dict[str, Any], names: Set[str], what: str) -> None:
    for missing in sorted(names - facts.keys()):
        raise BadRecord(f'{what} has no "{missing}"')
    for unknown in sorted(facts.keys() - names):
        raise BadRecord(f"{what} has an unknown name: {_shown(unknown)}")


def _parse(text: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=_object, parse_int=_integer, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise BadRecord(f"it is not JSON: {error.msg} at {where}") from error
    except RecursionError:
        raise BadRecord("it is not a game record: it is nested too deeply") from None


def _integer(digits: str) -> int:
    if len(digits) > 20:  # Converting thousands of digits is slow.
        raise BadRecord(f"a number has {len(digits):,} digits; at most 20 are allowed")
    return int(digits)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    facts: dict[str, object] = {}
    for name, value in pairs:
        if name in facts:
            raise BadRecord(f"{_shown(name)} appears twice")
        facts[name] = value
    return facts


def _refuse(constant: str) -> NoReturn:
    raise BadRecord(f"{constant} is not a valid number")


def _shown(value: object) -> str:
    """Return a value for an error message: short and on one line."""
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:60]}..."
