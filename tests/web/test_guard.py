"""The server's rules: which requests it accepts, and what every response has."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

if TYPE_CHECKING:
    from fastapi.testclient import TestClient
    from starlette.types import Message, Receive, Scope, Send

pytest.importorskip("fastapi", reason="the web page is an extra")
testclient = pytest.importorskip("fastapi.testclient", reason="tests of the web page need httpx")

from sapper.web import guard  # noqa: E402
from sapper.web.app import Options, create_app  # noqa: E402
from sapper.web.guard import HEADERS, Guard, Hosts, host_name  # noqa: E402

EASY = {"position": "3x1/1\n# 1 #"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    hosts = Hosts.of("127.0.0.1", extra=["sapper.example"])
    options = Options(tmp_path_factory.mktemp("web") / "games.sqlite", workers=1, hosts=hosts)
    with testclient.TestClient(create_app(options), base_url="http://localhost:8000") as made:
        yield made


def kind_of(answer: Any) -> tuple[int, str]:  # noqa: ANN401 - a response of httpx.
    assert answer.json()["error"]
    for name, value in HEADERS:
        assert answer.headers[name.decode()] == value.decode()
    return answer.status_code, answer.json()["kind"]


# Hosts -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:8000", "LOCALHOST.", "127.0.0.1:1", "[::1]:8000", "sapper.example:443"],
)
def test_requests_for_this_server_are_accepted(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 200
    assert client.post("/api/analyse", json=EASY, headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "localhost.evil.example", "evil.example:8000", "127.0.0.2", "0.0.0.0"),
        *("[::2]", "", "localhost:8000:1", "user@localhost", "localhost/x", "localhost evil.example"),
    ],
)
def test_requests_for_other_hosts_are_rejected(client: TestClient, host: str) -> None:
    """A site that lets its own name point to this machine (DNS rebinding) reaches nothing."""
    for answer in (
        client.get("/", headers={"Host": host}),
        client.get("/openapi.json", headers={"Host": host}),
        client.post("/api/games", json={}, headers={"Host": host}),
    ):
        assert kind_of(answer) == (421, "WrongHost")


def test_a_server_for_everyone_accepts_addresses_but_no_unknown_names() -> None:
    hosts = Hosts.of("0.0.0.0", extra=["My.Example."])
    for good in ("192.168.1.5:8000", "[fe80::1]:8000", "localhost", "my.example"):
        assert hosts.accept(good), good
    for bad in ("evil.example", "1.2.3.4.evil.example", "999.1.1.1", ""):
        assert not hosts.accept(bad), bad


def test_a_server_on_one_address_answers_to_it() -> None:
    assert Hosts.of("192.168.1.5").accept("192.168.1.5:8000")
    assert not Hosts.of("192.168.1.5").accept("192.168.1.6:8000")


@given(st.text())
def test_any_host_header_is_a_name_or_malformed(text: str) -> None:
    name = host_name(text)
    assert name is None or (name == name.lower() and not set(name) & set(" /@[]"))


# Origins -----------------------------------------------------------------------------------------


def test_requests_from_the_own_page_are_accepted(client: TestClient) -> None:
    for origin in ("http://localhost:8000", "https://LOCALHOST:8000"):
        answer = client.post("/api/analyse", json=EASY, headers={"Origin": origin})
        assert answer.status_code == 200


@pytest.mark.parametrize(
    "origin",
    [
        *("http://evil.example", "null", "http://localhost", "http://localhost:8001", "file://", ""),
        *("http://localhost:8000.evil.example", "http://127.0.0.1:8000", "localhost:8000"),
    ],
)
def test_requests_from_other_pages_are_rejected(client: TestClient, origin: str) -> None:
    for method, path in (("POST", "/api/games"), ("GET", "/api/games/x"), ("OPTIONS", "/api/games")):
        answer = client.request(method, path, headers={"Origin": origin}, json={})
        assert kind_of(answer) == (403, "WrongOrigin")


# Media types -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "media_type",
    [
        *("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""),
        *("application/octet-stream", "text/plain; application/json", "application/jsonx"),
    ],
)
def test_only_json_is_accepted(client: TestClient, media_type: str) -> None:
    """A page of another site can send other types without asking the server first."""
    body = json.dumps(EASY)
    answer = client.post("/api/analyse", content=body, headers={"Content-Type": media_type})
    assert kind_of(answer) == (415, "WrongMediaType")


def test_json_may_name_its_encoding(client: TestClient) -> None:
    headers = {"Content-Type": "Application/JSON; charset=utf-8"}
    answer = client.post("/api/analyse", content=json.dumps(EASY), headers=headers)
    assert answer.status_code == 200


@pytest.mark.parametrize("media_type", ["text/plain", "application/json", "multipart/form-data"])
def test_files_are_accepted_as_bytes_only(client: TestClient, media_type: str) -> None:
    answer = client.post("/api/files/txt", content=b"# 1", headers={"Content-Type": media_type})
    assert kind_of(answer) == (415, "WrongMediaType")


# Errors ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("GET", "/api/nothing", (404, "NotFound")),
        ("GET", "/nothing.html", (404, "NotFound")),
        ("GET", "/../pyproject.toml", (404, "NotFound")),
        ("GET", "/%2e%2e/app.py", (404, "NotFound")),
        ("GET", "/js/%00", (404, "NotFound")),
        ("GET", "/api/games/" + "x" * 22, (404, "NotFound")),
        ("GET", "/api/analyse", (404, "NotFound")),
        ("DELETE", "/api/games/x", (405, "WrongMethod")),
        ("PUT", "/style.css", (405, "WrongMethod")),
        ("POST", "/api/analyse", (422, "BadRequest")),
        ("POST", "/api/games/" + "x" * 22 + "/moves", (422, "BadRequest")),
    ],
)
def test_every_error_says_what_is_wrong(
    client: TestClient, method: str, path: str, expected: tuple[int, str]
) -> None:
    answer = client.request(method, path, headers={"Content-Type": "application/json"})
    assert kind_of(answer) == expected


@pytest.mark.parametrize("body", [b"\xff", b"[" * 100_000, b'{"position": ', b"NaN", b"1" * 10_000])
def test_a_body_that_is_not_json_is_an_error(client: TestClient, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    answer = client.post("/api/analyse", content=body, headers=headers)
    assert answer.status_code in (400, 422)
    kind_of(answer)


# The middleware alone ----------------------------------------------------------------------------


def ask(app: Guard, messages: list[Message], **headers: str) -> tuple[int, dict[str, str]]:
    """Send a request in parts; after the last part, nothing more comes."""
    sent: list[Message] = []
    parts = iter(messages)
    given = {"host": "localhost", "content-type": "application/json", **headers}

    async def receive() -> Message:
        for part in parts:
            return part
        await asyncio.sleep(3600)
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/x",
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
    }
    asyncio.run(asyncio.wait_for(app(scope, receive, send), 60))
    body = b"".join(message.get("body", b"") for message in sent)
    return sent[0]["status"], json.loads(body)


async def reads(scope: Scope, receive: Receive, send: Send) -> None:
    """Read the whole body, then answer; an application that hides errors in the body."""
    del scope
    status = 200
    try:
        while (await receive()).get("more_body"):
            pass
    except Exception:
        status = 400
    await send({"type": "http.response.start", "status": status, "headers": []})
    await send({"type": "http.response.body", "body": b"{}"})


async def fails(*_: object) -> None:
    raise ZeroDivisionError("a secret path: /home/me")


def part(body: bytes, *, more: bool) -> Message:
    return {"type": "http.request", "body": body, "more_body": more}


def test_a_body_that_never_ends_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "BODY_SECONDS", 0.2)
    app = Guard(reads, hosts=Hosts.of("127.0.0.1"), most_bytes=100)
    status, facts = ask(app, [part(b"{", more=True)])
    assert (status, facts["kind"]) == (408, "TooSlow")


def test_a_body_that_is_too_large_is_rejected_while_it_arrives() -> None:
    app = Guard(reads, hosts=Hosts.of("127.0.0.1"), most_bytes=100)
    status, facts = ask(app, [part(b"x" * 60, more=True), part(b"x" * 60, more=False)])
    assert (status, facts["kind"]) == (413, "TooLarge")


@pytest.mark.parametrize("size", ["101", "-1", "1e3", "9" * 5000, "", "0x1"])
def test_a_bad_content_length_is_rejected_at_once(size: str) -> None:
    app = Guard(reads, hosts=Hosts.of("127.0.0.1"), most_bytes=100)
    status, facts = ask(app, [], **{"content-length": size})
    assert (status, facts["kind"]) == (413, "TooLarge")


def test_an_unexpected_error_tells_nothing_about_the_server() -> None:
    app = Guard(fails, hosts=Hosts.of("127.0.0.1"), most_bytes=100)
    status, facts = ask(app, [part(b"{}", more=False)])
    assert (status, facts["kind"]) == (500, "Broken")
    assert "secret" not in facts["error"]


def test_a_request_without_a_host_is_rejected() -> None:
    app = Guard(reads, hosts=Hosts.of("127.0.0.1"), most_bytes=100)
    status, facts = ask(app, [part(b"{}", more=False)], host="")
    assert (status, facts["kind"]) == (421, "WrongHost")
