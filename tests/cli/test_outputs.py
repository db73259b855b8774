"""Outputs of commands never destroy an input, another output or, without --force, an existing file."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import sapper
from sapper.arena.database import Store
from sapper.cli.outputs import check_output
from sapper.errors import SapperError
from sapper.profile.history import FinishedGame
from sapper.storage.files import check_apart, check_writable
from tests.support.command import refusal, run_command
from tests.support.system import ordinary_user, small_disk

POSITION = "4x1/2\n# 1 # #\n"
BOARDS = "4 2 3 0 0 open\n2 6 7\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SAPPER_DATA", str(tmp_path))
    Path("position.txt").write_text(POSITION)
    Path("boards.txt").write_text(BOARDS)
    Path("letter.txt").write_text("Dear Sir or Madam")
    game = sapper.Game.on("4x1/1", [(0, 2)])
    for cell in ((0, 0), (0, 3)):
        game.open(cell)
    sapper.write("game.json", game)
    history = sapper.History.open(".")
    history.add(FinishedGame.of(sapper.Record.of(game)))


def contents() -> dict[str, bytes]:
    """Return the content of every file."""
    return {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()}


OUTPUTS = [
    "hint position.txt --svg",
    "explain position.txt --svg",
    "review game.json --jobs 1 --html",
    "stats --plot",
    "bench 4x2/3 --agent safest --games 2 --jobs 1 --csv",
    "bench 4x2/3 --agent safest --games 2 --jobs 1 --outcomes",
    "plot guesses 4x2/3 --agent safest --games 2 --jobs 1 --svg",
    "plot guesses 4x2/3 --agent safest --games 2 --jobs 1 --csv",
    "plot losses 4x2/3 --agent safest --games 2 --jobs 1 --csv",
    "plot density 4x2/3 --agent safest --games 2 --jobs 1 --csv",
    "plot first-click 4x2/3 --agent safest --games 2 --jobs 1 --csv",
]
"""Commands that write a file."""
INPUTS = [
    ("hint position.txt --svg", "position.txt"),
    ("explain position.txt --svg", "position.txt"),
    ("review game.json --html", "game.json"),
    ("bench --boards boards.txt --csv", "boards.txt"),
    ("bench --boards boards.txt --outcomes", "boards.txt"),
    ("bench --boards boards.txt --save", "boards.txt"),
    ("compare safest logic --boards boards.txt --csv", "boards.txt"),
]


def same(name: str) -> str:
    return f"../{Path.cwd().name}/{name}"


def symbolic_link(name: str) -> str:
    Path("link").symlink_to(name)
    return "link"


def link_to_link(name: str) -> str:
    Path("first").symlink_to(name)
    Path("second").symlink_to("first")
    return "second"


def hard_link(name: str) -> str:
    os.link(name, "link")
    return "link"


@pytest.mark.parametrize(("command", "file"), INPUTS)
@pytest.mark.parametrize("name", [str, same, symbolic_link, link_to_link, hard_link])
def test_an_input_is_never_overwritten(command: str, file: str, name: Callable[[str], str]) -> None:
    output = name(file)
    before = contents()
    assert "cannot be both" in refusal(*command.split(), output)
    assert contents() == before


@pytest.mark.parametrize("name", [str, same, symbolic_link, hard_link])
@pytest.mark.parametrize(
    ("command", "first", "second"),
    [
        ("bench 4x2/3 --agent safest --games 2 --jobs 1", "--csv", "--outcomes"),
        ("bench 4x2/3 --agent safest --games 2 --jobs 1", "--save", "--csv"),
        ("plot losses 4x2/3 --agent safest --games 2 --jobs 1", "--svg", "--csv"),
    ],
)
def test_two_outputs_are_two_files(
    command: str, first: str, second: str, name: Callable[[str], str]
) -> None:
    Path("output").touch()
    arguments = (*command.split(), first, "output", second, name("output"))
    assert "cannot be both" in refusal(*arguments)
    assert Path("output").read_bytes() == b""


@pytest.mark.parametrize("command", OUTPUTS)
def test_existing_files_are_overwritten_only_with_force(command: str) -> None:
    Path("link").symlink_to("letter.txt")
    Path("dangling").symlink_to("nowhere")
    Path("empty").touch()
    before = contents()
    for file in (*before, "dangling"):
        line = refusal(*command.split(), file)
        assert "cannot be both" in line or line == f"{file} already exists: use --force to overwrite it"
    assert contents() == before
    for file in ("letter.txt", "empty"):
        assert run_command(*command.split(), file, "--force").code == 0
        assert Path(file).read_bytes() not in (before[file], b"")


@pytest.mark.parametrize(("command", "file"), INPUTS)
def test_even_with_force_an_input_is_not_overwritten(command: str, file: str) -> None:
    before = contents()
    assert "cannot be both" in refusal(*command.split(), file, "--force")
    assert contents() == before


@pytest.mark.parametrize("command", OUTPUTS)
def test_no_temporary_file_is_left_behind(command: str) -> None:
    before = set(contents())
    assert run_command(*command.split(), "new").code == 0
    assert Path("new").stat().st_size > 0
    assert set(contents()) == before | {"new"}


@pytest.mark.parametrize("command", OUTPUTS)
def test_a_command_does_nothing_if_it_cannot_write_its_output(command: str) -> None:
    Path("folder").mkdir()
    Path("loop").symlink_to("loop")
    before = sorted(Path().iterdir())
    for file in ("folder", "nowhere/file", "letter.txt/file", "loop", "x" * 5000):
        assert "cannot write" in refusal(*command.split(), file)
    assert sorted(Path().iterdir()) == before


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="there are no devices")
def test_devices_are_written_to_and_not_replaced() -> None:
    command = "plot losses 4x2/3 --agent safest --games 2 --jobs 1 --svg /dev/null --csv /dev/null"
    assert run_command(*command.split()).code == 0
    assert Path("/dev/null").is_char_device()


def test_a_database_of_something_else_is_not_used() -> None:
    before = contents()
    for file, trouble in (
        ("history.sqlite", "does not contain Sapper's runs"),
        ("letter.txt", "not a database"),
    ):
        command = f"bench 4x2/3 --agent safest --games 2 --jobs 1 --save {file}"
        assert trouble in refusal(*command.split())
    assert contents() == before


def test_a_record_overwrites_a_file_only_with_force() -> None:
    before = contents()
    Path("link").symlink_to("nowhere")
    for file in ("letter.txt", "game.json", "link"):
        assert "already exists: use --force" in refusal("watch", "4x2/3", "--record", file)
    assert contents() == before
    assert not Path("nowhere").exists()
    for seed in (1, 2):
        options = ("--seed", seed, "--record", "game.json", "--force")
        assert run_command("watch", "4x2/3", *options).code == 0
        record = sapper.read("game.json")
        assert isinstance(record, sapper.Record)
        assert record.seed == seed
    assert set(contents()) == set(before)


# Boards ----------------------------------------------------------------------------------------


def test_boards_overwrite_a_file_only_with_force() -> None:
    Path("link").symlink_to("nowhere")
    before = contents()
    for options in ((), ("--format", "mbf")):
        for file in ("letter.txt", "link"):
            assert "already exists: use --force" in refusal("new", "4x2/3", "--out", file, *options)
        assert "it is a directory" in refusal("new", "4x2/3", "--out", ".", *options, "--force")
    assert contents() == before
    assert not Path("nowhere").exists()
    assert run_command("new", "4x2/3", "--out", "letter.txt", "--force").code == 0
    assert sapper.game_from_code(Path("letter.txt").read_text()).level.size == "4x2/3"


def test_boards_in_a_directory_replace_nothing_without_force() -> None:
    Path("4x2-3-7.mbf").write_text("mine")
    before = contents()
    command = ("new", "4x2/3", "--seed", 5, "--count", 3, "--format", "mbf", "--out", ".")
    assert "4x2-3-7.mbf already exists" in refusal(*command)
    assert contents() == before
    assert run_command(*command, "--force").code == 0
    assert Path("4x2-3-7.mbf").read_bytes() != b"mine"


def test_boards_that_were_made_before_an_error_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    make = sapper.generate

    def fail(*arguments: object, seed: int, **options: object) -> sapper.Game:
        if seed == 7:
            raise SapperError("no more boards")
        return make(*arguments, seed=seed, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(sapper, "generate", fail)
    done = run_command("new", "4x2/3", "--seed", 5, "--count", 9, "--out", "new.txt")
    assert done.code == 2
    assert done.err == "Note: 2 boards written to new.txt\nError: no more boards\n"
    assert len(Path("new.txt").read_text().splitlines()) == 2


def test_boards_that_were_made_before_ctrl_c_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    make = sapper.generate

    def stop(*arguments: object, seed: int, **options: object) -> sapper.Game:
        if seed == 6:
            raise KeyboardInterrupt
        return make(*arguments, seed=seed, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(sapper, "generate", stop)
    done = run_command("new", "4x2/3", "--seed", 5, "--count", 9, "--out", "new.txt")
    assert (done.code, done.err) == (130, "Note: 1 board written to new.txt\n")
    assert len(Path("new.txt").read_text().splitlines()) == 1


# Results of long runs ----------------------------------------------------------------------------

TIRED = """
class Tired:
    games = 0

    def __init__(self):
        Tired.games += 1

    def choose(self, position):
        if Tired.games > 30:
            raise RuntimeError("no more")
        return min(position.hidden)
"""


@pytest.fixture
def tired(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Provide an agent that plays some games, and then fails."""
    Path("tired.py").write_text(TIRED)
    monkeypatch.syspath_prepend(".")
    yield "tired:Tired"
    sys.modules.pop("tired", None)


def test_games_before_the_failure_of_an_agent_are_printed_and_written(tired: str) -> None:
    options = f"bench 4x4/3 --agent {tired} --games 1000 --jobs 1 --json --csv t.csv --save t.sqlite"
    done = run_command(*options.split(), "--outcomes", "t.txt")
    assert done.code == 2
    assert "the agent 'tired:Tired' failed: RuntimeError: no more" in done.err
    games = json.loads(done.out)["games"]
    assert 0 < games <= 30
    assert len(Path("t.csv").read_text().splitlines()) == games + 1
    assert len(Path("t.txt").read_text()) == games + 1
    with Store(Path("t.sqlite")) as store:
        assert store.query("SELECT count(*) FROM games") == [(games,)]


def test_a_survey_shows_the_games_before_the_failure_of_an_agent(tired: str) -> None:
    options = f"plot losses 4x4/3 --agent {tired} --games 1000 --jobs 1 --json --csv t.csv --svg t.svg"
    done = run_command(*options.split())
    assert done.code == 2
    assert "the agent 'tired:Tired' failed: RuntimeError: no more" in done.err
    assert 0 < json.loads(done.out)["games"] <= 30
    assert Path("t.csv").exists()
    assert Path("t.svg").exists()


def test_an_agent_that_fails_at_once_writes_nothing(tired: str) -> None:
    Path("tired.py").write_text(TIRED.replace("> 30", "> 0"))
    sys.modules.pop("tired", None)
    before = contents()
    for command in ("bench 4x4/3 --csv t.csv", "plot losses 4x4/3 --csv t.csv"):
        assert "no more" in refusal(*command.split(), "--agent", tired, "--games", 9, "--jobs", 1)
    sys.modules.pop("tired", None)
    after = contents()
    assert {name for name in after if not name.endswith(".pyc")} == set(before)


def test_a_full_disk_costs_a_table_but_no_result(tmp_path: Path) -> None:
    with small_disk(tmp_path, 256) as disk:
        options = "bench 4x4/3 --agent safest --games 20000 --jobs 1 --json --outcomes outcomes.txt"
        done = run_command(*options.split(), "--csv", disk / "t.csv")
        assert done.code == 2
        assert "t.csv: no space left on device" in done.err
        games = json.loads(done.out)["games"]
        assert games > 0
        assert len(Path("outcomes.txt").read_text()) == games + 1
        assert list(disk.iterdir()) == []


# Options that say nothing ------------------------------------------------------------------------


def test_options_that_would_be_ignored_are_refused() -> None:
    assert "--boards and --seed cannot be combined" in refusal(
        "bench", "--boards", "boards.txt", "--seed", 0
    )
    assert "cannot read" in refusal("play", "--open", "nowhere.json")


def test_nothing_to_resume_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    done = run_command("play", "--seed", 1, "--resume")
    assert done.code == 0
    assert "Note: there is no unfinished game to resume\n" in done.err
    Path("unfinished.json").write_text("{")
    done = run_command("play", "--seed", 1, "--resume")
    assert "unfinished.json.broken" in done.err


# The checks themselves -------------------------------------------------------------------------


def test_checking_changes_nothing() -> None:
    Path("dangling").symlink_to("target")
    check_writable(Path("dangling"))
    check_writable(Path("new"))
    check_output(Path("new"), force=False)
    assert Path("dangling").is_symlink()
    assert not Path("target").exists()
    assert not Path("new").exists()


@pytest.mark.skipif(os.name == "nt", reason="there are no such pipes")
def test_a_pipe_is_not_opened_to_be_checked() -> None:
    os.mkfifo("pipe")
    check_output(Path("pipe"), force=False)  # Opening it would wait for a reader.
    check_apart({"one": Path("pipe"), "other": Path("pipe")})


def test_inputs_may_be_the_same_and_unused_files_do_not_count() -> None:
    letter = Path("letter.txt")
    check_apart({"the output": Path("new")}, {"one": letter, "other": letter, "third": None})
    check_apart({"one": None, "other": None}, {"input": letter})


def test_a_read_only_file_is_not_replaced() -> None:
    with ordinary_user() as folder:
        file = folder / "picture.svg"
        file.write_text("")
        file.chmod(0o400)
        with pytest.raises(SapperError, match=r"cannot write .*: it is read-only"):
            check_writable(file)
        folder.chmod(0o500)
        with pytest.raises(SapperError, match=r"cannot write .*: permission denied"):
            check_writable(folder / "new")
        folder.chmod(0o700)
