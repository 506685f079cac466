"""A table of a hall in Chromium: a player calls a referee, who comes; the public watches, and a review freezes it."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser_kit import chromium, join, serious, served, shot, until, visitor
from hall_kit import PIN, a_hall, join_folder
from playwright.sync_api import Page, expect
from silent_network import SilentNetwork
from web_kit import deal, play_on

from companion.app.hub.serve import serving_hub
from companion.hub.hall import wall_ms
from companion.hub.store.staff import StaffRole

pytestmark = [pytest.mark.system("postgresql"), pytest.mark.system("chromium"), pytest.mark.long]
PHONE, LAPTOP, SCREEN = (390, 844), (1280, 800), (1920, 1080)


def fits(page: Page) -> bool:
    """Whether nothing is wider than the page."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_a_player_calls_and_a_referee_comes_while_the_public_watches(hub_place: str, tmp_path: Path) -> None:
    with (
        a_hall(hub_place, wall_ms) as (hall, _),
        serving_hub(hall, bind="127.0.0.1", port=0, tls_folder=None) as hub,
        chromium() as browser,
    ):
        assert hall.notices.connected.wait(10)
        table = join_folder(hall, hub.url, tmp_path / "seven", "7")
        _, pin = hall.staff.add("Eva", StaffRole.REFEREE)
        with served(tmp_path / "seven", 2) as (host, where):
            deal(host)
            _, public = visitor(browser, LAPTOP)
            public.goto(f"{hub.url}/watch/{table}")
            expect(public.locator("#board .cell").first).to_be_visible()  # drawn by the table's own scripts
            clauses = f"{hub.url}/api/watch/{table}/clauses"
            assert public.request.get(f"{clauses}/E33?lang=sk").json()["id"] == "E33"
            assert public.request.get(f"{clauses}/none").status == 404
            _, referee = visitor(browser, PHONE)
            referee.goto(f"{hub.url}/login#{pin}")  # the code that the organiser shows
            expect(referee.locator("#open")).to_contain_text("Nobody calls.")
            expect(referee.locator("#done-calls")).to_be_hidden()
            _, player = visitor(browser, PHONE)
            join(player, host, where.url, "A")
            shot(player, "hall-player")
            player.click("#call-referee")
            expect(player.locator("#called")).to_contain_text("Somebody will come.")
            expect(player.locator("#call-referee")).to_be_hidden()
            expect(player.locator("#called")).to_be_in_viewport()  # its button was at the foot of the page
            expect(public.locator("#standing")).to_contain_text("A referee is called.")
            expect(referee.locator("#open h2")).to_contain_text("Table 7")
            expect(referee.locator("#open")).to_contain_text("Žofia")
            shot(referee, "hall-calls")
            shot(player, "hall-called")
            assert (serious(referee), serious(player), fits(referee), fits(player)) == ([], [], True, True)
            referee.click("text=I go there")
            expect(player.locator("#called")).to_contain_text("Eva, a referee of the hall, comes.")

            referee.click("#open h2 a")
            referee.click("#review")
            referee.click("dialog button.primary")
            expect(public.locator("#standing")).to_contain_text("under review")
            before = public.locator("#headline").inner_text()
            play_on(host, 6)
            referee.goto(f"{hub.url}/live/{table}")
            expect(referee.locator("#headline")).not_to_have_text(before)  # the hall's people see the table as it is
            assert public.locator("#headline").inner_text() == before
            referee.click("#release")
            expect(public.locator("#headline")).not_to_have_text(before)
            until(public, lambda: public.inner_text("#headline") == referee.inner_text("#headline"))
            referee.goto(f"{hub.url}/calls")
            referee.click("text=Done >> nth=0")
            expect(player.locator("#call-referee")).to_be_visible()
            assert (serious(public), fits(public)) == ([], True)

            _, organiser = visitor(browser, SCREEN, color_scheme="dark")
            organiser.goto(f"{hub.url}/login")
            organiser.fill("#pin", PIN)
            organiser.click("button.primary")
            organiser.click("text=Overview")
            expect(organiser.locator(".tablecard .seats li")).to_have_count(2)
            shot(organiser, "hall-overview")
            assert (serious(organiser), fits(organiser)) == ([], True)
            public.goto(f"{hub.url}/screen")
            expect(public.locator("#name")).to_have_text("Table 7")
            public.goto(f"{hub.url}/watch/{table}/overlay/score")
            expect(public.locator(".box")).to_have_count(2)
            for page in (public, referee, player, organiser):
                assert page.errors == []  # type: ignore[attr-defined]


def test_a_screen_whose_connection_fell_silent_says_so_and_connects_anew(hub_place: str) -> None:
    with (
        a_hall(hub_place, wall_ms) as (hall, _),
        serving_hub(hall, bind="127.0.0.1", port=0, tls_folder=None) as hub,
        SilentNetwork(hub.port) as network,
        chromium() as browser,
    ):
        assert hall.notices.connected.wait(10)
        hall.tables.add("7", hall.clock_ms())
        _, public = visitor(browser, PHONE)
        public.goto(f"{network.url}/watch")
        expect(public.locator("body")).to_contain_text("7")
        network.fall_silent()
        expect(public.locator("#banners .bad")).to_contain_text("The link to the companion is lost", timeout=60_000)
        expect(public.locator("#banners .bad")).to_have_count(0, timeout=90_000)
        assert public.errors == []  # type: ignore[attr-defined]
