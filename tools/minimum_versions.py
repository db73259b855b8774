"""Print the oldest versions that pyproject.toml allows, as a constraints file for pip.

    python tools/minimum_versions.py           the package's dependencies and those of its extras
    python tools/minimum_versions.py --build   what the build needs

The extras for development (`dev` and `docs`) are left out: their versions do not concern users.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"
FOR_DEVELOPMENT = ("dev", "docs")

_REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(\[[\w,-]+\])?>=(?P<version>[\w.]+)(?P<marker> *;.*)?")


def pinned(requirement: str) -> str:
    """Return a constraint that only the oldest version meets. Constraints name no extras.

    >>> pinned("dask[distributed]>=2024.8"), pinned("tomli>=2; python_version < '3.11'")
    ('dask==2024.8', "tomli==2; python_version < '3.11'")
    >>> pinned("rich")
    Traceback (most recent call last):
    ValueError: 'rich' does not name its oldest version: write NAME>=VERSION
    """
    found = _REQUIREMENT.fullmatch(requirement)
    if found is None:
        raise ValueError(f"{requirement!r} does not name its oldest version: write NAME>=VERSION")
    return f"{found['name']}=={found['version']}{found['marker'] or ''}"


def run_time_requirements(project: dict[str, Any]) -> Iterator[str]:
    """Generate the requirements of the package and of every extra that users may ask for.

    >>> extras = {"web": ["fastapi>=1"], "all": ["sapper[web]"], "dev": ["pytest>=8"]}
    >>> project = {"name": "sapper", "dependencies": ["rich>=13"], "optional-dependencies": extras}
    >>> list(run_time_requirements(project))
    ['rich>=13', 'fastapi>=1']
    """
    yield from project["dependencies"]
    for extra, requirements in project["optional-dependencies"].items():
        if extra not in FOR_DEVELOPMENT:
            yield from (each for each in requirements if not each.startswith(f"{project['name']}["))


def main() -> None:
    """Print the pinned requirements."""
    parser = argparse.ArgumentParser(
        description="Print the oldest versions that pyproject.toml allows."
    )
    parser.add_argument("--build", action="store_true", help="what the build needs instead")
    build = parser.parse_args().build
    tables = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))
    requirements = (
        tables["build-system"]["requires"] if build else run_time_requirements(tables["project"])
    )
    print("\n".join(pinned(requirement) for requirement in requirements))


if __name__ == "__main__":
    main()
