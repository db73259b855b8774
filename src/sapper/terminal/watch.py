"""Watch an agent play, with the reason for each move."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from itertools import count as count_from
from typing import TypeAlias

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from sapper.advice.guess import explain_guess
from sapper.analysis import analyse
from sapper.errors import LimitReached, NotCertain
from sapper.game.game import Game, Outcome
from sapper.position import Cell, Position, describe_cell
from sapper.proof.proof import Proof, explain
from sapper.session.session import Session
from sapper.terminal.board import draw, print_line
from sapper.terminal.explain import legend, proof_lines, wrapped_words

_MOVES_SHOWN = 6

Reason: TypeAlias = Proof | str


def watch(session: Session, console: Console, *, delay: float, why: bool = False) -> None:
    """Let the agent of a session play the game to the end, and show every move.

    In a terminal, the board is redrawn in place with `delay` seconds between moves. Elsewhere, each
    move is a line of plain text, and the board follows at the end. With `why`, each safe move comes
    with its proof, and each guess with an explanation.

    >>> import io
    >>> console = Console(file=io.StringIO(), width=80)
    >>> session = Session("2x1/1", seed=1)
    >>> watch(session, console, delay=0)
    >>> print(console.file.getvalue().rstrip())
    Minesweeper 2x1/1, seed 1, promise: safe
    1. The AI opened row 1, column 1; no safe cell known: random guess. Won!
    1 *
    Won: 1 of 1 safe cells opened.
    """
    game = session.game
    seed = "given board" if game.seed is None else f"seed {game.seed}"
    title = f"Minesweeper {game.level.name}, {seed}, promise: {game.promise.value}"
    wide, high = 2 * game.level.width, game.level.height + _MOVES_SHOWN + 3
    if console.is_terminal and wide <= console.width and high <= console.height:
        _watch_live(session, console, title, delay, why)
    else:
        console.print(title, highlight=False, markup=False)
        if why:
            print_line([(legend(), "")], console)
        for line, reason in _moves(session, why):
            console.print(line, highlight=False, markup=False, soft_wrap=True)
            if reason:
                _print_indented(reason, console)
            time.sleep(delay)
        console.print(draw(game, last=session.last))
        console.print(_summary(session), highlight=False)


def _watch_live(session: Session, console: Console, title: str, delay: float, why: bool) -> None:
    recent: deque[str] = deque(maxlen=_MOVES_SHOWN)

    def picture(reason: Reason = "") -> Group:
        shown = [recent[-1], *_cut(reason, console, session.game)] if reason else list(recent)
        lines = Text("\n".join(shown), no_wrap=True, overflow="ellipsis")
        return Group(Text(title, "bold"), draw(session.game, last=session.last), Text(), lines)

    with Live(picture(), console=console, auto_refresh=False) as live:
        for line, reason in _moves(session, why):
            recent.append(line)
            live.update(picture(reason), refresh=True)
            time.sleep(delay)
    console.print(_summary(session), highlight=False)


def _cut(reason: Reason, console: Console, game: Game) -> list[str]:
    """Return as many lines of a reason as fit below the board and the last moves."""
    words = wrapped_words(reason, console.width)
    room = console.height - game.level.height - 4
    return words if len(words) <= room else [*words[: room - 1], "..."]


def _print_indented(reason: Reason, console: Console) -> None:
    width = max(console.width - 3, 1) if console.is_terminal else None
    if isinstance(reason, Proof):
        lines = list(proof_lines(reason, width))
    else:
        lines = [[(text, "")] for text in wrapped_words(reason, width)]
    for line in [*lines, []]:
        print_line([("   ", ""), *line], console)


def _moves(session: Session, why: bool) -> Iterator[tuple[str, Reason]]:
    """Let the agent play until the game is over; generate a line and a reason for each move."""
    for number in count_from(1):
        before = session.game.position
        if session.ai_move() is None:
            break
        reason = _reason(before, session.last) if why and session.last is not None else ""
        yield f"{number}. {session.message}", reason


def _reason(position: Position, cell: Cell) -> Reason:
    """Return why a cell is safe, or why it was guessed; empty if that takes too long."""
    try:
        proof = explain(position, cell)
        return proof if proof.verdict == "safe" else f"{describe_cell(cell)} was certainly a mine"
    except NotCertain as uncertain:
        if not position.numbers or analyse(position).safe:
            return str(uncertain) if position.numbers else ""  # The promise may make it safe.
        guess = explain_guess(position)
        is_that = guess.choice.cell == cell
        return f"{guess.due}\n{guess.advice}" if is_that else str(uncertain)
    except LimitReached:
        return ""


def _summary(session: Session) -> str:
    safe_cells = len(session.game.position) - session.game.level.mines
    opened = len(session.game.position.numbers)
    ending = "Won" if session.game.outcome is Outcome.WON else "Lost"
    return f"{ending}: {opened} of {safe_cells} safe cells opened."
