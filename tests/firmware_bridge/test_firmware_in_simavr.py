"""The compiled firmware, cycle by cycle in simavr, with its UART on a pty and bouncing contacts at its pins."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from simulated_box import SimulatedBox, build_firmware, build_harness

from companion.core.inputs import BoxInput, ButtonEdge, ButtonEvent
from firmware_bridge.constants import BAUD, DEBOUNCE_MS, HOST_LOST_MS, QUEUE_REPORTS, LedState
from firmware_bridge.status import Position

pytestmark = [
    pytest.mark.system("gcc-avr", "avr-libc", "simavr", "libsimavr-dev", "gcc"),
    pytest.mark.xdist_group("simavr"),
]

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


def bounce(box: SimulatedBox, which: BoxInput, closed: bool, count: int, random: Random) -> float:
    """`count` edges at most 1 ms apart, the last one to `closed`; gives after how many ms that last one comes."""
    at = 0.0
    for number in range(count):
        box.move(which, closed == ((count - number) % 2 == 1), at)
        if number < count - 1:
            at += random.uniform(0.05, 1.0)
    return at


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
    for number in range(60):
        connected.run(random.uniform(20, 60), step_ms=1)
        start, told = connected.now_ms, len(connected.events)
        connected.move(C2, number % 2 == 0)
        while len(connected.events) == told:
            connected.run(0.25, step_ms=0.25)
        taken_ms.append(connected.now_ms - start)
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


@pytest.mark.parametrize("seed", range(4))
def test_bounce_of_20_edges_is_one_press_timed_from_the_last_edge(connected: SimulatedBox, seed: int) -> None:
    random = Random(seed)
    connected.move(BoxInput.REFEREE, True)
    at_power_on = connected.now_ms + DEBOUNCE_MS
    connected.run(60)
    at_power_on -= connected.events.pop().device_ms
    start = connected.now_ms
    end = bounce(connected, C1, True, 21, random)
    connected.run(60)
    bounce(connected, C1, False, 21, random)
    connected.run(60)
    assert edges(connected) == [(C1, PRESSED), (C1, RELEASED)]
    assert connected.events[0].device_ms + at_power_on == pytest.approx(start + end + DEBOUNCE_MS, abs=LOOP_MS)


def test_chord_with_bounce_on_every_contact_is_one_report_each(connected: SimulatedBox) -> None:
    random = Random(5)
    for which in (C1, C2, C3, C4, BoxInput.REFEREE):
        bounce(connected, which, True, 15, random)
    connected.run(120)
    assert sorted(event.input.value for event in connected.events) == [
        "confirm-1", "confirm-2", "confirm-3", "confirm-4", "referee",
    ]  # fmt: skip
    assert all(event.edge is PRESSED for event in connected.events)
    times = [event.device_ms for event in connected.events]
    assert times == sorted(times)


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
    connected.connect(Position(last.box, last.boot, last.number))
    connected.run(1_000)
    assert edges(connected)[1:] == [(C3, PRESSED), (C3, RELEASED)] * 10
    assert [event.number for event in connected.events] == list(range(1, 22))
    pressed = [event.device_ms for event in connected.events[1:] if event.edge is PRESSED]
    assert [b - a for a, b in pairwise(pressed)] == [5_000] * 9


def test_full_queue_is_counted_and_the_last_level_still_told(connected: SimulatedBox) -> None:
    connected.disconnect()
    for number in range(QUEUE_REPORTS // 2 + 3):  # six edges more than fit
        connected.move(C1, True, 30 * number)
        connected.move(C1, False, 30 * number + 15)
    connected.move(C2, True, 30 * (QUEUE_REPORTS // 2 + 4))
    connected.run(2_000, step_ms=50)
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


def test_firmware_fits_with_room(tmp_path: Path) -> None:
    printed = build_firmware(tmp_path, "hex", "size")  # `make size` fails beyond 8 KiB of flash or 512 bytes of RAM
    assert "bytes plus stack" in printed
    assert (tmp_path / "box.hex").read_text().startswith(":")
