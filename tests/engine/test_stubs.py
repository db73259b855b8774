"""The committed stub of the compiled engine says what the engine offers."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import sapper


def signatures(source: str) -> dict[str, str]:
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    return {function.name: ast.unparse(function.args) for function in functions}


def test_the_stub_is_up_to_date(tmp_path: Path) -> None:
    pytest.importorskip("sapper._core", reason="there is no compiled engine")
    pytest.importorskip("nanobind", reason="nanobind makes the stub")
    made = tmp_path / "_core.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "sapper._core", "-o", str(made)]
    subprocess.run(command, check=True)
    committed = Path(sapper.__file__).with_name("_core.pyi")
    assert signatures(made.read_text()) == signatures(committed.read_text()) != {}
