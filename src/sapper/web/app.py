"""The server: its HTTP API. Every endpoint hands its work to a worker process."""

from __future__ import annotations

import asyncio
import json
import os
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response, StreamingResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

import sapper
from sapper.session.background import Report
from sapper.web import requests
from sapper.web.games import Games, StoredGame
from sapper.web.guard import Guard, Hosts
from sapper.web.replies import Data, Refused, Reply
from sapper.web.tasks import ignore
from sapper.web.waiting import LINES, line_by_line, while_connected
from sapper.web.workers import WorkerPool

Found = TypeVar("Found")

MOST_BYTES: Final = 4 * 2**20
"""The most bytes in the body of a request."""
_ATTEMPTS: Final = 5
"""How many times a move is tried if another server changes the game at the same time."""
_DATABASE_THREADS: Final = 8
STATIC: Final = Path(__file__).parent / "static"


@dataclass(frozen=True)
class Options:
    """The options of a server."""

    games: Path
    """The file in which games are stored."""
    workers: int = max(1, (os.cpu_count() or 1) - 1)
    """The number of processes for long tasks."""
    hosts: Hosts = field(default_factory=lambda: Hosts.of("127.0.0.1"))
    """The host names that the server answers to."""


class Server:
    """What the endpoints of a server share: its games and its workers."""

    def __init__(self, options: Options) -> None:
        self._options = options
        Games(options.games).close()  # Raises errors now, not when the server is running.
        self._games: Games
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._threads: ThreadPoolExecutor
        self.workers: WorkerPool

    @asynccontextmanager
    async def running(self, _: FastAPI) -> AsyncIterator[None]:
        """Run the workers while the server runs."""
        self._threads = ThreadPoolExecutor(_DATABASE_THREADS, thread_name_prefix="sapper-database")
        self._games = Games(self._options.games)
        self.workers = WorkerPool(self._options.workers)
        try:
            yield
        finally:
            self.stop_work()
            self._threads.shutdown(wait=False, cancel_futures=True)
            self._games.close()

    def stop_work(self) -> None:
        """Stop all workers and refuse waiting requests."""
        self.workers.close()

    async def work(self, request: Request, name: str, facts: Data) -> Response:
        """Let a worker run a task; return the response."""
        return _response(await self._run(request, name, facts))

    async def begin(self, request: Request, facts: Data) -> Response:
        """Begin a game and store it."""
        name = self._games.new_name()
        reply = await self._run(request, "begin", {**facts, "name": name})
        assert reply.session is not None
        await self._in_thread(partial(self._games.add, name, reply.session))
        return _response(reply, status=201)

    async def look(self, request: Request, task: str, name: str) -> Reply:
        """Run a task that does not change the game; return its reply."""
        game = await self._find(name)
        return await self._run(request, task, _facts(game))

    async def play(self, request: Request, name: str, facts: Data) -> Response:
        """Perform an action in a game and store the result. Requests for a game take turns."""
        lock = self._locks[name]
        try:
            async with lock:
                return await self._play(request, name, facts)
        finally:
            if not lock.locked():
                self._locks.pop(name, None)

    async def _play(self, request: Request, name: str, facts: Data) -> Response:
        for _ in range(_ATTEMPTS):
            game = await self._find(name)
            reply = await self._run(request, "play", {**facts, **_facts(game)})
            assert reply.session is not None
            if await self._in_thread(partial(self._games.replace, game, reply.session)):
                return _response(reply)
        message = "another server keeps changing this game; try again in a moment"
        raise Refused(409, {"error": message, "kind": "Conflict"})

    async def review(self, request: Request, record: str, report: Report = ignore) -> Reply:
        """Return the review of a record."""
        run = self.workers.reviews.run(_client(request), "review", {"record": record}, report)
        return await while_connected(request, run)

    async def record(self, request: Request, name: str) -> str:
        """Return the record of a game that is over."""
        record: str = json.loads((await self.look(request, "record", name)).body)["record"]
        return record

    async def _find(self, name: str) -> StoredGame:
        return await self._in_thread(partial(self._games.find, name))

    async def _run(self, request: Request, name: str, facts: Data) -> Reply:
        return await while_connected(request, self.workers.run(_client(request), name, facts))

    async def _in_thread(self, call: Callable[[], Found]) -> Found:
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)


def _facts(game: StoredGame) -> Data:
    return {"name": game.name, "session": game.session, "idle": game.idle}


def _client(request: Request) -> str:
    """Return the client of a request, for fair sharing of the workers."""
    return "" if request.client is None else request.client.host


def _response(reply: Reply, status: int = 200) -> Response:
    return Response(reply.body, status, media_type=reply.media_type)


def create_app(options: Options) -> FastAPI:
    """Return the server as an ASGI application."""
    server = Server(options)
    app = FastAPI(
        title="Sapper",
        version=sapper.__version__,
        lifespan=server.running,
        docs_url=None,
        redoc_url=None,
    )
    app.state.server = server
    app.add_middleware(Guard, hosts=options.hosts, most_bytes=MOST_BYTES)
    _add_error_handlers(app)

    # Positions ---------------------------------------------------------------------------------

    @app.post("/api/analyse", response_model=Data)
    async def analyse(request: Request, asked: requests.AnalyseRequest) -> Response:
        """Analyse a position: the object of `sapper hint --json`."""
        return await server.work(request, "analyse", asked.model_dump())

    @app.post("/api/explain", response_model=Data)
    async def explain(request: Request, asked: requests.ExplainRequest) -> Response:
        """Explain a cell or a guess: the object of `sapper explain --json`."""
        return await server.work(request, "explain", asked.model_dump())

    @app.post("/api/picture", response_class=Response)
    async def picture(request: Request, asked: requests.PictureRequest) -> Response:
        """Draw a position as SVG."""
        return await server.work(request, "picture", asked.model_dump())

    # Boards and files --------------------------------------------------------------------------

    @app.post("/api/boards", response_model=Data)
    async def board(request: Request, asked: requests.BoardRequest) -> Response:
        """Generate a board with its mines: the object of `sapper new --format json`."""
        return await server.work(request, "board", asked.model_dump())

    @app.post("/api/learn", response_model=Data)
    async def learn(request: Request, asked: requests.LearnRequest) -> Response:
        """Let the course's agent play a game; every inference is an event."""
        return await server.work(request, "learn", asked.model_dump())

    @app.post(
        "/api/files/{kind}",
        response_model=Data,
        openapi_extra={"requestBody": {"content": {"application/octet-stream": {}}, "required": True}},
    )
    async def read_file(kind: requests.FileKind, request: Request) -> Response:
        """Read a file: a position, a board or a game."""
        return await server.work(request, "read_file", {"kind": kind, "data": await request.body()})

    # Games -------------------------------------------------------------------------------------

    @app.post("/api/games", status_code=201, response_model=Data)
    async def begin(request: Request, asked: requests.GameRequest) -> Response:
        """Begin a game. Its name is secret: anyone who knows it can play."""
        return await server.begin(request, asked.model_dump())

    @app.get("/api/games/{name}", response_model=Data)
    async def look(request: Request, name: str) -> Response:
        """Get the state of a game. The mines are secret until it is over."""
        return _response(await server.look(request, "look", name))

    @app.post("/api/games/{name}/moves", response_model=Data)
    async def move(request: Request, name: str, asked: requests.MoveRequest) -> Response:
        """Make a move."""
        return await server.play(request, name, {"what": "move", **asked.model_dump()})

    @app.post("/api/games/{name}/help", response_model=Data)
    async def help_(request: Request, name: str, asked: requests.HelpRequest) -> Response:
        """Show help on the board: the `overlay` of the game."""
        facts = {"what": "help", "do": asked.what, "cell": asked.cell}
        return await server.play(request, name, facts)

    @app.post("/api/games/{name}/agent", response_model=Data)
    async def agent(request: Request, name: str, asked: requests.AgentRequest) -> Response:
        """Choose the agent that makes the AI moves."""
        return await server.play(request, name, {"what": "agent", "agent": asked.agent})

    @app.get("/api/games/{name}/record", response_model=Data)
    async def record(request: Request, name: str) -> Response:
        """Get the record of a game that is over, with its mines."""
        return _response(await server.look(request, "record", name))

    @app.post("/api/review", response_model=Data, responses={200: {"content": {LINES: {}}}})
    async def review(request: Request, asked: requests.ReviewRequest) -> Response:
        """Review a game: the object of `sapper review --json`.

        With `Accept: application/x-ndjson`, the response has a line of JSON for each finished position:
        the number `done`, `of` how many. The last line contains the review as `found`, or `status` and
        `error`.
        """
        text = asked.record if asked.game is None else await server.record(request, asked.game)
        assert text is not None  # The request has exactly one of the two.
        run = partial(server.review, request, text)
        if LINES in request.headers.get("accept", ""):
            return StreamingResponse(line_by_line(run), media_type=LINES)
        return _response(await run())

    app.mount("/", StaticFiles(directory=STATIC, html=True))
    return app


def _add_error_handlers(app: FastAPI) -> None:
    """Give every error a body with `error` and `kind`."""

    @app.exception_handler(Refused)
    async def refused(_: Request, error: Refused) -> JSONResponse:
        return JSONResponse(error.facts, error.status)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if part != "body")
        facts = {"error": f"{where or 'the request'}: {first['msg']}"[:300], "kind": "BadRequest"}
        return JSONResponse(facts, 422)

    @app.exception_handler(HTTPException)
    async def http_error(_: Request, error: HTTPException) -> JSONResponse:
        kinds = {404: "NotFound", 405: "WrongMethod"}
        facts = {"error": str(error.detail).lower(), "kind": kinds.get(error.status_code, "BadRequest")}
        return JSONResponse(facts, error.status_code, headers=error.headers)
