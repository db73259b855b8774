"""The committed stub of the compiled engine declares what the engine offers."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import sapper


def declarations(source: str) -> dict[str, str]:
    """Return every function, class, method and property of a stub, without its docstring."""
    found: dict[str, str] = {}

    def visit(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef):
                bases = ", ".join(map(ast.unparse, node.bases))
                found[f"{prefix}{node.name}"] = f"class({bases})"
                visit(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, ast.FunctionDef):
                decorators = " ".join(map(ast.unparse, node.decorator_list))
                returns = "" if node.returns is None else ast.unparse(node.returns)
                key = f"{prefix}{node.name} {decorators}".strip()
                found[key] = f"({ast.unparse(node.args)}) -> {returns}"
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                found[prefix + ast.unparse(node)] = ""

    visit(ast.parse(source).body, "")
    return found


def test_declarations_include_classes_methods_and_properties() -> None:
    members = "    '''Doc.'''\n    @property\n    def c(self) -> int: ...\n"
    source = f"class A(B):\n{members}def f(x: int) -> str: ..."
    assert declarations(source) == {
        "A": "class(B)",
        "A.c property": "(self) -> int",
        "f": "(x: int) -> str",
    }


def test_the_stub_is_up_to_date(tmp_path: Path) -> None:
    pytest.importorskip("sapper._core", reason="there is no compiled engine")
    pytest.importorskip("nanobind", reason="nanobind generates the stub")
    generated = tmp_path / "_core.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "sapper._core"]
    subprocess.run([*command, "-o", str(generated)], check=True)
    committed = Path(sapper.__file__).with_name("_core.pyi").read_text()
    assert declarations(committed) == declarations(generated.read_text())
    assert "Tracker.update" in declarations(committed)
