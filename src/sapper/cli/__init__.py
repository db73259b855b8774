"""The `sapper` command."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from difflib import get_close_matches
from functools import wraps
from typing import Annotated, Any, Final, NoReturn, cast

import typer
from typer.core import TyperCommand, TyperGroup

import sapper
from sapper.cli import boards, checking, engine, games, playing, plots, positions, runs, serving, stats
from sapper.cli.options import LEVEL_FORMS
from sapper.errors import SapperError
from sapper.storage.files import system_text
from sapper.text import listed

_CONTEXT: Final = {"help_option_names": ["-h", "--help"]}


class _Command(TyperCommand):
    """A command whose help shows no types for flags and arguments."""

    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401 - Typer does not export its type.
        return _without_types(super().get_params(ctx))


class _Group(TyperGroup):
    """All commands; its help shows no types for flags."""

    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401 - Typer does not export its type.
        return _without_types(super().get_params(ctx))


def _without_types(parameters: list[Any]) -> list[Any]:
    for parameter in parameters:
        if getattr(parameter, "is_flag", False) and parameter.metavar is None:
            parameter.metavar = ""
        if parameter.param_type_name == "argument":
            # Newer versions of Typer show a type such as <str> beside the name of an argument.
            parameter.display_type_rich = lambda ctx: None  # noqa: ARG005 - Typer passes it by name.
    return parameters


app = typer.Typer(
    cls=_Group,
    help="Play Minesweeper, get hints and proofs, and measure how well agents play.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings=_CONTEXT,
)

_CLOSE: Final = 0.8
"""How similar an option must be to be suggested: `--sed` suggests `--seed`, `--nope` nothing."""
_MISSING: Final = {
    "LEVEL": f"choose {LEVEL_FORMS}",
    "AGENT": "give two agents, for example: sapper compare logic strong",
    "KIND": f"choose {listed([kind.value for kind in plots.PlotKind], 'or')}",
}
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
    _print_engine_note()


def _print_engine_note() -> None:
    """Print a note if the compiled engine is missing, and the user did not ask for the other one."""
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
    app.command(cls=_Command)(command)


def _run(application: typer.Typer, name: str) -> NoReturn:
    """Run a command and exit. An error is one line on standard error, with exit code 2."""
    _prepare_streams()
    try:
        code = application(prog_name=name, standalone_mode=False)
        sys.stdout.flush()
    except SapperError as error:
        _fail(str(error))
    except _UsageError as error:
        if message := _usage_message(error):
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


def _usage_message(error: Any) -> str:  # noqa: ANN401 - Typer does not export Click's types.
    """Return a message of Click with better advice: the help, similar names, or the choices."""
    message = str(error.format_message())
    context = error.ctx
    if context is None:
        return message
    advice = f"see {context.command_path} -h"
    if isinstance(option := getattr(error, "option_name", None), str):
        names = [name for parameter in context.command.get_params(context) for name in parameter.opts]
        close = get_close_matches(option, names, n=1, cutoff=_CLOSE)
        return f"no such option: {option}: {f'did you mean {close[0]}?' if close else advice}"
    if message.startswith("No such command"):
        message = message.rstrip(".").replace(". Did you mean", ": did you mean")
        return message if "did you mean" in message else f"{message}: {advice}"
    if message.startswith("Missing argument"):
        name = error.param.metavar
        return f"missing argument '{name}': {_MISSING.get(name, advice)}"
    return message


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


@wraps(playing.play)
def _play_in_window(**options: Any) -> None:  # noqa: ANN401 - those of the command.
    _print_engine_note()
    playing.play(**options)


def run_window() -> None:
    """Run `python runner.py`, which is the `play` command."""
    runner = typer.Typer(
        add_completion=False, pretty_exceptions_enable=False, context_settings=_CONTEXT
    )
    runner.command(cls=_Command)(_play_in_window)
    _run(runner, "runner.py")
