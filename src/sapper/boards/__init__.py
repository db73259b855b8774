"""Boards: generation, boards that need no guess, and measures such as 3BV."""
