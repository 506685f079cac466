"""The compiled firmware, cycle by cycle in simavr, with its UART on a pty and bouncing contacts at its pins."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from bounce import random_bounce
from power_cuts import cut_power
from simulated_box import SimulatedBox, build_firmware, build_harness

from companion.core.inputs import BoxInput, ButtonEdge, ButtonEvent
from firmware_bridge.constants import (
    BAUD,
    DEBOUNCE_MS,
    HOST_LOST_MS,
    LOCKOUT_BUTTON_MS,
    QUEUE_REPORTS,
    REST_MS,
    Board,
    LedState,
    Option,
    StartCause,
)
from firmware_bridge.model.contacts import Lockouts
from firmware_bridge.status import ReportPosition

pytestmark = pytest.mark.system("gcc-avr", "avr-libc", "simavr", "libsimavr-dev", "gcc")

C1, C2, C3, C4 = BoxInput.CONFIRM_1, BoxInput.CONFIRM_2, BoxInput.CONFIRM_3, BoxInput.CONFIRM_4
SHIELDS = (BoxInput.SHIELD_1, BoxInput.SHIELD_2, BoxInput.SHIELD_3, BoxInput.SHIELD_4)
PRESSED, RELEASED = ButtonEdge.PRESSED, ButtonEdge.RELEASED
LOOP_MS = 2.0  # one scan, one main loop
REPORT_FRAME_MS, ALIVE_FRAME_MS = (bytes_ * 10 / BAUD * 1000 for bytes_ in (22, 31))  # 10 bits a byte on the wire


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("firmware")
    build_firmware(folder, "hex")
    return build_harness(folder), folder / "box.elf"


@pytest.fixture
def box(programs: tuple[Path, Path]) -> Iterator[SimulatedBox]:
    box = SimulatedBox(*programs)
    yield box
    box.close()


@pytest.fixture
def connected(box: SimulatedBox) -> SimulatedBox:
    box.connect()
    box.run(600)
    assert box.bridge is not None
    assert box.bridge.status.connected
    return box


def edges(box: SimulatedBox) -> list[tuple[BoxInput, ButtonEdge]]:
    return [(event.input, event.edge) for event in box.events]


def bounce(box: SimulatedBox, which: BoxInput, closed: bool, random: Random) -> float:
    """Edges 0.5 to 30 ms apart, the last one to `closed`; gives after how many ms that last one comes."""
    pattern = random_bounce(random, int(closed))
    for at, level in pattern:
        box.move(which, bool(level), at)
    return pattern[-1][0]


def test_baud_rate_register_gives_57600_within_one_percent(connected: SimulatedBox) -> None:
    ubrr = connected.peek(0xC4) | connected.peek(0xC5) << 8
    double_speed = connected.peek(0xC0) & 0x02
    assert double_speed
    assert 16_000_000 / (8 * (ubrr + 1)) == pytest.approx(BAUD, rel=0.01)


def test_press_and_release_are_reported_once(connected: SimulatedBox) -> None:
    connected.move(C1, True)
    connected.run(300)
    connected.move(C1, False)
    connected.run(300)
    assert edges(connected) == [(C1, PRESSED), (C1, RELEASED)]
    assert [event.number for event in connected.events] == [1, 2]


def test_every_press_reaches_the_session_within_20_ms(connected: SimulatedBox) -> None:
    """At any moment of the heartbeat: the longest wait is for an ALIVE that is on the wire already."""
    random = Random(9)
    taken_ms = []
    buttons = (C1, C2, C3, C4, BoxInput.REFEREE)
    for number in range(60):
        which = buttons[number % 5]
        connected.run(random.uniform(60, 100), step_ms=1)
        start, told = connected.now_ms, len(connected.events)
        connected.move(which, True)
        while connected.events[-1:] == [] or connected.events[-1].input is not which or len(connected.events) == told:
            connected.run(0.25, step_ms=0.25)
        taken_ms.append(connected.now_ms - start)
        connected.move(which, False, 10)
    assert max(taken_ms) <= DEBOUNCE_MS + LOOP_MS + ALIVE_FRAME_MS + REPORT_FRAME_MS + 1
    assert max(taken_ms) <= 20


def test_held_button_is_reported_once(connected: SimulatedBox) -> None:
    connected.move(C3, True)
    connected.run(30_000, step_ms=20)
    assert edges(connected) == [(C3, PRESSED)]


def test_every_input_reports_under_its_own_name(connected: SimulatedBox) -> None:
    for which in BoxInput:
        connected.move(which, True)
        connected.run(40)
    assert edges(connected) == [(which, PRESSED) for which in BoxInput]


def test_chord_of_all_stations_is_four_reports_tied_in_time(connected: SimulatedBox) -> None:
    for which in (C4, C2, C3, C1):
        connected.move(which, True, 0.3)
    connected.run(100)
    assert edges(connected) == [(which, PRESSED) for which in (C1, C2, C3, C4)]
    assert len({event.device_ms for event in connected.events}) == 1
    assert [event.tied_with_previous for event in connected.events] == [False, True, True, True]


def test_presses_two_milliseconds_apart_are_ordered_and_no_tie(connected: SimulatedBox) -> None:
    connected.move(C4, True, 0)
    connected.move(C1, True, 2)
    connected.run(100)
    assert edges(connected) == [(C4, PRESSED), (C1, PRESSED)]
    assert connected.events[1].device_ms - connected.events[0].device_ms == 2
    assert not connected.events[1].tied_with_previous


def test_glitches_of_3_ms_are_never_reported(connected: SimulatedBox) -> None:
    for number in range(40):
        connected.move(list(BoxInput)[number % 9], True, number * 9.37)
        connected.move(list(BoxInput)[number % 9], False, number * 9.37 + 3)
    connected.run(500)
    assert connected.events == []


def test_a_thousand_bounces_on_every_input_are_one_event_each(connected: SimulatedBox) -> None:
    """Patterns of up to 20 edges, 0.5 to 30 ms apart, on all nine inputs at the same time, closing and opening."""
    random = Random(6)
    for closed in (True, False) * (1_000 // 18 + 1):
        connected.events.clear()
        longest = max(bounce(connected, which, closed, random) for which in BoxInput)
        connected.run(max(longest + REST_MS, LOCKOUT_BUTTON_MS) + 60, step_ms=20)
        told = {(event.input, event.edge) for event in connected.events}
        assert len(connected.events) == 9
        assert told == {(which, PRESSED if closed else RELEASED) for which in BoxInput}


def test_bounce_of_half_a_millisecond_between_two_scans_is_seen(connected: SimulatedBox) -> None:
    """A release that closes again for 0.5 ms every 30 ms is one release, after the last of them."""
    connected.move(C1, True)
    connected.run(400)
    for number in range(20):
        connected.move(C1, False, 30 * number)
        connected.move(C1, True, 30 * number + 29.5)
    connected.move(C1, False, 600)
    connected.run(600 + REST_MS - 2, step_ms=20)
    assert edges(connected) == [(C1, PRESSED)]
    connected.run(40)
    assert edges(connected) == [(C1, PRESSED), (C1, RELEASED)]


def test_press_is_timed_from_when_its_contact_rests(connected: SimulatedBox) -> None:
    connected.move(BoxInput.REFEREE, True)
    connected.move(C1, True, 100)
    connected.move(C1, False, 102)
    connected.move(C1, True, 103.5)
    connected.run(200)
    first, second = connected.events
    assert second.device_ms - first.device_ms == pytest.approx(103.5, abs=1.0)


def test_lock_out_is_set_and_kept_through_a_power_cut(connected: SimulatedBox) -> None:
    assert connected.bridge is not None
    lockouts = Lockouts(40, 20)
    connected.bridge.link.set_settings(*lockouts.as_bytes, Option.LED_ANODE)
    connected.run(400)
    assert connected.bridge.link.settings_taken()
    connected.power_cut()
    connected.run(2_000)
    about = connected.bridge.status.about
    assert about is not None
    assert (about.lockout_button, about.lockout_shield) == lockouts.as_bytes
    assert about.options is Option.LED_ANODE
    for at in (0, 120):  # two presses 120 ms apart are two with so short a lock-out
        connected.move(C1, True, at)
        connected.move(C1, False, at + 30)
    connected.run(400)
    assert edges(connected) == [(C1, PRESSED), (C1, RELEASED)] * 2
    connected.bridge.link.set_leds((LedState.CONFIRMED,) * 4)
    connected.run(300)
    assert connected.leds() == [(False, True)] * 4  # the anode is common: green is a low pin


def test_hello_tells_the_board_and_why_it_started(connected: SimulatedBox) -> None:
    assert connected.bridge is not None
    about = connected.bridge.status.about
    assert about is not None
    assert (about.board, about.cause) == (Board.ATMEGA328P, StartCause.POWER_ON)
    connected.poke(0x6E, 0)  # no tick any more: the watchdog ends it
    connected.run(4_000)
    about = connected.bridge.status.about
    assert about is not None
    assert about.cause is StartCause.WATCHDOG


def test_buzzer_sounds_once_when_a_decision_becomes_due(connected: SimulatedBox) -> None:
    assert connected.bridge is not None

    def sounds(ms: int) -> int:
        heard, was = 0, False
        for _ in range(ms // 5):
            connected.run(5)
            now = bool(connected.pins.portb & 0x20)
            heard, was = heard + (now and not was), now
        return heard

    connected.bridge.link.set_settings(*Lockouts().as_bytes, Option.BUZZER)
    connected.run(400)
    assert sounds(500) == 0
    connected.bridge.link.set_leds((LedState.YOUR_TURN, LedState.OFF, LedState.OFF, LedState.OFF))
    assert sounds(1_000) == 1
    connected.bridge.link.set_leds((LedState.CONFIRMED, LedState.OFF, LedState.OFF, LedState.OFF))
    assert sounds(500) == 0


def test_lifted_shield_is_a_release_and_no_press_at_the_start(box: SimulatedBox) -> None:
    for shield in SHIELDS:
        box.move(shield, True)
    box.connect()
    box.run(600)
    assert box.bridge is not None
    assert box.bridge.status.closed == SHIELDS
    box.move(BoxInput.SHIELD_2, False)
    box.run(60)
    assert edges(box) == [(BoxInput.SHIELD_2, RELEASED)]
    assert box.bridge.status.closed == (SHIELDS[0], SHIELDS[2], SHIELDS[3])


def test_station_that_is_not_built_never_speaks(connected: SimulatedBox) -> None:
    """Open inputs stay high by their pull-ups; the others work as ever."""
    connected.move(C2, True)
    connected.run(5_000, step_ms=10)
    assert edges(connected) == [(C2, PRESSED)]


def test_a_minute_of_silence_has_no_report_and_no_trouble(connected: SimulatedBox) -> None:
    connected.statuses.clear()
    connected.run(60_000, step_ms=20)
    assert connected.events == []
    assert connected.statuses == []
    assert connected.bridge is not None
    assert connected.bridge.status.quality.bad_frames == 0


def test_power_cut_in_mid_frame_loses_nothing_confirmed_and_invents_nothing(connected: SimulatedBox) -> None:
    connected.move(C1, True)
    connected.run(100)
    first = connected.events[-1]
    connected.move(C2, True, 0)
    connected.run(DEBOUNCE_MS + LOOP_MS, step_ms=0.5)  # the report is on the wire now, but not through
    assert connected.events == [first]
    connected.power_cut()
    connected.run(2_500)
    assert connected.bridge is not None
    status = connected.bridge.status
    assert connected.events == [first]  # the second press had not been confirmed to its player either
    assert status.connected
    assert status.boot != first.boot
    assert status.closed == (C1, C2)  # asked for its state, the box tells that both are held
    connected.move(C1, False)
    connected.run(60)
    assert connected.events[-1] == ButtonEvent(first.box, status.boot, 1, C1, RELEASED, connected.events[-1].device_ms)


def test_power_cuts_lose_no_lit_press_and_double_none(box: SimulatedBox) -> None:
    """A thousand are cut by `python -m power_cuts 1000`; a byte of EEPROM being written is left as anything."""
    result = cut_power(box, 40, seed=3)
    assert result.lit_and_lost == result.doubled == result.lit_but_not_taken == result.repeated_boots == 0
    assert result.lit > 2
    assert result.dark_after_cut > 2
    assert result.taken + result.dark_after_cut == result.presses


def test_every_start_has_another_boot_id_and_the_same_box_id(connected: SimulatedBox) -> None:
    seen = []
    for _ in range(5):
        assert connected.bridge is not None
        seen.append((connected.bridge.status.box, connected.bridge.status.boot))
        connected.power_cut()
        connected.run(2_000, step_ms=10)
    assert len({boot for _, boot in seen}) == 5
    assert len({box for box, _ in seen}) == 1


def test_host_absent_for_a_minute_then_back_loses_nothing(connected: SimulatedBox) -> None:
    connected.move(C1, True)
    connected.run(50)
    last = connected.events[-1]
    connected.disconnect()
    for number in range(10):
        connected.move(C3, True, 5_000 * number + 1000)
        connected.move(C3, False, 5_000 * number + 1200)
    connected.run(60_000, step_ms=50)
    connected.connect(ReportPosition(last.box, last.boot, last.number))
    connected.run(1_000)
    assert edges(connected)[1:] == [(C3, PRESSED), (C3, RELEASED)] * 10
    assert [event.number for event in connected.events] == list(range(1, 22))
    pressed = [event.device_ms for event in connected.events[1:] if event.edge is PRESSED]
    assert [b - a for a, b in pairwise(pressed)] == [5_000] * 9


def test_full_queue_is_counted_and_the_last_level_still_told(connected: SimulatedBox) -> None:
    connected.disconnect()
    for number in range(QUEUE_REPORTS // 2 + 3):  # six edges more than fit
        connected.move(C1, True, 400 * number)
        connected.move(C1, False, 400 * number + 90)
    connected.move(C2, True, 400 * (QUEUE_REPORTS // 2 + 4))
    connected.run(400 * (QUEUE_REPORTS // 2 + 5), step_ms=50)
    bridge = connected.connect()
    connected.run(2_000)
    assert edges(connected) == [(C1, PRESSED), (C1, RELEASED)] * (QUEUE_REPORTS // 2) + [(C2, PRESSED)]
    assert bridge.status.quality.dropped_by_box == 7


def test_leds_show_the_states_and_host_lost_by_themselves(connected: SimulatedBox) -> None:
    assert connected.bridge is not None
    connected.bridge.link.set_leds((LedState.CONFIRMED, LedState.OFF, LedState.WRONG, LedState.PLACE_NOW))
    connected.run(200)
    assert connected.bridge.status.leds_taken
    seen: list[set[tuple[bool, bool]]] = [set(), set(), set(), set()]
    for _ in range(80):
        connected.run(25)
        for station, led in enumerate(connected.leds()):
            seen[station].add(led)
    green, red, dark = (True, False), (False, True), (False, False)
    assert seen == [{green}, {dark}, {red, dark}, {green, dark}]
    connected.disconnect()
    connected.run(HOST_LOST_MS + 100, step_ms=50)
    assert green not in connected.leds()
    assert len(set(connected.leds())) == 1
    connected.connect()
    connected.run(700)
    assert connected.leds()[1] == dark


def test_hung_timer_is_ended_by_the_watchdog(connected: SimulatedBox) -> None:
    assert connected.bridge is not None
    boot = connected.bridge.status.boot
    connected.poke(0x6E, 0)  # TIMSK0: no tick any more
    connected.run(4_000)
    assert connected.bridge.status.connected
    assert connected.bridge.status.boot == boot + 1
    connected.move(C1, True)
    connected.run(60)
    assert edges(connected) == [(C1, PRESSED)]


def test_noise_from_the_host_does_not_stop_the_box(connected: SimulatedBox) -> None:
    random = Random(11)
    assert connected.bridge is not None
    port = connected.bridge._port
    assert port is not None
    for number in range(50):
        port.write(random.randbytes(random.randint(1, 40)))
        if number % 10 == 0:
            connected.move(C1, number % 20 == 0)
        connected.run(30)
    connected.run(300)
    assert edges(connected) == [(C1, PRESSED), (C1, RELEASED), (C1, PRESSED), (C1, RELEASED), (C1, PRESSED)]
    assert connected.bridge.status.quality.box_bad_frames > 0


@pytest.mark.parametrize("chip", ["atmega328p", "atmega168"])
def test_firmware_fits_with_room(tmp_path: Path, chip: str) -> None:
    """`make size` fails beyond 8 KiB of flash or 640 bytes of RAM; the smaller chip has 16 KiB and 1 KiB."""
    printed = build_firmware(tmp_path, "hex", "size", f"MCU={chip}")
    assert "bytes plus stack" in printed
    assert (tmp_path / "box.hex").read_text().startswith(":")
