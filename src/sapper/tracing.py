"""Tracing: every single inference of the course's agent while it plays a game."""

from __future__ import annotations

from itertools import count
from typing import Any

from minesweeper import Cell, MinesweeperAI, Sentence
from sapper.agents import Logic
from sapper.game import Game

Event = dict[str, Any]


class TracedAI(MinesweeperAI):
    """The agent, which notes in `events` what it does. Each sentence has a number.

    `open` tells of a cell that was opened, `add` of a new sentence and what it follows from, `settle`
    of one that settles its cells, `mark` of a cell that is safe or a mine, and `drop` of a sentence
    that says what another says. A cell that is marked is struck from every sentence.

    >>> ai = TracedAI(height=1, width=3)
    >>> ai.add_knowledge((0, 0), 1)
    >>> [event["do"] for event in ai.events]
    ['mark', 'add', 'settle', 'mark']
    """

    def __init__(self, height: int = 8, width: int = 8) -> None:
        super().__init__(height, width)
        self.events: list[Event] = []
        self._numbers: dict[int, int] = {}
        self._next = count(1)
        self._kept: list[Sentence] = []  # So that no two have the same `id`.
        self._combined: Sentence | None = None
        self._settling: set[int] = set()

    def _number(self, sentence: Sentence) -> int:
        return self._numbers[id(sentence)]

    def _settle(self, cell: Cell, known: set[Cell]) -> None:
        if cell not in self.mines and cell not in self.safes:
            kind = "mine" if known is self.mines else "safe"
            self.events.append({"do": "mark", "cell": list(cell), "as": kind})
        super()._settle(cell, known)

    def _add(self, cells: frozenset[Cell], count: int) -> None:
        before = len(self._added)
        since = self._origin(cells)
        at = len(self.events)
        super()._add(cells, count)
        if len(self._added) > before:
            self.events.insert(
                at,
                {
                    "do": "add",
                    "number": self._number(list(self._added.values())[-1]),
                    "cells": sorted(map(list, cells)),
                    "count": count,
                    "since": since,
                },
            )

    def _origin(self, cells: frozenset[Cell]) -> list[int]:
        """Return the two sentences whose difference is about these cells: the whole, and the part."""
        one = self._combined
        if one is None:
            return []
        for cell in one.cells:
            for other in self._about.get(cell, {}).values():
                if other is not one and frozenset(other.cells - one.cells) == cells:
                    return [self._number(other), self._number(one)]
                if other is not one and frozenset(one.cells - other.cells) == cells:
                    return [self._number(one), self._number(other)]
        return []

    def _look_at(self, sentence: Sentence) -> None:
        if id(sentence) not in self._numbers:
            self._numbers[id(sentence)] = next(self._next)
            self._kept.append(sentence)
        super()._look_at(sentence)
        number = self._number(sentence)
        if sentence.cells and id(sentence) in self._to_settle and number not in self._settling:
            self._settling.add(number)
            self.events.append({"do": "settle", "number": number})

    def _combine(self, sentence: Sentence) -> None:
        self._combined = sentence
        super()._combine(sentence)
        self._combined = None

    def _drop(self, sentence: Sentence) -> None:
        self.events.append({"do": "drop", "number": self._number(sentence)})
        super()._drop(sentence)


def trace(game: Game, *, seed: int | None = None) -> list[Event]:
    """Let the agent play a game to its end; return all it did and concluded, in order.

    >>> events = trace(Game.new("course", seed=7), seed=1)
    >>> sorted({event["do"] for event in events})
    ['add', 'drop', 'end', 'mark', 'open', 'settle']
    """
    ai = TracedAI(game.level.height, game.level.width)
    agent = Logic(seed=seed)
    while not game.over:
        safe = min(ai.safes - ai.moves_made, default=None)
        cell = safe if safe is not None else None if game.begun else game.first
        if cell is None:
            choice = agent.decide(game.position)
            if choice is None:
                for mine in sorted(ai.mines - game.flags):
                    if not game.over:
                        game.flag(mine)
                break
            cell = choice.cell
        opened = game.open(cell)
        first = {
            "do": "open",
            "cell": list(cell),
            "known": safe is not None,
            "mine": cell in game.exploded,
        }
        ai.events.append(first)
        for each in [cell, *sorted(opened - {cell})]:
            if each in opened:
                if each != cell:
                    ai.events.append({"do": "open", "cell": list(each), "known": True, "mine": False})
                ai.events[-1]["count"] = game.position[each]
                ai.add_knowledge(each, game.position[each])
    ai.events.append({"do": "end", "outcome": game.outcome.value})
    return ai.events
