"""Tables are written while games are played, completely or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import sapper
from sapper.arena import Plan, Run, board_seed
from sapper.arena.tables import CsvTable, GamesFile, Outcomes, ParquetTable
from sapper.errors import SapperError

pytestmark = pytest.mark.any_engine

KINDS = [CsvTable, ParquetTable, Outcomes]


def table(kind: type[GamesFile], path: Path, run: Run) -> GamesFile:
    if kind is ParquetTable:
        pytest.importorskip("pyarrow", reason="needs pyarrow")
    return kind(path, [run])  # type: ignore[call-arg]


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_leaves_an_existing_file_unchanged(kind: type[GamesFile], tmp_path: Path) -> None:
    path = tmp_path / "games"
    path.write_text("old")

    def fail(run: Run) -> None:
        with table(kind, path, run) as file:
            file.add(run.play(5))
            raise SapperError("no more")

    with Run(Plan.of("2x1/1", games=9), jobs=1) as run, pytest.raises(SapperError, match=r"^no more$"):
        fail(run)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["games"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_batch_size_does_not_change_the_file(kind: type[GamesFile], tmp_path: Path) -> None:
    written = []
    for name, steps in (("one", [30]), ("many", [1, 2, 0, 27])):
        path = tmp_path / name
        with Run(Plan.of("4x4/4", games=30), jobs=1) as run:
            played = [game._replace(seconds=0.5) for game in run.play(30)]
            with table(kind, path, run) as file:
                start = 0
                for step in steps:
                    file.add(played[start : start + step])
                    start += step
        written.append(path.read_bytes())
    assert written[0] == written[1]


@pytest.mark.skipif(os.name == "nt", reason="there are no such pipes")
def test_outcomes_can_be_written_to_a_pipe() -> None:
    reader, writer = os.pipe()
    with Run(Plan.of("2x1/1", games=3), jobs=1) as run:
        path = Path(f"/dev/fd/{writer}")
        with Outcomes(path, [run]) as file:
            file.add(run.play(3))
    os.close(writer)
    assert os.read(reader, 99) == b"111\n"
    os.close(reader)


def test_a_run_can_start_at_a_very_large_board_number() -> None:
    plan = Plan.of("4x4/4", games=10**12, seed=5)
    with Run(plan, jobs=1) as run:
        run.tally.games = 10**12 - 3
        played = run.play(99)
    assert [game.seed for game in played] == [board_seed(5, 10**12 - 3 + more) for more in range(3)]
    for game in played:
        boards = sapper.arena.Boards(plan.setup, [_minefield(game.seed)])
        (again,) = sapper.arena.bench(boards=boards, jobs=1).played
        assert (again.won, again.left, again.lost_at) == (game.won, game.left, game.lost_at)


def _minefield(seed: int | None) -> bytes:
    game = sapper.Game.new("4x4/4", seed=seed)
    game.open((3, 3))
    assert game.minefield is not None
    return bytes(divmod(at, 4) in game.minefield.mines for at in range(16))
