"""The `sapper` command."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from typing import Annotated, Final, NoReturn, cast

import typer

import sapper
from sapper.cli import boards, checking, engine, games, playing, plots, positions, runs, serving, stats
from sapper.errors import SapperError
from sapper.storage.files import system_text

_CONTEXT: Final = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(
    help="Play Minesweeper, get hints and proofs, and measure how well agents play.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings=_CONTEXT,
)

_BAD_INPUT: Final = 2
_BROKEN_PIPE: Final = 1
_INTERRUPTED: Final = 130
_OUTPUT_ERRORS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
_UsageError: Final = cast(type[typer.BadParameter], typer.BadParameter.__mro__[2])
"""Click's exception for an invalid command line. Typer does not export it."""


def _print_version(requested: bool) -> None:
    if requested:
        print(f"sapper {sapper.__version__}, {sapper.engine_name} engine")
        raise typer.Exit


@app.callback()
def _start(
    version: Annotated[  # noqa: ARG001 - the callback prints it.
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help="Print the version and the engine.",
        ),
    ] = False,
) -> None:
    if sapper.engine_name == "python" and not os.environ.get("SAPPER_ENGINE"):
        print(
            "Note: the compiled engine is missing; the slower pure-Python engine is used",
            file=sys.stderr,
        )


for command in (
    playing.play,
    playing.watch,
    checking.check,
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


def _run(application: typer.Typer, name: str) -> NoReturn:
    """Run a command and exit. An error is one line on standard error, with exit code 2."""
    _prepare_streams()
    try:
        code = application(prog_name=name, standalone_mode=False)
        sys.stdout.flush()
    except SapperError as error:
        _fail(str(error))
    except _UsageError as error:
        if message := error.format_message():
            _fail(_in_our_style(message))
        code = error.exit_code  # No command was given, and the help was printed.
    except KeyboardInterrupt:
        code = _INTERRUPTED
    except BrokenPipeError:  # The reader is gone, as in `sapper ... | head`.
        _discard_output()
        code = _BROKEN_PIPE
    except OSError as error:
        _fail(_describe(error))
    sys.exit(code if isinstance(code, int) else 0)


def _in_our_style(message: str) -> str:
    """Return a message of Click as ours are: in lower case, and without a full stop.

    >>> _in_our_style("Missing argument 'LEVEL'.")
    "missing argument 'LEVEL'"
    """
    message = message.replace(": Value error, ", ": ").rstrip(".")
    return message[0].lower() + message[1:]


def _fail(message: str) -> NoReturn:
    """Print an error on one line and exit."""
    line = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in message)
    with suppress(OSError):
        print(f"Error: {line}", file=sys.stderr, flush=True)
    sys.exit(_BAD_INPUT)


def _prepare_streams() -> None:
    """Open closed streams, so that no file takes their number, and allow every character in output."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # This takes the lowest free number, which is this one.
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - it stays open.
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and len(columns) > 4:  # Rich pads lines to this width.
        del os.environ["COLUMNS"]
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # Not every terminal can show every character.


def _describe(error: OSError) -> str:
    """Return a message for an error of the system. Errors of named files are handled elsewhere."""
    if error.filename is None and error.errno in _OUTPUT_ERRORS:
        _discard_output()
        return f"cannot write to standard output: {system_text(error)}"
    try:
        os.getcwd()
    except OSError:
        return "the current directory was deleted: change to another one"
    where = "" if error.filename is None else f"{error.filename}: "
    return f"{where}{system_text(error)}"


def _discard_output() -> None:
    """Discard pending output. Otherwise Python prints an error at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    """Run the `sapper` command."""
    _run(app, "sapper")


def run_window() -> None:
    """Run `python runner.py`, which is the `play` command."""
    runner = typer.Typer(
        add_completion=False, pretty_exceptions_enable=False, context_settings=_CONTEXT
    )
    runner.command()(playing.play)
    _run(runner, "runner.py")
