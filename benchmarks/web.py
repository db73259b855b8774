"""How fast the web server answers: `python -m benchmarks.web [--seconds S] [--clients N]`.

Starts a server. Clients ask it to analyse expert positions that need a guess and, for comparison,
request an address that does nothing. Prints requests per second and waiting times.
`python -m benchmarks.hostile` measures the server under attack.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from benchmarks.positions import guess_positions
from benchmarks.support import command_line, percentile

SERVE = (
    "import sys; from pathlib import Path; from sapper.web import serve;"
    "serve(port=int(sys.argv[1]), games=Path(sys.argv[2]))"
)


@asynccontextmanager
async def server(folder: str) -> AsyncIterator[tuple[int, int]]:
    """Run a server; yield its port and its process ID."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(port), str(Path(folder, "games.sqlite"))]
    )
    try:
        for _ in range(200):
            try:
                (await asyncio.open_connection("127.0.0.1", port))[1].close()
                break
            except OSError:
                await asyncio.sleep(0.1)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait()


def memory(pid: int) -> float:
    """Return the memory of the process and its children in MiB."""
    pids = [pid]
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1]) == pid:
                pids.append(int(folder.name))
        except (OSError, ValueError):
            continue
    total = 0.0
    for each in pids:
        status = Path(f"/proc/{each}/status").read_text()
        total += sum(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    return total / 1024


async def hammer(
    port: int, path: str, bodies: list[object], clients: int, seconds: float
) -> tuple[list[float], Counter[int]]:
    """Send requests for some time; return how long each took, and the number of each status."""
    times: list[float] = []
    statuses: Counter[int] = Counter()
    end = time.monotonic() + seconds
    ready = [request(path, body) for body in bodies]

    async def ask(number: int) -> None:
        dice = random.Random(number)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while time.monotonic() < end:
            start = time.perf_counter()
            writer.write(dice.choice(ready))
            statuses[await status_of_answer(reader)] += 1
            times.append(time.perf_counter() - start)
        writer.close()

    await asyncio.gather(*(ask(number) for number in range(clients)))
    return times, statuses


def request(path: str, body: object) -> bytes:
    """Return the bytes of a request. A simple client leaves the cores to the server."""
    if body is None:
        return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    data = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data


async def status_of_answer(reader: asyncio.StreamReader) -> int:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
    assert length is not None
    await reader.readexactly(int(length[1]))
    return int(head.split()[1])


def row(name: str, times: list[float], seconds: float) -> str:
    waits = (statistics.median(times), percentile(times, 99), max(times))
    figures = (len(times) / seconds, *(1000 * wait for wait in waits))
    return f"  {name:24}" + "".join(f"{figure:12.1f}" for figure in figures)


async def measure(clients: int, seconds: float) -> None:
    bodies: list[object] = [{"position": str(each)} for each in guess_positions(200)]
    with tempfile.TemporaryDirectory() as folder:
        async with server(folder) as (port, _):
            print(f"{clients} clients for {seconds:g} s; {os.cpu_count()} cores for server and clients")
            print(
                f"  {'':24}"
                + "".join(f"{n:>12}" for n in ("per second", "median ms", "p99", "longest"))
            )
            idle, _ = await hammer(port, "/api/nothing", [None], clients, seconds)
            print(row("does nothing", idle, seconds), flush=True)
            found = await hammer(port, "/api/analyse", bodies, clients, seconds)
            print(row("analyse", found[0], seconds))
            print(f"  ratio of the rates: {len(idle) / len(found[0]):.1f}")
            assert set(found[1]) == {200}


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--clients", type=int, default=50, help="number of clients")
    parser.add_argument("--seconds", type=float, default=10, help="seconds per kind of request")
    options = parser.parse_args()
    asyncio.run(measure(options.clients, options.seconds))


if __name__ == "__main__":
    main()
