"""What the evenings with the camera of a phone share: a rendered game that people play again by its film's truth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from browser_kit import shot
from evening_kit import LAPTOP, PHONE, Person, Served, Tally, scanned
from fake_camera import shown_to_camera
from playwright.sync_api import Browser, Locator, expect
from web_kit import PIN

import companion.app

FILM = Path(companion.app.__file__).parent / "demo" / "film"
PICTURES = FILM / "game"
TRUTH = json.loads((PICTURES / "truth.json").read_text(encoding="utf-8"))
SEATS = (("Žofia", "purple"), ("Ján", "gray"))


def place(cell: list[int]) -> str:
    """The place of a cell of the film."""
    row, column = cell
    return f"r{row + 1}c{column + 1}"


def tiles_at(frame: int) -> dict[str, str]:
    """The tiles that lie on the grid in a picture of the film, place by place."""
    cells = TRUTH["frames"][frame]["cells"]
    return {place([int(n) for n in cell.split(",")]): tile for cell, tile in cells.items() if tile}


class FilmedEvening:
    """A referee, two players and a phone that looks at the table."""

    def __init__(self, folder: Path, *, camera: bool = True) -> None:
        more = ("--enrolled", str(FILM)) if camera else ()
        self.folder, self.served = folder, Served(folder, *more, "--box", "virtual:")
        self.tally = Tally()
        self.looking: Person | None = None

    def open(self, browser: Browser) -> None:
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

    def camera(self, browser: Browser) -> Person:
        """The camera phone scans the page's code on the referee's laptop, gives the PIN once, and starts."""
        looking = self.looking = Person(browser, "camera", PHONE, self.tally, permissions=["camera"])
        self.referee.tap("#page-codes summary", "camera")
        looking.page.goto(scanned(self.referee.see("#camera-code .qr")))
        looking.page.fill("#pin", PIN)
        looking.tap("#login button", "camera")
        looking.page.locator("#wanted").select_option("1280x720")
        looking.tap("#start", "camera")
        expect(looking.see("#rate")).to_contain_text("pictures a second")
        looking.done("camera")
        return looking

    def deal(self) -> None:
        """The tiles that lie in the first picture are told by their pictures, and who takes the starting figure."""
        for _, tile in sorted(tiles_at(0).items()):
            self.draw(tile)
        self.draw_starter()

    def draw_starter(self) -> None:
        """Who takes the starting figure is told by the referee."""
        before = self.newest()
        starter = SEATS[TRUTH["events"][0]["first"]][0]
        self.referee.tap(self.referee.see("#acts [data-draw]").filter(has_text=starter), "draw")
        self.recorded(before)

    def draw(self, tile: str) -> None:
        """The tile that was drawn is told: its theme, its picture."""
        before = self.newest()
        theme = self.referee.see(f"#acts button.theme.{tile.partition('-')[0]}")
        face = self.referee.see(f'#acts button.face[data-key$=" {tile}"]')
        if not face.count():
            self.referee.tap(theme, "draw")
        self.referee.tap(face, "draw")
        self.recorded(before)
        self.referee.done("draw")

    def play(self, first: int, last: int) -> None:
        """What happens in these pictures of the film is told on the phones and, of draws, by the referee."""
        for event in TRUTH["events"]:
            if first <= event["frame"] <= last:
                self._tell(event)

    def _tell(self, event: dict[str, Any]) -> None:
        before = self.newest()
        if event["event"] == "select":
            player = self.players[event["player"]]
            for cell in event["cells"]:
                player.tap(f"#board .cell.can[data-key={place(cell)}]", "choose")
            player.tap("#acts button.primary", "choose")
            self.recorded(before)
            player.done("choose")
        elif event["event"] == "move":
            player = self.players[event["player"]]
            player.tap(f'#acts button.primary[data-key$=" {place(event["cell"])}"]', "move")
            self.recorded(before)
            player.done("move")
        elif event["event"] == "refill":
            self.draw(event["tile"])

    def tile(self, slot: str) -> Locator:
        """The picture of what lies there, on the referee's page."""
        return self.referee.see(f"#board [data-key={slot}] svg[aria-label]")

    def newest(self) -> str:
        """The number of the newest record on the referee's page."""
        return self.referee.see("#log li .num").first.inner_text()

    def recorded(self, before: str) -> None:
        """Wait until something newer than `before` is on the referee's page."""
        expect(self.referee.see("#log li .num").first).not_to_have_text(before)

    def lock_and_unlock(self) -> None:
        """The camera phone's screen is locked for a while: the phone takes the camera away and lets the page run no
        script; then it is in front again. (A page without a window is never hidden, and not frozen when it is told.)"""
        assert self.looking is not None
        page = self.looking.page
        chrome = page.context.new_cdp_session(page)
        page.evaluate("document.querySelector('video').srcObject.getTracks().forEach((track) => track.stop())")
        chrome.send("Debugger.enable")
        chrome.send("Debugger.pause")
        expect(self.referee.see("#camera-state .chip.bad")).to_be_visible()  # the picture is old: it is said
        chrome.send("Debugger.resume")
        chrome.send("Debugger.disable")
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        self.pictures_are_used()
        expect(self.referee.see("#camera-state .chip.bad")).to_have_count(0)

    def pictures_are_used(self) -> None:
        """The camera phone says in large letters that it is used."""
        assert self.looking is not None
        expect(self.looking.see("#rate")).to_contain_text("pictures a second")
        expect(self.looking.see("#standing")).to_contain_text("Used")

    def press_the_box(self, player: int) -> None:
        """A player presses their own button of the box: the cubes lie behind the shield."""
        before = self.newest()
        self.referee.tap(f"#box [data-key=confirm-{player}]", "press")
        self.recorded(before)
        self.referee.done("press")

    def people(self) -> list[Person]:
        """Everybody."""
        return [self.referee, *([self.looking] if self.looking else []), *self.players]

    def no_faults(self) -> None:
        """Nobody saw anything wrong."""
        for person in self.people():
            person.look_round()
            shot(person.page, f"filmed-{person.name}")
        print(self.tally.told())
        assert [fault for person in self.people() for fault in person.faults] == []


def shown(folder: Path, picture: int) -> tuple[str, ...]:
    """Arguments of Chromium for a camera phone that sees this picture of the film."""
    return shown_to_camera(folder, PICTURES / f"{picture:04}.webp")
