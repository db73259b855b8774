"""Make docs/images/*.svg, the same each time: `python benchmarks/drawings.py [FOLDER]`."""

from __future__ import annotations

import sys
from pathlib import Path

import sapper

IMAGES = Path(__file__).parents[1] / "docs" / "images"


def middle_of_a_game() -> sapper.Position:
    """A game in which there are safe cells, mines, flags and risks of many sizes."""
    game = sapper.Game.new("intermediate", seed=87)
    game.open((8, 8))
    agent = sapper.agents.Logic(seed=1)
    while len(game.position.numbers) < 110 and (choice := agent.decide(game.position)) and choice.safe:
        game.open(choice.cell)
    for mine in sorted(agent.known_mines(game.position))[:6]:
        game.flag(mine)
    return game.position


def main() -> None:
    """Draw the pictures and save them."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
    folder.mkdir(parents=True, exist_ok=True)
    position = middle_of_a_game()
    example = sapper.Position.parse("1 1 2 # # / # # # # # / # # # # #".replace(" / ", "\n"), mines=4)
    pictures = {
        "position": position.svg(),
        "heatmap": position.svg(sapper.analyse(position)),
        "example": example.svg(sapper.analyse(example)),
    }
    for name, picture in pictures.items():
        path = folder / f"{name}.svg"
        path.write_text(picture, encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
