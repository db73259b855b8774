"""Choices: the options for new boards in the menu, besides their size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sapper.levels import Level, Promise
from sapper.profile.settings import Settings
from sapper.proof.proof import Kind
from sapper.session.session import Session

USUAL: Final = "default"
NEEDED, NEVER = "may be needed", "never needed"
ANY: Final = "any"
VALUES: Final = {
    "promise": (USUAL, *(promise.value for promise in Promise)),
    "guesses": (NEEDED, NEVER),
    "difficulty": (ANY, *(str(kind) for kind in Kind)),
}
"""The values of each option."""
LABELS: Final = {
    "promise": "first click",
    "guesses": "guesses",
    "difficulty": "hardest proof",
}
"""The labels of the options in the menu."""


@dataclass
class Choices:
    """The promise for the first click, whether guesses may be needed, and the hardest proof.

    >>> choices = Choices()
    >>> choices.change("difficulty", 1)
    >>> choices.difficulty, choices.guesses
    ('counting', 'never needed')
    """

    promise: str = USUAL
    guesses: str = NEEDED
    difficulty: str = ANY

    def change(self, name: str, step: int) -> None:
        """Change an option to its next or previous value. Only no-guess boards have a difficulty."""
        values = VALUES[name]
        place = values.index(getattr(self, name)) + step
        setattr(self, name, values[place % len(values)])
        if name == "difficulty" and self.difficulty != ANY:
            self.guesses = NEVER
        elif self.guesses == NEEDED:
            self.difficulty = ANY

    def begin(self, session: Session, level: Level) -> None:
        """Begin a board of this level; raise `SapperError` if that is impossible.

        >>> session = Session("beginner", seed=1)
        >>> Choices(promise="none").begin(session, Level.named("expert"))
        >>> session.game.promise
        <Promise.NONE: 'none'>
        """
        if self == Choices():
            session.reset(level)
            return
        session.new(
            level,
            promise=None if self.promise == USUAL else self.promise,
            no_guess=self.guesses == NEVER,
            difficulty=None if self.difficulty == ANY else self.difficulty,
        )


def apply_settings(session: Session, settings: Settings) -> None:
    """Apply the player's settings to a session.

    >>> session = Session("beginner", seed=1)
    >>> apply_settings(session, Settings(agent="safest", question_marks=True))
    >>> session.agent_name, session.question_marks, session.speed
    ('safest', True, 2.0)
    """
    session.use_question_marks(settings.question_marks)
    session.use_strict_chords(settings.strict_chords)
    session.set_speed(settings.autoplay_speed)
    if settings.agent in session.agent_names and settings.agent != session.agent_name:
        message = session.message
        session.use_agent(settings.agent)
        session.show_message(message)
