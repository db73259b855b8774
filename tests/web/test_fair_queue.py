"""The server's queue: whoever has used the least time is served next."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("fastapi", reason="the web page is an extra")

from sapper.web.fair_queue import HALF_LIFE, FairQueue, QueueFull


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def run(test: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 60))


async def wait_in(queue: FairQueue[str], client: str) -> asyncio.Task[str]:
    """Return a request that waits in the queue."""
    task = asyncio.create_task(queue.take(client))
    await asyncio.sleep(0)
    return task


def test_clients_that_used_less_go_first() -> None:
    async def test() -> None:
        queue = FairQueue(["worker"], most_waiting=10, clock=Clock())
        worker = await queue.take("greedy")
        greedy = [await wait_in(queue, "greedy") for _ in range(3)]
        queue.give_back(worker, "greedy", seconds=5.0)
        await greedy[0]
        modest = await wait_in(queue, "modest")
        queue.give_back(worker, "greedy", seconds=5.0)
        await asyncio.sleep(0)
        assert modest.done()
        assert not greedy[1].done()

    run(test)


def test_what_a_client_used_is_forgotten_with_time() -> None:
    async def test() -> None:
        clock = Clock()
        queue = FairQueue(["worker"], most_waiting=10, clock=clock)
        queue.give_back(await queue.take("first"), "first", seconds=8.0)
        clock.now += 4 * HALF_LIFE  # Of these, 0.5 seconds are left.
        queue.give_back(await queue.take("second"), "second", seconds=1.0)
        worker = await queue.take("third")
        second, first = await wait_in(queue, "second"), await wait_in(queue, "first")
        queue.give_back(worker, "third", seconds=0.0)
        await asyncio.sleep(0)
        assert first.done()
        assert not second.done()

    run(test)


def test_a_full_queue_refuses_the_client_that_used_the_most() -> None:
    async def test() -> None:
        queue = FairQueue(["worker"], most_waiting=2, clock=Clock())
        worker = await queue.take("greedy")
        queue.give_back(worker, "greedy", seconds=5.0)
        worker = await queue.take("greedy")
        first, second = await wait_in(queue, "greedy"), await wait_in(queue, "greedy")
        with pytest.raises(QueueFull):
            await queue.take("greedy")
        modest = await wait_in(queue, "modest")
        with pytest.raises(QueueFull):
            await second
        queue.give_back(worker, "greedy", seconds=1.0)
        await asyncio.sleep(0)
        assert modest.done()
        assert not first.done()

    run(test)


def test_a_worker_skips_a_request_that_was_just_cancelled() -> None:
    """The request is cancelled, but its task has not run since: the worker must not be lost."""

    async def test() -> None:
        queue = FairQueue(["worker"], most_waiting=10, clock=Clock())
        worker = await queue.take("first")
        gone = await wait_in(queue, "gone")
        patient = await wait_in(queue, "patient")
        gone.cancel()
        queue.give_back(worker, "first", seconds=0.0)
        assert await patient == "worker"
        queue.give_back(worker, "patient", seconds=0.0)
        assert await queue.take("next") == "worker"
        assert queue.waiting == 0

    run(test)


def test_a_request_that_was_just_cancelled_makes_room_in_a_full_queue() -> None:
    async def test() -> None:
        queue = FairQueue(["worker"], most_waiting=1, clock=Clock())
        worker = await queue.take("greedy")
        queue.give_back(worker, "greedy", seconds=5.0)
        worker = await queue.take("greedy")
        gone = await wait_in(queue, "greedy")
        modest = asyncio.create_task(queue.take("modest"))
        gone.cancel()
        await asyncio.sleep(0)
        queue.give_back(worker, "greedy", seconds=0.0)
        assert await modest == "worker"

    run(test)


def test_all_requests_that_wait_can_be_refused() -> None:
    async def test() -> None:
        queue = FairQueue(["worker"], most_waiting=10, clock=Clock())
        worker = await queue.take("first")
        waiting = [await wait_in(queue, client) for client in ("first", "second", "second")]
        queue.refuse_all()
        for request in waiting:
            with pytest.raises(QueueFull):
                await request
        queue.give_back(worker, "first", seconds=0.0)
        assert await queue.take("second") == "worker"

    run(test)


def test_only_clients_that_used_little_are_forgotten() -> None:
    async def test() -> None:
        queue = FairQueue(["worker"], most_waiting=10, clock=Clock())
        queue.give_back(await queue.take("greedy"), "greedy", seconds=5.0)
        for number in range(30_000):  # More than the queue remembers.
            queue.give_back(await queue.take(str(number)), str(number), seconds=0.1)
        worker = await queue.take("first")
        greedy, modest = await wait_in(queue, "greedy"), await wait_in(queue, "29999")
        queue.give_back(worker, "first", seconds=0.0)
        assert await modest == "worker"
        assert not greedy.done()
        greedy.cancel()

    run(test)


@given(st.lists(st.tuples(st.sampled_from(["take", "cancel", "give"]), st.sampled_from("abc"))))
def test_no_worker_is_lost_and_none_is_lent_twice(actions: list[tuple[str, str]]) -> None:
    async def test() -> None:
        queue = FairQueue(["first", "second"], most_waiting=4)
        tasks: list[tuple[str, asyncio.Task[str]]] = []
        lent: list[tuple[str, str]] = []

        async def settle() -> None:
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            for client, task in list(tasks):
                if task.done():
                    tasks.remove((client, task))
                    if not task.cancelled() and task.exception() is None:
                        lent.append((client, task.result()))
            assert len({worker for _, worker in lent}) == len(lent)

        for action, client in actions:
            if action == "take":
                tasks.append((client, asyncio.create_task(queue.take(client))))
            elif action == "cancel" and tasks:
                tasks[0][1].cancel()
            elif action == "give" and lent:
                owner, worker = lent.pop()
                if tasks and client == "b":  # Somebody leaves while the worker comes back.
                    tasks[0][1].cancel()
                queue.give_back(worker, owner, seconds=1.0)
                if tasks and client == "a":  # The worker is on its way to somebody who leaves.
                    tasks[0][1].cancel()
            await settle()
        for _, task in tasks:
            task.cancel()
        await settle()
        for owner, worker in lent:
            queue.give_back(worker, owner, seconds=0.0)
        assert queue.waiting == 0
        assert sorted(queue.take_free()) == ["first", "second"]

    run(test)
