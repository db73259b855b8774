"""What holds for all tests: properties have no deadline; some examples need the compiled engine."""

from __future__ import annotations

import atexit
import os
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings

import sapper

NEED_THE_COMPILED_ENGINE = ("sapper.agents.Strong", "sapper.vector_env.MinesweeperVectorEnv", "env.md")
"""Docstrings and pages whose examples do."""

# Nothing that the tests do may reach the player's own games and settings.
_folder = TemporaryDirectory(prefix="sapper-tests-")
atexit.register(_folder.cleanup)
os.environ["SAPPER_DATA"] = os.environ["SAPPER_CONFIG"] = _folder.name

settings.register_profile("patient", deadline=None)  # The machine may be slow.
settings.load_profile("patient")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the examples that the engine in use cannot run."""
    for item in items:
        if sapper.engine_name == "python" and item.name.startswith(NEED_THE_COMPILED_ENGINE):
            item.add_marker(pytest.mark.skip("needs the compiled engine"))
