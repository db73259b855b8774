"""Choices: what a player wants of the next boards, besides their size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sapper.levels import Level, Promise
from sapper.profile.settings import Settings
from sapper.proof.proof import Kind
from sapper.session.session import SPEEDS, Session

USUAL: Final = "default"
NEEDED, NEVER = "may be needed", "never needed"
ANY: Final = "any"
VALUES: Final = {
    "promise": (USUAL, *(promise.value for promise in Promise)),
    "guesses": (NEEDED, NEVER),
    "difficulty": (ANY, *(str(kind) for kind in Kind)),
}
"""What can be chosen, by name."""
LABELS: Final = {
    "promise": "first click",
    "guesses": "guesses",
    "difficulty": "hardest proof",
}
"""What the menu calls them."""


@dataclass
class Choices:
    """What is promised to the first click, whether guesses may be needed, and how hard proofs are.

    >>> choices = Choices()
    >>> choices.change("difficulty", 1)
    >>> choices.difficulty, choices.guesses
    ('counting', 'never needed')
    """

    promise: str = USUAL
    guesses: str = NEEDED
    difficulty: str = ANY

    def change(self, name: str, step: int) -> None:
        """Go to the next value, or the one before. Only boards that need no guess have a difficulty."""
        values = VALUES[name]
        place = values.index(getattr(self, name)) + step
        setattr(self, name, values[place % len(values)])
        if name == "difficulty" and self.difficulty != ANY:
            self.guesses = NEVER
        elif self.guesses == NEEDED:
            self.difficulty = ANY

    def begin(self, session: Session, level: Level) -> None:
        """Begin a board of this level; raises `SapperError` if there is none such.

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


def settle(session: Session, settings: Settings) -> None:
    """Let the session be as the player likes it.

    >>> session = Session("beginner", seed=1)
    >>> settle(session, Settings(agent="safest", question_marks=True))
    >>> session.agent_name, session.question_marks, session.speed
    ('safest', True, 2.0)
    """
    session.question_marks = settings.question_marks
    session.speed = min(max(SPEEDS[0], settings.autoplay_speed), SPEEDS[1])
    if settings.agent in session.agent_names and settings.agent != session.agent_name:
        message = session.message
        session.use_agent(settings.agent)
        session.message = message
