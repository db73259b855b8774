"""The window: play with mouse and keyboard, or watch the AI play."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from types import ModuleType
from typing import cast

from sapper.formats.recorder import Recorder
from sapper.game.game import Game
from sapper.levels import Level, Promise
from sapper.profile.history import BoardKind, FinishedGame, History
from sapper.profile.settings import Settings
from sapper.session.background import BackgroundTasks
from sapper.session.play import Play
from sapper.session.session import AgentSource, Session
from sapper.session.start import Start
from sapper.window.choices import apply_settings

__all__ = ["NoDisplay", "run"]

_INVISIBLE_DRIVERS = ("dummy", "offscreen")
# pygame and pygame-ce install the same folder, so removing either one breaks the other. Reinstalling
# pygame-ce works whether it is missing, overwritten or damaged; pip would otherwise skip it.
_REPAIR = "pip install --force-reinstall --no-deps pygame-ce"
_ENVIRONMENT = {
    "PYGAME_HIDE_SUPPORT_PROMPT": "1",
    # Without this, Windows scales the window and blurs it.
    "SDL_WINDOWS_DPI_AWARENESS": "permonitorv2",
    # Linux desktops group and name windows by this.
    "SDL_VIDEO_X11_WMCLASS": "sapper",
    "SDL_VIDEO_WAYLAND_WMCLASS": "sapper",
}


class NoDisplay(RuntimeError):
    """No window can be opened; the message says why."""


def run(
    level: str | Level | Game = "course",
    *,
    seed: int | None = None,
    promise: str | Promise | None = None,
    agent: str | AgentSource = "logic",
    recorder: Callable[[Game], Recorder | None] | None = None,
    open: str | None = None,
    settings: Settings | None = None,
    first_run: bool = False,
    history: History | None = None,
    resume: bool = False,
    save: Callable[[Settings], str | None] = lambda _: None,
) -> None:
    """Open the window on a level or a game; return when the player closes it.

    `agent` makes the AI moves. `recorder` creates a recorder for each game. `open` is a file or a
    board code to open at once. `first_run` starts with the help page. `history` stores finished games
    and, without a `recorder`, the game in progress; `resume` continues that game. `save` stores changed
    settings and returns an error message if it fails, as `Settings.save` does.

    Raises `NoDisplay` if no window can be opened.
    """
    settings = Settings() if settings is None else settings
    if history is not None and recorder is None:
        recorder = partial(_record_unfinished, history)
    session = Session(
        level,
        seed=seed,
        promise=promise,
        agent=agent,
        recorder=recorder,
        on_end=(lambda _: None) if history is None else partial(_add_to_history, history),
        tasks=BackgroundTasks(threads=1),
    )
    _apply_settings(session, settings)
    if history is not None:
        unfinished = history.load_unfinished() if resume else None
        if unfinished is not None:
            session.begin(Start.resume(unfinished))
        if history.trouble is not None:
            session.add_message(f"{history.trouble}.")
    try:
        pygame = _start_pygame()
    except NoDisplay:
        session.close()
        raise
    try:
        from sapper.window.app import Window
        from sapper.window.theme import THEMES, Look

        look = Look(THEMES[settings.theme], settings.text_scale, settings.reduced_motion)
        try:
            window = Window(
                session,
                look=look,
                keys=settings.keys,
                first_run=first_run,
                history=history or (),
                save=save,
            )
        except pygame.error as reason:
            raise NoDisplay(f"no window could be opened: {reason}") from reason
        with closing(window):
            if open is not None:
                window.open(open)
            window.run()
    except KeyboardInterrupt:
        pass
    finally:
        session.close()
        _stop(pygame)


def _apply_settings(session: Session, settings: Settings) -> None:
    """Apply the player's settings; the course level keeps the course's AI."""
    course = session.game.level.course_rules
    apply_settings(session, replace(settings, agent=session.built_in_agent) if course else settings)
    for trouble in settings.trouble:
        session.add_message(f"Settings: {trouble}.")


def _record_unfinished(history: History, game: Game) -> Recorder | None:
    """Return a recorder for the game in progress; games by the course's rules are not recorded."""
    if game.level.course_rules:
        return None
    return history.recorder(game)


def _add_to_history(history: History, play: Play) -> None:
    """Add a finished game to the history; show a message if that fails."""
    if play.record is not None:
        kind = cast(BoardKind, play.kind)
        game = FinishedGame.of(play.record, kind=kind, helped=play.helped)
        if history.add(game) and history.is_recording(play.game):
            history.forget_unfinished()
    if history.trouble is not None:
        play.add_message(f"{history.trouble}.")


def _start_pygame() -> ModuleType:
    """Return pygame with its display and fonts initialised; raise `NoDisplay` if that fails."""
    wanted = os.environ.get("SDL_VIDEODRIVER", "")
    has_screen = sys.platform in ("win32", "darwin", "cygwin") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    if not has_screen and not wanted:
        raise NoDisplay("no display was found: neither DISPLAY nor WAYLAND_DISPLAY is set")
    pygame = _import_pygame()
    try:
        pygame.display.init()
        pygame.font.init()
    except pygame.error as reason:
        _stop(pygame)
        raise NoDisplay(f"no display was found: {reason}") from reason
    driver = pygame.display.get_driver()
    if driver in _INVISIBLE_DRIVERS and driver not in wanted.split(","):
        _stop(pygame)
        raise NoDisplay("no display was found: SDL could not open one")
    return pygame


def _import_pygame() -> ModuleType:
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    try:
        import pygame
    except ImportError as reason:
        trouble = "which is not installed"
        raise NoDisplay(f"the window needs pygame-ce, {trouble}; run: {_REPAIR}") from reason
    if not getattr(pygame, "IS_CE", False):
        trouble = "but pygame is installed in its place"
        raise NoDisplay(f"the window needs pygame-ce, {trouble}; run: {_REPAIR}")
    return pygame


def _stop(pygame: ModuleType) -> None:
    pygame.font.quit()
    pygame.display.quit()
