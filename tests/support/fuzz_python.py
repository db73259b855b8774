"""A fuzzer for damaged positions and files: each gives a value or a `SapperError`.

    python -m tests.support.fuzz_python --seconds 30
    python -m tests.support.fuzz_python --count 1000000

A case is made from its number alone: `--first NUMBER --count 1` runs one again.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
import time
from collections.abc import Sequence
from ctypes import c_uint64
from functools import cache
from importlib.util import find_spec
from multiprocessing import Process
from multiprocessing.sharedctypes import RawArray
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from sapper import (
    FLAG,
    HIDDEN,
    Analysis,
    BadCode,
    BadFile,
    BadPosition,
    BadRecord,
    InconsistentPosition,
    Limit,
    LimitReached,
    Position,
    SapperError,
    analyse,
    board_code,
    game_from_code,
)
from sapper.errors import MissingMineCount
from sapper.formats import (
    game_from_mbf,
    game_to_mbf,
    position_from_mine,
    position_to_mine,
    read_replay,
    record_from_json,
    record_to_json,
)
from tests.support.codes import with_checksum

if TYPE_CHECKING:
    from ctypes import Array

Kept = TypeVar("Kept")

TEXTS = Path(__file__).parents[1] / "data" / "positions"
FILES = Path(__file__).parents[1] / "data" / "files"
LIMIT = Limit(seconds=10, states=2000)
OUTCOMES = (
    *(None, BadPosition, MissingMineCount, InconsistentPosition, LimitReached),
    *(BadFile, BadRecord, BadCode),
)
"""How a case may end: with a value, or with one of these errors."""
LONGEST_ERROR = 500
"""The longest allowed error message, in characters."""
PATIENCE = 60.0
"""The most seconds that one case may take."""
_SYMBOLS = "#####FF...0112345678 \n\n/x9?\r\t\0-\u0661\u00e9\u2028"


class File(NamedTuple):
    """What is in a file of a format."""

    name: str
    content: bytes


class Case(NamedTuple):
    """A test case: a text, the parts of a position or a file, and the question to ask about it."""

    position: str | tuple[int, int, int, bytes] | File
    mines: int | None
    trust_flags: bool
    question: int


# Cases -------------------------------------------------------------------------------------------


@cache
def kept_texts() -> list[str]:
    """Return the texts of the corpus, positions and others, the short ones first."""
    texts = [path.read_bytes().decode() for path in sorted(TEXTS.glob("*.txt"))]
    return sorted(texts, key=len)


@cache
def kept_positions() -> list[Position]:
    """Return the positions among them."""
    positions = []
    for text in kept_texts():
        try:
            positions.append(Position.parse(text))
        except BadPosition:
            continue
    return positions


def one_of(kept: Sequence[Kept], generator: Random) -> Kept:
    """Return a random item; earlier items, which take less time, are more likely."""
    return kept[int(len(kept) * generator.random() ** 3)]


def make_case(number: int) -> Case:
    """Return the case of this number."""
    generator = Random(number)
    kind = generator.random()
    mines = None
    position: str | tuple[int, int, int, bytes] | File
    if kind < 0.5:
        position = broken_text(generator)
        mines = generator.choice((None, None, None, 0, 1, 3, -1))
    elif kind < 0.8:
        position = changed_codes(generator)
    elif kind < 0.95:
        position = any_codes(generator)
    else:
        position = broken_file(generator)
    return Case(position, mines, generator.random() < 0.3, generator.randrange(5))


def broken_text(generator: Random) -> str:
    """Return a text of the corpus with a few changes."""
    text = one_of(kept_texts(), generator)
    for _ in range(generator.randrange(4)):
        start = generator.randrange(len(text) + 1)
        end = start + generator.randrange(5)
        match generator.randrange(5):
            case 0:  # Replace, insert or delete some symbols.
                symbols = generator.choices(_SYMBOLS, k=generator.randrange(4))
                text = text[:start] + "".join(symbols) + text[end:]
            case 1:  # Replace one symbol.
                text = text[:start] + generator.choice(_SYMBOLS) + text[start + 1 :]
            case 2:  # Repeat some symbols.
                text = text[:end] + text[start:]
            case 3:  # Repeat a line.
                lines = text.split("\n")
                text = "\n".join([*lines, generator.choice(lines)])
            case 4:  # Append the end of another text.
                text = text[:start] + one_of(kept_texts(), generator)[start:]
    return text


def changed_codes(generator: Random) -> tuple[int, int, int, bytes]:
    """Return a position of the corpus with cells hidden or flagged, other numbers or other mines."""
    position = one_of(kept_positions(), generator)
    codes = bytearray(position.codes)
    for _ in range(generator.randrange(6)):
        hidden = generator.random() < 0.7
        codes[generator.randrange(len(codes))] = generator.choice(
            (HIDDEN, HIDDEN, FLAG) if hidden else range(9)
        )
    mines = position.mines + generator.choice((0, 0, 0, 0, 1, -1, 2))
    return position.height, position.width, mines, bytes(codes)


def any_codes(generator: Random) -> tuple[int, int, int, bytes]:
    """Return arbitrary codes for a board that is usually small and sometimes invalid."""
    longest = generator.choice((2, 3, 3, 4, 4, 5, 6)) if generator.random() < 0.99 else 16
    height, width = generator.randint(1, longest), generator.randint(1, longest)
    cells = height * width
    codes = bytearray([HIDDEN]) * cells
    for _ in range(generator.randrange(2 + cells // 3)):
        codes[generator.randrange(cells)] = generator.choice((0, 1, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, FLAG))
    mines = generator.randint(0, cells // 2 + 1)
    if generator.random() < 0.02:
        height, width, mines = (
            generator.choice((0, side, -1, 10**9)) for side in (height, width, mines)
        )
    if generator.random() < 0.02:
        codes[0] = generator.randrange(256)
    return height, width, mines, bytes(codes)


@cache
def kept_files() -> list[File]:
    """Return the example files that Python reads itself."""
    names = ("board.mbf", "board.txt", "game.json", "position.mine", "seed.txt")
    return [File(name, (FILES / name).read_bytes()) for name in names]


@cache
def kept_replays() -> list[File]:
    """Return the example replays; none without the package that reads them."""
    if find_spec("ms_toollib") is None:
        return []
    return [File(path.name, path.read_bytes()) for path in sorted(FILES.glob("game.?[vm][fv]"))]


def broken_file(generator: Random) -> File:
    """Return a file with a few changes; a board code may have its checksum put right again."""
    replays = kept_replays() if generator.random() < 0.02 else []  # Each needs its own process.
    name, content = generator.choice(replays or kept_files())
    for _ in range(generator.randrange(1, 5)):
        start = generator.randrange(len(content) + 1)
        end = start + generator.choice((0, 1, 1, 2, 9, len(content)))
        put = bytes(generator.choices((*b'0123456789-.,:x"[]{}aAnsobcfHF?*\n', 0, 255), k=3))
        content = content[:start] + put[: generator.randrange(4)] + content[end:]
    if name.endswith(".txt") and generator.random() < 0.7:
        code = content.decode("latin-1").strip()[:-4]
        content = with_checksum(code).encode("latin-1")
    return File(name, content)


# What must hold ----------------------------------------------------------------------------------


def try_case(case: Case, limit: Limit = LIMIT) -> type[SapperError] | None:
    """Run a case; return the type of its `SapperError`, if any. Other errors are not caught."""
    try:
        if isinstance(case.position, File):
            read_again(case.position)
            return None
        if isinstance(case.position, str):
            position = Position.parse(case.position, mines=case.mines)
        else:
            position = Position(*case.position)
        assert Position.parse(str(position)) == position, "what is printed is not what is read"
        ask(analyse(position, trust_flags=case.trust_flags, limit=limit), case.question)
    except SapperError as error:
        assert str(error), "an error says nothing"
        assert str(error).isprintable(), "an error could control a terminal"
        if not isinstance(error, InconsistentPosition):  # It names all conflicting numbers.
            assert len(str(error)) <= LONGEST_ERROR, "an error says too much"
        assert type(error) in OUTCOMES, f"{type(error)} is not about positions or files"
        return type(error)
    return None


def read_again(file: File) -> None:
    """Read a file, and check that its content is unchanged when written and read again."""
    name, content = file
    text = content.decode("latin-1")
    if name.endswith(".mbf"):
        data = game_to_mbf(game_from_mbf(content))
        assert game_to_mbf(game_from_mbf(data)) == data, "a board is not what was written"
    elif name.endswith(".mine"):
        position = position_from_mine(text)
        assert position_from_mine(position_to_mine(position)) == position, "nor is a position"
    elif name.startswith("game."):
        kind = name.partition(".")[2]
        record = record_from_json(text) if kind == "json" else read_replay(content, kind=kind)
        assert record_from_json(record_to_json(record)) == record, "nor is a game"
    else:
        assert board_code(game_from_code(text)) == text.strip(), "a board has two codes"


def ask(analysis: Analysis, question: int) -> None:
    """Read the risks of an analysis and one other property, selected by `question`."""
    risk = analysis.risk
    assert all(0 <= chance <= 1 for chance in risk.values()), "a chance is not from 0 to 1"
    match question:
        case 0:
            assert all(risk[cell] == 0 for cell in analysis.safe), "a safe cell is risky"
            assert all(risk[cell] == 1 for cell in analysis.mines), "a mine is not certain"
        case 1:
            assert analysis.layouts > 0, "there is no layout, but this was not said"
        case 2:
            best = analysis.best
            assert (best is None) == (analysis.mines == risk.keys()), "the best move is not there"
        case 3:
            assert analysis.dead <= risk.keys() - analysis.mines, "a dead cell cannot be safe"
        case 4:
            for cell in list(risk)[:2]:
                shown = sum(analysis.shows(cell).values())
                assert abs(shown - (1 - risk[cell])) < 1e-9, "the numbers are not as likely as the cell"


# Many cases --------------------------------------------------------------------------------------


class Tally:
    """The current case and the outcomes of a process, in memory shared with its parent."""

    def __init__(self) -> None:
        self._values: Array[c_uint64] = RawArray(c_uint64, 1 + len(OUTCOMES))

    @property
    def case(self) -> int:
        """The number of the case that is being tried."""
        return int(self._values[0])

    @property
    def outcomes(self) -> list[int]:
        """How many cases ended in each way."""
        return [int(count) for count in self._values[1:]]

    def run(self, cases: range, end: float) -> None:
        """Try one case after the other, until the time is up."""
        for number in cases:
            if time.monotonic() > end:
                break
            self._values[0] = number
            outcome = try_case(make_case(number))
            self._values[1 + OUTCOMES.index(outcome)] += 1


def wait(process: Process, tally: Tally) -> bool:
    """Wait for the process; return whether it succeeded and no case took too long."""
    seen = None
    while process.is_alive() and seen != tally.case:
        seen = tally.case
        process.join(PATIENCE)
    if process.is_alive():
        print(f"a case takes more than {PATIENCE:g} seconds")
        process.kill()
        process.join()
    return process.exitcode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long")
    parser.add_argument("--count", type=int, help="stop after so many cases")
    parser.add_argument("--first", type=int, help="the number of the first case: any, unless given")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    if options.count is None and options.seconds == float("inf"):
        parser.error("say --seconds or --count")
    first = secrets.randbits(40) if options.first is None else options.first
    last = first + (2**62 if options.count is None else options.count)
    start = time.monotonic()
    tallies = [Tally() for _ in range(options.processes)]
    processes = [
        Process(target=tally.run, args=(range(first + i, last, len(tallies)), start + options.seconds))
        for i, tally in enumerate(tallies)
    ]
    for process in processes:
        process.start()
    went_well = [wait(*each) for each in zip(processes, tallies, strict=True)]
    taken = time.monotonic() - start
    outcomes = [sum(counts) for counts in zip(*(tally.outcomes for tally in tallies), strict=True)]
    done = sum(outcomes)
    print(f"{done} cases from {first} on in {taken:.1f} s: {done / taken:.0f} a second")
    for outcome, count in zip(OUTCOMES, outcomes, strict=True):
        print(f"{count:10} {'a value' if outcome is None else outcome.__name__}")
    for passed, tally in zip(went_well, tallies, strict=True):
        if not passed:
            print(f"FAILED: case {tally.case} is {make_case(tally.case)}")
            print(f"Again: python -m tests.support.fuzz_python --first {tally.case} --count 1")
    return 0 if all(went_well) else 1


if __name__ == "__main__":
    sys.exit(main())
