"""The pages that keep the machine in order, by clicks: the lens, the doctor, backup and restore, switching off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from browser_kit import DESKTOP, PHONE, as_referee, chromium, serious, served, shot, visitor
from playwright.sync_api import expect
from small_set import SMALL_SET

from companion.app.upkeep.backups import NEXT

pytestmark = pytest.mark.system("chromium")
ROUNDS = 60


def board_camera(folder: Path) -> str:
    """The pictures of the board, again and again, in place of a camera."""
    folder.mkdir()
    views = sorted((SMALL_SET / "calibration").glob("*.jpg"))
    for number in range(ROUNDS * len(views)):
        (folder / f"{number:04d}.jpg").symlink_to(views[number % len(views)])
    return f"replay:{folder}?fps=4"


def test_what_keeps_the_machine_in_order_is_done_by_clicks(tmp_path: Path) -> None:
    camera = board_camera(tmp_path / "board")
    with served(tmp_path / "data", game=False, camera=camera) as (host, where), chromium() as browser:
        context, page = visitor(browser, DESKTOP)
        as_referee(page, where.url)
        page.goto(f"{where.url}/setup")
        page.get_by_role("link", name="Measure the lens").first.click()
        page.wait_for_url(f"{where.url}/lens")
        page.click("#begin")
        expect(page.locator("#map rect.done").first).to_be_attached()
        expect(page.locator("#finish")).to_be_visible()
        shot(page, "lens-measuring")
        # before every field is green a person may say that it is enough
        page.click("#finish")
        expect(page.locator("#result")).to_contain_text("px")
        shot(page, "lens-result")
        assert serious(page) == []

        page.goto(f"{where.url}/doctor")
        expect(page.locator('[data-line="disk"]')).to_contain_text("MB are free")
        expect(page.locator('[data-line="markers"]')).to_be_visible()
        with page.expect_download() as report:
            page.get_by_role("link", name="Save a report").click()
        assert '"what": "disk"' in report.value.path().read_text(encoding="utf-8")
        shot(page, "doctor")
        assert serious(page) == []

        page.goto(f"{where.url}/backup")
        with page.expect_download() as backup:
            page.click("#make")
        page.set_input_files("#file", {"name": "no.zip", "mimeType": "application/zip", "buffer": b"no backup"})
        expect(page.locator("#told")).to_contain_text("nothing was changed")
        page.set_input_files("#file", backup.value.path())
        expect(page.locator("#told")).to_contain_text("It is whole")
        shot(page, "backup-tried")
        assert serious(page) == []
        begun: list[str] = []
        host.end_for_anew = lambda: begun.append("anew")
        page.click("#restore")
        page.wait_for_url(f"{where.url}/setup")
        assert begun == ["anew"]
        assert (tmp_path / "data" / NEXT).exists()
        assert page.errors == []  # type: ignore[attr-defined]
        context.close()

        context, page = visitor(browser, PHONE)
        as_referee(page, where.url)
        for name in ("lens", "doctor", "backup"):
            page.goto(f"{where.url}/{name}")
            page.wait_for_load_state("networkidle" if name == "backup" else "load")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
            shot(page, f"{name}-phone")
        context.close()


def test_a_machine_is_switched_off_after_it_was_asked_once_more(tmp_path: Path) -> None:
    with served(tmp_path / "data", game=False) as (host, where), chromium() as browser:
        context, page = visitor(browser, PHONE)
        as_referee(page, where.url)
        expect(page.locator("#shut-down")).to_have_count(0)
        ran: list[object] = []
        host.upkeep._settings = replace(host.settings, shut_down="page")
        host.upkeep._run = ran.append
        page.reload()
        page.once("dialog", lambda dialog: dialog.dismiss())
        page.click("#shut-down")
        assert ran == []
        page.once("dialog", lambda dialog: dialog.accept())
        page.click("#shut-down")
        expect(page.locator("#shut-down")).to_contain_text("It is switching off")
        assert ran == [("systemctl", "poweroff")]
        context.close()
