"""What tests in a real browser share: the served dashboard, visitors, pictures where they are asked for, axe."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from kept_browser import PATIENCE_MS, new_context
from kept_browser import chromium as chromium
from playwright.sync_api import Browser, BrowserContext, Page
from web_kit import PIN, hosting

from companion.app.dashboard.access_file import AccessFile
from companion.app.dashboard.host import Host
from companion.app.dashboard.server.serve import Serving, serving
from companion.core.types import Seat
from web.roles.access import Access

ARTEFACTS = Path(__file__).parents[3] / "artefacts" / "web"
DESKTOP, PHONE = (1280, 800), (360, 740)


@contextmanager
def served(folder: Path, players: int = 2, **more: Any) -> Iterator[tuple[Host, Serving]]:
    """A host whose pages are served on a free port of the loopback."""
    https_port = more.pop("https_port", None)
    with (
        hosting(folder, players, **more) as host,
        serving(host, folder / "web", bind="127.0.0.1", port=0, https_port=https_port, pin=PIN) as where,
    ):
        yield host, where


def visitor(browser: Browser, size: tuple[int, int] = DESKTOP, **more: Any) -> tuple[BrowserContext, Page]:
    """A new person with a device of that size; a page that throws an error fails the test when it is closed."""
    context = new_context(browser, viewport={"width": size[0], "height": size[1]}, **more)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.errors = []  # type: ignore[attr-defined]
    page.on("pageerror", lambda error: page.errors.append(str(error)))  # type: ignore[attr-defined]
    return context, page


def until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait until what the host knows is so: a page shows a tap before its answer has come."""
    end_s = time.monotonic() + PATIENCE_MS / 1000
    while not holds():
        assert time.monotonic() < end_s, "waited in vain"
        page.wait_for_timeout(20)


def as_referee(page: Page, url: str) -> None:
    """Give the PIN and wait for the referee's page."""
    page.goto(f"{url}/referee")
    page.fill("#pin", PIN)
    page.click("#login button")
    page.wait_for_selector("#pin", state="detached")
    page.wait_for_load_state()


def join(page: Page, host: Host, url: str, seat: str) -> None:
    """Take a seat by the address that its QR code carries."""
    assert host.table is not None
    kept = AccessFile(Path(host.settings.data_dir) / "web")
    token = Access(kept.key, PIN, keeper=kept).seat_token(host.table.session.header.session, Seat[seat])
    page.goto(f"{url}/join/{seat}#{token}")
    page.wait_for_url(f"{url}/seat/{seat}")


DRAWN = "document.fonts.ready.then(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))"


def shot(page: Page, name: str) -> None:
    """Wait until the page is drawn; keep a picture of it where COMPANION_SHOTS=1 asks for them."""
    page.evaluate(DRAWN)
    if os.environ.get("COMPANION_SHOTS") != "1":
        return
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=os.fspath(ARTEFACTS / f"{name}.png"), full_page=True)


def serious(page: Page) -> list[str]:
    """The serious and critical findings of axe-core on the page, each with the first element it concerns."""
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{one['id']}: {one['help']} – {one['nodes'][0]['html'][:160]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
