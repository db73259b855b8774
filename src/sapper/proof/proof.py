"""Proofs: why a cell is safe or a mine, in steps that a person can follow and a program can check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from sapper.analysis import Budget, Limit, analyse_within
from sapper.caching import cached_property
from sapper.errors import BadPosition, LimitReached, NotCertain, SapperError, WrongProof
from sapper.position import Cell, HasPosition, Position, describe_cell, position_of
from sapper.proof.checker import check_proof
from sapper.proof.facts import Fact, Kind, Rule, bits
from sapper.proof.prover import Prover
from sapper.proof.steps import Step, walk
from sapper.proof.wording import describe, headline
from sapper.text import percent, plural, quoted

__all__ = ["Kind", "NotCertain", "Proof", "Rule", "Step", "WrongProof", "explain", "find_proof"]


class Marks(NamedTuple):
    """The cells that a proof, or one of its steps, marks on the board."""

    numbers: frozenset[Cell]
    """The numbers that it uses."""
    about: frozenset[Cell]
    """The cells that it is about."""
    safe: frozenset[Cell]
    """The cells that it proves safe."""
    mines: frozenset[Cell]
    """The cells that it proves to be mines."""


@dataclass(frozen=True, eq=False)
class Proof:
    """Why a cell is safe or a mine. Returned by `explain`.

    >>> explain(Position.parse("# 1 . .", mines=1), (0, 0))
    <Proof that row 1, column 1 is a mine: counting, 1 step>
    """

    position: Position
    cell: Cell
    verdict: str
    """`safe` or `mine`."""
    kind: Kind
    steps: tuple[Step, ...]

    @cached_property
    def numbers(self) -> frozenset[Cell]:
        """The open numbers that it uses."""
        return frozenset(step.number for step in self.every_step() if step.number is not None)

    @cached_property
    def uses_mine_count(self) -> bool:
        """Whether it uses the number of mines on the board."""
        return any(step.rule is Rule.MINE_COUNT for step in self.every_step())

    @property
    def difficulty(self) -> int:
        """A score: ten for each simpler kind, plus one for each number after the first, at most nine.

        >>> explain(Position.parse("# 1 . .", mines=1), (0, 0)).difficulty
        0
        """
        return 10 * (self.kind - 1) + min(max(len(self.numbers) - 1, 0), 9)

    def every_step(self) -> Iterator[Step]:
        """Yield all steps in order, each after the steps inside it."""
        return walk(self.steps)

    def __repr__(self) -> str:
        verdict = "a mine" if self.verdict == "mine" else self.verdict
        steps = plural(len(self.steps), "step")
        return f"<Proof that {describe_cell(self.cell)} is {verdict}: {self.kind}, {steps}>"

    def __str__(self) -> str:
        return "\n".join(
            [headline(self), *(line for step in self.steps for line in describe(step, self))]
        )

    def to_json(self) -> dict[str, Any]:
        """Return the proof as an object for `json.dumps`; docs/proofs.md documents its fields.

        >>> facts = explain(Position.parse("# 1 . .", mines=1), (0, 0)).to_json()
        >>> facts["verdict"], facts["kind"], facts["numbers"], facts["uses_mine_count"]
        ('mine', 'counting', [[0, 1]], False)
        """
        return {
            "cell": list(self.cell),
            "verdict": self.verdict,
            "kind": str(self.kind),
            "difficulty": self.difficulty,
            "numbers": sorted(map(list, self.numbers)),
            "uses_mine_count": self.uses_mine_count,
            "steps": [step.to_json() for step in self.steps],
            "text": str(self).splitlines(),
        }

    def svg(self, step: int | None = None) -> str:
        """Return an SVG picture of the position with the proof, or one step of it, marked.

        Steps are counted from 1.

        >>> explain(Position.parse("# 1 . .", mines=1), (0, 0)).svg(step=1).startswith("<svg ")
        True
        """
        from sapper.drawing.board import draw_marked

        title, marks = headline(self).rstrip(":"), self.marks(step)
        return draw_marked(self.position, title=title, target=self.cell, **marks._asdict())

    def marks(self, step: int | None = None) -> Marks:
        """Return the marks of the proof on the board, or those of one step, counted from 1.

        >>> explain(Position.parse("# 1 . .", mines=1), (0, 0)).marks().mines
        frozenset({(0, 0)})
        """
        if step is not None and not 1 <= step <= len(self.steps):
            steps = plural(len(self.steps), "step")
            raise SapperError(f"the proof has {steps}, so there is no step {step}")
        shown = self.steps if step is None else (self.steps[step - 1],)
        within = Proof(self.position, self.cell, self.verdict, self.kind, shown)
        used = [part for each in within.every_step() for part in (each, *each.since)]
        settled = [each for each in shown if not each.is_impossible]
        return Marks(
            frozenset(each.number for each in used if each.number is not None),
            _cells_of(each for each in used if each.rule is not Rule.MINE_COUNT),
            _cells_of(each for each in settled if each.is_safe),
            _cells_of(each for each in settled if each.is_mines),
        )

    def _repr_svg_(self) -> str:
        return self.svg()

    def check(self, position: Position) -> None:
        """Raise `WrongProof` unless this is a valid proof for the position.

        Every step must follow from earlier steps, the last step must state the verdict, and the kind
        must match the rules used. The position must be the proof's own, except for flags, which prove
        nothing. No other error is raised, whatever the proof contains.

        >>> proof = explain(Position.parse("# 1 . .", mines=1), (0, 0))
        >>> proof.check(proof.position)
        >>> proof.check(Position.parse("# 2 . .", mines=1))
        Traceback (most recent call last):
        sapper.errors.WrongProof: the proof is for another position
        """
        check_proof(self, position)


def _cells_of(steps: Iterable[Step]) -> frozenset[Cell]:
    return frozenset(cell for step in steps for cell in step.cells)


# Finding a proof ---------------------------------------------------------------------------------


def explain(position: Position | HasPosition, cell: Cell, *, limit: Limit | None = None) -> Proof:
    """Return a proof that a cell is safe or a mine: of the simplest kind, without unnecessary numbers.

    Flags are ignored. A cell that may be either raises `NotCertain`.

    >>> position = Position.parse("# # # # / 1 2 2 1".replace(" / ", chr(10)), mines=2)
    >>> print(explain(position, (0, 1)))
    Row 1, column 2 is a mine (subset):
    1. The 2 at row 2, column 3 says that exactly two of row 1, columns 2 to 4 are mines.
    2. The 1 at row 2, column 4 says that exactly one of row 1, columns 3 and 4 is a mine.
    3. Subtract step 2 from the 2 at row 2, column 3: row 1, column 2 is a mine.
    >>> explain(Position.parse("# 1 #", mines=1), (0, 0))
    Traceback (most recent call last):
    sapper.errors.NotCertain: row 1, column 1 may be safe or a mine: its risk is 50.0 %
    """
    return explain_within(position_of(position), cell, Limit.given(limit).start())


def explain_within(position: Position, cell: Cell, budget: Budget) -> Proof:
    """Return the same as `explain`, within a budget that other work shares."""
    if not position.is_hidden(cell):
        raise BadPosition(f"the cell at {describe_cell(cell)} is already open")
    analysis = analyse_within(position, budget.renew())
    if cell not in analysis.safe and cell not in analysis.mines:
        risk = analysis.risk[cell]
        about = "" if analysis.exact else "about "
        message = f"{describe_cell(cell)} may be safe or a mine: its risk is {about}{percent(risk)}"
        raise NotCertain(message, risk)
    verdict = "mine" if cell in analysis.mines else "safe"
    proof = find_proof(position, cell, verdict, budget=budget)
    if proof is None:
        raise LimitReached(f"no proof was found for {describe_cell(cell)} within the limit")
    return proof


def find_proof(
    position: Position | HasPosition,
    cell: Cell,
    verdict: str,
    *,
    most: Kind = Kind.MINE_COUNT,
    budget: Budget | None = None,
) -> Proof | None:
    """Return the simplest proof of a verdict; None if every proof is of a harder kind than `most`.

    >>> find_proof(Position.parse("# 1 #", mines=1), (0, 0), "safe") is None
    True
    """
    if verdict not in ("safe", "mine"):
        raise SapperError(f"a verdict is 'safe' or 'mine', not {quoted(verdict)}")
    position = position_of(position)
    if not position.is_hidden(cell):
        raise BadPosition(f"the cell at {describe_cell(cell)} is already open")
    prover = Prover(position, budget or Limit().start())
    try:
        found = prover.prove(cell, int(verdict == "mine"), most=most)
    except RecursionError:
        raise LimitReached("the proof has too many nested cases") from None
    if found is None:
        return None
    kind, fact = found
    return Proof(position, cell, verdict, kind, _Writer(position).steps_of(fact))


class _Writer:
    """Writes facts as steps: each after those it follows from, and inside the assumption it needs."""

    def __init__(self, position: Position) -> None:
        self._width = position.width
        self._written: dict[Fact, Step] = {}
        self._lines: list[list[Step]] = [[]]
        self._labels: list[str] = [""]
        self._supposed: list[Fact] = []

    def steps_of(self, fact: Fact) -> tuple[Step, ...]:
        """Return the steps that lead to a fact, ending with the fact itself."""
        # A stack of generators instead of recursion: a proof can have thousands of steps.
        running = [self._write(fact)]
        while running:
            needed = next(running[-1], None)
            if needed is None:
                running.pop()
            elif needed not in self._written:
                running.append(self._write(needed))
        return tuple(self._lines[0])

    def _write(self, fact: Fact) -> Iterator[Fact]:
        """Write a fact. Generates the facts that have to be written first."""
        if fact.rule is Rule.OPPOSITE:
            yield from self._write_opposite(fact)
            return
        yield from fact.since
        since = tuple(self._written[each] for each in fact.since)
        number = divmod(fact.number, self._width) if fact.rule is Rule.NUMBER else None
        self._put(fact, since, number, ())

    def _write_opposite(self, fact: Fact) -> Iterator[Fact]:
        supposed, impossible = fact.since
        for each in _in_order(impossible):  # Facts that do not depend on the assumption come first.
            if each.under.issubset(self._supposed):
                yield each
        depth = self._depth(fact)
        self._labels.append(f"{self._labels[depth]}{len(self._lines[depth]) + 1}.")
        self._lines.append([])
        self._supposed.append(supposed)
        self._put(supposed, (), None, ())
        yield impossible
        self._supposed.pop()
        self._labels.pop()
        self._put(fact, (), None, tuple(self._lines.pop()))

    def _depth(self, fact: Fact) -> int:
        """Return the depth of the innermost assumption that a fact depends on."""
        return max((at + 1 for at, each in enumerate(self._supposed) if each in fact.under), default=0)

    def _put(
        self, fact: Fact, since: tuple[Step, ...], number: Cell | None, steps: tuple[Step, ...]
    ) -> None:
        depth = self._depth(fact)
        line = self._lines[depth]
        label = f"{self._labels[depth]}{len(line) + 1}"
        cells = frozenset(divmod(bit.bit_length() - 1, self._width) for bit in bits(fact.mask))
        step = Step(label, fact.rule, cells, fact.low, fact.high, since, number, steps)
        line.append(step)
        self._written[fact] = step


def _in_order(fact: Fact) -> list[Fact]:
    """Return a fact and all facts it depends on, each after those that it follows from."""
    done: dict[Fact, None] = {}
    waiting = [(fact, iter(fact.since))]
    while waiting:
        each, before = waiting[-1]
        needed = next(before, None)
        if needed is None:
            done[each] = None
            waiting.pop()
        elif needed not in done:
            waiting.append((needed, iter(needed.since)))
    return list(done)
