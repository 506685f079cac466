"""Overlays for streams: one address per element, no secrets, nothing newer than the delay, and nothing that moves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path

import pytest
from browser_kit import chromium, served, shot, visitor
from playwright.sync_api import expect
from web_kit import Caller, deal, hosting, make_app, play_on

from companion.app.dashboard.host import Host
from companion.core.types import Seat
from companion.table.commands import Play
from web.overlay.calls import ELEMENTS
from web.overlay.delayed import delayed_state, number_at, overlay_events
from web.stream import HEARTBEAT_TURNS, message


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with hosting(tmp_path, 2) as opened:
        deal(opened)
        assert opened.table is not None
        assert opened.table.session.ask(Play(texts=("A choose r1c1 r1c2",))).accepted
        yield opened


def pushed(host: Host, delay_s: int, *now_ms: int) -> list[dict[str, object]]:
    """What the stream sends when it looks at these times."""
    assert host.table is not None
    times = iter(now_ms)
    left = chain(repeat(True, len(now_ms)), repeat(False))
    sent = overlay_events(host.table, "en", delay_s, lambda: next(times), lambda: next(left), lambda _: None)
    return [json.loads(one.split("data: ")[1]) for one in sent if "event: state" in one]


def test_an_overlay_shows_what_a_spectator_may_know(host: Host) -> None:
    assert host.table is not None
    session = host.table.session
    state = delayed_state(host.table, session.number, "en", 0)
    assert state["view"] == Caller(make_app(host)).state()["view"]
    assert state["view"]["seats"][0]["board"] is None  # what A chose lies behind the shield
    assert session.rules.view(session.state, Seat.A)["seats"][0]["board"] == ["r1c1", "r1c2"]
    assert "actions" not in state
    assert "alerts" not in state or state["alerts"] == []


def test_nothing_newer_than_the_delay_is_shown_or_pushed(host: Host) -> None:
    assert host.table is not None
    session = host.table.session
    times = [start for start, _ in session.spans()]
    assert number_at(host.table, times[-1] + 30_000, 30) == session.number
    assert number_at(host.table, times[0] + 29_999, 30) == 0
    sent = pushed(host, 30, times[0], times[0] + 29_999, times[-1] + 30_000)
    assert [state.get("number") for state in sent] == [None, session.number]
    assert sent[0] == {"session": None}
    host.overlay_delay_s = 3600
    app = make_app(host)
    assert Caller(app).get("/api/overlay").get_json() == {"session": None}
    for element in ELEMENTS:
        page = Caller(app).http.get(f"/overlay/{element}").get_data(as_text=True)
        assert "Žofia" not in page
        assert "/api/overlay/stream" in page
    assert Caller(app).http.get("/overlay/cards").status_code == 404


def test_a_stream_to_which_nothing_happens_says_by_an_event_that_it_is_there(host: Host) -> None:
    assert host.table is not None
    left = chain(repeat(True, 2 * HEARTBEAT_TURNS), repeat(False))
    sent = list(overlay_events(host.table, "en", 0, lambda: 0, lambda: next(left), lambda _: None))
    assert sent.count(message("here", "{}")) == 2


@pytest.mark.system("chromium")
def test_elements_are_transparent_and_do_not_move_while_the_game_is_played(tmp_path: Path) -> None:
    with served(tmp_path, 2) as (host, where), chromium() as browser:
        deal(host)
        assert host.table is not None
        context, page = visitor(browser, (1280, 720))
        pages = [page, *(context.new_page() for _ in ELEMENTS[1:])]
        found = {}
        for element, one in zip(ELEMENTS, pages, strict=True):
            one.goto(f"{where.url}/overlay/{element}")
            expect(one.locator("#element > *").first).to_be_visible()
            ground = "getComputedStyle(document.body).backgroundColor"
            assert one.evaluate(ground) == "rgba(0, 0, 0, 0)"
            one.evaluate("document.body.dataset.loaded = 'once'")
            found[element] = one.evaluate(BOXES)
        play_on(host, 12)
        number = host.table.session.number
        for element, one in zip(ELEMENTS, pages, strict=True):
            one.wait_for_function("async (n) => (await import('/static/page/live.js')).state.number === n", arg=number)
            assert one.evaluate(BOXES) == found[element], element
            assert one.evaluate("document.body.dataset.loaded") == "once"
            shot(one, f"overlay-{element}")
        assert pages[ELEMENTS.index("clock")].evaluate(LINES_OF_A_LATE_CLOCK) == 1
        assert page.errors == []  # type: ignore[attr-defined]
        context.close()


LINES_OF_A_LATE_CLOCK = """() => { const clock = document.querySelector("[data-clock]");
    clock.textContent = "–100:00"; return clock.getClientRects().length; }"""
BOXES = """() => [...document.querySelectorAll("#element .box, #element .table-picture, #element .cell")].map(one => {
    const box = one.getBoundingClientRect(); return [box.x, box.y, box.width, box.height].map(Math.round); })"""
