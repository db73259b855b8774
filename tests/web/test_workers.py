"""Worker processes of the server: slow tasks are stopped, and nobody else waits for them."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import multiprocessing.process
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

import sapper
from sapper.minesweeper import Minesweeper
from tests.support.web_games import lost_game

pytest.importorskip("fastapi", reason="the web page is an extra")
pytest.importorskip("starlette", reason="the web page is an extra")

from sapper.web.replies import Refused, Reply
from sapper.web.watchdog import TooSlow, Watchdog
from sapper.web.workers import Lane, WorkerPool

EASY = {"position": "3x1/1\n# 1 #"}
ENOUGH = 300.0
"""Seconds: more than anything here takes."""
needs_playouts = pytest.mark.skipif(sapper.engine_name == "python", reason="the review has no playouts")


def slow() -> dict[str, object]:
    """Return a review that takes many seconds."""
    return {"record": lost_game()}


def hard_position() -> str:
    """Return a position with too many layouts to count."""
    dice = random.Random(1)
    cells = [(i, j) for i in range(60) for j in range(60)]
    field = Minesweeper.with_mines(60, 60, dice.sample(cells, 900))
    rows = [
        " ".join(
            "#" if (i + j) % 2 or field.is_mine((i, j)) else str(field.nearby_mines((i, j)))
            for j in range(60)
        )
        for i in range(60)
    ]
    return "60x60/900\n" + "\n".join(rows)


def data(reply: Reply) -> Any:  # noqa: ANN401 - it is JSON.
    return json.loads(reply.body)


async def analyse(lane: Lane, client: str = "somebody") -> str:
    """Return the number of layouts of an easy position."""
    layouts: str = data(await lane.run(client, "analyse", EASY))["layouts"]
    return layouts


def with_lane(use: Callable[[Lane], Awaitable[None]], **options: Any) -> None:  # noqa: ANN401
    """Run a test with a lane of one worker."""

    async def run() -> None:
        lane = Lane(1, **{"timeout": ENOUGH, **options})
        try:
            await asyncio.wait_for(use(lane), ENOUGH)
        finally:
            lane.close()

    asyncio.run(run())


@needs_playouts
def test_a_task_that_takes_too_long_is_stopped() -> None:
    async def use(lane: Lane) -> None:
        with pytest.raises(Refused) as late:
            await lane.run("somebody", "review", slow())
        assert (late.value.status, late.value.facts["kind"]) == (503, "LimitReached")

    with_lane(use, timeout=1.0)


@needs_playouts
def test_a_task_that_nobody_waits_for_is_stopped() -> None:
    async def use(lane: Lane) -> None:
        assert await analyse(lane) == "2"
        task = asyncio.create_task(lane.run("somebody", "review", slow()))
        await asyncio.sleep(0.5)
        start = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await analyse(lane) == "2"
        assert time.monotonic() - start < 20  # The review takes longer.

    with_lane(use)


def kill_new_children(before: set[multiprocessing.process.BaseProcess]) -> None:
    children = set(multiprocessing.active_children()) - before
    assert children
    for child in children:
        child.kill()
        child.join()


@needs_playouts
def test_a_worker_that_ends_is_replaced() -> None:
    async def use(lane: Lane) -> None:
        before = set(multiprocessing.active_children())
        assert await analyse(lane) == "2"
        kill_new_children(before)  # While it has nothing to do.
        with pytest.raises(Refused) as idle:
            await analyse(lane)
        assert await analyse(lane) == "2"
        task = asyncio.create_task(lane.run("somebody", "review", slow()))
        await asyncio.sleep(0.5)
        kill_new_children(before)  # In the middle of its work.
        with pytest.raises(Refused) as working:
            await task
        for refused in (idle.value, working.value):
            assert (refused.status, refused.facts["kind"]) == (500, "Broken")
        assert await analyse(lane) == "2"

    with_lane(use)


def process_of(before: set[multiprocessing.process.BaseProcess]) -> int | None:
    """Return the only process that was started since."""
    (worker,) = set(multiprocessing.active_children()) - before
    return worker.pid


def test_a_worker_survives_a_bug() -> None:
    """A new process would take a while to start, and somebody else would have to wait for it."""

    async def use(lane: Lane) -> None:
        before = set(multiprocessing.active_children())
        assert await analyse(lane) == "2"
        worker = process_of(before)
        with pytest.raises(Refused) as broken:
            await lane.run("somebody", "analyse", {"position": 5})
        assert (broken.value.status, broken.value.facts["kind"]) == (500, "Broken")
        assert await analyse(lane) == "2"
        assert process_of(before) == worker

    with_lane(use)


def test_a_quick_worker_survives_clients_that_leave() -> None:
    async def use(lane: Lane) -> None:
        before = set(multiprocessing.active_children())
        assert await analyse(lane) == "2"
        worker = process_of(before)
        task = asyncio.create_task(lane.run("somebody", "analyse", {"position": hard_position()}))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await analyse(lane) == "2"
        assert process_of(before) == worker

    with_lane(use, task_seconds=1.0)


@needs_playouts
def test_the_client_whose_task_is_stopped_waits_for_the_next_worker() -> None:
    """Whoever comes next finds a worker that has been started already."""

    async def use(lane: Lane) -> None:
        before = set(multiprocessing.active_children())
        assert await analyse(lane) == "2"
        worker = process_of(before)
        task = asyncio.create_task(lane.run("somebody", "review", slow()))
        await asyncio.sleep(0.5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert process_of(before) not in (worker, None)

    with_lane(use)


@needs_playouts
def test_a_lane_that_is_closed_stops_busy_workers_and_refuses_requests() -> None:
    async def use(lane: Lane) -> None:
        before = set(multiprocessing.active_children())
        busy = asyncio.create_task(lane.run("somebody", "review", slow()))
        waiting = asyncio.create_task(analyse(lane))
        while not set(multiprocessing.active_children()) - before:
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.5)
        lane.close()
        assert set(multiprocessing.active_children()) <= before
        late = asyncio.create_task(analyse(lane))
        for task in (busy, waiting, late):
            with pytest.raises(Refused) as refused:
                await task
            assert (refused.value.status, refused.value.facts["kind"]) == (503, "Stopping")

    with_lane(use)


def test_a_lane_can_be_closed_while_a_worker_is_being_started() -> None:
    async def use(lane: Lane) -> None:
        before = set(multiprocessing.active_children())
        task = asyncio.create_task(analyse(lane))
        await asyncio.sleep(0.001)
        lane.close()
        with pytest.raises(Refused) as refused:
            await task
        assert refused.value.facts["kind"] == "Stopping"
        assert set(multiprocessing.active_children()) <= before

    with_lane(use)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timer signals")
def test_waiting_for_another_process_is_stopped_in_time() -> None:
    """Replays are read by a process of their own, which may take long."""
    watchdog = Watchdog()
    start = time.monotonic()
    with pytest.raises(TooSlow), watchdog.limit(0.2):
        subprocess.run([sys.executable, "-c", "import time; time.sleep(20)"], stdout=subprocess.PIPE)
    watchdog.close()
    assert time.monotonic() - start < 15


def test_a_worker_that_cannot_be_started_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    async def use(lane: Lane) -> None:
        with monkeypatch.context() as patch:
            patch.setattr("multiprocessing.context.SpawnProcess._Popen", staticmethod(no_process))
            with pytest.raises(Refused) as broken:
                await analyse(lane)
            assert (broken.value.status, broken.value.facts["kind"]) == (500, "Broken")
        assert await analyse(lane) == "2"

    with_lane(use)


def no_process(_: object) -> None:
    raise BlockingIOError(11, "Resource temporarily unavailable")


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="needs priorities")
def test_workers_for_long_tasks_leave_the_processor_to_quick_ones() -> None:
    async def niceness(lane: Lane) -> int:
        before = set(multiprocessing.active_children())
        await analyse(lane)
        return os.getpriority(os.PRIO_PROCESS, process_of(before) or 0)

    async def use() -> None:
        workers = WorkerPool(1)
        try:
            quick, long, reviews = [
                await niceness(lane) for lane in (workers.quick, workers.long, workers.reviews)
            ]
            assert os.getpriority(os.PRIO_PROCESS, 0) == quick < long < reviews
        finally:
            workers.close()

    asyncio.run(asyncio.wait_for(use(), ENOUGH))


def test_errors_reach_the_caller() -> None:
    async def use(lane: Lane) -> None:
        with pytest.raises(Refused) as wrong:
            await lane.run("somebody", "analyse", {"position": "3x1/1\n1 # 2"})
        assert (wrong.value.status, wrong.value.facts["kind"]) == (422, "InconsistentPosition")

    with_lane(use)


def test_too_many_requests_are_refused() -> None:
    async def use(lane: Lane) -> None:
        many = [asyncio.create_task(analyse(lane)) for _ in range(6)]
        answers = await asyncio.gather(*many, return_exceptions=True)
        refused = [answer for answer in answers if isinstance(answer, Refused)]
        assert [each.facts["kind"] for each in refused] == ["Busy"] * 3
        assert answers.count("2") == 3

    with_lane(use, most_waiting=2)


def test_a_position_that_cannot_be_counted_gets_an_estimate() -> None:
    async def use(lane: Lane) -> None:
        found = data(await lane.run("somebody", "analyse", {"position": hard_position()}))
        assert found["exact"] is False

    with_lane(use)


@needs_playouts
def test_a_worker_has_a_memory_limit() -> None:
    resource = pytest.importorskip("resource")
    others = set(multiprocessing.active_children())

    async def use(lane: Lane) -> None:
        assert await analyse(lane) == "2"
        (worker,) = set(multiprocessing.active_children()) - others
        assert worker.pid is not None
        soft, _ = resource.prlimit(worker.pid, resource.RLIMIT_AS)
        assert 0 < soft <= 2 * 2**30

    with_lane(use)


# Quick and long tasks ----------------------------------------------------------------------------


def test_slow_requests_do_not_delay_quick_ones() -> None:
    """Forty requests that take seconds each wait in a lane of their own."""

    async def use() -> None:
        workers = WorkerPool(1)
        hard = {"position": hard_position()}
        try:
            await workers.run("warm-up", "analyse", EASY)
            slow = [asyncio.create_task(workers.run("hostile", "analyse", hard)) for _ in range(40)]
            waits = []
            for _ in range(20):
                await asyncio.sleep(0.05)
                start = time.monotonic()
                assert data(await workers.run("honest", "analyse", EASY))["layouts"] == "2"
                waits.append(time.monotonic() - start)
            assert any(not task.done() for task in slow)
            for task in slow:
                task.cancel()
            await asyncio.gather(*slow, return_exceptions=True)
            assert sorted(waits)[len(waits) // 2] < 3, waits
        finally:
            workers.close()

    asyncio.run(asyncio.wait_for(use(), ENOUGH))


def test_a_task_that_is_too_slow_for_the_quick_lane_is_still_answered() -> None:
    async def use() -> None:
        workers = WorkerPool(1)
        try:
            found = data(await workers.run("somebody", "analyse", {"position": hard_position()}))
            assert found["exact"] is False
        finally:
            workers.close()

    asyncio.run(asyncio.wait_for(use(), ENOUGH))
