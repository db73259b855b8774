"""Facts about work in the background."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper.errors import SapperError
from sapper.session.background import Background, Report

LONG = 30.0
"""Seconds: longer than any of this takes, so that a test that would wait for ever fails."""


@settings(deadline=None, max_examples=20)
@given(st.lists(st.integers(), max_size=20))
def test_the_result_is_what_the_work_gives_and_all_of_it_is_reported(values: list[int]) -> None:
    def work(report: Report) -> int:
        total = 0
        for done, value in enumerate(values, start=1):
            total += value
            report(done, len(values))
        return total

    background = Background(work)
    assert background.result is None
    assert not background.finished
    background.start()
    assert background.wait(LONG)
    assert background.result == sum(values)
    assert background.progress == (len(values), len(values))


def test_there_is_no_result_before_the_end_but_progress() -> None:
    may_end, has_reported = threading.Event(), threading.Event()

    def work(report: Report) -> str:
        report(1, 3)
        has_reported.set()
        assert may_end.wait(LONG)
        return "found"

    background = Background(work)
    background.start()
    assert has_reported.wait(LONG)
    assert background.progress == (1, 3)
    assert background.result is None
    assert not background.finished
    assert not background.wait(0)
    may_end.set()
    assert background.wait(LONG)
    assert background.result == "found"


def test_cancelled_work_ends_at_its_next_report() -> None:
    may_go_on = threading.Event()
    reports = []

    def work(report: Report) -> str:
        for done in range(5):
            reports.append(done)
            report(done, 5)
            assert may_go_on.wait(LONG)
        return "found"

    background = Background(work)
    background.start()
    background.cancel()
    may_go_on.set()
    assert background.wait(LONG)
    assert background.result is None
    assert len(reports) <= 2


def test_work_that_reports_nothing_has_no_result_once_it_is_cancelled() -> None:
    may_end = threading.Event()
    background = Background(lambda _: may_end.wait(LONG))
    background.start()
    background.cancel()
    may_end.set()
    assert background.wait(LONG)
    assert background.result is None


def test_work_that_was_cancelled_before_it_began_is_not_done() -> None:
    done = []
    background = Background(lambda _: done.append(1))
    background.cancel()
    background.start()
    assert background.wait(LONG)
    assert done == []


def fail(error: Exception) -> None:
    raise error


def test_an_error_is_raised_where_the_result_is_asked_for() -> None:
    background = Background(lambda _: fail(SapperError("no such game")))
    background.start()
    assert background.wait(LONG)
    assert background.trouble == "no such game"
    with pytest.raises(SapperError, match="no such game"):
        _ = background.result


def test_an_error_that_is_not_ours_is_not_put_into_words() -> None:
    background = Background(lambda _: fail(ZeroDivisionError()))
    background.start()
    assert background.wait(LONG)
    assert background.trouble is None
    with pytest.raises(ZeroDivisionError):
        _ = background.result


def test_cancelled_work_raises_nothing() -> None:
    background = Background(lambda _: fail(ZeroDivisionError()))
    background.start()
    assert background.wait(LONG)
    background.cancel()
    assert background.result is None
    assert background.trouble is None
