"""Rifts of N'Norya in Chromium: a tile is laid and a fight fought by tapping; pages pass axe on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from browser_kit import PHONE, as_referee, chromium, join, serious, served, shot, until, visitor
from playwright.sync_api import Browser, expect
from web_kit import NAMES, Caller, make_app, play_on

from companion.app.dashboard.host import Host
from companion.core.types import Seat
from companion.games.rifts.actions import Attack
from companion.games.rifts.state import Phase
from companion.table.commands import Play
from web.ports.tables import SetupChoice

pytestmark = pytest.mark.system("chromium")

SEATS = tuple((name, colour) for (name, _), colour in zip(NAMES, ("green", "blue"), strict=False))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def play_until(host: Host, wanted: Phase, turn: int) -> None:
    """Play random legal acts, fights first, until that phase of that turn or a later one."""
    assert host.table is not None
    session, random = host.table.session, Random(8)
    rules = session.rules
    while session.state.phase is not wanted or session.state.turn < turn:
        outcomes = rules.chance_outcomes(session.state)
        event: Any
        if outcomes:
            event = random.choices(outcomes, [float(o.probability) for o in outcomes])[0].draw
        else:
            legal = rules.legal_actions(session.state)
            event = random.choice([a for a in legal if isinstance(a, Attack)] or legal)
        assert session.ask(Play(texts=(rules.format(event),))).accepted


def test_a_tile_is_laid_by_tapping_its_place_and_choosing_its_turn(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path, game=False) as (host, where):
        host.begin(SetupChoice("rifts", SEATS))
        assert host.table is not None
        session = host.table.session
        play_until(host, Phase.PLACE, 3)
        seat = Seat(session.state.current).name
        action = session.rules.legal_actions(session.state)[0]
        context, page = visitor(browser, PHONE)
        join(page, host, where.url, seat)
        page.locator(f'svg.hexmap [data-key="{action.slot}"]').click()
        page.locator(f'#acts [data-key="{session.rules.format(action)}"]').click()
        expect(page.locator(f'svg.hexmap [data-key="{action.slot}"]')).not_to_have_attribute(
            "aria-label", f"{action.slot}: the tile can lie here"
        )
        until(page, lambda: (session.state.land[-1].turn, session.state.tile) == (action.turn, -1))
        assert page.errors == []  # type: ignore[attr-defined]
        context.close()


@pytest.mark.parametrize("size", [PHONE, (390, 844)])
def test_the_drawn_tile_is_seen_on_a_phone_without_scrolling(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    with served(tmp_path, game=False) as (host, where):
        host.begin(SetupChoice("rifts", SEATS))
        assert host.table is not None
        play_until(host, Phase.PLACE, 3)
        context, page = visitor(browser, size)
        join(page, host, where.url, Seat(host.table.session.state.current).name)
        drawn = page.locator('[data-key="drawn-tile"]')
        expect(drawn).to_have_count(1)
        expect(drawn.locator("svg")).to_be_in_viewport(ratio=1)
        expect(page.locator("svg.hexmap g.can").first).to_be_in_viewport()  # beside the map on which it is laid
        shot(page, f"{size[0]}-rifts-drawn-tile")
        assert page.errors == []
        context.close()


def test_the_rim_of_a_space_that_can_be_taken_does_not_cut_its_name(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path, game=False) as (host, where):
        host.begin(SetupChoice("rifts", SEATS))
        play_on(host, 0)
        assert host.table is not None
        context, page = visitor(browser, PHONE)
        join(page, host, where.url, Seat(host.table.session.state.current).name)
        expect(page.locator("svg.hexmap g.can").first).to_be_visible()
        last = "all => all.every(g => g.lastChild.matches('text.slotname'))"
        assert page.locator("svg.hexmap g.can").evaluate_all(last)
        context.close()


def test_what_ends_a_turn_stands_after_what_goes_on_with_it(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path, game=False) as (host, where):
        host.begin(SetupChoice("rifts", SEATS))
        assert host.table is not None
        play_until(host, Phase.ACT, 1)
        session = host.table.session
        context, page = visitor(browser, PHONE)
        join(page, host, where.url, Seat(session.state.current).name)
        offers = page.locator("#acts button")
        expect(offers.last).to_contain_text("ends the turn")
        expect(offers.last).not_to_contain_class("primary")
        expect(offers.first).to_contain_text("moves to")
        assert page.errors == []  # type: ignore[attr-defined]
        context.close()


def test_a_covered_page_shows_neither_the_hand_nor_the_cards_that_could_be_played(
    tmp_path: Path, browser: Browser
) -> None:
    with served(tmp_path, game=False) as (host, where):
        host.begin(SetupChoice("rifts", SEATS))
        assert host.table is not None
        play_until(host, Phase.CAST, 1)
        seat = Seat(host.table.session.state.current).name
        context, page = visitor(browser, PHONE)
        join(page, host, where.url, seat)
        casts, hand = page.locator('#acts [data-key*=" cast "]'), page.locator("#mine .hand li")
        expect(casts.first).to_be_visible()
        cards = set(hand.all_text_contents())
        page.locator('[data-key="cover"]').click()
        expect(casts).to_have_count(0)
        until(page, lambda: not cards & {text for text in hand.all_text_contents() if not text.startswith("s")})
        context.close()


def test_equal_cards_of_a_hand_stand_in_one_line(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path, game=False) as (host, where):
        host.begin(SetupChoice("rifts", SEATS))
        assert host.table is not None
        play_until(host, Phase.CAST, 1)
        own = host.table.session.rules.view(host.table.session.state, Seat.A)["seats"][0]
        names = [card["name"] for card in own["hand"]]
        assert len(set(names)) < len(names)
        context, page = visitor(browser, PHONE)
        join(page, host, where.url, "A")
        lines = page.locator(".hand li")
        expect(lines).to_have_count(len(set(names)))
        told = [text.split(" × ") for text in lines.all_text_contents()]
        assert sum(int(one[0]) if len(one) > 1 else 1 for one in told) == len(names)
        context.close()


def test_the_pages_of_a_fight_pass_axe_and_show_the_hand_to_its_seat_only(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path, game=False) as (host, where):
        host.begin(SetupChoice("rifts", SEATS))
        assert host.table is not None
        session = host.table.session
        play_until(host, Phase.CAST, 1)
        seat = Seat(session.state.current).name
        context, page = visitor(browser, PHONE)
        as_referee(page, where.url)
        join(page, host, where.url, seat)
        for path in ("/table", "/referee", "/record", "/sheet", f"/seat/{seat}"):
            page.goto(where.url + path)
            page.wait_for_selector("svg.hexmap")
            assert serious(page) == [], path
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0], path
            casts = page.locator('#acts [data-key*=" cast "]')
            if path.startswith("/seat"):
                expect(casts.first).to_be_visible()
            else:
                expect(casts).to_have_count(0)
            shot(page, f"{PHONE[0]}-rifts{path.replace('/', '-')}")
        assert page.errors == []  # type: ignore[attr-defined]
        context.close()


HIDDEN_NAMES = """() => {
    const boxes = [...document.querySelectorAll(".hexmap g[role=img] > rect")].map(one => one.getBoundingClientRect());
    return [...document.querySelectorAll(".hexmap .slotname")].filter(one => {
        const name = one.getBoundingClientRect();
        return !name.width || boxes.some(box => box.left < name.right && box.right > name.left
            && box.top < name.bottom && box.bottom > name.top);
    }).map(one => one.textContent); }"""
"""Names of spaces that are not seen, or lie under a temple."""


@pytest.mark.parametrize("size", [(390, 844), (1920, 1080)])
def test_every_space_of_a_map_bears_the_name_by_which_moves_are_told(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    with served(tmp_path, game=False) as (host, where):
        host.begin(SetupChoice("rifts", SEATS))
        play_on(host, 600, seed=3)
        context, page = visitor(browser, size)
        page.goto(f"{where.url}/table")
        state = Caller(make_app(host)).state()
        names = [space["slot"] for space in state["view"]["map"]["spaces"]]
        assert state["view"]["map"]["temples"]
        expect(page.locator(".hexmap .slotname")).to_have_text(names)
        assert page.evaluate(HIDDEN_NAMES) == []
        context.close()
