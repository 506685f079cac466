"""Adding to the digital bag on a phone: the way there and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser_kit import PHONE, as_referee, chromium, join, served, visitor
from playwright.sync_api import expect

pytestmark = pytest.mark.system("chromium")


def test_whoever_comes_to_add_meets_the_form_first_and_finds_the_way_back(tmp_path: Path) -> None:
    with chromium() as browser, served(tmp_path) as (host, where):
        (context, phone), (referee_context, referee) = visitor(browser, PHONE), visitor(browser)
        join(phone, host, where.url, "A")
        as_referee(referee, where.url)
        referee.goto(f"{where.url}/draws")
        referee.get_by_role("button", name="Begin a digital bag").click()
        phone.get_by_role("link", name="Add to the digital bag").click()
        expect(phone.locator("#value")).to_be_visible()
        bag, odds = phone.locator("#bag").bounding_box(), phone.locator("#due").bounding_box()
        assert bag is not None
        assert odds is not None
        assert bag["y"] + bag["height"] < odds["y"]
        expect(phone.get_by_role("link", name="On with the game")).to_have_count(0)
        phone.locator("#value").fill("Žltý kôň")
        phone.get_by_role("button", name="Add").click()
        expect(phone.get_by_role("link", name="On with the game")).to_be_visible()
        referee.get_by_role("button", name="No more contributions").click()
        expect(phone.locator("#bag .chip.ok")).to_be_visible()
        phone.get_by_role("link", name="On with the game").click()
        phone.wait_for_url("**/seat/A")
        assert phone.errors == referee.errors == []  # type: ignore[attr-defined]
        context.close()
        referee_context.close()
