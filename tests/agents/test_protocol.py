"""The engine protocol: every line gets one answer, and no input ends the conversation."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sapper
from sapper import Position, agents
from sapper.agents import Choice, protocol
from sapper.agents.protocol import parse_answer, parse_command
from sapper.cli.engine import EngineServer, talk
from sapper.errors import BadLine
from tests.support.engine_program import ENGINE
from tests.support.strategies import positions

pytestmark = pytest.mark.any_engine


def answers_to(*lines: str | bytes) -> list[str]:
    """Return what the engine answers to these lines."""
    said = BytesIO()
    talk(
        BytesIO(
            b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines)
        ),
        said,
    )
    return said.getvalue().decode("ascii").splitlines()


# Reading and writing -----------------------------------------------------------------------------

seconds = st.none() | st.floats(min_value=0, max_value=1e17)
commands = st.one_of(
    st.sampled_from([protocol.Hello(), protocol.ListAgents(), protocol.Quit()]),
    st.builds(protocol.UseAgent, st.sampled_from(list(agents.AgentName))),
    st.builds(protocol.NewGame, st.integers(0, 2**64 - 1)),
    st.builds(protocol.Show, positions()),
    st.builds(protocol.Go, seconds),
    st.builds(protocol.Analyse, seconds),
)


@given(commands)
def test_commands_are_read_back_unchanged(command: protocol.Command) -> None:
    assert parse_command(str(command)) == command
    assert parse_command(f"  {command} \r\n") == command


chances = st.none() | st.floats(0, 1)


@given(positions(), st.booleans(), chances, chances, st.data())
def test_answers_are_read_back_unchanged(
    position: Position, safe: bool, risk: float | None, win: float | None, data: st.DataObject
) -> None:
    if not position.hidden:
        assert parse_answer(protocol.format_answer(None), position) is None
        return
    cell = data.draw(st.sampled_from(sorted(position.hidden)))
    read = parse_answer(protocol.format_answer(Choice(cell, safe, "", risk, win)), position)
    assert read is not None
    assert (read.cell, read.safe) == (cell, safe)
    if not safe:
        assert (read.risk, read.win_chance) == (risk, win)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("open 0 3", "0 3 is not on a board of 3 x 1 cells"),
        ("open 1 0", "1 0 is not on a board"),
        ("open 0 1", "0 1 is already open"),
        ("safe 0 1", "0 1 is already open"),
        ("open -1 0", "it is not 'open ROW COLUMN'"),
        ("open 0", "it is not 'open ROW COLUMN'"),
        ("open ٠ ٢", "it is not 'open ROW COLUMN'"),  # noqa: RUF001 - Digits, but not ours.
        ("", "it is not 'open ROW COLUMN'"),
        ("open 0 0 risk", "'risk' is not"),
        ("open 0 0 risk 1.5", "1.5 is not a probability"),
        ("open 0 0 risk nan", "'nan' is not a probability"),
        ("open 0 0 win 0.5 risk 0.5", "is not"),
        ("safe 0 0 risk 0", "is not"),
    ],
)
def test_the_error_quotes_an_invalid_answer(line: str, reason: str) -> None:
    with pytest.raises(BadLine, match=reason):
        parse_answer(line, Position.parse("# 1 #", mines=1))


def test_a_probability_may_be_a_fraction() -> None:
    choice = Choice((0, 0), False, "", Fraction(1, 4), Fraction(3, 4))
    assert protocol.format_answer(choice) == "open 0 0 risk 0.25 win 0.75"


# The engine --------------------------------------------------------------------------------------


def test_the_documented_conversation_gives_these_answers() -> None:
    asked = ("sapper", "position 4x4/3 ####/12##/.1##/.111", "go", "analyse", "quit")
    assert answers_to(*asked) == [
        f"id 1 Sapper {sapper.__version__}",
        "ok",
        "safe 1 2",
        "risks exact 0.5 0.5 + 0.5 / - - + 0.5 / - - * + / - - - -",
    ]


@given(positions())
def test_an_agent_chooses_the_same_moves_through_the_protocol(position: Position) -> None:
    said = answers_to("agent safest", str(protocol.Show(position)), "go")[2]
    try:
        choice = agents.Safest().decide(position)
    except sapper.SapperError as error:
        assert said == f"error {error}"
    else:
        assert said == protocol.format_answer(choice)


@given(positions())
def test_the_risks_are_those_of_the_analysis(position: Position) -> None:
    said = answers_to(str(protocol.Show(position)), "analyse")[1]
    try:
        analysis = sapper.analyse(position)
    except sapper.SapperError as error:
        assert said == f"error {error}"
        return
    head, exact, *words = said.replace(" /", "").split()
    assert (head, exact) == ("risks", "exact")
    for cell, word in zip(position, words, strict=True):
        assert (word == "-") == (not position.is_hidden(cell))
        assert (word == "+") == (cell in analysis.safe)
        assert (word == "*") == (cell in analysis.mines)
        if word not in "-+*":
            assert float(word) == analysis.risk[cell]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("castle", "'castle' is not a command"),
        ("sapper please", "'sapper please' is not a command"),
        ("agent", "'agent' is not 'agent NAME'"),
        ("agent oracle", "'oracle' is not an agent: choose logic, safest"),
        ("agent program:rm", "'program:rm' is not an agent"),
        ("new", "'new' is not 'new SEED'"),
        ("new -1", "'-1' is not a seed"),
        (f"new {2**64}", "is not a seed"),
        ("position 2x1/1", "'position 2x1/1' is not 'position WIDTHxHEIGHT/MINES ROWS'"),
        ("position 2x1/1 #?", "'?' in row 1, column 2 is not a cell"),
        ("position 2x1/1 #/#", "2 x 1 cells, but there are 1 x 2"),
        ("position 2x1/1 ##/", "the position has an empty row"),
        ("position 2x1/5 ##", "5 mines do not fit"),
        ("position big ##", "'big' is not a size"),
        ("go seconds", "'seconds' is not 'seconds S'"),
        ("go seconds -1", "'-1' is not a number of seconds"),
        ("go seconds nan", "'nan' is not a number of seconds"),
        ("go 5", "'5' is not 'seconds S'"),
        ("go", "there is no position yet"),
        ("analyse", "there is no position yet"),
    ],
)
def test_an_invalid_line_gets_an_error_and_the_conversation_continues(line: str, reason: str) -> None:
    wrong, right = answers_to(line, "sapper")
    assert wrong.startswith("error ")
    assert reason in wrong
    assert right.startswith("id 1 ")


def test_an_invalid_position_clears_the_previous_one() -> None:
    good = "position 2x1/1 #1"
    assert answers_to(good, "position 2x1/1 #", "go")[2] == "error there is no position yet"
    assert answers_to(good, "castle", "go")[2] == "none"


def test_an_impossible_position_gives_a_one_line_error() -> None:
    ok, said = answers_to("position 3x1/1 1#.", "go")
    assert ok == "ok"
    assert said.startswith("error ")


def test_a_line_that_is_too_long_is_discarded_completely() -> None:
    long = b"sapper " + b"x" * (3 * protocol.LONGEST_COMMAND)
    wrong, right = answers_to(long, "sapper")
    assert wrong == "error the line is too long: at most 1100000 bytes are allowed"
    assert right.startswith("id 1 ")


def test_the_largest_board_fits_on_a_line() -> None:
    line = str(protocol.Show(Position.blank(1000, 1000, mines=100_000)))
    assert len(line) < protocol.LONGEST_COMMAND
    assert answers_to(line) == ["ok"]


# Hostile clients ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "program:touch owned",
        "program:sapper engine",
        "examples.agent:Agent",
        "os:system",
        "builtins:eval",
        "../../examples/agent.py",
        "/bin/sh",
        "strong-high; touch owned",
        "STRONG",
        "strong\0",
        "\x1b[2J",
        "x" * 1_000_000,
        "x " * 500_000,
    ],
    ids=lambda name: ascii(name[:24]),
)
def test_a_client_can_choose_only_built_in_agents(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    desk, imported = EngineServer(), set(sys.modules)
    said = desk.answer(f"agent {name}")
    assert said is not None
    assert said.startswith("error ")
    assert said.isprintable()
    assert len(said) < 300
    desk.answer("position 3x1/1 #1#")
    assert desk.answer("go seconds 1") in ("open 0 0 risk 0.5", "open 0 0 risk 0.5 win 0.5")
    assert list(tmp_path.iterdir()) == []
    assert "examples.agent" not in set(sys.modules) - imported


lines = st.one_of(
    commands.map(str),
    commands.map(str).map(lambda line: line[: len(line) // 2]),
    st.text(max_size=20),
    st.sampled_from(["go seconds 0", "analyse seconds 0", "go seconds 0.01", "agent logic", "agent"]),
    st.builds(
        "position {}x{}/{} {}".format, *[st.integers(0, 12)] * 3, st.text("#F.12/8", max_size=12)
    ),
)


@given(st.lists(lines, max_size=12))
@settings(max_examples=200)
def test_commands_in_any_order_get_one_printable_line_each(asked: list[str]) -> None:
    desk = EngineServer()
    for line in asked:
        said = desk.answer(line.replace("seconds 1", "seconds 0.1"))
        if line.split() == ["quit"]:
            assert said is None
        elif line.split():
            assert said is not None
            assert said.isprintable()
            assert not said.startswith("error") or len(said) < 1100


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("new " + "9" * 1_000_000, "is not a seed"),
        ("position " + "9" * 1_000_000 + "x1/1 #", "is not a size"),
        ("position 1x1/" + "9" * 5000 + " #", "is not a size"),
        ("position \u0663x1/1 ###", "is not a size"),
        ("position 1x1/1 " + "/" * 1_000_000, "empty row"),
        ("position 1000000x1/1 " + "#" * 1_000_000, "the width of a board"),
        ("position 1x1000000/1 " + "#/" * 499_999 + "#", "1 x 1000000 cells, but there are"),
        ("go seconds " + "9" * 1_000_000, "is not a number of seconds"),
        ("go seconds 1e999", "is not a number of seconds"),
        ("go " + "x " * 500_000, "is not 'seconds S'"),
        ("\x1b[2J" * 1000, "is not a command"),
    ],
    ids=lambda text: ascii(text[:16]),
)
def test_a_long_line_gives_a_short_error(line: str, reason: str) -> None:
    said = EngineServer().answer(line)
    assert said is not None
    assert reason in said
    assert said.isprintable()
    assert len(said) < 300


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="measures memory in /proc")
def test_an_endless_line_does_not_fill_the_memory() -> None:
    with subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        for _ in range(200):
            engine.stdin.write(b"x" * 2**20)
        engine.stdin.write(b"\nsapper\n")
        engine.stdin.flush()
        assert (
            engine.stdout.readline()
            == b"error the line is too long: at most 1100000 bytes are allowed\n"
        )
        assert engine.stdout.readline().startswith(b"id 1 ")
        status = Path(f"/proc/{engine.pid}/status").read_text()
        (peak,) = (line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
        assert int(peak) < 150_000  # KiB.
        engine.stdin.close()
        assert engine.wait(60) == 0


@given(st.lists(st.binary(max_size=40).filter(lambda line: b"\n" not in line), max_size=5))
def test_every_line_of_random_bytes_gets_one_answer(lines: list[bytes]) -> None:
    asked = [line for line in lines if line.strip() and line.split() != [b"quit"]]
    assert len(answers_to(*asked)) == len(asked)


def test_the_same_seed_gives_the_same_random_moves() -> None:
    def moves(seed: int) -> list[str]:
        asked = ("agent logic", f"new {seed}", "position 30x1/5 " + "#" * 30, *["go"] * 5)
        return answers_to(*asked)[3:]

    assert moves(1) == moves(1)
    assert len({tuple(moves(seed)) for seed in range(5)}) > 1


def test_the_agents_listed_can_all_be_used() -> None:
    word, *names = answers_to("agents")[0].split()
    assert word == "agents"
    assert names
    desk = EngineServer()
    for name in names:
        assert desk.answer(f"agent {name}") == "ok"
        assert desk.answer("position 5x1/1 #####") == "ok"
        said = desk.answer("go seconds 5")
        assert said is not None
        assert said.startswith("open 0 ")


def test_each_answer_comes_before_the_next_question() -> None:
    with subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        for asked, answer in (("sapper", "id 1 Sapper"), ("position 2x1/1 #1", "ok"), ("go", "none")):
            engine.stdin.write(f"{asked}\n")
            engine.stdin.flush()
            assert engine.stdout.readline().startswith(answer)
        engine.stdin.close()  # The end of the input has the effect of `quit`.
        assert engine.wait(30) == 0


def test_the_engine_exits_silently_when_its_reader_is_gone() -> None:
    with subprocess.Popen(
        ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as engine:
        assert engine.stdout is not None
        engine.stdout.close()
        _, said = engine.communicate(b"sapper\n" * 10, timeout=60)
        assert said == b""
        assert engine.returncode == 0
