"""Programs as agents: their moves are played, and every failure is an error, never a hang."""

from __future__ import annotations

import gc
import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

import sapper
from sapper import Position, agents, arena
from sapper.agents.program import split_command
from sapper.agents.specs import parse_agent_spec
from sapper.errors import BadProgram
from tests.support.engine_program import ENGINE
from tests.support.processes import is_running, needs_proc, wait_until_ended
from tests.support.subprocesses import ROOT, run, sapper_command

pytestmark = pytest.mark.any_engine

HELLO = "print(input() and 'id 1 Test', flush=True); print(input() and 'ok', flush=True);"
EXAMPLE = f"program:{shlex.quote(sys.executable)} {shlex.quote(str(ROOT / 'examples' / 'program.py'))}"
POSITION = Position.parse("# 1 #", mines=1)


def program(code: str, *, seconds: float = 20.0) -> agents.Program:
    """Return a program that answers `sapper` and `new`, and then runs this Python code."""
    return agents.Program([sys.executable, "-c", HELLO + code], seed=1, seconds=seconds)


def answering(answer: str) -> agents.Program:
    return program(f"input(); print('ok', flush=True); input(); print({answer!r}, flush=True); input()")


# Correct programs ---------------------------------------------------------------------------------


def test_the_engine_as_a_program_plays_like_the_agent() -> None:
    with agents.Program([*ENGINE], seed=3) as engine:
        assert engine.name == f"Sapper {sapper.__version__}"
        mine = agents.named("strong" if "strong" in agents.available() else "safest")
        for text in ("# # # # #", "# 1 # #", "# # # 1 ."):
            position = Position.parse(text, mines=1)
            said, choice = engine.decide(position), mine.decide(position)
            assert said is not None
            assert choice is not None
            assert (said.cell, said.safe) == (choice.cell, choice.safe)
            if not said.safe:
                assert said.risk == choice.risk


def test_a_program_may_report_risk_and_win_probability() -> None:
    with answering("open 0 2 risk 0.5 win 0.25") as told:
        choice = told.decide(POSITION)
    assert choice == agents.Choice((0, 2), False, "risk 50.0 %, win probability 25.0 %", 0.5, 0.25)
    assert isinstance(told, agents.ReasoningAgent)
    assert told.known_mines(POSITION) == frozenset()


def test_a_program_may_give_up() -> None:
    with answering("none") as told:
        assert told.decide(POSITION) is None
    with answering("none") as told, pytest.raises(sapper.IllegalMove, match="chose no cell"):
        told.choose(POSITION)


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_program_plays_the_same_games_with_any_number_of_jobs(jobs: int) -> None:
    one = arena.bench("5x4/3", agent=parse_agent_spec(EXAMPLE), games=24, seed=5, jobs=1)
    many = arena.bench("5x4/3", agent=parse_agent_spec(EXAMPLE), games=24, seed=5, jobs=jobs)
    assert [game._replace(seconds=0.0) for game in one.played] == [
        game._replace(seconds=0.0) for game in many.played
    ]
    assert 0 < one.wins < 24
    assert one.times.longest > 0


def test_a_program_wins_the_same_games_as_the_agent_it_runs() -> None:
    safest = f"program:{shlex.quote(sys.executable)} -c " + shlex.quote(
        "import sys, io\n"
        "from sapper.cli.engine import EngineServer\n"
        "desk = EngineServer(); desk.answer('agent safest')\n"
        "for line in sys.stdin:\n"
        "    said = desk.answer(line)\n"
        "    if said is None: break\n"
        "    print(said, flush=True)\n"
    )
    both = arena.compare("safest", parse_agent_spec(safest), "5x5/5", games=12, seed=2, jobs=2)
    assert [game.won for game in both.first.played] == [game.won for game in both.second.played]


def test_a_program_can_be_used_wherever_an_agent_is_named() -> None:
    done = sapper_command("watch", "4x4/2", "--seed", "1", "--agent", EXAMPLE)
    assert done.returncode == 0, done.stderr
    assert "not known to be safe" in done.stdout
    done = sapper_command("compare", EXAMPLE, "logic", "4x4/2", "--games", "10", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["first"]["games"] == 10


# Wrong answers ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("open 0 9", "'open 0 9' to 'go': 0 9 is not on a board of 3 x 1 cells"),
        ("open 0 1", "'open 0 1' to 'go': 0 1 is already open"),
        ("banana", "'banana' to 'go': it is not 'open ROW COLUMN'"),
        ("error no idea", "'error no idea' to 'go'"),
        ("", "'' to 'go'"),
    ],
)
def test_the_error_about_an_invalid_cell_quotes_the_answer(answer: str, reason: str) -> None:
    with answering(answer) as told, pytest.raises(BadProgram) as caught:
        told.choose(POSITION)
    assert reason in str(caught.value)
    assert sys.executable in str(caught.value)


def test_a_silent_program_is_stopped() -> None:
    start = time.monotonic()
    silent = program("import time; time.sleep(600)", seconds=0.2)
    with pytest.raises(BadProgram, match=r"did not answer 'position' within 1.2 seconds"):
        silent.choose(POSITION)
    with pytest.raises(BadProgram, match="has ended"):
        silent.choose(POSITION)
    assert time.monotonic() - start < 300  # The program sleeps for longer than that.


def test_a_program_that_does_not_read_its_input_is_stopped() -> None:
    deaf = program("import time; time.sleep(600)", seconds=0.2)
    with pytest.raises(BadProgram, match="did not answer 'position'"):
        deaf.choose(Position.blank(1000, 1000, mines=1))


def test_the_error_about_a_program_that_exits_quotes_its_last_output() -> None:
    dying = program("import sys; input(); print('sorry', end='', flush=True); sys.exit(7)")
    with pytest.raises(
        BadProgram, match=r"ended without an answer to 'position' \(exit code 7\).*sorry"
    ):
        dying.choose(POSITION)


def test_output_without_a_line_break_is_an_error() -> None:
    babbler = program(
        "import sys; input(); sys.stdout.write('x' * 100_000); sys.stdout.flush(); input()"
    )
    with pytest.raises(BadProgram, match="with more than one short line: 'xxx"):
        babbler.choose(POSITION)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("no-such-program-here", "'no-such-program-here' cannot be started"),
        ("", "the command of the program is empty"),
        ("unclosed 'quote", "is not valid"),
        (f"{shlex.quote(sys.executable)} -c 'print(1)'", "answered '1' to 'sapper', not 'id 1 NAME'"),
        (f"{shlex.quote(sys.executable)} -c pass", "ended without an answer to 'sapper' (exit code 0)"),
        (
            f'{shlex.quote(sys.executable)} -c \'print("id 1 A"); print("no"); input()\'',
            "answered 'no' to 'new 0', not 'ok'",
        ),
    ],
)
def test_a_program_that_cannot_start_gives_a_one_line_error(command: str, reason: str) -> None:
    done = sapper_command(
        "bench", "beginner", "--agent", f"program:{command}", "--games", "2", "--jobs", "1"
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1
    assert reason in done.stderr


def test_a_wrong_answer_in_the_arena_is_an_error_too() -> None:
    code = "\nwhile True: line = input(); print('open 0 0' if line[:2] == 'go' else 'ok', flush=True)"
    agent = f"program:{shlex.quote(sys.executable)} -c {shlex.quote(HELLO + code)}"
    with pytest.raises(BadProgram, match="0 0 is already open"):
        arena.bench(
            "9x9/1", agent=parse_agent_spec(agent), games=20, jobs=2, first=(0, 0), promise="open"
        )


def test_a_command_is_split_as_a_shell_does_it() -> None:
    assert split_command("a 'b c' --d") == ["a", "b c", "--d"] or os.name == "nt"


# Hostile programs: each runs in its own process, which must leave nothing behind -------------------

REPORT = """
import json, os, sys, threading, time
from sapper import Position, agents
from sapper.agents import program
from sapper.errors import BadProgram
program.START_SECONDS = 4.0
start, said = time.monotonic(), "nothing"
try:
    with agents.Program([sys.executable, "-c", sys.argv[1]], seed=1, seconds=1.0) as told:
        told.choose(Position.parse("# 1 #", mines=1))
except BadProgram as error:
    said = str(error)
seconds = time.monotonic() - start
try:
    os.waitpid(-1, os.WNOHANG)
    children = "some"
except ChildProcessError:
    children = "none"
status = open("/proc/self/status").read()  # The figure of getrusage includes what the parent had.
memory = int(status.split("VmHWM:")[1].split()[0]) // 1024
print(json.dumps([said, seconds, children, threading.active_count(), memory]))
"""
SLEEP = "import time; time.sleep(600)"
HOSTILE = {
    "late": f"{HELLO} {SLEEP}",
    "never": SLEEP,
    "endless line": "import sys\nwhile True: sys.stdout.write('x' * 2**20)",
    "endless line later": f"{HELLO} import sys\nwhile True: sys.stdout.write('x' * 2**20)",
    "endless bytes": "import os\nwhile True: os.write(1, b'\\0\\xff\\x1b' * 2**16)",
    "endless lines": f"{HELLO}\nwhile True: print('ok')",
    "binary": f"{HELLO} import os, sys; sys.stdout.buffer.write(b'\\xff\\xfe\\0\\x1b[2J\\n' * 9)",
    "drips": f"{HELLO} import time\nwhile True: print('x', end='', flush=True); time.sleep(0.1)",
    "escapes in its name": "print('id 1 \\x1b]0;owned\\x07\\x1b[2J'); input(); input()",
    "long name": "print('id 1 ' + 'x' * 4000); input(); input()",
    "off the board": f"{HELLO} input(); print('ok'); input(); print('open 9 9'); input()",
    "far off the board": f"{HELLO} input(); print('ok'); input(); print('open', '9' * 20, 0); input()",
    "huge number": f"{HELLO} input(); print('ok'); input(); print('open', '9' * 4000, 0); input()",
    "negative": f"{HELLO} input(); print('ok'); input(); print('open -1 0'); input()",
    "open already": f"{HELLO} input(); print('ok'); input(); print('safe 0 1'); input()",
    "not a chance": f"{HELLO} input(); print('ok'); input(); print('open 0 0 risk nan'); input()",
    "exits": "pass",
    "exits later": f"{HELLO} raise SystemExit(3)",
    "aborts": f"{HELLO} import os; os.abort()",
    "closes its output": f"{HELLO} import os; os.close(1); {SLEEP}",
    "closes its input": f"{HELLO} import os; os.close(0); {SLEEP}",
    "ignores signals": f"""
import signal
for each in {{*signal.Signals}} - {{signal.SIGKILL, signal.SIGSTOP}}:
    signal.signal(each, signal.SIG_IGN)
{HELLO}{SLEEP}""",
    "stops itself": f"{HELLO} import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
    "floods its error output": f"{HELLO} import sys\nwhile True: sys.stderr.write('x' * 2**20)",
    "forks many": f"{HELLO} import os\nfor _ in range(5): os.fork()\n{SLEEP}",
    "forks and exits": f"{HELLO} import os\nif os.fork() == 0: {SLEEP}",
    "hides a process": f"{HELLO} import os\nif os.fork() == 0: os.setsid(); import time; time.sleep(8)",
}


@needs_proc
@pytest.mark.parametrize("code", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_program_gives_one_clean_error(code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", REPORT, code],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        timeout=200,
        check=True,
    )
    said, seconds, children, _, memory = json.loads(done.stdout)
    assert said.startswith("the program ")
    assert said.isprintable()
    assert len(said) < len(code) + 1200
    assert seconds < 150  # 4 to start, 2 per command, and what a busy machine adds.
    assert children == "none"
    assert memory < 200


@needs_proc
def test_child_processes_of_a_program_are_killed_with_it(tmp_path: Path) -> None:
    """This holds even if the program itself has already exited."""
    noted = tmp_path / "process"
    code = (
        "import os, subprocess, sys\n"
        f"child = subprocess.Popen([sys.executable, '-c', {SLEEP!r}])\n"
        f"open({str(noted)!r}, 'w').write(str(child.pid))\n"
    )
    with pytest.raises(BadProgram):
        program(code, seconds=1.0).choose(POSITION)
    process = int(noted.read_text())
    wait_until_ended([process], seconds=60)


def test_an_interrupted_question_does_not_answer_the_next_one() -> None:
    """After Ctrl-C, a late answer must not be taken for the answer to the next question."""
    code = (
        "import os, signal, time; input(); os.kill(os.getppid(), signal.SIGINT); time.sleep(1)\n"
        "while True: print('ok', flush=True); input()"
    )
    slow = program(code)
    with pytest.raises(KeyboardInterrupt):
        slow.choose(POSITION)
    with pytest.raises(BadProgram, match="has ended"):
        slow.choose(POSITION)


# The end -----------------------------------------------------------------------------------------


@needs_proc
def test_a_program_that_does_not_quit_is_killed_with_its_children(tmp_path: Path) -> None:
    noted = tmp_path / "processes"
    code = (
        "import os, subprocess, sys, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']);"
        f"open({str(noted)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}');"
        "print(input() and 'id 1 Test', flush=True); print(input() and 'ok', flush=True);"
        "time.sleep(600)"
    )
    with agents.Program([sys.executable, "-c", code]):
        processes = [int(process) for process in noted.read_text().split()]
        assert all(map(is_running, processes))
    wait_until_ended(processes, seconds=60)


@needs_proc
def test_a_program_ends_when_its_agent_is_garbage_collected(tmp_path: Path) -> None:
    noted = tmp_path / "process"
    code = (
        f"import os; open({str(noted)!r}, 'w').write(str(os.getpid()));"
        "print(input() and 'id 1 Test', flush=True); print(input() and 'ok', flush=True); input()"
    )
    agent = agents.Program([sys.executable, "-c", code])
    process = int(noted.read_text())
    assert is_running(process)
    del agent
    gc.collect()
    assert not is_running(process)


def test_a_program_ends_when_its_parent_exits() -> None:
    code = (
        "import sys; from sapper import agents\n"
        f"kept = agents.Program({[sys.executable, str(ROOT / 'examples' / 'program.py')]!r})\n"
        "print(kept.name)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Dice\n", "")


# The examples ------------------------------------------------------------------------------------


def test_the_example_client_gets_a_move() -> None:
    done = run("examples/client.py")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        f"sapper -> id 1 Sapper {sapper.__version__}",
        "position 4x4/3 ####/12##/.1##/.111 -> ok",
        "go -> safe 1 2",
    ]


def test_the_example_agent_plays_in_the_arena() -> None:
    done = sapper_command(
        "bench", "5x5/3", "--agent", "examples.agent:Agent", "--games", "20", "--jobs", "1", "--json"
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["wins"] > 10
