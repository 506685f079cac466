"""What somebody reads who knows the game and not the program: names of things, marks, what is offered twice."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from browser_kit import DRAWN, PHONE, as_referee, chromium, join, served, shot, visitor
from playwright.sync_api import Browser, Route, expect
from rifts_player import careful
from web_kit import NAMES, Caller, StillCamera, make_app, play_on

import companion.app
from companion.app.dashboard.filmed_game import film_choice
from companion.app.dashboard.host import Host
from companion.core.messages import Message
from companion.core.types import SeatScore
from companion.games import find_game
from companion.games.rifts.actions import Buy
from companion.table.commands import Play
from web.ports.tables import SetupChoice

pytestmark = [pytest.mark.system("chromium"), pytest.mark.long]

LATEST_ACT = 600
SAMPLE = Path(__file__).parents[2] / "vision" / "fixtures" / "sample"
FILM = Path(companion.app.__file__).parent / "demo" / "film"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def begin(host: Host, game: str, players: int = 2) -> None:
    """A game of so many players in the game's own colours."""
    colours = find_game(game).colours
    host.begin(SetupChoice(game, tuple((name, colours[i]) for i, (name, _) in enumerate(NAMES[:players]))))


def act(host: Host, *texts: str) -> None:
    """Something happens at the table."""
    assert host.table is not None
    assert host.table.session.ask(Play(texts=texts)).accepted


def test_what_can_be_drawn_is_named_as_people_call_it(tmp_path: Path, browser: Browser) -> None:
    for game, word in (("rifts", "Ohnivá koule"), ("spyrium", "Nový dělník"), ("envyra", "flóra")):
        with served(tmp_path / game, game=False) as (host, where):
            begin(host, game)
            assert host.table is not None
            session = host.table.session
            faces = {
                str(getattr(one.draw, "card", None) or getattr(one.draw, "tile", ""))
                for one in session.rules.chance_outcomes(session.state)
            }
            context, page = visitor(browser, locale="cs-CZ")
            page.goto(f"{where.url}/draws")
            expect(page.locator("#due td").filter(has_text=word).first).to_be_visible()
            named = page.locator("#due td:first-child").all_inner_texts()
            assert not faces & set(named), game
            assert "," in page.locator("#due td:last-child").first.inner_text(), game  # 8,3 %: as Czech writes it
            context.close()


def test_a_spell_is_offered_and_told_by_its_name(tmp_path: Path) -> None:
    with served(tmp_path, game=False) as (host, _):
        begin(host, "rifts")
        assert host.table is not None
        session, random = host.table.session, Random(3)
        bought = careful(session.rules, session.state, random)
        for _ in range(LATEST_ACT):
            if isinstance(bought, Buy):
                break
            act(host, session.rules.format(bought))
            bought = careful(session.rules, session.state, random)
        assert isinstance(bought, Buy)
        caller = Caller(make_app(host), bought.seat.name, host)
        state, text = caller.state(), session.rules.format(bought)
        card = next(one for one in state["view"]["market"] if one and one["slot"] == bought.slot)
        name = state["names"][card["id"]]
        offered = next(one["sentence"] for one in state["actions"] if one["text"] == text)
        assert name in offered
        act(host, text)
        told = caller.get("/api/records?after=0").get_json()["records"][-1]
        assert any(name in one for one in told["followed"])


OVERLAPS = """() => [...document.querySelectorAll(".chart svg[role=img]")].flatMap(svg => {
    const box = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll("text")].filter(one => !one.closest("svg svg"))
        .map(one => [one.textContent, one.getBoundingClientRect()]);
    const cut = texts.filter(([, one]) =>
        one.left < box.left - 1 || one.right > box.right + 1 || one.top < box.top - 1);
    const over = texts.filter(([, a], i) => texts.some(([, b], k) => k > i && a.right > b.left + 1
        && b.right > a.left + 1 && a.bottom > b.top + 3 && b.bottom > a.top + 3));
    return [...cut, ...over].map(([text]) => text);
})"""
"""Texts of the charts that are cut off or lie over one another."""


@pytest.mark.parametrize("size", [PHONE, (1280, 800)])
def test_no_text_of_a_chart_is_cut_off_or_lies_over_another(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    with served(tmp_path) as (host, where):
        play_on(host, 2000)
        context, page = visitor(browser, size)
        page.goto(f"{where.url}/result")
        expect(page.locator("#times svg[role=img]")).to_be_visible()
        shot(page, f"charts-{size[0]}")
        assert page.evaluate(OVERLAPS) == []
        context.close()


@pytest.mark.parametrize(
    ("locale", "start", "zero"), [("en-GB", "start", "R0"), ("sk-SK", "začiatok", "K0"), ("cs-CZ", "začátek", "K0")]
)
def test_a_chart_does_not_begin_with_a_round_of_number_0(
    tmp_path: Path, browser: Browser, locale: str, start: str, zero: str
) -> None:
    for game, seed in (("spyrium", 5), ("rifts", 2)):
        with served(tmp_path / game, game=False) as (host, where):
            begin(host, game)
            play_on(host, 60, seed=seed)
            context, page = visitor(browser, PHONE, locale=locale)
            page.goto(f"{where.url}/charts")
            expect(page.locator("#times svg[role=img]")).to_be_visible()
            names = page.locator("main svg[role=img] > text, main tbody th").all_text_contents()
            assert zero not in names, game
            assert start in names, game  # set-up of Rifts takes time; Spyrium scores before round 1
            assert start not in page.locator("#score svg[role=img] > text").all_text_contents(), game
            shot(page, f"charts-of-{game}-{locale}")
            assert page.evaluate(OVERLAPS) == [], game
            context.close()


def test_a_symbol_without_a_name_is_called_so_in_the_language_of_the_page(tmp_path: Path) -> None:
    with served(tmp_path, game=False, enrolled=FILM) as (host, _):
        host.begin(film_choice(FILM))
        act(host, "deal r1c1 flora-1-a")
        state = Caller(make_app(host)).get("/api/state?lang=sk").get_json()
        assert state["view"]["cells"][0]["tile"]["symbol_name"] == "flóra symbol 1"


def test_what_is_written_over_the_camera_s_picture_is_no_id(tmp_path: Path) -> None:
    with served(tmp_path) as (host, _):
        camera, called = StillCamera(), []
        host.camera = camera
        look = camera.picture
        camera.picture = lambda overlay, called_so=str: (called.append(called_so), look(overlay))[1]  # type: ignore[method-assign]
        assert Caller(make_app(host), "referee", host).get("/api/camera/picture?lang=sk").status_code == 200
        assert (called[0]("flora-1-a"), called[0]("gray")) == ("list (1 VB)", "sivá")


def ranked(scores: tuple[SeatScore, ...]) -> list[SeatScore]:
    return sorted(scores, key=lambda one: (one.total, *one.tiebreaks), reverse=True)


def test_who_has_lost_together_reads_by_what_and_has_no_place(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path, game=False) as (host, where):
        begin(host, "rifts")
        play_on(host, LATEST_ACT, seed=3)
        assert host.table is not None
        rules = host.table.session.rules
        result = rules.result(host.table.session.state)
        assert result is not None
        assert not result.winners
        context, page = visitor(browser)
        page.goto(f"{where.url}/result")
        expect(page.locator("#why")).to_contain_text(host.table.spec.clauses[result.clause].title)
        expect(page.locator("#ranking .ranked")).to_have_count(2)
        expect(page.locator("#ranking .chip")).to_have_text([f"glory {one.total}" for one in ranked(result.scores)])
        assert "Place" not in page.locator("#ranking").inner_text()
        page.goto(f"{where.url}/table")
        expect(page.locator("#supply")).to_contain_text("Most glory")
        assert "Champion" not in page.locator("#supply").inner_text()
        history = Caller(make_app(host)).get("/api/history").get_json()
        assert [row["place"] for row in history["games"][0]["players"]] == [2, 2]
        assert [met["ahead"] for row in history["players"] for met in row["against"].values()] == [0, 0]
        context.close()


@pytest.mark.parametrize(("page_name", "asked", "answer"), [
    ("enrol", "**/api/enrol/look*", {"pieces": [], "trouble": "", "remedy": "", "by": "markers"}),
    ("lens", "**/api/lens?*", {"running": False, "fields": [], "board": [], "advice": "", "complete": False}),
])
def test_outlines_and_picture_are_of_the_same_view_while_a_game_is_followed(
    tmp_path: Path, browser: Browser, page_name: str, asked: str, answer: dict[str, object]
) -> None:
    with served(tmp_path) as (host, where):
        host.camera = StillCamera()
        context, page = visitor(browser)
        as_referee(page, where.url)
        page.route(asked, lambda route: route.fulfill(json=answer))
        page.goto("about:blank")  # the page before asks for pictures, too, until it is left
        with page.expect_request("**/api/camera/picture*") as request:
            page.goto(f"{where.url}/{page_name}")
        assert "overlay=0" in request.value.url  # with what was recognised it would be the slots from near
        context.close()


CODE = re.compile(r"\b(?:flora|water|fire|bonus)-\d")


def test_the_tally_names_tiles_by_what_is_seen_on_them(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (_, where):
        context, page = visitor(browser)
        as_referee(page, where.url)
        page.goto(f"{where.url}/tally")
        for _ in range(2):
            page.get_by_role("button", name="Add a tile").first.click()
            offered = page.locator("[id^='tile-0-']").last.locator("option").all_inner_texts()
            assert len(offered) == len(set(offered))  # of two copies either will do
            page.locator("[id^='tile-0-']").last.select_option(label="flora, blossom, points: 2, cubes to capture: 2")
        expect(page.locator("#verdict .minis > svg")).not_to_have_count(0)
        assert page.locator("[id^='tile-0-']").evaluate_all("all => new Set(all.map(one => one.value)).size") == 2
        assert not CODE.search(page.locator("main").inner_text())
        labels = page.locator("main [aria-label]").evaluate_all("all => all.map(one => one.ariaLabel)")
        assert not CODE.search(" ".join(labels))
        context.close()


def test_the_printed_sheet_names_tiles_by_what_is_seen_on_them(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        play_on(host, 30)
        context, page = visitor(browser, locale="sk-SK")
        page.goto(f"{where.url}/sheet")
        expect(page.locator("#tiles")).to_contain_text("VB)")
        expect(page.locator("#players .minis > svg").first).to_be_visible()
        assert not CODE.search(page.locator("main").inner_text())
        context.close()


def test_measuring_the_lens_without_a_camera_is_no_fault_of_the_page(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (_, where):
        context, page = visitor(browser)
        faults: list[str] = []
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        as_referee(page, where.url)
        page.goto(f"{where.url}/lens")
        expect(page.locator("#advice")).to_contain_text("No picture comes from the camera")
        assert faults == []
        context.close()


def test_a_draw_that_the_bag_makes_by_itself_is_not_offered_meanwhile(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (_, where):
        context, page = visitor(browser)
        as_referee(page, where.url)
        expect(page.locator("#acts button.face").first).to_be_visible()

        def drawn_by_itself(route: Route) -> None:
            answer = route.fetch()
            bag = json.dumps({"phase": "sealed", "automatic": True})
            route.fulfill(response=answer, body=re.sub(r'"bag": ?{[^{}]*}', f'"bag": {bag}', answer.text()))

        page.route("**/referee", drawn_by_itself)
        page.route("**/api/stream*", lambda route: route.abort())  # what would come next is not there yet
        page.reload()
        expect(page.locator("#acts")).to_contain_text("The digital bag draws it.")
        expect(page.locator("#acts button")).to_have_count(0)
        context.close()


def test_the_end_of_a_game_leads_to_the_proof_of_its_draws(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        referee = Caller(make_app(host), "referee")
        for step in ("commit", "close", "seal"):
            assert referee.post("/api/bag", **{"as": "referee"}, step=step).status_code == 200
        play_on(host, LATEST_ACT)
        (one, page), (other, phone) = visitor(browser), visitor(browser, PHONE)
        as_referee(page, where.url)
        join(phone, host, where.url, "A")
        phone.goto(f"{where.url}/result")
        phone.get_by_role("link", name="Check the draws").click()
        expect(phone.locator("#prove")).to_contain_text("The referee reveals the secret on this page")
        page.goto(f"{where.url}/result")
        page.get_by_role("link", name="The game is over: reveal the secret").click()
        page.get_by_role("button", name="The game is over: reveal the secret").click()
        expect(phone.locator("#prove")).to_contain_text("download the record, then choose it")
        assert page.errors == phone.errors == []  # type: ignore[attr-defined]
        one.close()
        other.close()


def test_what_a_hand_covers_is_said_by_row_and_column(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        host.camera = StillCamera(note=Message("a hand covers {slots}", slots=("r2c1", "r2c2")))
        context, page = visitor(browser, locale="sk-SK")
        as_referee(page, where.url)
        expect(page.locator("#camera-state")).to_contain_text("riadok 2 stĺpec 1")
        assert "r2c" not in page.locator("#camera-state").inner_text()
        context.close()


MARK = """() => getComputedStyle(document.querySelector("#board .cell.marked"), "::after").content"""


def test_a_phone_says_whose_it_is_what_is_marked_and_offers_each_thing_once(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        play_on(host, 0)
        context, phone = visitor(browser, PHONE)
        join(phone, host, where.url, "A")
        expect(phone.locator("#own-name")).to_have_text(NAMES[0][0])
        phone.locator("#board .cell.can").first.click()
        assert phone.evaluate(MARK) == '"✓"'  # the frame alone is too like that of the others
        expect(phone.locator("#acts button.primary .act-tiles > svg")).to_have_count(1)
        phone.locator("#acts button.primary").click()
        expect(phone.get_by_role("button", name="Take my confirmation back")).to_be_visible()
        expect(phone.locator("#undo")).to_be_hidden()  # it would do the same
        assert phone.errors == []  # type: ignore[attr-defined]
        context.close()


def test_a_move_is_offered_with_the_picture_of_its_tile(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        play_on(host, 0)
        act(host, "A choose r1c1 r1c2")
        act(host, "B choose r1c1 r1c3")
        assert host.table is not None
        mover = host.table.session.rules.to_act(host.table.session.state)[0]
        context, phone = visitor(browser, PHONE)
        join(phone, host, where.url, mover.name)
        moves = phone.locator("#acts button.primary")
        expect(moves.first).to_be_visible()
        assert moves.locator(".act-tiles > svg").count() == moves.count()
        context.close()


def test_news_moves_nothing_that_the_referee_is_about_to_tap(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        play_on(host, 0)
        context, page = visitor(browser)
        as_referee(page, where.url)
        top = "() => document.querySelector('#board').getBoundingClientRect().top + scrollY"
        act(host, "A choose r1c1 r1c2")
        expect(page.locator("#players .chip.ok")).to_have_count(1)
        act(host, "B choose r1c1 r1c3")
        expect(page.locator("#news .news")).to_be_visible()
        with_news = page.evaluate(top)
        page.evaluate("document.querySelector('#news').replaceChildren()")
        assert page.evaluate(top) == with_news
        context.close()


def test_no_old_picture_of_the_table_stands_above_the_words_that_it_is_hidden(
    tmp_path: Path, browser: Browser
) -> None:
    with served(tmp_path) as (host, where):
        host.camera = StillCamera()
        context, page = visitor(browser)
        as_referee(page, where.url)
        expect(page.locator("#camera-picture")).to_be_visible()
        play_on(host, 0)  # the grid is dealt: places are chosen in secret
        expect(page.locator("#camera-note")).to_contain_text("hidden while players choose in secret")
        expect(page.locator("#camera-picture")).to_be_hidden()
        context.close()


def test_whoever_opens_the_address_first_is_told_to_set_up_a_game(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path, game=False) as (_, where):
        context, page = visitor(browser)
        page.goto(where.url)
        expect(page.locator("main a.primary")).to_have_text("Set up a game")
        context.close()


def test_what_is_only_read_is_closed_and_what_is_asked_is_filled_in(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (_, where):
        context, page = visitor(browser, PHONE)
        as_referee(page, where.url)
        page.get_by_role("button", name="What is out of place").click()
        expect(page.locator("dialog button")).to_have_text(["Close"])
        page.get_by_role("button", name="Close").click()
        page.locator("#note").click()
        expect(page.locator("dialog button").last).to_have_text("Cancel")
        page.get_by_role("checkbox").check()
        page.get_by_role("button", name="Write").click()  # a dispute about nothing is asked what it is about
        page.locator("#remark").fill("Whose cube was last?")
        page.keyboard.press("Enter")
        expect(page.locator("#log")).to_contain_text("Whose cube was last?")
        page.locator("#clock").click()
        page.locator("#minutes").fill("")
        page.get_by_role("button", name="Count down").click()  # no time is set that nobody typed
        page.locator("#minutes").fill("25")
        page.keyboard.press("Enter")
        expect(page.locator("#log")).to_contain_text("each player has 25 minutes")
        expect(page.locator("#log")).not_to_contain_text("30 minutes")
        context.close()


def test_secrets_can_be_hidden_only_while_something_is_secret(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        play_on(host, 0)
        context, phone = visitor(browser, PHONE)
        join(phone, host, where.url, "A")
        hide = phone.get_by_role("button", name="Hide my secrets")
        expect(phone.locator("#board .cell.can").first).to_be_visible()
        expect(hide).to_have_count(0)
        act(host, "A choose r1c1 r1c2")
        hide.click()
        expect(phone.locator("#mine")).to_contain_text("hidden")
        act(host, "B choose r1c1 r1c3")  # what was chosen is open now
        expect(phone.locator("#mine")).to_contain_text("row 1 column 2")
        expect(phone.locator("#mine button[data-key=cover]")).to_have_count(0)
        context.close()


def test_a_game_to_go_on_with_names_its_players_as_in_a_sentence(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path, players=3) as (_, where):
        context, page = visitor(browser, locale="cs-CZ")
        as_referee(page, where.url)
        page.goto(f"{where.url}/setup")
        expect(page.locator("#sessions li p")).to_contain_text("Žofia, Ján a Mária · ")
        context.close()


def test_a_game_that_is_over_is_told_from_those_to_go_on_with(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path, game=False) as (host, where):
        begin(host, "spyrium")
        play_on(host, 2000)
        begin(host, "spyrium")
        context, page = visitor(browser)
        as_referee(page, where.url)
        page.goto(f"{where.url}/setup")
        begun, finished = page.locator("#sessions li").first, page.locator("#sessions li").last
        expect(finished).to_contain_text("The game is over.")
        expect(begun).not_to_contain_text("The game is over.")
        expect(begun.get_by_role("button")).to_have_text("Go on")
        finished.get_by_role("button", name="The result").click()
        page.wait_for_url(f"{where.url}/referee")
        expect(page.locator("body")).to_contain_text("wins")
        context.close()


def test_a_box_file_is_chosen_by_a_button_in_the_language_of_the_page(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path, game=False) as (_, where):
        context, page = visitor(browser, locale="sk-SK")
        as_referee(page, where.url)
        page.goto(f"{where.url}/enrol")
        page.locator("summary", has_text="iný").click()
        expect(page.locator("#file")).to_contain_class("visually-hidden")
        with page.expect_file_chooser():
            page.locator("label.button:has(#file)").click()
        context.close()


def test_a_picture_of_the_tally_is_chosen_by_a_button_in_the_language_of_the_page(
    tmp_path: Path, browser: Browser
) -> None:
    with served(tmp_path, enrolled=SAMPLE) as (_, where):
        context, page = visitor(browser, PHONE, locale="sk-SK")
        as_referee(page, where.url)
        page.goto(f"{where.url}/tally")
        field = page.get_by_label("Obrázok: pretiahnite ho sem, vyberte alebo odfoťte").first
        expect(field).to_contain_class("visually-hidden")  # what the browser itself writes is not seen
        field.focus()
        page.evaluate(DRAWN)  # a key on a page that was never drawn may open nothing
        with page.expect_file_chooser():
            page.keyboard.press("Space")
        with page.expect_file_chooser() as asked:
            page.locator("label.button").first.click()
        asked.value.set_files({"name": "1.jpg", "mimeType": "image/jpeg", "buffer": b"no picture"})
        expect(page.locator(".toast")).to_contain_text("nedá prečítať")
        expect(page.locator("#tallies [role=status]")).to_have_count(0)
        assert page.errors == []  # type: ignore[attr-defined]
        context.close()
