"""The LEDs as the host keeps them: sent until taken, and never another program's taken for its own."""

from __future__ import annotations

import pytest

from firmware_bridge.constants import LedState, Refusal
from firmware_bridge.messages import Leds, Refused
from tests.support.boxes.host_end import BOOT, Host, alive, answer, frame, hello, said


@pytest.fixture
def host() -> Host:
    host = Host()
    host.link.receive(hello(), 10)
    return host


def test_leds_are_sent_until_the_box_confirms_them(host: Host) -> None:
    states = (LedState.PLACE_NOW, LedState.PLACE_NOW, LedState.OFF, LedState.OFF)
    answer(host.link, 20, 9)
    host.link.set_leds(states)
    orders = [m for now in range(20, 400, 10) for m in said(host.link, now) if isinstance(m, Leds)]
    assert len(orders) > 5
    assert set(orders) == {orders[0]}
    assert orders[0].states == states
    host.link.receive(alive(order=9), 400)  # an old one
    assert not host.link.leds_taken
    host.link.receive(alive(order=orders[0].order), 410)
    assert host.link.leds_taken
    assert not [m for now in range(420, 800, 10) for m in said(host.link, now) if isinstance(m, Leds)]


def test_box_that_was_reset_gets_its_leds_again(host: Host) -> None:
    host.link.set_leds((LedState.CONFIRMED,) * 4)
    answer(host.link, 20, 0)
    said(host.link, 20)
    host.link.receive(alive(order=1), 30)
    assert host.link.leds_taken
    host.link.receive(hello(boot=BOOT + 1), 140)
    answer(host.link, 141, 0, BOOT + 1)
    assert [m.states for m in said(host.link, 142) if isinstance(m, Leds)] == [(LedState.CONFIRMED,) * 4]


def test_leds_of_another_program_are_never_taken_for_ours(host: Host) -> None:
    """A late ALIVE tells order 5; another program has set order 6 since: our first order must not be 6 as well."""
    host.link.set_leds((LedState.WRONG,) * 4)
    host.link.receive(alive(order=5), 20)
    host.link.receive(alive(order=6), 30)
    assert not host.link.leds_taken
    answer(host.link, 40, 6)
    host.link.receive(alive(order=6), 41)
    assert not host.link.leds_taken
    (order,) = (m for m in said(host.link, 42) if isinstance(m, Leds))
    assert order.order == 7


def test_leds_that_another_program_changed_are_set_again(host: Host) -> None:
    host.link.set_leds((LedState.WRONG,) * 4)
    answer(host.link, 20, 0)
    said(host.link, 21)
    host.link.receive(alive(order=1, ms=210), 30)
    assert host.link.leds_taken
    host.link.receive(alive(order=9, ms=205), 40)  # a late one says nothing
    assert host.link.leds_taken
    host.link.receive(alive(order=9, ms=220), 50)
    assert not host.link.leds_taken
    assert [m.order for m in said(host.link, 51) if isinstance(m, Leds)] == [10]
    assert host.link.quality.stale_leds == 1


def test_order_of_the_same_number_that_was_not_sent_yet_is_not_ours(host: Host) -> None:
    answer(host.link, 20, 3)
    host.link.receive(alive(order=4, ms=210), 21)
    assert not host.link.leds_taken
    assert [m.order for m in said(host.link, 22) if isinstance(m, Leds)] == [5]


def test_led_state_that_the_box_refuses_is_told_and_not_repeated_20_times_a_second(host: Host) -> None:
    answer(host.link, 20, 0)
    said(host.link, 21)
    host.link.receive(frame(Refused(BOOT, 1, 0x84, Refusal.VALUE)), 22)
    assert "companion box flash" in host.link.trouble
    assert not [m for now in range(30, 900, 10) for m in said(host.link, now) if isinstance(m, Leds)]
    assert [m for now in range(900, 1300, 10) for m in said(host.link, now) if isinstance(m, Leds)]
