"""The kept corpus of the fuzzers, written into tests/data: `python tests/support/make_corpus.py`.

`data/corpus` has positions as bytes for cpp/fuzz/engine.cpp, `data/positions` has positions as text for
`Position.parse`. The output is always the same. Files that it does not make are left alone: an input
that made a fuzzer fail is kept there under the name `found-...`.

The names of texts say how they end: `broken-...` is no position, `impossible-...` one that no minefield
can produce, and for `hard-...` the limit may be reached.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from sapper import FLAG, HIDDEN, Cell, Game, Position

DATA = Path(__file__).parents[1] / "data"
MUTE = 11


class Seed(NamedTuple):
    """A position for the engine: as a player sees it, but some opened cells may be mute."""

    height: int
    width: int
    mines: int
    codes: bytes
    trust_flags: bool = False

    @property
    def encoded(self) -> bytes:
        """The bytes that cpp/fuzz/engine.cpp decodes to this position."""
        sides = bytes([encoded_side(self.height), encoded_side(self.width)])
        return sides + self.mines.to_bytes(2, "little") + bytes([self.trust_flags]) + self.codes


def encoded_side(length: int) -> int:
    """Return the byte of a side: 1 to 24 cells, or a long one of 27, 30, 33, ... 198."""
    if length <= 24:
        return length - 1
    assert length in range(27, 199, 3), f"no byte stands for {length} cells"
    return 192 + (length - 9) // 3


# Played games ------------------------------------------------------------------------------------


def played(size: str, seed: int, opened: float) -> Game:
    """Return a game in which this share of the safe cells is opened, most beside those open before."""
    game = Game.new(size, seed=seed, promise="safe")
    height, width = game.level.height, game.level.width
    game.open((height // 2, width // 2))
    assert game.minefield is not None
    safe = [cell for cell in game.position if cell not in game.minefield.mines]
    generator = random.Random(seed)
    generator.shuffle(safe)
    while len(game.position.numbers) < opened * len(safe):
        hidden = [cell for cell in safe if game.position[cell] == HIDDEN]
        game.open(max(hidden[:8], key=lambda cell: open_around(game.position, cell)))
    return game


def open_around(position: Position, cell: Cell) -> int:
    """Return how many of the cells around this one are opened."""
    return sum(not position.is_hidden(near) for near in position.neighbours(cell))


def seed_of(position: Position, *, trust_flags: bool = False) -> Seed:
    return Seed(position.height, position.width, position.mines, position.codes, trust_flags)


def flagged(game: Game, *, wrong: int) -> Seed:
    """Return the position with every second mine flagged, and some cells that are none."""
    assert game.minefield is not None
    mines = sorted(game.minefield.mines)[::2]
    others = sorted(game.position.hidden - game.minefield.mines)[:wrong]
    codes = bytearray(game.position.codes)
    for row, column in [*mines, *others]:
        codes[row * game.level.width + column] = FLAG
    return seed_of(game.position)._replace(codes=bytes(codes), trust_flags=True)


def with_some(position: Position, code: int, every: int) -> Seed:
    """Return the position with every n-th opened cell changed to this code."""
    codes = bytearray(position.codes)
    opened = [place for place, each in enumerate(codes) if each < HIDDEN]
    for place in opened[::every]:
        codes[place] = code
    return seed_of(position)._replace(codes=bytes(codes))


# Patterns ----------------------------------------------------------------------------------------


def drawn(height: int, width: int, mines: int, code: Callable[[int, int], int]) -> Seed:
    """Return the position whose cells have the codes that the function gives for row and column."""
    codes = bytes(code(row, column) for row in range(height) for column in range(width))
    return Seed(height, width, mines, codes)


def seen_through(game: Game, is_open: Callable[[int, int], bool]) -> Seed:
    """Return the game with just those of its safe cells opened for which the function holds."""
    field = game.minefield
    assert field is not None

    def code(row: int, column: int) -> int:
        if (row, column) in field.mines or not is_open(row, column):
            return HIDDEN
        return field.nearby_mines((row, column))

    return drawn(game.level.height, game.level.width, game.level.mines, code)


def is_black(row: int, column: int) -> bool:
    return (row + column) % 2 == 0


def is_scattered(row: int, column: int) -> bool:
    return row % 2 == 0 and (column + row // 2) % 3 == 0


def striped(row: str, every: int, height: int, width: int, mines: int) -> Seed:
    """Return the position in which every n-th row repeats this one and the others are hidden."""
    codes = Position.parse(row, mines=0).codes
    return drawn(height, width, mines, lambda i, j: HIDDEN if i % every else codes[j % len(codes)])


# The corpus --------------------------------------------------------------------------------------


def engine_seeds() -> Iterator[tuple[str, Seed]]:
    """Generate the positions for the engine, with their names."""
    for name, size in (
        ("tiny", "5x4/4"),
        ("course", "8x8/8"),
        ("beginner", "9x9/10"),
        ("intermediate", "16x16/40"),
        ("expert", "30x16/99"),
    ):
        for percent in (20, 50, 85):
            game = played(size, seed=percent, opened=percent / 100)
            yield f"played-{name}-{percent}", seed_of(game.position)
    yield "played-dense-30", seed_of(played("12x12/70", seed=1, opened=0.3).position)
    yield "played-strip-50", seed_of(played("198x3/110", seed=2, opened=0.5).position)
    yield "played-tower-50", seed_of(played("2x150/60", seed=3, opened=0.5).position)
    yield "played-large-40", seed_of(played("60x24/250", seed=4, opened=0.4).position)

    game = played("16x16/40", seed=5, opened=0.5)
    yield "flags-right", flagged(game, wrong=0)
    yield "flags-wrong", flagged(game, wrong=3)
    yield "flags-only", drawn(4, 6, 24, lambda *_: FLAG)._replace(trust_flags=True)
    yield "mute-some", with_some(game.position, MUTE, every=3)
    yield "mute-all", drawn(5, 5, 3, lambda row, _: MUTE if row else HIDDEN)
    yield "lies", with_some(game.position, 3, every=40)

    yield "checkerboard-small", seen_through(played("9x9/10", seed=6, opened=0), is_black)
    yield "checkerboard-large", seen_through(played("24x24/100", seed=7, opened=0), is_black)
    yield "checkerboard-long", seen_through(played("99x24/400", seed=8, opened=0), is_black)
    yield "scattered-small", seen_through(played("9x9/15", seed=9, opened=0), is_scattered)
    yield "scattered-large", seen_through(played("24x24/120", seed=10, opened=0), is_scattered)
    yield "scattered-long", seen_through(played("198x24/900", seed=11, opened=0), is_scattered)
    yield "ones-scattered", drawn(12, 12, 20, lambda i, j: 1 if is_scattered(i, j) else HIDDEN)

    # The fewest and the most mines that fit, which rounding might call impossible.
    yield "row-fewest", striped("#1#1##", 1, 1, 198, mines=33)
    yield "row-most", striped("#1#1##", 1, 1, 198, mines=99)
    yield "stripes-fewest", striped("#3#3#", 3, 24, 195, mines=975)
    yield "stripes-most", striped("#1#1##", 4, 24, 198, mines=2343)
    yield "column-of-ones", drawn(198, 1, 49, lambda row, _: 1 if row % 2 else HIDDEN)

    for name, mines in (("none", 0), ("few", 7), ("all", 24 * 24)):
        yield f"hidden-{name}", drawn(24, 24, mines, lambda *_: HIDDEN)
    yield "opened-empty", drawn(7, 9, 0, lambda *_: 0)
    yield "opened-ones", drawn(7, 9, 3, lambda *_: 1)
    yield "opened-mines", drawn(3, 3, 9, lambda row, column: 8 if row == column == 1 else HIDDEN)
    yield "contradiction-pair", seed_of(Position.parse("# # #\n1 . .\n# # #", mines=1))
    yield "contradiction-mines", seed_of(Position.parse("# 1 # # 1 #", mines=5))


def text_seeds() -> Iterator[tuple[str, str]]:
    """Generate the texts for the parser, with their names, which say what they are."""
    yield "one-cell", "1x1/0\n#"
    yield "two-cells", "2x1/1\n1 #"
    yield "packed", "4x2/2\n##1.\nF21."
    yield "spaced", "\n\n   4x2/2  \n\n  # # 1 .\n\tF\t2 1 .  \n\n"
    yield "size-with-spaces", "4 X 1 / 2\n# # 1 0"
    yield "windows-lines", "3x2/1\r\n# # #\r\n1 1 1\r\n"
    yield "other-line-ends", "3x2/1\x0c# # #\u20281 1 1\x85"
    yield "all-flags", "3x2/6\nF F F\nF F F"
    yield "won", "3x3/1\n# 1 .\n1 1 .\n. . ."
    for name, size, opened in (
        ("tiny", "4x3/2", 0.4),
        ("course", "8x8/8", 0.5),
        ("dense", "7x5/15", 0.6),
        ("tower", "2x26/9", 0.4),
    ):
        yield f"played-{name}", str(played(size, seed=1, opened=opened).position)
    hard = seen_through(played("16x16/50", seed=2, opened=0), is_black)
    yield "hard-checkerboard", str(Position(hard.height, hard.width, hard.mines, hard.codes))
    yield "impossible-number", "3x1/2\n# 3 #"
    yield "impossible-pair", "3x3/1\n# # #\n1 . .\n# # #"
    yield "impossible-few-mines", "5x1/1\n# 2 # # #"
    yield "impossible-many-mines", "6x1/5\n# 1 # # 1 #"
    yield "impossible-opened", "3x2/1\n. . .\n. . ."
    yield "broken-empty", ""
    yield "broken-blank", " \n\t\n \r\n"
    yield "broken-size-only", "3x1/1\n"
    yield "broken-no-size", "# # #\n1 1 1"
    yield "broken-ragged", "3x2/1\n# # #\n1 1"
    yield "broken-symbol", "3x1/1\n# ? #"
    yield "broken-nine", "3x1/1\n# 9 #"
    yield "broken-size", "3x3/1\n# # #\n1 1 1"
    yield "broken-size-swapped", "2x3/1\n# # #\n1 1 1"
    yield "broken-too-many-mines", "3x1/4\n# # #"
    yield "broken-huge-size", "999999999x999999999/999999999\n#"
    yield "broken-size-beyond-reading", f"{'9' * 5000}x1/1\n#"
    yield "broken-wide-digits", "\uff13x\uff11/\uff11\n# # #"
    yield "broken-negative", "3x1/-1\n# # #"
    yield "broken-byte-order-mark", "\ufeff3x1/1\n# # #"
    yield "broken-nulls", "3x1/1\n\0\0\0"
    yield "broken-letters", "3x1/1\n\u00e9\u4e16\U0001f4a3"


def made_files() -> dict[Path, bytes]:
    """Return what is in every file of the corpus."""
    files = {DATA / "corpus" / name: seed.encoded for name, seed in engine_seeds()}
    files |= {
        DATA / "corpus" / "no-bytes": b"",
        DATA / "corpus" / "few-bytes": bytes([3, 4, 5]),
        DATA / "corpus" / "any-bytes": random.Random(1).randbytes(200),
    }
    files |= {DATA / "positions" / f"{name}.txt": text.encode() for name, text in text_seeds()}
    return files


def main() -> None:
    files = made_files()
    for path, content in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    print(f"{len(files)} files in {DATA}")


if __name__ == "__main__":
    main()
