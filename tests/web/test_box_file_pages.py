"""A box file that was learnt elsewhere is loaded on the set-up page; one that does not fit says what to do next."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest
from browser_kit import DESKTOP, as_referee, chromium, serious, served, shot, visitor
from playwright.sync_api import expect
from web_kit import Caller, hosting, make_app

from calibration.box_file import SCHEMA, EnrolledBox, write_box
from companion.games import find_game
from web.roles.access import TOKEN_HEADER

SMALL_PHONE = (390, 844)


def box_of(game: str, folder: Path, catalogue: str = "") -> bytes:
    """A box file with one picture and the catalogue that the game ships."""
    spec = find_game(game)
    text = catalogue or spec.load_catalogue(spec.default_catalogue).text
    write_box(folder / "made.zip", EnrolledBox(game, text, {"a": [np.full((24, 24, 3), 90, np.uint8)]}))
    return (folder / "made.zip").read_bytes()


def with_member(data: bytes, name: str, content: bytes) -> bytes:
    """The same file with another content of one member."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(out, "w") as after:
        for member in before.namelist():
            after.writestr(member, content if member == name else before.read(member))
    return out.getvalue()


def index_of(game: str, schema: int) -> bytes:
    return json.dumps({"schema": schema, "game": game, "faces": {"a": ["reference/a.1.png"]}}).encode()


def load(caller: Caller, data: bytes, game: str, language: str = "en"):
    return caller.http.post(
        f"/api/boxes?name=lent.zip&game={game}&lang={language}", data=data,
        headers={TOKEN_HEADER: caller.token, "Content-Type": "application/octet-stream"},
    )


def test_a_box_file_that_does_not_fit_says_what_was_expected_what_came_and_what_next(tmp_path: Path) -> None:
    good = box_of("envyra", tmp_path)
    big = cv2.imencode(".png", np.zeros((8, 5000, 3), np.uint8))[1].tobytes()
    rows = (
        (b"no zip at all", "a damaged or another one (File is not a zip file)", "Copy it once more"),
        (good[: len(good) // 2], "a damaged or another one", "Copy it once more"),
        (with_member(good, "reference/a.1.png", b"torn"), "reference/a.1.png: expected a picture", "Copy it once more"),
        (with_member(good, "reference/a.1.png", big), "at most 4096 px", "Copy it once more"),
        (with_member(good, "box.json", b"[]"), "box.json", "Copy it once more"),
        (with_member(good, "box.json", index_of("envyra", SCHEMA + 1)),
         f"expected a box file of schema {SCHEMA} at most, got schema {SCHEMA + 1}", "up to date"),
        (with_member(good, "box.json", index_of("chess", SCHEMA)), "a box of chess, a game that", "Put the game among"),
        (box_of("spyrium", tmp_path), "expected a box of Envyra, got a box of Spyrium", "Choose Spyrium on this page"),
        (with_member(good, "catalogue.toml", b"[catalogue"), "the list of pieces in the box file", "Copy it once more"),
    )
    with hosting(tmp_path / "data", game=False) as host:
        referee = Caller(make_app(host), "referee")
        for data, message, remedy in rows:
            answer = load(referee, data, "envyra")
            error = answer.get_json()["error"]
            assert answer.status_code == 400, error
            assert message in error["message"], error
            assert remedy in error["remedy"], error
            assert error["where"] == "lent.zip", "the file as the person calls it"
            for language in ("sk", "cs"):
                own = load(referee, data, "envyra", language).get_json()["error"]
                assert own["message"].split()[:2] != error["message"].split()[:2]
                assert own["remedy"].split()[:2] != error["remedy"].split()[:2]
        assert host.setup.known is None
        assert list((tmp_path / "data" / "boxes").iterdir()) == []
        assert load(referee, good, "envyra").get_json() == {"name": "lent.zip", "game": "envyra"}
        assert host.setup.known is not None
        assert load(referee, good, "monopoly").status_code == 404


@pytest.mark.system("chromium")
def test_a_box_file_is_loaded_on_the_set_up_page_by_clicks(tmp_path: Path) -> None:
    spyrium, envyra = box_of("spyrium", tmp_path), box_of("envyra", tmp_path)
    newer = with_member(spyrium, "box.json", index_of("spyrium", SCHEMA + 1))
    with served(tmp_path / "data", game=False) as (host, where), chromium() as browser:
        context, page = visitor(browser, SMALL_PHONE)
        as_referee(page, where.url)
        page.goto(f"{where.url}/setup?game=spyrium")
        page.locator(".seat-name").first.fill("Žofia")

        def hand_in(name: str, data: bytes) -> None:
            with page.expect_file_chooser() as chooser:
                page.get_by_text("Load a box file", exact=True).click()
            chooser.value.set_files({"name": name, "mimeType": "application/zip", "buffer": data})

        told = page.locator("#box-loaded")
        for name, data, words in (
            ("torn.zip", spyrium[:200], "torn.zip: expected a whole box file"),
            ("newer.zip", newer, "Bring this companion up to date"),
            ("other.zip", envyra, "Choose Envyra on this page"),
        ):
            hand_in(name, data)
            expect(told).to_contain_text(words)
            shot(page, f"setup-box-{name.removesuffix('.zip')}")
        hand_in("mine.zip", spyrium)
        expect(told).to_contain_text("Loaded and used: mine.zip")
        expect(page.locator("#devices")).to_contain_text("known from mine.zip")
        expect(page.locator("#catalogue")).to_have_value("your-box")
        expect(page.locator(".seat-name").first).to_have_value("Žofia")
        assert host.setup.known is not None
        assert host.setup.known.game() == "spyrium"
        shot(page, "setup-box-loaded-phone")
        assert serious(page) == []
        page.locator("#game").select_option("envyra")
        expect(page.locator("#devices")).to_contain_text("mine.zip is a box of another game")
        expect(told).to_have_text("")
        page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
        shot(page, "setup-box-other-game")
        assert page.errors == []  # type: ignore[attr-defined]
        context.close()


@pytest.mark.system("chromium")
def test_what_stands_on_no_piece_is_written_in_and_can_be_taken_back(tmp_path: Path) -> None:
    with served(tmp_path / "data", game=False) as (host, where), chromium() as browser:
        context, page = visitor(browser, SMALL_PHONE)
        as_referee(page, where.url)
        page.goto(f"{where.url}/enrol?game=spyrium")
        note = page.locator("#numbers-note")
        expect(note).to_contain_text("until you say it")
        page.locator("#numbers-card summary").click()
        page.get_by_label("Residence track, place 5").fill("8")
        page.get_by_role("button", name="That is so in this box").click()
        expect(note).to_contain_text("1 of 3 are said")
        assert host.enrolment.read("spyrium").numbers == {"residence_5": 8}
        assert serious(page) == []
        shot(page, "box-numbers-phone")
        page.goto(f"{where.url}/enrol?game=rifts")
        page.locator("#numbers-card summary").click()
        expect(page.get_by_label("Temple, fire, level 2: health")).to_have_attribute("placeholder", "6")
        page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
        shot(page, "box-numbers-wide")
        page.goto(f"{where.url}/enrol?game=spyrium")
        page.locator("#numbers-card summary").click()
        expect(page.get_by_label("Residence track, place 5")).to_have_value("8")
        page.get_by_label("Residence track, place 5").fill("")
        page.get_by_role("button", name="That is so in this box").click()
        expect(note).to_contain_text("until you say it")
        assert host.enrolment.read("spyrium").numbers == {}
        assert page.errors == []  # type: ignore[attr-defined]
        context.close()
