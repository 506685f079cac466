"""Unread boards on a phone: who told its board goes on to the next round without the button box."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from browser_kit import PHONE, chromium, join, served, shot, visitor
from laid_view import LaidView
from learnt_sets import learnt
from playwright.sync_api import expect
from web_kit import Caller, deal, hosting, make_app, taken

from companion.app.camera.camera_thread import CameraThread
from companion.app.camera.picture_eyes import PictureEyes
from companion.app.camera.picture_loop import SourceLoop
from companion.app.camera.watch.policy import Policy
from companion.app.camera.watch.table_watch import TableWatch
from companion.app.dashboard.devices import LiveCamera
from companion.app.dashboard.host import Host
from companion.core.inputs import BoardObservation, ViewState
from companion.games.envyra.state import Phase
from companion.lab.simulators.simulated_table import Noise, SimulatedEyes
from companion.table.tracking.appearance import board_look
from companion.table.tracking.judging.reconcile import DEFAULT_DEMANDS
from vision.sources import open_source

SAMPLE = Path(__file__).parents[1] / "vision" / "fixtures" / "sample"


class Seen(LaidView):
    """The game of `host` under simulated eyes; the camera of the pages is the real one, whose thread does not run."""

    def __init__(self, host: Host) -> None:
        assert host.table is not None
        session = host.table.session
        self.session, self.now_ms = session, 0
        self.watch = TableWatch(host.table.spec, session, Policy(DEFAULT_DEMANDS))
        source = f"replay:{SAMPLE / 'grid'}"
        loop = SourceLoop(lambda: PictureEyes(learnt(SAMPLE).table(3)), self.watch, open_source(source))
        live = CameraThread(loop, self.watch)
        host.camera = LiveCamera(live, source)
        self.eyes = SimulatedEyes(session.rules, Noise(), Random(5))
        self.view = board_look(session.rules, session.state)

    def move(self, slot: str, colour: str) -> None:
        """A hand lays a cube and goes; the table is seen."""
        self.put(slot, colour)
        self.now_ms += 500
        self.watch.observe(BoardObservation(0, self.now_ms, ViewState.HAND))
        self.watch.observe(replace(self.eyes.look(self.view), time_ms=self.now_ms))


def confirmed(host: Host) -> None:
    """All have confirmed and told nobody what they chose; A, B and C are pink, gray and purple."""
    deal(host)
    app = make_app(host)
    for letter in "ABC":
        assert taken(Caller(app, letter, host).play(f"{letter} confirm"))


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """Three players at the reveal."""
    with hosting(tmp_path, 3) as host:
        confirmed(host)
        yield host


def wide(caller: Caller) -> list[str]:
    """Places whose tile is not captured by one cube."""
    cells = caller.state()["view"]["cells"]
    return [cell["slot"] for cell in cells if cell["tile"] and cell["tile"]["cubes"] >= 2]


def test_a_seat_goes_on_by_phone_and_chooses_for_the_next_round(host: Host) -> None:
    app = make_app(host)
    a, spectator = Caller(app, "A", host), Caller(app)
    seen, (first, second, third) = Seen(host), wide(a)[:3]
    assert taken(a.play(f"A choose {first}"))
    seen.move(first, "pink")
    assert [alert["may_go_on"] for alert in a.state()["alerts"]] == [False]
    assert a.post("/api/camera/go-on", **{"as": "A"}).status_code == 409
    seen.move(second, "gray")
    seen.move(third, "purple")
    assert [alert["may_go_on"] for alert in a.state()["alerts"]] == [True]
    assert seen.session.state.phase is Phase.REVEAL
    assert not taken(a.play(f"A choose {second}"))  # it has told its board of this round
    assert spectator.post("/api/camera/go-on", **{"as": "A"}).status_code == 401
    assert a.post("/api/camera/go-on", **{"as": "A"}).status_code == 200
    assert seen.session.state.phase is Phase.CHOOSE
    assert a.state()["alerts"] == []
    assert taken(a.play(f"A choose {second}"))
    assert a.post("/api/camera/go-on", **{"as": "A"}).status_code == 409


def test_without_a_camera_there_is_nothing_to_go_on_from(host: Host) -> None:
    answer = Caller(make_app(host), "B", host).post("/api/camera/go-on", **{"as": "B"})
    assert answer.status_code == 409
    assert answer.get_json()["error"]["message"] == "there is no camera"


@pytest.mark.system("chromium")
def test_the_phone_offers_to_go_on_beside_the_reminder(tmp_path: Path) -> None:
    with served(tmp_path, 3) as (host, where), chromium() as browser:
        confirmed(host)
        seen, places = Seen(host), wide(Caller(make_app(host), "A", host))
        context, page = visitor(browser, PHONE)
        join(page, host, where.url, "A")
        button = page.get_by_role("button", name="No more cubes are moved: go on")
        for slot, colour in zip(places, ("pink", "gray", "purple"), strict=False):
            expect(button).to_have_count(0)
            seen.move(slot, colour)
        button.click()
        expect(page.locator("#alerts .alert")).to_have_count(0)
        page.get_by_role("button", name="My cubes lie behind the shield: confirm").wait_for()
        assert seen.session.state.phase is Phase.CHOOSE
        shot(page, "unread-boards-phone")
        assert not page.errors  # type: ignore[attr-defined]
        context.close()
