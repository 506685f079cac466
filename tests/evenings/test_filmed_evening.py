"""An evening with the camera of a phone: pictures of a rendered table reach it through Chromium's fake camera."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from browser_kit import chromium, shot
from evening_kit import LAPTOP, PHONE, Person, Served, Tally, scanned
from fake_camera import shown_to_camera
from playwright.sync_api import expect
from web_kit import PIN

import companion.app

FILM = Path(companion.app.__file__).parent / "demo" / "film"
PICTURES = FILM / "game"
TRUTH = json.loads((PICTURES / "truth.json").read_text(encoding="utf-8"))
SEATS = (("Žofia", "purple"), ("Ján", "gray"))

pytestmark = [
    pytest.mark.system("chromium"), pytest.mark.xdist_group("chromium"), pytest.mark.whole_evening,
    pytest.mark.timeout(1800),
]


class Evening:
    """A referee, two players and a phone that looks at the table."""

    def __init__(self, folder: Path, picture: int) -> None:
        self.served = Served(folder, "--enrolled", str(FILM), "--box", "virtual:")
        self.fake = shown_to_camera(folder, PICTURES / f"{picture:04}.jpg")
        self.tally = Tally()

    def open(self, browser) -> None:
        """The referee gives the PIN and begins; the players scan their codes."""
        self.referee = Person(browser, "referee", LAPTOP, self.tally)
        page = self.referee.page
        page.goto(f"{self.served.url}/setup")
        page.fill("#pin", PIN)
        self.referee.tap("#login button", "set-up")
        for i, (name, colour) in enumerate(SEATS):
            page.locator(".seat-name").nth(i).fill(name)
            page.get_by_label(f"Colour of player {i + 1}").select_option(colour)
        self.referee.tap("#begin", "set-up")
        page.wait_for_url("**/referee")
        self.referee.done("set-up")
        self.players = []
        for i, (name, _) in enumerate(SEATS):
            phone = Person(browser, name, PHONE, self.tally)
            phone.page.goto(scanned(page.locator("#code-list .qr").nth(i)))
            phone.page.wait_for_url("**/seat/*")
            self.players.append(phone)

    def camera(self, browser) -> None:
        """The camera phone scans the page's code on the referee's laptop, gives the PIN once, and starts."""
        self.looking = Person(browser, "camera", PHONE, self.tally, permissions=["camera"])
        self.referee.tap("#page-codes summary", "camera")
        self.looking.page.goto(scanned(self.referee.see("#camera-code .qr")))
        self.looking.page.fill("#pin", PIN)
        self.looking.tap("#login button", "camera")
        self.looking.page.locator("#wanted").select_option("1280x720")
        self.looking.tap("#start", "camera")
        expect(self.looking.see("#rate")).to_contain_text("pictures a second")
        self.looking.done("camera")

    def tiles(self) -> dict[str, str]:
        """The tiles that lie on the grid when it is dealt, place by place."""
        cells = TRUTH["frames"][0]["cells"]
        return {f"r{int(row) + 1}c{int(column) + 1}": tile for (row, _, column), tile in cells.items()}

    def people(self) -> list[Person]:
        """Everybody."""
        return [self.referee, self.looking, *self.players]

    def no_faults(self) -> None:
        """Nobody saw anything wrong."""
        for person in self.people():
            person.look_round()
            shot(person.page, f"filmed-{person.name}")
        print(self.tally.told())
        assert [fault for person in self.people() for fault in person.faults] == []


@contextmanager
def evening(folder: Path, picture: int) -> Iterator[Evening]:
    """The server, which ends with the evening."""
    here = Evening(folder, picture)
    try:
        yield here
    finally:
        here.served.kill()


def test_the_camera_deals_by_itself_and_goes_on_through_reload_and_power_failure(tmp_path: Path) -> None:
    with evening(tmp_path, 0) as here, chromium(*here.fake) as browser:
        here.open(browser)
        here.camera(browser)
        for slot in here.tiles():
            expect(here.referee.see(f"#board [data-key={slot}] svg[aria-label]")).not_to_have_attribute(
                "aria-label", "empty"
            )
        expect(here.looking.see("#standing")).to_contain_text("Used")
        here.looking.page.reload()
        expect(here.looking.see("#rate")).to_contain_text("pictures a second")
        here.served.kill()
        here.served.start()
        for person in here.people():
            expect(person.see("#banners .banner.bad")).to_have_count(0)
        expect(here.looking.see("#rate")).to_contain_text("pictures a second")
        expect(here.looking.see("#standing")).to_contain_text("Used")
        here.no_faults()
