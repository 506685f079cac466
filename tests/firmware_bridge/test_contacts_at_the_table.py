"""Contacts by tables of time, contact and what the session records: through box, link and seats, in simulated time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from bounce import random_bounce
from followed_table import ENVYRA, sample_rules

from companion.app.box.seats import BoxSeats
from companion.core.inputs import BoxInput
from companion.lab.simulators.simulated_table import random_state
from companion.table.commands import Play
from companion.table.record.records import SessionHeader
from companion.table.record.store import Store
from companion.table.session import Session
from firmware_bridge.host_link import HostLink
from firmware_bridge.model.box_model import BoxModel

C1, SHIELD_1, REFEREE = BoxInput.CONFIRM_1, BoxInput.SHIELD_1, BoxInput.REFEREE
STEP_MS = 2


class Seated:
    """A session of three with a box in simulated time."""

    def __init__(self, session: Session) -> None:
        self.session, self.seats = session, BoxSeats(session)
        self.box = BoxModel(7, Random(1), 0.0)
        self.host = HostLink(self.seats.press)
        self.now_ms = 0.0
        self.play(600)

    def play(self, ms: float) -> None:
        for _ in range(int(ms / STEP_MS)):
            self.now_ms += STEP_MS
            self.box.advance(self.now_ms)
            self.host.receive(b"".join(self.box.frames(self.now_ms)), self.now_ms)
            self.box.receive(self.host.to_send(self.now_ms), self.now_ms)

    def contacts(self, which: BoxInput, changes: list[tuple[float, int]]) -> None:
        for at, closed in changes:
            self.box.move(which, bool(closed), self.now_ms + at)
        self.play(changes[-1][0] + 700)

    def records(self) -> int:
        return self.session.number


@pytest.fixture
def seated(tmp_path: Path) -> Iterator[Seated]:
    rules = sample_rules(3)
    store = Store(str(tmp_path / "record.sqlite"))
    text = (ENVYRA.locale_dir.parent / "catalogues" / "sample.toml").read_text(encoding="utf-8")
    one = Session.create(store, SessionHeader("box", 1, rules.setup, text), rules)
    _, random = random_state(rules, Random(3)), Random(3)
    while outcomes := rules.chance_outcomes(one.state):
        weights = [float(o.probability) for o in outcomes]
        one.ask(Play(texts=(rules.format(random.choices(outcomes, weights)[0].draw),)))
    yield Seated(one)
    one.close()
    store.close()


# how long the contact opens again 7 ms after it has closed; and how often
@pytest.mark.parametrize("opens_ms", [1, 6, 8, 10, 12, 20, 30])
@pytest.mark.parametrize("times", [1, 4])
def test_bouncing_press_confirms_and_is_not_taken_back(seated: Seated, opens_ms: int, times: int) -> None:
    bounces = [(n * (7 + opens_ms) + at, level) for n in range(times) for at, level in ((0, 1), (7, 0))]
    last = bounces[-1][0] + opens_ms
    seated.contacts(C1, [*bounces, (last, 1), (last + 200, 0)])
    assert seated.session.state.ready == 0b001
    seated.contacts(C1, [(0, 1), (100, 0)])
    assert seated.session.state.ready == 0  # a second press takes it back, as ever


@pytest.mark.parametrize("opens_ms", [6, 12, 30])
def test_bouncing_referee_pauses_once_and_resumes_once(seated: Seated, opens_ms: int) -> None:
    press = [(0, 1), (10, 0), (10 + opens_ms, 1), (400, 0), (410, 1), (410 + opens_ms, 0)]
    seated.contacts(REFEREE, press)
    assert seated.session.moment.mood.paused
    seated.contacts(REFEREE, press)
    assert not seated.session.moment.mood.paused


def test_wobbling_shield_is_one_record(seated: Seated) -> None:
    seated.contacts(SHIELD_1, [(0, 1)])
    before = seated.records()
    seated.contacts(SHIELD_1, [(0, 0), (10, 1), (22, 0), (45, 1), (60, 0)])
    assert seated.records() == before + 1
    seated.contacts(SHIELD_1, [(0, 1), (8, 0), (30, 1), (50, 0), (62, 1)])
    assert seated.records() == before + 2


def test_shield_that_is_knocked_and_stands_is_no_record(seated: Seated) -> None:
    seated.contacts(SHIELD_1, [(0, 1)])
    before = seated.records()
    seated.contacts(SHIELD_1, [(0, 0), (12, 1), (40, 0), (70, 1)])
    assert seated.records() == before


def test_random_bounces_of_press_and_release_are_one_record_each(seated: Seated) -> None:
    random = Random(12)
    for number in range(30):
        before = seated.records()
        closing = random_bounce(random, 1)
        opening = [(closing[-1][0] + 100 + at, level) for at, level in random_bounce(random, 0)]
        seated.contacts(C1, [*closing, *opening])
        assert seated.records() == before + 1
        assert seated.session.state.ready == (number + 1) % 2
