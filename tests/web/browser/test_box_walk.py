"""The button box on the set-up page: found before a game, named, walked round; and what is pressed reaches no game."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_kit import DESKTOP, PHONE, as_referee, chromium, serious, served, shot, until, visitor
from playwright.sync_api import Browser, Page, Route, expect
from web_kit import Caller, deal, hosting, make_app

from companion.app.box.guided_walk import UNSEEN_S, GuidedWalk
from companion.core.inputs import BoxInput, ButtonEdge, ButtonEvent
from firmware_bridge.constants import LedState
from firmware_bridge.model.contacts import Lockouts
from firmware_bridge.status import BoxStatus, LinkPhase

PATIENCE_S = 180.0


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def look(referee: Caller, language: str = "en") -> dict[str, Any]:
    found: dict[str, Any] = referee.get(f"/api/setup/box?lang={language}").get_json()["box"]
    return found


def after(referee: Caller, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The box as soon as something holds of it."""
    end_s = time.monotonic() + PATIENCE_S
    while not holds(box := look(referee)):
        assert time.monotonic() < end_s, box
        time.sleep(0.02)
    return box


def walk(referee: Caller, do: str, **more: Any) -> dict[str, Any]:
    answer = referee.post("/api/setup/box/walk", **{"as": "referee"}, do=do, **more)
    assert answer.status_code == 200, answer.get_json()
    box: dict[str, Any] = answer.get_json()["box"]
    return box


def touch(referee: Caller, which: str, press: bool | None = None) -> None:
    more = {} if press is None else {"press": press}
    assert referee.post("/api/box/touch", **{"as": "referee"}, input=which, **more).status_code == 200


def test_box_is_found_named_and_walked_round_before_a_game(tmp_path: Path) -> None:
    with hosting(tmp_path, game=False, box="virtual:") as host:
        referee = Caller(make_app(host), "referee")
        box = after(referee, lambda box: box["state"] == "ok")
        assert (box["name"], box["tested"], box["idle"]) == ("", "", True)
        named = referee.post("/api/setup/box/name", **{"as": "referee"}, name=" Kuchyňa ")
        assert named.get_json()["box"]["name"] == "Kuchyňa"
        odd = referee.post("/api/setup/box/name", **{"as": "referee"}, name="a\n\u202eb")
        assert (odd.status_code, look(referee)["name"]) == (400, "Kuchyňa")
        assert walk(referee, "begin", stations=1)["walk"]["count"] == 7
        for at, led in enumerate(("CONFIRMED", "WRONG", "YOUR_TURN")):
            box = after(referee, lambda box, led=led: box["leds"] == [led, "OFF", "OFF", "OFF"])
            walk(referee, "right", at=at)
        for at, which, press in ((3, "confirm-1", None), (4, "shield-1", True), (5, "shield-1", False)):
            assert look(referee)["walk"]["at"] == at
            touch(referee, which, press)
            after(referee, lambda box, at=at: box["walk"]["at"] == at + 1)
        touch(referee, "referee")
        box = after(referee, lambda box: box["walk"]["over"] and box["tested"])
        assert box["walk"]["passed"]
        assert box["tested"] == time.strftime("%Y-%m-%d")
        assert walk(referee, "end")["walk"] is None
        after(referee, lambda box: box["leds"] == ["OFF"] * 4)
        said = {step["key"]: step for step in referee.get("/api/setup?lang=sk").get_json()["steps"]}["box"]
        assert said["text"].startswith("„Kuchyňa“ je spojená na /dev/")


def test_answer_to_a_step_that_is_over_does_not_answer_the_next_one(tmp_path: Path) -> None:
    with hosting(tmp_path, game=False, box="virtual:") as host:
        referee = Caller(make_app(host), "referee")
        walk(referee, "begin", stations=1)
        assert walk(referee, "right", at=0)["walk"]["at"] == 1
        assert walk(referee, "wrong", at=0)["walk"]["at"] == 1
        assert [row["outcome"] for row in walk(referee, "skip", at=0)["walk"]["rows"]] == ["good"]


def test_presses_of_a_walk_reach_no_game_and_those_after_it_do(tmp_path: Path) -> None:
    with hosting(tmp_path, players=2, box="virtual:") as host:
        referee = Caller(make_app(host), "referee")
        after(referee, lambda box: box["state"] == "ok")
        assert host.table is not None
        session = host.table.session
        host.box._link.box.virtual.set_lockouts(Lockouts(0, 0))  # the same button is pressed twice
        walk(referee, "begin", stations=1)
        for at in range(3):
            walk(referee, "right", at=at)
        number = session.number
        touch(referee, "referee")
        touch(referee, "confirm-1")
        assert after(referee, lambda box: box["walk"]["at"] == 4)["walk"]["rows"][3]["outcome"] == "good"
        assert (session.number, session.moment.mood.paused) == (number, False)
        after(referee, lambda box: not box["inputs"])  # the finger has left the button
        walk(referee, "end")
        touch(referee, "referee")
        after(referee, lambda _: session.moment.mood.paused)


def test_no_walk_begins_while_players_choose_in_secret_and_only_the_referee_leads_it(tmp_path: Path) -> None:
    with hosting(tmp_path, players=2, box="virtual:") as host:
        deal(host)
        app = make_app(host)
        refused = Caller(app, "referee").post("/api/setup/box/walk", **{"as": "referee"}, do="begin")
        assert (refused.status_code, host.box.walk.look()) == (409, None)
        for other in (Caller(app), Caller(app, "A", host)):
            assert other.http.get("/api/setup/box?as=referee").status_code == 401
            assert other.post("/api/setup/box/walk", **{"as": "referee"}, do="begin").status_code == 401
            assert other.post("/api/setup/box/name", **{"as": "referee"}, name="x").status_code == 401


class StandInBox:
    """What a walk needs of an open box: whoever takes its presses, and the LEDs that it was told."""

    def __init__(self) -> None:
        self.status = BoxStatus(LinkPhase.CONNECTED, True, box="0000b0c5")
        self.taker: Any = None
        self.leds: tuple[LedState, ...] = ()

    def take(self, taker: Any) -> None:
        self.taker = taker

    def set_leds(self, states: tuple[LedState, ...]) -> None:
        self.leds = states


def test_walk_that_nobody_looks_at_gives_the_presses_back_to_the_game() -> None:
    now, home, box = [0.0], [], StandInBox()
    led = GuidedWalk(home.append, lambda _: None, lambda: now[0])
    led.attach(box)  # type: ignore[arg-type]
    led.begin(1)
    now[0] = UNSEEN_S - 1
    assert led.look() is not None
    now[0] += UNSEEN_S + 1
    press = ButtonEvent("0000b0c5", 1, 1, BoxInput.CONFIRM_1, ButtonEdge.PRESSED, 0)
    led.event(press)
    assert home == [press]
    assert box.taker is None  # the box is the game's all the time
    assert (led.leds(), led.look()) == (None, None)


def test_box_of_which_nothing_is_built_was_not_tested() -> None:
    tested: list[str] = []
    led = GuidedWalk(None, tested.append)
    led.attach(StandInBox())  # type: ignore[arg-type]
    led.begin(1)
    for at in range(7):
        led.skip(at)
    shown = led.look()
    assert shown is not None
    assert (shown.over, shown.passed, tested) == (True, True, [])


def wrong_second_light(page: Page) -> None:
    """Walk round one station by clicks; say that its red light is wrong."""
    page.locator("#box-stations").select_option("1")
    page.locator("[data-key=box-begin]").click()
    ask, press = page.locator("#box-walk .ask"), page.locator("[data-key=touch-confirm-1]")
    expect(ask).to_contain_text("zeleno")
    expect(page.locator(".light.asked .led")).to_have_class("led confirmed")
    page.locator("[data-key=walk-right]").click()
    expect(ask).to_contain_text("červeno")
    page.locator("[data-key=walk-wrong]").click()
    expect(ask).to_contain_text("jantárovo")
    page.locator("[data-key=walk-right]").click()
    expect(ask).to_contain_text("stlačte")
    shot(page, f"box-walk-{page.viewport_size['width']}")  # type: ignore[index]
    press.click()
    expect(ask).to_contain_text("postavte zástenu")
    page.locator("[data-key=touch-shield-1]").click()
    expect(ask).to_contain_text("zdvihnite zástenu")
    expect(page.locator("[data-key=touch-shield-1]")).to_have_text("Zdvihnúť zástenu")  # the page knows that it stands
    page.locator("[data-key=touch-shield-1]").click()
    page.locator("[data-key=touch-referee]").click()
    expect(page.locator("[data-key=walk-end]")).to_be_visible()
    expect(page.locator("#box-walk li.bad")).to_have_count(1)


@pytest.mark.system("chromium")
def test_what_comes_above_moves_nothing_from_under_a_finger(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path, game=False, box="virtual:") as (_, where):
        context, page = visitor(browser)
        late: list[Route] = []
        page.route("**/api/setup?*", lambda route: late.append(route))
        as_referee(page, where.url)
        page.goto(f"{where.url}/setup")
        page.locator("#box-name").fill("Kitchen")
        until(page, lambda: bool(late))
        page.locator("[data-key=box-save]").hover()
        page.evaluate("performance.now = () => 0")  # no press is a long one, however slow the machine
        page.mouse.down()
        late.pop().continue_()
        page.wait_for_timeout(300)  # the steps of the devices are there, and wait
        expect(page.locator("#devices li")).to_have_count(0)
        page.mouse.up()
        expect(page.locator("#box-about strong")).to_have_text("Kitchen")
        expect(page.locator("#devices li").first).to_be_visible()
        page.unroute_all(behavior="ignoreErrors")
        assert page.errors == []
        context.close()


@pytest.mark.system("chromium")
def test_people_name_the_box_and_walk_round_it_by_clicks(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path, game=False, box="virtual:") as (_, where):
        for size in (DESKTOP, PHONE):
            context, page = visitor(browser, size, locale="sk")
            as_referee(page, where.url)
            page.goto(f"{where.url}/setup")
            page.locator("#box-name").fill("Kuchyňa")
            page.locator("[data-key=box-save]").click()
            expect(page.locator("#box-about strong")).to_have_text("Kuchyňa")
            shot(page, f"box-named-{size[0]}")
            wrong_second_light(page)
            assert serious(page) == []
            shot(page, f"box-walked-{size[0]}")
            page.locator("[data-key=walk-end]").click()
            expect(page.locator("[data-key=box-begin]")).to_be_visible()
            assert page.errors == []
            context.close()
