"""People come to the table by what the pages show: codes are read from the screen's pixels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_kit import DESKTOP, as_referee, chromium, served, visitor
from evening_kit import PHONE, SCREEN, scanned
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.system("chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.mark.parametrize(("size", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")])
def test_the_seats_codes_are_scanned_from_the_screen_and_lead_to_the_seats(
    tmp_path: Path, browser: Browser, size: tuple[int, int], scheme: str
) -> None:
    with served(tmp_path, 3) as (_, where):
        context, page = visitor(browser, size, color_scheme=scheme)
        as_referee(page, where.url)
        expect(page.locator("#code-list .qr")).to_have_count(3)
        addresses = [scanned(code) for code in page.locator("#code-list .qr").all()]
        for seat, address in zip("ABC", addresses, strict=True):
            phone_context, phone = visitor(browser, PHONE)
            phone.goto(address)
            phone.wait_for_url("**/seat/*")
            expect(phone.locator("#who")).to_have_text(seat)
            phone_context.close()
        context.close()


def test_the_big_screen_shows_codes_until_all_have_joined_and_each_is_used_once(
    tmp_path: Path, browser: Browser
) -> None:
    with served(tmp_path, 2) as (_, where):
        context, screen = visitor(browser, SCREEN)
        screen.goto(f"{where.url}/table")
        expect(screen.locator("#joining .qr")).to_have_count(2)
        codes = [scanned(code) for code in screen.locator("#joining .qr").all()]
        seats = {address.partition("#")[0][-1]: address for address in codes}
        assert set(seats) == {"A", "B"}
        people = []
        for seat, address in seats.items():
            person, phone = visitor(browser, PHONE)
            people.append(person)
            phone.goto(address)
            phone.wait_for_url(f"**/seat/{seat}")
            assert phone.errors == []
            expect(screen.locator("#joining .qr")).to_have_count(2 - len(people))
        stranger, other = visitor(browser, PHONE)
        other.goto(seats["A"])
        expect(other.locator(".toast")).to_contain_text("this code does not open the seat any more")
        assert screen.errors == []
        for each in (context, stranger, *people):
            each.close()


def test_the_referee_sees_who_has_joined_and_a_new_code_sends_the_old_phone_away(
    tmp_path: Path, browser: Browser
) -> None:
    with served(tmp_path, 2) as (_, where):
        context, referee = visitor(browser)
        as_referee(referee, where.url)
        seat = referee.locator(".seat-code").first
        expect(seat).to_contain_text("has not joined yet")
        phones = [visitor(browser, PHONE) for _ in range(2)]
        for n, (_, phone) in enumerate(phones, start=1):
            phone.goto(scanned(seat.locator(".qr")))
            phone.wait_for_url("**/seat/A")
            expect(seat.locator(".chip")).to_have_text("is here" if n == 1 else "devices at this seat: 2")
        for _, phone in phones:
            expect(phone.locator("#banners")).to_contain_text("2 devices are joined to this seat")
        seat.get_by_role("button", name="New code; the old phone leaves").click()
        for person, phone in phones:
            expect(phone.locator("h1")).to_have_text("Join")
            assert phone.errors == []
            person.close()
        expect(seat).to_contain_text("has not joined yet")
        seat.get_by_role("button", name="Withdraw the code").click()
        expect(seat).to_contain_text("The code is withdrawn")
        assert referee.errors == []
        context.close()
