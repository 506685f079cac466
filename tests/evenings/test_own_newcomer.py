"""Somebody teaches the companion the tiles of the guide's own game, and plays with the box on another machine."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from browser_kit import as_referee, chromium, served, shot
from evening_kit import LAPTOP, PHONE, Person, Tally
from playwright.sync_api import expect

import companion.games
from companion.games import add_games, find_game
from vision.locate.markers import MarkerLayout

GUIDE = (Path(__file__).parents[2] / "docs" / "guide" / "add-your-own-game.md").read_text(encoding="utf-8")
FILE = re.compile(r"^File `([\w./-]+)`:\n\n```\w+\n(.*?)^```$", re.M | re.S)
PX_PER_MM, HALF_WH_MM, TILE_MM = 4.0, (270.0, 220.0), 50.0
TABLE_BGR, GROUND_BGR = (96, 120, 140), (78, 142, 46)
LEARNT = {"circle": ("apple", "1", 3), "cross": ("apple", "2", 2), "bars": ("pear", "1", 2), "ring": ("pear", "4", 1)}
"""What a tile shows -> its fruit, points and copies, as the guide's catalogue has them."""


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The guide's game, registered for one test."""
    for name, text in FILE.findall(GUIDE):
        path = tmp_path / "games" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(companion.games, "__path__", list(companion.games.__path__))
    add_games(tmp_path / "games")
    yield
    for name in [n for n in sys.modules if n.startswith("companion.games.orchard")]:
        del sys.modules[name]


def laid_out(faces: dict[str, np.ndarray], laid: list[str]) -> np.ndarray:
    """A drawn picture from straight above: markers, and the tiles in two rows, upright."""
    sheet = np.full((*(round(2 * half * PX_PER_MM) for half in reversed(HALF_WH_MM)), 3), TABLE_BGR, np.float64)
    sheet += np.random.default_rng(1).normal(0, 3, sheet.shape)
    picture = np.clip(sheet, 0, 255).astype(np.uint8)

    def lay(face: np.ndarray, xy_mm: tuple[float, float], side_mm: float) -> None:
        side = round(side_mm * PX_PER_MM)
        x, y = (round((at + half) * PX_PER_MM - side / 2) for at, half in zip(xy_mm, HALF_WH_MM, strict=True))
        picture[y : y + side, x : x + side] = cv2.resize(face, (side, side), interpolation=cv2.INTER_AREA)

    markers = MarkerLayout()
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, markers.dictionary))
    for marker, xy_mm in markers.centres_mm.items():
        printed = cv2.aruco.generateImageMarker(dictionary, marker, 240)
        lay(np.full((8, 8, 3), 255, np.uint8), xy_mm, 1.3 * markers.side_mm)
        lay(cv2.cvtColor(printed, cv2.COLOR_GRAY2BGR), xy_mm, markers.side_mm)
    for n, name in enumerate(laid):
        lay(faces[name], (-120.0 + 80 * (n % 4), -50.0 + 90 * (n // 4)), TILE_MM)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8))


def _in_any_light(picture: np.ndarray) -> np.ndarray:
    values = cv2.resize(picture, (64, 64), interpolation=cv2.INTER_AREA).astype(float)
    return np.asarray((values - values.mean()) / values.std())


def _likest(faces: dict[str, np.ndarray], picture: np.ndarray) -> str:
    seen = _in_any_light(picture)
    return min(faces, key=lambda name: float(np.abs(_in_any_light(faces[name]) - seen).mean()))


def drawn_faces() -> dict[str, np.ndarray]:
    """A picture of each look of LEARNT, with its points printed on it."""
    out = {}
    for name in LEARNT:
        face = np.full((200, 200, 3), GROUND_BGR, np.uint8)
        ink = (240, 240, 240)
        cv2.rectangle(face, (0, 0), (199, 199), (40, 40, 40), 8)
        if name == "circle":
            cv2.circle(face, (100, 125), 45, ink, -1)
        elif name == "cross":
            cv2.line(face, (55, 80), (145, 170), ink, 24)
            cv2.line(face, (145, 80), (55, 170), ink, 24)
        elif name == "bars":
            for y in (90, 130, 170):
                cv2.line(face, (45, y), (155, y), ink, 18)
        else:
            cv2.circle(face, (100, 125), 42, ink, 14)
        cv2.putText(face, LEARNT[name][1], (14, 62), cv2.FONT_HERSHEY_SIMPLEX, 1.8, (20, 220, 250), 6, cv2.LINE_AA)
        out[name] = face
    return out


@pytest.mark.whole_evening
@pytest.mark.system("chromium")
@pytest.mark.usefixtures("games")
@pytest.mark.parametrize("device", [PHONE, LAPTOP])
def test_a_box_of_ones_own_game_is_learnt_and_loaded_elsewhere(tmp_path: Path, device: tuple[int, int]) -> None:
    faces = drawn_faces()
    laid = [name for name, (_, _, copies) in LEARNT.items() for _ in range(copies)]
    cv2.imwrite(str(tmp_path / "table.jpg"), laid_out(faces, laid))
    tally = Tally()
    with chromium() as browser:
        with served(tmp_path / "data", game=False, camera="browser") as (host, where):
            person = Person(browser, "owner", device, tally)
            page = person.page
            as_referee(page, where.url)
            page.goto(f"{where.url}/enrol")
            page.locator("#game").select_option("orchard")
            expect(page.locator("#colours-card")).to_be_hidden()  # no piece of theirs stands on this table
            page.set_input_files("#shot", str(tmp_path / "table.jpg"))
            expect(page.locator("#outlines polygon:not(.bad)")).to_have_count(len(laid))
            person.tap("#take", "take")
            expect(page.locator("#open .piece")).to_have_count(len(laid))
            values = {}
            for piece in page.locator("#open .piece").all():
                source = where.url + (piece.locator("> img").get_attribute("src") or "")
                image = cv2.imdecode(np.frombuffer(page.request.get(source).body(), np.uint8), cv2.IMREAD_COLOR)
                values[piece.get_attribute("data-piece") or ""] = LEARNT[_likest(faces, np.asarray(image))]
            question = page.locator("#question-card")
            while asks := question.get_attribute("data-asks") or "":
                key, _, numbers = asks.partition(":")
                fruit, points, _ = values[numbers.split(",")[0]]
                if key == "fruit":  # named, with or without a picture of a tile that has it
                    expect(page.locator(f'#question [data-value="{fruit}"]')).to_contain_text(fruit)
                person.tap(f'#question [data-value="{fruit if key == "fruit" else points}"]', f"answer {key}")
                expect(question).not_to_have_attribute("data-asks", asks)
            for number, (fruit, points, _) in values.items():
                for key, value in (("fruit", fruit), ("points", points)):
                    field = page.locator(f'#open [data-piece="{number}"] [data-field="{key}"]')
                    expect(field).to_have_attribute("data-shows", value)
            shot(page, f"own-newcomer-{device[0]}-known")
            person.tap("#keep", "keep")
            expect(page.locator("#open .piece")).to_have_count(0)
            expect(page.locator("main button.primary:visible")).to_have_text("Save the box")
            expect(page.locator("#save-box")).to_be_in_viewport()
            person.tap("#save-box", "save")
            with page.expect_download() as download:
                page.locator("#saved a").first.click()
            download.value.save_as(tmp_path / "mine.zip")
            page.locator("#saved a.button").click()
            expect(page.locator("#game")).to_have_value("orchard")
            assert host.setup.known is not None
            learnt = find_game("orchard").load_catalogue(host.setup.known.catalogue(host.settings))
            assert sorted((k.fruit, str(k.points), k.copies) for k in learnt.kinds) == sorted(LEARNT.values())
            assert person.faults == []
        with served(tmp_path / "elsewhere", game=False, camera="browser") as (host, where):
            other = Person(browser, "other", device, tally)
            page = other.page
            as_referee(page, where.url)
            page.goto(f"{where.url}/setup")
            page.locator("#game").select_option("orchard")
            page.set_input_files("#box-file", str(tmp_path / "mine.zip"))
            expect(page.locator("#box-loaded")).to_contain_text("mine.zip")
            expect(page.locator("#catalogue")).to_have_value("your-box")
            expect(page.locator("main")).to_contain_text("known from mine.zip")
            shot(page, f"own-newcomer-{device[0]}-loaded")
            assert host.setup.known is not None
            assert other.faults == []
    sys.stdout.write(f"{sum(tally.taps.values())} taps {dict(tally.taps)}\n")
