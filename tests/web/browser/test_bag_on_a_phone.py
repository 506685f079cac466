"""Adding to the digital bag on a phone: the way there and back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from browser_kit import PHONE, as_referee, chromium, join, served, visitor
from playwright.sync_api import Page, expect
from web_kit import NAMES

pytestmark = pytest.mark.system("chromium")


@contextmanager
def begun_bag(folder: Path) -> Iterator[tuple[Page, Page, str]]:
    """The phone of seat A, the referee who has begun a digital bag, and the companion's address."""
    with chromium() as browser, served(folder) as (host, where):
        (context, phone), (referee_context, referee) = visitor(browser, PHONE), visitor(browser)
        join(phone, host, where.url, "A")
        as_referee(referee, where.url)
        referee.goto(f"{where.url}/draws")
        referee.get_by_role("button", name="Begin a digital bag").click()
        yield phone, referee, where.url
        context.close()
        referee_context.close()


def test_whoever_comes_to_add_meets_the_form_first_and_finds_the_way_back(tmp_path: Path) -> None:
    with begun_bag(tmp_path) as (phone, referee, url):
        phone.get_by_role("link", name="Add to the digital bag").click()
        expect(phone.locator("#value")).to_be_visible()
        bag, odds = phone.locator("#bag").bounding_box(), phone.locator("#due").bounding_box()
        assert bag is not None
        assert odds is not None
        assert bag["y"] + bag["height"] < odds["y"]
        expect(phone.get_by_role("link", name="On with the game")).to_have_count(0)
        # the record holds secrets until the end: no button that leads to a refusal
        expect(phone.get_by_role("link", name="Download the record")).to_have_count(0)
        expect(phone.get_by_text("The record can be downloaded when the game is over.")).to_be_visible()
        phone.get_by_role("button", name="Add").click()  # nothing is typed yet: nothing is sent
        phone.locator("#value").fill("Žltý kôň")
        phone.get_by_role("button", name="Add").dblclick()
        expect(phone.get_by_role("link", name="On with the game")).to_be_visible()
        expect(phone.locator("#bag li")).to_have_count(1)
        expect(phone.locator(".toast")).to_have_count(0)
        referee.get_by_role("button", name="No more contributions").click()
        expect(phone.locator("#bag .chip.ok")).to_be_visible()
        phone.get_by_role("link", name="On with the game").click()
        phone.wait_for_url("**/seat/A")
        referee.goto(f"{url}/backup")
        expect(referee.get_by_text("Save the backup after the game")).to_be_visible()
        expect(referee.locator("#make")).to_be_hidden()
        assert phone.errors == referee.errors == []  # type: ignore[attr-defined]


def test_a_promise_is_made_on_the_phone_and_opened_when_the_bag_is_closed(tmp_path: Path) -> None:
    with begun_bag(tmp_path) as (phone, referee, url):
        phone.goto(f"{url}/draws?seat=A")
        phone.locator("#how").select_option(label="sealed: only a promise now")
        with phone.context.expect_page() as opened:
            phone.get_by_role("link", name="Make a promise").click()
        maker = opened.value
        maker.locator("#sPhrase").fill("  Žltý kôň")
        maker.locator("#sMake").click()
        expect(maker.locator("#sSalt")).not_to_be_empty()
        promise, salt = maker.locator("#sPromise").inner_text(), maker.locator("#sSalt").inner_text()
        maker.close()
        phone.locator("#value").fill(f" {promise[:32]} {promise[32:].upper()} ")
        phone.get_by_role("button", name="Add").click()
        expect(phone.locator("#how option")).to_have_count(2)  # of a seat there is one promise
        referee.get_by_role("button", name="No more contributions").click()
        expect(referee.get_by_role("button", name="Go on without")).to_be_visible()
        expect(referee.get_by_role("button", name="Seal the bag")).to_have_count(0)
        phone.locator("#value").fill("Zlty kon")
        phone.locator("#salt").fill(salt)
        phone.get_by_role("button", name="Open the promise").click()
        expect(phone.locator(".toast")).to_contain_text("is not what seat A promised")
        phone.locator("#value").fill("Žltý kôň ")
        phone.get_by_role("button", name="Open the promise").click()
        expect(phone.locator("#bag li")).to_have_text(f"{NAMES[0][0]}: a phrase – Žltý kôň")
        referee.get_by_role("button", name="Seal the bag").click()
        expect(phone.locator("#bag .chip.ok")).to_be_visible()
