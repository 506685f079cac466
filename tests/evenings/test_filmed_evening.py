"""Evenings with the camera of a phone: pictures of a rendered table reach it through Chromium's fake camera."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from browser_kit import chromium
from filmed_kit import SEATS, FilmedEvening, shown, tiles_at
from playwright.sync_api import expect

pytestmark = [
    pytest.mark.system("chromium"), pytest.mark.whole_evening,
    pytest.mark.timeout(1800),
]


@contextmanager
def evening(folder: Path, **more: bool) -> Iterator[FilmedEvening]:
    """The server, which ends with the evening."""
    here = FilmedEvening(folder, **more)
    try:
        yield here
    finally:
        here.served.kill()


def test_the_camera_deals_by_itself_and_goes_on_through_reload_and_power_failure(tmp_path: Path) -> None:
    with evening(tmp_path) as here, chromium(*shown(tmp_path, 0)) as browser:
        here.open(browser)
        looking = here.camera(browser)
        for slot in tiles_at(0):
            expect(here.tile(slot)).not_to_have_attribute("aria-label", "empty")
        expect(looking.see("#standing")).to_contain_text("Used")
        looking.page.reload()
        expect(looking.see("#rate")).to_contain_text("pictures a second")
        here.served.kill()
        here.served.start()
        for person in here.people():
            expect(person.see("#banners .banner.bad")).to_have_count(0)
        expect(looking.see("#rate")).to_contain_text("pictures a second")
        expect(looking.see("#standing")).to_contain_text("Used")
        here.no_faults()


def test_a_camera_that_joins_in_round_three_offers_what_differs_for_one_tap(tmp_path: Path) -> None:
    with evening(tmp_path) as here, chromium(*shown(tmp_path, 34)) as browser:
        here.open(browser)
        here.deal()
        here.play(1, 33)
        looking = here.camera(browser)
        alert = here.referee.see("#alerts .alert").filter(has_text="The camera has joined the game")
        expect(alert).to_be_visible()
        here.referee.tap(alert.locator("button.primary"), "take over")
        for player in here.players:
            player.tap("#proposal [data-key=agree]", "agree")
            player.done("agree")
        for person in here.people():
            expect(person.see("#proposal *")).to_have_count(0)
        expect(alert).to_have_count(0)
        expect(looking.see("#standing")).to_contain_text("Used")
        here.referee.done("take over")
        here.no_faults()


def test_a_camera_that_joins_after_an_untold_capture_asks_for_it_and_then_follows(tmp_path: Path) -> None:
    with evening(tmp_path) as here, chromium(*shown(tmp_path, 30)) as browser:
        here.open(browser)
        here.deal()
        here.play(1, 6)
        looking = here.camera(browser)
        alert = here.referee.see("#alerts .alert").filter(has_text="Tell what was captured and drawn there")
        expect(alert).to_be_visible()
        expect(alert.locator("button.primary")).to_have_count(0)  # nothing is offered that would be refused
        here.play(7, 26)  # what was drawn since then the camera tells by itself
        expect(alert).to_have_count(0)
        for slot in tiles_at(30):
            expect(here.tile(slot)).not_to_have_attribute("aria-label", "empty")
        expect(looking.see("#standing")).to_contain_text("Used")
        here.no_faults()


def test_the_camera_goes_on_through_a_locked_screen_a_reload_and_a_restart_while_the_box_is_pressed(
    tmp_path: Path,
) -> None:
    with evening(tmp_path) as here, chromium(*shown(tmp_path, 0)) as browser:
        here.open(browser)
        looking = here.camera(browser)
        starter = here.referee.see("#acts [data-draw]")  # the camera has dealt
        expect(starter).to_have_count(len(SEATS))
        here.draw_starter()
        here.lock_and_unlock()
        here.press_the_box(0)
        looking.page.reload()
        here.pictures_are_used()
        here.served.kill()
        here.served.start()
        for person in here.people():
            expect(person.see("#banners .banner.bad")).to_have_count(0)
        here.pictures_are_used()
        here.lock_and_unlock()
        here.press_the_box(1)
        here.no_faults()
