"""Draw docs/images/position.svg, heatmap.svg and example.svg: `python -m benchmarks.drawings [FOLDER]`.

The images are the same each time.
"""

from __future__ import annotations

import sapper
from benchmarks.support import image_folder


def middle_of_a_game() -> sapper.Position:
    """Return a position with safe cells, mines, flags and both high and low risks."""
    game = sapper.Game.new("intermediate", seed=87)
    game.open((8, 8))
    agent = sapper.agents.Logic(seed=1)
    while len(game.position.numbers) < 110 and (choice := agent.decide(game.position)) and choice.safe:
        game.open(choice.cell)
    for mine in sorted(agent.known_mines(game.position))[:6]:
        game.flag(mine)
    return game.position


def main() -> None:
    """Draw the images and save them."""
    folder = image_folder(__doc__)
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
