"""Advice: hints, and explanations of guesses."""
