"""The host's end of the link: exactly once, in order, whatever the line and the box do."""

from __future__ import annotations

import tracemalloc
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.inputs import BoxInput, ButtonEdge, ButtonEvent
from firmware_bridge.constants import (
    LINK_DEAD_MS,
    MAX_ENCODED,
    PRESSED_BIT,
    Board,
    Option,
    StartCause,
)
from firmware_bridge.framing import BadFrame, FrameReader, encode_frame
from firmware_bridge.host_link import LISTEN_MS, REMEMBERED_BOOTS, SPEAK_AFTER_MS, HostLink
from firmware_bridge.messages import (
    About,
    Ack,
    Hello,
    Ping,
    Query,
    Report,
    Settings,
)
from firmware_bridge.status import ReportPosition
from tests.support.boxes.host_end import BOOT, BOX, Host, alive, frame, hello, said

PRESS, RELEASE = PRESSED_BIT, 0


def report(number: int, which: int = PRESS, ms: int = 1000, boot: int = BOOT) -> bytes:
    return frame(Report(boot, number, which, ms))


@pytest.fixture
def host() -> Host:
    host = Host()
    host.link.receive(hello(), 10)
    return host


def test_press_becomes_one_event_and_an_acknowledgement(host: Host) -> None:
    said(host.link, 10)
    host.link.receive(report(1, PRESS | 2, 5210), 20)
    assert host.events == [ButtonEvent("1234abcd", BOOT, 1, BoxInput.CONFIRM_3, ButtonEdge.PRESSED, 5210)]
    assert Ack(BOOT, 2) in said(host.link, 20)


def test_press_is_delivered_once_when_the_acknowledgement_is_lost(host: Host) -> None:
    for _ in range(5):
        host.link.receive(report(1), 20)
    assert host.numbers() == [1]
    assert host.link.quality.repeated == 4
    assert Ack(BOOT, 2) in said(host.link, 21)  # said again, since the box has not heard it


def test_reports_out_of_order_are_delivered_in_order(host: Host) -> None:
    for number in (2, 3, 1, 3, 2, 3):
        host.link.receive(report(number, PRESS if number % 2 else RELEASE, 1000 * number), 20)
    assert host.numbers() == [1, 2, 3]


def test_nothing_is_delivered_before_the_box_has_said_who_it_is() -> None:
    host = Host()
    host.link.receive(report(1), 10)
    assert host.events == []
    assert said(host.link, 11) == [Query()]


def test_host_listens_first_since_a_bootloader_may_be_at_work() -> None:
    link = Host().link
    link.opened(0)
    assert all(said(link, now) == [] for now in range(int(SPEAK_AFTER_MS)))
    assert said(link, SPEAK_AFTER_MS) == [Query()]


def test_session_that_restarts_gets_what_it_does_not_have_yet() -> None:
    host = Host(ReportPosition("1234abcd", BOOT, 4))
    host.link.receive(hello(oldest=3, following=7), 10)  # the acknowledgement of 3 and 4 never reached the box
    for number in range(3, 7):
        host.link.receive(report(number), 20)
    assert host.numbers() == [5, 6]


def test_session_that_begins_gets_nothing_of_what_was_pressed_before() -> None:
    events: list[ButtonEvent] = []
    link = HostLink(events.append, fresh=True)
    link.receive(hello(oldest=3, following=5), 10)
    for number in (3, 4, 5):
        link.receive(report(number), 20)
    assert [event.number for event in events] == [5]
    assert Ack(BOOT, 6) in said(link, 21)  # what was dropped does not come again


def test_link_that_only_looked_takes_what_waits_as_soon_as_somebody_wants_it() -> None:
    events: list[ButtonEvent] = []
    link = HostLink(None)
    link.receive(hello(following=2), 10)
    link.receive(report(1), 20)
    link.take(events.append)
    link.receive(report(1), 30)
    link.take(None)
    link.receive(report(2), 40)
    assert [event.number for event in events] == [1]


def test_position_of_another_boot_does_not_matter() -> None:
    host = Host(ReportPosition("1234abcd", BOOT - 1, 400))
    host.link.receive(hello(following=3) + report(1) + report(2), 10)
    assert host.numbers() == [1, 2]


def test_same_millisecond_is_named_a_tie(host: Host) -> None:
    host.link.receive(report(1, PRESS, 700) + report(2, PRESS | 3, 700) + report(3, PRESS | 1, 701), 20)
    assert [event.tied_with_previous for event in host.events] == [False, True, False]


def test_device_time_goes_on_across_its_wrap(host: Host) -> None:
    host.link.receive(report(1, PRESS, 0xFFFFFFF0) + report(2, RELEASE, 0x10), 20)
    assert [event.device_ms for event in host.events] == [0xFFFFFFF0, 0x100000010]


def test_numbers_go_on_across_their_wrap() -> None:
    host = Host()
    host.link.receive(hello(oldest=0xFFFFFFFE, following=2), 10)
    for number in (0xFFFFFFFE, 0xFFFFFFFF, 0, 0xFFFFFFFF, 1):
        host.link.receive(report(number), 20)
    assert host.numbers() == [0xFFFFFFFE, 0xFFFFFFFF, 0, 1]


def test_reset_in_mid_phase_is_asked_for_the_state_and_invents_nothing(host: Host) -> None:
    host.link.receive(report(1), 20)
    host.link.receive(alive(boot=BOOT + 1), 30)  # another boot: the box was reset
    assert Query() in said(host.link, 200)
    host.link.receive(hello(boot=BOOT + 1, inputs=0b1_0000), 210)
    assert host.link.closed_inputs() == (BoxInput.SHIELD_1,)
    host.link.receive(report(1, boot=BOOT), 220)  # a late frame of the boot before
    assert host.numbers() == [1]
    host.link.receive(hello(boot=BOOT + 1) + report(1, RELEASE, boot=BOOT + 1), 230)
    assert [(event.boot, event.number) for event in host.events] == [(BOOT, 1), (BOOT + 1, 1)]
    assert host.link.quality.resets == 1


def test_late_hello_of_the_boot_before_delivers_nothing_twice(host: Host) -> None:
    host.link.receive(report(1) + report(2), 20)
    host.link.receive(hello(boot=BOOT + 1) + report(1, boot=BOOT + 1), 30)
    host.link.receive(hello(oldest=1, following=3) + report(1) + report(2), 40)
    host.link.receive(hello(boot=BOOT + 1, oldest=1, following=2) + report(1, boot=BOOT + 1), 50)
    assert [(event.boot, event.number) for event in host.events] == [(BOOT, 1), (BOOT, 2), (BOOT + 1, 1)]


def test_what_another_program_took_is_counted_as_missed(host: Host) -> None:
    host.link.receive(hello(oldest=5, following=6) + report(5), 20)
    assert host.numbers() == [5]
    assert host.link.quality.missed == 4


def test_event_that_the_receiver_refuses_comes_again_and_is_not_acknowledged() -> None:
    taken: list[int] = []

    def take(event: ButtonEvent) -> None:
        if not failing:
            taken.append(event.number)
            return
        raise RuntimeError("the disk is full")

    failing = [True]
    link = HostLink(take)
    link.receive(hello(following=3), 10)
    said(link, 10)
    link.receive(report(1) + report(2), 20)
    assert Ack(BOOT, 2) not in said(link, 20)
    assert "the disk is full" in link.trouble
    failing.clear()
    link.receive(report(1) + report(2), 80)
    assert taken == [1, 2]
    assert link.trouble == ""


def test_box_that_forgot_its_boot_id_is_named_as_worn_out(host: Host) -> None:
    for number in range(1, 6):
        host.link.receive(report(number), 20)
    host.link.receive(hello(oldest=1, following=1), 30)
    assert "EEPROM" in host.link.trouble


def test_other_protocol_version_says_to_flash_the_box() -> None:
    host = Host()
    host.link.receive(encode_frame(bytes((3, 1)) + bytes(26)), 10)
    assert "protocol version 3" in host.link.trouble
    assert "companion box flash" in host.link.trouble


def test_reports_that_the_box_withholds_are_asked_for_and_counted_as_missed(host: Host) -> None:
    """Two reports were acknowledged by a forged ACK: the box is at 3, the host waits for 1."""
    asked = []
    for now in range(20, 1_400, 100):
        host.link.receive(alive(following=3, ms=200 + now), now)
        asked += [m for m in said(host.link, now) if isinstance(m, Query)]
    assert len(asked) == 2
    host.link.receive(hello(oldest=3, following=3), 1_400)
    assert host.link.quality.missed == 2
    host.link.receive(alive(following=3, ms=2_000), 1_500)
    assert host.link.trouble == ""


def test_box_that_keeps_presses_to_itself_is_named(host: Host) -> None:
    for now in range(20, 4_000, 100):
        host.link.receive(alive(following=3, ms=200 + now), now)
        if any(isinstance(m, Query) for m in said(host.link, now)):
            host.link.receive(hello(oldest=1, following=3), now)
    assert "does not send them" in host.link.trouble
    host.link.receive(report(1), 4_000)
    assert host.link.trouble == ""


def test_box_whose_numbers_went_back_is_asked_and_named(host: Host) -> None:
    for number in range(1, 6):
        host.link.receive(report(number), 20)
    for now in range(20, 800, 100):
        host.link.receive(alive(following=1, ms=200 + now), now)
        if any(isinstance(m, Query) for m in said(host.link, now)):
            host.link.receive(hello(oldest=1, following=1), now)
    assert "EEPROM" in host.link.trouble


def test_settings_are_sent_until_hello_states_them(host: Host) -> None:
    host.link.set_settings(100, 50, Option.BUZZER)
    assert not [m for now in range(20, 400, 10) for m in said(host.link, now) if isinstance(m, Settings)]  # version 1
    about = About(Board.RP2040, StartCause.POWER_ON, 150, 75)
    host.link.receive(frame(Hello(BOX, BOOT, 2, 0, 1, 1, 100, 0, about)), 400)
    sent = [m for now in range(400, 900, 10) for m in said(host.link, now) if isinstance(m, Settings)]
    assert sent == [Settings(BOOT, 100, 50, Option.BUZZER)] * 2
    about = About(Board.RP2040, StartCause.POWER_ON | Option.BUZZER << 4, 100, 50)
    host.link.receive(frame(Hello(BOX, BOOT, 2, 0, 1, 1, 100, 0, about)), 900)
    assert host.link.settings_taken()
    assert not [m for now in range(900, 1300, 10) for m in said(host.link, now) if isinstance(m, Settings)]


def test_firmware_of_version_1_is_understood(host: Host) -> None:
    assert host.link.hello is not None
    assert host.link.hello.about is None


def test_round_trip_is_measured_by_the_token(host: Host) -> None:
    (ping,) = (m for m in said(host.link, 100) if isinstance(m, Ping))
    host.link.receive(alive(token=ping.token ^ 1), 103)
    assert host.link.quality.round_trip_ms is None
    host.link.receive(alive(token=ping.token), 107)
    assert host.link.quality.round_trip_ms == 7


def test_dead_link_is_noticed_within_a_second(host: Host) -> None:
    assert not host.link.dead(10 + LINK_DEAD_MS - 1)
    assert host.link.dead(10 + LINK_DEAD_MS)
    assert LINK_DEAD_MS < 1000


def test_box_that_never_speaks_is_given_up_only_after_a_bootloader_could_have_ended() -> None:
    link = Host().link
    link.opened(0)
    assert not link.dead(LISTEN_MS - 1)
    assert link.dead(LISTEN_MS)


def test_own_words_echoed_back_are_no_box() -> None:
    link = Host().link
    link.opened(0)
    link.receive(frame(Query()) + frame(Ping(1)), 100)
    assert link.hello is None
    assert link.dead(LISTEN_MS)


FRAMES = (hello(), hello(boot=8), alive(), report(1), report(2), report(3), report(1, boot=8), frame(Query()))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(st.binary(max_size=80), st.sampled_from(FRAMES)), max_size=40))
def test_any_bytes_at_all_neither_crash_nor_double(pieces: list[bytes]) -> None:
    host = Host()
    for now, piece in enumerate(pieces):
        host.link.receive(piece, now)
        host.link.to_send(now)
    keys = [(event.boot, event.number) for event in host.events]
    assert len(keys) == len(set(keys))
    for boot in (7, 8):
        numbers = [number for of, number in keys if of == boot]
        assert numbers == list(range(1, len(numbers) + 1))


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=400), st.lists(st.integers(0, 400), max_size=10))
def test_frames_found_do_not_depend_on_how_the_stream_is_cut(stream: bytes, cuts: list[int]) -> None:
    reader = FrameReader()
    edges = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    pieces = [stream[a:b] for a, b in pairwise(edges)]
    assert [each for piece in pieces for each in reader.feed(piece)] == FrameReader().feed(stream)


@settings(max_examples=150, deadline=None)
@given(st.binary(min_size=2, max_size=32), st.binary(max_size=100))
def test_any_body_comes_back_behind_any_garbage(body: bytes, garbage: bytes) -> None:
    found = FrameReader().feed(garbage + encode_frame(body))
    assert found[-1] == body
    assert all(len(each.encoded) <= MAX_ENCODED for each in found if isinstance(each, BadFrame))


def test_memory_stays_bounded_under_megabytes_of_noise(host: Host) -> None:
    random = Random(3)
    noise = [random.randbytes(4096) for _ in range(16)] + [bytes([0x55]) * 4096]

    def pour(rounds: int) -> None:
        for number in range(rounds):
            host.link.receive(noise[number % len(noise)], number)

    pour(20)
    tracemalloc.start()
    pour(100)
    first, _ = tracemalloc.get_traced_memory()
    pour(300)
    second, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert second - first < 20_000


def test_only_the_last_boots_are_remembered() -> None:
    host = Host()
    for boot in range(REMEMBERED_BOOTS * 3):
        host.link.receive(hello(boot=boot) + report(1, boot=boot), boot)
    assert len(host.link._progress) == REMEMBERED_BOOTS
    assert len(host.events) == REMEMBERED_BOOTS * 3
