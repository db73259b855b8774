"""The engine protocol: the lines that a program and an engine exchange, read and written.

docs/engine_protocol.md says what each line means. `str` of a command is what `parse_command` reads,
`format_answer` writes what `parse_answer` reads. Nothing here starts or asks a program.
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
from sapper.text import quoted

VERSION: Final = 1
"""The version of the protocol."""
LONGEST_COMMAND: Final = 1_100_000
"""How many bytes a command may have: enough for the position of the largest board."""
LONGEST_ANSWER: Final = 4096
"""How many bytes the answer of a program that plays may have."""

_DECIMAL: Final = re.compile(r"\d{1,18}(\.\d{1,30})?(e-\d{1,3})?", re.ASCII)
_WHOLE: Final = re.compile(r"\d{1,20}", re.ASCII)
_LONGEST_NAME: Final = 100
"""The most characters of the name of an agent."""
_LONGEST_ERROR: Final = 1000
"""The most characters of an error; a longer one is cut."""


# Commands ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hello:
    """Asks who answers; the first line."""

    def __str__(self) -> str:
        return "sapper"


@dataclass(frozen=True)
class ListAgents:
    """Asks which agents there are."""

    def __str__(self) -> str:
        return "agents"


@dataclass(frozen=True)
class UseAgent:
    """Says which agent is to choose from now on."""

    name: str

    def __str__(self) -> str:
        return f"agent {self.name}"


@dataclass(frozen=True)
class NewGame:
    """Says that another game begins, and the seed of whatever is random in it."""

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
    """Asks for the cell to open, within so many seconds if they are given."""

    seconds: float | None = None

    def __str__(self) -> str:
        return "go" + _format_limit(self.seconds)


@dataclass(frozen=True)
class Analyse:
    """Asks for the risk of every cell, within so many seconds if they are given."""

    seconds: float | None = None

    def __str__(self) -> str:
        return "analyse" + _format_limit(self.seconds)


@dataclass(frozen=True)
class Quit:
    """Ends the talk."""

    def __str__(self) -> str:
        return "quit"


Command = Hello | ListAgents | UseAgent | NewGame | Show | Go | Analyse | Quit


def parse_command(line: str) -> Command:
    """Return the command of a line; spaces more or less do not matter.

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
                raise BadLine(f"{quoted(name)} is too long for the name of an agent")
            return UseAgent(name)
        case ["new", seed]:
            if not _WHOLE.fullmatch(seed) or int(seed) > LARGEST_SEED:
                raise BadLine(f"{quoted(seed)} is not a seed, a whole number from 0 to {LARGEST_SEED}")
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
    """Return the position that a line shows.

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
    """Return the answer to `go`: a cell, or None when there is none to open.

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
    """Return what a program chose in a position; a cell that cannot be opened is a `BadLine`.

    >>> position = Position.parse("# 1 #", mines=1)
    >>> parse_answer("open 0 2 risk 0.5", position)
    Choice(cell=(0, 2), safe=False, reason='risks 50.0 %')
    >>> parse_answer("open 0 1", position)
    Traceback (most recent call last):
    sapper.errors.BadLine: 0 1 is open already
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
        raise BadLine(f"{row} {column} is open already")
    if word == "safe" and not chances:
        return Choice(cell, True, "safe")
    risk, win_chance = _parse_chances(word, chances)
    said = [
        f"{verb} {100 * of:.1f} %"
        for verb, of in (("risks", risk), ("wins", win_chance))
        if of is not None
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
    """Return the answer to `analyse`: `+` for a cell that is safe, `*` for a mine, else its risk.

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
    """Return the answer to a line that could not be obeyed: one printable line, and not a long one.

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
    chance = _parse_number(word, "a chance")
    if chance > 1:
        raise BadLine(f"{word} is not a chance from 0 to 1")
    return chance


def _format_number(number: Chance) -> str:
    """Return a number, which is not negative, as it is read again; an infinite one is a large one."""
    value = float(number)
    if value >= 1e18:
        return "9" * 18
    return str(int(value)) if value.is_integer() else repr(value)
