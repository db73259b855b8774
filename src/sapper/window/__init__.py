"""The window: play, or watch the AI play, with mouse and keyboard."""

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
from sapper.session.session import Session
from sapper.session.thinking import Thinker
from sapper.window.choices import settle

__all__ = ["NoDisplay", "run"]

_SHOWING_NOTHING = ("dummy", "offscreen")
_SETTINGS = {
    "PYGAME_HIDE_SUPPORT_PROMPT": "1",
    # Windows blurs a program that does not say that it draws sharply itself.
    "SDL_WINDOWS_DPI_AWARENESS": "permonitorv2",
    # What a Linux desktop groups and names windows by.
    "SDL_VIDEO_X11_WMCLASS": "sapper",
    "SDL_VIDEO_WAYLAND_WMCLASS": "sapper",
}


class NoDisplay(RuntimeError):
    """There is no window to be had; the message says why."""


def run(
    level: str | Level | Game = "course",
    *,
    seed: int | None = None,
    promise: str | Promise | None = None,
    recorder: Callable[[Game], Recorder | None] | None = None,
    open: str | None = None,
    settings: Settings | None = None,
    first_run: bool = False,
    history: History | None = None,
    resume: bool = False,
    save: Callable[[Settings], str | None] = lambda _: None,
) -> None:
    """Open the window on a level or a game, and return when the player leaves.

    A recorder is made for every game. `open` is a file or the code of a board to show at once;
    `first_run` begins with the page that explains it all. Finished games are kept in the history, and
    the one in progress, unless it is recorded elsewhere; with `resume` that is gone on with.
    Settings that the player changes are handed to `save`, which returns what did not work:
    `Settings.save` writes them into their file.

    Raises `NoDisplay` where no window can be shown.
    """
    settings = Settings() if settings is None else settings
    thinker = Thinker(threads=1)
    if history is not None and recorder is None:
        recorder = partial(_record_unfinished, history)
    session = Session(level, seed=seed, promise=promise, recorder=recorder, thinker=thinker)
    _settle(session, settings)
    if history is not None:
        session.on_end = partial(_keep, history)
        if resume and history.load_unfinished() is not None:
            session.load(history.unfinished_path)
        if history.trouble is not None:
            session.message += f" {history.trouble}."
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


def _settle(session: Session, settings: Settings) -> None:
    """Let the session be as the player likes it; the course's AI is the course's."""
    course = session.game.level.course_rules
    settle(session, replace(settings, agent=session.agent_name) if course else settings)
    troubles = (f"Settings: {trouble}." for trouble in settings.trouble)
    session.message = " ".join((session.message, *troubles))


def _record_unfinished(history: History, game: Game) -> Recorder | None:
    """Return what writes down the game in progress; those by the course's rules are not kept."""
    if game.level.course_rules:
        return None
    return history.recorder(game)


def _keep(history: History, session: Session) -> None:
    """Keep a game that has just ended; what does not work, the message says."""
    if session.record is not None:
        kind = cast(BoardKind, session.kind)
        game = FinishedGame.of(session.record, kind=kind, helped=session.helped)
        if history.add(game):
            history.forget_unfinished()
    if history.trouble is not None:
        session.message += f" {history.trouble}."


def _start_pygame() -> ModuleType:
    """Return pygame with a display and fonts; nothing is left started where there is no display."""
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
    if driver in _SHOWING_NOTHING and driver not in wanted.split(","):
        _stop(pygame)
        raise NoDisplay("no display was found: SDL could not open one")
    return pygame


def _import_pygame() -> ModuleType:
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    try:
        import pygame
    except ImportError as reason:
        hint = "pip install -r requirements.txt"
        raise NoDisplay(f"the window needs pygame-ce, which is not installed; run: {hint}") from reason
    if not getattr(pygame, "IS_CE", False):
        hint = "pip uninstall pygame, then: pip install -r requirements.txt"
        raise NoDisplay(f"the window needs pygame-ce, but the older pygame is installed; run: {hint}")
    return pygame


def _stop(pygame: ModuleType) -> None:
    pygame.font.quit()
    pygame.display.quit()
