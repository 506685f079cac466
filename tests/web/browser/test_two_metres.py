"""The big screen is read from two metres: nothing that matters is under 24 px at 1920 x 1080, and the width is used."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from browser_kit import chromium, served, shot, until, visitor
from playwright.sync_api import Page, expect
from web_kit import NAMES, Caller, StillCamera, make_app, play_on

from companion.app.dashboard.host import Host
from companion.games import find_game
from web.ports.devices import CameraLook
from web.ports.tables import SetupChoice

pytestmark = [pytest.mark.system("chromium"), pytest.mark.long]

SCREEN = (1920, 1080)
LEAST_PX = 24
SOON_MS = 5000
"""What was drawn anew has found its room long before."""
GAMES = (("envyra", 3, 25), ("spyrium", 4, 60), ("rifts", 3, 40))
MATTERS = (
    "#headline, #expected, #round, #order .chip, #players .who, #players .total, #players .chip, "
    "#board svg text:not(.slotname)"
)
"""Clauses, names of spaces, codes by which people join and the page's own navigation are read from near."""

SMALL = """([what, least]) => [...document.querySelectorAll(what)].filter(one => one.textContent.trim()).filter(one => {
    const box = one.getBoundingClientRect();
    return box.width && getComputedStyle(one).display !== "none";
}).map(one => {
    const scale = one.getScreenCTM ? one.getScreenCTM().d : 1;
    return [one.textContent.trim(), Math.round(parseFloat(getComputedStyle(one).fontSize) * scale * 10) / 10];
}).filter(([, px]) => px < least)"""
"""Texts smaller than they should be; a drawing's letters count as large as they are on the screen."""

USED = """() => { const right = Math.max(...[...document.querySelectorAll(".columns.two > *")]
        .map(one => one.getBoundingClientRect().right));
    const board = document.querySelector("#board > *").getBoundingClientRect();
    const aside = document.querySelector("aside").getBoundingClientRect();
    return { right, between: aside.left - board.right, height: board.height }; }"""


def test_what_matters_is_at_least_24_pixels_high_and_the_whole_width_is_used(tmp_path: Path) -> None:
    with chromium() as browser:
        for game, players, acts in GAMES:
            with served(tmp_path / game, game=False) as (host, where):
                colours = find_game(game).colours
                host.begin(SetupChoice(game, tuple((name, colours[i]) for i, (name, _) in enumerate(NAMES[:players]))))
                play_on(host, acts, seed=5)
                app = make_app(host)
                for letter in "ABCD"[:players]:
                    Caller(app, letter, host)  # nobody has still to join: the codes are gone
                context, page = visitor(browser, SCREEN)
                page.goto(f"{where.url}/table")
                expect(page.locator("#players .player")).to_have_count(players)
                shot(page, f"two-metres-{game}")
                assert page.evaluate(SMALL, [MATTERS, LEAST_PX]) == [], game
                used = page.evaluate(USED)
                assert used["right"] >= SCREEN[0] - 50, (game, used)
                assert used["between"] <= 200, (game, used)
                assert used["height"] >= 600, (game, used)
                assert page.errors == []  # type: ignore[attr-defined]
                context.close()


def test_the_address_to_type_is_read_from_two_metres_before_the_first_game(tmp_path: Path) -> None:
    with served(tmp_path, game=False) as (_, where), chromium() as browser:
        context, page = visitor(browser, SCREEN)
        page.goto(f"{where.url}/table")
        expect(page.locator("#setup-code .code").first).to_be_visible()
        assert page.evaluate(SMALL, [".first-step .code", LEAST_PX]) == []
        context.close()


class ViewCamera(StillCamera):
    """A camera whose view is as it is told."""

    def __init__(self, view: str) -> None:
        super().__init__()
        self.view = view

    def look(self) -> CameraLook:
        return replace(super().look(), view=self.view)


@pytest.mark.parametrize(
    ("view", "language", "words"),
    [("table not found", "sk-SK", "Kamera nevidí stôl."), ("getting ready", "sk-SK", "Kamera sa pripravuje."),
     ("getting ready", "cs-CZ", "Kamera se připravuje."), ("getting ready", "en-GB", "The camera is getting ready.")],
)
def test_the_big_screen_says_that_the_camera_does_not_see_the_table(
    tmp_path: Path, view: str, language: str, words: str
) -> None:
    with served(tmp_path) as (host, where), chromium() as browser:
        host.camera = ViewCamera(view)
        context, page = visitor(browser, SCREEN, locale=language)
        page.goto(f"{where.url}/table")
        expect(page.locator(".seen.on")).to_have_text(words)
        assert page.evaluate(SMALL, [".seen", LEAST_PX]) == []
        context.close()


RESULT = "#headline, #why, .ranked .who, .ranked .total, .ranked .chip, .owned-set span, .ranked td, .ranked summary"


def test_the_result_is_read_from_two_metres_too(tmp_path: Path) -> None:
    with chromium() as browser, served(tmp_path) as (host, where):
        play_on(host, 2000)
        context, page = visitor(browser, SCREEN)
        page.goto(f"{where.url}/result")
        expect(page.locator(".ranked")).to_have_count(2)
        shot(page, "two-metres-result")
        small = page.evaluate(SMALL, [RESULT, LEAST_PX])
        assert [one for one in small if not one[0].startswith("E")] == []  # clauses are read from near
        page.goto(f"{where.url}/table")
        expect(page.locator(".player .chip.next")).to_have_count(1)
        expect(page.locator("#order *")).to_have_count(0)  # nobody's turn comes any more
        context.close()


def test_names_are_whole_beside_what_everybody_has_when_a_market_game_is_over(tmp_path: Path) -> None:
    with chromium() as browser, served(tmp_path, game=False) as (host, where):
        colours, people = find_game("spyrium").colours, ("Řehoř", "Žaneta", "Kryštof Ťulpík", "Ludmila")
        host.begin(SetupChoice("spyrium", tuple(zip(people, colours, strict=False))))
        play_on(host, 2000)
        context, page = visitor(browser, SCREEN, locale="cs-CZ")
        page.goto(f"{where.url}/table")
        expect(page.locator(".player .chip.next")).not_to_have_count(0)
        expect(page.locator(".player")).not_to_contain_text(["pasoval"] * 4)
        shot(page, "two-metres-market-over")
        cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
        assert page.locator(".player .who").evaluate_all(cut) == []
        context.close()


BELOW = """what => document.querySelector(what).getBoundingClientRect().bottom
    - document.querySelector("aside").getBoundingClientRect().bottom"""
"""By how many px the end of something is cut off."""
NUMBER = "() => import('/static/page/live.js').then(live => live.state.number)"


def shown(page: Page, host: Host) -> None:
    """Wait until the page shows the newest record; `wait_for_function` does not wait for a promise."""
    assert host.table is not None
    session = host.table.session
    until(page, lambda: page.evaluate(NUMBER) >= session.number)




@pytest.mark.parametrize(("game", "players"), [("envyra", 2), ("envyra", 4), ("spyrium", 4), ("rifts", 4)])
def test_every_score_is_seen_beside_news_and_the_codes_of_those_without_a_phone(
    tmp_path: Path, game: str, players: int
) -> None:
    with chromium() as browser, served(tmp_path, game=False) as (host, where):
        colours = find_game(game).colours
        host.begin(SetupChoice(game, tuple((name, colours[i]) for i, (name, _) in enumerate(NAMES[:players]))))
        assert host.table is not None
        play_on(host, 40, seed=1)
        context, page = visitor(browser, SCREEN)
        page.goto(f"{where.url}/table")
        expect(page.locator("#joining .code-card")).to_have_count(players)
        news = 0
        for turn in range(12):
            play_on(host, 2, seed=turn)
            shown(page, host)
            expect(page.locator("#players .player")).to_have_count(players)
            news += page.locator("#news > *:visible").count()
            shot(page, f"scores-{game}-{players}")
            assert page.evaluate(BELOW, "#players") <= 0, turn
        shot(page, f"scores-{game}-{players}")
        assert news
        context.close()


SCORES = "#headline, #expected, #round, #players .who, #players .total, #players .chip"


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("game", ["envyra", "spyrium", "rifts"])
def test_every_score_is_seen_below_the_codes_from_the_first_act_on(tmp_path: Path, game: str, players: int) -> None:
    with chromium() as browser, served(tmp_path, game=False) as (host, where):
        colours = find_game(game).colours
        host.begin(SetupChoice(game, tuple((name, colours[i]) for i, (name, _) in enumerate(NAMES[:players]))))
        assert host.table is not None
        context, page = visitor(browser, SCREEN)
        page.goto(f"{where.url}/table")
        expect(page.locator("#joining .code-card .qr:visible")).to_have_count(players)
        for acts in (0, 2, 2):
            play_on(host, acts, seed=5)
            shown(page, host)
            expect(page.locator("#players .player")).to_have_count(players)
            assert page.evaluate(BELOW, "#players") <= 0, acts
            assert page.evaluate(SMALL, [f"{SCORES}, #joining .code-card p:not(.soft)", LEAST_PX]) == [], acts
        context.close()


@pytest.mark.parametrize(("game", "acts"), [("envyra", 30), ("rifts", 28)])
def test_codes_of_those_without_a_phone_give_way_to_what_is_played(tmp_path: Path, game: str, acts: int) -> None:
    with chromium() as browser, served(tmp_path, game=False) as (host, where):
        colours = find_game(game).colours
        host.begin(SetupChoice(game, tuple((name, colours[i]) for i, (name, _) in enumerate(NAMES))))
        context, page = visitor(browser, SCREEN)
        page.goto(f"{where.url}/table")
        expect(page.locator("#joining .code-card .qr").first).to_be_visible()
        assert page.evaluate(BELOW, "#joining") <= 0
        play_on(host, acts, seed=1)
        expect(page.locator("#joining .folded-words")).to_be_visible()
        expect(page.locator("#joining .code-card").first).to_be_hidden()
        page.reload()  # without the news of the last act
        expect(page.locator("#joining .folded-words")).to_be_visible()
        assert page.evaluate(BELOW, "#supply > :last-child") <= 0
        assert page.errors == []  # type: ignore[attr-defined]
        context.close()


@pytest.mark.parametrize("size", [(1024, 600), (960, 540)])
def test_three_are_seen_on_a_low_screen_from_the_first_on(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    with chromium() as browser, served(tmp_path, game=False) as (host, where):
        colours = find_game("spyrium").colours
        host.begin(SetupChoice("spyrium", tuple((name, colours[i]) for i, (name, _) in enumerate(NAMES[:3]))))
        context, page = visitor(browser, size, locale="cs-CZ")
        page.goto(f"{where.url}/table")
        expect(page.locator("#joining .code-card .qr:visible")).to_have_count(3)
        shot(page, f"low-begun-{size[0]}")
        assert page.evaluate(BELOW, "#players") <= 0
        while not page.locator("body.begun").count():
            play_on(host, 1, seed=5)
            shown(page, host)
        page.wait_for_function(f"() => ({BELOW})('#players') <= 0", timeout=SOON_MS)
        shot(page, f"low-{size[0]}")
        assert page.errors == []  # type: ignore[attr-defined]
        context.close()


LONG_NAMES = ("Žofia Ďurčanská-Šimonovičová A", "Ján", "Maximiliána Kvetoslava Nováko", "Ľubomír")


@pytest.mark.parametrize("size", [(1280, 800), (1366, 768), SCREEN])
@pytest.mark.parametrize("game", ["envyra", "spyrium", "rifts"])
def test_four_with_long_names_are_seen_whole_beside_their_codes_in_the_first_round(
    tmp_path: Path, game: str, size: tuple[int, int]
) -> None:
    with chromium() as browser, served(tmp_path, game=False) as (host, where):
        colours = find_game(game).colours
        host.begin(SetupChoice(game, tuple(zip(LONG_NAMES, colours, strict=False))))
        assert host.table is not None
        context, page = visitor(browser, size, locale="sk-SK")
        page.goto(f"{where.url}/table")
        expect(page.locator("#joining .code-card .qr:visible")).to_have_count(len(LONG_NAMES))
        for act in range(14):
            play_on(host, 1, seed=act + 3)
            shown(page, host)
            expect(page.locator("#players .player")).to_have_count(len(LONG_NAMES))
            page.wait_for_function(f"() => ({BELOW})('#players') <= 0", timeout=SOON_MS)
        shot(page, f"long-names-{game}-{size[0]}")
        assert page.errors == []  # type: ignore[attr-defined]
        context.close()


BEGINS = """() => [...document.querySelectorAll("#joining .code-card p")].map(one => {
    const range = document.createRange();
    range.selectNodeContents([...one.childNodes].find(part => part.nodeType === Node.TEXT_NODE && part.data.trim()));
    return Math.round(range.getBoundingClientRect().left - one.getBoundingClientRect().left);
})"""
"""Where each name under a code begins, in px from the left edge of its place: below 0 its beginning is cut off."""


def test_a_long_name_under_a_code_is_read_from_its_beginning(tmp_path: Path) -> None:
    with chromium() as browser, served(tmp_path, game=False) as (host, where):
        host.begin(SetupChoice("rifts", tuple(zip(LONG_NAMES, find_game("rifts").colours, strict=False))))
        context, page = visitor(browser, LOW[0], locale="sk-SK")
        page.goto(f"{where.url}/table")
        expect(page.locator("#joining .code-card .qr:visible")).to_have_count(len(LONG_NAMES))
        play_on(host, 1, seed=4)
        shown(page, host)
        assert min(page.evaluate(BEGINS)) >= 0
        context.close()


def test_a_long_name_under_a_code_is_read_whole_where_there_is_room(tmp_path: Path) -> None:
    with chromium() as browser, served(tmp_path, game=False) as (host, where):
        host.begin(SetupChoice("envyra", tuple(zip(LONG_NAMES, find_game("envyra").colours, strict=False))))
        context, page = visitor(browser, SCREEN, locale="sk-SK")
        page.goto(f"{where.url}/table")
        expect(page.locator("#joining .code-card .qr:visible")).to_have_count(len(LONG_NAMES))
        cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
        assert page.locator("#joining .code-card p").evaluate_all(cut) == []
        shot(page, "two-metres-long-names")
        context.close()


LOW = ((960, 540), (1024, 600))
LAST_ACTS = 30
LEAST_OF_LOW_PX = 12
"""As large a part of 540 lines as LEAST_PX is of 1080."""


@pytest.mark.parametrize("game", ["envyra", "spyrium", "rifts"])
def test_four_with_long_names_are_seen_on_a_low_screen_all_the_game(tmp_path: Path, game: str) -> None:
    with chromium() as browser, served(tmp_path, game=False) as (host, where):
        colours = find_game(game).colours
        host.begin(SetupChoice(game, tuple(zip(LONG_NAMES, colours, strict=False))))
        pages = [visitor(browser, size, locale="sk-SK") for size in LOW]
        for _, page in pages:
            page.goto(f"{where.url}/table")
        for acts in (0, 1, 13, LAST_ACTS):
            play_on(host, acts, seed=acts + 3)
            for _, page in pages:
                shown(page, host)
                expect(page.locator("#players .player")).to_have_count(len(LONG_NAMES))
                page.wait_for_function(f"() => ({BELOW})('#players') <= 0", timeout=SOON_MS)
                if game == "rifts" and acts == LAST_ACTS:  # what can be bought is seen when everybody has joined
                    page.add_style_tag(content="#joining { display: none }")
                    page.wait_for_function(f"() => ({CUT_OFF})() <= 0", timeout=SOON_MS)
                assert page.evaluate(SMALL, [SCORES, LEAST_OF_LOW_PX]) == [], acts
        for context, page in pages:
            shot(page, f"low-long-names-{game}-{(page.viewport_size or {})['width']}")
            assert page.errors == []  # type: ignore[attr-defined]
            context.close()


NEWS_SIZES = ((1280, 720), (1366, 768), SCREEN)
NEWS_TURNS = 24


@pytest.mark.parametrize("game", ["envyra", "rifts"])
def test_news_of_four_and_what_is_left_are_seen_whole(tmp_path: Path, game: str) -> None:
    with chromium() as browser, served(tmp_path, game=False) as (host, where):
        colours = find_game(game).colours
        host.begin(SetupChoice(game, tuple((name, colours[i]) for i, (name, _) in enumerate(NAMES))))
        pages = [visitor(browser, size, locale="sk-SK") for size in (*NEWS_SIZES, LOW[0])]
        for _, page in pages:
            page.goto(f"{where.url}/table")
        told = 0
        for turn in range(NEWS_TURNS):
            play_on(host, 8, seed=turn)
            for _, page in pages:
                shown(page, host)
                page.wait_for_function(f"() => ({CUT_OFF})() <= 0", timeout=SOON_MS)
                assert page.evaluate(SMALL, [SCORES, LEAST_OF_LOW_PX]) == [], turn
                told += page.locator("#news > *:visible").count()
        assert told
        for context, page in pages:
            shot(page, f"news-{game}-{(page.viewport_size or {})['width']}")
            assert page.errors == []  # type: ignore[attr-defined]
            context.close()


SIZES = ((1280, 800), (1366, 768), SCREEN)
CUT_OFF = """() => document.querySelector("#supply > :last-child").getBoundingClientRect().bottom
    - document.querySelector("aside").getBoundingClientRect().bottom"""
"""By how many px the end of the supply is cut off: nobody scrolls a big screen."""


def test_the_supply_of_four_mages_is_seen_whole_on_a_small_laptop_too(tmp_path: Path) -> None:
    with chromium() as browser, served(tmp_path, game=False) as (host, where):
        colours = find_game("rifts").colours
        host.begin(SetupChoice("rifts", tuple((name, colours[i]) for i, (name, _) in enumerate(NAMES))))
        context, page = visitor(browser, SCREEN)
        for turn in range(4):
            play_on(host, 12, seed=turn)
            page.goto(f"{where.url}/table")
            expect(page.locator("#players .player")).to_have_count(4)
            page.add_style_tag(content="#joining { display: none }")  # as when everybody has joined
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                shot(page, f"supply-{turn}-{width}")
                assert page.evaluate(CUT_OFF) <= 0, (turn, width)
        context.close()


MOST_CARDS = 8
"""More own cards than four players come to have at a time, since some are built over."""
ALL_SEEN_WITH_MORE = """most => new Promise((done) => {
    for (const quarter of document.querySelectorAll("#players .quarter"))
        while (quarter.children.length < most) quarter.append(document.querySelector(".own-card").cloneNode(true));
    const cards = [...document.querySelectorAll("#players .own-card")];
    new IntersectionObserver(([last], looking) => {
        looking.disconnect();
        done(cards.length === 4 * most && last.intersectionRatio > 1 - 1e-9);
    }).observe(cards.at(-1));
})"""
"""In one go: the page draws the cards anew when the stream first tells the state. What holds a card may cut it off,
too."""


def seen_with_more(page: Page) -> None:
    """Wait until all own cards are seen, were there as many as there ever are."""
    until(page, lambda: bool(page.evaluate(ALL_SEEN_WITH_MORE, MOST_CARDS)))


def test_what_four_have_built_and_what_is_undrawn_is_seen_whole_to_the_end_of_a_market_game(tmp_path: Path) -> None:
    with chromium() as browser, served(tmp_path, game=False) as (host, where):
        colours = find_game("spyrium").colours
        host.begin(SetupChoice("spyrium", tuple((name, colours[i]) for i, (name, _) in enumerate(NAMES))))
        for turn in range(3):
            play_on(host, 100, seed=turn)
            for width, height in SIZES:
                context, page = visitor(browser, (width, height))
                page.goto(f"{where.url}/table")
                expect(page.locator("#undrawn .chip")).to_have_count(3)
                expect(page.locator("#undrawn .chip").last).to_be_in_viewport(ratio=1)
                expect(page.locator("#players .own-card").last).to_be_in_viewport(ratio=1)
                shot(page, f"undrawn-{turn}-{width}")
                seen_with_more(page)
                shot(page, f"most-cards-{turn}-{width}")
                assert page.errors == []  # type: ignore[attr-defined]
                context.close()
