"""Reviews: what every move of a finished game was worth."""
