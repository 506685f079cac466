"""A phone whose seat's code was withdrawn is out, says so and says what to do, and comes back by the new code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_kit import PHONE, as_referee, chromium, join, served, shot, visitor
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.system("chromium")

WORDS = {
    "en-GB": ("This phone is not at its seat any more", "ask the referee for a new code"),
    "sk-SK": ("Tento telefón už nie je na svojom mieste", "vypýtajte si od rozhodcu nový kód"),
    "cs-CZ": ("Tento telefon už není na svém místě", "vyžádejte si od rozhodčího nový kód"),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize("linked", [True, False])
def test_a_phone_whose_code_was_withdrawn_says_what_to_do_and_joins_by_the_new_one(
    tmp_path: Path, browser: Browser, language: str, linked: bool
) -> None:
    with served(tmp_path) as (host, where):
        laptop, referee = visitor(browser)
        person, phone = visitor(browser, PHONE, locale=language)
        as_referee(referee, where.url)
        join(phone, host, where.url, "A")
        expect(phone.locator("#headline")).not_to_be_empty()
        seat = referee.locator(".seat-code").first
        expect(seat.locator(".chip")).to_have_text("is here")
        person.set_offline(not linked)
        if not referee.locator("details:has(#code-list)").evaluate("one => one.open"):
            referee.locator("details:has(#code-list) > summary").click()
        seat.get_by_role("button", name="Withdraw the code; the phone leaves").click()
        expect(seat).to_contain_text("The code is withdrawn")
        expect(seat).to_contain_text("has not joined yet")
        person.set_offline(False)
        what, todo = WORDS[language]
        expect(phone.locator("main")).to_contain_text(what)
        expect(phone.locator("main")).to_contain_text(todo)
        shot(phone, f"put-out-{language}")
        seat.get_by_role("button", name="New code").click()
        address = seat.get_by_role("link").evaluate("one => one.href")
        phone.goto(str(address))
        phone.wait_for_url("**/seat/A")
        expect(phone.locator("#headline")).not_to_be_empty()
        assert phone.errors == []  # type: ignore[attr-defined]
        assert referee.errors == []  # type: ignore[attr-defined]
        for each in (laptop, person):
            each.close()


def test_a_phone_that_never_joined_is_told_to_scan_a_code_and_nothing_else(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (_, where):
        person, phone = visitor(browser, PHONE)
        phone.goto(f"{where.url}/seat/A")
        expect(phone.locator("main")).to_contain_text("Scan the code of your seat")
        expect(phone.locator("#out")).to_have_count(0)
        person.close()
