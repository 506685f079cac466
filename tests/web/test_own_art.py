"""A game with a box of one's own shows the emblems that are printed on its tiles, not those of the sample edition."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from browser_kit import chromium, served, visitor
from playwright.sync_api import expect
from web_kit import NAMES, Caller, deal, hosting, make_app

from calibration.box_file import EnrolledBox, write_box
from companion.games import find_game
from web.ports.tables import SetupChoice

RED_BGR = (40, 40, 220)


def red_box(folder: Path) -> Path:
    """A box file of the sample edition's values whose tiles are all red."""
    spec = find_game("envyra")
    catalogue = spec.load_catalogue(spec.default_catalogue)
    red = np.full((40, 40, 3), RED_BGR, np.uint8)
    write_box(folder / "red.zip", EnrolledBox("envyra", catalogue.text, {tile.id: [red] for tile in catalogue.tiles}))
    return folder / "red.zip"


def test_faces_of_the_own_box_are_shown_when_the_game_is_played_with_it(tmp_path: Path) -> None:
    with hosting(tmp_path / "data", game=False, enrolled=red_box(tmp_path)) as host:
        anyone = Caller(make_app(host))
        host.begin(SetupChoice("envyra", NAMES[:2], (), "your-box"))
        shown = cv2.imdecode(np.frombuffer(anyone.get("/api/art/flora-1-a").data, np.uint8), cv2.IMREAD_COLOR)
        assert np.abs(shown.reshape(-1, 3).mean(0) - RED_BGR).max() < 12
        assert anyone.get("/api/art/nothing").status_code == 404
        host.begin(SetupChoice("envyra", NAMES[:2]))
        assert anyone.get("/api/art/flora-1-a").status_code == 404  # of the sample edition: its tiles are drawn


@pytest.mark.system("chromium")
def test_a_drawn_tile_bears_the_emblem_of_the_own_box(tmp_path: Path) -> None:
    with (
        served(tmp_path / "data", game=False, enrolled=red_box(tmp_path)) as (host, where),
        chromium() as browser,
    ):
        host.begin(SetupChoice("envyra", NAMES[:2], (), "your-box"))
        deal(host)
        context, page = visitor(browser)
        page.goto(f"{where.url}/table")
        emblem = page.locator("#board image").first
        expect(emblem).to_be_visible()
        assert page.request.get(where.url + str(emblem.get_attribute("href"))).ok
        assert page.errors == []
        context.close()


@pytest.mark.system("chromium")
def test_a_tile_of_the_own_box_that_is_named_in_a_sentence_stands_there_as_a_picture(tmp_path: Path) -> None:
    with served(tmp_path / "data", game=False, enrolled=red_box(tmp_path)) as (host, where), chromium() as browser:
        host.begin(SetupChoice("envyra", NAMES[:2], (), "your-box"))
        deal(host)
        context, page = visitor(browser, locale="sk-SK")
        page.goto(f"{where.url}/record")
        pictures = page.locator(".pictured image")
        expect(pictures.first).to_be_visible()
        assert pictures.count() >= len(host.table.session.rules.board(host.table.session.state).slots)
        for address in {str(one.get_attribute("href")) for one in pictures.all()}:
            assert page.request.get(where.url + address).ok
        assert page.errors == []
        host.begin(SetupChoice("envyra", NAMES[:2]))  # of the sample edition: its names say what is on them
        deal(host)
        page.goto(f"{where.url}/record")
        expect(page.locator("#log li, main li").first).to_be_visible()
        expect(pictures).to_have_count(0)
        context.close()
