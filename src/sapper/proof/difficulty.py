"""Difficulty: how hard the proofs are that a position or a game needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sapper.analysis import Budget, Limit, analyse_within
from sapper.errors import LimitReached, SapperError
from sapper.game.game import Game
from sapper.position import Cell, HasPosition, Position, position_of
from sapper.proof.facts import Kind
from sapper.proof.proof import Proof, explain_within
from sapper.text import plural

__all__ = ["Difficulty", "difficulty", "easiest_proof", "easiest_proof_within"]

LIMIT = Limit(seconds=60)
"""The default limit: a whole game needs hundreds of proofs."""


@dataclass(frozen=True)
class Difficulty:
    """How hard a position or a game is: the kinds of proofs that it needs."""

    kinds: Mapping[Kind, int]
    """The number of times that each kind was the easiest available."""
    guesses: int
    """The number of times that no cell was certainly safe."""
    score: int
    """The `Proof.difficulty` of the hardest proof; 0 if there was none."""

    @property
    def hardest(self) -> Kind | None:
        """The hardest kind of proof that is needed; None if none is."""
        return max(self.kinds, default=None)

    def __str__(self) -> str:
        parts = [f"{count} {kind}" for kind, count in sorted(self.kinds.items(), reverse=True)]
        if self.guesses:
            parts.insert(0, plural(self.guesses, "guess", "guesses"))
        return ", ".join(parts) or "nothing to prove"


def difficulty(of: Position | HasPosition, *, limit: Limit | None = None) -> Difficulty:
    """Return how hard a position is, or a whole game from its first click.

    For a position, only the easiest safe cell counts. A game is replayed from its first click, or from
    `game.first`: at each turn, all cells with proofs of the easiest kind are opened. If no cell is
    certainly safe, it counts a guess and opens the safe cell with the lowest risk.

    >>> grade = difficulty(Position.parse("# # # # / 1 2 2 1".replace(" / ", chr(10)), mines=2))
    >>> str(grade), grade.hardest, grade.score
    ('1 chain', <Kind.CHAIN: 3>, 22)
    >>> str(difficulty(Position.parse("# 1 #", mines=1)))
    '1 guess'
    """
    budget = Limit.given(limit, LIMIT).start()
    if isinstance(of, Game):
        return _of_game(of, budget)
    of = position_of(of)
    if len(of.hidden) == of.mines:
        return _grade([])
    return _grade([easiest_proof_within(of, budget)])


def easiest_proof(position: Position | HasPosition, *, limit: Limit | None = None) -> Proof | None:
    """Return the easiest proof of a safe cell that is found within the limit; None if no cell is safe.

    >>> easiest_proof(Position.parse("# 1 . #", mines=1)).cell
    (0, 3)
    """
    return easiest_proof_within(position_of(position), Limit.given(limit).start())


def easiest_proof_within(position: Position, budget: Budget) -> Proof | None:
    """Return the same as `easiest_proof`, within a budget that other work shares."""
    easiest: Proof | None = None
    for cell in sorted(analyse_within(position, budget.renew()).safe):
        try:
            proof = explain_within(position, cell, budget)
        except LimitReached:
            if easiest is None:
                raise
            break
        if easiest is None or proof.difficulty < easiest.difficulty:
            easiest = proof
        if easiest.difficulty == 0:
            break
    return easiest


def _look(position: Position, budget: Budget) -> tuple[Proof | None, list[Cell]]:
    """Return the easiest proof of a safe cell, and all safe cells with proofs of the same kind."""
    safe = sorted(analyse_within(position, budget.renew()).safe)
    proofs = [explain_within(position, cell, budget) for cell in safe]
    if not proofs:
        return None, []
    easiest = min(proofs, key=lambda proof: proof.difficulty)
    return easiest, [proof.cell for proof in proofs if proof.kind == easiest.kind]


def _grade(proofs: Sequence[Proof | None]) -> Difficulty:
    found = [proof for proof in proofs if proof is not None]
    score = max((proof.difficulty for proof in found), default=0)
    return Difficulty(Counter(proof.kind for proof in found), len(proofs) - len(found), score)


def _of_game(game: Game, budget: Budget) -> Difficulty:
    first = next((action.cell for action in game.actions if action.kind == "open"), game.first)
    if game.minefield is None or first is None:
        raise SapperError("the game has not begun: no cell has been opened")
    replay = Game(game.level, seed=game.seed, promise=game.promise, minefield=game.minefield)
    mines = game.minefield.mines
    proofs: list[Proof | None] = []
    cells = [first] if first not in mines else []
    while not replay.over:
        for cell in cells:
            if replay.position.is_hidden(cell) and not replay.over:
                replay.open(cell)
        if replay.over:
            break
        proof, cells = _look(replay.position, budget)
        proofs.append(proof)
        if proof is None:
            risk = analyse_within(replay.position, budget.renew()).risk
            cells = [min(risk.keys() - mines, key=lambda cell: (risk[cell], cell))]
    return _grade(proofs)
