"""No request causes a 500 error, and every response matches the schema."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from schemathesis import Case

    AnyCase = Case[Any]

pytest.importorskip("fastapi", reason="the web page is an extra")
schemathesis = pytest.importorskip("schemathesis", reason="it makes the requests")

from sapper.web.app import Options, create_app  # noqa: E402
from sapper.web.guard import Hosts  # noqa: E402
from sapper.web.waiting import LINES  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()
HOSTS = Hosts.of("127.0.0.1", extra=["testserver"])
app = create_app(Options(Path(FOLDER.name, "games.sqlite"), workers=1, hosts=HOSTS))
schema = schemathesis.openapi.from_asgi("/openapi.json", app)


@schema.parametrize()  # type: ignore[untyped-decorator, unused-ignore]
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_request_causes_a_server_error(case: AnyCase) -> None:
    answer = case.call()
    assert answer.status_code < 500 or answer.status_code == 503, answer.text
    if answer.status_code >= 400:
        assert answer.json()["error"]
        assert answer.json()["kind"]


@schema.include(path="/api/review").parametrize()  # type: ignore[untyped-decorator, unused-ignore]
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_review_request_causes_a_server_error(case: AnyCase) -> None:
    answer = case.call(headers={"Accept": LINES})
    if answer.status_code == 200:
        *progress, last = [json.loads(line) for line in answer.text.splitlines()]
        assert all(line["done"] <= line["of"] for line in progress)
        assert "found" in last or (last["error"] and last["status"] in (422, 503)), last
    else:
        assert 400 <= answer.status_code < 500
