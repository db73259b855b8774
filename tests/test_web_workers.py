"""Workers: what takes too long is stopped, and nobody else notices."""

from __future__ import annotations

import asyncio
import multiprocessing
import multiprocessing.process
import random
import threading
import time

import pytest

import sapper
from sapper.minesweeper import Minesweeper
from tests.web_games import lost_game

pytest.importorskip("fastapi", reason="the web page is an extra")
pytest.importorskip("starlette", reason="the web page is an extra")

from sapper.web.tasks import Refused
from sapper.web.workers import Workers, _Worker

EASY = {"position": "3x1/1\n# 1 #", "seconds": 4.0, "states": 10_000}


def hard() -> dict[str, object]:
    """Return a review that takes longer than any test may."""
    return {"record": lost_game(), "playouts": 10**7, "seconds": 600.0}


@pytest.mark.skipif(sapper.engine_name == "python", reason="it plays no games to estimate")
def test_what_takes_too_long_is_stopped() -> None:
    async def run() -> None:
        workers = Workers(1)
        with pytest.raises(Refused) as late:
            await workers.run("review", hard(), seconds=1)
        assert late.value.status == 503
        assert (await workers.run("analyse", EASY, seconds=60))["layouts"] == "2"
        workers.close()

    asyncio.run(run())


@pytest.mark.skipif(sapper.engine_name == "python", reason="it plays no games to estimate")
def test_what_nobody_waits_for_is_stopped() -> None:
    async def run() -> None:
        workers = Workers(1)
        start = time.monotonic()
        task = asyncio.create_task(workers.run("review", hard(), seconds=600))
        await asyncio.sleep(1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await workers.run("analyse", EASY, seconds=60))["layouts"] == "2"
        assert time.monotonic() - start < 300
        workers.close()

    asyncio.run(run())


def kill_new_children(before: set[multiprocessing.process.BaseProcess]) -> None:
    children = set(multiprocessing.active_children()) - before
    assert children
    for child in children:
        child.kill()
        child.join()


@pytest.mark.skipif(sapper.engine_name == "python", reason="it plays no games to estimate")
def test_a_worker_that_broke_is_replaced() -> None:
    async def run() -> None:
        before = set(multiprocessing.active_children())
        workers = Workers(1)
        assert (await workers.run("analyse", EASY, seconds=60))["layouts"] == "2"
        kill_new_children(before)  # While it had nothing to do.
        with pytest.raises(Refused) as idle:
            await workers.run("analyse", EASY, seconds=60)
        assert (await workers.run("analyse", EASY, seconds=60))["layouts"] == "2"
        task = asyncio.create_task(workers.run("review", hard(), seconds=600))
        await asyncio.sleep(0.5)
        kill_new_children(before)  # In the middle of its work.
        with pytest.raises(Refused) as working:
            await task
        for broken in (idle.value, working.value):
            assert (broken.status, broken.facts["kind"]) == (500, "Broken")
        assert (await workers.run("analyse", EASY, seconds=60))["layouts"] == "2"
        workers.close()

    asyncio.run(run())


@pytest.mark.skipif(sapper.engine_name == "python", reason="it plays no games to estimate")
def test_who_goes_away_while_a_worker_is_replaced_takes_no_place_along(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stopping = threading.Event()
    stop = _Worker.stop

    def stop_slowly(worker: _Worker) -> None:
        stopping.set()
        time.sleep(0.5)
        stop(worker)

    monkeypatch.setattr(_Worker, "stop", stop_slowly)

    async def run() -> None:
        workers = Workers(1)
        task = asyncio.create_task(workers.run("review", hard(), seconds=0.5))
        await asyncio.to_thread(stopping.wait, 300)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        after = workers.run("analyse", EASY, seconds=60)
        assert (await asyncio.wait_for(after, 300))["layouts"] == "2"
        workers.close()

    asyncio.run(run())


def test_errors_come_home_and_the_queue_has_an_end() -> None:
    async def run() -> None:
        workers = Workers(1, most_waiting=2)
        with pytest.raises(Refused) as wrong:
            await workers.run("analyse", EASY | {"position": "3x1/1\n1 # 2"}, seconds=60)
        assert wrong.value.facts["kind"] == "InconsistentPosition"
        many = [asyncio.create_task(workers.run("analyse", EASY, seconds=60)) for _ in range(6)]
        answers = await asyncio.gather(*many, return_exceptions=True)
        refused = [answer for answer in answers if isinstance(answer, Refused)]
        assert refused
        assert all(each.facts["kind"] == "Busy" for each in refused)
        assert len(set(map(id, refused))) == len(refused)  # One for all would keep what each held.
        assert len(refused) < len(answers)
        workers.close()

    asyncio.run(run())


def test_a_hostile_position_gets_a_limited_answer() -> None:
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
    asked = {"position": "60x60/900\n" + "\n".join(rows), "seconds": 0.5, "states": 100_000}

    async def run() -> None:
        workers = Workers(1)
        try:
            assert (await workers.run("analyse", asked, seconds=60))["exact"] is False
        except Refused as refused:
            assert refused.status == 503
        workers.close()

    asyncio.run(run())
