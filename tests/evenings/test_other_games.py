"""Spyrium and Rifts walked by what people see and touch: whose phone offers something, taps one of its offers."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from browser_kit import chromium, serious, shot, until
from evening_kit import LAPTOP, PHONE, SCREEN, ByKeyboard, Person, Served, Tally, scanned
from playwright.sync_api import Browser, TimeoutError, expect
from web_kit import PIN

pytestmark = pytest.mark.system("chromium")

NAMES = ("Žofia", "Ján", "Mária", "Ľubomír")
MOST_PLACES = 8
"""Places that one act names, at most, with a few that were unmarked again."""
GONE_MS = 3000
RECORDED_MS = 30_000
WALKS = int(os.environ.get("EVENING_WALKS", "1"))
"""Walks over the pages of each game, each with the seed of its number."""
ACTS_OF_A_WALK, MOST_ACTS = 25, 2000
PLAYERS = {"envyra": (2, 3, 4), "spyrium": (2, 3, 4), "rifts": (2, 3, 4)}
BEFORE_FIRST_ACT = 5
"""Taps a player, at most, before the first act when the bag is digital."""


def on_a_phone(browser: Browser, name: str, tally: Tally, language: str) -> Person:
    """A player with a phone."""
    return Person(browser, name, PHONE, tally, language)


def by_keyboard(browser: Browser, name: str, tally: Tally, language: str) -> Person:
    """A player without a pointer at a laptop that shows everything twice as large, dark, and moves nothing."""
    half = (LAPTOP[0] // 2, LAPTOP[1] // 2)
    return ByKeyboard(browser, name, half, tally, language, color_scheme="dark", reduced_motion="reduce")


class Evening:
    """One game with a digital bag: a referee, a big screen, a phone for each player."""

    def __init__(
        self, browser: Browser, served: Served, game: str, players: int, language: str, seed: int,
        player: Callable[[Browser, str, Tally, str], Person] = on_a_phone,
    ) -> None:
        self.random, self.tally = Random(seed), Tally()
        self.referee = Person(browser, "referee", LAPTOP, self.tally, language)
        self.screen = Person(browser, "screen", SCREEN, self.tally, language)
        page = self.referee.page
        page.goto(f"{served.url}/setup")
        page.fill("#pin", PIN)
        self.referee.tap("#login button", "set-up")
        expect(page.locator("#begin")).to_be_enabled()
        page.locator("#game").select_option(game)
        while page.locator(".seat-name").count() < players:
            self.referee.tap("#more", "set-up")
        for i in range(players):
            page.locator(".seat-name").nth(i).fill(NAMES[i])
        page.locator("#draws").select_option("digital")
        self.referee.tap("#begin", "set-up")
        page.wait_for_url("**/draws")
        self.screen.page.goto(f"{served.url}/table")
        self.players = []
        for name in NAMES[:players]:
            phone = player(browser, name, self.tally, language)
            card = self.screen.see("#joining .code-card").filter(has_text=name)
            phone.page.goto(scanned(card.locator(".qr")))
            phone.page.wait_for_url("**/seat/*")
            self.players.append(phone)
        self.referee.tap("#bag .stack > button.primary", "set-up")
        self.referee.tap(page.locator("#bag .row button").first, "set-up")
        self.referee.done("set-up")
        page.goto(f"{served.url}/referee")

    @property
    def people(self) -> list[Person]:
        """Everybody."""
        return [self.referee, self.screen, *self.players]

    def newest(self) -> str:
        """The number of the newest record on the referee's page."""
        return self.referee.see("#log li .num").first.inner_text()

    def act(self, player: Person) -> bool:
        """Tap one of the offers on this phone, places on its map first; whether there was any."""
        before = self.newest()
        for _ in range(MOST_PLACES):
            offer = player.choose("#acts button:enabled", self.random)
            place = offer or player.choose("#board .can", self.random)
            if place is None:
                return False
            try:
                said = place.text_content(timeout=GONE_MS)
                player.tap(place, "act", timeout=GONE_MS)
            except TimeoutError:
                return False  # the table has moved on before the finger came down: there is nothing to tap any more
            if offer is not None:
                if not self.recorded(before):
                    player.faults.append(f"{player.name}: {said!r} was tapped and nothing is recorded")
                player.done("act")
                return True
        return False

    def recorded(self, before: str) -> bool:
        """Whether the referee's page comes to show a newer record."""
        try:
            expect(self.referee.see("#log li .num").first).not_to_have_text(before, timeout=RECORDED_MS)
        except AssertionError:
            return False
        return True

    def over(self) -> bool:
        """Whether the big screen leads to the result: the game has ended, won or lost."""
        return self.screen.shown("[data-key=result]")

    def round(self) -> int:
        """The round that the big screen shows."""
        return int("".join(filter(str.isdigit, self.screen.see("#round").inner_text())) or 0)

    def go_on(self, acts: int, rounds: int = 1000) -> int:
        """So many acts or rounds, or until the game is over; how many acts there were."""
        done = 0
        while done < acts and not self.over() and self.round() <= rounds:
            acted = sum(self.act(player) for player in self.players)
            done += acted
            if done % 10 < acted:
                for person in self.people:
                    person.look_round()
            if not acted:  # the bag draws, or the pages have not heard yet: a dead end would be waited for in vain
                until(self.screen.page, lambda: self.over() or any(map(self.offered, self.players)))
        return done

    def offered(self, player: Person) -> bool:
        """Whether this phone offers anything."""
        return player.shown("#acts button:enabled") or player.shown("#board .can")


@pytest.mark.whole_evening
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("game", "players", "language", "rounds"), [("spyrium", 4, "sk", 6), ("rifts", 3, "cs", 15)]
)
def test_a_game_is_played_to_its_end_or_last_round_by_the_offers_on_the_phones(
    tmp_path: Path, game: str, players: int, language: str, rounds: int
) -> None:
    with chromium() as browser:
        served = Served(tmp_path)
        try:
            here = Evening(browser, served, game, players, language, seed=21)
            assert here.tally.taps["set-up"] / players <= BEFORE_FIRST_ACT
            try:
                done = here.go_on(MOST_ACTS, rounds)
            finally:
                for person in here.people:
                    shot(person.page, f"evening-{game}-{person.name}")
            print(f"{game}, {language}: {done} acts, round {here.round()}\n{here.tally.told()}")
            no_faults(here)
            assert here.over() or here.round() > rounds
        finally:
            served.kill()


@pytest.mark.whole_evening
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(1, WALKS + 1))
@pytest.mark.parametrize("game", sorted(PLAYERS))
def test_pages_are_walked_by_chance_and_refuse_nothing(tmp_path: Path, game: str, seed: int) -> None:
    random = Random(seed)
    players, language = random.choice(PLAYERS[game]), random.choice(("en", "sk", "cs"))
    with chromium() as browser:
        served = Served(tmp_path)
        try:
            here = Evening(browser, served, game, players, language, seed)
            done = here.go_on(ACTS_OF_A_WALK)
            print(f"{game}, {players} players, {language}, seed {seed}: {done} acts\n{here.tally.told()}")
            no_faults(here)
            assert done >= ACTS_OF_A_WALK or here.over()
        finally:
            served.kill()


def no_faults(here: Evening) -> None:
    """Nobody saw anything wrong."""
    faults = [fault for person in here.people for fault in person.faults]
    assert not faults, "\n".join(dict.fromkeys(faults))


@pytest.mark.whole_evening
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("game", "acts"), [("rifts", MOST_ACTS), ("envyra", 60), ("spyrium", 60)])
def test_a_game_is_played_by_keyboard_alone_at_200_percent_in_the_dark(tmp_path: Path, game: str, acts: int) -> None:
    with chromium() as browser:
        served = Served(tmp_path)
        try:
            here = Evening(browser, served, game, 2, "en", seed=5, player=by_keyboard)
            try:
                done = here.go_on(acts)
            finally:
                for player in here.players:
                    shot(player.page, f"keyboard-{game}-{player.name}")
            print(f"{game} by keyboard: {done} acts, round {here.round()}\n{here.tally.told()}")
            assert [serious(player.page) for player in here.players] == [[], []]
            no_faults(here)
            assert here.over() or done >= acts
        finally:
            served.kill()
