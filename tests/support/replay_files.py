"""Replays as players' programs write them: the same game in each of their formats.

The layouts are those that ms-toollib reads; fields without a meaning here are zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, sin, sqrt
from typing import NamedTuple

from sapper.position import Cell

SIDE = 16
"""How many pixels a cell is wide and high."""


class Mouse(NamedTuple):
    """A button of the mouse went down or up over a cell: `lc`, `lr`, `rc`, `rr`, `mc` or `mr`."""

    at: float
    what: str
    cell: Cell

    @property
    def x(self) -> int:
        return self.cell[1] * SIDE + SIDE // 2

    @property
    def y(self) -> int:
        return self.cell[0] * SIDE + SIDE // 2


def avf(height: int, width: int, mines: Sequence[Cell], events: Sequence[Mouse]) -> bytes:
    """Return the replay as an `.avf` file, of the level `custom`."""
    codes = {"lc": 3, "lr": 5, "rc": 9, "rr": 17, "mc": 33, "mr": 65}
    data = bytearray([52, 0, 0, 0, 0, 6, width - 1, height - 1, *len(mines).to_bytes(2, "big")])
    for row, column in mines:
        data += bytes([row + 1, column + 1])
    data += bytes(20) + b"\x7f\0"  # No question marks.
    times = "16.11.2026.06:00:00:0000|16.06:01:00:0000"
    data += f"[3|W{width}H{height}M{len(mines)}|{times}|B9T9.99]".encode()
    data += bytes(5)
    for event in events:
        seconds, hundredths = divmod(round(100 * event.at), 100)
        (x_high, x_low), (y_high, y_low) = divmod(event.x, 256), divmod(event.y, 256)
        high, low = divmod(seconds + 1, 256)
        data += bytes([codes[event.what], x_high, low, x_low, hundredths, y_high, high, y_low])
    data += bytes(8) + b"cs=" + bytes(17)
    return bytes(data) + b"RealTime: 8.99\rSkin: none\rtester\rMinesweeper Arbiter 0.52.3. Copyright\r"


def evf(height: int, width: int, mines: Sequence[Cell], events: Sequence[Mouse]) -> bytes:
    """Return the replay as an `.evf` file of version 3."""
    codes = {"lc": 2, "lr": 3, "rc": 4, "rr": 5, "mc": 6, "mr": 7}
    data = bytes([3, 0x80, 0, height, width, *len(mines).to_bytes(2, "big"), SIDE])
    data += bytes(2 + 2) + round(1000 * events[-1].at).to_bytes(3, "big")
    data += b"test\0tester\0" + bytes(6)  # What is empty: race, number, times, country, machine.
    cells = [(i, j) in mines for i in range(height) for j in range(width)]
    cells += [False] * (-len(cells) % 8)
    data += bytes(
        sum(128 >> bit for bit in range(8) if cells[start + bit]) for start in range(0, len(cells), 8)
    )
    for event in events:
        data += bytes([codes[event.what], *round(1000 * event.at).to_bytes(3, "big")])
        data += event.x.to_bytes(2, "big") + event.y.to_bytes(2, "big")
    return data + b"\xff"


def rmv(height: int, width: int, mines: Sequence[Cell], events: Sequence[Mouse]) -> bytes:
    """Return the replay as an `.rmv` file, which begins when the first left click ends.

    Flags that were set before stand apart, without their times.
    """
    version, player, properties = b"Vienna Minesweeper - Test", b"\0\1\6tester", bytes([0, 0, 0, 3])
    board = bytes([width, height, *len(mines).to_bytes(2, "big")])
    board += b"".join(bytes([column, row]) for row, column in mines)
    codes = {"lc": 2, "lr": 3, "rc": 4, "rr": 5, "mc": 6, "mr": 7}
    begin = next(number for number, event in enumerate(events) if event.what == "lr")
    flagged = [event.cell for event in events[:begin] if event.what == "rc"]
    flags = len(flagged).to_bytes(2, "big") if flagged else b""
    flags += b"".join(bytes([column, row]) for row, column in flagged)
    moves = b""
    for event in events[begin:]:
        moves += bytes([codes[event.what], *round(1000 * event.at).to_bytes(3, "big"), 0])
        moves += (event.x + 12).to_bytes(2, "big") + (event.y + 56).to_bytes(2, "big")
    moves += bytes([16])  # The end.
    sizes = (3, len(version), len(player), len(board), len(flags), len(properties))
    data = b"*rmv" + (1).to_bytes(2, "big") + bytes(4)
    data += b"".join(size.to_bytes(2, "big") for size in sizes)
    data += len(moves).to_bytes(4, "big") + bytes(2) + b"\n" + b"# "
    return data + version + player + bytes(4) + board + flags + properties + moves


def mvf(height: int, width: int, mines: Sequence[Cell], events: Sequence[Mouse]) -> bytes:
    """Return the replay as an `.mvf` file of the version 0.97, whose events are mixed bit by bit."""
    data = b"\x11\x4d" + bytes(25) + b"5" + bytes(46)
    data += bytes([11, 16, *(2026).to_bytes(2, "big"), 6, 0, 0, 4, 1]) + bytes(3 + 10 + 1)
    data += bytes([width, height, *len(mines).to_bytes(2, "big")])
    data += b"".join(bytes([column + 1, row + 1]) for row, column in mines)
    key = 1234
    data += b"\6tester" + key.to_bytes(2, "big") + len(events).to_bytes(3, "big")
    places, pressed = _mixed_places(key), dict.fromkeys("rml", 0)
    for event in events:
        pressed[event.what[0]] = int(event.what[1] == "c")
        seconds, hundredths = divmod(round(100 * event.at), 100)
        fields = [(pressed[button], 1) for button in "rml"]
        fields += [(event.y, 9), (event.x, 9), (hundredths, 7), (seconds, 10)]
        bits = [value >> bit & 1 for value, length in fields for bit in range(length)]
        mixed = sum(1 << place for place, bit in zip(places, bits, strict=False) if bit)
        data += mixed.to_bytes(5, "little")
    return data


def _mixed_places(key: int) -> list[int]:
    """Return where the bits of an event are: in the order of the digits of some irrational numbers."""
    root, farther = sqrt(key), sqrt(key + 1000)
    deep = sqrt(root + 1000)
    numbers = (
        cos(deep + 1000),
        sin(sqrt(farther)),
        cos(deep),
        sin(sqrt(root) + 1000),
        cos(sqrt(farther + 1000)),
    )
    digits = "".join(f"{round(abs(number) * 10**8):08}" for number in numbers)
    return sorted(range(40), key=digits.__getitem__)


WRITERS = {"avf": avf, "evf": evf, "rmv": rmv, "mvf": mvf}
"""How each kind of replay is written."""
