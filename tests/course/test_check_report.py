"""The report of a check: words, the terminal, JSON and the page. Students' texts are untrusted."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from rich.console import Console

from sapper.course.report import CHECKS, Problem, Report, Result, Status
from sapper.course.report_page import report_page
from sapper.course.scripts import Claim, Moment
from sapper.terminal import print_check

NASTY = "\x1b[2J\x07[red]<script>alert(1)</script>\u202e&amp;"
"""What a terminal, Rich or a browser must not interpret."""

MISSED = Problem(
    "The agent does not find out that (1, 2) is safe.",
    height=2,
    width=3,
    numbers={(0, 0): 1, (0, 1): 1},
    steps=("ai.add_knowledge((0, 0), 1)", "ai.add_knowledge((0, 1), 1)"),
    knows=Moment(
        safes=frozenset({(0, 0), (0, 1)}),
        knowledge=(Claim(frozenset({(1, 0), (1, 1)}), 1),),
        sentences=1,
    ),
    expected="(1, 2) in safes",
    cell=(1, 2),
    reasons=("1. {(1, 0), (1, 1)} = 1   ((0, 0) shows 1)", "So (1, 2) is safe: the count is 0."),
)
FALSE = replace(
    MISSED,
    message="The agent believes that (1, 0) is a mine, but that does not follow.",
    knows=Moment(mines=frozenset({(1, 0)}), safes=frozenset({(0, 0), (0, 1)})),
    expected="nothing about (1, 0): it can be safe",
    cell=(1, 0),
    reasons=("With these mines (*), all numbers are right, and (1, 0) is safe:", "1 1 #\n# * #"),
    layout=frozenset({(1, 1)}),
)
RAISED = Problem(
    f"`ai.add_knowledge((0, 0), 1)` raised KeyError: {NASTY}.",
    line=187,
    function="add_knowledge",
    source=f"self.cells.remove('{NASTY}')",
    output=f"{NASTY}\n" * 3,
)


def report_of(**problems: Problem) -> Report:
    """Return a report in which the checks with these names, with `_` for `-`, have these problems."""
    results = []
    for check in CHECKS:
        problem = problems.get(check.name.replace("-", "_"))
        bad = Status.FAILED if check.required else Status.ADVICE
        results.append(Result(check, Status.PASSED if problem is None else bad, problem))
    return Report(Path("minesweeper.py"), tuple(results), 61, 100, 2.0)


def printed(report: Report, *, terminal: bool = False, encoding: str = "utf-8", **options: bool) -> str:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(file=file, force_terminal=terminal, width=100, highlight=False)
    print_check(report, console, **options)
    file.flush()
    assert isinstance(file.buffer, io.BytesIO)
    return file.buffer.getvalue().decode(encoding)


class Page(HTMLParser):
    """The elements and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


# The terminal ------------------------------------------------------------------------------------


def test_a_missed_cell_is_shown_with_its_position_and_the_reasons() -> None:
    assert printed(report_of(completeness=MISSED)).split("Completeness")[-1] == (
        ": everything that follows is found\n"
        "  The agent does not find out that (1, 2) is safe.\n"
        "\n"
        "        0  1  2\n"
        "    0 | 1  1  #\n"
        "    1 | #  # [#]\n"
        "\n"
        "  What was done:\n"
        "    ai = MinesweeperAI(height=2, width=3)\n"
        "    ai.add_knowledge((0, 0), 1)\n"
        "    ai.add_knowledge((0, 1), 1)\n"
        "  What the agent knows afterwards:\n"
        "    mines     set()\n"
        "    safes     {(0, 0), (0, 1)}\n"
        "    knowledge {(1, 0), (1, 1)} = 1\n"
        "  Expected:\n"
        "    (1, 2) in safes\n"
        "  Why:\n"
        "    1. {(1, 0), (1, 1)} = 1   ((0, 0) shows 1)\n"
        "    So (1, 2) is safe: the count is 0.\n"
        "\n"
        "Incorrect: 1 of 14 required checks failed.\n"
        "The agent found 61.0 % of the cells that follow by counting and subsets (61 of 100).\n"
        "This report shows positions and reasons, never solution code.\n"
    )


def test_a_false_belief_is_shown_with_a_layout_that_refutes_it() -> None:
    why = printed(report_of(soundness=FALSE)).split("Why:\n")[1]
    assert why.startswith(
        "    With these mines (*), all numbers are right, and (1, 0) is safe:\n"
        "        0  1  2\n"
        "    0 | 1  1  #\n"
        "    1 |[#] *  #\n"
    )


def test_an_exception_is_shown_at_the_line_of_the_student() -> None:
    text = printed(report_of(errors=RAISED))
    assert "  minesweeper.py, line 187, in add_knowledge:\n      self.cells.remove(" in text


def test_of_many_failures_only_the_first_is_shown_in_full() -> None:
    report = report_of(soundness=FALSE, completeness=MISSED, shapes=MISSED, clean=RAISED)
    text = printed(report)
    assert text.count("What was done:") == 1
    assert "2 more checks failed. Fix the one above first; --all shows all in full." in text
    assert text.count(MISSED.message) == 2
    assert "Advice, which the course does not require:\n! A clean knowledge base\n" in text
    assert printed(report, every=True).count("What was done:") == 3


def test_the_conventions_are_stated_once() -> None:
    for report in (report_of(completeness=MISSED), report_of(steps=MISSED, shapes=MISSED, order=FALSE)):
        assert printed(report).count("counted from 0, as in the course") == 1


def test_strict_counts_advice() -> None:
    report = report_of(clean=MISSED)
    assert "Correct: all 14 required checks passed." in printed(report)
    assert "Incorrect: 1 of 19 checks failed." in printed(report, strict=True)
    assert (report.exit_code(), report.exit_code(strict=True)) == (0, 1)


def test_an_ascii_terminal_gets_ascii() -> None:
    text = printed(report_of(completeness=MISSED, clean=MISSED), encoding="ascii")
    assert {line[0] for line in text.splitlines() if line[1:2] == " "} >= {"+", "x", "!"}


@pytest.mark.parametrize("terminal", [False, True])
def test_no_text_of_a_student_controls_the_terminal(terminal: bool) -> None:
    text = printed(report_of(errors=RAISED, output=RAISED), terminal=terminal, every=True)
    if terminal:  # Rich's own colours.
        text = re.sub(r"\x1b\[[\d;]*m", "", text)
    assert all(sign.isprintable() or sign == "\n" for sign in text)
    assert "[red]" in text


def test_long_texts_are_shortened() -> None:
    cells = frozenset((0, column) for column in range(5_000))
    knows = Moment(mines=cells, knowledge=(Claim(cells, 1),) * 5000, sentences=9000)
    problem = replace(
        RAISED, message="x" * 10**6, source="x" * 10**6, output="x\n" * 10**5, knows=knows
    )
    assert len(printed(report_of(errors=problem))) < 15_000
    assert len(report_page(report_of(errors=problem))) < 40_000


def test_a_file_that_cannot_be_imported_has_no_list_of_checks() -> None:
    problem = Problem(
        "Importing the file raised SyntaxError: '(' was never closed.", line=1, source="x = ("
    )
    report = Report(Path("minesweeper.py"), (), 0, 0, 0.1, problem)
    assert printed(report).splitlines()[2:7] == [
        "  Importing the file raised SyntaxError: '(' was never closed.",
        "  minesweeper.py, line 1:",
        "      x = (",
        "",
        "Could not be checked.",
    ]
    assert "was never closed" in Page(report_page(report)).text


# The page ----------------------------------------------------------------------------------------


def test_the_page_is_self_contained_and_has_no_scripts() -> None:
    page = report_page(report_of(soundness=FALSE, completeness=MISSED, errors=RAISED, clean=MISSED))
    parsed = Page(page)
    assert not {"script", "link", "img", "iframe", "object"} & set(parsed.tags)
    assert not [
        name for name, _ in parsed.attributes if name in ("src", "href") or name.startswith("on")
    ]
    assert "url(" not in page
    assert "@import" not in page
    assert "prefers-color-scheme: dark" in page


def test_no_text_of_a_student_becomes_markup() -> None:
    plain = Page(report_page(report_of(errors=replace(RAISED, message="x", source="x", output="x"))))
    nasty = Page(report_page(replace(report_of(errors=RAISED), path=Path(NASTY))))
    assert set(nasty.tags) <= {*plain.tags, "code"}
    assert "<script>alert(1)</script>" in nasty.text
    assert "\x1b" not in nasty.text


def test_the_page_draws_what_the_agent_knows_and_what_follows() -> None:
    text = Page(report_page(report_of(completeness=MISSED))).text
    assert "What follows: (1, 2) is safe. The outlined numbers prove it." in text
    text = Page(report_page(report_of(soundness=FALSE))).text
    assert "With these mines, all numbers are right, and (1, 0) is safe." in text


@pytest.mark.parametrize(("side", "cell"), [(3, 48), (16, 48), (17, 32)])
def test_cells_are_large_unless_the_board_is(side: int, cell: int) -> None:
    problem = replace(MISSED, height=side, width=side)
    page = report_page(report_of(completeness=problem))
    assert f'style="--cell:{cell}px;--columns:{side}"' in page


def test_cells_off_the_board_are_not_drawn() -> None:
    knows = Moment(mines=frozenset({(-1, 5)}), safes=frozenset({(9, 9)}))
    page = report_page(report_of(soundness=replace(FALSE, cell=(-1, 5), knows=knows, layout=None)))
    assert page.count("<svg") == 1


def test_a_page_folds_all_but_the_first_of_many_failures() -> None:
    page = report_page(report_of(soundness=FALSE, completeness=MISSED, shapes=MISSED))
    assert Page(page).tags.count("details") == 2
    page = report_page(report_of(soundness=FALSE, completeness=MISSED))
    assert Page(page).tags.count("details") == 0


# JSON --------------------------------------------------------------------------------------------


def test_the_json_has_one_entry_per_check() -> None:
    found = json.loads(json.dumps(report_of(completeness=MISSED).to_json()))
    assert [each["name"] for each in found["checks"]] == [check.name for check in CHECKS]
    assert found["verdict"] == "incorrect"
    failed = next(each for each in found["checks"] if each["status"] == "failed")
    assert failed["problem"]["cell"] == [1, 2]
    assert failed["problem"]["board"]["numbers"] == [[0, 0, 1], [0, 1, 1]]
