"""The server's API: responses, errors, and what it keeps secret."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import sapper
from sapper.formats import analysis_to_json, record_from_json, record_to_json

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

pytest.importorskip("fastapi", reason="the web page is an extra")
testclient = pytest.importorskip("fastapi.testclient", reason="tests of the web page need httpx")

from sapper.web.app import MOST_BYTES, Options, create_app  # noqa: E402

JSON = {"Content-Type": "application/json"}
BYTES = {"Content-Type": "application/octet-stream"}
POSITION = "4x4/3\n# # # #\n1 2 # #\n. 1 # #\n. 1 1 1"


@pytest.fixture(scope="module")
def games_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("web") / "games.sqlite"


def new_client(games_file: Path) -> TestClient:
    app = create_app(Options(games_file, workers=1))
    client: TestClient = testclient.TestClient(app, base_url="http://localhost:8000")
    return client


@pytest.fixture(scope="module")
def client(games_file: Path) -> Iterator[TestClient]:
    with new_client(games_file) as made:
        yield made


def begin(client: TestClient, **asked: object) -> dict[str, Any]:
    answer = client.post("/api/games", json=asked)
    assert answer.status_code == 201, answer.text
    state: dict[str, Any] = answer.json()
    return state


def do(client: TestClient, name: str, what: str, cell: sapper.Cell | None = None) -> dict[str, Any]:
    answer = client.post(f"/api/games/{name}/moves", json={"do": what, "cell": cell})
    assert answer.status_code == 200, answer.text
    state: dict[str, Any] = answer.json()
    return state


def win(client: TestClient, name: str) -> dict[str, Any]:
    state: dict[str, Any] = {"outcome": "playing"}
    while state["outcome"] == "playing":
        state = do(client, name, "ai")
    return state


def test_the_api_and_the_command_return_the_same_analysis(client: TestClient) -> None:
    answer = client.post("/api/analyse", json={"position": POSITION})
    assert answer.status_code == 200
    assert answer.json() == analysis_to_json(sapper.analyse(sapper.Position.parse(POSITION)))
    mine_text = "3x1x1\nH1H"
    assert client.post("/api/analyse", json={"position": mine_text}).json()["layouts"] == "2"


def test_the_api_and_the_command_return_the_same_proof(client: TestClient) -> None:
    answer = client.post("/api/explain", json={"position": POSITION, "cell": [1, 2]})
    assert answer.json() == sapper.explain(sapper.Position.parse(POSITION), (1, 2)).to_json()
    assert client.post("/api/explain", json={"position": POSITION}).json()["verdict"] == "safe"
    assert client.post("/api/explain", json={"position": "3x1/1\n# 1 #"}).json()["toss"]


def test_errors_say_what_is_wrong(client: TestClient) -> None:
    impossible = client.post("/api/analyse", json={"position": "3x1/1\n1 # 2"})
    assert impossible.status_code == 422
    assert impossible.json()["kind"] == "InconsistentPosition"
    assert impossible.json()["numbers"] == [[0, 2]]
    unsure = client.post("/api/explain", json={"position": "3x1/1\n# 1 #", "cell": [0, 0]})
    assert (unsure.status_code, unsure.json()["risk"]) == (422, 0.5)
    bodies: list[Any] = [{}, {"position": 5}, {"position": "#", "more": 1}, {"position": "9x9/10\n#"}]
    for body in [*bodies, []]:
        answer = client.post("/api/analyse", json=body)
        assert answer.status_code == 422
        assert answer.json()["error"]
    assert client.post("/api/analyse", content=b"{", headers=JSON).status_code == 422
    assert client.get("/api/nothing").status_code == 404


def test_boards_need_no_guess(client: TestClient) -> None:
    answer = client.post("/api/boards", json={"level": "beginner", "seed": "7"}).json()
    game = sapper.generate("beginner", seed=7)
    assert game.minefield is not None
    assert answer["minefield"] == sorted(map(list, game.minefield.mines))
    assert sapper.board_code(game) == answer["code"]
    refused = client.post("/api/boards", json={"level": "500x500/10"})
    assert refused.status_code == 422


def test_a_game_from_its_first_click_to_its_review(client: TestClient) -> None:
    state = begin(client, level="beginner", no_guess=True)
    name = state["name"]
    state = do(client, name, "open", (0, 0))
    assert state["cells"][0] == "."
    state = win(client, name)
    assert state["outcome"] == "won"
    record = record_from_json(client.get(f"/api/games/{name}/record").json()["record"])
    assert record.outcome is sapper.Outcome.WON
    review = client.post("/api/review", json={"game": name}).json()
    assert review["outcome"] == "won"
    assert "needless guess" not in review["labels"]
    again = sapper.game_from_code(state["code"])
    assert again.minefield is not None
    assert again.minefield.mines == record.mines


def lines_of(client: TestClient, **asked: object) -> list[dict[str, Any]]:
    """Return what is said line by line about a review."""
    answer = client.post("/api/review", json=asked, headers={"Accept": "application/x-ndjson"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


def test_a_review_reports_its_progress(client: TestClient) -> None:
    entries = tuple(sapper.Entry(1.0, "open", (0, column)) for column in (4, 1, 0))
    mines = frozenset({(0, 2), (0, 3)})
    game = sapper.Record(sapper.Level.named("5x1/2"), sapper.Promise.NONE, mines, entries)
    *progress, last = lines_of(client, record=record_to_json(game))
    count = len(entries) + 1  # The positions before each move, and the last.
    assert progress == [{"done": done + 1, "of": count} for done in range(count)]
    assert last == {"found": sapper.review(game).to_json()}
    assert last["found"] == client.post("/api/review", json={"record": record_to_json(game)}).json()


def test_an_impossible_review_is_refused_in_its_last_line(client: TestClient) -> None:
    plain = client.post("/api/review", json={"record": "[]"})
    assert plain.status_code == 422
    assert lines_of(client, record="[]") == [{"status": 422, **plain.json()}]


def test_mines_stay_secret_until_the_game_is_over(client: TestClient) -> None:
    state = begin(client, level="beginner")
    name = state["name"]
    for answer in (
        client.get(f"/api/games/{name}"),
        client.post(f"/api/games/{name}/moves", json={"do": "open", "cell": [4, 4]}),
        client.post(f"/api/games/{name}/help", json={"what": "hint"}),
        client.post(f"/api/games/{name}/help", json={"what": "heat"}),
        client.post(f"/api/games/{name}/moves", json={"do": "flag", "cell": [0, 0]}),
    ):
        facts = answer.json()
        assert facts["mine_cells"] == []
        assert facts["code"] is None
        assert "seed" not in facts
    assert client.get(f"/api/games/{name}/record").status_code == 409
    for accept in ("application/json", "application/x-ndjson"):
        refused = client.post("/api/review", json={"game": name}, headers={"Accept": accept})
        assert refused.status_code == 409


def test_a_game_outlives_the_server(client: TestClient, games_file: Path) -> None:
    name = begin(client, level="intermediate")["name"]
    do(client, name, "open", (8, 8))
    before = do(client, name, "flag", (0, 0))
    with new_client(games_file) as other:
        after = other.get(f"/api/games/{name}").json()
        for part in ("cells", "outcome", "moves", "kind", "helped"):
            assert after[part] == before[part]
        assert win(other, name)["outcome"] in ("won", "lost")


def test_help_is_drawn_over_the_board(client: TestClient) -> None:
    name = begin(client, level="beginner", code=sapper.board_code(sapper.generate("beginner", seed=7)))[
        "name"
    ]
    do(client, name, "ai")

    def ask(what: str, cell: list[int] | None = None) -> dict[str, Any]:
        answer = client.post(f"/api/games/{name}/help", json={"what": what, "cell": cell})
        assert answer.status_code == 200
        overlay: dict[str, Any] = answer.json()["overlay"]
        return overlay

    assert ask("hint")["area"]
    assert ask("hint")["target"]
    assert ask("why")["numbers"]
    assert ask("next")["step"][0] == 1
    assert ask("heat")["risks"]
    assert ask("clear")["target"] is None
    answer = client.post(f"/api/games/{name}/help", json={"what": "why", "cell": [90, 0]})
    assert answer.status_code == 422


def test_undo_practice_and_replaying_the_same_board_work(client: TestClient) -> None:
    code = sapper.board_code(sapper.Game.on("4x1/1", [(0, 2)]))
    name = begin(client, code=code)["name"]
    lost = do(client, name, "open", (0, 2))
    assert (lost["outcome"], lost["exploded"], lost["mine_cells"]) == ("lost", [[0, 2]], [[0, 2]])
    on = do(client, name, "go_on")
    assert (on["outcome"], on["practice"], on["cells"]) == ("playing", True, "##F#")
    assert do(client, name, "undo")["cells"] == "####"
    assert do(client, name, "again")["practice"] is False


def test_unknown_games_and_bad_moves_are_refused(client: TestClient) -> None:
    for name in ("x", "../../etc/passwd", "a" * 22, "%00"):
        assert client.get(f"/api/games/{name}").status_code == 404
    name = begin(client, level="beginner")["name"]
    for bad in (
        {"do": "jump"},
        {"do": "open"},
        {"do": "open", "cell": [9, 0]},
        {"do": "open", "cell": [-1, 0]},
    ):
        answer = client.post(f"/api/games/{name}/moves", json=bad)
        assert answer.status_code == 422, bad
    assert client.post(f"/api/games/{name}/agent", json={"agent": "nobody"}).status_code == 422
    assert client.post("/api/games", json={"level": "beginner", "code": "zzz"}).status_code == 422
    assert client.post("/api/games", json={"level": "300x300/10"}).status_code == 422


def test_files_of_every_kind_can_be_uploaded(client: TestClient) -> None:
    folder = Path(__file__).parents[1] / "data" / "files"
    seen = set()
    for file in sorted(folder.iterdir()):
        kind = file.suffix[1:]
        if kind in ("txt", "mine", "mbf", "json"):
            answer = client.post(f"/api/files/{kind}", content=file.read_bytes(), headers=BYTES)
            assert answer.status_code == 200, (file.name, answer.text)
            seen.add(answer.json()["holds"])
    assert seen == {"position", "board", "game"}
    broken = client.post("/api/files/mbf", content=b"\x09", headers=BYTES)
    assert broken.status_code == 422
    assert "/" not in broken.json()["error"]  # The response contains no path of the server.
    assert client.post("/api/files/exe", content=b"x", headers=BYTES).status_code == 422


def test_the_agents_inferences_are_listed(client: TestClient) -> None:
    facts = client.post("/api/learn", json={"seed": "7"}).json()
    kinds = {event["do"] for event in facts["events"]}
    assert {"open", "add", "mark", "end"} <= kinds
    assert client.post("/api/learn", json={"level": "expert"}).status_code == 422


def test_positions_can_be_drawn_as_pictures(client: TestClient) -> None:
    answer = client.post("/api/picture", json={"position": POSITION, "heat": True})
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.startswith("<svg ")


def test_large_requests_are_rejected(client: TestClient) -> None:
    large = b" " * (MOST_BYTES + 1)
    assert client.post("/api/analyse", content=large, headers=JSON).status_code == 413

    def endless() -> Iterator[bytes]:
        for _ in range(MOST_BYTES // 2**16 + 2):
            yield b" " * 2**16

    assert client.post("/api/analyse", content=endless(), headers=JSON).status_code == 413


def test_every_response_has_security_headers(client: TestClient) -> None:
    for path in ("/", "/api/nothing", "/js/main.js", "/style.css", "/openapi.json"):
        headers = client.get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"], path
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_the_first_view_is_small(client: TestClient) -> None:
    pages = ["/", "/style.css", "/icon.svg", *(f"/js/{file.name}" for file in _scripts())]
    assert sum(len(client.get(page).content) for page in pages) < 100_000


def test_the_page_contains_no_external_url() -> None:
    static = Path(sapper.__file__).parent / "web" / "static"
    for file in static.rglob("*.*"):
        text = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text
        assert "https://" not in text
        assert "//cdn" not in text


def _scripts() -> list[Path]:
    return sorted((Path(sapper.__file__).parent / "web" / "static" / "js").glob("*.js"))


def test_the_api_describes_itself(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    assert {"/api/analyse", "/api/explain", "/api/boards", "/api/games", "/api/review"} <= set(
        described["paths"]
    )
    assert json.dumps(described)
    answers = described["paths"]["/api/review"]["post"]["responses"]["200"]["content"]
    assert set(answers) == {"application/json", "application/x-ndjson"}


def test_clients_can_choose_only_built_in_agents(client: TestClient, tmp_path: Path) -> None:
    name = begin(client)["name"]
    mark = tmp_path / "owned"
    for agent in (f"program:touch {mark}", "os:abort", "antigravity:fly", "sapper.agents:Logic"):
        for address in ("/api/games", f"/api/games/{name}/agent"):
            answer = client.post(address, json={"agent": agent})
            assert answer.status_code == 422
            assert answer.json()["kind"] == "BadRequest"
    assert not mark.exists()
