"""Hints for a position, printed as a board and in words."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from typing import Final

from rich.console import Console

from sapper.analysis import Analysis
from sapper.drawing.board import heat_colour, ink_on_heat
from sapper.errors import BadFile
from sapper.formats import known_layouts
from sapper.position import FLAG, HIDDEN, LARGEST_SIDE, Cell, describe_cell
from sapper.storage.files import file_name, system_text
from sapper.terminal.board import NUMBER_STYLES, labelled, print_line
from sapper.text import format_count, format_percent, percent

_MOST_BYTES: Final = 8 * LARGEST_SIDE**2
"""A larger file is not a position, and is not read completely."""
_MOST_CELLS_LISTED: Final = 6
_LEAST_RISK: Final = 1e-9
_BEST_STYLE: Final = "bold #ffffff on #1f62b8"


def read_text(file: str) -> str:
    """Return the text of a file, or of standard input for `-`."""
    name = "standard input" if file == "-" else file_name(file)
    try:
        if file == "-":
            if sys.stdin is None:
                raise BadFile(f"cannot read {name}: it is closed")
            if sys.stdin.isatty():
                print("Type the rows of a position; end with Ctrl-D on an empty line.", file=sys.stderr)
            read = sys.stdin.buffer.read(_MOST_BYTES + 1)
        else:
            with open(file, "rb") as opened:
                read = opened.read(_MOST_BYTES + 1)
        if len(read) > _MOST_BYTES:
            raise BadFile(f"{name}: too long for a position")
        return read.decode("utf-8-sig")
    except OSError as error:
        raise BadFile(f"cannot read {name}: {system_text(error)}") from error
    except UnicodeDecodeError as error:
        raise BadFile(f"{name}: not UTF-8 text: byte {error.start + 1} is invalid") from error


def print_hint(analysis: Analysis, console: Console) -> None:
    """Print the board with its risks, then the certain cells and the best move in words.

    >>> from sapper import Position, analyse
    >>> rows = ["# # # #", "1 2 # #", ". 1 # F", ". 1 1 1"]
    >>> position = Position.parse(chr(10).join(rows), mines=3)
    >>> print_hint(analyse(position), Console(file=sys.stdout))
         1  2  3  4
    1 | 50 50 >+ 50
    2 |  1  2  + 50
    3 |  .  1  * F+
    4 |  .  1  1  1
    <BLANKLINE>
    + safe   * mine   05 risk in percent   F flag   > best move
    3 safe: row 1, column 3; row 2, column 3; row 3, column 4
    1 mine: row 3, column 3
    Best move: open row 1, column 3 (safe, certain to win)
    8 hidden cells (1 flagged) with 3 mines; 4 layouts; risks are exact
    """
    coloured = console.is_terminal
    safe_mark = "✓" if coloured and not console.options.ascii_only else "+"
    words = ["", _legend(analysis, safe_mark), *_sentences(analysis)]
    height, width = analysis.position.height, analysis.position.width
    for line in labelled(range(height), range(width), lambda cell: _cell(analysis, cell, safe_mark)):
        print_line(line, console)
    for sentence in words:
        console.print(sentence, soft_wrap=not coloured, highlight=False, markup=False)


def _cell(analysis: Analysis, cell: Cell, safe_mark: str) -> tuple[str, str]:
    """Return three characters for a cell, and their style.

    Open numbers have one digit, risks have two. Only certain cells have a risk of 0 or 100 %.
    """
    code = analysis.position[cell]
    if code < HIDDEN:
        return f"{'.12345678'[code]:>3}", NUMBER_STYLES[code]
    risk = analysis.risk[cell]
    if cell in analysis.safe:
        mark = safe_mark
    elif cell in analysis.mines:
        mark = "*"
    else:
        mark = format_percent(min(max(risk, _LEAST_RISK), 1 - _LEAST_RISK)).zfill(2)[-2:]
    if analysis.best is not None and cell == analysis.best.cell:
        return f"{'>' + mark:>3}", _BEST_STYLE
    return f"{'F' * (code == FLAG) + mark:>3}", f"{ink_on_heat(risk)} on {heat_colour(risk)}"


def _legend(analysis: Analysis, safe_mark: str) -> str:
    risk = "risk in percent" if analysis.exact else "estimated risk in percent"
    return f"{safe_mark} safe   * mine   05 {risk}   F flag   > best move"


def _sentences(analysis: Analysis) -> Iterator[str]:
    safe, mines = analysis.safe, analysis.mines
    yield _listed(f"{len(safe)} safe", safe) if safe else "No cell is certainly safe."
    yield _listed(_counted(len(mines), "mine"), mines) if mines else "No cell is certainly a mine."
    yield _best(analysis)
    yield _summary(analysis)


def _listed(what: str, cells: Collection[Cell]) -> str:
    named = [describe_cell(cell) for cell in sorted(cells)[:_MOST_CELLS_LISTED]]
    if len(cells) > len(named):
        named.append(f"and {len(cells) - len(named)} more")
    return f"{what}: {'; '.join(named)}"


def _best(analysis: Analysis) -> str:
    if not analysis.position.hidden:
        return "Best move: none, because every cell is open"
    if analysis.best is None:
        return "Best move: none, because all hidden cells are mines"
    cell = analysis.best.cell
    if cell in analysis.safe:
        worth = "safe"
    else:
        worth = f"{'' if analysis.exact else 'estimated '}risk {percent(analysis.best.risk)}"
    if analysis.best.win_chance == 1:
        worth += ", certain to win"
    elif analysis.best.win_chance is not None:
        worth += f", win probability {percent(analysis.best.win_chance)}"
    verb = "unflag and open" if cell in analysis.position.flags else "open"
    return f"Best move: {verb} {describe_cell(cell)} ({worth})"


def _summary(analysis: Analysis) -> str:
    position, layouts = analysis.position, known_layouts(analysis)
    flags = f" ({len(position.flags)} flagged)" if position.flags else ""
    return "; ".join(
        [
            f"{_counted(len(position.hidden), 'hidden cell')}{flags} with"
            f" {_counted(position.mines, 'mine')}",
            "layouts not counted" if layouts is None else _counted(layouts, "layout"),
            "risks are exact" if analysis.exact else "risks are estimates; certain cells are proven",
        ]
    )


def _counted(number: int, thing: str) -> str:
    return f"{format_count(number)} {thing}{'' if number == 1 else 's'}"
