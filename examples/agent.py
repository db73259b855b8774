"""An agent in Python: `sapper bench beginner --agent examples.agent:Agent` plays it in the arena."""

import sapper


class Agent:
    """Opens one of the safest cells: that whose number is the least certain, so that it tells most."""

    def __init__(self, seed: int) -> None:
        """Begin a game; the seed is for whatever is random, here nothing."""

    def choose(self, position: sapper.Position) -> sapper.Cell:
        """Return the cell to open next."""
        analysis = sapper.analyse(position)
        least = min(analysis.risk.values())
        cells = [cell for cell, risk in analysis.risk.items() if risk == least]
        return min(cells, key=lambda cell: max(analysis.shows(cell).values()))
