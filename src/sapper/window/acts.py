"""Acts: what the actions of the keys' table do to a session, wherever they come from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sapper.errors import SapperError
from sapper.session.session import SPEEDS, Session
from sapper.window import clipboard
from sapper.window.screens import Go

PLACES: Final = {
    "level": Go.MENU,
    "help": Go.HELP,
    "review": Go.REVIEW,
    "statistics": Go.STATISTICS,
    "settings": Go.SETTINGS,
    "leave": Go.LEAVE,
}
"""The actions that lead to another screen."""
FASTER: Final = 1.5
"""By how much autoplay gets faster."""
LONGEST_PASTE: Final = 1_000_000
"""The code of the largest board has some 200,000 letters."""
LONGEST_TROUBLE: Final = 300
"""How many letters of an error are shown: it may name a file, or quote what was pasted."""


class Acts:
    """Does what a player asks for by key or button, and says where the window goes then."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._table: dict[str, Callable[[], object]] = {
            "ai": self._ai_move,
            "new": session.reset,
            "reset": session.reset,
            "again": session.again,
            "undo": session.undo,
            "redo": session.redo,
            "hint": session.hint,
            "why": session.why,
            "next_step": lambda: session.step(1),
            "previous_step": lambda: session.step(-1),
            "heat": session.toggle_heat,
            "autoplay": session.toggle_autoplay,
            "faster": lambda: self._change_speed(FASTER),
            "slower": lambda: self._change_speed(1 / FASTER),
            "agent": self._next_agent,
            "copy": self._copy,
            "paste": self._paste,
            "go_on": session.go_on,
        }

    def do(self, action: str) -> Go:
        """Do what the action does; what it cannot do, the session's message says."""
        if action in PLACES:
            return PLACES[action]
        try:
            self._table[action]()
        except SapperError as error:
            self.session.message = sentence(error)
        return Go.STAY

    def load(self, source: str) -> None:
        """Go on with a file or the board of a code; what is wrong with it, the message says."""
        try:
            self.session.load(source)
        except (SapperError, OSError) as error:
            # The error may begin with a file's name, which is not to be changed.
            trouble = str(error)
            if len(trouble) > LONGEST_TROUBLE:
                trouble = f"{trouble[:LONGEST_TROUBLE]}…"
            self.session.message = f"Could not open it: {trouble}."

    def _ai_move(self) -> None:
        announcement = self.session.ai_move()
        if announcement is not None:
            print(announcement, flush=True)

    def _change_speed(self, factor: float) -> None:
        least, most = SPEEDS
        self.session.speed = min(max(least, self.session.speed * factor), most)

    def _next_agent(self) -> None:
        names = self.session.agent_names
        place = names.index(self.session.agent_name) if self.session.agent_name in names else -1
        self.session.use_agent(names[(place + 1) % len(names)])

    def _copy(self) -> None:
        code = self.session.code
        copied = clipboard.write(code)
        self.session.message = f"Copied the board code: {code}."
        if not copied:
            self.session.message = f"No clipboard is available. The board code is {code}."

    def _paste(self) -> None:
        text = clipboard.read()
        if text is None:
            self.session.message = "No clipboard is available."
        elif not text.strip():
            self.session.message = "The clipboard contains no text."
        elif len(text) > LONGEST_PASTE:
            self.session.message = "The text on the clipboard is too long for a board code or a path."
        else:
            self.load(text.strip())


def sentence(error: Exception) -> str:
    """Return an error's message as a sentence.

    >>> sentence(ValueError("no such board"))
    'No such board.'
    """
    text = str(error).strip().rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."
