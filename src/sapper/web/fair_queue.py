"""A fair queue: the client that has used the least time gets the next free worker."""

from __future__ import annotations

import asyncio
import heapq
import math
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final, Generic, TypeVar

Worker = TypeVar("Worker")

HALF_LIFE: Final = 10.0
"""The half-life of a client's recorded usage, in seconds."""
_MOST_CLIENTS: Final = 10_000
"""If there are more clients, those with the least usage are forgotten."""


class QueueFull(Exception):
    """Too many requests are waiting."""


class _Usage:
    """The seconds of work that a client has used, decaying over time."""

    def __init__(self, now: float) -> None:
        self._seconds = 0.0
        self._at = now

    def at(self, now: float) -> float:
        return self._seconds * math.pow(0.5, max(now - self._at, 0.0) / HALF_LIFE)

    def add(self, seconds: float, now: float) -> None:
        self._seconds, self._at = self.at(now) + seconds, now


class FairQueue(Generic[Worker]):
    """Lends workers to clients.

    Clients are served in order of the time that they have used so far, so heavy users cannot delay
    light users. If too many requests are waiting, the newest request of the heaviest user is refused.

    >>> async def example():
    ...     queue = FairQueue(["worker"], most_waiting=10)
    ...     worker = await queue.take("alice")
    ...     queue.give_back(worker, "alice", seconds=0.5)
    ...     return queue.waiting
    >>> asyncio.run(example())
    0
    """

    def __init__(
        self,
        workers: Iterable[Worker],
        *,
        most_waiting: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._free = deque(workers)
        self._most_waiting = most_waiting
        self._clock = clock
        self._waiting: dict[str, deque[asyncio.Future[Worker]]] = {}
        self._usage: dict[str, _Usage] = {}
        self.waiting = 0
        """The number of requests waiting for a worker."""

    async def take(self, client: str) -> Worker:
        """Wait for this client's turn; return a worker.

        Raises `QueueFull` if too many requests are waiting.
        """
        if self._free:
            return self._free.popleft()
        if self.waiting >= self._most_waiting:
            self._refuse_one(client)
        turn: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        self.waiting += 1
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._pass_on(turn.result())
            else:
                self._leave(client, turn)
            raise

    def give_back(self, worker: Worker, client: str, *, seconds: float) -> None:
        """Give a worker back after this client has used it for some seconds."""
        now = self._clock()
        if client not in self._usage and len(self._usage) >= _MOST_CLIENTS:
            for least in heapq.nsmallest(_MOST_CLIENTS // 10, self._usage, key=self._used):
                del self._usage[least]
        self._usage.setdefault(client, _Usage(now)).add(seconds, now)
        self._pass_on(worker)

    def take_free(self) -> list[Worker]:
        """Take and return all free workers."""
        free = list(self._free)
        self._free.clear()
        return free

    def refuse_all(self) -> None:
        """Refuse all waiting requests: `take` raises `QueueFull`."""
        for turns in self._waiting.values():
            for turn in turns:
                if not turn.done():
                    turn.set_exception(QueueFull())
        self._waiting.clear()
        self.waiting = 0

    def _pass_on(self, worker: Worker) -> None:
        while self._waiting:
            client = min(self._waiting, key=self._used)
            turn = self._waiting[client][0]
            self._leave(client, turn)
            if not turn.done():  # A request that was just cancelled may still be here.
                turn.set_result(worker)
                return
        self._free.append(worker)

    def _refuse_one(self, newcomer: str) -> None:
        """Make room for a newcomer, if a waiting client has used more time than the newcomer."""
        heaviest = max(self._waiting, key=self._used, default=newcomer)
        if self._used(heaviest) <= self._used(newcomer):
            raise QueueFull
        turn = self._waiting[heaviest][-1]
        self._leave(heaviest, turn)
        if not turn.done():
            turn.set_exception(QueueFull())

    def _leave(self, client: str, turn: asyncio.Future[Worker]) -> None:
        turns = self._waiting.get(client)
        if turns is not None and turn in turns:
            turns.remove(turn)
            self.waiting -= 1
            if not turns:
                del self._waiting[client]

    def _used(self, client: str) -> float:
        usage = self._usage.get(client)
        return 0.0 if usage is None else usage.at(self._clock())
