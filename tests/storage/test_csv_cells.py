"""CSV tables: no cell is a formula to a spreadsheet, and numbers stay numbers."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper.arena import Plan, Run
from sapper.arena.survey import Densities
from sapper.arena.tables import COLUMNS, CsvTable
from sapper.errors import SapperError
from sapper.storage.csv_cells import safe_cell
from sapper.terminal.survey import table_of
from tests.support.command import run_command

STARTS = ("=", "+", "-", "@", "\t", "\r")
ATTACKS = {
    "=cmd|' /C calc'!A0": "'=cmd|' /C calc'!A0",
    '=HYPERLINK("x","y")': '\'=HYPERLINK("x","y")',
    "+1+1": "'+1+1",
    "-1+1": "'-1+1",
    "@SUM(1)": "'@SUM(1)",
    "\t=1+1": "\\t=1+1",
    "\r=1+1": "\\r=1+1",
    "a\r=1+1": "a\\r=1+1",
    "a\n=1+1": "a\\n=1+1",
    "\udcff": "\\udcff",
}
"""Names, and the cells that they become."""


@given(st.text())
def test_no_csv_cell_is_a_formula_or_breaks_its_row(text: str) -> None:
    cell = safe_cell(text)
    assert isinstance(cell, str)
    assert cell.isprintable()
    assert not cell.startswith(STARTS)
    if text.isprintable():
        assert cell in (text, f"'{text}")
    written = io.StringIO(newline="")
    csv.writer(written, lineterminator="\n").writerow([cell, "next"])
    assert list(csv.reader(io.StringIO(written.getvalue(), newline=""))) == [[cell, "next"]]
    written.getvalue().encode()


@given(st.floats() | st.integers() | st.none() | st.booleans())
def test_numbers_are_not_changed(number: object) -> None:
    assert safe_cell(number) is number


class Agent:
    """Plays, under a name that is chosen later."""

    def choose(self, position: object) -> tuple[int, int]:
        return min(position.hidden)  # type: ignore[attr-defined, no-any-return]


@pytest.mark.parametrize(("attack", "cell"), ATTACKS.items())
def test_agent_names_are_not_formulas(
    attack: str, cell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.csv"
    with Run(Plan.of("2x1/1", games=2), agent=Agent, jobs=1) as run:
        run.agent = attack
        with CsvTable(path, [run]) as table:
            table.add([game._replace(luck=-1.5) for game in run.play(2)])
    with path.open(newline="", encoding="utf-8") as lines:
        heading, *rows = list(csv.reader(lines))
    assert heading == list(COLUMNS)
    assert [row[1] for row in rows] == [cell] * 2
    assert [row[-1] for row in rows] == ["-1.5"] * 2
    survey = Densities("4x4/3", agents=["safest"], mines=[2], games=2)
    monkeypatch.setattr(Densities, "rows", lambda _: iter([{"agent": attack, "share": -1.5}]))
    assert list(csv.reader(io.StringIO(table_of(survey), newline="")))[1] == [cell, "-1.5"]


@pytest.mark.parametrize("module", ["=1+1", "+1", "-1", "@x"])
def test_module_names_are_not_formulas(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(f"{module}.py").write_text(
        "class Agent:\n    def choose(self, position):\n        return min(position.hidden)\n"
    )
    options = ("--games", 2, "--jobs", 1, "--csv", "games.csv")
    done = run_command("bench", "2x1/1", f"--agent={module}:Agent", *options)
    assert done.code == 0, done.err
    rows = list(csv.reader(Path("games.csv").read_text().splitlines()))[1:]
    assert [row[1] for row in rows] == [f"'{module}:Agent"] * 2


def test_a_table_without_formulas_is_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    with Run(Plan.of("2x1/1", games=1), agent="safest", jobs=1) as run, CsvTable(path, [run]) as table:
        table.add(run.play(1))
    assert path.read_text().splitlines()[1].startswith("0,safest,0,")


def test_a_failed_table_is_an_error_of_sapper(tmp_path: Path) -> None:
    with (
        Run(Plan.of("2x1/1", games=1), jobs=1) as run,
        pytest.raises(SapperError, match="cannot write"),
    ):
        CsvTable(tmp_path / "nowhere" / "games.csv", [run])
