"""The button box at the session: a press confirms once, a second takes back, a lifted shield is told."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest
from followed_table import ENVYRA, play_texts, sample_rules

from companion.app.box.seats import BoxSeats, last_press
from companion.core.inputs import BoxInput, ButtonEdge, ButtonEvent
from companion.core.types import Seat
from companion.games.envyra.state import Phase
from companion.lab.simulators.simulated_table import random_state
from companion.table.commands import Play
from companion.table.record.records import SessionHeader
from companion.table.record.store import Store
from companion.table.session import Session
from firmware_bridge.constants import LedState

_numbers = count(1)


def event(which: BoxInput, edge: ButtonEdge = ButtonEdge.PRESSED) -> ButtonEvent:
    number = next(_numbers)
    return ButtonEvent("0000abcd", 7, number, which, edge, number * 100)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """Three players, dealt, Phase I."""
    rules = sample_rules(3)
    store = Store(str(tmp_path / "record.sqlite"))
    text = (ENVYRA.locale_dir.parent / "catalogues" / "sample.toml").read_text(encoding="utf-8")
    one = Session.create(store, SessionHeader("box", 1, rules.setup, text), rules)
    wanted, random = random_state(rules, Random(3)), Random(3)
    while outcomes := rules.chance_outcomes(one.state):
        weights = [float(o.probability) for o in outcomes]
        one.ask(Play(texts=(rules.format(random.choices(outcomes, weights)[0].draw),)))
    assert one.state == wanted
    yield one
    one.close()
    store.close()


def test_a_press_confirms_its_seat_and_the_record_names_the_press(session: Session) -> None:
    seats = BoxSeats(session)
    assert seats.leds()[:3] == (LedState.PLACE_NOW,) * 3
    press = event(BoxInput.CONFIRM_2)
    seats.press(press)
    assert session.state.ready == 0b010
    assert seats.leds() == (LedState.PLACE_NOW, LedState.CONFIRMED, LedState.PLACE_NOW, LedState.OFF)
    position = last_press(session._store.records("box"))
    assert position is not None
    assert (position.box, position.boot, position.number) == (press.box, press.boot, press.number)


def test_the_same_press_is_applied_once(session: Session) -> None:
    seats = BoxSeats(session)
    press = event(BoxInput.CONFIRM_1)
    seats.press(press)
    number = session.number
    BoxSeats(session)._try(Seat.A, "confirm", press)
    assert session.number == number


def test_a_second_press_takes_the_confirmation_back_while_others_place(session: Session) -> None:
    seats = BoxSeats(session)
    seats.press(event(BoxInput.CONFIRM_1))
    seats.press(event(BoxInput.CONFIRM_1))
    assert session.state.ready == 0


def test_a_press_out_of_place_is_refused_with_the_clause_and_shown_at_the_station(session: Session) -> None:
    told: list[str] = []
    seats = BoxSeats(session, lambda seat, answer: told.append(f"{seat.name} {answer.violation.clause}"))
    rules = session.rules
    texts = ("A choose r1c1", "B choose r1c1", "C choose r1c1")
    play_texts(rules, session.state, *texts)
    session.ask(Play(texts=texts))
    seats.press(event(BoxInput.CONFIRM_2))
    assert told == ["B E31"]  # it is the turn of A
    assert seats.leds()[:2] == (LedState.YOUR_TURN, LedState.WRONG)


def test_a_shield_lifted_too_early_is_an_alert_until_it_stands_again(session: Session) -> None:
    seats = BoxSeats(session)
    seats.press(event(BoxInput.SHIELD_3, ButtonEdge.RELEASED))
    assert [name for name, _ in session.moment.mood.alerts] == ["shield-C"]
    assert seats.leds()[2] is LedState.WRONG
    seats.press(event(BoxInput.SHIELD_3, ButtonEdge.PRESSED))
    assert session.moment.mood.alerts == ()


def test_at_the_reveal_stations_stay_confirmed_and_shields_may_be_lifted(session: Session) -> None:
    seats = BoxSeats(session)
    for which in (BoxInput.CONFIRM_1, BoxInput.CONFIRM_2):
        seats.press(event(which))
    assert seats.leds()[:3] == (LedState.CONFIRMED, LedState.CONFIRMED, LedState.PLACE_NOW)
    seats.press(event(BoxInput.CONFIRM_3))
    assert session.state.phase is Phase.REVEAL
    assert seats.leds() == (LedState.CONFIRMED,) * 3 + (LedState.OFF,)
    seats.press(event(BoxInput.SHIELD_1, ButtonEdge.RELEASED))
    assert session.moment.mood.alerts == ()
    session.ask(Play(texts=("A choose r1c1",)))  # the first board is read
    assert seats.leds() == (LedState.CONFIRMED,) * 3 + (LedState.OFF,)
    session.ask(Play(texts=("B choose r1c1", "C choose r1c1")))
    assert seats.leds()[0] is LedState.YOUR_TURN


def test_the_referee_button_pauses_and_goes_on(session: Session) -> None:
    seats = BoxSeats(session)
    seats.press(event(BoxInput.REFEREE))
    assert session.moment.mood.paused
    seats.press(event(BoxInput.REFEREE))
    assert not session.moment.mood.paused


def test_stations_without_a_player_do_nothing(session: Session) -> None:
    number = session.number
    BoxSeats(session).press(event(BoxInput.CONFIRM_4))
    assert session.number == number
