"""Work beside the caller's thread: the newest of a topic counts, and errors come home."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from sapper import SapperError
from sapper.session.thinking import Thinker


@pytest.fixture
def thinker() -> Iterator[Thinker]:
    made = Thinker(threads=1)
    yield made
    made.close()


def wait(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.001)


def test_nothing_is_heard_before_it_is_collected(thinker: Thinker) -> None:
    heard: list[int] = []
    done = threading.Event()

    def work() -> int:
        done.set()
        return 1

    thinker.ask("a", work, heard.append)
    done.wait(60)
    time.sleep(0.01)
    assert not heard
    wait(thinker.collect)
    assert heard == [1]
    assert not thinker.is_busy("a")
    assert not thinker.collect()


def test_only_the_newest_of_a_topic_counts(thinker: Thinker) -> None:
    heard: list[int] = []
    go_on = threading.Event()
    begun: list[int] = []

    def work(number: int) -> int:
        begun.append(number)
        go_on.wait(60)
        return number

    thinker.ask("a", lambda: work(1), heard.append)
    wait(lambda: begun)
    thinker.ask("a", lambda: work(2), heard.append)
    thinker.ask("a", lambda: work(3), heard.append)
    thinker.ask("b", lambda: work(4), heard.append)
    go_on.set()
    wait(lambda: thinker.collect() and 4 in heard)
    assert heard == [3, 4]
    assert begun == [1, 3, 4]  # The second was never begun.


def test_what_is_forgotten_is_not_heard(thinker: Thinker) -> None:
    heard: list[int] = []
    go_on = threading.Event()
    thinker.ask("a", lambda: go_on.wait(60) and 1, heard.append)
    thinker.forget("a")
    thinker.ask("b", lambda: 2, heard.append)
    go_on.set()
    wait(lambda: thinker.collect() and heard)
    assert heard == [2]


@pytest.mark.parametrize("threads", [0, 1])
def test_our_errors_are_told_and_others_raised(threads: int) -> None:
    thinker = Thinker(threads=threads)
    told: list[str] = []

    def fail() -> str:
        raise SapperError("no")

    def break_down() -> str:
        raise ZeroDivisionError

    thinker.ask("a", fail, told.append, lambda error: told.append(str(error)))
    wait(lambda: thinker.collect() or told)
    assert told == ["no"]
    with pytest.raises(ZeroDivisionError):
        ask_and_wait(thinker, break_down)
    thinker.close()


def ask_and_wait(thinker: Thinker, work: Callable[[], str]) -> None:
    thinker.ask("a", work, lambda _: None)
    wait(thinker.collect)
