"""What holds for all tests: properties have no deadline; some examples need the compiled engine."""

from __future__ import annotations

import atexit
import os
import signal
from collections.abc import Iterator
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings

import sapper
from tests.support.processes import children_of, command_line

COMPILED_EXAMPLES = ("sapper.agents.strong.Strong", "sapper.env.vector.MinesweeperVectorEnv", "env.md")
"""Docstrings and pages whose examples need the compiled engine."""
ANY_ENGINE = {"cli", "course", "drawing", "env", "formats", "profile", "storage", "web", "window"}
"""Folders of tests for which it does not matter which engine is in use."""

# Nothing that the tests do may reach the player's own games and settings.
_folder = TemporaryDirectory(prefix="sapper-tests-")
atexit.register(_folder.cleanup)
os.environ["SAPPER_DATA"] = os.environ["SAPPER_CONFIG"] = _folder.name

# If a shell runs the tests in the background, they ignore Ctrl-C, and so would the programs they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("patient", deadline=None)  # The machine may be slow.
settings.load_profile("patient")


@pytest.fixture(scope="session", autouse=True)
def _no_process_is_left() -> Iterator[None]:
    """End the processes that tests have left behind, and fail if there are any."""
    yield
    left = {pid: command for pid in children_of(os.getpid()) if (command := command_line(pid))}
    # These two belong to Python and end with this process.
    left = {
        pid: command
        for pid, command in left.items()
        if "resource_tracker" not in command and "forkserver" not in command
    }
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert not left, f"these processes were left behind: {left}"


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
