"""The package itself: its public names can be listed and read, with and without the extras."""

from __future__ import annotations

import inspect

import sapper
from tests.support.subprocesses import run

WITHOUT_EXTRAS = """
import sys
for name in ("gymnasium", "numpy", "dask", "distributed", "fastapi", "pygame", "ms_toollib"):
    sys.modules[name] = None
import inspect, pydoc, sapper
from sapper import *
assert "env" not in dir(sapper)
assert "Sapper plays Minesweeper" in pydoc.render_doc(sapper)
print(len(inspect.getmembers(sapper)) > len(sapper.__all__))
"""


def test_all_public_names_are_listed_and_can_be_read() -> None:
    names = dir(sapper)
    assert set(sapper.__all__) <= set(names)
    assert not {"Final", "TYPE_CHECKING", "_NAMES", "import_module", "annotations"} & set(names)
    for name in sapper.__all__:
        assert getattr(sapper, name) is not None


def test_the_package_has_help_without_the_extras() -> None:
    done = run("-c", WITHOUT_EXTRAS)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_the_window_is_loaded_on_first_use() -> None:
    done = run("-c", "import sapper; print(sapper.window.run.__name__)")
    assert done.stdout == "run\n"
    assert inspect.ismodule(sapper.window)
