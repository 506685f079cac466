"""The camera's question in Chromium: the player who did it is asked on their own phone, and one tap answers it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_kit import PHONE, as_referee, chromium, join, serious, served, shot, until, visitor
from playwright.sync_api import Browser, expect
from web_kit import NAMES, StillCamera, deal

from companion.core.types import Seat
from companion.table.commands import Play
from web.ports.devices import Question
from web.ports.tables import SetupChoice

pytestmark = pytest.mark.system("chromium")

SEATS = tuple((name, colour) for (name, _), colour in zip(NAMES, ("green", "blue"), strict=False))
PLACES = ("r1c1", "r1c2", "r2c1", "r2c2", "r3c1", "r3c2")
CHOICES = tuple((f"B money {place}|{place[:-1]}{int(place[-1]) + 1} {place}",) for place in PLACES)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def test_the_player_who_did_it_is_asked_on_the_own_phone_and_answers_with_one_tap(
    tmp_path: Path, browser: Browser
) -> None:
    with served(tmp_path, game=False) as (host, where):
        host.begin(SetupChoice("spyrium", SEATS))
        camera = host.camera = StillCamera()
        (own_context, own), (other_context, other), (desk_context, desk) = (
            visitor(browser, PHONE), visitor(browser, PHONE), visitor(browser)
        )
        join(own, host, where.url, "B")
        join(other, host, where.url, "A")
        as_referee(desk, where.url)
        camera.in_the_middle = Seat.B
        expect(own.locator(".seen.on")).to_have_text("Waiting for what else you do …")
        expect(other.locator(".seen.on")).to_have_text(f"Waiting for what else {SEATS[1][0]} does …")
        shot(own, "in-the-middle-of-an-act")
        camera.open = Question(CHOICES, ("r1c1|r1c2",), Seat.B, held=True)
        question = own.locator("#question")
        expect(question).to_contain_text("if your hands go on, just go on")
        expect(question.locator(".primary")).to_have_count(0)  # nobody has to tap anything
        expect(desk.locator("#question")).to_be_empty()
        shot(own, "in-the-middle-with-the-likely-acts")
        camera.open = Question(CHOICES[:2], ("r1c1|r1c2",), Seat.B, unseen=True)
        expect(question).to_contain_text("The camera does not see enough there")
        expect(question).to_contain_text("Perhaps:")
        expect(question.get_by_role("button")).to_have_count(2)
        expect(question.locator(".primary")).to_have_count(0)  # too little is seen to recommend one
        camera.open = camera.in_the_middle = None
        expect(own.locator(".seen.on")).to_have_count(0)
        expect(own.locator(".seen")).to_have_text("Waiting for what else you do …")  # while it fades
        camera.open = Question(CHOICES, ("r1c1|r1c2",), Seat.B)
        expect(question.get_by_role("button")).to_have_count(4)  # the likely ones; the others are unfolded
        expect(desk.locator("#question")).to_contain_text(f"{SEATS[1][0]} is asked on their own phone.")
        expect(other.locator("#question")).to_be_empty()
        shot(own, "question-on-the-phone")
        shot(desk, "question-of-a-player")
        assert serious(own) == []
        question.get_by_text("Something else").click()
        question.locator('[data-key="answer-5"]').click()
        until(own, lambda: camera.open is None)
        assert (camera.answered, camera.by) == (5, "B")
        expect(question).to_be_empty()
        assert [page.errors for page in (own, other, desk)] == [[], [], []]  # type: ignore[attr-defined]
        for context in (own_context, other_context, desk_context):
            context.close()


def test_of_many_stories_one_first_tells_how_they_begin(tmp_path: Path, browser: Browser) -> None:
    mine = tuple(f"B money {place}|{place[:-1]}{int(place[-1]) + 1} {place}" for place in PLACES[:2])
    theirs = tuple(f"A money {place}|{place[:-1]}{int(place[-1]) + 1} {place}" for place in PLACES[2:])
    stories = tuple((one, other) for one in mine for other in theirs)
    with served(tmp_path, game=False) as (host, where):
        host.begin(SetupChoice("spyrium", SEATS))
        camera = host.camera = StillCamera()
        context, own = visitor(browser, PHONE)
        join(own, host, where.url, "B")
        camera.open = Question(stories, tuple(f"{place}|{place[:-1]}{int(place[-1]) + 1}" for place in PLACES), Seat.B)
        question = own.locator("#question")
        expect(question).to_contain_text("The places in doubt are marked.")
        # The likely story whole, then how the others begin: one with three ends, one with four.
        expect(question.get_by_role("button")).to_have_count(3)
        expect(question.locator('[data-answers="1 2 3"]')).to_be_visible()
        shot(own, "question-of-many-stories")
        question.locator('[data-answers="4 5 6 7"]').click()
        expect(question).to_contain_text("What else?")
        expect(question.locator('[data-key^="answer-"]')).to_have_count(len(theirs))
        shot(own, "question-of-many-stories-narrowed")
        assert serious(own) == []
        question.get_by_text("All answers").click()
        question.locator('[data-answers="1 2 3"]').click()
        expect(question.locator('[data-key="answer-5"]')).to_have_count(0)
        question.locator('[data-key="answer-2"]').click()
        until(own, lambda: camera.open is None)
        assert (camera.answered, camera.by, own.errors) == (2, "B", [])  # type: ignore[attr-defined]
        context.close()


def test_which_tile_lies_in_a_place_is_answered_by_tapping_its_picture(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path, game=False) as (host, where):
        host.begin(SetupChoice("envyra", SEATS))
        assert host.table is not None
        session = host.table.session
        draws = [session.rules.format(outcome.draw) for outcome in session.rules.chance_outcomes(session.state)]
        slot, offered = draws[0].split()[1], draws[::3]
        camera = host.camera = StillCamera()
        context, desk = visitor(browser, PHONE)
        as_referee(desk, where.url)
        camera.open = Question((*((text,) for text in offered), ()), (slot,), unnamed=True)
        question = desk.locator("#question")
        expect(question.locator("button.face")).to_have_count(len(offered))
        expect(question).to_contain_text("What lies at")
        shot(desk, "question-which-tile")
        desk.set_viewport_size({"width": 1280, "height": 800})
        shot(desk, "question-which-tile-wide")
        assert serious(desk) == []
        question.locator('[data-key="answer-2"]').click()
        until(desk, lambda: camera.open is None)
        assert camera.answered == 2
        camera.open = Question((*((text,) for text in offered), ()), (slot,), unnamed=True)
        question.get_by_text("None of these").click()
        until(desk, lambda: camera.open is None)
        assert (camera.answered, desk.errors) == (len(offered), [])  # type: ignore[attr-defined]
        context.close()


def test_what_was_presumed_is_shown_on_the_own_phone_and_denied_with_one_tap(tmp_path: Path, browser: Browser) -> None:
    moved = ("A move r1c1",)
    with served(tmp_path, game=False) as (host, where):
        host.begin(SetupChoice("envyra", SEATS))
        camera = host.camera = StillCamera()
        (own_context, own), (desk_context, desk) = visitor(browser, PHONE), visitor(browser)
        join(own, host, where.url, "A")
        as_referee(desk, where.url)
        camera.open = Question((moved, ()), ("r1c1",), Seat.A, presumed=True)
        question = own.locator("#question")
        expect(question).to_contain_text("Recorded as played by the rules")
        expect(question.locator(".primary")).to_have_count(0)  # nobody has to tap anything
        expect(desk.locator("#question")).to_contain_text("Recorded as played by the rules")
        shot(own, "presumed-on-the-phone")
        shot(desk, "presumed-at-the-referee")
        assert serious(own) == []
        question.get_by_role("button", name="No: it was against the rules").click()
        until(own, lambda: camera.open is None)
        assert (camera.answered, own.errors, desk.errors) == (1, [], [])  # type: ignore[attr-defined]
        own_context.close()
        desk_context.close()


def test_what_an_act_was_taken_as_is_said_on_the_own_phone_with_what_else_it_may_have_been(
    tmp_path: Path, browser: Browser
) -> None:
    placed, by_the_event = ("A place r1c1|r1c2",), ("A start", "A event use gap=r1c1|r1c2")
    with served(tmp_path, game=False) as (host, where):
        host.begin(SetupChoice("spyrium", SEATS))
        camera = host.camera = StillCamera()
        (own_context, own), (other_context, other) = visitor(browser, PHONE), visitor(browser, PHONE)
        join(own, host, where.url, "A")
        join(other, host, where.url, "B")
        camera.open = Question((placed, by_the_event), ("r1c1|r1c2",), Seat.A, presumed=True)
        question = own.locator("#question")
        expect(question).to_contain_text("Taken as:")
        expect(question.locator(".primary")).to_have_count(0)  # nobody has to tap anything
        expect(question.get_by_role("button", name="That is right")).to_have_count(1)
        expect(other.locator("#question")).to_be_empty()
        shot(own, "taken-as-on-the-phone")
        assert serious(own) == []
        expect(question).to_contain_text("starts Phase II")
        question.locator('[data-key="answer-1"]').click()
        until(own, lambda: camera.open is None)
        camera.open = Question((("A start", "A money r1c1|r1c2 r1c1"), ("A start", "A pass")), (), Seat.A)
        expect(question.get_by_role("button")).to_have_count(2)
        expect(question).not_to_contain_text("starts Phase II")  # whatever was done, that was
        assert (camera.answered, own.errors, other.errors) == (1, [], [])  # type: ignore[attr-defined]
        own_context.close()
        other_context.close()


def test_what_is_an_answer_is_not_offered_a_second_time_below_the_question(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        deal(host)
        assert host.table is not None
        session = host.table.session
        for letter in "AB":
            assert session.ask(Play(texts=(f"{letter} choose r1c1 r1c2",))).accepted
        mover = session.rules.to_act(session.state)[0]
        asked, other = f"{mover.name} move r1c1", f"{mover.name} move r1c2"
        camera = host.camera = StillCamera()
        context, own = visitor(browser, PHONE)
        join(own, host, where.url, mover.name)
        offer, further = own.locator(f'#acts [data-key="{asked}"]'), own.locator(f'#acts [data-key="{other}"]')
        expect(offer).to_have_count(1)
        camera.open = Question(((asked,), ()), ("r1c1",), mover)
        expect(own.locator("#question").get_by_role("button")).to_have_count(2)
        expect(offer).to_have_count(0)
        expect(further).to_have_count(1)  # it is no answer
        shot(own, "question-above-the-offers")
        own.locator("[data-key=r1c1]").first.click()  # whoever taps the place itself is offered it
        expect(offer).to_have_count(1)
        own.locator("[data-key=r1c1]").first.click()
        expect(offer).to_have_count(0)
        # What was presumed has been done before what is offered now, though both read alike.
        camera.open = Question(((other,), (asked,)), ("r1c1",), mover, presumed=True, before=session.number - 1)
        expect(own.locator("#question")).to_contain_text("Taken as:")
        expect(offer).to_have_count(1)
        camera.open = None
        expect(own.locator("#question")).to_be_empty()
        expect(offer).to_have_count(1)
        assert own.errors == []  # type: ignore[attr-defined]
        context.close()


def test_the_referee_is_not_offered_below_the_question_what_is_an_answer(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path, game=False) as (host, where):
        host.begin(SetupChoice("spyrium", SEATS))
        deal(host)
        assert host.table is not None
        session = host.table.session
        mover = session.rules.to_act(session.state)[0]
        asked = f"{mover.name} start"
        camera = host.camera = StillCamera()
        context, desk = visitor(browser)
        as_referee(desk, where.url)
        offer = desk.locator(f'#acts [data-key="{asked}"]')
        expect(offer).to_have_count(1)
        camera.open = Question(((asked,), ()), (), mover)
        expect(desk.locator("#question").get_by_role("button")).to_have_count(2)
        expect(offer).to_have_count(0)
        shot(desk, "question-above-the-acts")
        camera.open = None
        expect(offer).to_have_count(1)
        assert desk.errors == []  # type: ignore[attr-defined]
        context.close()
