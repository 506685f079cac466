"""The pages of a game of one's own: faces by picture or by words, charts without rounds, nothing asked of no pieces."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_kit import PHONE, as_referee, chromium, served, shot, visitor
from playwright.sync_api import Browser, expect
from test_own_newcomer import LEARNT, drawn_faces, games
from web_kit import NAMES, deal, play_on

from calibration.box_file import EnrolledBox, write_box
from companion.games import find_game
from web.ports.tables import SetupChoice

__all__ = ["games"]  # the fixture

pytestmark = [pytest.mark.system("chromium"), pytest.mark.usefixtures("games")]

SEATS = tuple((name, colour) for (name, _), colour in zip(NAMES[:2], ("red", "blue"), strict=True))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def own_box(folder: Path) -> Path:
    """A box file of the guide's game with a drawn picture of each face."""
    spec = find_game("orchard")
    catalogue = spec.load_catalogue(spec.default_catalogue)
    pictures = {f"{fruit}-{points}": [drawn_faces()[look]] for look, (fruit, points, _) in LEARNT.items()}
    write_box(folder / "mine.zip", EnrolledBox("orchard", catalogue.text, pictures))
    return folder / "mine.zip"


def test_faces_of_ones_own_game_are_shown_as_the_own_box_has_them(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "data", game=False, enrolled=own_box(tmp_path)) as (host, where):
        host.begin(SetupChoice("orchard", SEATS, (), "your-box"))
        deal(host)
        context, page = visitor(browser, PHONE)
        page.goto(f"{where.url}/table")
        faces = page.locator("#board image")
        expect(faces).to_have_count(4)
        expect(page.locator(".card:has(> #supply)")).to_be_hidden()  # nothing lies beside this table
        for face in faces.all():
            assert page.request.get(where.url + str(face.get_attribute("href"))).ok
        shot(page, "own-game-faces")
        assert page.errors == []  # type: ignore[attr-defined]
        context.close()


def test_faces_without_a_picture_are_told_by_words_and_not_by_ids(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "data", game=False) as (host, where):
        host.begin(SetupChoice("orchard", SEATS))
        deal(host)
        context, page = visitor(browser)
        page.goto(f"{where.url}/record")
        expect(page.locator("main")).to_contain_text("is drawn into")
        shown = page.locator("main").inner_text()
        assert not [f"{fruit}-{points}" for fruit, points, _ in LEARNT.values() if f"{fruit}-{points}" in shown]
        context.close()


@pytest.mark.parametrize(("language", "words"), [("en-GB", "whole game"), ("sk-SK", "celá hra"), ("cs-CZ", "celá hra")])
def test_charts_of_a_game_without_rounds_name_none(
    tmp_path: Path, browser: Browser, language: str, words: str
) -> None:
    with served(tmp_path / "data", game=False) as (host, where):
        host.begin(SetupChoice("orchard", SEATS))
        play_on(host, 4)
        context, page = visitor(browser, PHONE, locale=language)
        page.goto(f"{where.url}/charts")
        expect(page.locator("#times svg text", has_text=words)).to_have_count(1)
        expect(page.locator("#captures")).to_be_hidden()
        charts = page.locator("main").text_content() or ""
        assert "R0" not in charts
        assert "{" not in charts
        shot(page, f"charts-without-rounds-{language}")
        assert page.errors == []  # type: ignore[attr-defined]
        context.close()


def test_no_colours_are_asked_where_no_piece_stands_on_the_table(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "data", game=False, camera="browser") as (_, where):
        context, page = visitor(browser, PHONE)
        as_referee(page, where.url)
        page.goto(f"{where.url}/enrol?game=orchard")
        expect(page.locator("#progress li").first).to_be_visible()
        expect(page.locator("#colours-card")).to_be_hidden()
        page.goto(f"{where.url}/enrol?game=envyra")
        expect(page.locator("#colours-card")).to_be_visible()
        assert page.errors == []  # type: ignore[attr-defined]
        context.close()
