"""The results of many submissions as a table: for people, as CSV, and as an HTML page."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from sapper.course.batch import Row
from sapper.course.report import CHECKS, printable
from sapper.course.report_page import html_page, with_code
from sapper.storage.csv_cells import safe_cell
from sapper.text import format_count, percent, plural

HEADINGS: Final = (
    "submission",
    "verdict",
    "passed",
    "first failure",
    "forced cells",
    "wins",
    "expert board",
    "check time",
)
"""The headings of the table for people."""
NUMBERS: Final = frozenset({"passed", "forced cells", "wins", "expert board", "check time"})
"""The headings of the columns with numbers, which are aligned to the right."""
_CSV_HEADINGS: Final = (
    "name",
    "verdict",
    "passed",
    "checks",
    "first_failure",
    "problem",
    "share_found",
    "wins",
    "games",
    "expert_seconds",
    "seconds",
)
_LEGEND: Final = (
    "Forced cells: of the cells that follow by counting and subsets, the share that the agent found. "
    "Wins: games won on the course's board, 8x8 with 8 mines; all agents play the same boards. "
    "Expert board: the time for all openings of a board with 16 rows and 30 columns."
)
_TITLES: Final = {each.name: each.title for each in CHECKS}
_STYLES: Final = {"correct": "good", "incorrect": "bad", "not checked": "advised"}


def table_cells(row: Row, *, strict: bool = False) -> tuple[str, ...]:
    """Return the cells of a row, in the order of the headings. Unknown values are shown as `-`.

    >>> table_cells(Row("x.py", "", "", {"imports": "failed"}, found=1, forced=2, seconds=4.0))
    ('x.py', 'incorrect', '0 of 14', 'Standard library only', '50.0 %', '-', '-', '4.0 s')
    >>> table_cells(Row("x.py", "", "", problem="it is a directory"))
    ('x.py', 'not checked', '-', 'it is a directory', '-', '-', '-', '-')
    """
    passed, checks = row.passed(strict=strict)
    is_checked = bool(row.statuses)
    return (
        printable(row.name),
        row.verdict(strict=strict),
        f"{passed} of {checks}" if is_checked else "-",
        _title(row.first_failure(strict=strict)) if is_checked else printable(row.problem, 70),
        "-" if row.share_found is None else percent(row.share_found),
        f"{format_count(row.wins)} of {format_count(row.played)}" if row.played else "-",
        "-" if row.expert_seconds is None else f"{row.expert_seconds:.2f} s",
        f"{row.seconds:.1f} s" if is_checked else "-",
    )


def _title(name: str) -> str:
    """Return the title of a check without its explanation."""
    return _TITLES.get(name, "").split(":")[0]


def problem_of(row: Row, *, strict: bool = False) -> str:
    """Return the message of the first failure, or why the file could not be checked."""
    return "" if row.verdict(strict=strict) == "correct" else printable(row.problem)


def summary_of(rows: Sequence[Row], *, strict: bool = False) -> str:
    """Return how many submissions have each verdict.

    >>> summary_of([Row("a.py", "", "", {"imports": "passed"}), Row("b.py", "", "")])
    '2 submissions: 1 correct, 0 incorrect, 1 not checked.'
    """
    verdicts = Counter(row.verdict(strict=strict) for row in rows)
    shown = ", ".join(f"{verdicts[name]} {name}" for name in _STYLES)
    return f"{plural(len(rows), 'submission')}: {shown}."


def csv_table(rows: Iterable[Row], *, strict: bool = False) -> str:
    """Return the rows as a CSV table. Unknown values are empty.

    >>> print(csv_table([Row("=x.py", "", "", problem="it is a directory")]).splitlines()[1])
    '=x.py,not checked,,14,,it is a directory,,,,,
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_CSV_HEADINGS)
    for row in rows:
        writer.writerow(map(safe_cell, _csv_values(row, strict=strict)))
    return text.getvalue()


def _csv_values(row: Row, *, strict: bool) -> Iterator[object]:
    passed, checks = row.passed(strict=strict)
    is_checked = bool(row.statuses)
    yield from (row.name, row.verdict(strict=strict), passed if is_checked else "", checks)
    yield from (row.first_failure(strict=strict), problem_of(row, strict=strict))
    yield "" if row.share_found is None else round(row.share_found, 4)
    yield from (row.wins, row.played) if row.played else ("", "")
    yield "" if row.expert_seconds is None else round(row.expert_seconds, 3)
    yield row.seconds if is_checked else ""


def batch_page(rows: Sequence[Row], *, title: str, strict: bool = False) -> str:
    """Return the table as the text of an HTML page. It needs no other file, and has no scripts.

    >>> "<td>&lt;b&gt;.py</td>" in batch_page([Row("<b>.py", "", "")], title="Class")
    True
    """
    shown = printable(title)
    parts = [
        f"<h1>{escape(shown)}</h1>",
        f'<section><p class="verdict">{summary_of(rows, strict=strict)}</p>',
        f'<p class="faint">{_LEGEND}</p></section>',
        '<section class="table"><table>',
        "<thead><tr>" + "".join(map(_heading, HEADINGS)) + "</tr></thead>",
        "<tbody>",
        *(_table_row(row, strict=strict) for row in rows),
        "</tbody></table></section>",
    ]
    return html_page(shown, parts, wide=True)


def _heading(text: str) -> str:
    return f'<th class="number">{text}</th>' if text in NUMBERS else f"<th>{text}</th>"


def _table_row(row: Row, *, strict: bool) -> str:
    cells = []
    for heading, text in zip(HEADINGS, table_cells(row, strict=strict), strict=True):
        shown = escape(text)
        if heading == "verdict":
            cells.append(f'<td class="{_STYLES[text]}">{shown}</td>')
        elif heading == "first failure" and row.statuses:
            message = with_code(problem_of(row, strict=strict))
            cells.append(f'<td class="text">{shown}<br><span class="faint">{message}</span></td>')
        else:
            style = ' class="number"' if heading in NUMBERS else ""
            cells.append(f"<td{style}>{shown}</td>")
    return f"<tr>{''.join(cells)}</tr>"
