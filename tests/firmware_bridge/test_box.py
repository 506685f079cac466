"""The bridge on its thread with the virtual box on a pty: presses, faults by command, unplugging, LEDs, captures."""

from __future__ import annotations

import io
import json
import queue
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.errors import DataError, DeviceError
from companion.core.inputs import BoxInput, ButtonEdge, ButtonEvent
from companion.lab.simulators.link_rehearsal import rehearse_latency, rehearse_presses, rehearse_replug
from firmware_bridge.box import Box, Bridge, open_box
from firmware_bridge.capture import is_capture, read_capture, replay_capture
from firmware_bridge.constants import LedState
from firmware_bridge.framing import encode_frame
from firmware_bridge.host_link import LISTEN_MS
from firmware_bridge.keyboard import Keyboard
from firmware_bridge.messages import Hello, pack
from firmware_bridge.model.faults import Faults
from firmware_bridge.ports import SerialSource
from firmware_bridge.status import BoxStatus, LinkPhase, ReportPosition
from firmware_bridge.virtual_box import VirtualBox, open_virtual

PRESSED, RELEASED = ButtonEdge.PRESSED, ButtonEdge.RELEASED
WAIT_S = 120.0


class Table:
    """An open box with queues of what it says."""

    def __init__(self, source: str = "virtual:", position: ReportPosition | None = None) -> None:
        self.events: queue.Queue[ButtonEvent] = queue.Queue()
        self.statuses: queue.Queue[BoxStatus] = queue.Queue()
        self.capture = io.StringIO()
        self.box: Box = open_box(source, self.events.put, self.statuses.put, position=position, capture=self.capture)

    @property
    def virtual(self) -> VirtualBox:
        assert self.box.virtual is not None
        return self.box.virtual

    def until(self, phase: LinkPhase) -> BoxStatus:
        end = time.monotonic() + WAIT_S
        while True:
            status = self.statuses.get(timeout=max(0.01, end - time.monotonic()))
            if status.phase is phase:
                return status

    def next(self, count: int = 1) -> list[tuple[BoxInput, ButtonEdge]]:
        events = [self.events.get(timeout=WAIT_S) for _ in range(count)]
        return [(event.input, event.edge) for event in events]


class Chatter:
    """A port on which something speaks, but not the box; time passes as it is read."""

    name = "/dev/ttyUSB0"

    def __init__(self, words: bytes) -> None:
        self.words, self.now_ms = words, 0.0

    def read(self) -> bytes:
        self.now_ms += 20
        return self.words

    def write(self, data: bytes) -> None:
        pass

    def close(self) -> None:
        pass


def bridge_to(port: Chatter, source: str = "/dev/null", capture: io.StringIO | None = None) -> Bridge:
    return Bridge(
        SerialSource(source, list),
        lambda _event: None,
        lambda _status: None,
        open_port=lambda _name: port,
        clock_ms=lambda: port.now_ms,
        wait=lambda _seconds: None,
        capture=capture,
    )


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    table.until(LinkPhase.CONNECTED)
    yield table
    table.box.close()


def test_status_says_that_the_box_is_virtual_and_what_answers(table: Table) -> None:
    status = table.box.status
    assert status.virtual
    assert status.connected
    assert status.port.startswith("/dev/")
    assert len(status.box) == 8
    assert status.trouble == ""


def test_tap_is_a_press_and_a_release(table: Table) -> None:
    table.virtual.tap(BoxInput.CONFIRM_2)
    assert table.next(2) == [(BoxInput.CONFIRM_2, PRESSED), (BoxInput.CONFIRM_2, RELEASED)]


@pytest.mark.parametrize("fault", ["drop 0.3", "corrupt 0.3", "repeat 0.5", "reorder 0.5", "delay 30", "bounce 20"])
def test_taps_arrive_once_and_in_order_under_a_fault(table: Table, fault: str) -> None:
    table.virtual.command(fault)
    expected = []
    for which in (BoxInput.CONFIRM_1, BoxInput.REFEREE, BoxInput.CONFIRM_1, BoxInput.CONFIRM_4):
        table.virtual.press(which)
        assert table.next() == [(which, PRESSED)]
        table.virtual.release(which)
        assert table.next() == [(which, RELEASED)]
        expected.append(which)
    assert table.events.empty()


def test_press_made_while_unplugged_arrives_after_the_replug_under_another_name(table: Table) -> None:
    before = table.box.status.port
    table.virtual.command("unplug")
    lost = table.until(LinkPhase.SEARCHING)
    assert lost.trouble
    table.virtual.press(BoxInput.CONFIRM_3)
    table.virtual.command("replug")
    back = table.until(LinkPhase.CONNECTED)
    assert table.next() == [(BoxInput.CONFIRM_3, PRESSED)]
    assert back.port
    assert table.box.status.quality.reconnects == 1
    table.virtual.command("replug")
    table.until(LinkPhase.SEARCHING)
    assert table.until(LinkPhase.CONNECTED).port != back.port or before != back.port


def test_dead_link_is_noticed_within_a_second() -> None:
    port = Chatter(encode_frame(pack(Hello(1, 1, 1, 0, 1, 1, 0, 0))))
    bridge = bridge_to(port)
    while not bridge.status.connected:
        bridge.step()
    port.words, silent_since_ms = b"", port.now_ms
    while bridge.status.connected:
        bridge.step()
    assert port.now_ms - silent_since_ms <= 1000
    assert "silent" in bridge.status.trouble


def test_silence_is_noticed_and_survived(table: Table) -> None:
    table.virtual.command("silence 1.2")
    table.virtual.press(BoxInput.CONFIRM_1)
    status = table.until(LinkPhase.SEARCHING)
    assert "silent" in status.trouble
    assert table.next() == [(BoxInput.CONFIRM_1, PRESSED)]


def test_reset_changes_the_boot_and_tells_what_is_held(table: Table) -> None:
    first = table.box.status.boot
    table.virtual.press(BoxInput.SHIELD_2)
    assert table.next() == [(BoxInput.SHIELD_2, PRESSED)]
    table.virtual.command("reset")
    end = time.monotonic() + WAIT_S
    while table.box.status.boot == first and time.monotonic() < end:
        table.statuses.get(timeout=WAIT_S)
    assert table.box.status.boot == first + 1
    assert table.box.status.closed == (BoxInput.SHIELD_2,)
    assert table.events.empty()


def test_leds_reach_the_box_and_say_host_lost_when_the_program_ends(table: Table) -> None:
    table.box.set_led(1, LedState.PLACE_NOW)
    table.box.set_led(3, LedState.WRONG)
    end = time.monotonic() + WAIT_S
    expected = (LedState.PLACE_NOW, LedState.OFF, LedState.WRONG, LedState.OFF)
    while table.virtual.leds() != expected and time.monotonic() < end:
        table.virtual.tap(BoxInput.REFEREE)  # something to wait for
        table.next(2)
    assert table.virtual.leds() == expected
    with pytest.raises(ValueError, match="1 to 4"):
        table.box.set_led(5, LedState.OFF)
    with pytest.raises(ValueError, match="by itself"):
        table.box.set_led(1, LedState.HOST_LOST)


def test_capture_replays_to_the_same_events(table: Table, tmp_path: Path) -> None:
    seen = []
    for which in (BoxInput.CONFIRM_1, BoxInput.SHIELD_4):
        table.virtual.tap(which)
        seen += [table.events.get(timeout=WAIT_S) for _ in range(2)]
    table.virtual.command("replug")
    table.until(LinkPhase.SEARCHING)
    table.virtual.tap(BoxInput.REFEREE)
    seen += [table.events.get(timeout=WAIT_S) for _ in range(2)]
    table.box.close()
    path = tmp_path / "box.jsonl"
    path.write_text(table.capture.getvalue())
    assert is_capture(path)
    assert replay_capture(path) == seen
    assert sum(line.direction is None for line in read_capture(path)) == 2
    path.write_text(table.capture.getvalue()[:-7])  # the program was killed while it wrote the last line
    assert replay_capture(path)[:4] == seen[:4]


class FullDisk(io.StringIO):
    """Takes a few lines, then has no room."""

    def write(self, text: str) -> int:
        if self.tell() > 200:
            raise OSError(28, "No space left on device")
        return super().write(text)


def test_capture_that_cannot_be_written_does_not_end_the_link() -> None:
    port = Chatter(encode_frame(pack(Hello(1, 1, 1, 0, 1, 1, 0, 0))))
    bridge = bridge_to(port, capture=FullDisk())
    for _ in range(20):
        bridge.step()
    assert bridge.status.connected
    assert "No space left" in bridge.status.trouble


def test_session_that_starts_again_gets_only_what_is_new(tmp_path: Path) -> None:
    box = VirtualBox(boot=5)
    first = Table(box.port)
    first.until(LinkPhase.CONNECTED)
    box.press(BoxInput.CONFIRM_1)
    event = first.events.get(timeout=WAIT_S)
    first.box.close()
    box.release(BoxInput.CONFIRM_1)  # nobody listens
    second = Table(box.port, ReportPosition(event.box, event.boot, event.number))
    try:
        assert second.next() == [(BoxInput.CONFIRM_1, RELEASED)]
        path = tmp_path / "second.jsonl"
        path.write_text(second.capture.getvalue())
        assert [each.number for each in replay_capture(path)] == [2]
    finally:
        second.box.close()
        box.close()


@pytest.mark.parametrize(
    ("words", "trouble"),
    [
        (b"$GPGGA,123519,4807.038,N\r\n\x00", "not the box's firmware"),
        (b"", "nothing answers"),
        (encode_frame(bytes((9, 1)) + bytes(26)), "protocol version 9"),
    ],
)
def test_port_without_the_box_is_named_with_what_to_do(words: bytes, trouble: str) -> None:
    port = Chatter(words)
    bridge = bridge_to(port)
    while bridge.status.phase is not LinkPhase.LISTENING:
        bridge.step()
    while bridge.status.phase is not LinkPhase.SEARCHING:
        bridge.step()
    assert trouble in bridge.status.trouble
    assert port.now_ms <= LISTEN_MS + 40


def test_nothing_plugged_in_says_so() -> None:
    bridge = bridge_to(Chatter(b""), "auto")
    bridge.step()
    assert "plugged in: run `companion box doctor`" in bridge.status.trouble


def test_missing_port_is_waited_for(tmp_path: Path) -> None:
    link = tmp_path / "ttyACM0"
    table = Table(str(link))
    box = VirtualBox()
    try:
        assert str(link) in table.until(LinkPhase.SEARCHING).trouble
        link.symlink_to(box.port)
        table.until(LinkPhase.CONNECTED)
        box.press(BoxInput.CONFIRM_1)
        assert table.next() == [(BoxInput.CONFIRM_1, PRESSED)]
    finally:
        table.box.close()
        box.close()


@pytest.mark.parametrize("source", ["nonsense", "virtual:drop", "virtual:drop=2", "virtual:delay=x", "virtual:foo=1"])
def test_source_that_is_no_box_is_refused_with_what_would_be_one(source: str) -> None:
    with pytest.raises(DeviceError):
        open_box(source, lambda _event: None)


def test_faults_of_a_source_are_in_force_from_the_start() -> None:
    box = open_virtual("virtual:drop=0.1,bounce=20,seed=3")
    try:
        assert box.faults == Faults(drop=0.1, bounce=20)
        with pytest.raises(DeviceError, match="unknown fault"):
            box.command("explode 3")
        with pytest.raises(DeviceError, match="seconds"):
            box.command("silence soon")
        box.command("clear")
        assert box.faults == Faults()
    finally:
        box.close()


def test_keyboard_presses_lifts_and_breaks(table: Table) -> None:
    keys = Keyboard(table.virtual)
    assert keys.key("2") == "station 2 confirms"
    assert table.next(2) == [(BoxInput.CONFIRM_2, PRESSED), (BoxInput.CONFIRM_2, RELEASED)]
    assert keys.key("w") == "station 2 puts its shield up"
    assert table.next() == [(BoxInput.SHIELD_2, PRESSED)]
    assert keys.key("w") == "station 2 lifts its shield"
    assert table.next() == [(BoxInput.SHIELD_2, RELEASED)]
    assert keys.key(" ") == "the referee's button"
    assert table.next(2) == [(BoxInput.REFEREE, PRESSED), (BoxInput.REFEREE, RELEASED)]
    assert [keys.key(char) for char in ":drip\x7f\x7fop 0.2\n"][-1] == "fault: drop 0.2"
    assert table.virtual.faults == Faults(drop=0.2)
    assert "unknown fault" in [keys.key(char) for char in ":x\n"][-1]
    assert keys.key("z") == ""


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty"),
        ('{"capture": "something else"}\n', "no capture"),
        ('{"capture": "tabletop-companion box", "schema": 9}\n', "no capture"),
        ('{"capture": "tabletop-companion box", "schema": 1}\nnonsense\n{}\n', "line 2"),
        ('{"capture": "tabletop-companion box", "schema": 1}\n{"t_ms": 1}\n', "line 2"),
        ('{"capture": "tabletop-companion box", "schema": 1}\n{"t_ms": 1, "rx": "0g"}\n', "line 2"),
        ('{"capture": "tabletop-companion box", "schema": 1, "position": {"box": "1"}}\n', "position"),
    ],
)
def test_file_that_is_no_capture_is_refused_with_the_place(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "box.jsonl"
    path.write_text(text)
    with pytest.raises(DataError, match=problem):
        replay_capture(path)


def test_capture_is_told_apart_by_its_first_line(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    for first in ("", "[]", "{}", json.dumps({"schema": 1}), "\udcff"):
        path.write_bytes(first.encode("utf-8", "surrogateescape"))
        assert not is_capture(path)


def test_presses_through_a_bad_line_arrive_exactly_once() -> None:
    result = rehearse_presses(1_500, 0.1, seed=5)
    assert result.passed, result
    assert result.delivered == 1_500
    assert result.spoilt > 500
    assert result.repeated > 100
    assert result.resent > 500


def test_rehearsal_notices_a_press_that_is_lost_doubled_or_invented() -> None:
    from companion.lab.simulators.link_rehearsal import Expected

    expected = Expected()
    expected.done(1, 1, BoxInput.CONFIRM_1, PRESSED, 10)
    expected.done(1, 2, BoxInput.CONFIRM_1, RELEASED, 20)
    expected.done(1, 3, BoxInput.CONFIRM_1, PRESSED, 30)
    right = ButtonEvent("b", 1, 1, BoxInput.CONFIRM_1, PRESSED, 10)
    expected.deliver(right)
    assert expected.wrong == 0
    expected.deliver(right)
    assert expected.doubled == 1
    expected.deliver(ButtonEvent("b", 1, 9, BoxInput.CONFIRM_1, PRESSED, 10))
    assert expected.invented == 1
    expected.deliver(ButtonEvent("b", 1, 2, BoxInput.CONFIRM_1, RELEASED, 21))
    assert expected.altered == 1
    expected.finish()
    assert expected.lost == 1


def test_press_takes_less_than_20_ms_to_the_session() -> None:
    """The median, which a busy machine hardly moves; `companion bench box` holds the 99th percentile to the same."""
    assert rehearse_latency(40, seed=1).p50_ms <= 20


def test_unplugging_20_times_loses_nothing() -> None:
    result = rehearse_replug(20, seed=2)
    assert result.passed, result
