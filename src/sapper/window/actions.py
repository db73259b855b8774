"""Actions: what keys and buttons do to a session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sapper.errors import SapperError
from sapper.formats.code import game_from_code, is_code_like
from sapper.session.session import Session
from sapper.session.start import Start
from sapper.window import clipboard
from sapper.window.screens import Destination

PLACES: Final = {
    "level": Destination.MENU,
    "help": Destination.HELP,
    "review": Destination.REVIEW,
    "statistics": Destination.STATISTICS,
    "settings": Destination.SETTINGS,
    "leave": Destination.HOME,
}
"""The actions that open another screen."""
FASTER: Final = 1.5
"""The factor by which one key press changes the autoplay speed."""
LONGEST_TROUBLE: Final = 300
"""The most characters of an error to show: it may quote a path."""


class Actions:
    """Performs the actions of keys and buttons, and returns the screen to show next."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._table: dict[str, Callable[[], object]] = {
            "ai": self._ai_move,
            "new": lambda: self._replace(session.reset),
            "reset": lambda: self._replace(session.reset),
            "again": lambda: self._replace(session.again),
            "undo": session.undo,
            "redo": session.redo,
            "hint": session.hint,
            "why": session.why,
            "next_step": lambda: session.step(1),
            "previous_step": lambda: session.step(-1),
            "heat": session.toggle_heat,
            "knowledge": session.toggle_knowledge,
            "autoplay": session.toggle_autoplay,
            "faster": lambda: self._change_speed(FASTER),
            "slower": lambda: self._change_speed(1 / FASTER),
            "agent": self._next_agent,
            "copy": self._copy,
            "paste": self._paste,
            "go_on": session.go_on,
        }

    def do(self, action: str) -> Destination:
        """Perform an action; show an error as the session's message."""
        if action in PLACES:
            return PLACES[action]
        try:
            self._table[action]()
        except SapperError as error:
            self.session.show_error(error)
        return Destination.STAY

    def load(self, source: str) -> None:
        """Open a file or a board code; show an error as the session's message."""
        self._begin(lambda: Start.load(source))

    def _begin(self, start: Callable[[], Start]) -> None:
        try:
            self.session.begin(start())
        except (SapperError, OSError) as error:
            # The error may begin with a file name, so its first letter stays as it is.
            trouble = str(error)
            if len(trouble) > LONGEST_TROUBLE:
                trouble = f"{trouble[:LONGEST_TROUBLE]}…"
            self.session.show_message(f"Could not open it: {trouble}.")

    def _ai_move(self) -> None:
        if self.session.is_examined:  # It may take long, or never answer.
            self.session.start_ai_move(_announce)
            return
        announcement = self.session.ai_move()
        if announcement is not None:
            _announce(announcement)

    def _replace(self, begin: Callable[[], None]) -> None:
        """Begin another board; if that interrupts a game, say how to return to it."""
        is_running = bool(self.session.game.actions) and not self.session.game.over
        begin()
        if is_running:
            self.session.add_message("Undo brings back the previous game.")

    def _change_speed(self, factor: float) -> None:
        self.session.set_speed(self.session.speed * factor)

    def _next_agent(self) -> None:
        names = self.session.agent_names
        place = names.index(self.session.agent_name) if self.session.agent_name in names else -1
        self.session.use_agent(names[(place + 1) % len(names)])

    def _copy(self) -> None:
        code = self.session.code
        copied = clipboard.write(code)
        if copied:
            self.session.show_message(f"Copied the board code: {code}.")
        else:
            self.session.show_message(f"No clipboard is available. The board code is {code}.")

    def _paste(self) -> None:
        text = clipboard.read()
        if text is None:
            self.session.show_message("No clipboard is available.")
        elif not text.strip():
            self.session.show_message("The clipboard contains no text.")
        elif not is_code_like(text):  # It is not a path either: a paste never reads a file.
            self.session.show_message("The clipboard contains no board code.")
        else:
            self._begin(lambda: Start.on(game_from_code(text)))


def _announce(announcement: str) -> None:
    print(announcement, flush=True)
