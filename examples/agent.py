"""An agent in Python. `sapper bench beginner --agent examples.agent:Agent` plays it in the arena."""

import sapper


class Agent:
    """Opens the safest cell; of several, the one whose number is least predictable."""

    def __init__(self, seed: int) -> None:
        """Start a game. The seed is for random choices; this agent makes none."""

    def choose(self, position: sapper.Position) -> sapper.Cell:
        """Return the cell to open next."""
        analysis = sapper.analyse(position)
        least = min(analysis.risk.values())
        cells = [cell for cell, risk in analysis.risk.items() if risk == least]
        return min(cells, key=lambda cell: max(analysis.shows(cell).values()))
