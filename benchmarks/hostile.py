"""The web server under attack: `python -m benchmarks.hostile [--seconds S] [--svg FILE]`.

Starts a server. Hostile clients, each with its own address, send slow, large, broken and malicious
requests as fast as they can. Meanwhile, a few honest clients play games. Prints the responses to the
attack, how long the honest clients waited, and the memory of the server. `--svg` draws waiting times
and memory over time, one chart above the other.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import statistics
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks.support import command_line, percentile
from benchmarks.web import memory, request, server
from sapper import Game, Record
from sapper.drawing.charts import Diagram, Picture, Point, draw_legend, line_style
from sapper.drawing.scales import Scale, plain
from sapper.formats import record_to_json
from sapper.minesweeper import Minesweeper
from tests.support.web_games import lost_game

HONEST = 4
"""The number of honest clients."""
PAUSE = 0.25
"""Seconds between the moves of an honest client."""
Attack = Callable[[random.Random], bytes]


def checkerboard(side: int) -> str:
    """Return a position in which every second cell is open. It is too complex to count its layouts."""
    cells = [(i, j) for i in range(side) for j in range(side)]
    field = Minesweeper.with_mines(side, side, random.Random(1).sample(cells, side * side // 4))
    rows = (
        " ".join(
            "#" if (i + j) % 2 or field.is_mine((i, j)) else str(field.nearby_mines((i, j)))
            for j in range(side)
        )
        for i in range(side)
    )
    return f"{side}x{side}/{side * side // 4}\n" + "\n".join(rows)


def large_record() -> str:
    """Return the record of a game on a board of a million cells."""
    game = Game.new("1000x1000/150000", seed=1)
    game.open((500, 500))
    return record_to_json(Record.of(game))


def attacks() -> dict[str, Attack]:
    """Return the kinds of hostile requests, by name."""
    hard, wide, record = checkerboard(100), checkerboard(60), lost_game()
    blank = "200x200/8000\n" + "\n".join(["#" * 200] * 200)
    huge = large_record().encode()

    def post(path: str, body: object) -> Attack:
        ready = request(path, body)
        return lambda _: ready

    def raw(data: bytes) -> Attack:
        return lambda _: data

    def file(kind: str, data: bytes) -> Attack:
        head = f"POST /api/files/{kind} HTTP/1.1\r\nHost: localhost\r\n"
        head += f"Content-Type: application/octet-stream\r\nContent-Length: {len(data)}\r\n\r\n"
        return raw(head.encode() + data)

    json_head = b"POST /api/analyse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return {
        "analyse, too many layouts": post("/api/analyse", {"position": hard}),
        "analyse, 40,000 cells": post("/api/analyse", {"position": blank}),
        "analyse, impossible": post("/api/analyse", {"position": "1 # 2", "mines": 1}),
        "analyse, not a position": post("/api/analyse", {"position": "\x1b[2J" * 1000}),
        "explain, too many layouts": post("/api/explain", {"position": wide}),
        "image with risks": post("/api/picture", {"position": wide, "heat": True}),
        "review": post("/api/review", {"record": record}),
        "no-guess board": post("/api/boards", {"level": "150x150/5600", "no_guess": True}),
        "agent that is a program": post("/api/games", {"agent": "program:touch /tmp/owned"}),
        "new games": post("/api/games", {"level": "200x200/8000", "promise": "none"}),
        "unknown game": post(f"/api/games/{'x' * 22}/moves", {"do": "open", "cell": [0, 0]}),
        "record of a million cells": file("json", huge),
        "damaged replay": file("avf", bytes(range(256)) * 100),
        "path instead of a format": file("../../etc/passwd", b"x"),
        "another host": raw(b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"),
        "another origin": raw(
            b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n"
            b"Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
        ),
        "not JSON": raw(
            b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
            b"Content-Length: 2\r\n\r\n{}"
        ),
        "deeply nested JSON": raw(json_head + b"Content-Length: 50000\r\n\r\n" + b"[" * 50_000),
        "huge body": raw(json_head + b"Content-Length: 99999999999\r\n\r\n" + b"x" * 10_000),
        "half a request": raw(json_head),
        "half a body": raw(json_head + b"Content-Length: 1000\r\n\r\n{"),
        "not HTTP": lambda dice: dice.randbytes(dice.randrange(1, 3000)),
        "unread responses": raw(b"GET /js/board.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200),
    }


class Siege:
    """An attack on a server, and what was measured."""

    def __init__(self, port: int, pid: int, seconds: float) -> None:
        self._port, self._pid = port, pid
        self._start = time.monotonic()
        self._end = self._start + seconds
        self.answers: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.waits: list[tuple[float, float]] = []
        """When each honest request was sent, and how long it waited, in seconds."""
        self.failed = 0
        """The number of honest requests that failed."""
        self.memory: list[tuple[float, float]] = []
        """The memory of the server and its workers in MiB, over time."""

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self._end

    async def attack(self, number: int, ready: dict[str, Attack]) -> None:
        """Send hostile requests from one address, each on a new connection."""
        dice = random.Random(number)
        address = f"127.1.{number // 250}.{number % 250 + 1}"
        while not self.is_over:
            name = dice.choice(list(ready))
            self.answers[name][await self._send(ready[name](dice), address)] += 1

    async def _send(self, data: bytes, address: str) -> str:
        writer = None
        try:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", self._port, local_addr=(address, 0)
            )
            writer.write(data)
            left = max(0.1, min(60, self._end - time.monotonic()))
            head = await asyncio.wait_for(reader.readuntil(b"\r\n"), left)
            return head.split()[1].decode()
        except (TimeoutError, asyncio.TimeoutError):  # The first is also an OSError.
            return "no response yet"
        except (asyncio.IncompleteReadError, OSError):
            return "closed"
        finally:
            if writer is not None:
                writer.transport.abort()

    async def play(self, number: int) -> None:
        """Play games: let the AI move, flag cells and ask for hints."""
        dice = random.Random(-number)
        while not self.is_over:
            state = await self._ask("/api/games", {"level": "expert"}, number)
            for do in itertools.cycle(("ai", "flag", "ai", "hint", "ai")):
                if state is None or state["outcome"] != "playing" or self.is_over:
                    break
                await asyncio.sleep(PAUSE)
                path = f"/api/games/{state['name']}"
                if do == "hint":
                    state = await self._ask(f"{path}/help", {"what": "hint"}, number) or state
                    continue
                hidden = [index for index, sign in enumerate(state["cells"]) if sign == "#"]
                cell = divmod(dice.choice(hidden), state["width"])
                body = {"do": do} if do == "ai" else {"do": do, "cell": cell}
                state = await self._ask(f"{path}/moves", body, number) or state

    async def _ask(self, path: str, body: object, number: int) -> dict[str, Any] | None:
        start = time.monotonic()
        writer = None
        try:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", self._port, local_addr=(f"127.0.0.{number + 10}", 0)
            )
            writer.write(request(path, body).replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
            head, _, data = (await asyncio.wait_for(reader.read(), 120)).partition(b"\r\n\r\n")
            state: dict[str, Any] | None = json.loads(data) if head[9:11] == b"20" else None
        except (OSError, ValueError, asyncio.TimeoutError):
            state = None
        finally:
            if writer is not None:
                writer.transport.abort()
        self.failed += state is None
        self.waits.append((start - self._start, time.monotonic() - start))
        return state

    async def watch(self) -> None:
        """Measure the memory of the server every second."""
        while not self.is_over:
            with suppress(OSError):
                self.memory.append((time.monotonic() - self._start, memory(self._pid)))
            await asyncio.sleep(1)


def print_results(siege: Siege, calm: Siege) -> None:
    total = sum(siege.answers.values(), Counter[str]())
    print(f"{total.total():,} hostile requests, by response: {dict(total.most_common())}")
    for name, answers in sorted(siege.answers.items()):
        print(f"  {name:28}" + ", ".join(f"{count:,} x {answer}" for answer, count in answers.items()))
    columns = ("requests", "failed", "median ms", "p99", "longest")
    print(f"{'honest clients':24}" + "".join(f"{column:>10}" for column in columns))
    for name, each in (("before the attack", calm), ("under attack", siege)):
        waits = [1000 * wait for _, wait in each.waits]
        figures = (statistics.median(waits), percentile(waits, 99), max(waits))
        print(f"{name:24}{len(waits):10,}{each.failed:10}" + "".join(f"{f:10.0f}" for f in figures))
    sizes = [size for _, size in siege.memory]
    most, last = max(sizes), sizes[-1]
    print(f"memory of the server and its workers: at most {most:.0f} MiB, {last:.0f} at the end")


def draw(siege: Siege, seconds: float) -> str:
    """Return a picture with two charts over time: waiting times above, memory below."""
    step = max(1.0, seconds / 60)
    by_time: defaultdict[int, list[float]] = defaultdict(list)
    for at, wait in siege.waits:
        by_time[int(at / step)].append(wait)
    median = [Point(step * n, statistics.median(waits)) for n, waits in sorted(by_time.items())]
    longest = [Point(step * n, max(waits)) for n, waits in sorted(by_time.items())]
    sizes = [Point(at, size) for at, size in siege.memory[:: max(1, len(siege.memory) // 120)]]
    title = f"A server under attack for {seconds:g} s"
    picture = Picture(640, 560, title)
    picture.text(72, 26, title, size=15, is_bold=True)
    draw_legend(picture, 72, 46, ["median wait", "longest wait"])
    across = Scale.around([0.0, seconds], most=8)
    waits_up = Scale.powers([point.y for point in (*median, *longest)])
    waits_chart = Diagram(picture, 72, 66, 544, 220, across, waits_up)
    waits_chart.draw_grid(up=plain)
    waits_chart.name_axes(up="wait of honest clients, s")
    memory_up = Scale.around([0.0, *(point.y for point in sizes)])
    memory_chart = Diagram(picture, 72, 330, 544, 170, across, memory_up)
    memory_chart.draw_grid(up=plain)
    memory_chart.name_axes("seconds since the attack began", "memory of the server, MiB")
    for number, line in enumerate((median, longest)):
        colour, dash = line_style(number)
        waits_chart.draw_line(line, colour, dash)
    memory_chart.draw_line(sizes, line_style(0)[0])
    return picture.svg()


async def measure(clients: int, seconds: float, svg: Path | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with server(folder) as (port, pid):
            print(f"{clients} hostile clients for {seconds:g} s; {os.cpu_count()} cores in all")
            calm = Siege(port, pid, min(10.0, seconds))
            await asyncio.gather(*(calm.play(number) for number in range(HONEST)))
            siege, ready = Siege(port, pid, seconds), attacks()
            await asyncio.gather(
                siege.watch(),
                *(siege.play(number) for number in range(HONEST)),
                *(siege.attack(number, ready) for number in range(clients)),
            )
            print_results(siege, calm)
            if svg is not None:
                svg.write_text(draw(siege, seconds), encoding="utf-8")
        assert not Path("/tmp/owned").exists()


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--clients", type=int, default=200, help="number of hostile clients")
    parser.add_argument("--seconds", type=float, default=600, help="duration of the attack")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="file for the charts")
    options = parser.parse_args()
    asyncio.run(measure(options.clients, options.seconds, options.svg))


if __name__ == "__main__":
    main()
