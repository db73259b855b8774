"""How fast the web page loads and draws: `python -m benchmarks.page`.

Prints the size of the first view, the time until a board is shown, and how long drawing takes on a
board of 100 x 100 cells: the whole view, a single changed cell, and a frame while scrolling. Needs
Playwright and Debian's Chromium. There are no options.
"""

from __future__ import annotations

import asyncio
import shutil
import statistics
import tempfile

from playwright.async_api import Page, Response, async_playwright

from benchmarks.support import command_line
from benchmarks.web import server

DRAWING = """async () => {
  const { Board } = await import("/js/board.js");
  const board = new Board();
  document.getElementById("main").replaceChildren(board.element);
  const size = 100, signs = ".12345678#F#####";
  const sign = at => signs[(at * 7919 + at * at) % signs.length];
  const cells = Array.from({ length: size * size }, (_, at) => sign(at));
  const view = { width: size, height: size, cells: cells.join("") };
  const time = act => { const start = performance.now(); act(); return performance.now() - start; };
  board.show(view);
  board.zoom = 2;
  board.arrange();
  const all = [], one = [], dragged = [];
  for (let turn = 0; turn < 60; turn++) {
    all.push(time(() => board.refresh()));
    cells[5000 + turn] = "3";
    one.push(time(() => board.show({ ...view, cells: cells.join("") })));
    await new Promise(requestAnimationFrame);
    dragged.push(time(() => { board.scroll(turn < 30 ? 9 : -9, 5); board.refresh(); }));
  }
  return { all, one, dragged };
}"""


def collect_responses(page: Page) -> list[Response]:
    """Return a list to which every response that the page receives is added."""
    responses: list[Response] = []

    def add(response: Response) -> None:
        responses.append(response)

    page.on("response", add)
    return responses


async def measure() -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        with tempfile.TemporaryDirectory() as folder:
            async with server(folder) as (port, _):
                ready, sizes = [], []
                for _turn in range(5):
                    page = await browser.new_page(viewport={"width": 1200, "height": 850})
                    responses = collect_responses(page)
                    await page.goto(f"http://127.0.0.1:{port}/")
                    await page.wait_for_selector(".figures:has-text('left')")
                    ready.append(await page.evaluate("performance.now()"))
                    await page.wait_for_load_state("networkidle")
                    sizes.append(sum([len(await response.body()) for response in responses]))
                    drawing = await page.evaluate(DRAWING)
                    await page.close()
        await browser.close()
    after = statistics.median(ready)
    print(f"first view: {max(sizes) / 1000:.0f} kB; a board is shown after {after:.0f} ms")
    print("100 x 100 cells, milliseconds to draw (median and longest of 60):")
    names = {"all": "the whole view", "one": "one changed cell", "dragged": "a frame while scrolling"}
    for name, words in names.items():
        times = drawing[name]
        print(f"  {words:26}{statistics.median(times):8.1f}{max(times):8.1f}")


if __name__ == "__main__":
    command_line(__doc__).parse_args()
    asyncio.run(measure())
