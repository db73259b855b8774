"""Watching an agent play: each move with its reason."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from itertools import count as count_from

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from minesweeper import Cell
from sapper.errors import LimitReached
from sapper.game import Game, Outcome
from sapper.position import Position
from sapper.proof import NotCertain, Proof, explain
from sapper.session import Session
from sapper.terminal.board import draw, print_line
from sapper.terminal.explain import legend, proof_lines, proof_words

_MOVES_SHOWN = 6


def watch(session: Session, console: Console, *, delay: float, why: bool = False) -> None:
    """Let the session's agent play the game to its end, and show it.

    In a terminal the board is redrawn in place with `delay` seconds between moves; elsewhere every
    move is a line of plain text, and the board follows at the end. If asked why, each move that was
    certainly safe comes with its proof.

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
        _watch_live(session, console, title, delay, why)
    else:
        console.print(title, highlight=False)
        if why:
            print_line([(legend(), "")], console)
        for line, proof in _moves(session, why):
            console.print(line, highlight=False, soft_wrap=True)
            if proof is not None:
                _print_indented(proof, console)
            time.sleep(delay)
        console.print(draw(game, last=session.last))
        console.print(_summary(session), highlight=False)


def _watch_live(session: Session, console: Console, title: str, delay: float, why: bool) -> None:
    recent: deque[str] = deque(maxlen=_MOVES_SHOWN)

    def picture(proof: Proof | None = None) -> Group:
        shown = list(recent) if proof is None else [recent[-1], *_cut(proof, console, session.game)]
        lines = Text("\n".join(shown), no_wrap=True, overflow="ellipsis")
        return Group(Text(title, "bold"), draw(session.game, last=session.last), Text(), lines)

    with Live(picture(), console=console, auto_refresh=False) as live:
        for line, proof in _moves(session, why):
            recent.append(line)
            live.update(picture(proof), refresh=True)
            time.sleep(delay)
    console.print(_summary(session), highlight=False)


def _cut(proof: Proof, console: Console, game: Game) -> list[str]:
    """Return the words of a proof, as many as there is room for below the board and the last move."""
    words = proof_words(proof, console.width)
    room = console.height - game.level.height - 4
    return words if len(words) <= room else [*words[: room - 1], "..."]


def _print_indented(proof: Proof, console: Console) -> None:
    indent = ("   ", "")
    for line in proof_lines(proof, console.width - 3 if console.is_terminal else None):
        print_line([indent, *line], console)
    print_line([], console)


def _moves(session: Session, why: bool) -> Iterator[tuple[str, Proof | None]]:
    """Let the agent move until the game is over; generate a line for each move, and its proof."""
    for number in count_from(1):
        before = session.game.position
        if session.ai_move() is None:
            break
        proof = _proof(before, session.last) if why and session.last is not None else None
        yield f"{number}. {session.message}", proof


def _proof(position: Position, cell: Cell) -> Proof | None:
    """Return why a cell is safe, None if it is not or that was not found in time."""
    try:
        proof = explain(position, cell)
    except (NotCertain, LimitReached):
        return None
    return proof if proof.verdict == "safe" else None


def _summary(session: Session) -> str:
    safe_cells = len(session.game.position) - session.game.level.mines
    opened = len(session.game.position.numbers)
    ending = "Won" if session.game.outcome is Outcome.WON else "Lost"
    return f"{ending}: {opened} of {safe_cells} safe cells opened."
