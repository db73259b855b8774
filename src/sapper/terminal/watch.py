"""Watch an agent play, with the reason for each move."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import count as count_from
from typing import TypeAlias

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from sapper.advice.guess import explain_guess
from sapper.analysis import analyse
from sapper.course.examination import Examination
from sapper.course.knowledge_change import KnowledgeChange
from sapper.errors import LimitReached, NotCertain
from sapper.game.game import Game, Outcome
from sapper.position import Cell, Position, describe_cell
from sapper.proof.proof import Proof, explain
from sapper.session.session import NO_MOVES, Session
from sapper.terminal.board import draw, print_line
from sapper.terminal.explain import legend, proof_lines, wrapped_words

_MOVES_SHOWN = 6
_MISTAKES_EXPLAINED = 3
"""The most mistakes that are explained after each move."""
_ENDINGS = {Outcome.WON: "Won", Outcome.LOST: "Lost", Outcome.PLAYING: "Not finished"}

Reason: TypeAlias = Proof | str


def watch(
    session: Session, console: Console, *, delay: float, why: bool = False, knowledge: bool = False
) -> None:
    """Let the agent of a session play the game to the end, and show every move.

    In a terminal, the board is redrawn in place with `delay` seconds between moves. Elsewhere, each
    move is a line of plain text, and the board follows at the end. With `why`, each safe move comes
    with its proof, and each guess with an explanation. What an examined agent has missed or wrongly
    believes follows each move, with `why` together with the reasons. With `knowledge`, so does what it
    has learned.

    >>> import io
    >>> console = Console(file=io.StringIO(), width=80)
    >>> session = Session("2x1/1", seed=1)
    >>> watch(session, console, delay=0)
    >>> print(console.file.getvalue().rstrip())
    Minesweeper 2x1/1, seed 1, promise: safe
    1. The AI opened row 1, column 1; the first click is guaranteed to be safe. Won!
    1 *
    Won: 1 of 1 safe cells opened.
    """
    game = session.game
    seed = "given board" if game.seed is None else f"seed {game.seed}"
    title = f"Minesweeper {game.level.name}, {seed}, promise: {game.promise.value}"
    wide, high = 2 * game.level.width, game.level.height + _MOVES_SHOWN + 3
    if console.is_terminal and wide <= console.width and high <= console.height:
        _watch_live(session, console, title, delay, why, knowledge)
    else:
        console.print(title, highlight=False, markup=False)
        if why:
            print_line([(legend(), "")], console)
        for line, reasons in _moves(session, why, knowledge):
            console.print(line, highlight=False, markup=False, soft_wrap=True)
            for reason in reasons:
                _print_indented(reason, console)
            if why and reasons:
                console.print()
            time.sleep(delay)
        console.print(draw(game, last=session.last))
        console.print(_summary(session), highlight=False)


def _watch_live(
    session: Session, console: Console, title: str, delay: float, why: bool, knowledge: bool
) -> None:
    recent: deque[str] = deque(maxlen=_MOVES_SHOWN)

    def picture(reasons: Sequence[Reason] = ()) -> Group:
        shown = [recent[-1], *_cut(reasons, console, session.game)] if reasons else list(recent)
        lines = Text("\n".join(shown), no_wrap=True, overflow="ellipsis")
        return Group(Text(title, "bold"), draw(session.game, last=session.last), Text(), lines)

    with Live(picture(), console=console, auto_refresh=False) as live:
        for line, reasons in _moves(session, why, knowledge):
            recent.append(line)
            live.update(picture(reasons), refresh=True)
            time.sleep(delay)
    console.print(_summary(session), highlight=False)


def _cut(reasons: Sequence[Reason], console: Console, game: Game) -> list[str]:
    """Return as many lines of the reasons as fit below the board and the last moves."""
    words = [line for reason in reasons for line in wrapped_words(reason, console.width)]
    room = console.height - game.level.height - 4
    return words if len(words) <= room else [*words[: room - 1], "..."]


def _print_indented(reason: Reason, console: Console) -> None:
    width = max(console.width - 3, 1) if console.is_terminal else None
    if isinstance(reason, Proof):
        lines = list(proof_lines(reason, width))
    else:
        lines = [[(text, "")] for text in wrapped_words(reason, width)]
    for line in lines:
        print_line([("   ", ""), *line], console)


def _moves(session: Session, why: bool, knowledge: bool) -> Iterator[tuple[str, list[Reason]]]:
    """Let the agent play until no move is left; generate a line and the reasons for each move."""
    for number in count_from(1):
        before, learned = session.game.position, len(session.changes)
        announcement = session.ai_move()
        if announcement is None:
            break
        reason = _reason(before, session.last) if why and session.last is not None else ""
        reasons = [reason] if reason else []
        if knowledge:
            reasons += [_change(change) for change in session.changes[learned:]]
        if session.examination is not None:
            reasons += _mistakes(session.examination, why)
        yield f"{number}. {session.message}", reasons
        if announcement == NO_MOVES and not session.game.over:
            break  # It has flagged what it believes to be mines, and would do so forever.


def _change(change: KnowledgeChange) -> str:
    return "\n".join([change.title, *(f"  {line}" for line in change.lines())])


def _mistakes(examination: Examination, why: bool) -> list[Reason]:
    """Return what an agent has missed or wrongly believes, and with `why` also the reasons."""
    found: list[Reason] = list(examination.lines())
    for cell in examination.cells[:_MISTAKES_EXPLAINED] if why else ():
        try:
            explained = examination.explain(cell)
        except LimitReached:
            continue
        text = examination.headline(cell)
        found += [text, explained] if isinstance(explained, Proof) else ["\n".join([text, *explained])]
    return found


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
    ending = _ENDINGS[session.game.outcome]
    return f"{ending}: {opened} of {safe_cells} safe cells opened."
