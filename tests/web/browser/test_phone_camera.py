"""The camera in the browser: a phone's pictures over https are recognised; a picture of captured tiles is tallied."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from browser_kit import PHONE, as_referee, chromium, served, shot, visitor
from fake_camera import shown_to_camera
from playwright.sync_api import expect
from web_kit import StillCamera

import companion.app
from companion.app.dashboard.filmed_game import film_choice
from companion.core.messages import NO_MESSAGE, Message
from web.ports.devices import CameraLook

FILM = Path(companion.app.__file__).parent / "demo" / "film"
SAMPLE = Path(__file__).parents[2] / "vision" / "fixtures" / "sample"
READING_S = 300.0

pytestmark = pytest.mark.system("chromium")


def test_a_phones_pictures_of_a_table_are_recognised_end_to_end(tmp_path: Path) -> None:
    fake = shown_to_camera(tmp_path, FILM / "game" / "0000.webp")
    truth = dealt()
    with (
        served(tmp_path, game=False, camera="browser", enrolled=FILM, https_port=0) as (host, where),
        chromium(*fake) as browser,
    ):
        host.begin(film_choice(FILM))
        context, page = visitor(browser, PHONE, ignore_https_errors=True, permissions=["camera"])
        as_referee(page, where.https_url)
        page.goto(f"{where.https_url}/camera")
        assert host.table is not None
        assert host.camera is not None
        session = host.table.session
        news = session.subscribe()
        page.locator("#wanted").select_option("1280x720")
        page.locator("#start").click()
        expect(page.locator("#rate")).to_contain_text("pictures a second")
        while session.rules.view(session.state, None)["phase"] == "deal":
            assert news.get(READING_S) is not None, f"after record {session.number}: {host.camera.look()}"
        cells = {c["slot"]: c["tile"]["id"] for c in session.rules.view(session.state, None)["cells"]}
        assert {slot: session.rules.same_face(face) for slot, face in cells.items()} == {
            slot: session.rules.same_face(face) for slot, face in truth.items()
        }
        shot(page, "story-phone-camera")
        page.goto(f"{where.https_url}/referee")
        expect(page.locator("#camera-state")).to_contain_text("pictures a second")
        assert page.errors == []
        context.close()


def test_the_code_for_the_phone_is_in_sight_where_the_phone_was_chosen(tmp_path: Path) -> None:
    with served(tmp_path, game=False) as (_, where), chromium() as browser:
        context, page = visitor(browser)
        as_referee(page, where.url)
        page.goto(f"{where.url}/setup")
        page.get_by_label("Camera", exact=True).select_option("browser")
        expect(page.locator("#devices .phone-code .qr")).to_be_in_viewport(ratio=1)
        context.close()


class ToldCamera(StillCamera):
    """A camera that takes a phone's pictures, and sees of them what it is told."""

    def __init__(self, view: str, note: Message = NO_MESSAGE) -> None:
        super().__init__(note=note)
        self.view = view

    def look(self) -> CameraLook:
        return replace(super().look(), view=self.view)

    def push(self, jpeg: bytes) -> CameraLook:
        assert jpeg
        return self.look()


FEW = Message("{needed} corner markers are needed, seen: {seen}", needed=2, seen=Message("none"))


@pytest.mark.parametrize(
    ("view", "note", "standing", "referee"),
    [
        (
            "table not found", FEW,
            "Stůl se nenašel: musí být vidět aspoň 2 rohové značky, vidět: žádná.", "stůl nenalezen",
        ),
        ("getting ready", NO_MESSAGE, "Používá se: připravuje se, chvíli to potrvá.", "připravuje se"),
    ],
)
def test_the_phone_and_the_referee_read_how_the_camera_stands_in_one_sentence(
    tmp_path: Path, view: str, note: Message, standing: str, referee: str
) -> None:
    fake = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
    with served(tmp_path) as (host, where), chromium(*fake) as browser:
        host.camera = ToldCamera(view, note)
        context, page = visitor(browser, PHONE, locale="cs-CZ", permissions=["camera"])
        as_referee(page, where.url)
        page.goto(f"{where.url}/camera")
        page.locator("#start").click()
        expect(page.locator("#rate")).to_contain_text("obrázk")
        expect(page.locator("#standing p")).to_have_text(standing)
        expect(page.locator("#hint")).not_to_contain_text("značk")
        page.goto(f"{where.url}/referee")
        expect(page.locator("#camera-state .chip").first).to_have_text(referee)
        assert page.errors == []
        context.close()


def test_of_two_phones_one_is_the_camera_until_the_other_is_used_instead(tmp_path: Path) -> None:
    fake = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
    with served(tmp_path) as (host, where), chromium(*fake) as browser:
        host.camera = ToldCamera("settled")
        people = [visitor(browser, PHONE, permissions=["camera"]) for _ in range(2)]
        (first_context, first), (second_context, second) = people
        for page in (first, second):
            as_referee(page, where.url)
            page.goto(f"{where.url}/camera")
        used = "Used: it sees the table well."
        other = "Not used. Another phone is the camera. Stop it there, or use this one instead."
        first.locator("#start").click()
        expect(first.locator("#standing")).to_contain_text(used)
        second.locator("#start").click()
        expect(second.locator("#standing p")).to_have_text(other)
        second.get_by_role("button", name="Use this phone as the camera").click()
        expect(second.locator("#standing")).to_contain_text(used)
        expect(first.locator("#standing p")).to_have_text(other)
        shot(first, "other-phone-is-the-camera")
        second.locator("#stop").click()
        expect(first.locator("#standing")).to_contain_text(used)  # by itself
        assert first.errors == second.errors == []
        for one in (first_context, second_context):
            one.close()


def dealt() -> dict[str, str]:
    """The tiles of the film's first picture by slot, from what the film knows of itself."""
    truth = json.loads((FILM / "game" / "truth.json").read_text(encoding="utf-8"))
    cells = truth["frames"][0]["cells"]
    return {f"r{int(row) + 1}c{int(col) + 1}": tile for (row, _, col), tile in cells.items()}


def test_a_picture_of_captured_tiles_is_outlined_and_scored(tmp_path: Path) -> None:
    with served(tmp_path, enrolled=SAMPLE) as (_, where), chromium() as browser:
        context, page = visitor(browser)
        as_referee(page, where.url)
        page.goto(f"{where.url}/tally")
        page.locator("#file-0").set_input_files(SAMPLE / "tally" / "000.jpg")
        expect(page.locator(".tallyshot polygon")).not_to_have_count(0)
        shot(page, "story-tally-picture")
        assert page.errors == []
        context.close()
