"""The server: its addresses, each a few lines over what other modules do."""

from __future__ import annotations

import asyncio
import os
import secrets
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response, StreamingResponse
from fastapi.staticfiles import StaticFiles

import sapper
from sapper.agents import AgentName, available
from sapper.background import Report
from sapper.errors import SapperError
from sapper.formats import board_code, board_to_json, record_to_json
from sapper.levels import Level
from sapper.session import Session
from sapper.tracing import trace
from sapper.web import requests
from sapper.web.games import Games, state_of
from sapper.web.guard import Guard
from sapper.web.tasks import MOST_CELLS, Data, Refused, ignore, read_position, run_task
from sapper.web.waiting import LINES, line_by_line, while_connected
from sapper.web.workers import Workers

MOST_BYTES: Final = 4 * 2**20
QUICK: Final = {"seconds": 0.05, "states": 20_000}
"""What is worked out at once, without a process of its own."""
THOROUGH: Final = {"seconds": 4.0, "states": 2_000_000}
PATIENCE: Final = 6.0
"""Seconds after which a worker is stopped, whatever it does."""
REVIEWING: Final = {"playouts": 256, "seconds": 25.0}
REVIEWED: Final = 40.0
"""The same for a review: what was missed is proved after it."""
MOST_LEARNT: Final = 256
MOST_DRAWN: Final = 10_000
STATIC: Final = Path(__file__).parent / "static"


@dataclass(frozen=True)
class Options:
    """How a server is run."""

    games: Path
    """The file in which games are kept."""
    workers: int = max(1, (os.cpu_count() or 1) - 1)


def create_app(options: Options) -> FastAPI:
    """Return the server as an ASGI application."""
    games = Games(options.games)
    locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    @asynccontextmanager
    async def live(app: FastAPI) -> AsyncIterator[None]:
        app.state.workers = Workers(options.workers)
        yield
        app.state.workers.close()

    app = FastAPI(
        title="Sapper", version=sapper.__version__, lifespan=live, docs_url=None, redoc_url=None
    )
    app.add_middleware(Guard, most_bytes=MOST_BYTES)

    @app.exception_handler(Refused)
    async def refuse(_: Request, refused: Refused) -> JSONResponse:
        return JSONResponse(refused.facts, refused.status)

    @app.exception_handler(SapperError)
    async def explain_error(_: Request, error: SapperError) -> JSONResponse:
        refused = Refused.because(error)
        return JSONResponse(refused.facts, refused.status)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if part != "body")
        facts = {"error": f"{where or 'the request'}: {first['msg']}", "kind": "BadRequest"}
        return JSONResponse(facts, 422)

    async def work(
        request: Request, name: str, facts: Data, seconds: float = PATIENCE, report: Report = ignore
    ) -> Data:
        run = app.state.workers.run(name, facts, seconds=seconds, report=report)
        return await while_connected(request, run)

    async def play(name: str, act: Callable[[Session], object]) -> Data:
        """Do something in a game beside the other requests, one at a time, and keep it."""
        async with locks[name]:
            try:
                session = await run_in_threadpool(games.find, name)
                await run_in_threadpool(act, session)
                await run_in_threadpool(games.keep, name)
                return state_of(name, session)
            finally:
                if not locks[name]._waiters:
                    locks.pop(name, None)

    # Positions ---------------------------------------------------------------------------------

    @app.post("/api/analyse")
    async def analyse(request: Request, asked: requests.AnalyseRequest) -> Data:
        """What follows from a position: the object of `sapper hint --json`."""
        facts = asked.model_dump()
        try:
            found = await run_in_threadpool(run_task, "analyse", {**facts, **QUICK})
            if found["exact"] and found["layouts"] is not None:
                return found
        except Refused as refused:
            if refused.status != 503:
                raise
        return await work(request, "analyse", {**facts, **THOROUGH})

    @app.post("/api/explain")
    async def explain(request: Request, asked: requests.ExplainRequest) -> Data:
        """Why a cell is safe or a mine, or a guess due: the object of `sapper explain --json`."""
        return await work(request, "explain", {**asked.model_dump(), **THOROUGH})

    # Boards ------------------------------------------------------------------------------------

    @app.post("/api/boards")
    async def board(asked: requests.BoardRequest) -> Data:
        """A new board with its mines: the object of `sapper new --format json`."""
        level = _level(asked.level)
        seed = None if asked.seed is None else int(asked.seed)
        make = partial(
            sapper.generate,
            level,
            seed=seed,
            first=asked.first,
            no_guess=asked.no_guess,
            difficulty=asked.difficulty,
            limit=sapper.Limit(seconds=PATIENCE),
        )
        return board_to_json(await run_in_threadpool(make))

    # Games -------------------------------------------------------------------------------------

    @app.post("/api/games", status_code=201)
    async def begin(asked: requests.GameRequest) -> Data:
        """Begin a game; its name is the key to it."""

        def make() -> str:
            session = Session(_level(asked.level), agent=_agent(asked.agent))
            if asked.code is not None:
                session.begin(sapper.game_from_code(asked.code))
            else:
                session.new(promise=asked.promise, no_guess=asked.no_guess, difficulty=asked.difficulty)
            return games.begin(session)

        name = await run_in_threadpool(make)
        return state_of(name, games.find(name))

    @app.get("/api/games/{name}")
    async def look(name: str) -> Data:
        """A game as it stands; while it goes on, nothing tells where the mines are."""
        return state_of(name, await run_in_threadpool(games.find, name))

    @app.post("/api/games/{name}/moves")
    async def move(name: str, asked: requests.MoveRequest) -> Data:
        """Do something in a game."""
        return await play(name, partial(_move, asked=asked))

    @app.post("/api/games/{name}/help")
    async def help_(name: str, asked: requests.HelpRequest) -> Data:
        """Show help over the board: it is in the state's `overlay`."""
        return await play(name, partial(_help, asked=asked))

    @app.post("/api/games/{name}/agent")
    async def agent(name: str, asked: requests.AgentRequest) -> Data:
        """Let another agent make the AI's moves."""
        return await play(name, lambda session: session.use_agent(_agent(asked.agent)))

    @app.get("/api/games/{name}/record")
    async def record(name: str) -> JSONResponse:
        """The record of a game that is over: the mines are in it."""
        return JSONResponse({"record": await run_in_threadpool(_record_of, games, name)})

    @app.post("/api/review", response_model=Data, responses={200: {"content": {LINES: {}}}})
    async def review(request: Request, asked: requests.ReviewRequest) -> Data | Response:
        """What every move of a game was worth: the object of `sapper review --json`.

        Who accepts `application/x-ndjson` is told line by line how many positions are `done`, `of` how
        many, and in the last line what was `found`, or the `status` and the `error`.
        """
        if (asked.record is None) == (asked.game is None):
            raise SapperError("a review is of a record, or of a game")
        text = asked.record
        if asked.game is not None:
            text = await run_in_threadpool(_record_of, games, asked.game)
        judge = partial(work, request, "review", {"record": text, **REVIEWING}, REVIEWED)
        if LINES in request.headers.get("accept", ""):
            return StreamingResponse(line_by_line(judge), media_type=LINES)
        return await judge()

    # Pages that learn, draw and read files ------------------------------------------------------

    @app.post("/api/learn")
    async def learn(asked: requests.LearnRequest) -> Data:
        """A game of the course's agent, each inference an event."""
        level = _level(asked.level)
        if level.height * level.width > MOST_LEARNT:
            raise SapperError(f"the agent shows its thoughts on boards of at most {MOST_LEARNT} cells")
        seed = secrets.randbits(32) if asked.seed is None else int(asked.seed)

        def play_game() -> Data:
            game = sapper.Game.new(level, seed=seed, promise="safe")
            events = trace(game, seed=seed)
            assert game.minefield is not None
            size = {"width": level.width, "height": level.height, "mines": level.mines}
            mines = sorted(map(list, game.minefield.mines))
            return {**size, "seed": str(seed), "minefield": mines, "events": events}

        return await run_in_threadpool(play_game)

    @app.post("/api/picture")
    async def picture(asked: requests.PictureRequest) -> Response:
        """A position as an SVG picture."""

        def draw() -> str:
            position = read_position(asked.position, asked.mines)
            if len(position) > MOST_DRAWN:
                raise SapperError(f"a picture has at most {MOST_DRAWN:,} cells")
            limit = sapper.Limit(seconds=1)
            return position.svg(sapper.analyse(position, limit=limit) if asked.heat else None)

        return Response(await run_in_threadpool(draw), media_type="image/svg+xml")

    @app.post("/api/files/{kind}")
    async def read_file(kind: requests.FileKind, request: Request) -> Data:
        """What a file of one of the known kinds holds: a position, a board or a game."""
        data = await request.body()
        return await run_in_threadpool(_read_file, kind, data)

    if STATIC.is_dir():
        app.mount("/", StaticFiles(directory=STATIC, html=True))
    return app


def _read_file(kind: str, data: bytes) -> Data:
    """Return what bytes hold; no name of a client's is used."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, f"file.{kind}")
        file.write_bytes(data)
        try:
            content = sapper.read(file)
        except SapperError as error:
            raise SapperError(str(error).removeprefix(f"{file}: ")) from None
    if isinstance(content, sapper.Position):
        return {"holds": "position", "position": str(content)}
    if isinstance(content, sapper.Record):
        return {"holds": "game", "record": record_to_json(content)}
    return {"holds": "board", "code": board_code(content)}


def _level(name: str) -> Level:
    level = Level.named(name)
    if level.height * level.width > MOST_CELLS:
        raise SapperError(f"a board here has at most {MOST_CELLS:,} cells")
    return level


def _agent(name: AgentName | None) -> AgentName:
    if name is not None:
        return name
    return AgentName.STRONG if AgentName.STRONG in available() else AgentName.SAFEST


def _record_of(games: Games, name: str) -> str:
    session = games.find(name)
    if not session.game.over or session.record is None:
        raise Refused(409, {"error": "the game goes on: its mines are secret", "kind": "Secret"})
    return record_to_json(session.record)


def _move(session: Session, *, asked: requests.MoveRequest) -> None:
    match asked.do:
        case "open" | "flag" | "mark":
            if asked.cell is None:
                raise SapperError(f"{asked.do} needs a cell")
            session.game.position[asked.cell]  # An error for a cell off the board.
            getattr(session, asked.do)(asked.cell)
        case "ai":
            session.ai_move()
        case _:
            getattr(session, asked.do)()


def _help(session: Session, *, asked: requests.HelpRequest) -> None:
    match asked.what:
        case "hint":
            session.hint()
        case "why":
            if asked.cell is not None:
                session.game.position[asked.cell]
            session.why(asked.cell)
        case "heat":
            session.toggle_heat()
        case "next" | "previous":
            session.step(1 if asked.what == "next" else -1)
        case "clear":
            session.clear_help()
