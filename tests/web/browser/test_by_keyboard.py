"""Somebody without a pointer: the focus is seen, and never lost when what has it is drawn anew or goes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_kit import as_referee, chromium, join, served, visitor
from playwright.sync_api import Browser, Page, Route, expect
from web_kit import PIN, deal

from companion.app.dashboard.host import Host
from companion.core.types import Seat
from companion.table.commands import Play, Undo

pytestmark = pytest.mark.system("chromium")

ROUND_THE_PAGE = 60
"""More presses of Tab than a page has to go on to."""
FOCUSED = "() => document.activeElement.id || document.activeElement.dataset.key || document.activeElement.tagName"
LAPTOP_AT_200 = (640, 400)
FRAME = """() => { const style = getComputedStyle(document.activeElement);
    return [style.outlineStyle, style.outlineColor, style.outlineOffset]; }"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def told(host: Host, *texts: str) -> None:
    """What happened at the table."""
    assert host.table is not None
    for text in texts:
        assert host.table.session.ask(Play(texts=(text,))).accepted


def tab_to(page: Page, wanted: str) -> None:
    """Tab until the focus is there; what has none fails."""
    for _ in range(ROUND_THE_PAGE):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED) == wanted:
            return
    raise AssertionError(f"{wanted} is not reached by Tab")


def test_the_pin_is_typed_without_reaching_for_its_field(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (_, where):
        context, page = visitor(browser)
        page.goto(f"{where.url}/referee")
        page.keyboard.type(PIN)
        page.keyboard.press("Enter")
        page.wait_for_selector("#pin", state="detached")
        context.close()


def test_players_are_added_named_and_moved_without_losing_the_focus(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path, game=False) as (_, where):
        context, page = visitor(browser)
        as_referee(page, where.url)
        page.goto(f"{where.url}/setup")
        page.locator("[data-key=name-0]").fill("Ján")
        tab_to(page, "more")
        page.keyboard.press("Enter")
        page.keyboard.type("Žofia")  # the new player's name is where people go on
        expect(page.locator("[data-key=name-2]")).to_have_value("Žofia")
        for place in (2, 1):
            tab_to(page, f"back-{place}")
            page.keyboard.press("Enter")
            if place > 1:
                expect(page.locator(f"[data-key=back-{place}]")).to_be_focused()
        expect(page.locator("[data-key=name-0]")).to_have_value("Žofia")
        page.locator("[data-key=remove-2]").focus()
        page.keyboard.press("Enter")  # with two players nobody can be removed: the button is gone
        expect(page.locator("#seats")).to_be_focused()
        assert page.errors == []  # type: ignore[attr-defined]
        context.close()


def test_after_a_draw_tab_goes_on_among_the_tiles(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (_, where):
        context, page = visitor(browser)
        as_referee(page, where.url)
        page.locator(".drawable button").first.focus()
        for drawn in (1, 2):
            page.keyboard.press("Enter")
            expect(page.locator("#acts p").first).to_contain_text(f"({drawn + 1} of")
            expect(page.locator("[data-key=drawable]")).to_be_focused()
            page.keyboard.press("Tab")
            expect(page.locator(".drawable button").first).to_be_focused()
        context.close()


def test_a_tile_keeps_the_focus_while_the_draw_before_is_told(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (_, where):
        context, page = visitor(browser)
        as_referee(page, where.url)
        on_their_way: list[Route] = []
        page.route("**/api/play*", lambda route: on_their_way.append(route))
        page.locator(".drawable button").first.focus()
        page.keyboard.press("Enter")
        expect(page.locator("#acts p").first).to_contain_text("(2 of")
        page.keyboard.press("Tab")
        tile = page.evaluate(FOCUSED)
        on_their_way.pop().continue_()
        expect(page.locator("#log")).to_contain_text("row 1 column 1")
        assert page.evaluate(FOCUSED) == tile
        page.unroute("**/api/play*")
        page.keyboard.press("Enter")
        expect(page.locator("#acts p").first).to_contain_text("(3 of")
        context.close()


def test_the_focus_looks_neither_like_a_place_to_mark_nor_like_a_marked_one(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        deal(host)
        context, page = visitor(browser)
        join(page, host, where.url, "A")
        marked = page.locator("#board .cell.can").first
        marked.focus()
        page.keyboard.press("Space")
        expect(page.locator("#board .cell.marked")).to_be_focused()
        on_marked = page.evaluate(FRAME)
        page.keyboard.press("Tab")
        assert page.evaluate(FRAME) == on_marked
        assert page.locator("#board .cell.marked").evaluate("e => getComputedStyle(e).outlineColor") != on_marked[1]
        context.close()


def test_under_a_pause_only_going_on_is_reached_and_the_focus_comes_back(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        deal(host)
        context, page = visitor(browser)
        join(page, host, where.url, "A")
        tab_to(page, "pause-here")
        page.keyboard.press("Enter")
        expect(page.locator("#paused")).to_be_visible()
        reached = set()
        for _ in range(4):
            page.keyboard.press("Tab")
            reached.add(page.evaluate(FOCUSED))
        assert reached <= {"go-on", "BODY"}
        tab_to(page, "go-on")
        page.keyboard.press("Enter")
        expect(page.locator("#paused")).to_have_count(0)
        expect(page.locator("#pause-here")).to_be_focused()
        context.close()


def test_a_new_code_leaves_the_focus_at_its_button(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        deal(host)
        context, page = visitor(browser)
        as_referee(page, where.url)
        code = page.locator("#code-list .qr").first.inner_html()
        page.locator("[data-key=renew-A]").focus()
        page.keyboard.press("Enter")
        page.wait_for_function("code => document.querySelector('#code-list .qr').innerHTML !== code", arg=code)
        expect(page.locator("[data-key=renew-A]")).to_be_focused()
        phones = [visitor(browser) for _ in "AB"]
        for (_, phone), seat in zip(phones, "AB", strict=True):
            join(phone, host, where.url, seat)
        expect(page.locator("#codes summary")).to_be_focused()  # all have joined, and the codes are folded away
        for other in (context, *(one for one, _ in phones)):
            other.close()


def test_an_act_that_was_taken_back_offers_no_way_back_to_it(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        deal(host)
        context, page = visitor(browser)
        as_referee(page, where.url)
        assert host.table is not None
        last = host.table.session.number
        expect(page.locator(f"[data-key=back-{last}]")).to_have_count(1)
        assert host.table.session.ask(Undo(to=last - 1, consents=(Seat.A, Seat.B))).accepted
        expect(page.locator("#log")).to_contain_text(f"{last + 1}")
        expect(page.locator(f"[data-key=back-{last}]")).to_have_count(0)
        expect(page.locator(f"[data-key=back-{last - 1}]")).to_have_count(1)
        context.close()


def test_a_refusal_goes_by_escape_and_gives_the_focus_back(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        deal(host)
        told(host, "A choose r1c1", "B choose r1c2")
        assert host.table is not None
        (seat,) = host.table.session.rules.to_act(host.table.session.state)
        context, page = visitor(browser)
        join(page, host, where.url, seat.name)
        place = page.locator("[data-key=r2c1]")
        for by in ("Escape", "Enter"):
            place.focus()
            page.keyboard.press("Enter")
            expect(page.locator(".toast")).to_contain_text("row 2 column 1")
            expect(place).to_be_focused()
            frame = page.evaluate(FRAME)
            if by == "Enter":
                page.locator(".toast button").last.focus()
            page.keyboard.press(by)
            expect(page.locator(".toast")).to_have_count(0)
            expect(place).to_be_focused()
        page.keyboard.press("Tab")
        assert page.evaluate(FRAME) == frame  # what was wrong has the frame of the focus as any other place
        context.close()


def test_tab_does_not_stop_at_a_list_with_nothing_in_it(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (_, where):
        context, page = visitor(browser)
        as_referee(page, where.url)
        page.goto(f"{where.url}/draws")
        expect(page.locator("#drawn li")).to_have_count(0)
        expect(page.locator("#drawn")).to_be_hidden()
        context.close()


def test_in_a_low_window_what_begins_the_game_covers_nothing(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path, game=False) as (_, where):
        for size, in_sight in ((LAPTOP_AT_200, 0), ((1280, 800), 1)):
            context, page = visitor(browser, size)
            as_referee(page, where.url)
            page.goto(f"{where.url}/setup")
            expect(page.locator("[data-key=name-1]")).to_be_visible()
            seen = page.locator("#begin").evaluate("e => e.getBoundingClientRect().bottom <= innerHeight")
            assert seen == bool(in_sight)
            context.close()
