"""Envyra with three players, hands and phones, no camera and no box: walked by what people see and touch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from browser_kit import chromium, shot
from evening_kit import LAPTOP, PHONE, SCREEN, Person, Served, Tally, scanned
from playwright.sync_api import Browser, TimeoutError, expect
from web_kit import PIN

pytestmark = pytest.mark.system("chromium")

NAMES = ("Žofia Ľaliová", "Ján", "Maximilián Alexander Novotný II")
OFFERED = "() => [...document.querySelectorAll('#board .cell.can')].map((cell) => cell.dataset.key)"
CLAUSE = re.compile(r"[EN]\d+|R-\d+")
BUDGETS = {"draw": 2, "choose": 3, "move": 2, "agree": 1}
"""Taps for one act, at most: see the evenings that people walked."""
LIVE = "#acts:not([inert])"
"""Where acts are tapped, unless the page waits for what came of the last one."""
GONE_MS = 3000
TURNS = 2000
"""Acts and draws of a whole game are some hundreds: an evening that takes more goes round in circles."""


class Evening:
    """A referee with a laptop, a big screen, and three players with phones."""

    def __init__(self, browser: Browser, served: Served, language: str, seed: int, players: int) -> None:
        self.random, self.tally, self.served, self.names = Random(seed), Tally(), served, NAMES[:players]
        self.browser, self.language = browser, language
        self.referee = self.person("referee", LAPTOP)
        self.screen = self.person("screen", SCREEN)
        self.players: list[Person] = []

    def person(self, name: str, size: tuple[int, int]) -> Person:
        """One more person with a device."""
        return Person(self.browser, name, size, self.tally, self.language)

    @property
    def people(self) -> list[Person]:
        """Everybody."""
        return [self.referee, self.screen, *self.players]

    def set_up(self) -> None:
        """The big screen says what to do first; the referee's laptop reads its code, and begins a game."""
        self.screen.page.goto(f"{self.served.url}/table")
        expect(self.screen.see("#setup-code .qr")).to_be_visible()
        page = self.referee.page
        page.goto(scanned(self.screen.see("#setup-code .qr")))
        page.fill("#pin", PIN)
        self.referee.tap("#login button", "set-up")
        for _ in self.names[2:]:
            self.referee.tap("#more", "set-up")
        for i, name in enumerate(self.names):
            page.locator(".seat-name").nth(i).fill(name)
        self.referee.tap("#setup button.primary.big", "set-up")
        page.wait_for_url("**/referee")
        self.referee.done("set-up")

    def join(self) -> None:
        """Each player scans the code under their own name on the big screen."""
        for i, name in enumerate(self.names):
            phone = self.person(name, PHONE)
            card = self.screen.see("#joining .code-card").filter(has_text=name)
            phone.page.goto(scanned(card.locator(".qr")))
            phone.page.wait_for_url("**/seat/*")
            expect(phone.see("#who")).to_have_text("ABC"[i])
            self.players.append(phone)
        expect(self.screen.see("#joining")).to_be_hidden()
        expect(self.referee.see("#code-list .chip.ok")).to_have_count(len(self.names))

    def over(self) -> bool:
        """Whether the big screen names a winner."""
        return self.screen.shown(".player .chip.next")

    def draw(self) -> None:
        """What the hand drew is told by its picture, the theme first where there are too many to show at once."""
        before = self.newest()
        if not self.referee.shown("#acts button.face, #acts [data-draw]"):
            theme = self.referee.choose("#acts button.theme", self.random)
            assert theme is not None, "a draw is due and nothing can be told"
            self.referee.tap(theme, "draw")
        face = self.referee.choose("#acts button.face, #acts [data-draw]", self.random)
        assert face is not None, "a draw is due and nothing can be told"
        self.referee.tap(face, "draw")
        expect(self.referee.see("#log li .num").first).not_to_have_text(before)
        self.referee.done("draw")

    def wrong_draw(self) -> None:
        """The tile that was told last is taken back alone: two taps of the referee, one on each phone."""
        self.draw()
        before = self.newest()
        self.referee.tap("#undo", "take back")
        expect(self.referee.see("dialog ul li")).to_have_count(1)
        self.referee.tap("dialog button.primary", "take back")
        for player in self.players:
            player.tap("#proposal [data-key=agree]", "agree")
            player.done("agree")
        expect(self.referee.see("#log li .num").first).not_to_have_text(before)
        for person in self.people:
            expect(person.see("#proposal *")).to_have_count(0)
        self.referee.done("take back")

    def illegal_act(self) -> None:
        """Somebody moves a cube to a tile that may not take it: the clause is named and nothing is recorded."""
        before = self.newest()
        allowed = {place for player in self.players for place in player.page.evaluate(OFFERED)}
        places = self.referee.see("#board .cell[data-key]").all()
        place = next(one for one in places if one.get_attribute("data-key") not in allowed)
        self.referee.tap(place, "illegal act")
        expect(self.referee.see(".toast")).to_contain_text(CLAUSE)
        self.referee.see(".toast button").last.click()
        expect(self.referee.see(".toast")).to_have_count(0)
        assert self.newest() == before
        self.referee.done("illegal act")

    def newest(self) -> str:
        """The number of the newest record on the referee's page."""
        return self.referee.see("#log li .num").first.inner_text()

    def act(self, player: Person) -> str:
        """The player does what the phone says: places in secret, or a move; "" when it offers nothing, or what was just
        told has not come to this phone yet and takes the offer away."""
        before, kind = self.newest(), "move"
        button = player.choose(f"{LIVE} button.primary", self.random)
        try:
            if button is not None:
                player.tap(button, kind, timeout=GONE_MS)
            elif place := player.choose("#board:not([inert]) .cell.can", self.random):
                kind = "choose"
                player.tap(place, kind, timeout=GONE_MS)
                if self.random.random() < 0.5 and (more := player.choose("#board .cell.can", self.random)):
                    player.tap(more, kind)
                player.tap(f"{LIVE} button.primary", kind)
            else:
                return ""
        except TimeoutError:
            return ""
        expect(self.referee.see("#log li .num").first).not_to_have_text(before)
        player.done(kind)
        return kind

    def go_on(self, rounds: int | None) -> None:
        """Play until the end, or until so many rounds have begun anew."""
        begun, choices = 0, 0
        for _ in range(TURNS):
            if self.over() or (rounds is not None and begun >= rounds):
                return
            if self.due():
                self.draw()
                continue
            acted = False
            for player in self.players:
                kind = self.act(player)
                acted |= bool(kind)
                choices += kind == "choose"
                if kind == "choose" and choices % len(self.names) == 0:
                    begun += 1
                    self.everybody_looks()
            if not acted and not self.due():
                self.everybody_looks()
        raise AssertionError("the evening goes round in circles")

    def due(self) -> bool:
        """Whether the referee's page asks for a draw."""
        return self.referee.shown("#acts button.theme, #acts button.face, #acts [data-draw]")

    def everybody_looks(self) -> None:
        """All mind what they see."""
        for person in self.people:
            person.look_round()

    def restart(self) -> None:
        """The server is killed and started again with plain `companion serve`: every page goes on without a tap."""
        number = self.newest()
        self.served.kill()
        for person in self.people:
            expect(person.see("#banners .banner.bad")).to_be_visible()
        self.served.start()
        for person in self.people:
            expect(person.see("#banners .banner.bad")).to_have_count(0)
        expect(self.referee.see("#log li .num").first).to_have_text(number)

    def pause(self) -> None:
        """A pause is all that anybody sees; it ends on the phone of a player."""
        self.referee.tap("#pause-here", "pause")
        for person in self.people:
            expect(person.see("#paused")).to_be_visible()
            expect(person.see("#content")).to_have_attribute("inert", "")
        self.players[0].tap("#go-on", "pause")
        for person in self.people:
            expect(person.see("#paused")).to_have_count(0)
        self.referee.done("pause")

    def again(self) -> None:
        """The same people play once more: every phone keeps its seat."""
        told = self.screen.see("#headline").inner_text()
        self.referee.page.goto(f"{self.served.url}/result")
        self.referee.tap("#again", "again")
        for person in (self.screen, *self.players):
            expect(person.see("#headline")).not_to_have_text(told)
        for player, letter in zip(self.players, "ABC", strict=False):
            expect(player.see("#who")).to_have_text(letter)
        expect(self.screen.see(".player .chip.next")).to_have_count(0)
        self.referee.done("again")


@contextmanager
def evening(folder: Path, language: str, seed: int, players: int = 3) -> Iterator[Evening]:
    """An evening whose people have all come; what was wrong with any page is raised at its end."""
    with chromium() as browser:
        served = Served(folder)
        try:
            here = Evening(browser, served, language, seed, players)
            here.set_up()
            here.join()
            yield here
            here.everybody_looks()
            faults = [fault for person in here.people for fault in person.faults]
            for person in here.people:
                shot(person.page, f"evening-{language}-{person.name.split()[0]}")
            print(f"seed {seed}, {language}\n{here.tally.told()}")
            assert not faults, "\n".join(dict.fromkeys(faults))
            for act, most in BUDGETS.items():
                assert here.tally.each(act) <= most, act
        finally:
            served.kill()


def test_an_evening_is_begun_corrected_paused_and_goes_on_after_a_power_failure(tmp_path: Path) -> None:
    with evening(tmp_path, "sk", seed=1, players=2) as here:
        here.wrong_draw()
        here.go_on(rounds=1)
        here.illegal_act()
        here.pause()
        here.restart()
        here.go_on(rounds=1)


@pytest.mark.whole_evening
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("language", "seed"), [("en", 11), ("sk", 12), ("cs", 13)])
def test_a_whole_game_of_envyra_is_played_to_its_end(tmp_path: Path, language: str, seed: int) -> None:
    with evening(tmp_path, language, seed) as here:
        here.wrong_draw()
        here.go_on(rounds=2)
        here.illegal_act()
        here.pause()
        here.restart()
        here.go_on(rounds=None)
        assert here.over()
        here.everybody_looks()
        here.again()
