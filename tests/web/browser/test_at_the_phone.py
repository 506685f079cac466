"""A phone in somebody's hand: it leads back to its player, minds a double tap, and shows what is asked now."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from browser_kit import as_referee, chromium, join, served, shot, until, visitor
from playwright.sync_api import Browser, Page, Route, expect
from web_kit import NAMES, StillCamera, deal, play_on

from companion.app.dashboard.host import Host
from companion.core.types import Seat
from companion.table.commands import Note, Play, Topic, Undo
from web.ports.tables import SetupChoice

pytestmark = [pytest.mark.system("chromium"), pytest.mark.long]

PHONE, SMALL, SCREEN = (390, 844), (360, 600), (1920, 1080)
FINGER_PX = 44
LATEST_CAPTURE = 300
LINK_MS, LOOK_MS = 3000, 500
"""A page says that the link is lost after so long without a stream (`web/static/page/stream.js`); so long it is
looked at."""
NEWEST = "import('/static/page/live.js').then((page) => page.state.number)"
"""The number of the newest record that the page itself knows of."""
LONG = (("Kateřina Žluťoučká-Příšernáková", "pink"), ("Ján", "gray"), ("Ľubomír", "purple"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def number(host: Host) -> int:
    """The number of the newest record."""
    assert host.table is not None
    return host.table.session.number


def at_the_end(page: Page) -> None:
    """Scroll down as far as the page goes."""
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(page.locator("#headline")).not_to_be_in_viewport()


def test_everybody_who_looks_at_the_result_goes_on_when_the_same_people_begin_again(
    tmp_path: Path, browser: Browser
) -> None:
    with served(tmp_path) as (host, where):
        play_on(host, 400)
        (phone_context, phone), (screen_context, screen) = visitor(browser, PHONE), visitor(browser, SCREEN)
        join(phone, host, where.url, "A")
        for page in (phone, screen):
            page.goto(f"{where.url}/result")
            expect(page.locator("#ranking li").first).to_be_visible()
        context, referee = visitor(browser)
        as_referee(referee, where.url)
        referee.goto(f"{where.url}/result")
        referee.locator("#again").click()
        phone.wait_for_url("**/seat/A")
        screen.wait_for_url("**/table")
        referee.wait_for_url("**/referee")
        assert phone.errors == screen.errors == referee.errors == []
        for one in (phone_context, screen_context, context):
            one.close()


def test_every_page_leads_back_to_the_own_one(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        deal(host)
        context, phone = visitor(browser, PHONE)
        phone.goto(f"{where.url}/record")
        expect(phone.get_by_role("link", name="My page")).to_have_count(0)  # nobody has joined here
        join(phone, host, where.url, "B")
        for page in ("table", "record", "charts", "history", "draws"):
            phone.goto(f"{where.url}/{page}")
            phone.get_by_role("link", name="My page").click()
            phone.wait_for_url("**/seat/B")
        assert phone.errors == []
        context.close()


def test_a_capture_stays_news_when_the_bag_draws_by_itself_and_the_next_round_begins(
    tmp_path: Path, browser: Browser
) -> None:
    with served(tmp_path, game=False) as (host, where):
        host.begin(SetupChoice("envyra", NAMES[:2], draws="digital", first="A"))
        assert host.table is not None
        for step in ("close", "seal"):
            host.table.desk.record(lambda bag, step=step: getattr(bag, step)())
        host.draw_automatically(True)
        session, random = host.table.session, Random(4)
        rules = session.rules

        def standing() -> tuple[int, int]:
            return rules.view(session.state, None)["round"], sum(score.total for score in rules.scores(session.state))

        context, screen = visitor(browser, SCREEN)
        screen.goto(f"{where.url}/table")
        until(screen, lambda: bool(rules.to_act(session.state)))
        for _ in range(LATEST_CAPTURE):
            (turn, points), legal = standing(), rules.legal_actions(session.state)
            act = random.choice([act for act in legal if type(act).__name__ != "TakeBack"])
            assert session.ask(Play(texts=(rules.format(act),))).accepted
            until(screen, lambda: bool(rules.to_act(session.state)))
            if standing()[0] > turn and standing()[1] > points:
                break
        else:
            raise AssertionError("expected a capture by the last move of a round")
        expect(screen.locator("#news li").last).to_contain_text(f"Round {turn + 1} begins")
        expect(screen.locator("#news")).to_contain_text("captures the tile")
        context.close()


def test_what_was_taken_back_is_no_news_any_more(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        deal(host)
        context, screen = visitor(browser, SCREEN)
        screen.goto(f"{where.url}/table")
        expect(screen.locator("#headline")).to_contain_text("Awaited")
        assert host.table is not None
        session = host.table.session
        assert session.ask(Play(texts=("A choose r1c1",))).accepted
        before = number(host)
        assert session.ask(Play(texts=("B choose r1c1",))).accepted
        expect(screen.locator("#news li").first).to_have_text("The shields are lifted.")
        assert session.ask(Undo(to=before, consents=(Seat.A, Seat.B))).accepted
        expect(screen.locator("#news li")).to_have_count(0)
        context.close()


def test_cubes_behind_the_shield_are_confirmed_unmarked_only_where_a_camera_reads_them(
    tmp_path: Path, browser: Browser
) -> None:
    with served(tmp_path) as (host, where):
        deal(host)
        context, phone = visitor(browser, PHONE)
        join(phone, host, where.url, "A")
        unmarked = phone.get_by_role("button", name="My cubes lie behind the shield: confirm")
        expect(phone.locator("#board .cell.can").first).to_be_visible()
        expect(unmarked).to_have_count(0)
        host.camera = StillCamera()
        expect(unmarked).to_be_visible()
        assert phone.errors == []
        context.close()


@pytest.mark.parametrize("press_ms", [100, 400], ids=["quick", "slow"])
def test_the_second_tap_of_a_double_one_does_nothing(tmp_path: Path, browser: Browser, press_ms: int) -> None:
    with served(tmp_path) as (host, where):
        context, referee = visitor(browser)
        as_referee(referee, where.url)
        tiles = 6
        for n in range(1, tiles + 1):
            referee.locator("#acts button.face").first.dblclick()
            expect(referee.locator("#log li")).to_have_count(n + 1)
        referee.locator("#acts [data-draw]").first.dblclick()
        expect(referee.locator("#headline")).to_contain_text("Awaited")
        assert number(host) == tiles + 2  # the set-up, the tiles and who has the starting figure
        expect(referee.locator(".toast")).to_have_count(0)
        join(referee, host, where.url, "A")
        referee.locator("#board .cell.can").first.click()
        referee.locator("#acts button.primary").dblclick(delay=press_ms)
        expect(referee.get_by_role("button", name="Take my confirmation back")).to_be_enabled()
        assert number(host) == tiles + 3
        assert referee.errors == []
        context.close()


def test_a_tap_is_none_the_less_one_when_the_page_is_drawn_anew_under_the_finger(
    tmp_path: Path, browser: Browser
) -> None:
    with served(tmp_path) as (host, where):
        context, referee = visitor(browser)
        as_referee(referee, where.url)
        assert host.table is not None
        session = host.table.session
        referee.evaluate("addEventListener('pointerdown', (event) => (window.pressed = event.target))")
        referee.locator("#acts button.face").first.hover()
        referee.mouse.down()
        assert session.ask(Note(topic=Topic.REMARK, text="a pause for tea")).accepted
        expect(referee.locator("#log li")).to_have_count(2)
        assert referee.evaluate("window.pressed.isConnected")
        referee.mouse.up()
        expect(referee.locator("#log li")).to_have_count(3)  # the set-up, the remark and the tile
        expect(referee.locator("#acts button.face").first).to_be_visible()
        assert not referee.evaluate("window.pressed.isConnected")
        assert referee.errors == []
        context.close()


def test_the_log_keeps_what_happens_while_it_is_loaded(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        deal(host)
        assert host.table is not None
        session = host.table.session
        before = number(host)
        context, referee = visitor(browser)
        held: list[Route] = []
        referee.route("**/api/records?*", lambda route: route.continue_() if held else held.append(route))
        as_referee(referee, where.url)
        until(referee, lambda: bool(held))
        answer = held[0].fetch()
        headline = referee.locator("#headline").inner_text()
        assert session.ask(Play(texts=("A choose r1c1",))).accepted
        expect(referee.locator("#headline")).not_to_have_text(headline)
        held[0].fulfill(response=answer)
        expect(referee.locator("#log li")).to_have_count(before + 1)
        assert referee.locator("#log li > :first-child").all_inner_texts() == [
            str(one) for one in range(before + 1, 0, -1)
        ]
        assert referee.errors == []
        context.close()


@pytest.mark.parametrize("lost_late", [False, True], ids=["before", "after"])
def test_the_log_is_asked_for_again_where_no_answer_came(tmp_path: Path, browser: Browser, lost_late: bool) -> None:
    """The answer is lost before the next state comes, or after it."""
    with served(tmp_path) as (host, where):
        deal(host)
        before = number(host)
        context, referee = visitor(browser)
        lost: list[Route] = []
        referee.route("**/api/records?*", lambda route: route.continue_() if lost else lost.append(route))
        as_referee(referee, where.url)
        until(referee, lambda: bool(lost))
        if not lost_late:
            with referee.expect_event("requestfailed"):
                lost[0].abort()
        assert host.table is not None
        assert host.table.session.ask(Note(topic=Topic.REMARK, text="a pause for tea")).accepted
        if lost_late:
            until(referee, lambda: referee.evaluate(NEWEST) > before)
            lost[0].abort()
        expect(referee.locator("#log li")).to_have_count(before + 1)
        context.close()


def test_what_is_asked_now_comes_into_view_on_a_phone_that_was_scrolled(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        deal(host)
        (context, phone), (referee_context, referee) = visitor(browser, SMALL), visitor(browser)
        join(phone, host, where.url, "A")
        as_referee(referee, where.url)
        at_the_end(phone)
        referee.locator("#undo").click()
        referee.get_by_role("button", name="Ask everybody").click()
        expect(phone.locator("#proposal .alert")).to_be_in_viewport()
        assert phone.errors == referee.errors == []
        context.close()
        referee_context.close()


def test_everybody_is_told_who_brings_a_draw_about(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        context, phone = visitor(browser, PHONE)
        join(phone, host, where.url, "A")
        expect(phone.locator("#expected")).to_contain_text("The referee enters it.")
        referee_context, referee = visitor(browser)
        as_referee(referee, where.url)
        expect(referee.locator("#expected")).not_to_contain_text("The referee enters it.")
        referee.goto(f"{where.url}/draws")
        referee.get_by_role("button", name="Begin a digital bag").click()
        phone.get_by_role("link", name="Add to the digital bag").click()
        phone.locator("#value").fill("moon")
        phone.get_by_role("button", name="Add").click()
        expect(referee.locator("#bag li")).to_have_count(1)
        referee.get_by_role("button", name="close and seal").click()
        referee.get_by_role("button", name="Draw by itself").click()
        expect(referee.get_by_role("button", name="Draw only when asked")).to_be_visible()
        expect(referee.get_by_role("button", name="Draw by itself")).to_have_count(0)
        referee.get_by_role("link", name="On with the game").click()
        referee.wait_for_url("**/referee")
        assert phone.errors == referee.errors == []
        context.close()
        referee_context.close()


def test_what_is_tapped_in_the_head_of_a_phone_is_as_high_as_a_finger_and_none_is_cut(
    tmp_path: Path, browser: Browser
) -> None:
    with served(tmp_path) as (host, where):
        deal(host)
        for language in ("en-GB", "sk-SK", "cs-CZ"):
            context, phone = visitor(browser, SMALL, locale=language)
            join(phone, host, where.url, "A")
            first = phone.locator("header.top > a.name, header.top > button:visible, header.top .langs a")
            boxes = [one.bounding_box() for one in first.all()]
            assert all(box is not None and box["height"] >= FINGER_PX for box in boxes)
            assert len({round(box["y"]) for box in boxes if box is not None}) == 1, language  # in one line
            assert all(box is not None and box["x"] + box["width"] <= SMALL[0] for box in boxes)
            context.close()


def test_a_long_name_leaves_everybody_s_mark_as_large_as_the_others(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path, game=False) as (host, where):
        host.begin(SetupChoice("envyra", LONG))
        play_on(host, 12)
        context, screen = visitor(browser, SCREEN)
        screen.goto(f"{where.url}/charts")
        marks = screen.locator(".chart .chip > svg:first-child")
        expect(marks.first).to_be_visible()
        assert {round(one.bounding_box()["width"]) for one in marks.all()} == {22}  # type: ignore[index]
        screen.goto(f"{where.url}/table")
        name = screen.locator(".player .who").first
        lines = name.evaluate(
            "(e) => { const r = document.createRange(); r.selectNodeContents(e); return r.getClientRects().length; }"
        )
        assert lines <= len(LONG[0][0].replace("-", " ").split())  # no line breaks within a word
        assert screen.errors == []
        context.close()


def test_a_refusal_reads_as_sentences(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (_, where):
        context, phone = visitor(browser, PHONE)
        phone.goto(f"{where.url}/join/A#a-code-of-long-ago")
        expect(phone.locator(".toast p")).to_contain_text("of another game. Scan")
        assert phone.errors == []
        context.close()


def test_whoever_goes_quickly_from_page_to_page_does_not_hear_that_the_link_is_lost(
    tmp_path: Path, browser: Browser
) -> None:
    with served(tmp_path) as (_, where):
        context, referee = visitor(browser)
        as_referee(referee, where.url)
        for n in range(12):
            referee.goto(f"{where.url}/{('setup', 'referee')[n % 2]}")
            referee.wait_for_timeout(LOOK_MS)
            assert referee.locator("#banners .banner.bad").count() == 0, n
        referee.wait_for_timeout(2 * LINK_MS)
        expect(referee.locator("#banners .banner.bad")).to_have_count(0)
        assert referee.errors == []
        context.close()


def test_the_referee_sees_how_many_have_joined_when_the_codes_are_folded_away(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        context, referee = visitor(browser)
        as_referee(referee, where.url)
        expect(referee.locator("#joined")).to_have_text("joined: 0/2")
        phone_context, phone = visitor(browser, PHONE)
        for seat in "AB":
            join(phone, host, where.url, seat)
        expect(referee.locator("#joined")).to_have_text("joined: 2/2")
        expect(referee.locator("#code-list")).to_be_hidden()
        assert phone.errors == referee.errors == []
        context.close()
        phone_context.close()


@pytest.mark.parametrize("size", [PHONE, (360, 640), (1280, 800)], ids=str)
def test_a_refusal_covers_no_offer_and_goes_with_the_next_tap(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    with served(tmp_path) as (host, where):
        deal(host)
        assert host.table is not None
        session = host.table.session
        for letter in "AB":
            assert session.ask(Play(texts=(f"{letter} choose r1c1 r1c2",))).accepted
        context, page = visitor(browser, size)
        join(page, host, where.url, session.rules.to_act(session.state)[0].name)
        offers = page.locator("#acts button.primary")
        expect(offers).to_have_count(2)
        offers.last.evaluate("(one) => one.scrollIntoView({ block: 'end' })")
        page.locator("[data-key=r2c3]").click()
        toast = page.get_by_role("alert").filter(has_text="E3")  # what a screen reader reads out at once
        expect(toast).to_be_visible()
        shot(page, f"refusal-{size[0]}")
        said = toast.bounding_box()
        assert said is not None
        assert said["y"] >= 0
        assert said["y"] + said["height"] <= size[1]
        for offer in offers.all():
            box = offer.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= said["y"] or box["y"] >= said["y"] + said["height"]
        page.wait_for_timeout(LOOK_MS)  # the second of a double tap would not take it away
        page.locator("#headline").click()
        expect(toast).to_have_count(0, timeout=LINK_MS)
        assert page.errors == []
        context.close()
