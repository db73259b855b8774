"""Proofs in words; each step comes with the relevant part of the board."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from rich.console import Console

from sapper.drawing.board import heat_colour, ink_on_heat
from sapper.position import HIDDEN, Cell
from sapper.proof.proof import Proof, Rule, Step
from sapper.proof.wording import describe, headline
from sapper.terminal.board import NUMBER_STYLES, Line, labelled, print_line

_MOST_CELLS: Final = 40
"""A step that marks more cells gets no picture: it would be most of the board."""

_BEFORE_WORDS: Final = re.compile(r"^ *([0-9.]+ )?")
"""The indentation and the step number at the start of a line."""

# Marks of cells: three characters; {} stands for the character of the cell.
_USED: Final = "({})"
_ABOUT: Final = "[{}]"
_SAFE, _MINE = "[+]", "[*]"
_KNOWN_SAFE, _KNOWN_MINE = " + ", " * "
_ASSUMED_SAFE, _ASSUMED_MINE = "?+?", "?*?"
_PLAIN: Final = " {} "

_ON_SAFE: Final = f"{ink_on_heat(0)} on {heat_colour(0)}"
_ON_MINE: Final = f"{ink_on_heat(1)} on {heat_colour(1)}"
_ASSUMED_STYLE: Final = "bold #ffffff on #1f62b8"
_STYLES: Final = {
    _USED: "bold #ffffff on #b25000",
    _ABOUT: "#000000 on #c3d6ea",
    _SAFE: f"bold {_ON_SAFE}",
    _MINE: f"bold {_ON_MINE}",
    _KNOWN_SAFE: _ON_SAFE,
    _KNOWN_MINE: _ON_MINE,
    _ASSUMED_SAFE: _ASSUMED_STYLE,
    _ASSUMED_MINE: _ASSUMED_STYLE,
}
_MEANINGS: Final = {
    _USED: "(2) number used",
    _ABOUT: "[#] in question",
    _SAFE: "[+] safe",
    _MINE: "[*] mine",
    _KNOWN_SAFE: "+ * already known",
    _KNOWN_MINE: "+ * already known",
    _ASSUMED_SAFE: "? assumed",
    _ASSUMED_MINE: "? assumed",
}


def print_proof(proof: Proof, console: Console) -> None:
    """Print a proof in words. Each step is followed by part of the board, with its cells marked.

    >>> import sys
    >>> from sapper import Position, explain
    >>> position = Position.parse("# # # # / 1 2 2 1".replace(" / ", chr(10)), mines=2)
    >>> print_proof(explain(position, (0, 1)), Console(file=sys.stdout, width=104))
    Row 1, column 2 is a mine (subset):
    <BLANKLINE>
    1. The 2 at row 2, column 3 says that exactly two of row 1, columns 2 to 4 are mines.
           1  2  3  4
       1 | # [#][#][#]
       2 | 1  2 (2) 1
    <BLANKLINE>
    2. The 1 at row 2, column 4 says that exactly one of row 1, columns 3 and 4 is a mine.
           2  3  4
       1 | # [#][#]
       2 | 2  2 (1)
    <BLANKLINE>
    3. Subtract step 2 from the 2 at row 2, column 3: row 1, column 2 is a mine.
           1  2  3  4
       1 | # [*][#][#]
       2 | 1  2 (2)(1)
    <BLANKLINE>
    (2) number used   [#] in question   [*] mine
    """
    width = console.width if console.is_terminal else None
    for line in proof_lines(proof, width):
        print_line(line, console)
    marks = {mark for step in proof.steps for mark in _shown_marks(step).values()}
    for text in _wrapped(["", legend(marks)] if marks else [], width):
        print_line([(text, "")], console)


def proof_lines(proof: Proof, width: int | None) -> Iterator[Line]:
    """Generate the lines of a proof with parts of the board. Sentences are wrapped to the width.

    >>> from sapper import Position, explain
    >>> for line in proof_lines(explain(Position.parse("# 1 .", mines=1), (0, 0)), None):
    ...     print("".join(text for text, style in line))
    Row 1, column 1 is a mine (counting):
    <BLANKLINE>
    1. The 1 at row 1, column 2 has only one hidden neighbour left: row 1, column 1 is a mine.
           1  2  3
       1 |[*](1) .
    """
    for text in _wrapped([headline(proof)], width):
        yield [(text, "bold")]
    for step in proof.steps:
        words = list(describe(step, proof))
        end = (
            len(words) - 1 if step.steps else len(words)
        )  # The conclusion of an assumption comes last.
        yield []
        for text in _wrapped(words[:end], width):
            yield [(text, "")]
        yield from ([("   ", ""), *line] for line in _piece(proof, step))
        for text in _wrapped(words[end:], width):
            yield [(text, "")]


def legend(marks: Collection[str] = tuple(_MEANINGS)) -> str:
    """Return a legend for these marks (default: all marks).

    >>> legend(["[+]", "[*]"])
    '[+] safe   [*] mine'
    """
    return "   ".join(dict.fromkeys(text for mark, text in _MEANINGS.items() if mark in marks))


def wrapped_words(reason: Proof | str, width: int | None) -> list[str]:
    """Return a proof or another reason as lines of text, wrapped to the width unless it is None.

    >>> from sapper import Position, explain
    >>> for line in wrapped_words(explain(Position.parse("# 1 .", mines=1), (0, 0)), 40):
    ...     print(line)
    Row 1, column 1 is a mine (counting):
    1. The 1 at row 1, column 2 has only one
       hidden neighbour left: row 1, column
       1 is a mine.
    """
    return list(_wrapped(str(reason).splitlines(), width))


def _wrapped(lines: Iterable[str], width: int | None) -> Iterator[str]:
    """Generate lines wrapped to the width, with a hanging indent."""
    for line in lines:
        if width is None or len(line) <= width:
            yield line
        else:
            indent = len(line) - len(_BEFORE_WORDS.sub("", line))
            yield from textwrap.wrap(line, width, subsequent_indent=" " * indent)


def _piece(proof: Proof, step: Step) -> Iterator[Line]:
    """Generate the lines of the relevant part of the board; none if no marks are shown."""
    marks, position = _shown_marks(step), proof.position
    if not marks:
        return
    rows = _span((row for row, _ in marks), position.height)
    columns = _span((column for _, column in marks), position.width)

    def draw_cell(cell: Cell) -> tuple[str, str]:
        code = position[cell]
        mark = marks.get(cell, _PLAIN)
        plain_style = NUMBER_STYLES[code] if code < HIDDEN else "bright_black"
        return mark.format(".12345678#F"[code]), _STYLES.get(mark, plain_style)

    yield from labelled(rows, columns, draw_cell, centred=True)


def _span(places: Iterable[int], length: int) -> range:
    """Return the range from the first place to the last, extended by one on each side."""
    inside = sorted(places)
    return range(max(inside[0] - 1, 0), min(inside[-1] + 2, length))


def _shown_marks(step: Step) -> dict[Cell, str]:
    """Return the marks of a step; none for the mine count, and none if there are too many."""
    marks = _marks(step)
    return marks if len(marks) <= _MOST_CELLS else {}


def _marks(step: Step) -> dict[Cell, str]:
    """Return the marks of the cells and numbers of a step."""
    if step.rule is Rule.MINE_COUNT:
        return {}
    cells = _marks_assumed(step) if step.steps else _marks_direct(step)
    used = [each for part in _within(step) for each in part.since if not _is_settled(each)]
    numbers = {each.number for each in (*_within(step), *used)}
    return cells | {number: _USED for number in numbers if number is not None}


def _marks_direct(step: Step) -> dict[Cell, str]:
    """Return the marks of the cells of a step, and of the steps it follows from."""
    about = set(step.cells)
    for each in step.since:
        if each.rule is not Rule.MINE_COUNT and not _is_settled(each):
            about |= each.cells
    return dict.fromkeys(about, _ABOUT) | _known(step) | _settled(step, _SAFE, _MINE)


def _marks_assumed(step: Step) -> dict[Cell, str]:
    """Return the marks of an assumed cell, and of the cells that follow from the assumption."""
    assumed, *then = step.steps
    marks: dict[Cell, str] = {}
    for each in then:
        marks |= _known(each)
    for each in reversed(then):  # The first mark of a cell wins.
        marks |= _settled(each, _SAFE, _MINE)
    return marks | _settled(assumed, _ASSUMED_SAFE, _ASSUMED_MINE)


def _known(step: Step) -> dict[Cell, str]:
    """Return the marks of the cells that a step removes because they are already known."""
    marks: dict[Cell, str] = {}
    for each in step.since[1:]:
        marks |= _settled(each, _KNOWN_SAFE, _KNOWN_MINE)
    return {cell: mark for cell, mark in marks.items() if cell in step.since[0].cells}


def _within(step: Step) -> Iterator[Step]:
    """Generate a step and all steps inside it."""
    yield step
    for inner in step.steps:
        yield from _within(inner)


def _is_settled(step: Step) -> bool:
    return not step.is_impossible and (step.is_safe or step.is_mines)


def _settled(step: Step, safe: str, mine: str) -> dict[Cell, str]:
    """Return marks for the cells that a step proves to be safe or mines."""
    return dict.fromkeys(step.cells, safe if step.is_safe else mine) if _is_settled(step) else {}
