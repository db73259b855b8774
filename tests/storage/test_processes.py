"""Child processes leave Ctrl-C to their parent, and end with it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.support.processes import needs_proc, wait_until_ended

FIRST_CHILD = """
import multiprocessing, signal
from sapper.processes import ctrl_c_blocked

def is_blocked(answer):
    answer.send(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))

if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    answer, other = context.Pipe()
    with ctrl_c_blocked():
        context.Process(target=is_blocked, args=(other,)).start()
    print(answer.recv(), signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))
"""

BUSY_CHILD = """
import multiprocessing, os, time
from sapper.processes import end_with_parent

def work(ready):
    end_with_parent()
    ready.send(os.getpid())
    end = time.monotonic() + 60
    while time.monotonic() < end:
        pass

if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    answer, other = context.Pipe()
    context.Process(target=work, args=(other,)).start()
    print(answer.recv(), flush=True)
    time.sleep(60)
"""


def script(tmp_path: os.PathLike[str], text: str) -> list[str]:
    path = os.path.join(tmp_path, "script.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return [sys.executable, path]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal masks")
def test_even_the_first_child_starts_with_ctrl_c_blocked(tmp_path: os.PathLike[str]) -> None:
    command = script(tmp_path, FIRST_CHILD)
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["True", "False"]


@needs_proc
def test_a_busy_child_ends_with_its_parent(tmp_path: os.PathLike[str]) -> None:
    with subprocess.Popen(script(tmp_path, BUSY_CHILD), stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    wait_until_ended([child], 10)
