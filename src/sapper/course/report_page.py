"""The report of a check as one self-contained HTML page, with a picture of each position."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from html import escape
from importlib.resources import files
from typing import Final

from sapper.course.logic import derive
from sapper.course.report import Problem, Report, Result, Status, printable
from sapper.course.wording import (
    COORDINATES,
    NO_SOLUTIONS,
    beliefs_of,
    calls_of,
    is_failure,
    knowledge_heading,
    note_of,
    output_of,
    place_of,
    reasons_of,
    share_of,
    verdict_of,
)
from sapper.drawing import draw_marked
from sapper.position import HIDDEN, LARGEST_SIDE, Cell, Position

_MARKS: Final = {
    Status.PASSED: ("✓", "good", "passed"),
    Status.FAILED: ("✗", "bad", "failed"),
    Status.ADVICE: ("!", "advised", "advice"),
    Status.SKIPPED: ("–", "faint", "not checked"),  # noqa: RUF001 - an en dash.
}
"""The mark of each status, its class, and its name for screen readers."""
_MOST_IN_FULL: Final = 2
"""If more checks fail, all but the first one are folded."""
_CELL: Final = 48
_SMALL_CELL: Final = 32
"""The side length of a cell in pixels, on most boards and on large ones."""
_MOST_LARGE_CELLS: Final = 16
"""The most rows and columns of a board with large cells. Such a board fits across the page."""
_CODE: Final = re.compile(r"`([^`]+)`")


def report_page(report: Report, *, strict: bool = False) -> str:
    """Return a report as the text of an HTML page. It needs no other file, and has no scripts.

    >>> from pathlib import Path
    >>> report_page(Report(Path("minesweeper.py"), (), 9, 9, 2.0)).startswith("<!DOCTYPE html>")
    True
    """
    name = printable(report.path.name)
    code = report.exit_code(strict=strict)
    share = share_of(report)
    parts = [
        f"<h1>{escape(name)}</h1>",
        f'<section class="{"correct" if code == 0 else "failed"}">',
        f'<p class="verdict {"good" if code == 0 else "bad"}">{verdict_of(report, strict=strict)}</p>',
        *([f"<p>{escape(share)}</p>"] if share else []),
        f'<p class="faint">{NO_SOLUTIONS} {COORDINATES}</p>',
        "</section>",
    ]
    if report.unreadable is not None:
        message = with_code(printable(report.unreadable.message, 1000))
        parts += ['<section class="failed">', f'<p class="message">{message}</p>']
        parts += [*_details(report.unreadable, name), "</section>"]
    # The failures come before the list of checks: they are what a reader is looking for.
    failures = [result for result in report.results if is_failure(result, strict=strict)]
    advice = [
        result
        for result in report.results
        if result.status is Status.ADVICE and not is_failure(result, strict=strict)
    ]
    for number, result in enumerate(failures):
        is_folded = number > 0 and len(failures) > _MOST_IN_FULL
        parts += _section(result, name, "failed", is_folded=is_folded)
    for result in advice:
        parts += _section(result, name, "advice", is_folded=True)
    if report.results:
        parts += ["<section>", "<h2>All checks</h2>", '<ul class="checks">']
        parts += [_listed(result) for result in report.results]
        parts += ["</ul>", "</section>"]
    return html_page(f"Check of {name}", parts)


def html_page(title: str, parts: Iterable[str], *, wide: bool = False) -> str:
    """Return an HTML page with the style of the reports.

    >>> html_page("<Check>", ["<p>Correct</p>"]).splitlines()[5]
    '<title>&lt;Check&gt;</title>'
    """
    style = (files("sapper.course") / "page.css").read_text(encoding="utf-8")
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        f"<style>\n{style}</style>",
        "</head>",
        "<body>",
        '<main class="wide">' if wide else "<main>",
        *parts,
        "</main>",
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def _listed(result: Result) -> str:
    mark, style, status = _MARKS[result.status]
    note = note_of(result)
    shown = f' <span class="faint">({escape(note)})</span>' if note else ""
    return (
        f'<li><span class="mark {style}" role="img" aria-label="{status}">{mark}</span>'
        f"{escape(result.check.title)}{shown}</li>"
    )


def _section(result: Result, file: str, style: str, *, is_folded: bool) -> Iterator[str]:
    problem = result.problem
    if problem is None:
        return
    advice = ' <span class="advised">(advice)</span>' if style == "advice" else ""
    yield f'<section class="{style}">'
    yield f"<h2>{escape(result.check.title)}{advice}</h2>"
    yield f'<p class="message">{with_code(printable(problem.message, 1000))}</p>'
    details = list(_details(problem, file))
    if details and is_folded:
        yield "<details><summary>Show the details</summary>"
    yield from details
    if details and is_folded:
        yield "</details>"
    yield "</section>"


def _details(problem: Problem, file: str) -> Iterator[str]:
    """Generate everything that shows a problem, except its message."""
    place = place_of(problem, file)
    if place:
        yield f'<p class="faint">{escape(place)}</p>'
        if problem.source:
            yield f"<pre>{escape(printable(problem.source, 160))}</pre>"
    yield from _pictures(problem)
    beliefs = [f"{name:<10}{value}" for name, value in beliefs_of(problem)]
    blocks = [
        *_block("What was done", calls_of(problem)),
        *_block(knowledge_heading(problem), beliefs),
        *_block("Printed", output_of(problem)),
        *_block("Expected", [printable(problem.expected)] if problem.expected else []),
        *_block("Why", [] if problem.layout is not None else reasons_of(problem), style="wide"),
    ]
    if blocks:
        yield '<div class="blocks">'
        yield from blocks
        yield "</div>"


def _block(heading: str, lines: list[str], *, style: str = "block") -> Iterator[str]:
    if lines:
        yield f'<div class="{style}"><h3>{heading}</h3><pre>{escape(chr(10).join(lines))}</pre></div>'


def with_code(text: str) -> str:
    """Return a text as HTML, with everything between backticks as code.

    >>> with_code("`a < b` raised")
    '<code>a &lt; b</code> raised'
    """
    return _CODE.sub(r"<code>\1</code>", escape(text))


# Pictures ----------------------------------------------------------------------------------------


def _pictures(problem: Problem) -> Iterator[str]:
    """Generate pictures of what the agent knows, and of what follows or the layout that refutes it."""
    if not problem.numbers or max(problem.height, problem.width) > LARGEST_SIDE:
        return
    yield '<div class="pictures">'
    knows = problem.knows
    mines = frozenset() if knows is None else knows.mines
    safes = frozenset() if knows is None else knows.safes - problem.numbers.keys()
    caption = "What has been opened." if knows is None else f"{knowledge_heading(problem)}."
    if safes:
        caption += " A tick is a cell that it knows to be safe."
    if 0 in problem.numbers.values():
        caption += " An empty cell shows 0."
    yield from _picture(problem, caption, mines=mines, safes=safes)
    if problem.layout is not None:
        caption = " ".join(reasons_of(problem)).replace(" (*)", "").rstrip(":") + "."
        yield from _picture(problem, caption, mines=problem.layout)
    elif problem.reasons and problem.cell is not None:
        found = derive(problem.height, problem.width, problem.numbers, problem.cell)
        if found is not None:
            used = [line.number for line in found.lines if line.number is not None]
            yield from _picture(
                problem,
                f"What follows: {problem.cell} is {'a mine' if found.is_mine else 'safe'}. "
                "The outlined numbers prove it.",
                mines={problem.cell} if found.is_mine else (),
                safes=() if found.is_mine else {problem.cell},
                used=used,
            )
    yield "</div>"


def _picture(
    problem: Problem,
    caption: str,
    *,
    mines: Collection[Cell] = (),
    safes: Collection[Cell] = (),
    used: Collection[Cell] = (),
) -> Iterator[str]:
    """Generate one picture with row and column numbers and a caption."""
    height, width = problem.height, problem.width
    board = _Board(height, width)
    codes = bytearray([HIDDEN]) * (height * width)
    for (row, column), number in problem.numbers.items():
        if (row, column) in board and 0 <= number < HIDDEN:
            codes[row * width + column] = number
    drawn = draw_marked(
        Position(height, width, 0, bytes(codes)),
        title=caption,
        numbers=used,
        about=(),
        safe=[cell for cell in safes if cell in board],
        mines=[cell for cell in mines if cell in board],
        target=problem.cell if problem.cell in board else None,
    )
    columns = "".join(f"<span>{column}</span>" for column in range(width))
    rows = "".join(f"<span>{row}</span>" for row in range(height))
    cell = _CELL if max(height, width) <= _MOST_LARGE_CELLS else _SMALL_CELL
    yield f'<figure><div class="board" style="--cell:{cell}px;--columns:{width}">'
    yield f'<div class="columns" aria-hidden="true">{columns}</div>'
    yield f'<div class="rows" aria-hidden="true">{rows}</div>'
    yield f"{drawn}</div>"
    yield f"<figcaption>{escape(caption)}</figcaption></figure>"


class _Board:
    """The cells of a board. What a student's agent believes may be about cells that are not on it."""

    def __init__(self, height: int, width: int) -> None:
        self.height, self.width = height, width

    def __contains__(self, cell: Cell | None) -> bool:
        return cell is not None and 0 <= cell[0] < self.height and 0 <= cell[1] < self.width
