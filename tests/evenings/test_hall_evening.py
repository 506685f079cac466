"""The evening of a hall: organiser, a referee's phone, two tables with phones and screens, the public, an event's end.

Everything that people do is a tap on a page, and codes are read from its pixels; but most acts of the two games are
told by the test, as cubes are moved by hands, so that an evening takes minutes and not hours.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from browser_kit import chromium, serious, served, shot
from evening_kit import LAPTOP, PHONE, SCREEN, Person, Tally, scanned
from hall_kit import PIN, a_hall
from playwright.sync_api import Browser, expect
from web_kit import PIN as TABLE_PIN
from web_kit import deal, play_on

from companion.app.dashboard.host import Host
from companion.app.hub.serve import serving_hub
from companion.hub.hall import wall_ms

pytestmark = [
    pytest.mark.system("chromium"), pytest.mark.system("postgresql"),
    pytest.mark.whole_evening,
]
PLAYERS = ("Anna", "Bert", "Cyril", "Dana", "Emil", "Fela", "Gusta", "Hana")
WHOLE_GAME = 400
"""More acts than a game of four has; it stops at its end."""


@dataclass
class Table:
    """One table: its companion, the address of its pages, its referee's laptop and the phone of its first player."""

    host: Host
    url: str
    laptop: Person
    phone: Person


class Hall:
    """The people of the evening, at the hub's address."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.browser, self.url, self.tally = browser, url, Tally()
        self.organiser, self.referee = self.person("organiser", LAPTOP), self.person("referee", PHONE)
        self.public, self.screen = self.person("public", PHONE), self.person("screen", SCREEN)
        self.people = [self.organiser, self.referee, self.public, self.screen]

    def person(self, name: str, size: tuple[int, int]) -> Person:
        """One more person with a device."""
        return Person(self.browser, name, size, self.tally)

    def log_in(self) -> None:
        """The organiser gives the PIN, and a referee a code that the referee's phone scans."""
        page = self.organiser.page
        page.goto(f"{self.url}/login")
        page.fill("#pin", PIN)
        page.click("button.primary")
        page.click("nav a:text-is('Referees')")
        page.fill("#name", "Eva")
        page.click("form.card button.primary")
        self.referee.page.goto(scanned(self.organiser.see(".qr")))
        expect(self.referee.see("#open")).to_contain_text("Nobody calls.")

    def code(self, name: str) -> str:
        """The code by which a machine joins as a new table."""
        page = self.organiser.page
        page.goto(f"{self.url}/tables")
        page.fill("#name", name)
        page.click("form.card button.primary")
        page.locator("tr").filter(has=page.locator(f"th:text-is('{name}')")).get_by_text("Code to join").click()
        return str(page.locator(".joincode .code").inner_text())

    def event(self) -> None:
        """An event of one round with eight players, paired and started."""
        page = self.organiser.page
        page.goto(f"{self.url}/events")
        page.fill("#new input[name=name]", "Club evening")
        page.fill("#new input[name=rounds]", "1")
        page.click("#new button.primary")
        page.fill("#text", "\n".join(PLAYERS))
        page.click("button.primary")
        page.click(".tabs a >> nth=0")
        page.click("button.primary.big")
        page.click("text=Start the round")

    def seated(self, table: int) -> list[str]:
        """Who sits at a table by the public's page, seat by seat."""
        self.public.page.goto(f"{self.url}/events/1")
        return [str(name) for name in self.public.see(".table").nth(table).locator("li").all_inner_texts()]

    def begin(self, host: Host, where: str, names: list[str]) -> Table:
        """The table's referee sets a game up, and the first player scans their own code on the big page."""
        laptop, phone = self.person(f"laptop of {names[0]}", LAPTOP), self.person(names[0], PHONE)
        laptop.page.goto(f"{where}/setup")
        laptop.page.fill("#pin", TABLE_PIN)
        laptop.page.click("#login button")
        for _ in names[2:]:
            laptop.page.click("#more")
        for i, name in enumerate(names):
            laptop.page.locator(".seat-name").nth(i).fill(name)
        laptop.page.click("#setup button.primary.big")
        laptop.page.wait_for_url("**/referee")
        deal(host)
        laptop.page.goto(f"{where}/table")
        phone.page.goto(scanned(laptop.see("#joining .code-card").filter(has_text=names[0]).locator(".qr")))
        phone.page.wait_for_url("**/seat/*")
        self.people += [laptop, phone]
        return Table(host, where, laptop, phone)


def joined(url: str, code: str, folder: Path) -> None:
    """What the organiser's page says to do at the table's machine."""
    command = [sys.executable, "-m", "companion.app.cli", "hall", "join", url, code]
    subprocess.run(command, check=True, env={**os.environ, "COMPANION_DATA_DIR": str(folder)}, timeout=120)


def call_for_a_referee(hall: Hall, table: Table) -> None:
    """A player calls; the referee's phone takes it, puts the score under review, releases it; the table sees it all."""
    table.phone.page.click("#call-referee")
    expect(table.phone.see("#called")).to_contain_text("Somebody will come.")
    phone = hall.referee.page
    expect(hall.referee.see("#open h2")).to_contain_text("Table 2")
    expect(hall.screen.see("#name")).to_have_text("Table 2")  # the big screen comes to it, and stays
    expect(hall.screen.see("#held")).to_have_text("A referee is called.")
    shot(hall.screen.page, "hall-screen-with-a-call")
    phone.click("text=I go there")
    expect(table.laptop.see("#called")).to_contain_text("Eva, a referee of the hall, comes.")
    hall.public.page.goto(f"{hall.url}/watch/2")
    phone.click("#open h2 a")
    phone.click("#review")
    phone.fill("#why", "a cube on the wrong tile")
    phone.click("dialog button.primary")
    expect(hall.public.see("#standing")).to_contain_text("under review")
    frozen = hall.public.see("#players").inner_text()
    play_on(table.host, WHOLE_GAME, seed=2)
    expect(hall.referee.see("#headline")).to_contain_text("win")
    assert hall.public.see("#players").inner_text() == frozen
    hall.public.page.goto(f"{hall.url}/events/1")
    assert "from the table" not in hall.public.see("main").inner_text()
    phone.click("#release")
    hall.public.page.goto(f"{hall.url}/watch/2")
    expect(hall.public.see("#headline")).to_contain_text("win")
    phone.goto(f"{hall.url}/calls")
    phone.click("#open button.primary")
    expect(table.phone.see("#call-referee")).to_be_visible()


def correct_and_end(hall: Hall) -> None:
    """Results came from the tables' records; the organiser corrects one with a reason, and ends the event."""
    page = hall.organiser.page
    page.goto(f"{hall.url}/events/1")
    expect(hall.organiser.see(".table .chip.ok")).to_have_count(2)
    page.locator(".table").nth(0).locator("a.button").click()
    places = [str(one.input_value()) for one in page.locator("fieldset select").all()]
    others = places[-1:] + places[:-1]
    for seat, place in enumerate(others):
        page.locator("fieldset select").nth(seat).select_option(place)
    page.fill("#reason", "two sheets were swapped")
    page.click("button.primary.big")
    expect(hall.organiser.see(".table .chip.wait")).to_have_count(1)
    page.click("text=End the event")
    hall.public.page.goto(f"{hall.url}/events/1/standings")
    ranked = [text.split()[0] for text in hall.public.see(".standings summary").all_inner_texts()]
    assert sorted(ranked) == sorted(PLAYERS)
    shot(hall.public.page, "hall-final-standings")
    page.goto(f"{hall.url}/events/1/history")
    assert "two sheets were swapped" in page.inner_text("main")


def test_the_evening_of_a_hall(postgres_server: Any, tmp_path: Path) -> None:
    with ExitStack() as stack:
        hub, _ = stack.enter_context(a_hall(postgres_server.new_place(), wall_ms))
        where = stack.enter_context(serving_hub(hub, bind="127.0.0.1", port=0, tls_folder=None))
        hall = Hall(stack.enter_context(chromium()), where.url)
        hall.log_in()
        hosts = []
        for name in ("1", "2"):
            joined(hall.url, hall.code(name), tmp_path / name)
            hosts.append(stack.enter_context(served(tmp_path / name, game=False)))
        hall.event()
        hall.screen.page.goto(f"{hall.url}/screen")
        tables = [hall.begin(host, at.url, hall.seated(n)) for n, (host, at) in enumerate(hosts)]
        hall.organiser.page.goto(f"{hall.url}/live")
        expect(hall.organiser.see(".tablecard .seats li")).to_have_count(8)
        play_on(tables[0].host, WHOLE_GAME, seed=1)
        play_on(tables[1].host, 20, seed=1)
        call_for_a_referee(hall, tables[1])
        expect(hall.organiser.see(".tablecard .chip.next")).to_have_count(2)  # both games are over
        shot(hall.organiser.page, "hall-overview-at-the-end")
        correct_and_end(hall)
        for person in hall.people:
            assert serious(person.page) == [], person.name
        assert [fault for person in hall.people for fault in person.faults] == []
