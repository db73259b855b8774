"""The README's examples and figures are right."""

from __future__ import annotations

import ast
import doctest
import re
import shlex
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import pytest

from tests.support.subprocesses import ROOT, sapper_command

README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def expected_output(lines: list[str], statement: ast.stmt) -> str:
    """Return the comment at the end of a statement, or the comments in the lines below it."""
    end = statement.end_lineno or statement.lineno
    comments = [lines[end - 1].encode()[statement.end_col_offset or 0 :].decode()]
    for line in lines[end:]:
        if not line.startswith("#"):
            break
        comments.append(line)
    return "".join(comment.strip().removeprefix("#").strip() + "\n" for comment in comments).lstrip()


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_print_what_their_comments_say(example: str) -> None:
    lines, names = example.splitlines(), dict[str, Any]()
    printed = 0
    for statement in ast.parse(example).body:
        output = StringIO()
        with redirect_stdout(output):
            exec(compile(ast.Module([statement], []), "README.md", "exec"), names)
        expected = expected_output(lines, statement)
        flags = doctest.NORMALIZE_WHITESPACE
        assert doctest.OutputChecker().check_output(expected, output.getvalue(), flags), (
            output.getvalue()
        )
        printed += bool(expected)
    assert printed


def test_the_agent_wins_the_demonstration_and_names_numbers() -> None:
    (command,) = re.findall(r"^sapper (watch .*)$", README, re.MULTILINE)
    done = sapper_command(*shlex.split(command))
    assert "Won!" in done.stdout
    moves = [line for line in done.stdout.splitlines() if "The AI opened" in line]
    named = [line for line in moves[1:] if re.search(r"follows from the \d at row", line)]
    assert len(named) > 0.9 * len(moves)


def measured() -> dict[tuple[str, str], tuple[str, str, str]]:
    """Return the win rates on expert and their intervals, by agent and promise."""
    results = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    rows = results[results.index("### Expert") : results.index("## The first click")]
    row = re.compile(r"\| (open|safe) \| `([a-z-]+)` \| 100,000 \| ([\d.]+) \| ([\d.]+)\sto\s([\d.]+) ")
    return {
        (agent, promise): (rate, low, high) for promise, agent, rate, low, high in row.findall(rows)
    }


def test_the_readme_quotes_the_measured_win_rates() -> None:
    rows = re.findall(r"^\| Sapper, `(.*)` \| (.*) ± (.*) \| (.*) ± (.*) \| ", README, re.MULTILINE)
    assert {agent for agent, *_ in rows} == {"strong", "strong-high"}
    for agent, opened, opened_margin, safe, safe_margin in rows:
        for promise, rate, margin in (("open", opened, opened_margin), ("safe", safe, safe_margin)):
            value, low, high = measured()[agent, promise]
            assert rate == value
            assert float(margin) == pytest.approx((float(high) - float(low)) / 2, abs=0.0051)


def test_the_page_about_agents_quotes_the_measured_win_rates() -> None:
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    agents = ("logic", "safest", "strong", "strong-high")
    for promise in ("open", "safe"):
        (row,) = re.findall(rf"^\| .*promise `{promise}` .*$", page, re.MULTILINE)
        shown = re.findall(r"([\d.]+) % \(([\d.]+) to ([\d.]+)\)", row)
        assert shown == [measured()[agent, promise] for agent in agents]
