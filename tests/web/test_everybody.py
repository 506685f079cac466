"""Everybody: a game by keyboard alone, at 200 % zoom, in dark mode, in the order in which a screen reader reads it."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser_kit import PHONE, chromium, join, serious, served, shot, until, visitor
from playwright.sync_api import Page, expect
from web_kit import NAMES, play_on

from companion.app.dashboard.host import Host
from companion.games import find_game
from web.ports.tables import SetupChoice

pytestmark = pytest.mark.system("chromium")

MOST_TABS = 80
FOCUSED = "(one => one.dataset.key || one.id || one.textContent.trim())(document.activeElement)"
SEEN = """() => { // what is seen, from top to bottom, of the parts that a reader must meet in that order
    const parts = ["#headline", "#expected", "#board", "#acts", "#players"].map(one => document.querySelector(one));
    return parts.filter(one => one && one.getBoundingClientRect().height).map(one => ["#" + one.id,
        one.getBoundingClientRect().top]).sort((a, b) => a[1] - b[1]).map(([id]) => id); }"""
READ = """() => [...document.querySelectorAll("#headline, #expected, #board, #acts, #players")]
    .filter(one => one.getBoundingClientRect().height).map(one => "#" + one.id)"""
RIM = "getComputedStyle(document.activeElement.querySelector('.rim') || document.body).stroke"
UNNAMED = """() => ["button", "a[href]", "[role=button]", "input", "select"]
    .flatMap(what => [...document.querySelectorAll(`main ${what}`)])
    .filter(one => one.getBoundingClientRect().width).filter(one => !(one.getAttribute("aria-label")
        || one.textContent.trim() || one.labels?.length || one.getAttribute("aria-labelledby")))
    .map(one => one.outerHTML.slice(0, 80))"""


def by_keyboard(page: Page, selector: str) -> None:
    """Tab until one of these has the focus, and press it: no pointer, no script."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if page.evaluate("(what) => Boolean(document.activeElement.closest(what))", selector):
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            rim = page.evaluate(RIM)
            assert outline != "none" or rim != "none", "the focus is not seen"
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"no {selector} is reached by {MOST_TABS} tabs; the last one is {page.evaluate(FOCUSED)}")


def awaited(host: Host) -> str:
    """The letter of a seat that is awaited."""
    assert host.table is not None
    return host.table.session.rules.to_act(host.table.session.state)[0].name


def test_spyrium_is_played_by_keyboard_alone_in_the_order_that_is_seen(tmp_path: Path) -> None:
    spec = find_game("spyrium")
    with served(tmp_path, game=False) as (host, where), chromium() as browser:
        host.begin(SetupChoice("spyrium", tuple((name, spec.colours[i]) for i, (name, _) in enumerate(NAMES[:2]))))
        play_on(host, 1)
        assert host.table is not None
        session, seat = host.table.session, awaited(host)
        number = session.number
        context, page = visitor(browser, PHONE, color_scheme="dark", reduced_motion="reduce")
        join(page, host, where.url, seat)
        expect(page.locator("#board .can").first).to_be_visible()
        assert page.evaluate(SEEN) == page.evaluate(READ)
        assert page.evaluate(UNNAMED) == []
        by_keyboard(page, "#board .can")
        expect(page.locator("#board .marked")).to_have_count(1)
        by_keyboard(page, "#acts button.primary")
        until(page, lambda: session.number > number)
        tree = page.locator("main").aria_snapshot()
        for seen in ("Phase I", "Žofia", "Ján"):
            assert seen in tree
        assert page.errors == []  # type: ignore[attr-defined]
        # 200 % zoom of a laptop is a window of half its width and height
        page.set_viewport_size({"width": 640, "height": 400})
        expect(page.locator("#board")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 640
        assert serious(page) == []
        shot(page, "everybody-200-percent")
        context.close()
