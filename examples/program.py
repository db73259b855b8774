"""A program that opens random cells.

`sapper bench beginner --agent 'program:python3 examples/program.py'` plays it in the arena.
"""

import random
import sys

width, rows = 0, ""
for line in sys.stdin:
    match line.split():
        case ["sapper"]:
            answer = "id 1 Dice"
        case ["new", seed]:
            random.seed(int(seed))
            answer = "ok"
        case ["position", size, shown]:
            width, rows = int(size.split("x")[0]), shown.replace("/", "")
            answer = "ok"
        case ["go", *_]:
            hidden = [place for place, cell in enumerate(rows) if cell in "#F"]
            answer = "open {} {}".format(*divmod(random.choice(hidden), width))
        case ["quit"]:
            break
        case _:
            answer = "error unknown command"
    print(answer, flush=True)
