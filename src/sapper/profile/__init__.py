"""Profile: the player's history, scores, settings and keys."""
