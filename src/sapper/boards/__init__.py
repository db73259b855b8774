"""Boards: generation, no-guess boards, and measures such as 3BV."""
