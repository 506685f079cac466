"""The host's end of the protocol: every report exactly once and in order, heartbeat, LEDs; bytes in, bytes out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from companion.core.inputs import BoxInput, ButtonEdge, ButtonEvent
from companion.core.said import Said
from firmware_bridge.constants import (
    INPUTS,
    LINK_DEAD_MS,
    PING_MS,
    PRESSED_BIT,
    PROTOCOL_VERSION,
    RETRY_MS,
    STATIONS,
    LedState,
)
from firmware_bridge.framing import BadFrame, FrameReader, encode_frame
from firmware_bridge.messages import Ack, Alive, Hello, Leds, Message, MessageError, Ping, Query, Report, pack, parse
from firmware_bridge.status import LinkQuality, Position

U32 = 0xFFFFFFFF
_HALF = 1 << 31
SPEAK_AFTER_MS = 2000.0  # a bootloader that hears bytes after a reset may not start the box: listen first
LISTEN_MS = 4500.0  # a bootloader takes up to 2 s, then the box has 2.5 s to answer
REMEMBERED_BOOTS = 32  # positions of other boots; the longest unheard is forgotten first


class Direction(Enum):
    """Which way a frame went."""

    FROM_BOX = "rx"
    TO_BOX = "tx"


Observer = Callable[[Direction, Message | BadFrame | MessageError], None]


@dataclass(slots=True)
class _Progress:
    """How far a boot's reports have been delivered."""

    expected: int
    last_ms: int | None = None  # device time of the last delivered report, unwrapped


class HostLink:
    """One box as the host sees it. Pure: host time in ms is passed in, bytes are taken and given out.

    `deliver` is called with each ButtonEvent, in order, before it is acknowledged: when it returns, the event
    is the session's. When it raises, the event is not acknowledged and comes again.
    """

    def __init__(
        self,
        deliver: Callable[[ButtonEvent], None],
        *,
        position: Position | None = None,
        observe: Observer | None = None,
    ) -> None:
        self._deliver, self._observe = deliver, observe
        self._reader = FrameReader()
        self._progress: dict[tuple[int, int], _Progress] = {}
        if position is not None:
            self._progress[int(position.box, 16), position.boot] = _Progress(position.number + 1 & U32)
        self.hello: Hello | None = None
        self.inputs = 0
        self.trouble = ""
        self._counts: dict[str, int] = {}
        self._round_trip_ms: float | None = None
        self._last_box: tuple[int, int] | None = None
        self._states: tuple[LedState, ...] = (LedState.OFF,) * STATIONS
        self._order: int | None = None  # of the LED states, once the box has told its last one
        self.leds_taken = False
        self._token = 0
        self._ack_due = False
        self.opened(0.0)

    def opened(self, now_ms: float) -> None:
        """A port was opened: the stream starts anew, what was delivered stays delivered."""
        self._reader.reset()
        self.hello = None
        self._opened_ms = now_ms
        self._heard_ms: float | None = None
        self._query_ms = self._ping_ms = self._leds_ms = float("-inf")
        self._ping_answered = True
        self._order, self.leds_taken, self._ack_due = None, False, False

    def set_leds(self, states: tuple[LedState, ...]) -> None:
        """The state of each station's LED; sent until the box confirms it, and again to a box that was reset."""
        if len(states) != STATIONS:
            raise ValueError(f"the box has {STATIONS} stations, got {len(states)} LED states")
        if states != self._states:
            self._states, self.leds_taken = states, False
            if self._order is not None:
                self._order = self._order % 255 + 1
            self._leds_ms = float("-inf")

    def dead(self, now_ms: float) -> bool:
        """Whether the box has been silent for too long, or never spoke on this port."""
        if self._heard_ms is None:
            return now_ms - self._opened_ms >= LISTEN_MS
        return now_ms - self._heard_ms >= LINK_DEAD_MS

    def receive(self, data: bytes, now_ms: float) -> None:
        """Bytes from the box, any at all."""
        for body in self._reader.feed(data):
            if isinstance(body, BadFrame):
                self._bad(body)
                continue
            try:
                message = parse(body)
            except MessageError as error:
                self._bad(error)
                if error.version != PROTOCOL_VERSION:
                    other = "the box has other firmware: {fault}. Flash it with `make flash`"
                    self.trouble = Said(other, fault=str(error))
                continue
            self._count(frames=1)
            if self._observe:
                self._observe(Direction.FROM_BOX, message)
            self._take(message, now_ms)

    def to_send(self, now_ms: float) -> bytes:
        """The bytes that are due to the box now."""
        if self._heard_ms is None and now_ms - self._opened_ms < SPEAK_AFTER_MS:
            return b""
        messages: list[Message] = []
        if self.hello is None:
            if now_ms - self._query_ms >= PING_MS:
                self._query_ms = now_ms
                messages.append(Query())
        else:
            if self._ack_due:
                self._ack_due = False
                key = self.hello.box, self.hello.boot
                messages.append(Ack(self.hello.boot, self._progress[key].expected))
            if now_ms - self._ping_ms >= PING_MS:
                self._token = self._token + 1 & 0xFF
                self._ping_ms, self._ping_answered = now_ms, False
                messages.append(Ping(self._token))
            if self._order is not None and not self.leds_taken and now_ms - self._leds_ms >= RETRY_MS:
                self._leds_ms = now_ms
                messages.append(Leds(self.hello.boot, self._order, self._states))  # type: ignore[arg-type]
        if self._observe:
            for message in messages:
                self._observe(Direction.TO_BOX, message)
        return b"".join(encode_frame(pack(message)) for message in messages)

    def _bad(self, what: BadFrame | MessageError) -> None:
        self._count(bad_frames=1)
        if self._observe:
            self._observe(Direction.FROM_BOX, what)

    def _count(self, **more: int) -> None:
        for name, n in more.items():
            self._counts[name] = self._counts.get(name, 0) + n

    def _take(self, message: Message, now_ms: float) -> None:
        match message:
            case Hello():
                self._take_hello(message)
            case Report():
                self._take_report(message)
            case Alive():
                self._take_alive(message, now_ms)
            case _:
                return  # the host's own words, echoed by a wrong plug: no sign of a box
        self._heard_ms = now_ms

    def _take_hello(self, hello: Hello) -> None:
        key = hello.box, hello.boot
        progress = self._progress.pop(key, None) or _Progress(hello.oldest)
        self._progress[key] = progress
        while len(self._progress) > REMEMBERED_BOOTS:
            del self._progress[next(iter(self._progress))]
        if self._last_box and self._last_box[0] == hello.box and self._last_box[1] != hello.boot:
            self._count(resets=1)
        self._last_box = key
        ahead = hello.oldest - progress.expected & U32
        if 0 < ahead < _HALF:  # acknowledged, but not by us
            self._count(missed=ahead)
            progress.expected = hello.oldest
        self.trouble = ""
        if 0 < (progress.expected - hello.next & U32) < _HALF:
            self.trouble = Said(
                "box {box} counts from {number} again without a new boot id: its EEPROM is worn out, "
                "so its presses cannot be told from repetitions. Replace the board",
                box=f"{hello.box:08x}", number=hello.oldest,
            )  # fmt: skip
        if self.hello is None or self.hello.boot != hello.boot or self.hello.box != hello.box:
            self._order, self.leds_taken, self._leds_ms = None, False, float("-inf")
        self.hello, self.inputs = hello, hello.inputs
        self._counts["dropped_by_box"] = hello.dropped
        self._ack_due = True

    def _take_report(self, report: Report) -> None:
        if self.hello is None:
            return
        if report.boot != self.hello.boot:
            self.hello = None  # the box was reset: ask who it is now
            return
        progress = self._progress[self.hello.box, self.hello.boot]
        self._ack_due = True
        ahead = report.number - progress.expected & U32
        if ahead >= _HALF:
            self._count(repeated=1)
        elif ahead:
            self._count(early=1)
        else:
            self._hand_over(report, progress)

    def _hand_over(self, report: Report, progress: _Progress) -> None:
        assert self.hello is not None
        last_ms = progress.last_ms
        at_ms = report.device_ms if last_ms is None else last_ms + (report.device_ms - last_ms & U32)
        pressed = bool(report.input & PRESSED_BIT)
        index = report.input & ~PRESSED_BIT
        event = ButtonEvent(
            box=f"{self.hello.box:08x}",
            boot=report.boot,
            number=report.number,
            input=INPUTS[index],
            edge=ButtonEdge.PRESSED if pressed else ButtonEdge.RELEASED,
            device_ms=at_ms,
            tied_with_previous=at_ms == last_ms,
        )
        try:
            self._deliver(event)
        except Exception as error:  # noqa: BLE001  the receiver's fault must not end the link; it is shown and retried
            self._count(refused=1)
            self._ack_due = False
            message = "the program did not take press {number}: {fault}. It is kept and comes again"
            self.trouble = Said(message, number=report.number, fault=repr(error))
            return
        if "refused" in self._counts:
            self.trouble = ""
        progress.expected = report.number + 1 & U32
        progress.last_ms = at_ms
        self.inputs = self.inputs | 1 << index if pressed else self.inputs & ~(1 << index)

    def _take_alive(self, alive: Alive, now_ms: float) -> None:
        if self.hello is None:
            return
        if alive.boot != self.hello.boot:
            self.hello = None
            return
        if alive.token == self._token and not self._ping_answered:
            self._ping_answered = True
            self._round_trip_ms = now_ms - self._ping_ms
        if self._order is None:
            self._order = alive.led_order % 255 + 1
        elif alive.led_order == self._order:
            self.leds_taken = True
        self.inputs = alive.inputs
        self._counts |= {
            "box_bad_frames": alive.bad_frames,
            "box_resent": alive.resent,
            "dropped_by_box": alive.dropped,
        }

    @property
    def quality(self) -> LinkQuality:
        """The counts as they stand."""
        return LinkQuality(**self._counts, round_trip_ms=self._round_trip_ms)

    def closed_inputs(self) -> tuple[BoxInput, ...]:
        """The inputs whose contact is closed, as the box last told."""
        return tuple(each for index, each in enumerate(INPUTS) if self.inputs >> index & 1)
