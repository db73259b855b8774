"""A reviewed game: its moves, its accuracy and its luck, as text, as JSON or as a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from itertools import islice
from math import log10, prod
from typing import Any

from sapper.analysis import Limit
from sapper.arguments import integer
from sapper.caching import cached_property
from sapper.errors import LimitReached, SapperError
from sapper.game.game import Outcome
from sapper.game.record import Record
from sapper.position import Position
from sapper.proof.difficulty import easiest_proof, easiest_proof_within
from sapper.proof.proof import Proof
from sapper.reviews.labels import Label
from sapper.reviews.reviewed_move import ReviewedMove
from sapper.text import plural, quoted

_PROOF_LIMIT = Limit(seconds=2)
_ALL_PROOFS_LIMIT = Limit(seconds=10)


@dataclass(frozen=True, repr=False)
class Review:
    """The review of a game: what its moves were worth. Returned by `review`.

    >>> from sapper import Entry, Level, Promise, review
    >>> moves = (Entry(0.0, "open", (0, 2)), Entry(1.5, "open", (0, 3)))
    >>> found = review(Record(Level.named("4x1/1"), Promise.SAFE, frozenset({(0, 1)}), moves))
    >>> found
    <Review of 4x1/1: unfinished, 2 moves>
    >>> print(found.moves[1].label, found.moves[1].missed, found.moves[1].loss.chance)
    needless guess (0, 0) 1/2
    >>> print(found.position(2))
    4x1/1
    # # 1 #
    >>> found.proof(2).cell, list(found.proofs())
    ((0, 0), [2])
    >>> found.to_json()["labels"]
    {'first click': 1, 'needless guess': 1}
    >>> print(found)
    Unfinished after 1.5 s: 4x1/1, 2 moves.
    Accuracy 50.0 over 1 decision.
    ...
    """

    record: Record
    moves: tuple[ReviewedMove, ...]
    """All entries of the record, including those that opened nothing."""
    outcome: Outcome
    engine: str
    """`compiled` or `python`. The latter grades guesses by risk if it cannot solve the endgame."""
    notes: tuple[str, ...]
    """Sentences about limitations of this review."""

    def __repr__(self) -> str:
        moves = plural(len(self.line), "move")
        outcome = "unfinished" if self.outcome is Outcome.PLAYING else self.outcome.value
        return f"<Review of {self.record.level.name}: {outcome}, {moves}>"

    def __str__(self) -> str:
        from sapper.reviews.wording import game_words  # Imported here because it imports this module.

        return "\n".join(game_words(self))

    def _repr_html_(self) -> str:
        """Return the page in a frame for notebooks, or the text if there are too many moves."""
        try:
            page = self.html()
        except SapperError:
            return f"<pre>{escape(str(self))}</pre>"
        style = "width: 100%; height: 48em; border: 0"
        return f'<iframe srcdoc="{escape(page)}" style="{style}"></iframe>'

    @cached_property
    def line(self) -> tuple[ReviewedMove, ...]:
        """The moves that opened something and were not undone."""
        return tuple(move for move in self.moves if move.cells and not move.undone)

    @cached_property
    def labels(self) -> Mapping[Label, int]:
        """The number of moves with each label."""
        return Counter(move.label for move in self.moves if move.label is not None)

    @property
    def decisions(self) -> tuple[ReviewedMove, ...]:
        """The moves that were decisions: guesses where the cells differed in worth."""
        return tuple(move for move in self.moves if move.accuracy is not None)

    @property
    def accuracy(self) -> float | None:
        """The mean accuracy of the decisions, from 0 to 100; None if there were none."""
        kept = [move.accuracy for move in self.moves if move.accuracy is not None]
        return sum(kept) / len(kept) if kept else None

    @property
    def loss(self) -> float:
        """The total win probability lost by all moves, except undone moves."""
        return float(sum(move.loss.chance for move in self.line if move.loss is not None))

    @property
    def survived(self) -> float:
        """The probability of surviving the risks that were taken, except the one that lost the game."""
        risks = [move.risk for move in self.line if move.risk is not None and not move.lost]
        return float(prod(1 - risk for risk in risks))

    @property
    def luck(self) -> float:
        """The luck as players count it: the negative decimal logarithm of `survived`."""
        return -log10(self.survived) or 0.0

    @property
    def least_survival(self) -> float:
        """The probability of survival if every move of this game had taken the lowest risk."""
        return float(prod(1 - move.least_risk for move in self.line if move.least_risk is not None))

    @property
    def costliest(self) -> ReviewedMove | None:
        """The move that lost the most win probability; None if no move lost any."""
        lossy = [move for move in self.moves if move.loss is not None and move.loss.chance > 0]
        return max(lossy, key=lambda move: move.loss.chance if move.loss else 0, default=None)

    @property
    def unluckiest(self) -> ReviewedMove | None:
        """The move with the worst luck; None if no move had bad luck."""
        unlucky = [move for move in self.line if move.luck is not None and move.luck < 0]
        return min(unlucky, key=lambda move: move.luck or 0, default=None)

    @property
    def luckiest(self) -> ReviewedMove | None:
        """The move with the best luck; None if no move had good luck."""
        lucky = [move for move in self.line if move.luck is not None and move.luck > 0]
        return max(lucky, key=lambda move: move.luck or 0, default=None)

    def position(self, number: int) -> Position:
        """Return the position before this move, counted from 1."""
        if not 1 <= integer(number, "the number of a move") <= len(self.moves):
            moves = plural(len(self.moves), "move")
            raise SapperError(f"the game has {moves}, so there is no move {quoted(number)}")
        return next(islice(self.record.moments(), number - 1, None)).before

    def proof(self, number: int, *, limit: Limit | None = None) -> Proof | None:
        """Return the easiest proof of a safe cell that this move missed; None if it missed none.

        The proof is the easiest one found within the limit.
        """
        position, limit = self.position(number), Limit.given(limit, _PROOF_LIMIT)
        if self.moves[number - 1].missed is None:
            return None
        return easiest_proof(position, limit=limit)

    def proofs(self) -> dict[int, Proof]:
        """Return a proof for each move that missed a safe cell, by its number. The time is limited."""
        budget = _ALL_PROOFS_LIMIT.start()
        missed = [move.number for move in self.moves if move.missed is not None]
        proofs = {}
        for number in missed:
            with suppress(LimitReached):
                budget.check()
                own = _PROOF_LIMIT.start_within(budget)
                proof = easiest_proof_within(self.position(number), own)
                if proof is not None:
                    proofs[number] = proof
        return proofs

    def html(self) -> str:
        """Return the review as a self-contained HTML page: board, risks, moves, proofs and a plot."""
        from sapper.reviews.page import page_of  # Imported here because it imports this module.

        return page_of(self)

    def to_json(self) -> dict[str, Any]:
        """Return the review as an object for `json.dumps`. docs/review.md describes its keys."""
        record, proofs = self.record, self.proofs()
        return {
            "level": record.level.name,
            "size": record.level.size,
            "promise": record.promise.value,
            "seed": record.seed,
            "outcome": self.outcome.value,
            "seconds": record.seconds,
            "engine": self.engine,
            "notes": list(self.notes),
            "accuracy": self.accuracy,
            "decisions": len(self.decisions),
            "labels": {label.value: count for label, count in sorted(self.labels.items())},
            "loss": self.loss,
            "survived": self.survived,
            "luck": self.luck,
            "least_survival": self.least_survival,
            "costliest": self.costliest and self.costliest.number,
            "unluckiest": self.unluckiest and self.unluckiest.number,
            "luckiest": self.luckiest and self.luckiest.number,
            "moves": [
                move.to_json()
                | {"proof": str(proofs[move.number]).splitlines() if move.number in proofs else None}
                for move in self.moves
            ],
        }
