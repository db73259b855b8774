"""The `sapper` command."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from typing import Annotated, Final, NoReturn, cast

import typer

import sapper
from sapper.cli import boards, engine, games, playing, plots, positions, runs, serving, stats
from sapper.errors import SapperError

app = typer.Typer(
    help="Plays Minesweeper by logic.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

_BAD_INPUT: Final = 2
_BROKEN_PIPE: Final = 1
_INTERRUPTED: Final = 130
_OUTPUT_ERRORS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
_UsageError: Final = cast(type[typer.BadParameter], typer.BadParameter.__mro__[2])
"""Click's exception for everything that is wrong with a command line: Typer has no name for it."""


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"sapper {sapper.__version__}, {sapper.engine_name} engine")
        raise typer.Exit


@app.callback()
def _start(
    version: Annotated[  # noqa: ARG001 - its callback acts.
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print version and engine."
        ),
    ] = False,
) -> None:
    if sapper.engine_name == "python" and not os.environ.get("SAPPER_ENGINE"):
        print("Note: no compiled engine was built; this is the plain-Python one.", file=sys.stderr)


for command in (
    playing.play,
    playing.watch,
    positions.hint,
    positions.explain,
    boards.new,
    games.measure,
    games.review,
    stats.stats,
    serving.serve,
    engine.engine,
    runs.bench,
    runs.compare,
    plots.plot,
):
    app.command()(command)


def _run(application: typer.Typer) -> NoReturn:
    """Run a command and exit. An error is one line on standard error, and exit code 2."""
    _prepare_streams()
    try:
        code = application(standalone_mode=False)
        sys.stdout.flush()
    except SapperError as error:
        _fail(str(error))
    except _UsageError as error:
        if message := error.format_message():
            _fail(message)
        code = error.exit_code  # The help was printed, because nothing was asked for.
    except KeyboardInterrupt:
        code = _INTERRUPTED
    except BrokenPipeError:  # As in `sapper ... | head`: nobody wants to read more.
        _discard_output()
        code = _BROKEN_PIPE
    except OSError as error:
        _fail(_describe(error))
    sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str) -> NoReturn:
    """Print an error on one line, and exit."""
    line = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in message)
    with suppress(OSError):
        print(f"Error: {line}", file=sys.stderr, flush=True)
    sys.exit(_BAD_INPUT)


def _prepare_streams() -> None:
    """Make sure that everything can be printed, and that no file gets the number of a closed stream."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # The lowest free number is this one.
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - to the end.
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and len(columns) > 4:  # Lines are padded to this width.
        del os.environ["COLUMNS"]
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # Not every terminal can show every character.


def _describe(error: OSError) -> str:
    """Return what is wrong with the system. Errors of files are handled, and named, elsewhere."""
    if error.filename is None and error.errno in _OUTPUT_ERRORS:
        _discard_output()
        return f"standard output cannot be written: {error.strerror}"
    try:
        os.getcwd()
    except OSError:
        return "the current folder was deleted: change to another one"
    where = "" if error.filename is None else f"{error.filename}: "
    return f"{where}{error.strerror or error}"


def _discard_output() -> None:
    """Discard what is still to be printed: Python would complain about it at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    """Run the `sapper` command."""
    _run(app)


def run_window() -> None:
    """Run `python runner.py`: the `play` command by itself."""
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    alone.callback(invoke_without_command=True)(playing.play)
    _run(alone)
