"""One Playwright and one Chromium for tests in a browser that follow each other in a process: to start both takes as
long as many a test. Without `keep`, as in a command, each is started and ended by who asks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright
from playwright.sync_api import Error as PageError

ADDRESS_SUGGESTIONS = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup")
"""Pages behind the address line of a window, loaded with each: more than half of what a new context costs."""
PLAYWRIGHTS_OWN = (
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled",
    "PreconnectToSearch",
)
"""What Playwright switches off: of two lists, Chromium takes the last."""
ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
    f"--disable-features={','.join(ADDRESS_SUGGESTIONS + PLAYWRIGHTS_OWN)}",
)
PATIENCE_MS = 180_000
"""Two busy cores: a page that answers at all answers within this."""


class _Kept:
    """What is started when it is first asked for, and ended by `close`."""

    def __init__(self) -> None:
        self._ends = ExitStack()
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None

    def playwright(self) -> Playwright:
        if self._playwright is None:
            self._playwright = self._ends.enter_context(_started())
        return self._playwright

    def browser(self) -> Browser:
        if self._browser is None or not self._browser.is_connected():
            self._browser = launched(self.playwright())
            self._ends.callback(self._browser.close)
        return self._browser

    def close(self) -> None:
        self._ends.close()


_kept: _Kept | None = None


def keep() -> None:
    """From now on tests share one Playwright and one Chromium, until `let_go`."""
    global _kept
    _kept = _kept or _Kept()


def let_go() -> None:
    """End what is kept: while Playwright runs, nothing else can run asyncio in the same thread."""
    global _kept
    ended, _kept = _kept, None
    if ended is not None:
        ended.close()


@contextmanager
def _started() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE_MS)
        yield playwright


@contextmanager
def driver() -> Iterator[Playwright]:
    """Playwright, of which a process can have but one at a time."""
    if _kept is not None:
        yield _kept.playwright()
        return
    with _started() as playwright:
        yield playwright


def launched(playwright: Playwright, *more: str) -> Browser:
    """The machine's own Chromium, begun anew with `more` arguments."""
    return playwright.chromium.launch(executable_path="/usr/bin/chromium", args=[*ARGUMENTS, *more])


@contextmanager
def chromium(*more: str) -> Iterator[Browser]:
    """The machine's own Chromium, the kept one unless it needs `more` arguments; contexts begun in it are ended."""
    if _kept is not None and not more:
        browser = _kept.browser()
        before = list(browser.contexts)
        try:
            yield browser
        finally:
            for context in browser.contexts:
                if context not in before:
                    context.close()
        return
    with driver() as playwright:
        browser = launched(playwright, *more)
        try:
            yield browser
        finally:
            browser.close()


def _leave(page: Page) -> None:
    """Bring the page to rest on an empty one; where it goes to by itself at that moment may come between."""
    for _ in range(5):
        try:
            page.goto("about:blank")
        except PageError as error:
            between = error
            page.wait_for_load_state()
        else:
            return
    raise between


def new_context(browser: Browser, **more: Any) -> BrowserContext:
    """A context whose `close` brings its pages to rest first: while a page is on its way to the next one, Chromium
    never answers (Playwright's issue 42366)."""
    context = browser.new_context(**more)
    close = context.close

    def close_at_rest(**reason: Any) -> None:
        for page in context.pages:
            _leave(page)
        close(**reason)

    context.close = close_at_rest  # type: ignore[method-assign]
    return context
