"""The terminal: text output for games, hints, proofs, measures, reviews, checks and batches."""

from sapper.terminal.bench import run_batch
from sapper.terminal.check import check_progress, print_check
from sapper.terminal.check_table import print_table, run_checks
from sapper.terminal.explain import print_proof
from sapper.terminal.hint import print_hint, read_text
from sapper.terminal.measures import print_measures
from sapper.terminal.review import make_review, print_review
from sapper.terminal.stats import print_statistics
from sapper.terminal.survey import run_survey
from sapper.terminal.watch import watch

__all__ = [
    "check_progress",
    "make_review",
    "print_check",
    "print_hint",
    "print_measures",
    "print_proof",
    "print_review",
    "print_statistics",
    "print_table",
    "read_text",
    "run_batch",
    "run_checks",
    "run_survey",
    "watch",
]
