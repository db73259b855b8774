"""Board codes: a board as a short text that can be pasted into a chat or a URL.

    a9x9-10.o.sBw.f4-4.pUk

A code consists of a version letter and `WIDTHxHEIGHT-MINES`; the promise (`n`, `s` or `o`, preceded by
`c` for the course's rules); the minefield; the first click, if the board was made for one; and a
checksum. The minefield is `s` and its seed, or `n` and the number of its layout among all layouts with
this many mines, or on large boards `b` and one bit per cell. Numbers and bits are in base64url.

The checksum is the CRC-16 of everything before it. It detects every change of one character or of two
adjacent ones, since a 16-bit CRC detects all changes within 16 bits.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import crc_hqx
from collections.abc import Collection, Sequence
from math import comb
from typing import Final

from sapper.errors import BadCode, SapperError
from sapper.game.game import Game, draw_minefield
from sapper.levels import Level, Promise
from sapper.position import Cell, describe_cell

VERSION: Final = "a"
_PROMISES: Final = {promise.value[0]: promise for promise in Promise}
_MOST_CELLS_NUMBERED: Final = 4096
"""On larger boards, computing the number of a layout takes too long."""
_LONGEST: Final = 200_000
"""More characters than any board code has."""
_CHECK: Final = 4  # A point, and three letters.
_CODE: Final = re.compile(
    r"(\d{1,4})x(\d{1,4})-(\d{1,7})"  # Width, height, mines.
    r"\.(c?)([nso])"
    r"\.([snb])([A-Za-z0-9_-]+)"
    r"(?:\.f(\d{1,4})-(\d{1,4}))?",
    re.ASCII,
)


def board_code(game: Game) -> str:
    """Return the code of a game's board.

    The code of a board drawn from a seed contains the seed and, once the mines are placed, the first
    click, so that the code identifies the minefield. It contains no other moves.

    >>> game = Game.new("beginner", seed=7)
    >>> board_code(game)
    'a9x9-10.o.sBw.0yI'
    >>> opened = game.open((4, 4))
    >>> board_code(game)
    'a9x9-10.o.sBw.f4-4.pUk'
    >>> board_code(Game.on("3x2/1", [(0, 2)]))
    'a3x2-1.n.nAg.jIM'
    """
    level, first = game.level, game.first
    if _is_from_seed(game):
        assert game.seed is not None
        first, minefield = _click(game), "s" + _encode(_bytes(game.seed))
    else:
        assert game.minefield is not None
        indices = sorted(row * level.width + column for row, column in game.minefield.mines)
        if level.height * level.width <= _MOST_CELLS_NUMBERED:
            minefield = "n" + _encode(_bytes(_rank(indices)))
        else:
            minefield = "b" + _encode(_bits(indices, level.height * level.width))
    rules = ("c" if level.course_rules else "") + game.promise.value[0]
    parts = [f"{VERSION}{level.width}x{level.height}-{level.mines}", rules, minefield]
    if first is not None:
        parts.append(f"f{first[0]}-{first[1]}")
    body = ".".join(parts)
    return body + _check(body)


def is_code_like(text: str) -> bool:
    """Return whether a text looks like a board code, valid or not.

    >>> is_code_like("a9x9-10.o.sBw.f4-5.pUk"), is_code_like("board.mbf")
    (True, False)
    """
    return re.match(rf"\s*{VERSION}\d+x\d+-\d+\.", text, re.ASCII) is not None


def game_from_code(text: str) -> Game:
    """Return a new game on the board of a code.

    >>> game = game_from_code("a9x9-10.o.sBw.f4-4.pUk")
    >>> game.seed, game.first, len(game.open(game.first)) > 8
    (7, (4, 4), True)
    >>> game_from_code("a9x9-10.o.sBw.f4-5.pUk")
    Traceback (most recent call last):
    sapper.errors.BadCode: the checksum of the board code is wrong: ...
    """
    code = text.strip()
    if not code:
        raise BadCode("the board code is empty")
    if len(code) > _LONGEST:
        raise BadCode(f"a board code has at most {_LONGEST:,} characters, not {len(code):,}")
    if not code.startswith(VERSION):
        raise BadCode(f"board codes start with {VERSION!r}, not {code[0]!r}")
    body = code[:-_CHECK]
    if not code.isascii() or _check(body) != code[-_CHECK:]:
        raise BadCode("the checksum of the board code is wrong: a character was mistyped or lost")
    match = _CODE.fullmatch(body[len(VERSION) :])
    if match is None:
        raise BadCode("the text is not a board code, although its checksum is correct")
    try:
        game = _game(match)
    except BadCode:
        raise
    except SapperError as error:
        raise BadCode(f"there is no such board: {error}") from error
    if board_code(game) != code:  # It has leading zeros, say: each board has one code.
        raise BadCode(f"the board code is not in its standard form, which is {board_code(game)[:100]}")
    return game


def _game(match: re.Match[str]) -> Game:
    """Return the game described by the parts of a code."""
    width, height, mines = map(int, match.group(1, 2, 3))
    level = Level.of_size(height, width, mines, course_rules=match[4] == "c")
    promise = _PROMISES[match[5]]
    level.check_promise(promise)
    first = None if match[8] is None else (int(match[8]), int(match[9]))
    data = _decode(match[7])
    if match[6] == "s":
        if len(data) > 8:
            raise BadCode("the seed is larger than 2**64 - 1")
        seed = int.from_bytes(data, "big")
        game = Game.new(level, seed=seed, promise=promise)
        if first is None:
            return game
        if first not in game.position:
            raise BadCode(f"the first click, {describe_cell(first)}, is outside the board")
        field = draw_minefield(level, first=first, promise=promise, seed=seed)
        return Game(level, seed=seed, promise=promise, minefield=field, first=first)
    indices = (
        _unrank(data, height * width, mines) if match[6] == "n" else _indices(data, height * width)
    )
    game = Game.on(level, [divmod(index, width) for index in indices], first=first)
    game.promise = promise
    return game


def _click(game: Game) -> Cell | None:
    """Return the first click for which the mines were placed; None if there is none."""
    if game.first is not None or game.minefield is None or game.promise is Promise.NONE:
        return game.first
    return next((action.cell for action in game.actions if action.kind == "open"), None)


def _is_from_seed(game: Game) -> bool:
    """Return whether the seed determines the minefield."""
    if game.seed is None or game.minefield is None:
        return game.minefield is None
    first = _click(game)
    if first is None and game.promise is not Promise.NONE:
        return False
    drawn = draw_minefield(game.level, first=first, promise=game.promise, seed=game.seed)
    return drawn.mines == game.minefield.mines


# Numbers and bits ----------------------------------------------------------------------------


def _check(body: str) -> str:
    return "." + _encode(crc_hqx(body.encode(), 0xFFFF).to_bytes(2, "big"))


def _encode(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _decode(letters: str) -> bytes:
    if len(letters) % 4 == 1:
        raise BadCode(f"{len(letters)} letters are not a whole number of bytes")
    return urlsafe_b64decode(letters + "=" * (-len(letters) % 4))


def _bytes(number: int) -> bytes:
    return number.to_bytes(max(1, (number.bit_length() + 7) // 8), "big")


def _bits(indices: Collection[int], cells: int) -> bytes:
    """Return a bit for each cell, row by row, the highest bit of a byte first."""
    bits = bytearray((cells + 7) // 8)
    for index in indices:
        bits[index // 8] |= 128 >> index % 8
    return bytes(bits)


def _indices(bits: bytes, cells: int) -> list[int]:
    if len(bits) != (cells + 7) // 8:
        raise BadCode(f"a board with {cells:,} cells cannot have a minefield of {8 * len(bits):,} bits")
    return [index for index in range(cells) if bits[index // 8] & 128 >> index % 8]


def _rank(indices: Sequence[int]) -> int:
    """Return the number of a layout among those with as many mines (combinatorial number system)."""
    return sum(comb(index, count) for count, index in enumerate(indices, start=1))


def _unrank(data: bytes, cells: int, mines: int) -> list[int]:
    """Return the mines of the layout with this number, from the last cell to the first."""
    if cells > _MOST_CELLS_NUMBERED:
        raise BadCode(f"the minefield of a board with {cells:,} cells cannot be written as a number")
    number, layouts = int.from_bytes(data, "big"), comb(cells, mines)
    if number >= layouts:
        raise BadCode("the number of the layout is too large")
    indices = []
    index, below = cells, layouts  # `below` layouts have all their mines before `index`.
    while mines:
        below = below * (index - mines) // index
        index -= 1
        if below <= number:  # The highest mine left is here.
            number -= below
            indices.append(index)
            # If every remaining cell is a mine, there is only one layout.
            below = below * mines // (index - mines + 1) if below else 1
            mines -= 1
    return indices
