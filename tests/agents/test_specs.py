"""Agent names and specifications: only what the owner types on the command line can run code."""

from __future__ import annotations

import io
import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import sapper
from sapper import Session, agents, arena
from sapper.agents.specs import AgentSpec, ImportedAgent, ProgramAgent, parse_agent_spec
from sapper.cli.engine import talk
from sapper.errors import SapperError
from sapper.profile.settings import Settings
from sapper.session.saved import session_from_json, session_to_json
from tests.support.command import refusal, run_command
from tests.support.subprocesses import sapper_command

pytestmark = pytest.mark.any_engine


def hostile_names(mark: Path) -> list[str]:
    """Return agent names that would create the file `mark` if they ran."""
    code = f"open({str(mark)!r}, 'w')"
    return [
        f"program:touch {shlex.quote(str(mark))}",
        f"program:{shlex.quote(sys.executable)} -c {shlex.quote(code)}",
        " program:touch " + shlex.quote(str(mark)),
        "antigravity:fly",
        "os:abort",
        "sapper.agents:Logic",
    ]


def through_session(name: str) -> object:
    return Session("beginner", agent=name)


def through_change(name: str) -> object:
    session = Session("beginner")
    session.use_agent(name)
    return session


def through_bench(name: str) -> object:
    return arena.bench("beginner", agent=name, games=1, jobs=1)


def through_compare(name: str) -> object:
    return arena.compare("logic", name, "beginner", games=1, jobs=1)


def through_frozen_session(name: str) -> object:
    return session_from_json({**session_to_json(Session("beginner", seed=1)), "agent": name})


@pytest.mark.parametrize(
    "use",
    [
        agents.named,
        agents.AgentName.parse,
        through_session,
        through_change,
        through_bench,
        through_compare,
        through_frozen_session,
    ],
)
def test_a_string_never_runs_code(use: Callable[[str], object], tmp_path: Path) -> None:
    mark = tmp_path / "owned"
    for name in hostile_names(mark):
        with pytest.raises(SapperError, match="unknown agent"):
            use(name)
    assert not mark.exists()


def test_settings_accept_built_in_agents_only(tmp_path: Path) -> None:
    for name in hostile_names(tmp_path / "owned"):
        settings = Settings.parse(f"agent = {json.dumps(name)}")
        assert settings.agent in list(agents.AgentName)
        assert any("agent is" in trouble for trouble in settings.trouble)


def test_the_engine_protocol_accepts_built_in_agents_only(tmp_path: Path) -> None:
    mark = tmp_path / "owned"
    for name in hostile_names(mark):
        lines = f"agent {name}\nposition 2x1/1 #1\ngo\n".encode()
        answers = io.BytesIO()
        talk(io.BytesIO(lines), answers)
        assert answers.getvalue().startswith(b"error ")
    assert not mark.exists()


def test_specifications_are_read_back() -> None:
    for text in ("logic", "strong-high", "program:bot --fast", "bots:Careful"):
        assert str(parse_agent_spec(text)) == text
    with pytest.raises(SapperError, match=r"unknown agent 'oracle': .*program:COMMAND or module"):
        parse_agent_spec("oracle")


class Seedless:
    """An agent that takes no seed and gives no reasons."""

    def choose(self, position: sapper.Position) -> sapper.Cell:
        return min(position.hidden)


class Seeded(Seedless):
    def __init__(self, seed: int) -> None:
        assert isinstance(seed, int)


@pytest.mark.parametrize("name", ["Seedless", "Seeded"])
def test_an_agent_needs_only_the_method_choose(name: str) -> None:
    agent = ImportedAgent(__name__, name)
    assert arena.bench("4x4/2", agent=agent, games=4, jobs=1).games == 4
    session = Session("4x4/2", seed=1, agent=agent)
    while not session.game.over:
        session.ai_move()
    assert session.agent_name == f"{__name__}:{name}"


def test_the_command_line_accepts_every_kind_of_agent(tmp_path: Path) -> None:
    (tmp_path / "sapper_test_bots.py").write_text(
        "class First:\n    def choose(self, position):\n        return min(position.hidden)\n"
    )
    agent = ["--agent", "sapper_test_bots:First"]
    for arguments in (["watch", "4x4/2"], ["bench", "4x4/2", "--games", "4", "--jobs", "1"]):
        done = sapper_command(*arguments, *agent, "--seed", "1", PYTHONPATH=str(tmp_path))
        assert done.returncode == 0, done.stderr


def test_programs_and_classes_are_never_plain_strings() -> None:
    spec: AgentSpec
    for spec in (ProgramAgent("bot"), ImportedAgent("bots", "Careful")):
        assert not isinstance(spec, str)


BOTS = """
import sys

class Fails:
    def choose(self, position):
        raise ZeroDivisionError("two\\nlines [/x]")

class Leaves:
    def choose(self, position):
        sys.exit(7)

class Recurses:
    def choose(self, position):
        return self.choose(position)

class CannotBeMade:
    def __init__(self):
        raise RuntimeError("no")

number = 5

def takes_two(first, second):
    pass
"""


@pytest.mark.parametrize(
    ("agent", "trouble"),
    [
        ("bots:Fails", "failed: ZeroDivisionError: two\\nlines [/x] ("),
        ("bots:Leaves", "failed: SystemExit: 7 ("),
        ("bots:Recurses", "failed: RecursionError"),
        ("bots:CannotBeMade", "failed: RuntimeError: no ("),
        ("bots:number", "is 5, not a class or function"),
        ("bots:takes_two", "failed: TypeError: takes_two() missing 2"),
        ("bots:missing", "cannot be loaded"),
        ("wrong:x", "failed: SyntaxError"),
        ("leaves:x", "failed: SystemExit: 3"),
        ("..:x", "failed: TypeError"),
    ],
)
def test_errors_in_the_code_of_an_agent_are_one_line(
    agent: str, trouble: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("bots", "wrong", "leaves"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    Path("bots.py").write_text(BOTS)
    Path("wrong.py").write_text("def (:\n")
    Path("leaves.py").write_text("import sys; sys.exit(3)\n")
    monkeypatch.syspath_prepend(tmp_path)
    for jobs in (1, 2):
        line = refusal("bench", "3x3/1", "--games", 2, "--jobs", jobs, "--agent", agent)
        assert trouble in line
        assert agent in line
    watched = run_command("watch", "3x3/1", "--agent", agent)
    assert (watched.code, watched.err.count("\n")) == (2, 1)
    assert trouble in watched.err
    for name in ("bots", "wrong", "leaves"):
        sys.modules.pop(name, None)


def test_agents_that_give_reasons_keep_giving_them() -> None:
    agent = ImportedAgent("sapper.agents", "Logic").create(seed=1)
    assert isinstance(agent, agents.ReasoningAgent)
    position = sapper.Position.parse("# 1 .", mines=1)
    choice = agent.decide(position)
    assert choice is None or choice.cell in position.hidden
