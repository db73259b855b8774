"""Judging the positions of a game on several threads: which of them to look at, and how closely."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Final

from sapper.analysis import Budget, analyse_within
from sapper.errors import LimitReached
from sapper.position import Position
from sapper.reviews.steps import Step
from sapper.reviews.worth import Cells, Judge, Judgement

STRETCH: Final = 6
"""Of moves that are certain, one in so many is looked at with games."""


@dataclass
class Task:
    """A position to judge, and guesses that were made in it."""

    position: Position
    moves: list[Cells] = field(default_factory=list)
    may_play: bool = False


def judge_steps(
    steps: Sequence[Step],
    *,
    playouts: int,
    budget: Budget,
    jobs: int | None,
    progress: Callable[[int, int], None] | None,
) -> Mapping[Position, Judgement]:
    """Return what is known of the positions of a game, which have no flags."""
    tasks = list(plan(steps))
    judge = Judge(playouts=playouts, budget=budget)
    judgements: dict[Position, Judgement] = {}
    for done, (task, judgement) in enumerate(_judged(tasks, judge, jobs), start=1):
        if judgement is not None:
            judgements[task.position] = judgement
        if progress is not None:
            progress(done, len(tasks))
    return judgements


def plan(steps: Sequence[Step]) -> Iterable[Task]:
    """Return the positions to judge; in few of those before certain moves games may be played.

    Wherever a guess was made they may, and right after it.
    """
    tasks: dict[Position, Task] = {}
    certain = 0  # How many moves since the last position in which games may be played.
    for step in steps:
        if step.before is None or step.after is None:
            continue
        if not step.is_first:
            task = tasks.setdefault(step.before, Task(step.before))
            if step.is_guess and step.cells not in task.moves:
                task.moves.append(step.cells)
            certain += 1
            if step.is_guess or certain >= STRETCH:
                task.may_play = True
            if task.may_play:
                certain = 0
        if not step.lost:
            after = tasks.setdefault(step.after, Task(step.after))
            if step.is_guess or step.is_first:
                after.may_play = True
    if steps_left := [step for step in steps if step.after is not None and not step.lost]:
        last = steps_left[-1].after
        assert last is not None
        tasks[last].may_play = True
    return tasks.values()


def _judged(
    tasks: Sequence[Task], judge: Judge, jobs: int | None
) -> Iterator[tuple[Task, Judgement | None]]:
    jobs = min(jobs or os.cpu_count() or 1, len(tasks))
    if jobs <= 1:
        for task in tasks:
            yield task, _judge(task, judge)
        return
    with ThreadPoolExecutor(jobs) as pool:
        # What takes longest is begun first.
        ordered = sorted(tasks, key=lambda task: (not task.moves, not task.may_play))
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
    return judge.judge(analysis, task.moves, may_play=task.may_play)
