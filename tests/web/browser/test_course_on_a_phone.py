"""The course of learning a box on a phone and the set-up behind it: what comes next is in sight, however much lies
above it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from browser_kit import DESKTOP, PHONE, as_referee, chromium, served, shot, until, visitor
from playwright.sync_api import Page, Route, expect

from companion.app.dashboard.host import Host

GRID = Path(__file__).parents[2] / "vision" / "fixtures" / "sample" / "grid" / "001.jpg"
GAME = "envyra"

pytestmark = pytest.mark.system("chromium")


def answer_all(host: Host, but: str = "") -> None:
    """A person says of every field of every piece that it is as shown, or its first value; of none `but`."""
    course = host.enrolment.read(GAME)
    first = {field.key: field.values[0] for field in course.form.fields}
    told = [
        (piece.number, key, first[key] if read.value is None else read.value)
        for piece in course.pieces for key, read in piece.fields.items() if key != but
    ]
    host.enrolment.tell(GAME, told)


def taken_and_answered(page: Page, host: Host, url: str, but: str) -> None:
    """The referee has taken a batch, and all is answered but one field of each tile."""
    as_referee(page, url)
    page.goto(f"{url}/enrol")
    page.locator("#shot").set_input_files(GRID)
    page.locator("#take").click()
    expect(page.locator("#question-card")).to_be_visible()
    answer_all(host, but)
    page.reload()


def as_if_only_colours_were_missing(route: Route) -> None:
    """Answer with the course as it is, but for what keeps a box from being made."""
    answer = route.fetch()
    course = answer.json()
    course["trouble"] = ""
    route.fulfill(response=answer, body=json.dumps(course))


def test_on_a_phone_keeping_the_next_batch_and_the_colours_are_in_sight_in_turn(tmp_path: Path) -> None:
    with served(tmp_path, game=False) as (host, where), chromium() as browser:
        context, page = visitor(browser, PHONE, has_touch=True, is_mobile=True)
        as_referee(page, where.url)
        page.goto(f"{where.url}/enrol")
        expect(page.locator("#lay-title")).to_have_text("Lay out up to twelve tiles")
        page.locator("#shot").set_input_files(GRID)
        page.locator("#take").click()
        expect(page.locator("#open .piece")).not_to_have_count(0)
        answer_all(host)
        page.reload()
        expect(page.locator("#keep")).to_be_enabled()
        page.locator("#open-card").evaluate("(card) => card.scrollIntoView()")
        expect(page.locator("#keep")).to_be_in_viewport(ratio=1)  # the pieces are several screens long
        shot(page, "course-keep")
        page.locator("#keep").click()
        expect(page.locator("#open-card")).to_be_hidden()
        expect(page.locator("#lay-title")).to_have_text("Lay out the next tiles, up to twelve")
        expect(page.locator("#lay-title")).to_be_in_viewport()
        page.route("**/api/enrol?*", as_if_only_colours_were_missing)
        page.reload()
        expect(page.locator("#box-note")).to_contain_text("learn them first")
        expect(page.locator("main button.primary:visible")).to_have_count(1)
        expect(page.locator("#colours")).to_contain_class("primary")
        assert page.errors == []
        context.close()


def test_while_an_answer_is_on_its_way_nothing_is_tapped_in_vain(tmp_path: Path) -> None:
    answers: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "POST":
            answers.append(route)
        else:
            route.continue_()

    with served(tmp_path, game=False) as (host, where), chromium() as browser:
        context, page = visitor(browser, PHONE, has_touch=True, is_mobile=True)
        taken_and_answered(page, host, where.url, but="requires")
        expect(page.locator("#so-it-is")).to_be_visible()
        page.route("**/api/enrol?*", hold)
        page.route("**/api/enrol", hold)
        page.locator("#so-it-is").click()
        until(page, lambda: bool(answers))
        expect(page.locator("#question-card")).to_have_css("pointer-events", "none")
        answers[0].continue_()
        expect(page.locator("#question-card")).to_have_css("pointer-events", "auto")
        assert page.errors == []
        context.close()


def test_before_the_first_look_the_page_says_why_nothing_can_be_taken(tmp_path: Path) -> None:
    with served(tmp_path, game=False) as (_, where), chromium() as browser:
        context, page = visitor(browser, PHONE)
        as_referee(page, where.url)
        page.route("**/api/enrol/look?*", lambda route: route.abort())
        page.goto(f"{where.url}/enrol")
        expect(page.locator("#seen")).to_have_text("The camera's picture is looked at …")
        context.close()


def test_what_a_tile_does_not_require_is_called_by_one_word(tmp_path: Path) -> None:
    with served(tmp_path, game=False) as (host, where), chromium() as browser:
        context, page = visitor(browser, PHONE, locale="sk-SK")
        taken_and_answered(page, host, where.url, but="requires")
        wanted = page.locator("#question .stack p.row")
        if page.locator("#none-of-these").count():
            page.locator("#none-of-these").click()
        expect(wanted).to_have_text("nič")
        page.locator("#question [data-value=fire]").click()
        expect(wanted).to_have_text("nič")  # the button that takes it away again
        context.close()


def test_what_ends_a_page_of_ticks_is_in_sight_though_they_are_higher_than_the_screen(tmp_path: Path) -> None:
    with served(tmp_path, game=False) as (host, where), chromium() as browser:
        context, page = visitor(browser, (360, 340), has_touch=True, is_mobile=True)
        as_referee(page, where.url)
        page.goto(f"{where.url}/enrol")
        page.locator("#shot").set_input_files(GRID)
        page.locator("#take").click()
        expect(page.locator("#open .piece")).not_to_have_count(0)
        answer_all(host, but="start")
        page.reload()
        expect(page.locator("#these-are-all")).to_be_visible()
        card = page.locator("#question")
        # all ticks are drawn, higher than the screen: what comes later would move what is in sight
        until(page, lambda: (card.bounding_box() or {"height": 0})["height"] > 340)
        card.evaluate("(card) => card.scrollIntoView()")
        expect(page.locator("#these-are-all")).to_be_in_viewport(ratio=1)
        context.close()


@pytest.mark.parametrize("size", [(390, 844), DESKTOP])
def test_what_begins_the_game_is_in_sight_and_no_field_lies_behind_it(tmp_path: Path, size: tuple[int, int]) -> None:
    with served(tmp_path, game=False) as (_, where), chromium() as browser:
        context, page = visitor(browser, size)
        as_referee(page, where.url)
        page.goto(f"{where.url}/setup")
        begin = page.locator("#begin")
        expect(begin).to_be_enabled()
        expect(begin).to_be_in_viewport(ratio=1)
        page.locator("#more").click()
        page.locator("#variants summary").click()
        expect(begin).to_be_in_viewport(ratio=1)
        page.locator("#seats input").last.focus()
        for _ in range(6):  # past the variants to who draws and who begins
            page.keyboard.press("Tab")
            field, button = page.locator("*:focus").bounding_box(), begin.bounding_box()
            assert field is not None
            assert button is not None
            assert field["y"] + field["height"] <= button["y"] or page.locator("#begin:focus").count()
        assert page.errors == []
        context.close()
