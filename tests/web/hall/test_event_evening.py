"""An event of two tables in Chromium, by clicks: pairing, a swap, paper results, a correction, the final standings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_kit import DESKTOP, chromium, visitor
from hall_kit import PIN, a_hall
from playwright.sync_api import Page

from companion.app.hub.serve import serving_hub
from companion.hub.events.standings import standings
from companion.hub.hall import Hall

pytestmark = [pytest.mark.system("postgresql"), pytest.mark.system("chromium"), pytest.mark.long]
PHONE = (390, 844)
NAMES = "Anna,Lipa,\nBert,,yes\nCyril,,\nDana,Lipa,\nEmil,,\nFela,,\nGusta,,\nHana,,\n"
SHOTS = Path(__file__).parents[3] / "artefacts" / "hall"


@pytest.fixture
def served(postgres_server: Any) -> Iterator[tuple[Hall, str]]:
    """A hall and its address."""
    with (
        a_hall(postgres_server.new_place()) as (hall, _),
        serving_hub(hall, bind="127.0.0.1", port=0, tls_folder=None) as where,
    ):
        yield hall, where.url


def shot(page: Page, name: str) -> None:
    """Kept to be looked at; nothing on a page is wider than its screen."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=str(SHOTS / f"{name}.png"), full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name


def enter(page: Page, table: int, order: list[int]) -> None:
    """The result of a table, entered place by place in the order of the seats."""
    page.locator(".table").nth(table).locator("a.button").click()
    for seat, place in enumerate(order):
        page.locator("fieldset select").nth(seat).select_option(str(place))
        page.locator("fieldset input").nth(seat).fill(str(40 - 10 * place))
    if page.locator("#reason").count():
        page.fill("#reason", "the sheet was read upside down")
        shot(page, "correction")
    page.click("button.primary.big")
    page.wait_for_selector(".table")


def test_an_evening_of_two_tables_and_three_rounds(served: tuple[Hall, str]) -> None:
    hall, url = served
    with chromium() as browser:
        context, page = visitor(browser, DESKTOP)
        page.goto(f"{url}/login")
        page.fill("#pin", PIN)
        page.click("button.primary")
        page.wait_for_selector("#pin", state="detached")
        page.goto(f"{url}/events")
        page.fill("#new input[name=name]", "Club evening")
        page.fill("#new input[name=rounds]", "3")
        shot(page, "new-event")
        page.click("#new button.primary")
        page.fill("#text", "Anna\n,x\nAnna")
        page.click("button.primary")
        assert "line 2" in page.inner_text("main")
        assert "line 3" in page.inner_text("main")
        page.go_back()
        page.fill("#text", NAMES)
        page.click("button.primary")
        shot(page, "players")
        own = page.locator("td a").nth(0).get_attribute("href")
        page.click(".tabs a >> nth=0")
        page.click("button.primary.big")
        first = page.locator(".table").nth(0).locator("a.button").nth(0)
        moved = first.inner_text()
        first.click()
        shot(page, "swap")
        page.locator(".table").nth(1).locator("button").nth(0).click()
        assert page.locator(".table").nth(1).locator("a.button").nth(0).inner_text() == moved
        phone_context, phone = visitor(browser, PHONE)
        for number in (1, 2, 3):
            if number > 1:
                page.click("button.primary.big")  # pair
            page.click("text=Start the round")
            if number == 1:
                phone.goto(f"{url}{own}")
                shot(phone, "player")
                assert "Table" in phone.inner_text(".headline")
                phone.goto(f"{url}/events/1")
                shot(phone, "public")
                assert "Bert" not in phone.inner_text("main")
            for table in (0, 1):
                enter(page, table, [1, 2, 3, 4])
            if number == 2:
                shot(page, "round")
                enter(page, 0, [4, 3, 2, 1])
                page.click(".tabs a >> nth=4")
                shot(page, "history")
                assert "upside down" in page.inner_text("main")
                page.click(".tabs a >> nth=0")
        page.click("text=End the event")
        shot(page, "standings")
        expected = [row.player.name for row in standings(hall.events.event(1))]
        assert [text.split()[0] for text in page.locator("summary").all_inner_texts()] == expected
        for what in ("plan", "sheets", "codes"):
            page.goto(f"{url}/events/1/print/{what}")
            shot(page, f"print-{what}")
        page.goto(f"{url}/events/1/rules")
        page.click("summary")
        shot(page, "rules")
        phone.goto(f"{url}{own}")
        shot(phone, "player-end")
        phone.goto(f"{url}/events/1/standings")
        shot(phone, "standings-phone")
        phone.goto(f"{url}/events/statistics")
        shot(phone, "statistics")
        assert "Bert" not in phone.inner_text("main")
        assert page.errors + phone.errors == []  # type: ignore[attr-defined]
        phone_context.close()
        context.close()
    found = hall.events.event(1)
    assert found.over
    assert [len(table.given) for table in found.rounds[1].tables] == [2, 1]
