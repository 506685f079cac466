"""The box's end of the link: the C of the firmware and the Python of the virtual box answer alike, byte for byte."""

from __future__ import annotations

import ctypes
from random import Random

import pytest
from c_box import CBox, any_stream, build_c_box

from companion.core.inputs import ButtonEvent
from firmware_bridge.constants import (
    BEACON_MS,
    HOST_LOST_MS,
    QUEUE_REPORTS,
    RETRY_MS,
    WINDOW,
    LedState,
    Option,
    Refusal,
)
from firmware_bridge.framing import FrameReader, encode_frame
from firmware_bridge.host_link import HostLink
from firmware_bridge.messages import Ack, Hello, Leds, Ping, Query, Refused, Report, Settings, WireMessage, pack, parse
from firmware_bridge.model.device_link import DeviceLink
from firmware_bridge.model.faults import Faults, FaultyLine

BOX, BOOT = 0x1234ABCD, 7


@pytest.fixture(scope="module")
def c_box(tmp_path_factory: pytest.TempPathFactory) -> CBox:
    return build_c_box(tmp_path_factory.mktemp("c"))


def frame(message: WireMessage) -> bytes:
    return encode_frame(pack(message))


def sent(link: DeviceLink, now_ms: int) -> list[WireMessage]:
    """Everything the link sends at this moment."""
    reader, out = FrameReader(), []
    while data := link.send(now_ms):
        out += [parse(body) for body in reader.feed(data) if isinstance(body, bytes)]
    return out


def connected(now_ms: int = 0) -> DeviceLink:
    link = DeviceLink(BOX, BOOT, 0, now_ms)
    link.receive(frame(Query()), now_ms)
    assert isinstance(sent(link, now_ms)[0], Hello)
    return link


def host_words(random: Random) -> list[bytes]:
    states = tuple(random.choice(list(LedState)) for _ in range(4))
    return [
        frame(Query()),
        frame(Ping(random.randrange(256))),
        frame(Ack(BOOT, random.randint(1, 40))),
        frame(Ack(BOOT + 1, random.randint(1, 40))),
        frame(Leds(BOOT, random.randint(1, 255), states)),  # type: ignore[arg-type]
        frame(Leds(BOOT + 1, 9, states)),  # type: ignore[arg-type]
        frame(Report(BOOT, 1, 1, 1)),  # not the host's to say
        frame(Settings(BOOT, random.randrange(256), random.randrange(256), random.randrange(256))),
        frame(Settings(BOOT + 1, 1, 1, 1)),
        encode_frame(bytes((random.randrange(5), random.choice((1, 3, 4, 0x80, 0x81, 0x84, 0x85, 0x90)), 7))),
        encode_frame(pack(Leds(BOOT, 9, states))[:-1] + bytes((random.randint(6, 255),))),  # type: ignore[arg-type]
    ]


@pytest.mark.system("gcc")
@pytest.mark.parametrize("start_ms", [0, 0xFFFFFFFF - 700])
@pytest.mark.parametrize("seed", range(5))
def test_python_and_c_send_the_same_bytes_whatever_happens(c_box: CBox, seed: int, start_ms: int) -> None:
    random = Random(seed)
    ours = DeviceLink(BOX, BOOT, 0, start_ms)
    c_box.start(BOX, BOOT, 0, start_ms)
    levels, now = 0, start_ms
    for _ in range(3_000):
        now += random.choice((0, 1, 1, 3, 20, 60)) if random.random() < 0.99 else 1_500
        if random.random() < 0.3:
            levels ^= 1 << random.randrange(9)
            ours.set_levels(levels, now)
            c_box.set_levels(levels, now & 0xFFFFFFFF)
        if random.random() < 0.4:
            data = any_stream(random, host_words(random))
            ours.receive(data, now)
            c_box.receive(data, now)
        mine = []
        while data := ours.send(now):
            mine.append(data)
        assert mine == c_box.frames(now)
        shown = [c_box.library.link_led(ctypes.byref(c_box.link), ctypes.c_uint8(n)) for n in range(4)]
        assert list(ours.shown_leds()) == shown
    assert ours.waiting == c_box.link.reports.count


@pytest.mark.system("gcc")
def test_c_box_and_python_host_lose_nothing_over_a_bad_line(c_box: CBox) -> None:
    random = Random(4)
    events: list[ButtonEvent] = []
    host = HostLink(events.append)
    faults = Faults(drop=0.1, corrupt=0.1, repeat=0.1, reorder=0.1)
    to_host, to_box = FaultyLine(random, lambda: faults), FaultyLine(random, lambda: faults)
    c_box.start(BOX, BOOT, 0, 0)
    levels, edges, now = 0, 0, 0
    while edges < 2_000 or c_box.link.reports.count:
        now += 4
        if edges < 2_000 and now % 16 == 0 and c_box.link.reports.count < QUEUE_REPORTS:
            levels ^= 1 << edges % 9
            edges += 1
            c_box.set_levels(levels, now)
        c_box.receive(to_box.arrived(now), now)
        for each in c_box.frames(now):
            to_host.carry(each, now)
        host.receive(to_host.arrived(now), now)
        to_box.carry_bytes(host.to_send(now), now)
    assert [event.number for event in events] == list(range(1, 2_001))
    assert [list(type(events[0].input)).index(event.input) for event in events] == [n % 9 for n in range(2_000)]
    assert c_box.link.dropped == 0


@pytest.mark.system("gcc")
@pytest.mark.parametrize(
    ("first", "second", "boot", "target"),
    [
        (None, None, 1, 0),  # an empty EEPROM
        (1, None, 2, 1),
        (1, 2, 3, 0),
        (3, 2, 4, 1),
        (3, None, 4, 1),  # power went while the second was written: the first still holds
        (None, 4, 5, 0),
        (0xFFFFFFFF, 0xFFFFFFFE, 0, 1),  # the count wraps
        (0xFFFFFFFF, 0, 1, 0),
    ],
)
def test_boot_id_counts_on_and_survives_a_cell_cut_short(
    c_box: CBox, first: int | None, second: int | None, boot: int, target: int
) -> None:
    cells = (ctypes.c_uint8 * 12)(*[0xFF] * 12)
    for index, number in enumerate((first, second)):
        if number is not None:
            c_box.library.cell_write(ctypes.byref(cells, 6 * index), ctypes.c_uint32(number))
    told = ctypes.c_uint8()
    assert c_box.library.next_boot(cells, ctypes.byref(told)) == boot
    assert told.value == target


def test_without_a_host_only_hello_is_sent_four_times_a_second() -> None:
    link = DeviceLink(BOX, BOOT, 0, 0)
    link.set_levels(1, 10)
    messages = [message for now in range(0, 2_001, 10) for message in sent(link, now)]
    assert all(isinstance(message, Hello) for message in messages)
    assert len(messages) == 2_000 // BEACON_MS + 1


def test_report_is_sent_again_until_it_is_acknowledged() -> None:
    link = connected()
    link.set_levels(1, 10)
    times = []
    for now in range(10, 400):
        if now % 100 == 0:
            link.receive(frame(Ping(1)), now)
        times += [now for message in sent(link, now) if isinstance(message, Report)]
    assert times == list(range(10, 400, RETRY_MS))
    link.receive(frame(Ack(BOOT, 2)), 400)
    assert not any(isinstance(m, Report) for now in range(400, 900) for m in sent(link, now))


def test_no_more_than_a_window_is_in_flight() -> None:
    link = connected()
    for number in range(20):
        link.set_levels(number % 2 == 0, 10)
    numbers = [message.number for message in sent(link, 10) if isinstance(message, Report)]
    assert numbers == list(range(1, WINDOW + 1))
    link.receive(frame(Ack(BOOT, 4)), 11)
    assert [m.number for m in sent(link, 11) if isinstance(m, Report)] == [9, 10, 11]


@pytest.mark.parametrize("ack", [Ack(BOOT, 9), Ack(BOOT, 0), Ack(BOOT + 1, 2), Ack(BOOT, 0xFFFFFFFF)])
def test_impossible_acknowledgement_frees_nothing(ack: Ack) -> None:
    link = connected()
    link.set_levels(1, 10)
    link.receive(frame(ack), 11)
    assert link.waiting == 1


def test_acknowledgement_of_more_than_was_sent_frees_nothing() -> None:
    """Ten reports wait and eight are in flight: an ACK for all ten would lose two that no host has seen."""
    link = connected()
    for number in range(10):
        link.set_levels(number % 2 == 0, 10)
    assert len([m for m in sent(link, 10) if isinstance(m, Report)]) == WINDOW
    link.receive(frame(Ack(BOOT, 11)), 11)
    assert link.waiting == 10
    link.receive(frame(Ack(BOOT, WINDOW + 1)), 12)
    assert link.waiting == 2


def test_late_acknowledgement_counts_while_the_reports_are_sent_again() -> None:
    link = connected()
    link.set_levels(1, 10)
    sent(link, 10)
    link.receive(frame(Ping(1)), 10 + RETRY_MS)
    link.send(10 + RETRY_MS)  # in flight again, or about to be
    link.receive(frame(Ack(BOOT, 2)), 10 + RETRY_MS)
    assert link.waiting == 0


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (bytes((3, 0x81)), Refusal.VERSION),
        (bytes((1, 0x90)), Refusal.TYPE),
        (bytes((1, 0x85, 7, 0, 0, 0, 1, 1, 0)), Refusal.TYPE),  # SETTINGS came with version 2
        (bytes((1, 0x81, 0)), Refusal.SIZE),
        (bytes((1, 0x84, 7, 0, 0, 0, 1, 0, 0, 0, 6)), Refusal.VALUE),
    ],
)
def test_whole_frame_that_is_not_known_is_answered_with_why(body: bytes, reason: Refusal) -> None:
    link = connected()
    link.receive(encode_frame(body), 10)
    assert Refused(BOOT, body[0], body[1], reason) in sent(link, 10)
    assert link.bad_frames == 1


def test_box_that_hears_its_own_words_answers_none_of_them() -> None:
    link = connected()
    for body in (bytes((3, 0x01)), bytes((2, 0x04, 7, 0, 0, 0, 3, 1, 1)), bytes((1, 0x02))):
        link.receive(encode_frame(body), 10)
    assert sent(link, 10) == []


def test_settings_are_kept_and_stated_in_hello() -> None:
    link = connected()
    link.receive(frame(Settings(BOOT, 200, 10, Option.LED_ANODE)), 10)
    (hello,) = sent(link, 10)
    assert isinstance(hello, Hello)
    assert hello.about is not None
    assert (hello.about.lockout_button, hello.about.lockout_shield, hello.about.options) == (200, 10, Option.LED_ANODE)
    assert link.lockouts.button_ms == 400


def test_leds_say_host_lost_by_themselves_and_come_back() -> None:
    link = connected()
    states = (LedState.CONFIRMED, LedState.OFF, LedState.WRONG, LedState.YOUR_TURN)
    link.receive(frame(Leds(BOOT, 1, states)), 0)
    sent(link, HOST_LOST_MS - 1)
    assert link.shown_leds() == states
    sent(link, HOST_LOST_MS)
    assert set(link.shown_leds()) == {LedState.HOST_LOST}
    link.receive(frame(Ping(1)), HOST_LOST_MS + 1)
    assert link.shown_leds() == states


@pytest.mark.system("gcc")
def test_c_takes_any_bytes_at_all(c_box: CBox) -> None:
    """The library is compiled so that what C leaves undefined, an index out of bounds included, ends the program."""
    random = Random(8)
    c_box.start(BOX, BOOT, 0, 0)
    for now in range(400):
        c_box.receive(random.randbytes(random.randint(0, 120)), now)
        bodies = [bytes((1, random.randrange(256))) + random.randbytes(random.randint(0, 30)) for _ in range(4)]
        c_box.receive(b"".join(encode_frame(body) for body in bodies), now)
        c_box.set_levels(random.randrange(512), now)
        c_box.frames(now)
    assert c_box.link.bad_frames > 400
    assert c_box.link.reports.count <= QUEUE_REPORTS
