"""What people read when somebody does not agree, and when what they told has not come through."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_kit import PHONE, as_referee, chromium, join, served, visitor
from playwright.sync_api import Browser, Route, expect
from web_kit import deal

pytestmark = pytest.mark.system("chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def test_everybody_reads_who_does_not_agree_until_something_else_is_done(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        deal(host)
        (context, phone), (referee_context, referee) = visitor(browser, PHONE, locale="sk-SK"), visitor(browser)
        join(phone, host, where.url, "A")
        as_referee(referee, where.url)
        referee.locator("#board .cell").first.click()  # places are chosen in secret: no mark promises otherwise
        expect(referee.locator(".toast")).to_contain_text("Players enter their choices on their own pages")
        referee.locator("#undo").click()
        referee.get_by_role("button", name="Ask everybody").click()
        phone.locator("#proposal [data-key=disagree]").click()
        expect(referee.locator("#proposal")).to_have_text("Žofia does not agree. Nothing is taken back.")
        expect(phone.locator("#proposal")).to_have_text("Žofia nesúhlasí. Nič sa nevracia späť.")
        phone.locator("#board .cell.can").first.click()
        phone.locator("#acts button.primary").click()
        expect(referee.locator("#proposal *")).to_have_count(0)
        referee.locator("#undo").click()
        referee.get_by_role("button", name="Ask everybody").click()
        referee.locator("#proposal [data-key=disagree]").click()
        expect(phone.locator("#proposal *")).to_have_count(0)  # who asked asks no longer: that is no refusal
        referee.locator("#undo").click()
        referee.get_by_role("button", name="Ask everybody").click()
        expect(phone.locator("#proposal [data-key=agree]")).to_be_visible()
        phone.locator("#acts button", has_text="Vziať potvrdenie späť").click()
        void = "Something else was done meanwhile: nobody is asked any more."
        expect(referee.locator("#proposal")).to_have_text(void)
        assert phone.errors == referee.errors == []
        context.close()
        referee_context.close()


def test_a_seat_that_is_opened_here_leaves_the_referee_the_referee(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (_, where):
        context, referee = visitor(browser)
        elsewhere = f"http://localhost:{where.port}"  # not the address in the codes
        as_referee(referee, elsewhere)
        referee.locator("#code-list a").first.click()
        referee.wait_for_url(f"{elsewhere}/seat/A")
        referee.goto(f"{elsewhere}/referee")
        expect(referee.locator("#code-list")).to_be_attached()
        context.close()


def test_what_did_not_come_through_is_said_and_stays_marked(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        deal(host)
        context, phone = visitor(browser, PHONE)
        join(phone, host, where.url, "A")
        phone.locator("#board .cell.can").first.click()
        context.set_offline(True)
        phone.locator("#acts button.primary").click()
        expect(phone.locator(".toast")).to_contain_text("this was probably not done. Look again when the link is back.")
        context.set_offline(False)
        phone.locator(".toast button").click()
        phone.reload()
        phone.locator("#acts button.primary").click()
        expect(phone.locator("#acts")).to_contain_text("Take my confirmation back")
        assert phone.errors == []
        context.close()


def test_what_is_slow_is_said_to_be_on_its_way_and_begins_one_game(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path, game=False) as (host, where):
        context, referee = visitor(browser)
        as_referee(referee, where.url)
        referee.goto(f"{where.url}/setup")
        for i, name in enumerate(("Žofia", "Ján")):
            referee.locator(".seat-name").nth(i).fill(name)
        waiting: list[Route] = []
        referee.route("**/api/begin**", lambda route: waiting.append(route))
        begin = referee.get_by_role("button", name="Begin the game")
        begin.click()
        expect(referee.locator(".on-its-way.on")).to_have_text("A moment…")
        begin.click()
        for one in waiting:
            one.continue_()
        referee.wait_for_url("**/referee")
        assert len(host.sessions()) == 1
        context.close()
