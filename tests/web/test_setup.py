"""The set-up's devices and calibration: chosen, judged and learnt from the camera's picture, for the referee alone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from browser_kit import DESKTOP, as_referee, chromium, serious, served, shot, visitor
from playwright.sync_api import Browser, expect
from web_kit import Caller, StillCamera, deal, hosting, make_app

import companion.app
from calibration.box_file import EnrolledBox, write_box
from calibration.enrol import catalogue_text, pictures_of, tiles_of
from companion.app.camera.idle_camera import IdleCamera
from companion.app.camera.known_box import enrolled_colours
from companion.app.dashboard.devices import LiveCamera
from companion.app.files.settings import Settings
from companion.core.game_kit.any_table import colour_groups
from companion.core.messages import Message
from companion.games import find_game
from companion.games.envyra.edition.catalogue import load_catalogue
from companion.lab.scenes.rifts.laid_map import laid_tokens
from web.roles.access import TOKEN_HEADER

FILM = Path(companion.app.__file__).parent / "demo" / "film"
SAMPLE = Path(__file__).parents[1] / "vision" / "fixtures" / "sample"
CUBES = SAMPLE / "enrol" / "cubes.jpg"
NOISE = 2.0
"""Grey levels of a sensor's noise: without any, equal pictures would be taken for a camera that hangs."""
PATIENCE_S = 300.0
"""For a thread that is about to do something: it goes on as soon as it happened."""


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo film's tiles as a box file."""
    path = tmp_path_factory.mktemp("box") / "film.zip"
    text = catalogue_text("film", "The film's box", tiles_of(load_catalogue(FILM / "catalogue.json")))
    write_box(path, EnrolledBox("envyra", text, pictures_of(FILM)))
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def waiting(tmp_path: Path) -> Iterator[tuple]:
    """A host without a game whose camera shows the cubes of the small set, and its referee."""
    with hosting(tmp_path, game=False, camera=str(CUBES), box="virtual:") as host:
        yield host, Caller(make_app(host), "referee")


def steps_of(caller: Caller, game: str = "envyra") -> dict[str, dict]:
    answer = caller.get(f"/api/setup?game={game}")
    assert answer.status_code == 200, answer.get_json()
    return {step["key"]: step for step in answer.get_json()["steps"]}


def learn(caller: Caller, what: str):
    return caller.post("/api/setup/learn", **{"as": "referee"}, what=what, game="envyra")


def test_each_step_has_its_health_and_the_next_thing_to_do(waiting) -> None:
    _, referee = waiting
    end_s = time.monotonic() + PATIENCE_S
    while (steps := steps_of(referee))["box"]["state"] != "ok":
        assert time.monotonic() < end_s, steps["box"]
    assert list(steps) == ["camera", "box", "tiles", "markers", "place", "lens", "table", "light", "colours"]
    assert {key: step["state"] for key, step in steps.items()} == {
        "camera": "ok", "box": "ok", "tiles": "off", "markers": "ok", "place": "ok", "lens": "ok", "table": "wait",
        "light": "ok", "colours": "wait",
    }
    assert all(step["remedy"] for step in steps.values() if step["state"] in ("off", "bad"))
    assert "purple, gray, pink, white" in steps["colours"]["remedy"]
    assert "4 of 4" in steps["markers"]["text"]
    assert referee.get("/api/camera/picture").mimetype == "image/jpeg"


def test_table_and_colours_are_learnt_from_the_cameras_picture(waiting) -> None:
    _, referee = waiting
    assert learn(referee, "table").status_code == 200
    assert steps_of(referee)["table"]["state"] == "ok"
    assert learn(referee, "colours").status_code == 200
    colours = steps_of(referee)["colours"]
    assert (colours["state"], colours["can"]) == ("ok", "colours")


def test_what_cannot_be_learnt_says_why(tmp_path: Path) -> None:
    with hosting(tmp_path, game=False, camera=str(SAMPLE / "grid" / "001.jpg")) as host:
        referee = Caller(make_app(host), "referee")
        refused = learn(referee, "colours")
        assert refused.status_code == 400
        assert "expected 4 columns" in refused.get_json()["error"]["message"]
        refused = referee.http.post(
            "/api/setup/learn?lang=sk", json={"as": "referee", "what": "colours", "game": "rifts", "group": 1},
            headers={TOKEN_HEADER: referee.token},
        )
        assert "očakávaných stĺpcov s figúrkami: 6 (zľava doprava nepriateľ, " in refused.get_json()["error"]["message"]
        assert "chrám" in refused.get_json()["error"]["message"].lower(), "the game's own words"
        assert "biely papier" in refused.get_json()["error"]["remedy"]
        assert refused.get_json()["error"]["where"].startswith("farby ")
        assert steps_of(referee)["colours"]["state"] == "wait"


def test_one_colour_is_learnt_again_alone_and_the_others_stay(tmp_path: Path) -> None:
    mages = next(iter(colour_groups(find_game("rifts"))))
    learnt = []
    for names, which in ((mages, {"group": 0}), (("green",), {"group": 0, "piece": mages.index("green")})):
        picture = tmp_path / f"{len(names)}.jpg"
        picture.write_bytes(laid_tokens(7 + len(names), (1280, 720), names, table="wood", light="window"))
        with hosting(tmp_path / "data", game=False, camera=str(picture)) as host:
            answer = Caller(make_app(host), "referee").post(
                "/api/setup/learn", **{"as": "referee"}, what="colours", game="rifts", **which
            )
            assert answer.status_code == 200, answer.get_json()
        report = enrolled_colours(Settings(data_dir=str(tmp_path / "data")))
        assert report is not None
        learnt.append(dict(zip(report.colours.names, report.colours.bgr, strict=True)))
    before, after = learnt
    assert set(after) == set(before) == set(mages)
    assert {name for name in mages if np.abs(np.subtract(after[name], before[name])).max() > 1.0} <= {"green"}
    assert after["green"] != before["green"]


def test_what_reading_the_picture_finds_is_said_in_the_clients_language(tmp_path: Path) -> None:
    bare = tmp_path / "bare.png"
    cv2.imwrite(str(bare), np.full((480, 640, 3), 127, np.uint8))
    with hosting(tmp_path, game=False, camera=str(bare)) as host:
        referee = Caller(make_app(host), "referee")
        details = {"en": "3 corner markers are needed, seen: none",
                   "sk": "musí byť vidno aspoň 3 rohové značky, vidno: žiadna",
                   "cs": "musí být vidět aspoň 3 rohové značky, vidět: žádná"}
        for language, expected in details.items():
            steps = referee.get(f"/api/setup?game=envyra&lang={language}").get_json()["steps"]
            assert {step["key"]: step["detail"] for step in steps}["markers"] == expected
        refused = referee.http.post(
            "/api/setup/learn?lang=sk", json={"as": "referee", "what": "table", "game": "envyra"},
            headers={TOKEN_HEADER: referee.token},
        )
        assert refused.get_json()["error"]["message"] == details["sk"]


def test_each_client_hears_of_the_camera_in_its_own_language(tmp_path: Path) -> None:
    with hosting(tmp_path) as host:
        host.camera = StillCamera(note=Message("no new picture for {seconds} s", seconds="1.2"))
        anyone = Caller(make_app(host))
        cameras = {lang: anyone.get(f"/api/devices?lang={lang}").get_json()["camera"] for lang in ("en", "sk", "cs")}
    assert {lang: camera["note"] for lang, camera in cameras.items()} == {
        "en": "no new picture for 1.2 s", "sk": "žiadny nový obraz už 1.2 s", "cs": "žádný nový obraz už 1.2 s"
    }


def test_the_steps_are_the_referees_and_in_the_clients_language(waiting) -> None:
    host, referee = waiting
    stranger = Caller(make_app(host))
    assert stranger.get("/api/setup").status_code == 401
    assert stranger.post("/api/setup/choose", **{"as": "referee"}, which="box", source="").status_code == 401
    said = referee.get("/api/setup?lang=sk").get_json()["steps"]
    assert said[3]["text"] == "značky v obraze: 4 z 4"


def test_devices_are_chosen_among_what_is_offered_and_join_the_table_being_played(tmp_path: Path) -> None:
    with hosting(tmp_path, box="virtual:") as host:
        deal(host)
        app = make_app(host)
        referee = Caller(app, "referee")
        number = referee.state()["number"]
        offers = referee.get("/api/setup").get_json()["offers"]
        assert offers["box"]["chosen"] == "virtual:"
        assert {"", "browser"} <= set(offers["camera"]["sources"])
        strange = referee.post("/api/setup/choose", **{"as": "referee"}, which="camera", source="/etc/passwd")
        assert strange.status_code == 409
        assert referee.post("/api/setup/choose", **{"as": "referee"}, which="box", source="").status_code == 200
        assert host.box is None
        phone = referee.post("/api/setup/choose", **{"as": "referee"}, which="camera", source="browser")
        assert phone.status_code == 200
        assert isinstance(host.camera, IdleCamera)
        assert referee.state()["number"] == number
        assert steps_of(referee)["camera"]["state"] == "wait"
        assert "phone" in steps_of(referee)["camera"]["remedy"]


def test_a_box_file_lets_a_live_camera_read_the_table(tmp_path: Path, box: Path) -> None:
    with hosting(tmp_path, game=False, camera="browser", enrolled=box) as host:
        app = make_app(host)
        referee = Caller(app, "referee")
        envyra = next(g for g in referee.get("/api/games").get_json()["games"] if g["name"] == "envyra")
        assert envyra["catalogues"][0] == "your-box"
        seats = [{"name": name, "colour": colour} for name, colour in (("Žofia", "purple"), ("Ján", "gray"))]
        begun = referee.post("/api/begin", **{"as": "referee"}, game="envyra", seats=seats, catalogue="your-box")
        assert begun.status_code == 200, begun.get_json()
        assert isinstance(host.camera, LiveCamera)
        session = host.table.session
        news, first = session.subscribe(), cv2.imread(str(FILM / "game" / "0000.webp"))
        random = np.random.default_rng(4)
        end_s = time.monotonic() + PATIENCE_S
        while session.rules.view(session.state, None)["phase"] == "deal":
            assert time.monotonic() < end_s, host.camera.look()
            seen = np.clip(first + random.normal(0, NOISE, first.shape), 0, 255).astype(np.uint8)
            host.camera.push(cv2.imencode(".jpg", seen)[1].tobytes())
            news.get(0.1)
        cells = session.rules.view(session.state, None)["cells"]
        assert all(cell["tile"] for cell in cells), host.camera.look()


@pytest.mark.system("chromium")
def test_the_set_up_page_learns_table_and_colours(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path, game=False, camera=str(CUBES)) as (_, where):
        context, page = visitor(browser, DESKTOP)
        as_referee(page, where.url)
        page.goto(f"{where.url}/setup")
        expect(page.locator("#devices li")).to_have_count(9)
        page.locator("[data-key=learn-table]").click()
        expect(page.locator("#devices li:has-text('Remembered place')")).to_have_class("ok")
        page.locator("[data-key=learn-colours]").click()
        expect(page.locator("#devices li:has-text('Colour check')")).to_have_class("ok")
        page.wait_for_function("document.getElementById('camera-picture').naturalWidth > 0")
        assert serious(page) == []
        shot(page, "story-setup-calibrated")
        page.locator("[data-key=choose-camera]").select_option("browser")
        expect(page.locator("#devices li:has-text('Camera')").first).to_contain_text("no picture has come yet")
        assert page.errors == []
        context.close()


@pytest.mark.system("chromium")
def test_a_list_of_sources_stays_while_people_choose_from_it(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path, game=False, camera=str(CUBES)) as (host, where):
        context, page = visitor(browser, DESKTOP)
        as_referee(page, where.url)
        page.goto(f"{where.url}/setup")
        chosen = page.locator("[data-key=choose-box]")
        chosen.focus()
        kept = chosen.element_handle()
        host.setup.sources["box"] = "virtual:"  # its row is to be drawn anew
        for _ in range(2):
            with page.expect_response("**/api/setup?*"):
                pass
        assert kept.evaluate("node => node.isConnected && node === document.activeElement")
        page.locator("#game").focus()
        expect(page.locator("[data-key=choose-box]")).to_have_value("virtual:")
        assert page.errors == []
        context.close()
