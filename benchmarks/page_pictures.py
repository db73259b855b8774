"""Make the screenshots of the web page in docs/images: `python -m benchmarks.page_pictures [FOLDER]`.

Needs Playwright and Debian's Chromium.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from pathlib import Path

from playwright.async_api import Browser, Page, Route, async_playwright

import sapper
from benchmarks.support import image_folder
from benchmarks.web import server

WIDE = (1180, 760)
SMALL = (360, 720)
POSITION = """9x9/10
. . . . 1 # # # #
. . . . 1 # # # #
. . . . 2 # # # #
. . . . 1 # # # #
1 1 1 1 2 # # # #
# # # # # # # # #
# # # # # # # # #
# # # # # # # # #
# # # # # # # # #
"""


async def click(page: Page, name: str, times: int = 1) -> None:
    for _ in range(times):
        await page.get_by_role("button", name=name, exact=True).click()
        await page.wait_for_load_state("networkidle")


async def play(page: Page, address: str, level: str, moves: int) -> None:
    """Show a board after moves of the AI, with the risks."""
    code = sapper.board_code(sapper.generate(level, seed=7))
    await page.goto(f"{address}#play/code={code}")
    await page.wait_for_selector(".message:has-text('Start at')")
    await click(page, "AI move", moves)
    await click(page, "Risks")


async def web_play(page: Page, address: str) -> None:
    await play(page, address, "expert", 60)
    await click(page, "Why?")


async def web_small(page: Page, address: str) -> None:
    await play(page, address, "beginner", 3)


async def web_analyse(page: Page, address: str) -> None:
    await page.goto(f"{address}#analyse")
    await page.get_by_label("Position as text").fill(POSITION)
    await click(page, "Load text")
    await page.wait_for_timeout(1000)
    await click(page, "Explain the best move")


async def web_learn(page: Page, address: str) -> None:
    async def choose_seed(route: Route) -> None:
        await route.continue_(post_data=json.dumps({"level": "course", "seed": "7"}))

    await page.route("**/api/learn", choose_seed)
    await page.goto(f"{address}#learn")
    await page.wait_for_selector("text=The agent knows nothing yet")
    await click(page, "Next ▶", 40)


async def take(browser: Browser, address: str, folder: Path) -> None:
    """Take every screenshot."""
    for scene in (web_play, web_analyse, web_learn, web_small):
        is_small = scene is web_small
        width, height = SMALL if is_small else WIDE
        page = await browser.new_page(
            viewport={"width": width, "height": height}, color_scheme="dark" if is_small else "light"
        )
        await scene(page, address)
        await page.wait_for_timeout(1000)
        await page.evaluate("window.scrollTo(0, 0)")
        path = folder / f"{scene.__name__.replace('_', '-')}.png"
        await page.screenshot(path=path)
        await page.close()
        print(path)


async def main() -> None:
    folder = image_folder(__doc__)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        with tempfile.TemporaryDirectory() as games:
            async with server(games) as (port, _):
                await take(browser, f"http://127.0.0.1:{port}/", folder)
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main())
