"""The big screen is read from two metres: nothing that matters is under 24 px at 1920 x 1080, and the width is used."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser_kit import chromium, served, shot, visitor
from playwright.sync_api import expect
from web_kit import NAMES, Caller, make_app, play_on

from companion.games import find_game
from web.ports import Choice

pytestmark = [pytest.mark.system("chromium"), pytest.mark.xdist_group("chromium")]

SCREEN = (1920, 1080)
LEAST_PX = 24
GAMES = (("envyra", 3, 25), ("spyrium", 4, 60), ("rifts", 3, 40))
MATTERS = "#headline, #expected, #round, #order .chip, #players .who, #players .total, #players .chip, #board svg text"
"""Clauses, codes by which people join and the page's own navigation are read from near."""

SMALL = """([what, least]) => [...document.querySelectorAll(what)].filter(one => one.textContent.trim()).filter(one => {
    const box = one.getBoundingClientRect();
    return box.width && getComputedStyle(one).display !== "none";
}).map(one => {
    const scale = one.getScreenCTM ? one.getScreenCTM().d : 1;
    return [one.textContent.trim(), Math.round(parseFloat(getComputedStyle(one).fontSize) * scale * 10) / 10];
}).filter(([, px]) => px < least)"""
"""Texts smaller than they should be; a drawing's letters count as large as they are on the screen."""

USED = """() => { const right = Math.max(...[...document.querySelectorAll(".columns.two > *")]
        .map(one => one.getBoundingClientRect().right));
    const board = document.querySelector("#board > *").getBoundingClientRect();
    const aside = document.querySelector("aside").getBoundingClientRect();
    return { right, between: aside.left - board.right, height: board.height }; }"""


def test_what_matters_is_at_least_24_pixels_high_and_the_whole_width_is_used(tmp_path: Path) -> None:
    with chromium() as browser:
        for game, players, acts in GAMES:
            with served(tmp_path / game, game=False) as (host, where):
                colours = find_game(game).colours
                host.begin(Choice(game, tuple((name, colours[i]) for i, (name, _) in enumerate(NAMES[:players]))))
                play_on(host, acts, seed=5)
                app = make_app(host)
                for letter in "ABCD"[:players]:
                    Caller(app, letter, host)  # nobody has still to join: the codes are gone
                context, page = visitor(browser, SCREEN)
                page.goto(f"{where.url}/table")
                expect(page.locator("#players .player")).to_have_count(players)
                shot(page, f"two-metres-{game}")
                assert page.evaluate(SMALL, [MATTERS, LEAST_PX]) == [], game
                used = page.evaluate(USED)
                assert used["right"] >= SCREEN[0] - 50, (game, used)
                assert used["between"] <= 200, (game, used)
                assert used["height"] >= 600, (game, used)
                assert page.errors == []  # type: ignore[attr-defined]
                context.close()


SIZES = ((1280, 800), (1366, 768), SCREEN)
CUT_OFF = """() => document.querySelector("#supply > :last-child").getBoundingClientRect().bottom
    - document.querySelector("aside").getBoundingClientRect().bottom"""
"""By how many px the end of the supply is cut off: nobody scrolls a big screen."""


def test_the_supply_of_four_mages_is_seen_whole_on_a_small_laptop_too(tmp_path: Path) -> None:
    with chromium() as browser, served(tmp_path, game=False) as (host, where):
        colours = find_game("rifts").colours
        host.begin(Choice("rifts", tuple((name, colours[i]) for i, (name, _) in enumerate(NAMES))))
        context, page = visitor(browser, SCREEN)
        for turn in range(4):
            play_on(host, 12, seed=turn)
            page.goto(f"{where.url}/table")
            expect(page.locator("#players .player")).to_have_count(4)
            page.add_style_tag(content="#joining { display: none }")  # as when everybody has joined
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                shot(page, f"supply-{turn}-{width}")
                assert page.evaluate(CUT_OFF) <= 0, (turn, width)
        context.close()
