"""Makes the example files in tests/data/files, one of every format.

python tests/support/make_files.py
"""

from __future__ import annotations

from pathlib import Path

from sapper import Entry, Game, Level, Position, Promise, Record, board_code
from sapper.formats import game_to_mbf, position_to_mine, record_to_json
from tests.support.replay_files import WRITERS, Mouse

FILES = Path(__file__).parents[1] / "data" / "files"

BOARD = Game.on("6x6/3", [(0, 0), (2, 3), (5, 1)])
POSITION = Position.parse("4x4/3\n# # # #\n1 2 # #\n. 1 F #\n. 1 1 1")
MOUSE = (
    *(("lc", (0, 5)), ("lr", (0, 5))),  # Opens most of the board.
    *(("rc", (0, 0)), ("rr", (0, 0))),  # A flag.
    *(("lc", (0, 1)), ("lr", (0, 1))),  # A number: does nothing.
    *(("rc", (0, 1)), ("rr", (0, 1))),  # The same with the other button.
    *(("rc", (2, 3)), ("rr", (2, 3))),  # A flag that is removed and set again.
    *(("rc", (2, 3)), ("rr", (2, 3))),
    *(("rc", (2, 3)), ("rr", (2, 3))),
    *(("lc", (0, 0)), ("lr", (0, 0))),  # A flagged cell: does nothing.
    *(("rc", (1, 1)), ("lc", (1, 1)), ("lr", (1, 1)), ("rr", (1, 1))),  # A chord, right button first.
    *(("lc", (3, 3)), ("rc", (3, 3)), ("rr", (3, 3)), ("lr", (3, 3))),  # A chord without effect.
    *(("mc", (1, 2)), ("mr", (1, 2))),  # Another, with the middle button.
    *(("lc", (5, 0)), ("lr", (5, 0))),  # The last cell.
)
"""What a player does with the mouse on `BOARD`, a button every quarter of a second."""
GAME = Record(
    BOARD.level,
    Promise.NONE,
    frozenset({(0, 0), (2, 3), (5, 1)}),
    (
        Entry(0.0, "open", (0, 5)),
        Entry(0.25, "flag", (0, 0)),
        Entry(1.0, "click", (0, 1)),
        Entry(1.25, "click", (0, 1)),
        Entry(1.75, "flag", (2, 3)),
        Entry(2.25, "flag", (2, 3)),
        Entry(2.75, "flag", (2, 3)),
        Entry(3.5, "click", (0, 0)),
        Entry(4.25, "chord", (1, 1)),
        Entry(5.25, "click", (3, 3)),
        Entry(6.0, "click", (1, 2)),
        Entry(6.5, "open", (5, 0)),
    ),
)
"""The same as a record; a left click counts when its button goes up, a right one when it goes down."""


def made_files() -> dict[Path, bytes]:
    """Return the content of each file."""
    mines = sorted(GAME.mines)
    events = [Mouse(number / 4, what, cell) for number, (what, cell) in enumerate(MOUSE)]
    files = {
        "board.mbf": game_to_mbf(BOARD),
        "board.txt": f"{board_code(BOARD)}\n".encode(),
        "seed.txt": f"{board_code(Game.new(Level.named('course'), seed=7))}\n".encode(),
        "position.mine": position_to_mine(POSITION).encode(),
        "position.txt": f"{POSITION}\n".encode(),
        "game.json": record_to_json(GAME).encode(),
    }
    for kind, writer in WRITERS.items():
        files[f"game.{kind}"] = writer(BOARD.level.height, BOARD.level.width, mines, events)
    return {FILES / name: content for name, content in files.items()}


if __name__ == "__main__":
    for path, content in made_files().items():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
