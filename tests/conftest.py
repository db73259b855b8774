"""Settings for all tests: a private data folder, no deadlines, and which tests need which engine."""

from __future__ import annotations

import atexit
import os
import signal
from collections.abc import Iterator
from tempfile import TemporaryDirectory
from time import monotonic, sleep

import pytest
from hypothesis import settings

import sapper
from tests.support.processes import children_of, command_line

COMPILED_EXAMPLES = ("sapper.agents.strong.Strong", "sapper.env.vector.MinesweeperVectorEnv", "env.md")
"""Docstrings and pages whose examples need the compiled engine."""
ANY_ENGINE = {
    *("cli", "course", "drawing", "env", "formats", "profile"),
    *("session", "storage", "web", "window"),
}
"""Folders whose tests give the same result with every engine."""

# The tests must not touch the user's own games and settings.
_folder = TemporaryDirectory(prefix="sapper-tests-")
atexit.register(_folder.cleanup)
os.environ["SAPPER_DATA"] = os.environ["SAPPER_CONFIG"] = _folder.name

# A shell makes background jobs ignore Ctrl-C, and child processes would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("patient", deadline=None)  # Some machines are slow.
settings.load_profile("patient")


ENDING_SECONDS = 5.0
"""A process that was told to end may take this long on a busy machine."""


def _processes_left() -> dict[int, str]:
    """Return the child processes that tests have started, with their commands."""
    left = {pid: command for pid in children_of(os.getpid()) if (command := command_line(pid))}
    # Python started these two itself; they end with this process.
    return {
        pid: command
        for pid, command in left.items()
        if "resource_tracker" not in command and "forkserver" not in command
    }


@pytest.fixture(scope="session", autouse=True)
def _no_process_is_left_running() -> Iterator[None]:
    """Kill processes that the tests left running, and fail if there are any."""
    yield
    end = monotonic() + ENDING_SECONDS
    while (left := _processes_left()) and monotonic() < end:
        sleep(0.1)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert not left, f"these processes were left running: {left}"


def pytest_configure(config: pytest.Config) -> None:
    """Declare the markers."""
    config.addinivalue_line("markers", "compiled: needs the compiled engine")
    config.addinivalue_line("markers", "any_engine: gives the same result with every engine")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by their folder, and skip those that the engine in use cannot run."""
    for item in items:
        if item.path.parent.parent.name == "tests" and item.path.parent.name in ANY_ENGINE:
            item.add_marker(pytest.mark.any_engine)
        if item.name.startswith(COMPILED_EXAMPLES):
            item.add_marker(pytest.mark.compiled)
        if sapper.engine_name == "python" and item.get_closest_marker("compiled"):
            item.add_marker(pytest.mark.skip("needs the compiled engine"))
