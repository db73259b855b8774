"""Agents open only hidden cells, and the cells that they call safe are safe."""

from __future__ import annotations

import pickle
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sapper
from sapper import Game, Kind, Position, SapperError, agents, analyse
from sapper.minesweeper import neighbours
from sapper.proof.proof import find_proof

NAMED = re.compile(r"the (\d) at row (\d+), column (\d+)")


@given(st.integers(0, 2**32), st.sampled_from(["course", "9x9/10", "6x4/8", "1x12/3"]))
def test_logic_plays_by_the_rules_and_its_safe_cells_are_safe(seed: int, level: str) -> None:
    game = Game.new(level, seed=seed)
    agent = agents.Logic(seed=seed)
    while not game.over:
        choice = agent.decide(game.position)
        if choice is None:
            break
        position = game.position
        game.open(choice.cell)
        if choice.safe:
            assert choice.cell not in game.exploded
            for number, row, column in NAMED.findall(choice.reason):
                assert position[int(row) - 1, int(column) - 1] == int(number)
        assert game.minefield is not None
        assert agent.known_mines(game.position) <= game.minefield.mines


@given(st.integers(0, 2**32))
def test_logic_needs_no_history(seed: int) -> None:
    game = Game.new("beginner", seed=seed)
    follower = agents.Logic(seed=1)
    while not game.over:
        cell = follower.choose(game.position)
        fresh = agents.Logic(seed=1)
        choice = fresh.decide(game.position)
        assert choice is not None
        assert fresh.ai.safes == follower.ai.safes
        assert fresh.ai.mines == follower.ai.mines
        game.open(cell)


def test_logic_follows_a_game_with_undone_moves() -> None:
    game = Game.new("beginner", seed=3)
    agent = agents.Logic(seed=3)
    game.open((4, 4))
    agent.choose(game.position)
    known = set(agent.ai.safes)
    game.undo()
    agent.choose(game.position)
    assert agent.ai.safes == set()
    game.open((4, 4))
    agent.choose(game.position)
    assert agent.ai.safes == known


def test_the_same_seed_plays_the_same_game() -> None:
    def moves(seed: int) -> list[tuple[int, int]]:
        game, agent = Game.new("course", seed=seed), agents.Logic(seed=seed)
        while not game.over and (choice := agent.decide(game.position)):
            game.open(choice.cell)
        return [action.cell for action in game.actions]

    assert [moves(seed) for seed in range(20)] == [moves(seed) for seed in range(20)]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (".#", "safe: follows from the 0 at row 1, column 1"),
        ("#1#1#\n#####", None),
        ("1##\n2##\n1##", None),
        # The 1 in the corner is about two of the cells of the 1 beside it: the third is safe.
        ("11#\n###", "the 1 at row 1, column 2 and the 1 at row 1, column 1"),
    ],
)
def test_reasons_name_the_numbers(rows: str, reason: str | None) -> None:
    choice = agents.Logic(seed=0).decide(Position.parse(rows, mines=1))
    assert choice is not None
    if reason is None:
        assert choice.reason == "no safe cell known: random guess" or NAMED.search(choice.reason)
    else:
        assert choice.safe
        assert choice.reason.endswith(reason)


@given(st.integers(0, 2**32))
def test_a_reason_describes_its_own_position_even_if_read_later(seed: int) -> None:
    game = Game.new("9x9/14", seed=seed)
    early, late = agents.Logic(seed=seed), agents.Logic(seed=seed)
    reasons, choices = [], []
    while not game.over:
        choice, told = late.decide(game.position), early.decide(game.position)
        assert choice is not None
        assert told is not None
        reasons.append(told.reason)
        choices.append(choice)
        game.open(choice.cell)
    copies = pickle.loads(pickle.dumps(choices))  # Some of the reasons have not been computed yet.
    assert [choice.reason for choice in choices] == reasons
    assert copies == choices
    assert len(set(copies) | set(choices)) == len(set(choices))


def test_a_reason_is_computed_lazily_and_only_once() -> None:
    made = []

    def make() -> str:
        made.append("made")
        return "why not"

    choice = agents.Choice((0, 1), False, make)
    assert not made
    assert [choice.reason, choice.reason] == ["why not"] * 2
    assert repr(choice) == "Choice(cell=(0, 1), safe=False, reason='why not')"
    assert choice == agents.Choice((0, 1), False, "why not")
    assert choice != agents.Choice((0, 2), False, "why not")
    assert made == ["made"]


def test_when_only_mines_are_left_there_is_no_move() -> None:
    position = Position.parse("1#", mines=1)
    assert agents.Logic().decide(position) is None
    with pytest.raises(SapperError, match="no cell is left"):
        agents.Logic().choose(position)


def test_an_impossible_position_is_rejected_and_the_agent_still_works() -> None:
    agent = agents.Logic(seed=0)
    with pytest.raises(SapperError, match="no minefield can produce this position"):
        agent.choose(Position.parse("1#0", mines=1))
    assert agent.choose(Position.parse("0#0", mines=0)) == (0, 1)


def test_random_cells_are_uniform_among_those_not_known_to_be_mines() -> None:
    position = Position.parse("2##\n##1", mines=3)
    agent = agents.Logic(seed=5)
    free = position.hidden - agent.known_mines(position)
    drawn = [agent.choose(position) for _ in range(4000)]
    assert set(drawn) == free
    for cell in free:
        expected = 4000 / len(free)
        assert abs(drawn.count(cell) - expected) < 6 * expected**0.5


@given(st.integers(0, 2**32), st.sampled_from(["course", "9x9/10", "6x4/8", "1x12/3"]))
@settings(max_examples=100 if sapper.engine_name == "compiled" else 20)
def test_safest_is_safe_where_it_says_so_and_takes_the_least_risk_elsewhere(
    seed: int, level: str
) -> None:
    game, agent = Game.new(level, seed=seed), agents.Safest()
    while not game.over:
        choice = agent.decide(game.position)
        if choice is None:
            break
        analysis = analyse(game.position)
        assert choice.safe == bool(analysis.safe)
        assert analysis.risk[choice.cell] <= min(analysis.risk.values()) * (1 + 1e-9)
        assert agent.known_mines(game.position) == analysis.mines
        game.open(choice.cell)
        assert not (choice.safe and game.exploded)


@pytest.mark.parametrize("name", agents.AgentName)
def test_agents_are_found_by_name(name: str) -> None:
    if name.startswith("strong") and sapper.engine_name == "python":
        with pytest.raises(SapperError, match="the agent strong needs the compiled engine"):
            agents.named(name)
    else:
        assert isinstance(agents.named(name), agents.ReasoningAgent)
    with pytest.raises(SapperError, match="unknown agent 'oracle': choose logic, safest, strong"):
        agents.named("oracle")


def test_the_first_number_in_a_reason_touches_the_cell() -> None:
    for seed in range(30):
        game, agent = Game.new("beginner", seed=seed), agents.Logic(seed=seed)
        while not game.over:
            choice = agent.decide(game.position)
            assert choice is not None
            if found := NAMED.search(choice.reason):
                number = (int(found[2]) - 1, int(found[3]) - 1)
                assert number in neighbours(choice.cell, 9, 9)
            game.open(choice.cell)


@pytest.mark.parametrize("seed", range(6))
def test_logic_has_a_proof_for_every_hidden_cell_that_it_knows(seed: int) -> None:
    """No other cell has a proof by the rules of `logic`."""
    game, agent = Game.new("9x9/14", seed=seed, promise="open"), agents.Logic(seed=seed)
    game.open((4, 4))
    while not game.over:
        position = game.position
        mines = agent.known_mines(position)
        safe = {cell for cell in agent.ai.safes if position.is_hidden(cell)}
        for cell in sorted(position.hidden):
            if cell in mines or cell in safe:
                proof = agent.explain(position, cell)
                assert proof.kind <= Kind.CHAIN
                assert (proof.verdict == "mine") == (cell in mines)
                assert all(step.sentence is not None for step in proof.steps)
                proof.check(position)
            else:
                with pytest.raises(SapperError, match="does not know"):
                    agent.explain(position, cell)
                for verdict in ("safe", "mine"):
                    assert find_proof(position, cell, verdict, most=Kind.CHAIN) is None
        game.open(agent.choose(position))
