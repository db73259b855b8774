"""The engine protocol: parsing and formatting the lines that a program and an engine exchange.

docs/engine_protocol.md documents each line. `parse_command` reads what `str` of a command returns, and
`parse_answer` reads what `format_answer` returns. Nothing here starts a program.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from sapper.agents.agent import Choice
from sapper.analysis import Analysis, Chance
from sapper.errors import BadLine, SapperError
from sapper.game.game import LARGEST_SEED
from sapper.position import Position
from sapper.text import percent, quoted

VERSION: Final = 1
"""The version of the protocol."""
LONGEST_COMMAND: Final = 1_100_000
"""The most bytes of a command: enough for a position of the largest board."""
LONGEST_ANSWER: Final = 4096
"""The most bytes of a program's answer."""

_DECIMAL: Final = re.compile(r"\d{1,18}(\.\d{1,30})?(e-\d{1,3})?", re.ASCII)
_WHOLE: Final = re.compile(r"\d{1,20}", re.ASCII)
_LONGEST_NAME: Final = 100
"""The most characters of an agent's name."""
_LONGEST_ERROR: Final = 1000
"""The most characters of an error; a longer one is truncated."""


# Commands ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hello:
    """The first line: asks for the name of the program."""

    def __str__(self) -> str:
        return "sapper"


@dataclass(frozen=True)
class ListAgents:
    """Asks for the names of the agents."""

    def __str__(self) -> str:
        return "agents"


@dataclass(frozen=True)
class UseAgent:
    """Selects the agent that chooses from now on."""

    name: str

    def __str__(self) -> str:
        return f"agent {self.name}"


@dataclass(frozen=True)
class NewGame:
    """Starts a new game, with a seed for random choices."""

    seed: int

    def __str__(self) -> str:
        return f"new {self.seed}"


@dataclass(frozen=True)
class Show:
    """Shows a position."""

    position: Position

    def __str__(self) -> str:
        return f"position {format_position(self.position)}"


@dataclass(frozen=True)
class Go:
    """Asks for the cell to open, within an optional time limit."""

    seconds: float | None = None

    def __str__(self) -> str:
        return "go" + _format_limit(self.seconds)


@dataclass(frozen=True)
class Analyse:
    """Asks for the risk of every cell, within an optional time limit."""

    seconds: float | None = None

    def __str__(self) -> str:
        return "analyse" + _format_limit(self.seconds)


@dataclass(frozen=True)
class Quit:
    """Ends the conversation."""

    def __str__(self) -> str:
        return "quit"


Command = Hello | ListAgents | UseAgent | NewGame | Show | Go | Analyse | Quit


def parse_command(line: str) -> Command:
    """Parse a line as a command; extra spaces are ignored.

    >>> parse_command("go seconds 0.5")
    Go(seconds=0.5)
    >>> str(parse_command("position 3x1/1 1 # F".replace("1 # F", "1#F")))
    'position 3x1/1 1#F'
    >>> parse_command("castle")
    Traceback (most recent call last):
    sapper.errors.BadLine: 'castle' is not a command
    """
    match line.split():
        case ["sapper"]:
            return Hello()
        case ["agents"]:
            return ListAgents()
        case ["agent", *words] if words:
            name = " ".join(words)
            if len(name) > _LONGEST_NAME:
                raise BadLine(f"{quoted(name)} is too long for an agent's name")
            return UseAgent(name)
        case ["new", seed]:
            if not _WHOLE.fullmatch(seed) or int(seed) > LARGEST_SEED:
                raise BadLine(f"{quoted(seed)} is not a seed: use 0 to {LARGEST_SEED}")
            return NewGame(int(seed))
        case ["position", size, rows]:
            return Show(parse_position(f"{size} {rows}"))
        case ["go", *limit]:
            return Go(_parse_limit(limit))
        case ["analyse", *limit]:
            return Analyse(_parse_limit(limit))
        case ["quit"]:
            return Quit()
        case ["agent" | "new" | "position" as word, *_]:
            wanted = {"agent": "NAME", "new": "SEED", "position": "WIDTHxHEIGHT/MINES ROWS"}[word]
            raise BadLine(f"{quoted(line.strip())} is not '{word} {wanted}'")
    raise BadLine(f"{quoted(line.strip())} is not a command")


def format_position(position: Position) -> str:
    """Return the position on one line.

    >>> format_position(Position.parse("# 2 F / . 1 #".replace(" / ", chr(10)), mines=1))
    '3x2/1 #2F/.1#'
    """
    size, *rows = str(position).splitlines()
    return f"{size} {'/'.join(row.replace(' ', '') for row in rows)}"


def parse_position(text: str) -> Position:
    """Parse a position on one line.

    >>> print(parse_position("3x2/1 #2F/.1#"))
    3x2/1
    # 2 F
    . 1 #
    """
    size, _, rows = text.strip().partition(" ")
    if not re.fullmatch(r"\d{1,9}x\d{1,9}/\d{1,9}", size, re.ASCII):
        raise BadLine(f"{quoted(size)} is not a size WIDTHxHEIGHT/MINES")
    if "" in rows.split("/"):
        raise BadLine("the position has an empty row")
    return Position.parse("\n".join([size, *rows.split("/")]))


def _parse_limit(words: list[str]) -> float | None:
    if not words:
        return None
    if len(words) != 2 or words[0] != "seconds":
        raise BadLine(f"{quoted(' '.join(words))} is not 'seconds S'")
    return _parse_number(words[1], "a number of seconds")


def _format_limit(seconds: float | None) -> str:
    return "" if seconds is None else f" seconds {_format_number(seconds)}"


# Answers -----------------------------------------------------------------------------------------


def format_answer(choice: Choice | None) -> str:
    """Return the answer to `go` for a choice, or for None if there is no cell to open.

    >>> format_answer(Choice((2, 5), True, "")), format_answer(Choice((0, 1), False, "", risk=0.25))
    ('safe 2 5', 'open 0 1 risk 0.25')
    """
    if choice is None:
        return "none"
    row, column = choice.cell
    if choice.safe:
        return f"safe {row} {column}"
    chances = {"risk": choice.risk, "win": choice.win_chance}
    said = (f" {word} {_format_number(of)}" for word, of in chances.items() if of is not None)
    return f"open {row} {column}{''.join(said)}"


def parse_answer(line: str, position: Position) -> Choice | None:
    """Parse a program's answer to `go`; a cell that cannot be opened raises `BadLine`.

    >>> position = Position.parse("# 1 #", mines=1)
    >>> parse_answer("open 0 2 risk 0.5", position)
    Choice(cell=(0, 2), safe=False, reason='risk 50.0 %')
    >>> parse_answer("open 0 1", position)
    Traceback (most recent call last):
    sapper.errors.BadLine: 0 1 is already open
    """
    match line.split():
        case ["none"]:
            return None
        case ["safe" | "open" as word, row, column, *chances] if _is_cell(row, column):
            cell = int(row), int(column)
        case _:
            raise BadLine("it is not 'open ROW COLUMN', 'safe ROW COLUMN' or 'none'")
    if cell not in position:
        raise BadLine(f"{row} {column} is not on a board of {position.width} x {position.height} cells")
    if not position.is_hidden(cell):
        raise BadLine(f"{row} {column} is already open")
    if word == "safe" and not chances:
        return Choice(cell, True, "safe")
    risk, win_chance = _parse_chances(word, chances)
    said = [
        f"{name} {percent(chance)}"
        for name, chance in (("risk", risk), ("win probability", win_chance))
        if chance is not None
    ]
    return Choice(cell, False, ", ".join(said) or "not known to be safe", risk, win_chance)


def _parse_chances(word: str, words: list[str]) -> tuple[float | None, float | None]:
    risk = win_chance = None
    match (word, *words):
        case ("open",):
            pass
        case ("open", "risk", first):
            risk = _parse_chance(first)
        case ("open", "win", first):
            win_chance = _parse_chance(first)
        case ("open", "risk", first, "win", second):
            risk, win_chance = _parse_chance(first), _parse_chance(second)
        case _:
            raise BadLine(f"{quoted(' '.join(words))} is not '[risk R] [win W]' after open")
    return risk, win_chance


def format_analysis(analysis: Analysis) -> str:
    """Return the answer to `analyse`: `+` for a safe cell, `*` for a mine, otherwise the risk.

    >>> from sapper.analysis import analyse
    >>> format_analysis(analyse(Position.parse("# 1 # #", mines=2)))
    'risks exact 0.5 - 0.5 *'
    """
    position, risk = analysis.position, analysis.risk
    safe, mines = analysis.safe, analysis.mines

    def word(cell: tuple[int, int]) -> str:
        if not position.is_hidden(cell):
            return "-"
        return "+" if cell in safe else "*" if cell in mines else _format_number(risk[cell])

    rows = (" ".join(word((i, j)) for j in range(position.width)) for i in range(position.height))
    return f"risks {'exact' if analysis.exact else 'estimated'} {' / '.join(rows)}"


def format_error(error: SapperError) -> str:
    """Return the answer to a line that failed: one short line of printable characters.

    >>> format_error(SapperError("two\\nlines")), format_error(SapperError("\\x1b[2J"))
    ('error two lines', 'error \\\\x1b[2J')
    """
    said = " ".join(str(error).split())
    if len(said) > _LONGEST_ERROR:
        said = f"{said[:_LONGEST_ERROR]}..."
    return "error " + "".join(each if each.isprintable() else repr(each)[1:-1] for each in said)


# Words -------------------------------------------------------------------------------------------


def _is_cell(*words: str) -> bool:
    return all(_WHOLE.fullmatch(word) for word in words)


def _parse_number(word: str, what: str) -> float:
    if not _DECIMAL.fullmatch(word):
        raise BadLine(f"{quoted(word)} is not {what}")
    return float(word)


def _parse_chance(word: str) -> float:
    chance = _parse_number(word, "a probability")
    if chance > 1:
        raise BadLine(f"{word} is not a probability from 0 to 1")
    return chance


def _format_number(number: Chance) -> str:
    """Return a number that is not negative as text; infinity becomes a large number."""
    value = float(number)
    if value >= 1e18:
        return "9" * 18
    return str(int(value)) if value.is_integer() else repr(value)
