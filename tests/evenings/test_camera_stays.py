"""A phone that lends its camera goes on through what happens in an evening."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from browser_kit import PHONE, as_referee, chromium, served, until, visitor
from playwright.sync_api import Page, Route, expect
from web_kit import PIN, hosting

from companion.app.dashboard.server.serve import serving

pytestmark = pytest.mark.system("chromium")

FAKE_CAMERA = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")


def test_the_camera_phone_goes_on_when_a_game_is_begun_and_when_its_page_is_loaded_again(tmp_path: Path) -> None:
    with (
        served(tmp_path, game=False, https_port=0) as (_, where),
        chromium(*FAKE_CAMERA) as browser,
    ):
        phone_context, phone = visitor(browser, PHONE, ignore_https_errors=True, permissions=["camera"])
        as_referee(phone, where.https_url)
        a_tap_before_the_script_is_there_is_not_lost(phone, f"{where.https_url}/camera")
        expect(phone.locator("#standing")).to_have_text("Not used: tap Start.")
        phone.locator("#start").click()  # no other camera was chosen: this phone is it now
        pictures_come(phone)
        expect(phone.locator("#standing")).to_contain_text("The picture arrives")
        context, referee = visitor(browser)
        as_referee(referee, where.url)
        referee.goto(f"{where.url}/setup")
        referee.get_by_label("Name of player 1").fill("Žofia")
        referee.get_by_label("Name of player 2").fill("Ján")
        referee.get_by_role("button", name="Begin the game").click()
        referee.wait_for_url("**/referee")
        expect(phone.locator("#banners")).to_contain_text("Sample edition")  # it knows of the new game
        pictures_come(phone)
        phone.reload()
        pictures_come(phone)
        expect(phone.locator("#rate")).to_contain_text("pictures a second")
        assert phone.errors == referee.errors == []
        context.close()
        phone_context.close()


def test_the_camera_phone_goes_on_when_the_companion_is_started_again(tmp_path: Path) -> None:
    with chromium(*FAKE_CAMERA) as browser:
        context, phone = visitor(browser, PHONE, ignore_https_errors=True, permissions=["camera"])
        with served(tmp_path, game=False, camera="browser", https_port=0) as (_, where):
            as_referee(phone, where.https_url)
            phone.goto(f"{where.https_url}/camera")
            phone.locator("#start").click()
            pictures_come(phone)
        lost = "Not used. The link to the companion is lost. This page comes back by itself."
        expect(phone.locator("#standing")).to_have_text(lost)  # nothing is offered that cannot be done now
        https_port = int(where.https_url.rpartition(":")[2])
        with (
            hosting(tmp_path, game=False, camera="browser") as host,
            serving(host, tmp_path / "web", bind="127.0.0.1", port=where.port, https_port=https_port, pin=PIN),
        ):
            pictures_come(phone)
            expect(phone.locator("#standing")).to_contain_text("The picture arrives")
            assert phone.errors == []
            context.close()


def test_a_camera_that_is_unplugged_is_said_and_asked_for_again(tmp_path: Path) -> None:
    with (
        served(tmp_path, game=False, camera="browser", https_port=0) as (_, where),
        chromium(*FAKE_CAMERA) as browser,
    ):
        context, phone = visitor(browser, PHONE, ignore_https_errors=True, permissions=["camera"], locale="sk-SK")
        as_referee(phone, where.https_url)
        phone.goto(f"{where.https_url}/camera")
        expect(phone.locator("#camera-code svg")).to_be_visible()  # on a laptop the phone scans it
        phone.locator("#start").click()
        pictures_come(phone)
        expect(phone.locator("#rate")).to_contain_text(re.compile(r"\d,\d"))
        phone.evaluate("""() => {
          const media = navigator.mediaDevices, give = media.getUserMedia.bind(media);
          media.getUserMedia = () => Promise.reject(new Error("unplugged"));
          window.plugIn = () => { media.getUserMedia = give; };
          document.querySelector("video").srcObject.getTracks().forEach((track) => track.stop());
        }""")
        expect(phone.locator("#standing")).to_contain_text("Kamera bola odpojená")
        why = phone.locator("#banners .remedy")
        expect(why).to_contain_text("obraz")
        first_letter = "e => getComputedStyle(e, '::first-letter').textTransform"
        until(phone, lambda: why.evaluate(first_letter) == "uppercase")  # a sentence, once its style is worked out
        phone.evaluate("window.plugIn()")
        pictures_come(phone)
        expect(phone.locator("#standing")).to_contain_text("Obrázok prichádza")
        context.close()


def a_tap_before_the_script_is_there_is_not_lost(phone: Page, address: str) -> None:
    """While a page's script is still on its way its buttons cannot be pressed, and do not look so."""
    held: list[Route] = []
    phone.route("**/static/camera.js", lambda route: held.append(route))
    phone.goto(address, wait_until="commit")
    expect(phone.locator("#start")).to_have_css("pointer-events", "none")
    until(phone, lambda: bool(held))
    held[0].continue_()
    expect(phone.locator("#start")).to_have_css("pointer-events", "auto")
    phone.unroute("**/static/camera.js")


def pictures_come(phone: Page) -> None:
    """The companion takes the next pictures of this phone."""
    for _ in range(3):
        with phone.expect_response(lambda answer: answer.url.split("?")[0].endswith("/camera/frame") and answer.ok):
            pass
