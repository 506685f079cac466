"""Whole stories in Chromium, at desktop and phone size; COMPANION_SHOTS=1 keeps pictures of them in artefacts/web."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_kit import DESKTOP, PHONE, as_referee, chromium, join, serious, served, shot, until, visitor
from playwright.sync_api import Browser, expect
from web_kit import PIN, deal, hosting, play_on

from companion.app.dashboard.server.serve import serving
from companion.lab.trials.dashboard_trial import page_weights, seat_token
from companion.table.commands import Play

pytestmark = [pytest.mark.system("chromium"), pytest.mark.long]

PAGES = (
    "/verify.html", "/", "/table", "/referee", "/draws", "/tally", "/record", "/charts", "/setup", "/sheet", "/camera",
    "/result", "/history", "/overlay", "/overlay/grid",
)

LOADED = {"/verify.html": "h1", "/overlay/grid": "#element .cell"}
"""What shows that a page without banners has loaded."""
SCREENS = ((1280, 720), (1440, 900), (1920, 1080), (3840, 2160))
MOST_BYTES = 300 * 1024

DARK_PAGES = ("/table", "/referee", "/draws", "/setup", "/seat/A")
"""Those that between them have everything coloured: the dark colours are the same on all pages."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def test_no_page_has_a_serious_violation_and_none_is_wider_than_the_phone(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path, 3, box="virtual:") as (host, where):
        play_on(host, 30)
        for size, scheme in ((PHONE, "light"), (DESKTOP, "dark")):
            context, page = visitor(browser, size, color_scheme=scheme)
            for path in ("/referee", "/join/B"):
                page.goto(where.url + path)
                assert serious(page) == [], path
            as_referee(page, where.url)
            join(page, host, where.url, "A")
            for path in (*PAGES, "/seat/A"):
                page.goto(where.url + path)
                page.wait_for_selector(LOADED.get(path, "#banners .banner"))
                page.wait_for_timeout(250)  # what the page asks for after it has loaded
                if size == PHONE or path in DARK_PAGES:
                    assert serious(page) == [], path
                width = page.evaluate("document.documentElement.scrollWidth")
                assert width <= size[0], f"{path} is {width} px wide"
                shot(page, f"{size[0]}{path.replace('/', '-') if path != '/' else '-home'}")
            assert page.errors == []
            context.close()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_big_screen_shows_the_whole_grid_without_scrolling(tmp_path: Path, browser: Browser, players: int) -> None:
    with served(tmp_path, players) as (host, where):
        play_on(host, 12)
        context, page = visitor(browser)
        page.goto(f"{where.url}/table")
        page.wait_for_selector(".board .cell")
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            seen = page.evaluate(
                """() => { const place = (what) => document.querySelector(what).getBoundingClientRect();
                const board = place(".board"), last = place(".board > :last-child");
                return { page: document.documentElement.scrollHeight, bottom: last.bottom, right: board.right,
                         side: last.width, aside: place("aside").left }; }"""
            )
            assert seen["page"] <= height, (width, height)
            assert seen["bottom"] <= height
            assert seen["right"] <= seen["aside"]
            assert seen["side"] >= height / 7, "tiles as large as the screen allows"
        context.close()


def test_no_page_is_heavier_than_300_kilobytes(tmp_path: Path) -> None:
    with served(tmp_path, 4) as (host, where):
        play_on(host, 40)
        weights = page_weights(where.url, PIN, seat_token(host, tmp_path / "web", PIN))
        assert set(weights) == {*PAGES, "/seat/A"}
        assert max(weights.values()) <= MOST_BYTES, weights


def test_a_game_is_set_up_and_a_round_played_with_box_and_phones(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path, game=False, box="virtual:") as (host, where):
        context, referee = visitor(browser)
        as_referee(referee, where.url)
        referee.goto(f"{where.url}/setup")
        referee.get_by_label("Name of player 1").fill("Žofia Ľaliová")
        referee.get_by_label("Name of player 2").fill("Řehoř")
        referee.get_by_role("button", name="Begin the game").click()
        referee.wait_for_url("**/referee")
        referee.locator("#acts button.theme").first.click()
        referee.locator("#acts button.face").first.click()
        expect(referee.locator("#log li")).to_have_count(2)
        deal(host)
        expect(referee.locator("#headline")).to_contain_text("Žofia Ľaliová and Řehoř")
        assert host.table is not None
        session = host.table.session
        phone_context, phone = visitor(browser, PHONE)
        join(phone, host, where.url, "A")
        phone.locator("[data-key=r1c1]").click()
        phone.locator("[data-key=r1c2]").click()
        phone.locator("#acts button.primary").click()
        expect(phone.get_by_role("button", name="Take my confirmation back")).to_be_visible()
        referee.locator("[data-key=confirm-1]").click()
        expect(referee.locator("#log li").first).to_contain_text("Řehoř")
        until(referee, lambda: session.rules.view(session.state, None)["phase"] == "reveal")
        first = next(iter(session.rules.legal_actions(session.state)))
        referee.locator(f"[data-key={first.slots[0]}]").click()
        referee.locator("#acts button.primary.big").click()
        expect(referee.locator("#order .next")).to_contain_text(re.compile("Žofia|Řehoř"))
        until(referee, lambda: session.rules.view(session.state, None)["phase"] == "move")
        shot(referee, "story-referee")
        shot(phone, "story-seat-phone")
        assert referee.errors == phone.errors == []
        context.close()
        phone_context.close()


def test_an_illegal_move_is_seen_explained_and_corrected(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        deal(host)
        assert host.table is not None
        session = host.table.session
        for seat in "AB":
            session.ask(_play(f"{seat} choose r1c1 r1c2"))
        mover = session.rules.to_act(session.state)[0].name
        context, page = visitor(browser)
        join(page, host, where.url, mover)
        page.locator("[data-key=r2c3]").click()
        toast = page.locator(".toast")
        expect(toast).to_contain_text(re.compile(r"E3\d"))
        expect(page.locator("[data-key=r2c3]")).to_have_class(re.compile("wrong"))
        toast.locator("button").first.click()
        expect(page.locator("dialog")).to_contain_text(re.compile(r"E3\d"))
        shot(page, "story-illegal")
        page.keyboard.press("Escape")
        page.locator("[data-key=r1c1]").click()
        page.locator("#acts button.primary").click()
        until(page, lambda: session.rules.view(session.state, None)["cells"][0]["cubes"] == [mover])
        assert page.errors == []
        context.close()


def test_another_seats_traffic_does_not_hold_a_secret(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        deal(host)
        chooser_context, chooser = visitor(browser, PHONE)
        other_context, other = visitor(browser, PHONE)
        join(chooser, host, where.url, "A")
        join(other, host, where.url, "B")
        # Everything the other phone is told comes through this stream: its text is gathered in the page itself.
        other.evaluate(
            """() => { const wire = document.createElement('pre'); wire.id = 'wire'; document.body.append(wire);
            const stream = new EventSource('/api/stream?as=B');
            for (const kind of ['state', 'record', 'devices'])
                stream.addEventListener(kind, (e) => { wire.append(e.data); }); }"""
        )
        expect(other.locator("#wire")).to_contain_text("session")
        chooser.locator("[data-key=r1c2]").click()
        chooser.locator("[data-key=r2c3]").click()
        chooser.locator("#acts button.primary").click()
        expect(other.locator("#wire")).to_contain_text("chooses places in secret")
        wire = other.locator("#wire").inner_text()
        assert "A choose" not in wire
        assert '"board": ["r1c2", "r2c3"]' not in wire
        assert "A choose" not in other.content()
        chooser_context.close()
        other_context.close()


def test_draws_are_made_by_the_bag_with_everyones_part_and_proved(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        context, page = visitor(browser)
        as_referee(page, where.url)
        page.goto(f"{where.url}/draws")
        page.get_by_role("button", name="Begin a digital bag").click()
        expect(page.locator("#code")).to_have_text(re.compile("^[0-9a-f]{64}$"))
        photo = page.get_by_text("Take a photo of it before anybody adds anything.")
        expect(photo).to_be_visible()
        page.locator("#value").fill("keď prší, prší na všetkých")
        page.get_by_role("button", name="Add", exact=True).click()
        expect(page.locator("#bag li")).to_contain_text("na všetkých")
        expect(photo).to_have_count(0)
        page.get_by_role("button", name="No more contributions: close and seal").click()
        page.get_by_role("button", name="Draw from the digital bag").click()
        expect(page.locator("#drawn li")).to_have_count(1)
        shot(page, "story-draw")
        table = host.table
        assert table is not None
        until(page, lambda: table.bag.drawn == 1)
        page.goto(f"{where.url}/verify.html")
        assert page.locator("body").inner_text().strip()
        assert page.errors == []
        context.close()


def test_a_tally_without_enrolment_is_scored_from_chosen_tiles(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (_, where):
        context, page = visitor(browser)
        as_referee(page, where.url)
        page.goto(f"{where.url}/tally")
        for face in ("flora-1-b", "water-1-b"):
            page.get_by_role("button", name="Add a tile").first.click()
            expect(page.locator("#verdict")).to_contain_text("Not sure yet")
            page.locator("[id^='tile-0-']").last.select_option(face)
        expect(page.locator("#verdict h2")).to_contain_text("Žofia")
        shot(page, "story-tally")
        assert page.errors == []
        context.close()


def test_the_page_comes_back_by_itself_when_the_server_was_restarted(tmp_path: Path, browser: Browser) -> None:
    context, page = visitor(browser)
    with served(tmp_path) as (host, where):
        deal(host)
        assert host.table is not None
        session = host.table.session.header.session
        page.goto(f"{where.url}/table")
        expect(page.locator(".player")).to_have_count(2)
    expect(page.locator("#banners")).to_contain_text("The link to the companion is lost")
    shot(page, "story-link-lost")
    with hosting(tmp_path, game=False) as host:
        host.resume(session)
        with serving(host, tmp_path / "web", bind="127.0.0.1", port=where.port, pin=PIN):
            expect(page.locator("#banners")).not_to_contain_text("The link to the companion is lost")
            assert host.table is not None
            host.table.session.ask(_play("A confirm"))
            expect(page.locator(".player .chip.ok")).to_have_count(1)
            context.close()


def test_each_client_has_its_own_language(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        deal(host)
        context, page = visitor(browser)
        page.goto(f"{where.url}/table")
        page.locator(".langs a", has_text="SK").click()
        expect(page.locator("html")).to_have_attribute("lang", "sk")
        expect(page.locator("#headline")).to_contain_text("Čaká sa na: Žofia a Ján")
        shot(page, "story-slovak")
        other_context, other = visitor(browser)
        other.goto(f"{where.url}/table")
        expect(other.locator("#headline")).to_contain_text("Awaited: Žofia and Ján")
        context.close()
        other_context.close()


def _play(text: str) -> Play:
    return Play(texts=(text,))
