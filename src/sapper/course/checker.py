"""The checker: runs all checks of a student's file, and returns a report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Final

from sapper.course import examples, moves, signatures
from sapper.course.faults import EDITS, Observation, edit_fault, explain, observe, order_fault
from sapper.course.games import CheckGame, corridor, expert_game, random_games, shrink
from sapper.course.report import CHECKS, Problem, Report, Result, Status
from sapper.course.submission import Stopped, Submission, TooSlow
from sapper.text import plural

Progress = Callable[[str], None]
"""Is called with the title of each check when it begins."""

_SECONDS: Final = 3.0
"""The time for one game on a small board, which takes a good agent milliseconds."""
_SECONDS_AFTER_STOP: Final = 1.0
"""The time for a game after the first one that did not finish."""
_MOST_STEPS: Final = 30
"""Longer scripts are described, not listed."""
_MOST_STOPS: Final = 3
"""After this many games that did not finish, the rest is not checked."""
_SLOW: Final = 5.0
"""An expert board that takes longer than this is worth advice."""
_SQUARES: Final = ((2, 40), (3, 250), (4, 250), (5, 80), (8, 40))
"""Side and number of the square boards."""
_RECTANGLES: Final = (
    (1, 1),
    (1, 2),
    (2, 1),
    (1, 5),
    (5, 1),
    (2, 3),
    (3, 2),
    (2, 5),
    (4, 3),
    (5, 2),
    (3, 7),
    (9, 4),
)
_FEWEST_GAMES: Final = 200
"""After fewer games on square boards, the agent is not called correct."""
_GAMES_SECONDS: Final = 20.0
_SEARCH_SECONDS: Final = 3.0
"""How long games are played for one check. A slow agent plays fewer games."""


class _GiveUp(Exception):
    """The agent has stopped too often."""


class _Checker:
    """Collects the results of the checks of one file."""

    def __init__(self, submission: Submission, progress: Progress) -> None:
        self.submission = submission
        self.progress = progress
        self.problems: dict[str, Problem] = {}
        self.done: set[str] = set()
        self.notes: dict[str, str] = {}
        self.found = self.forced = 0
        self.expert_seconds: float | None = None
        self.stops = 0

    @property
    def seconds(self) -> float:
        """The time for one game."""
        return _SECONDS_AFTER_STOP if self.stops else _SECONDS

    def fail(self, name: str, problem: Problem) -> None:
        """Record a problem, unless the check already has one."""
        self.problems.setdefault(name, problem)
        self.done.add(name)

    def stopped(self, stop: Stopped) -> None:
        """Record that the agent did not finish; after a few times, give up."""
        if isinstance(stop, TooSlow):
            self.fail("speed", Problem(f"The agent is too slow to be checked fully: {stop}."))
            raise _GiveUp
        script, problem = stop.script, Problem("")
        if script is not None and len(script.steps) <= _MOST_STEPS:
            problem = Problem(
                "",
                height=script.height,
                width=script.width,
                numbers=script.numbers,
                steps=tuple(map(str, script.steps)),
            )
        elif script is not None:
            board = f"{script.width}x{script.height} board"
            problem = Problem("", steps=(f"{len(script.steps)} openings on a {board}",))
        self.fail(
            "limits",
            replace(
                problem,
                message=f"The agent did not finish: {stop}.",
                line=stop.line,
                function=stop.function,
                source=self.submission.source_line(stop.line),
            ),
        )
        self.stops += 1
        if self.stops >= _MOST_STOPS:
            raise _GiveUp

    def example(self, name: str, find: Callable[[Submission], Iterator[Problem]]) -> None:
        """Run a check by example; its first problem counts."""
        try:
            problem = next(find(self.submission), None)
        except Stopped as stop:
            self.stopped(stop)
            return
        self.done.add(name)
        if problem is not None:
            self.fail(name, problem)

    def games(
        self, names: set[str], games: Iterator[CheckGame], *, record_as: str | None = None
    ) -> None:
        """Play games, and record the first fault of each kind, in the smallest game that shows it."""
        end = monotonic() + (_GAMES_SECONDS if record_as is None else _SEARCH_SECONDS)
        played = 0
        for game in games:
            if monotonic() > end:
                break
            try:
                observation = observe(self.submission, game, seconds=self.seconds)
            except Stopped as stop:
                self._hang(game, stop)
                continue
            played += bool(observation.run.moments)
            self.found += observation.found
            self.forced += observation.forced
            for kind, fault in observation.faults.items():
                name = record_as if record_as and kind in _SERIOUS else kind
                if kind not in names or name in self.problems:
                    continue
                if kind == "threads":
                    self.fail(name, explain(self.submission, observation, fault))
                else:
                    smallest = self._smallest(game.first(fault.openings), kind) or observation
                    self.fail(name, explain(self.submission, smallest, smallest.faults[kind]))
        if record_as is not None:
            self.done |= {record_as} - {""}
        elif played >= _FEWEST_GAMES:
            self.done |= names
        else:  # It raised an exception every time, or it is very slow.
            self.done |= names - _SERIOUS
            note = f"only {plural(played, 'game')} could be played"
            self.notes |= dict.fromkeys(_SERIOUS, note)

    def _smallest(self, game: CheckGame, kind: str) -> Observation | None:
        """Return the smallest game with a fault of this kind; None if it depends on chance."""
        smallest: Observation | None = None

        def still_fails(candidate: CheckGame) -> bool:
            nonlocal smallest
            try:
                observation = observe(self.submission, candidate, seconds=_SECONDS_AFTER_STOP)
            except Stopped:
                return False
            if kind in observation.faults:
                smallest = observation
            return kind in observation.faults

        shrink(game, still_fails)
        return smallest

    def _hang(self, game: CheckGame, stop: Stopped) -> None:
        """Record a game that did not finish, made as small as a few seconds allow."""

        def still_hangs(candidate: CheckGame) -> bool:
            try:
                self.submission.run(candidate.script, seconds=0.5)
            except Stopped:
                return True
            return False

        if "limits" not in self.problems:
            game = shrink(game, still_hangs, seconds=3.0, tries=30)
            try:
                self.submission.run(game.script, seconds=1.0)
            except Stopped as again:
                stop = again
        self.stopped(stop)

    def search(
        self,
        name: str,
        games: Iterator[CheckGame],
        find: Callable[[CheckGame], Problem | None],
        *,
        seconds: float = _SEARCH_SECONDS,
    ) -> None:
        """Record the first problem that a function finds, in the smallest game that shows it."""

        def find_in(game: CheckGame) -> Problem | None:
            try:
                return find(game)
            except Stopped:
                return None

        end = monotonic() + seconds
        for game in games:
            if monotonic() > end:
                break
            try:
                problem = find(game)
            except Stopped as stop:
                self._hang(game, stop)
                continue
            if problem is not None:
                small = find_in(shrink(game, lambda game: find_in(game) is not None))
                self.fail(name, problem if small is None else small)
                break
        self.done.add(name)

    def speed(self) -> None:
        """Measure a whole expert board, and the growth from small boards to large ones."""
        times = []
        for game in (expert_game(8, 8, 13), expert_game()):
            try:
                run = self.submission.run(game.script, seconds=_SECONDS, last_only=True)
            except TooSlow as stop:
                self.fail("speed", Problem(f"On an expert board, {stop}."))
                return
            except Stopped as stop:
                self.stopped(stop)
                return
            if run.error is not None:
                name = f"A {game.width}x{game.height} board"
                self.fail("errors", examples.problem_of(self.submission, run.error, name))
                return
            times.append((run.seconds, len(game.openings)))
        (small, few), (large, many) = times
        self.expert_seconds = large
        self.notes["speed"] = (
            f"expert board: {large:.2f} s; per call: {1e3 * small / few:.2f} ms on 8x8, "
            f"{1e3 * large / many:.2f} ms on expert"
        )
        self.done.add("speed")
        if large > _SLOW:
            self.fail(
                "speed",
                Problem(
                    f"An expert board with {many} openings took {large:.1f} s. "
                    "Compare only sentences that share cells, and each pair only once.",
                ),
            )


_SERIOUS: Final = {"errors", "soundness", "completeness"}
"""The kinds of faults that the check of boards that are not square looks for."""


def check(path: str | Path, *, progress: Progress = lambda _: None) -> Report:
    """Check a student's `minesweeper.py`, and return a report.

    >>> from sapper import minesweeper
    >>> check(minesweeper.__file__).exit_code(strict=True)
    0
    """
    began = monotonic()
    path = Path(path)
    with Submission(path) as submission:
        checker = _Checker(submission, progress)
        unreadable = _check_all(checker)
    results = [] if unreadable is not None else [_result(checker, check.name) for check in CHECKS]
    seconds = monotonic() - began
    return Report(
        path,
        tuple(results),
        checker.found,
        checker.forced,
        seconds,
        unreadable,
        expert_seconds=checker.expert_seconds,
    )


def _check_all(checker: _Checker) -> Problem | None:
    """Run all checks; return why the file could not be checked at all, if so."""
    submission, progress = checker.submission, checker.progress
    if not submission.path.is_file():
        return Problem(f"There is no file {submission.path.name!r}.")
    progress("Loading the file")
    try:
        loaded = submission.load()
    except Stopped as stop:
        return Problem(
            f"The file could not be imported: {stop}.",
            line=stop.line,
            source=submission.source_line(stop.line),
        )
    checker.done.add("imports")
    for problem in signatures.imports(submission, loaded):
        checker.fail("imports", problem)
    if loaded.error is not None:
        if loaded.error.type == "ModuleNotFoundError" and "imports" in checker.problems:
            return None
        return examples.problem_of(submission, loaded.error, "Importing the file")
    if loaded.output:
        checker.fail("output", Problem("The file prints when it is imported.", output=loaded.output))
    try:
        checker.example("signatures", lambda submission: signatures.signatures(submission, loaded))
        if "signatures" not in checker.problems and not checker.stops:
            _check_behaviour(checker)
            checker.done.add("limits")
    except _GiveUp:
        pass
    return None


def _check_behaviour(checker: _Checker) -> None:
    submission, progress = checker.submission, checker.progress
    for name in ("sentence", "marking", "steps"):
        progress(_TITLES[name])
        checker.example(name, _EXAMPLES[name])
    progress(_TITLES["soundness"])
    kinds = {"errors", "soundness", "completeness", "clean", "output", "threads"}
    checker.games(kinds, _squares())
    for name in ("manual-marks", "safe-moves", "random-moves"):
        progress(_TITLES[name])
        checker.example(name, _EXAMPLES[name])
    if checker.done >= _SERIOUS and not _SERIOUS & checker.problems.keys():
        _check_variations(checker)  # Otherwise, these would only repeat the problem.
    if submission.printed:
        checker.fail("output", Problem("The agent prints.", output=submission.printed))
    required = {check.name for check in CHECKS if check.required}
    if checker.done >= _SERIOUS and not required & checker.problems.keys():
        progress(_TITLES["speed"])  # The speed of a wrong agent says nothing.
        checker.speed()


def _check_variations(checker: _Checker) -> None:
    """Check an agent that plays well on square boards: other orders, other boards, changes by hand."""
    submission, progress = checker.submission, checker.progress
    progress(_TITLES["order"])
    orders = (
        game for side in (3, 4, 5) for game in random_games(side, side, 100, seed=1, unfinished=True)
    )
    checker.search("order", orders, lambda game: order_fault(submission, game, seconds=checker.seconds))
    progress(_TITLES["shapes"])
    rectangles = (game for size in _RECTANGLES for game in random_games(*size, 25))
    checker.games(_SERIOUS, rectangles, record_as="shapes")
    if not {"safe-moves", "random-moves"} & checker.problems.keys():
        checker.example("shapes", moves.moves_on_rectangles)
    if "shapes" not in checker.problems:
        progress(_TITLES["completeness"])
        large = (corridor(41), corridor(81), *(expert_game(seed=seed).first(160) for seed in (1, 2)))
        checker.games(_SERIOUS, iter(large), record_as="")
    progress(_TITLES["manual-edits"])
    for edit in range(len(EDITS)):
        checker.search(
            "manual-edits",
            random_games(3, 3, 60, seed=2 + edit, unfinished=True),
            partial(edit_fault, submission, edit=edit, seconds=checker.seconds),
            seconds=_SEARCH_SECONDS / len(EDITS),
        )


def _squares() -> Iterator[CheckGame]:
    for side, number in _SQUARES:
        yield from random_games(side, side, number)


_EXAMPLES: Final[dict[str, Callable[[Submission], Iterator[Problem]]]] = {
    "sentence": examples.sentences,
    "marking": examples.marking,
    "steps": examples.steps,
    "manual-marks": examples.manual_marks,
    "safe-moves": moves.safe_moves,
    "random-moves": moves.random_moves,
}
_TITLES: Final = {check.name: check.title for check in CHECKS}


def _result(checker: _Checker, name: str) -> Result:
    check = next(each for each in CHECKS if each.name == name)
    problem = checker.problems.get(name)
    note = checker.notes.get(name, "")
    if problem is not None:
        return Result(check, Status.FAILED if check.required else Status.ADVICE, problem, note)
    if name not in checker.done:
        return Result(check, Status.SKIPPED, note=note or "not checked because of an earlier problem")
    return Result(check, Status.PASSED, note=note)
