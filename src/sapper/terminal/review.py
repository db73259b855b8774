"""Reviews in the terminal: a summary of the game, a plot of the win probability, and the moves."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from sapper.game.record import Record
from sapper.position import describe_cell
from sapper.reviews.review import FAULTS, Label, Review, ReviewedMove, review
from sapper.reviews.wording import game_words, judgement_words, percent
from sapper.terminal.board import Line, print_line

_BARS: Final = "▁▂▃▄▅▆▇█"
_DIGITS: Final = "0123456789"
_MOST_BARS: Final = 72
_WORTH_READING: Final = (*FAULTS, Label.FINE, Label.FORCED_GUESS)
_STYLES: Final = {
    Label.FIRST_CLICK: "dim",
    Label.ONLY_MOVE: "green",
    Label.BEST: "green",
    Label.INACCURACY: "yellow",
    Label.MISTAKE: "bright_red",
    Label.NEEDLESS_GUESS: "bright_red",
    Label.BLUNDER: "bold bright_red",
}
_HEADINGS: Final = ("move", "time", "cell", "label", "risk", "win prob", "lost", "luck")
_WIDTHS: Final = (4, 7, -23, -14, 6, 8, 5, 6)
"""The widths of the columns; negative ones are left-aligned."""


def make_review(record: Record, *, playouts: int, seconds: float, jobs: int | None) -> Review:
    """Review a game, with a progress bar on standard error if that is a terminal.

    >>> from sapper import Level, Promise
    >>> game = Record(Level.named("2x1/1"), Promise.SAFE, frozenset({(0, 0)}), ())
    >>> make_review(game, playouts=0, seconds=1.0, jobs=1).moves
    ()
    """
    console = Console(stderr=True)
    columns = (
        TextColumn("Reviewing"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("positions"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)

        def show(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        return review(record, playouts=playouts, seconds=seconds, jobs=jobs, progress=show)


def print_review(reviewed: Review, console: Console, *, every: bool = False, why: bool = False) -> None:
    """Print a review: a summary, a plot, and the notable moves or all moves.

    >>> import sys
    >>> from sapper import Entry, Level, Promise
    >>> moves = (Entry(0.0, "open", (0, 2)), Entry(1.5, "open", (0, 3)))
    >>> game = Record(Level.named("4x1/1"), Promise.SAFE, frozenset({(0, 1)}), moves)
    >>> print_review(review(game), Console(file=sys.stdout), why=True)
    Unfinished after 1.5 s: 4x1/1, 2 moves.
    Accuracy 50.0 over 1 decision.
    1 needless guess.
    Probability of surviving all risks taken: 50.0 %.
    With the lowest risk at every move: 100 %.
    Costliest move: 2, which lost 50.0 points.
    Luckiest move: 2, +50.0 points.
    <BLANKLINE>
    move    time cell                    label            risk win prob  lost   luck
       2   1.5 s row 1, column 4         needless guess 50.0 %    100 %  50.0  +50.0
    <BLANKLINE>
    Move 2: Risk 50.0 %, though row 1, column 1 was certainly safe. ...
    Row 1, column 1 is safe (mine count):
    ...
    """
    for sentence in game_words(reviewed):
        console.print(sentence, soft_wrap=not console.is_terminal, highlight=False, markup=False)
    plot = plot_of(reviewed, "" if console.options.ascii_only else _BARS)
    if plot:
        print_line([("", "")], console)
        print_line([("Win probability  ", ""), (plot, "cyan")], console)
    moves = [move for move in reviewed.moves if every or move.label in _WORTH_READING]
    if moves:
        print_line([("", "")], console)
        print_line(_row(_HEADINGS, "dim"), console)
        for move in moves:
            print_line(_move_row(move), console)
    if why:
        _print_reasons(reviewed, console)


def plot_of(reviewed: Review, bars: str) -> str:
    """Return the win probability during the game as bars; empty if fewer than three values are known.

    >>> from sapper import Entry, Level, Promise
    >>> cells = [(0, 1), (0, 0), (0, 4), (0, 3)]
    >>> entries = tuple(Entry(0.0, "open", cell) for cell in cells)
    >>> game = Record(Level.named("6x1/2"), Promise.NONE, frozenset({(0, 2), (0, 5)}), entries)
    >>> plot_of(review(game), "0123456789")
    '5565'
    """
    bars = bars or _DIGITS
    known = [move.before.chance for move in reviewed.line if move.before is not None]
    if len(known) < 3:
        return ""
    step = max(1, -(-len(known) // _MOST_BARS))
    return "".join(bars[min(int(chance * len(bars)), len(bars) - 1)] for chance in known[::step])


def _move_row(move: ReviewedMove) -> Line:
    label = "" if move.label is None else str(move.label)
    lost = "" if move.loss is None or move.loss.chance == 0 else f"{100 * float(move.loss.chance):.1f}"
    luck = "" if move.luck is None or move.luck == 0 else f"{100 * float(move.luck):+.1f}"
    win_probability = "" if move.before is None else percent(move.before.chance)
    if move.before is not None and not move.before.exact:
        win_probability = f"~{win_probability}"
    risk = "" if move.risk is None else percent(move.risk)
    where = "" if move.cell is None else describe_cell(move.cell)
    what = where if move.kind == "open" else f"{move.kind} {where}".rstrip()
    cells = (str(move.number), f"{move.at:.1f} s", what, label, risk, win_probability, lost, luck)
    style = "dim strike" if move.undone else _STYLES.get(move.label, "") if move.label else "dim"
    return _row(cells, style)


def _row(cells: tuple[str, ...], style: str) -> Line:
    columns = [
        f"{cell:<{-width}}" if width < 0 else f"{cell:>{width}}"
        for cell, width in zip(cells, _WIDTHS, strict=True)
    ]
    return [(" ".join(columns), style)]


def _print_reasons(reviewed: Review, console: Console) -> None:
    proofs = reviewed.proofs()
    for move in reviewed.moves:
        if move.label in FAULTS:
            proof = proofs.get(move.number)
            shown = move if proof is None else replace(move, missed=proof.cell)
            words = " ".join(judgement_words(shown))
            print_line([("", "")], console)
            console.print(
                f"Move {move.number}: {words}",
                soft_wrap=not console.is_terminal,
                highlight=False,
                markup=False,
            )
            for line in () if proof is None else str(proof).splitlines():
                console.print(line, soft_wrap=True, highlight=False, markup=False)
