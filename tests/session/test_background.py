"""Background tasks: delivery, progress, cancellation and errors."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper.errors import SapperError
from sapper.session.background import BackgroundTasks, Report

pytestmark = pytest.mark.any_engine

LONG = 30.0
"""Seconds. No task takes this long, so a test fails instead of waiting forever."""


def fail(found: object) -> None:
    """Fail because of an unexpected result or error."""
    raise AssertionError(found)


def raiser(error: Exception) -> Callable[[Report], None]:
    def work(_: Report) -> None:
        raise error

    return work


@settings(deadline=None, max_examples=20)
@given(st.lists(st.integers(), max_size=20), st.integers(0, 2))
def test_a_result_is_delivered_once(values: list[int], threads: int) -> None:
    results: list[int] = []
    tasks = BackgroundTasks(threads=threads)
    tasks.start("sum", lambda _: sum(values), results.append, fail)
    assert tasks.wait(LONG)
    tasks.poll()
    assert results == [sum(values)]
    assert not tasks.is_running("sum")
    assert not tasks.poll()


def test_results_are_delivered_only_by_poll() -> None:
    results: list[int] = []
    tasks = BackgroundTasks(threads=1)
    tasks.start("a", lambda _: 1, results.append, fail)
    assert tasks.wait(LONG)
    assert not results
    assert tasks.is_running("a")
    while not tasks.poll():
        pass
    assert results == [1]


def test_progress_is_known_while_a_task_runs() -> None:
    may_end, has_reported = threading.Event(), threading.Event()
    results: list[str] = []

    def work(report: Report) -> str:
        report(1, 3)
        has_reported.set()
        assert may_end.wait(LONG)
        return "done"

    tasks = BackgroundTasks(threads=1)
    assert tasks.progress("a") == (0, 0)
    tasks.start("a", work, results.append, fail)
    assert has_reported.wait(LONG)
    assert tasks.progress("a") == (1, 3)
    assert not tasks.wait(0)
    may_end.set()
    assert tasks.wait(LONG)
    while not tasks.poll():
        pass
    assert results == ["done"]


def test_only_the_newest_task_of_a_name_delivers() -> None:
    results: list[int] = []
    started: list[int] = []
    has_started, may_end = threading.Event(), threading.Event()

    def work(number: int) -> int:
        started.append(number)
        has_started.set()
        assert may_end.wait(LONG)
        return number

    tasks = BackgroundTasks(threads=1)
    tasks.start("a", lambda _: work(1), results.append, fail)
    assert has_started.wait(LONG)
    tasks.start("a", lambda _: work(2), results.append, fail)
    tasks.start("a", lambda _: work(3), results.append, fail)
    tasks.start("b", lambda _: work(4), results.append, fail)
    may_end.set()
    while len(results) < 2:
        tasks.wait(LONG)
        tasks.poll()
    assert results == [3, 4]
    assert started == [1, 3, 4]  # The second was cancelled while it waited for the thread.


def test_two_threads_run_two_tasks_at_a_time() -> None:
    both = threading.Barrier(2)
    results: list[int] = []
    tasks = BackgroundTasks(threads=2)
    for name in ("a", "b"):
        tasks.start(name, lambda _: both.wait(LONG), results.append, fail)
    assert tasks.wait(LONG)
    while len(results) < 2:
        tasks.poll()
    assert sorted(results) == [0, 1]


def test_a_cancelled_task_ends_at_its_next_report() -> None:
    has_started, may_continue, has_ended = (threading.Event() for _ in range(3))
    parts = []

    def work(report: Report) -> None:
        try:
            for part in range(5):
                parts.append(part)
                report(part, 5)
                has_started.set()
                assert may_continue.wait(LONG)
        finally:
            has_ended.set()

    tasks = BackgroundTasks(threads=1)
    tasks.start("a", work, fail, fail)
    assert has_started.wait(LONG)
    tasks.cancel("a")
    assert not tasks.is_running("a")
    may_continue.set()
    assert has_ended.wait(LONG)
    assert len(parts) == 2
    assert not tasks.poll()


def test_a_cancelled_task_without_reports_delivers_nothing() -> None:
    results: list[int] = []
    may_end = threading.Event()
    tasks = BackgroundTasks(threads=1)
    tasks.start("a", lambda _: may_end.wait(LONG) and 1, results.append, fail)
    tasks.cancel("a")
    tasks.start("b", lambda _: 2, results.append, fail)
    may_end.set()
    while not results:
        tasks.wait(LONG)
        tasks.poll()
    assert results == [2]


@pytest.mark.parametrize("threads", [0, 1])
def test_errors_of_sapper_are_passed_on_and_others_raised(threads: int) -> None:
    errors: list[str] = []
    tasks = BackgroundTasks(threads=threads)

    def run(error: Exception) -> None:
        tasks.start("a", raiser(error), fail, lambda found: errors.append(str(found)))
        assert tasks.wait(LONG)
        while tasks.is_running("a"):
            tasks.poll()

    run(SapperError("no such game"))
    assert errors == ["no such game"]
    with pytest.raises(ZeroDivisionError):
        run(ZeroDivisionError())
    assert not tasks.is_running("a")


def test_a_closed_session_delivers_nothing() -> None:
    may_end = threading.Event()
    tasks = BackgroundTasks(threads=1)
    tasks.start("a", lambda _: may_end.wait(LONG), fail, fail)
    tasks.close()
    may_end.set()
    assert not tasks.is_running("a")
    assert not tasks.poll()
