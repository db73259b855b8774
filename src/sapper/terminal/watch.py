"""Watching an agent play: each move with its reason."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from sapper.game import Outcome
from sapper.session import Session
from sapper.terminal.board import draw

_MOVES_SHOWN = 6


def watch(session: Session, console: Console, *, delay: float) -> None:
    """Let the session's agent play the game to its end, and show it.

    In a terminal the board is redrawn in place with `delay` seconds between moves; elsewhere every
    move is a line of plain text, and the board follows at the end.

    >>> import io
    >>> console = Console(file=io.StringIO(), width=80)
    >>> session = Session("2x1/1", seed=1)
    >>> watch(session, console, delay=0)
    >>> print(console.file.getvalue().rstrip())
    Minesweeper 2x1/1, seed 1, first click promised safe
    1. The AI opened row 1, column 1; no safe cell known: random. Won!
    1 *
    Won: 1 of 1 safe cells opened.
    """
    game = session.game
    title = (
        f"Minesweeper {game.level.name}, seed {game.seed}, first click promised {game.promise.value}"
    )
    wide, high = 2 * game.level.width, game.level.height + _MOVES_SHOWN + 3
    if console.is_terminal and wide <= console.width and high <= console.height:
        _watch_live(session, console, title, delay)
    else:
        console.print(title, highlight=False)
        for line in _moves(session):
            console.print(line, highlight=False, soft_wrap=True)
            time.sleep(delay)
        console.print(draw(game, last=session.last))
        console.print(_summary(session), highlight=False)


def _watch_live(session: Session, console: Console, title: str, delay: float) -> None:
    recent: deque[str] = deque(maxlen=_MOVES_SHOWN)

    def picture() -> Group:
        lines = Text("\n".join(recent), no_wrap=True, overflow="ellipsis")
        return Group(Text(title, "bold"), draw(session.game, last=session.last), Text(), lines)

    with Live(picture(), console=console, auto_refresh=False) as live:
        for line in _moves(session):
            recent.append(line)
            live.update(picture(), refresh=True)
            time.sleep(delay)
    console.print(_summary(session), highlight=False)


def _moves(session: Session) -> Iterator[str]:
    """Let the agent move until the game is over, and generate a line for each move."""
    number = 0
    while session.ai_move() is not None:
        number += 1
        yield f"{number}. {session.message}"


def _summary(session: Session) -> str:
    safe_cells = len(session.game.position) - session.game.level.mines
    opened = len(session.game.position.numbers)
    ending = "Won" if session.game.outcome is Outcome.WON else "Lost"
    return f"{ending}: {opened} of {safe_cells} safe cells opened."
