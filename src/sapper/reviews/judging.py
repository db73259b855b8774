"""Judge the positions of a game on several threads, and plan which ones need playouts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Final

from sapper.analysis import Budget, analyse_within
from sapper.errors import LimitReached
from sapper.position import Position
from sapper.reviews.examining import ExaminedMove
from sapper.reviews.worth import Cells, Judge, Judgement

CERTAIN_MOVES_PER_PLAYOUT: Final = 6
"""Among positions before certainly safe moves, one in this many is estimated with playouts."""


@dataclass
class Task:
    """A position to judge, and the guesses made in it."""

    position: Position
    moves: list[Cells] = field(default_factory=list)
    may_use_playouts: bool = False


def judge_moves(
    moves: Sequence[ExaminedMove],
    *,
    playouts: int,
    budget: Budget,
    jobs: int | None,
    progress: Callable[[int, int], None] | None,
) -> Mapping[Position, Judgement]:
    """Return the judgements of a game's positions, without flags."""
    tasks = list(plan(moves))
    judge = Judge(playouts=playouts, budget=budget)
    judgements: dict[Position, Judgement] = {}
    for done, (task, judgement) in enumerate(_judge_all(tasks, judge, jobs), start=1):
        if judgement is not None:
            judgements[task.position] = judgement
        if progress is not None:
            progress(done, len(tasks))
    return judgements


def plan(moves: Sequence[ExaminedMove]) -> Iterable[Task]:
    """Return the positions to judge, and whether each may use playouts.

    Playouts are allowed before and after every guess, but only before a few of the certain moves.
    """
    tasks: dict[Position, Task] = {}
    certain = 0  # The number of moves since the last position with playouts.
    for move in moves:
        if move.before is None or move.after is None:
            continue
        if not move.is_first:
            task = tasks.setdefault(move.before, Task(move.before))
            if move.is_guess and move.cells not in task.moves:
                task.moves.append(move.cells)
            certain += 1
            if move.is_guess or certain >= CERTAIN_MOVES_PER_PLAYOUT:
                task.may_use_playouts = True
            if task.may_use_playouts:
                certain = 0
        if not move.lost:
            after = tasks.setdefault(move.after, Task(move.after))
            if move.is_guess or move.is_first:
                after.may_use_playouts = True
    survived = [move.after for move in moves if move.after is not None and not move.lost]
    if survived:
        tasks[survived[-1]].may_use_playouts = True
    return tasks.values()


def _judge_all(
    tasks: Sequence[Task], judge: Judge, jobs: int | None
) -> Iterator[tuple[Task, Judgement | None]]:
    jobs = min(jobs or os.cpu_count() or 1, len(tasks))
    if jobs <= 1:
        for task in tasks:
            yield task, _judge(task, judge)
        return
    with ThreadPoolExecutor(jobs) as pool:
        # The longest tasks start first.
        ordered = sorted(tasks, key=lambda task: (not task.moves, not task.may_use_playouts))
        waiting = {pool.submit(_judge, task, judge): task for task in ordered}
        try:
            for future in as_completed(waiting):
                yield waiting[future], future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _judge(task: Task, judge: Judge) -> Judgement | None:
    try:
        analysis = analyse_within(task.position, judge.start())
    except LimitReached:
        return None
    if not analysis.exact:
        return None
    return judge.judge(analysis, task.moves, may_use_playouts=task.may_use_playouts)
