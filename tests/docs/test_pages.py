"""The pages link to each other, and name files and objects that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.support.subprocesses import ROOT

DOCS = ROOT / "docs"
PACKAGE = ROOT / "src" / "sapper"
ARCHITECTURE = (DOCS / "architecture.md").read_text(encoding="utf-8")
IN_BACKTICKS = sorted(set(re.findall(r"`([^`\n]+)`", ARCHITECTURE)))
PATHS = [text for text in IN_BACKTICKS if re.fullmatch(r"[\w./]+(\.[a-z]+|/)", text) and "/" in text]
ROOTS = (ROOT, PACKAGE, ROOT / "cpp", ROOT / "tests")


def test_the_home_page_links_to_every_page() -> None:
    linked = set(re.findall(r"\]\(([a-z_]+\.md)", (DOCS / "index.md").read_text(encoding="utf-8")))
    assert linked == {page.name for page in DOCS.glob("*.md")} - {"index.md"}


def test_the_navigation_has_every_page() -> None:
    listed = re.findall(r"- (?:Home: )?([a-z_]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(page.name for page in DOCS.glob("*.md"))


@pytest.mark.parametrize("path", PATHS)
def test_the_files_named_on_the_page_about_the_architecture_exist(path: str) -> None:
    relative = path.removeprefix("sapper/")
    assert any((root / relative).exists() for root in ROOTS)


def names_in(file: Path) -> set[str]:
    """Return the names that a Python or C++ file defines."""
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".py":
        return set(re.findall(r"\b(?:class|struct) (\w+)", text) + re.findall(r"\b(\w+)\(", text))
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.attr)
    return names


def test_the_names_on_the_page_about_the_architecture_exist() -> None:
    files = [ROOT / "minesweeper.py", *PACKAGE.rglob("*.py"), *(ROOT / "cpp").rglob("*.hpp")]
    defined = {name for file in files for name in names_in(file)}
    named = [
        text
        for text in IN_BACKTICKS
        if re.fullmatch(r"[A-Z][A-Za-z]*[a-z][A-Za-z]*((\.|::)[a-z_]+)?|[a-z]+(_[a-z]+)+", text)
        and not (ROOT / text).exists()
    ]
    assert len(named) > 40
    assert {name for text in named for name in re.split(r"\.|::", text)} - defined == set()


@pytest.mark.parametrize(("path", "name"), re.findall(r"`([\w/]+\.py)`: `(\w+)`", ARCHITECTURE))
def test_the_files_on_the_page_about_the_architecture_define_what_it_says(path: str, name: str) -> None:
    file = next(root / path for root in (ROOT, PACKAGE) if (root / path).exists())
    assert name in names_in(file)
