"""A phone says what its player can do now, and offers nothing that will be refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_kit import as_referee, chromium, join, served, visitor
from playwright.sync_api import Browser, expect
from web_kit import deal

from companion.table.commands import Play

pytestmark = pytest.mark.system("chromium")

PHONE = (390, 844)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def test_a_phone_does_not_offer_to_tell_a_draw_that_only_the_referee_tells(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        phone_context, phone = visitor(browser, PHONE)
        context, referee = visitor(browser)
        join(phone, host, where.url, "A")
        as_referee(referee, where.url)
        expect(phone.locator("#headline")).to_contain_text("A draw is due")
        expect(phone.locator("#acts button, #acts select")).to_have_count(0)
        referee.locator("#acts button.theme.water").click()
        referee.locator("#acts button.face").first.click()
        expect(phone.locator("#board [aria-label^=water]").first).to_be_visible()
        assert phone.errors == referee.errors == []
        phone_context.close()
        context.close()


def test_whose_move_it_is_reads_so_and_moves_by_one_tap(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        deal(host)
        assert host.table is not None
        session = host.table.session
        for seat in "AB":
            assert session.ask(Play(texts=(f"{seat} choose r1c1 r1c2",))).accepted
        mover = session.rules.to_act(session.state)[0].name
        waiting = "B" if mover == "A" else "A"
        names = {"A": "Žofia", "B": "Ján"}
        context, phone = visitor(browser, PHONE)
        other_context, other = visitor(browser, PHONE)
        join(phone, host, where.url, mover)
        join(other, host, where.url, waiting)
        expect(phone.locator("#headline")).to_have_text("It is your turn")
        expect(other.locator("#headline")).to_have_text(f"Awaited: {names[mover]}")
        expect(other.locator("#acts button")).to_have_count(0)
        expect(phone.locator("#acts button")).to_have_count(2)
        phone.locator("#acts button").first.click()
        expect(other.locator("#headline")).to_have_text("It is your turn")
        expect(phone.locator("#headline")).to_have_text(f"Awaited: {names[waiting]}")
        expect(phone.locator("#acts button")).to_have_count(0)
        assert phone.errors == other.errors == []
        context.close()
        other_context.close()
