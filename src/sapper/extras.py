"""How to install the optional dependencies of Sapper."""

from __future__ import annotations

from pathlib import Path


def install_command(extra: str, package: Path = Path(__file__).parent) -> str:
    """Return the command that installs an extra: in a clone of the repository, or for a package.

    `package` is the directory that Sapper is imported from.

    >>> install_command("web", Path("/usr/lib/python3/dist-packages/sapper"))
    "pip install 'sapper[web]'"
    """
    root = package.parent.parent
    if package.parent.name == "src" and (root / "pyproject.toml").is_file():
        return f"pip install -e '.[{extra}]' in {root}"
    return f"pip install 'sapper[{extra}]'"
