"""Checks of many submissions: finds the files, checks a few at a time, and keeps the results."""

from __future__ import annotations

import hashlib
import json
import os
import queue
import stat
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from time import monotonic
from typing import Any, Final

from sapper.course.checker import check
from sapper.course.report import CHECKS, Report, Status, printable
from sapper.course.submission import Stopped, Submission
from sapper.errors import BadFile, SapperError
from sapper.game.game import draw_minefield
from sapper.levels import Level, Promise
from sapper.minesweeper import Minesweeper
from sapper.storage.files import errors_named, file_name

RESULTS_NAME: Final = "sapper-check.jsonl"
"""The default name of the file with the results."""
GAMES: Final = 1000
"""The default number of games that each agent plays."""
_MOST_BYTES: Final = 1_000_000
"""Larger files are not read. A minesweeper.py has about 10,000 bytes."""
_GAMES_SECONDS: Final = 60.0
"""The time for all games of one agent."""
_GAME_SECONDS: Final = 5.0
"""The time for one game, which takes a good agent milliseconds. After it, the game is lost."""
_MOST_STOPS: Final = 3
"""After this many games that did not finish, no more are played."""
_STOP_SECONDS: Final = 2.0
"""How long Ctrl-C waits for checks to end by themselves. Their processes are killed afterwards."""
_COURSE_WINDOW: Final = "runner.py"


@dataclass(frozen=True)
class Row:
    """The results of one submission."""

    name: str
    """The path of the file in the directory, with `/` between its parts."""
    digest: str
    """The SHA-256 hash of the file; empty if it could not be read."""
    checker: str
    """The version of the checker."""
    statuses: dict[str, str] = field(default_factory=dict)
    """The status of each check; none if the file could not be checked."""
    problem: str = ""
    """The message of the first failure or advice, or why the file could not be checked."""
    found: int = 0
    forced: int = 0
    """The number of forced cells, and how many of them the agent found."""
    games: int = 0
    """The number of games that were to be played."""
    played: int = 0
    wins: int = 0
    expert_seconds: float | None = None
    seconds: float = 0.0
    """How long the check took, without the games."""

    def passed(self, *, strict: bool = False) -> tuple[int, int]:
        """Return how many of the checks that decide were passed, and how many there are.

        >>> Row("x.py", "", "", {"imports": "passed", "signatures": "failed"}).passed()
        (1, 14)
        """
        names = [each.name for each in CHECKS if strict or each.required]
        return sum(self.statuses.get(name) == Status.PASSED.value for name in names), len(names)

    def first_failure(self, *, strict: bool = False) -> str:
        """Return the name of the first check that failed; empty if there is none."""
        bad = {Status.FAILED.value} | ({Status.ADVICE.value} if strict else set())
        return next((each.name for each in CHECKS if self.statuses.get(each.name) in bad), "")

    def verdict(self, *, strict: bool = False) -> str:
        """Return `correct`, `incorrect` or `not checked`."""
        if not self.statuses:
            return "not checked"
        if self.first_failure(strict=strict):
            return "incorrect"
        skipped = Status.SKIPPED.value
        undecided = any(each.required and self.statuses.get(each.name) == skipped for each in CHECKS)
        return "not checked" if undecided else "correct"

    @property
    def share_found(self) -> float | None:
        """The share of forced cells that the agent found; None if there were no games."""
        return self.found / self.forced if self.forced else None

    def to_json(self, *, strict: bool = False) -> dict[str, Any]:
        """Return the row as JSON."""
        passed, checks = self.passed(strict=strict)
        return {
            "name": self.name,
            "verdict": self.verdict(strict=strict),
            "passed": passed,
            "checks": checks,
            "first_failure": self.first_failure(strict=strict) or None,
            "problem": self.problem or None,
            "share_found": self.share_found,
            "wins": self.wins,
            "games": self.played,
            "expert_seconds": self.expert_seconds,
            "seconds": self.seconds,
            "statuses": self.statuses,
        }


def find_submissions(directory: Path) -> list[Path]:
    """Return the submissions in a directory: its `*.py` files, and `minesweeper.py` in its folders.

    Hidden files and the course's `runner.py` are left out. A folder whose name ends with `.py` is a bad
    submission, unless a `minesweeper.py` is in it.
    """
    found = []
    with errors_named(directory, "read"):
        entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
    for entry in entries:
        if entry.name.startswith(".") or entry.name == _COURSE_WINDOW:
            continue
        inner = Path(entry.path, "minesweeper.py")
        with suppress(OSError):  # The target of a link may be unreadable.
            if entry.is_dir() and os.path.lexists(inner):
                found.append(inner)
                continue
        if entry.name.endswith(".py"):
            found.append(Path(entry.path))
    if not found:
        raise BadFile(f"{file_name(directory)}: it contains neither *.py files nor */minesweeper.py")
    return found


@cache
def checker_version() -> str:
    """Return the version of the checker: a hash of its source, and of the agent it compares with.

    >>> len(checker_version())
    16
    """
    digest = hashlib.sha256()
    for file in sorted(files("sapper.course").iterdir(), key=lambda file: file.name):
        if file.name.endswith(".py"):
            digest.update(file.read_bytes())
    digest.update((files("sapper") / "minesweeper.py").read_bytes())
    return digest.hexdigest()[:16]


# One submission ----------------------------------------------------------------------------------


def check_submission(
    path: Path, name: str, *, games: int = GAMES, cancelled: threading.Event | None = None
) -> Row:
    """Check a submission and let it play; a file that cannot be checked has a row that says why.

    >>> from sapper import minesweeper
    >>> row = check_submission(Path(minesweeper.__file__), "ours.py", games=5)
    >>> row.verdict(strict=True), row.played
    ('correct', 5)
    """
    cancelled = cancelled or threading.Event()

    def stop_if_cancelled(_: str) -> None:
        if cancelled.is_set():
            raise Cancelled

    try:
        digest = digest_of(path)
    except SapperError as error:
        return Row(name, "", checker_version(), problem=str(error))
    try:
        report = check(path, progress=stop_if_cancelled)
        wins, played = (0, 0) if _cannot_play(report) else _play(path, games, cancelled)
    except Cancelled:
        raise
    except Exception as error:  # One bad file must not stop the others.
        reason = printable(f"the checker failed: {type(error).__name__}: {error}")
        return Row(name, "", checker_version(), problem=reason)
    failures = report.failures(strict=True)  # Those of required checks come first.
    if report.unreadable is not None:
        problem = report.unreadable.message
    else:
        problem = failures[0].problem.message if failures and failures[0].problem else ""
    return Row(
        name,
        digest,
        checker_version(),
        {result.check.name: result.status.value for result in report.results},
        printable(problem),
        report.found,
        report.forced,
        games,
        played,
        wins,
        report.expert_seconds,
        round(report.seconds, 2),
    )


class Cancelled(Exception):
    """The user has ended the run."""


def digest_of(path: Path) -> str:
    """Return the hash of a file; raise an error if it is no submission that can be read."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise BadFile("it is a directory" if stat.S_ISDIR(status.st_mode) else "it is not a file")
        if status.st_size > _MOST_BYTES:
            raise BadFile(f"it has more than {_MOST_BYTES:,} bytes")
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise BadFile(f"it cannot be read: {error.strerror or error}") from error


def _cannot_play(report: Report) -> bool:
    """Return whether the classes are missing or cannot be called as the course does."""
    return not report.results or any(
        result.check.name in ("imports", "signatures") for result in report.failures()
    )


@cache
def _minefields(games: int) -> tuple[Minesweeper, ...]:
    """Return the boards that every agent plays: those of the course's level with the first seeds."""
    level = Level.named("course")
    return tuple(
        draw_minefield(level, first=None, promise=Promise.NONE, seed=seed) for seed in range(games)
    )


def _play(path: Path, games: int, cancelled: threading.Event) -> tuple[int, int]:
    """Let an agent play; return how many games it won, and how many it played in the time it had."""
    wins = played = stops = 0
    end = monotonic() + _GAMES_SECONDS
    with Submission(path) as submission:
        for seed, board in enumerate(_minefields(games)):
            left = end - monotonic()
            if left <= 0 or stops >= _MOST_STOPS:
                break
            if cancelled.is_set():
                raise Cancelled
            try:
                wins += submission.play(
                    board.height, board.width, board.mines, seed=seed, seconds=min(_GAME_SECONDS, left)
                )
            except Stopped:
                stops += 1
            played += 1
    return wins, played


# Many submissions --------------------------------------------------------------------------------


class Results:
    """A file with the results of earlier checks, one JSON object per line. New results are appended."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._rows: dict[str, Row] = {}
        self._needs_line_break = False
        if not os.path.lexists(file):
            return
        with errors_named(file, "read"):
            text = file.read_text(encoding="utf-8", errors="replace")
        self._needs_line_break = bool(text) and not text.endswith("\n")
        for line in text.splitlines():
            row = _parse_row(line)
            if row is not None:
                self._rows[row.name] = row
        if text and not self._rows:
            raise BadFile(f"{file_name(file)}: it is not a file with results of sapper check")

    def get(self, name: str, path: Path, *, games: int) -> Row | None:
        """Return the row of a submission, if neither the file nor the checker has changed."""
        row = self._rows.get(name)
        if row is None or not row.digest or (row.checker, row.games) != (checker_version(), games):
            return None
        try:
            return row if digest_of(path) == row.digest else None
        except SapperError:
            return None

    def add(self, row: Row) -> None:
        """Append a row to the file."""
        line = json.dumps(asdict(row), ensure_ascii=True) + "\n"
        with errors_named(self._file, "write"), self._file.open("a", encoding="utf-8") as file:
            file.write("\n" * self._needs_line_break + line)
        self._needs_line_break = False
        self._rows[row.name] = row


def _parse_row(line: str) -> Row | None:
    """Return the row that a line contains; None if it is incomplete, as after a power failure."""
    try:
        found = json.loads(line)
        row = Row(**found) if isinstance(found, dict) else None
    except (ValueError, TypeError, RecursionError):
        return None
    return row if row is not None and _is_valid(row) else None


def _is_valid(row: Row) -> bool:
    """Return whether all values of a row have the right types."""
    kinds: dict[str, tuple[type, ...]] = {
        "str": (str,),
        "int": (int,),
        "float": (int, float),
        "float | None": (int, float, type(None)),
        "dict[str, str]": (dict,),
    }
    return all(isinstance(getattr(row, each.name), kinds[str(each.type)]) for each in fields(row)) and (
        all(isinstance(status, str) for status in row.statuses.values())
    )


def check_all(
    directory: Path,
    results: Results,
    *,
    games: int = GAMES,
    jobs: int = 2,
    done: Callable[[Row], None] = lambda _: None,
) -> list[Row]:
    """Check all submissions in a directory, a few at a time; return their rows in order of their names.

    `done` is called for each row, from this thread. Rows of earlier runs are used where nothing has
    changed. Ctrl-C ends the run; the results of finished checks are kept.
    """
    rows: dict[str, Row] = {}
    waiting: queue.SimpleQueue[tuple[Path, str]] = queue.SimpleQueue()
    todo = 0
    for path in find_submissions(directory):
        name = path.relative_to(directory).as_posix()
        earlier = results.get(name, path, games=games)
        if earlier is None:
            waiting.put((path, name))
            todo += 1
        else:
            rows[name] = earlier
            done(earlier)
    finished: queue.SimpleQueue[Row | BaseException] = queue.SimpleQueue()
    cancelled = threading.Event()

    def work() -> None:
        while not cancelled.is_set():
            try:
                path, name = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                finished.put(check_submission(path, name, games=games, cancelled=cancelled))
            except BaseException as error:  # The thread that waits raises it.
                finished.put(error)
                return

    _minefields(games)  # Threads would compute the same boards several times.
    # Daemon threads: after Ctrl-C, the program does not wait for a student's endless loop.
    workers = [
        threading.Thread(target=work, name="sapper-check", daemon=True) for _ in range(min(jobs, todo))
    ]
    for worker in workers:
        worker.start()
    try:
        for _ in range(todo):
            row = finished.get()
            if isinstance(row, BaseException):
                raise row
            if row.digest:
                results.add(row)
            rows[row.name] = row
            done(row)
    finally:
        cancelled.set()
        end = monotonic() + _STOP_SECONDS
        for worker in workers:
            worker.join(max(0.0, end - monotonic()))
    return [rows[name] for name in sorted(rows)]


def exit_code(rows: Iterable[Row], *, strict: bool = False) -> int:
    """Return 1 if a submission is incorrect, else 2 if one could not be checked, else 0.

    >>> exit_code([Row("x.py", "", "", {"imports": "passed"})]), exit_code([Row("x.py", "", "")])
    (0, 2)
    """
    verdicts = {row.verdict(strict=strict) for row in rows}
    return 1 if "incorrect" in verdicts else 2 if "not checked" in verdicts else 0
