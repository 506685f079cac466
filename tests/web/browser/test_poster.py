"""The result as a picture to share."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser_kit import chromium, served, visitor
from playwright.sync_api import expect
from web_kit import play_on

from companion.games import find_game
from web.ports.tables import SetupChoice

pytestmark = pytest.mark.system("chromium")

LONG = "Maximilián Alexander Novotný II"


def test_the_picture_has_whole_names_and_the_day_of_the_reader(tmp_path: Path) -> None:
    with chromium() as browser, served(tmp_path, game=False) as (host, where):
        host.begin(SetupChoice("envyra", tuple(zip((LONG, "Ján"), find_game("envyra").colours, strict=False))))
        play_on(host, 2000)
        context, page = visitor(browser, timezone_id="America/New_York", accept_downloads=True)
        page.clock.set_fixed_time("2026-03-15T01:30:00Z")
        page.goto(f"{where.url}/result")
        expect(page.locator(".ranked")).to_have_count(2)
        with page.expect_download() as download:
            page.get_by_role("button", name="SVG").click()
        drawn = download.value.path().read_text(encoding="utf-8")
        assert f">{LONG}<" in drawn
        assert "2026-03-14 ·" in drawn
        assert page.errors == []  # type: ignore[attr-defined]
        context.close()
