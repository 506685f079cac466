"""The pictures of README and docs/guide, taken of the demo's own pages: `make pictures` writes them to docs/pictures.

It starts `companion demo`, opens its pages in Chromium as a referee, a table's screen and a phone, and keeps

* `demo.webp`, moving: what the camera sees beside what the table's page makes of it;
* `phone.png`, a seat's page at the size of a phone, at the moment when its player is asked;
* `table.png` and `alarm.png`, the table's page in a turn and when somebody broke a rule;
* one picture each of the referee's page, the draws, the record, the charts, the tally and the set-up.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from browser_kit import chromium, visitor
from PIL import Image
from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[3]
PICTURES = ROOT / "docs" / "pictures"
PIN = "24681012"
DESKTOP, WHOLE, TABLE, PHONE = (1280, 800), (1280, 1720), (1008, 630), (390, 844)
HEIGHT, GAP = 340, 8  # px of the moving picture: both halves are read on a page 1000 px wide
PAPER, PLAIN = (244, 242, 238), (205, 200, 192)
# Two to three rounds with an alarm, begun when the grid has been laid; the file stays far below 1.5 MB.
FRAMES, FIRST_RECORD = 28, 18
SHOWN_MS, LAST_MS = 1100, 2500
# Between two questions for the state; until a page has drawn what is new; until a page has loaded.
TICK_MS, DRAWN_MS, LOADED_MS = 100, 150, 2000
QUALITY, EFFORT = 62, 2
RELATIVE = """root => document.querySelectorAll("option").forEach(
    option => { option.textContent = option.textContent.replace(root + "/", ""); })"""
"""The film is named as it is in the repository, not as on the machine that takes the pictures."""


@contextmanager
def demo() -> Iterator[str]:
    """The demo on a free port of the loopback: its address."""
    command = [str(Path(sys.executable).parent / "companion"), "demo", "--port", "0", "--no-https", "--bind",
               "127.0.0.1", "--pin", PIN]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            found = next((match for line in process.stdout if (match := re.search(r"(http://\S+)/table", line))), None)
            if found is None:
                raise RuntimeError("companion demo printed no address of the table's page")
            yield found[1]
        finally:
            process.terminate()


def state(page: Page, url: str) -> dict[str, Any]:
    """What the page's role may know of the table now."""
    return dict(json.loads(page.context.request.get(f"{url}/api/state").text()))


def half(png: bytes) -> Image.Image:
    """A screenshot at the height of the moving picture."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    return picture.resize((round(picture.width * HEIGHT / picture.height), HEIGHT), Image.Resampling.LANCZOS)


def save(png: bytes, name: str) -> None:
    """Keep a screenshot with a photograph in it: as WebP it is a tenth of the PNG."""
    Image.open(io.BytesIO(png)).convert("RGB").save(PICTURES / name, quality=80)


def side_by_side(camera: Image.Image, table: Image.Image) -> Image.Image:
    """The camera's picture at the left of the table's page."""
    whole = Image.new("RGB", (camera.width + GAP + table.width, HEIGHT), PAPER)
    whole.paste(camera, (0, 0))
    whole.paste(table, (camera.width + GAP, 0))
    return whole


def seat_page(browser: Browser, referee: Page, url: str, seat: int) -> Page:
    """A phone that has scanned the code of that seat."""
    seats = json.loads(referee.context.request.get(f"{url}/api/seats").text())["seats"]
    _, page = visitor(browser, PHONE)
    page.goto(seats[seat]["address"])
    page.wait_for_url(f"{url}/seat/{seats[seat]['seat']}")
    return page


def film(browser: Browser, url: str) -> None:
    """Follow the demo's film from page to page and write all pictures."""
    _, referee = visitor(browser, WHOLE)
    referee.goto(f"{url}/referee")
    referee.fill("#pin", PIN)
    referee.click("#login button")
    referee.wait_for_selector("#pin", state="detached")
    phone = seat_page(browser, referee, url, 0)
    seat_page(browser, referee, url, 1)  # the big screen shows codes until all have joined
    _, table = visitor(browser, TABLE)
    table.goto(f"{url}/table")
    frames: list[Image.Image] = []
    camera: Image.Image | None = None
    seen: tuple[object, ...] = ()
    asked = alarmed = False
    while len(frames) < FRAMES:
        now = state(referee, url)
        steps = [step for alert in now["alerts"] for step in alert["steps"]]
        # A frame for each change of the table that people see, and one for each alarm.
        fresh = (now["view"]["phase"], *now["view"]["awaited"], *steps, json.dumps(now["view"]["cells"]))
        if now["over"]:
            break
        if int(now["number"]) < FIRST_RECORD or fresh == seen:
            table.wait_for_timeout(TICK_MS)
            continue
        seen = fresh
        table.wait_for_timeout(DRAWN_MS)
        shot = table.screenshot()
        picture = referee.locator("#camera-picture")
        # While cubes are placed behind the shields no page shows the camera's picture.
        if picture.is_visible():
            camera = half(picture.screenshot())
        elif camera is not None:
            camera = Image.new("RGB", camera.size, PLAIN)
        if camera is not None:
            frames.append(side_by_side(camera, half(shot)))
        if steps and not alarmed:
            (PICTURES / "alarm.png").write_bytes(shot)
            save(referee.screenshot(), "referee.webp")
            alarmed = True
        calm = len(now["alerts"]) <= 1  # the reminder of the starting figure, and not the bump of the camera as well
        if now["view"]["phase"] == "choose" and "A" in now["view"]["awaited"] and calm and not asked:
            phone.screenshot(path=PICTURES / "phone.png")
            asked = True
        if now["view"]["phase"] == "move" and frames:
            (PICTURES / "table.png").write_bytes(shot)
    shown = [SHOWN_MS] * (len(frames) - 1) + [LAST_MS]
    frames[0].save(PICTURES / "demo.webp", save_all=True, append_images=frames[1:], duration=shown, loop=0,
                   quality=QUALITY, method=EFFORT)
    referee.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    for name in ("draws", "record", "charts", "tally", "setup"):
        referee.goto(f"{url}/{name}")
        referee.wait_for_timeout(LOADED_MS)
        referee.evaluate(RELATIVE, str(ROOT))
        save(referee.screenshot(), f"{name}.webp")


def main() -> None:
    """Write the pictures; prints what each weighs."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with demo() as url, chromium() as browser:
        film(browser, url)
    for path in sorted(PICTURES.iterdir()):
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
