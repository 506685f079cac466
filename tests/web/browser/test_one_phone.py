"""Somebody with one phone only learns a box: single pictures, taken and looked over on the same page."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser_kit import PHONE, as_referee, chromium, served, shot, visitor
from playwright.sync_api import Route, expect

GRID = Path(__file__).parents[2] / "vision" / "fixtures" / "sample" / "grid" / "001.jpg"

OLD_MS = 1500
"""Then a camera that streams would be said to have stopped (`vision.sources.watch`)."""

pytestmark = pytest.mark.system("chromium")


def test_tiles_photographed_with_the_only_phone_are_taken_on_the_same_page(tmp_path: Path) -> None:
    with served(tmp_path, game=False) as (_, where), chromium() as browser:
        context, page = visitor(browser, PHONE, has_touch=True, is_mobile=True)
        as_referee(page, where.url)
        page.goto(f"{where.url}/enrol")
        expect(page.locator("#shot-place")).to_be_visible()
        page.locator("#shot").set_input_files({"name": "1.jpg", "mimeType": "image/jpeg", "buffer": b"no picture"})
        expect(page.locator(".toast")).to_contain_text("cannot be read")
        page.locator(".toast button").click()
        said: list[str] = []

        def sent(route: Route) -> None:
            said.append(page.locator("#shot-place").inner_text())
            route.continue_()

        page.route("**/api/camera/frame*", sent)
        page.locator("#shot").set_input_files(GRID)
        expect(page.locator("#outlines polygon")).not_to_have_count(0)
        assert said[0] == "A moment…"
        expect(page.locator("#shot-place")).to_have_text("Photograph with this phone")
        page.wait_for_timeout(OLD_MS)
        expect(page.locator("#banners .bad")).to_have_count(0)  # a single picture grows old
        expect(page.locator("#shot-place")).to_be_in_viewport()
        page.locator("#take").click()
        expect(page.locator("#open .piece")).not_to_have_count(0)
        expect(page.locator("#question h2")).to_be_in_viewport()  # far below the camera on a phone
        expect(page.locator("main button.primary:visible")).to_have_count(1)
        expect(page.locator("#keep")).to_contain_class("primary")
        shot(page, "one-phone-taken")
        _, computer = visitor(browser)
        computer.context.add_cookies(context.cookies())
        computer.goto(f"{where.url}/enrol")
        expect(computer.locator("#take")).to_be_visible()
        expect(computer.locator("#shot-place")).to_be_hidden()  # it is not held over a table
        expect(computer.locator("#seen")).to_contain_text("picture is old")  # nobody photographs here
        expect(page.locator("#seen")).not_to_contain_text("picture is old")
        assert page.errors == []
        context.close()


def test_the_game_that_was_chosen_is_there_when_the_page_is_read_again(tmp_path: Path) -> None:
    with served(tmp_path, game=False) as (_, where), chromium() as browser:
        context, page = visitor(browser, PHONE)
        as_referee(page, where.url)
        page.goto(f"{where.url}/enrol")
        page.locator("#game").select_option("spyrium")
        expect(page.locator("#progress")).to_contain_text("Events")
        page.reload()
        expect(page.locator("#game")).to_have_value("spyrium")
        context.close()
