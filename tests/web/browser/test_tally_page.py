"""The tally from a picture: which tile is not sure, what it is likely to be, and what nobody but a person can say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from browser_kit import PHONE, as_referee, chromium, served, shot, visitor
from playwright.sync_api import Browser, Page, expect

from companion.core.messages import Message
from vision.spread.tally_reading import MAY_HIDE
from web.ports.devices import TallyLook, TallyTile

pytestmark = pytest.mark.system("chromium")

DOUBT = MAY_HIDE


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def square(x: float, y: float) -> tuple[tuple[float, float], ...]:
    """Corners of a tile, as parts of the picture."""
    return (x, y), (x + 0.2, y), (x + 0.2, y + 0.2), (x, y + 0.2)


class Unsure:
    """Reads one sure tile, one unknown and one that is named and not sure, and cannot tell whether these are all."""

    def read(self, jpeg: bytes, captured: int | None = None) -> TallyLook:
        """What lies in any picture; no game was played to its end."""
        assert jpeg
        assert captured is None
        tiles = (
            TallyTile("flora-1-b", 0.99, ("flora-1-b",), square(0.1, 0.1)),
            TallyTile(None, 0.6, ("bonus-4-b", "bonus-4-a"), square(0.4, 0.1), ask=True),
            TallyTile("fire-1-a", 0.9, ("fire-1-a", "fire-2-a"), square(0.7, 0.1), ask=True),
        )
        return TallyLook(tiles, False, (DOUBT,), (640, 480), square(0.4, 0.6))


def photograph_tally(page: Page, url: str) -> None:
    """Choose a picture of the first player's tiles on the page of tallies."""
    picture = cv2.imencode(".jpg", np.full((480, 640, 3), 90, np.uint8))[1].tobytes()
    as_referee(page, url)
    page.goto(f"{url}/tally")
    page.locator("#file-0").set_input_files({"name": "1.jpg", "mimeType": "image/jpeg", "buffer": picture})


def test_a_doubtful_tile_is_settled_by_one_tap_and_what_may_be_hidden_by_another(
    tmp_path: Path, browser: Browser
) -> None:
    with served(tmp_path) as (host, where):
        host.tally = Unsure()
        context, page = visitor(browser, PHONE, locale="sk-SK")
        photograph_tally(page, where.url)
        asked = page.locator("#tallies [role=group]")
        expect(asked).to_have_count(2)
        shot(page, "story-tally-asked")
        assert page.locator(".tallyshot .number").all_inner_texts() == ["2", "3"]
        expect(page.locator("#tallies")).to_contain_text("To, čo leží vedľa dielikov, môže zakrývať ďalší")
        expect(page.locator(".tallyshot polygon.hides")).to_have_count(1)
        complete = page.get_by_role("button", name="Zoznam je správny a úplný")
        expect(complete).to_have_count(0)  # first which tiles these are
        asked.first.get_by_role("button").first.click()
        expect(asked).to_have_count(1)
        asked.first.get_by_role("button").first.click()
        expect(asked).to_have_count(0)
        chosen = page.locator("[id^='tile-0-']").evaluate_all("all => all.map(one => one.value)")
        assert chosen == ["flora-1-b", "bonus-4-b", "fire-1-a"]
        expect(page.locator("#verdict h2")).to_contain_text("Ešte nie je isté")
        complete.click()
        expect(page.locator("#verdict h2")).to_contain_text("Víťaz")
        assert page.errors == []  # type: ignore[attr-defined]
        context.close()


class Nothing:
    """Finds no tile in any picture."""

    def read(self, jpeg: bytes, captured: int | None = None) -> TallyLook:
        """What lies in any picture; no game was played to its end."""
        assert jpeg
        assert captured is None
        return TallyLook((), False, (Message("No tiles were found."),), (640, 480))


def test_a_picture_without_tiles_says_how_to_take_a_better_one(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        host.tally = Nothing()
        context, page = visitor(browser, PHONE, locale="cs-CZ")
        photograph_tally(page, where.url)
        expect(page.locator("#tallies")).to_contain_text("Nenašly se žádné dílky.")
        expect(page.locator("#tallies")).to_contain_text("Vyfoťte je ještě jednou: shora, ostře, v dobrém světle")
        assert page.errors == []  # type: ignore[attr-defined]
        context.close()
