"""Tracing: every inference of the course's agent while it plays a game."""

from __future__ import annotations

from itertools import count as count_from
from typing import Any

from sapper.agents.logic import Logic
from sapper.game.game import Game
from sapper.minesweeper import Sentence
from sapper.position import Cell, Position

Event = dict[str, Any]


class Tracer:
    """Repeats the agent's reasoning one inference at a time, and records each as an event.

    Each sentence has a number, which it keeps when cells are removed from it. Events are `add` for a
    new sentence and the two that it follows from, `settle` for a sentence that makes its cells certain,
    `mark` for a cell that is safe or a mine, and `drop` for a sentence that says the same as another.
    A marked cell is removed from every sentence.

    >>> tracer = Tracer()
    >>> tracer.learn((0, 0), 1, around={(0, 1)})
    >>> [event["do"] for event in tracer.events]
    ['mark', 'add', 'settle', 'mark']
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.mines: set[Cell] = set()
        self.safes: set[Cell] = set()
        self.sentences: dict[int, Sentence] = {}
        self._next = count_from(1)
        self._to_compare: dict[int, None] = {}  # Numbers of sentences that are new or have changed.

    def learn(self, cell: Cell, count: int, *, around: set[Cell]) -> None:
        """Learn that a cell shows a number, and everything that follows."""
        self._mark(cell, is_mine=False)
        unknown = around - self.mines - self.safes
        self._add(Sentence(unknown, count - len(around & self.mines)), since=[])
        while self._settle() or self._compare():
            pass

    def _mark(self, cell: Cell, *, is_mine: bool) -> None:
        if cell in self.mines or cell in self.safes:
            return
        (self.mines if is_mine else self.safes).add(cell)
        self.events.append({"do": "mark", "cell": list(cell), "as": "mine" if is_mine else "safe"})
        for number, sentence in list(self.sentences.items()):
            if cell in sentence.cells:
                (sentence.mark_mine if is_mine else sentence.mark_safe)(cell)
                if not sentence.cells:
                    self._remove(number)
                elif self._find(sentence) != number:
                    self.events.append({"do": "drop", "number": number})
                    self._remove(number)
                else:
                    self._to_compare[number] = None

    def _add(self, sentence: Sentence, since: list[int]) -> None:
        if not sentence.cells or self._find(sentence) is not None:
            return
        number = next(self._next)
        self.sentences[number] = sentence
        self._to_compare[number] = None
        self.events.append(
            {
                "do": "add",
                "number": number,
                "cells": sorted(map(list, sentence.cells)),
                "count": sentence.count,
                "since": since,
            }
        )

    def _find(self, wanted: Sentence) -> int | None:
        """Return the number of the first sentence that says the same."""
        same = (number for number, sentence in self.sentences.items() if sentence == wanted)
        return next(same, None)

    def _remove(self, number: int) -> None:
        del self.sentences[number]
        self._to_compare.pop(number, None)

    def _settle(self) -> bool:
        """Mark the cells of one sentence that makes them certain; return whether there was one."""
        for number in self._to_compare:
            sentence = self.sentences[number]
            mines, safes = sentence.known_mines(), sentence.known_safes()
            if mines or safes:
                self.events.append({"do": "settle", "number": number})
                for cell in sorted(mines | safes):
                    self._mark(cell, is_mine=bool(mines))
                return True
        return False

    def _compare(self) -> bool:
        """Compare one changed sentence with all others; return whether there was one."""
        if not self._to_compare:
            return False
        number, _ = self._to_compare.popitem()
        one = self.sentences[number]
        for other_number, other in list(self.sentences.items()):
            if one.cells < other.cells:
                self._subtract(other_number, number)
            elif other.cells < one.cells:
                self._subtract(number, other_number)
        return True

    def _subtract(self, whole_number: int, part_number: int) -> None:
        whole, part = self.sentences[whole_number], self.sentences[part_number]
        rest = Sentence(whole.cells - part.cells, whole.count - part.count)
        self._add(rest, since=[whole_number, part_number])


def trace(game: Game, *, seed: int | None = None) -> list[Event]:
    """Let the course's agent play a game to the end; return all its moves and inferences, in order.

    >>> events = trace(Game.new("course", seed=7), seed=1)
    >>> sorted({event["do"] for event in events})
    ['add', 'drop', 'end', 'mark', 'open', 'settle']
    """
    tracer, agent = Tracer(), Logic(seed=seed)
    opened: set[Cell] = set()
    while not game.over:
        safe = min(tracer.safes - opened, default=None)
        cell = safe if safe is not None else None if game.begun else game.first
        if cell is None:
            choice = agent.decide(game.position)
            if choice is None:
                for mine in sorted(tracer.mines - game.flags):
                    if not game.over:
                        game.flag(mine)
                break
            cell = choice.cell
        shown = game.open(cell)
        _open(tracer, cell, known=safe is not None, mine=cell in game.exploded)
        for each in [cell, *sorted(shown - {cell})]:
            if each in shown:
                if each != cell:
                    _open(tracer, each, known=True, mine=False)
                _learn(tracer, game.position, each)
                opened.add(each)
    tracer.events.append({"do": "end", "outcome": game.outcome.value})
    return tracer.events


def _open(tracer: Tracer, cell: Cell, *, known: bool, mine: bool) -> None:
    tracer.events.append({"do": "open", "cell": list(cell), "known": known, "mine": mine})


def _learn(tracer: Tracer, position: Position, cell: Cell) -> None:
    number = position[cell]
    tracer.events[-1]["count"] = number
    tracer.learn(cell, number, around=set(position.neighbours(cell)))
