"""The results page agrees with its data, and measuring can be resumed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import results
from benchmarks.results import DATA, DOCS, Item, add_row, is_finished, items, main, read_rows
from sapper.arena import Plan, Run, bench
from sapper.arena.database import Store

pytestmark = pytest.mark.any_engine

ROW = {"name": "table/safest/beginner/open", "games": 100}


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.*")}


@pytest.mark.skipif(not DATA.exists(), reason="nothing has been measured yet")
def test_the_committed_page_is_up_to_date(tmp_path: Path) -> None:
    assert main(["--page", "--docs", str(tmp_path)]) == 0
    written = files(tmp_path)
    assert "results.md" in written
    for name, content in written.items():
        assert (DOCS / name).read_bytes() == content, f"{name}: python -m benchmarks.results --page"


@pytest.mark.compiled
def test_a_small_run_measures_each_kind_of_row_and_writes_the_page(tmp_path: Path) -> None:
    data, docs = tmp_path / "results.jsonl", tmp_path / "docs"
    names = [
        "table/strong/expert/open",
        "first-click/strong/beginner/safe",
        "density/safest/expert/safe",
    ]
    options = ["--data", str(data), "--docs", str(docs), "--games", "4", "--jobs", "1"]
    assert main([*options, "--only", *names]) == 0
    rows = read_rows(data)
    assert set(rows) == set(names)
    result = bench("expert", agent="strong", promise="open", games=4, seed=results.SEED, jobs=1)
    breakdown = rows["table/strong/expert/open"]["breakdown"]
    assert (breakdown["games"], breakdown["wins"]) == (4, result.wins)
    page = (docs / "results.md").read_text()
    assert f"| open | `strong` | 4 | {25 * result.wins:.2f} |" in page
    pictures = {f"images/results-{kind}.svg" for kind in ("guesses-open", "losses-open")}
    more = {"images/results-first-click-beginner-safe.svg", "images/results-density-expert-safe.svg"}
    assert set(files(docs)) == {"results.md"} | pictures | more
    assert all(f"({name})" in page for name in pictures | more)


@pytest.mark.compiled
def test_an_unfinished_row_is_resumed_if_its_games_are_saved(tmp_path: Path) -> None:
    item = Item("table", "safest", "beginner", "safe", games=20)
    plan = Plan.of("beginner", promise="safe", games=20, seed=results.SEED)
    save = tmp_path / "games.sqlite"
    with Store(save) as store, Run(plan, agent="safest", jobs=1) as run:
        store.begin(run)
        store.save(run.play(7))
    row = item.measure(1, save)
    assert row["breakdown"] == item.measure(1, None)["breakdown"]
    with Store(save) as store:
        assert store.query("SELECT run, count(*) FROM games GROUP BY run") == [(1, 20)]


@pytest.mark.compiled
def test_finished_rows_are_not_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "results.jsonl"
    options = ["--data", str(data), "--docs", str(tmp_path), "--games", "2", "--jobs", "1"]
    options += ["--only", "table/safest/beginner/open", "table/safest/beginner/safe"]
    measure, measured = Item.measure, list[str]()

    def counted(item: Item, jobs: int | None, save: Path | None) -> dict[str, object]:
        measured.append(item.name)
        if len(measured) == 2:
            raise KeyboardInterrupt
        return measure(item, jobs, save)

    monkeypatch.setattr(Item, "measure", counted)
    assert main(options) == 130
    assert "are saved" in capsys.readouterr().err
    assert set(read_rows(data)) == {"table/safest/beginner/open"}
    assert main(options) == 0
    assert main(options) == 0
    first, second, third = measured  # The row that was stopped is measured again, the finished one not.
    assert first == "table/safest/beginner/open"
    assert second == third == "table/safest/beginner/safe"
    assert main([*options, "--again"]) == 0
    assert len(measured) == 5


def test_a_truncated_row_is_ignored(tmp_path: Path) -> None:
    data = tmp_path / "results.jsonl"
    add_row(data, ROW)
    whole = data.read_bytes()
    for cut in range(len(whole) - 1):
        data.write_bytes(whole + whole[:cut])  # A process was killed while it wrote the row again.
        assert read_rows(data) == {ROW["name"]: ROW}
        add_row(data, {**ROW, "name": "other"})
        assert set(read_rows(data)) == {ROW["name"], "other"}
    add_row(data, {**ROW, "games": 500})
    assert read_rows(data)["table/safest/beginner/open"]["games"] == 500


def test_rows_with_too_few_games_are_not_finished() -> None:
    item = Item("table", "safest", "beginner", "open", 100)
    assert item.name == ROW["name"]
    assert is_finished(item, {item.name: ROW})
    assert not is_finished(item, {item.name: {**ROW, "games": 99}})
    assert not is_finished(item, {})


def test_rows_are_chosen_by_any_part_of_their_names() -> None:
    every = items()
    assert len({item.name for item in every}) == len(every) == 5 * 3 * 3 + 6 + 3
    chosen = [item for item in every if item.is_meant(["logic", "first-click/strong/expert/open"])]
    assert {item.agent for item in chosen} == {"logic", "strong"}
    assert len(chosen) == 9 + 1 + 1
    assert all(item.games == 7 for item in items(7))


def test_rows_are_listed_and_unknown_names_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = ["--data", str(tmp_path / "none.jsonl")]
    assert main([*data, "--list", "--only", "logic"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 10
    for options, trouble in ((["--only", "chess"], "no row is named chess"), (["--page"], "no rows")):
        assert main([*data, *options]) == 2
        error = capsys.readouterr().err
        assert trouble in error
        assert len(error.splitlines()) == 1


def test_every_published_figure_has_a_source() -> None:
    published = json.loads(DATA.with_name("published.json").read_text(encoding="utf-8"))
    assert {row["source"] for row in published["published"]} == set(published["sources"])
    assert all(source["address"].startswith("https://") for source in published["sources"].values())
    assert len({tuple(row) for row in published["measured"]}) == 1
