"""Proofs: why a cell is safe or a mine, in steps that anyone can check."""

from __future__ import annotations

from sapper.errors import NotCertain, WrongProof
from sapper.proof.facts import Kind, Rule
from sapper.proof.proof import Proof, explain, find_proof
from sapper.proof.steps import Step

__all__ = [
    "Kind",
    "NotCertain",
    "Proof",
    "Rule",
    "Step",
    "WrongProof",
    "explain",
    "find_proof",
]
