"""The host's end of the protocol: every report exactly once and in order, heartbeat, LEDs; bytes in, bytes out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from companion.core.inputs import BoxInput, ButtonEdge, ButtonEvent
from companion.core.messages import Message
from firmware_bridge.constants import (
    INPUTS,
    LINK_DEAD_MS,
    PING_MS,
    PRESSED_BIT,
    RETRY_MS,
    STATIONS,
    LedState,
    MessageType,
    Option,
)
from firmware_bridge.framing import BadFrame, FrameReader, encode_frame
from firmware_bridge.messages import (
    Ack,
    Alive,
    Hello,
    Leds,
    MessageError,
    Ping,
    Query,
    Refused,
    Report,
    Settings,
    WireMessage,
    pack,
    parse,
)
from firmware_bridge.status import LinkQuality, ReportPosition

U32 = 0xFFFFFFFF
_HALF = 1 << 31
SPEAK_AFTER_MS = 2000.0  # a bootloader that hears bytes after a reset may not start the box: listen first
LISTEN_MS = 4500.0  # a bootloader takes up to 2 s, then the box has 2.5 s to answer
STALLED_MS = 500.0  # the box has reports that do not come, or fewer than it gave: ten times its own retry
STALLED_ASKS = 3  # HELLOs that changed nothing before people are told
SETTINGS_MS = 250.0  # the box writes its EEPROM meanwhile
REFUSED_LEDS_MS = 1000.0  # an order that the box does not understand is tried again so seldom
REMEMBERED_BOOTS = 32  # positions of other boots; the longest unheard is forgotten first


class Direction(Enum):
    """Which way a frame went."""

    FROM_BOX = "rx"
    TO_BOX = "tx"


Observer = Callable[[Direction, WireMessage | BadFrame | MessageError], None]


@dataclass(slots=True)
class _Progress:
    """How far a boot's reports have been delivered."""

    expected: int
    last_ms: int | None = None  # device time of the last delivered report, unwrapped
    dropped_before: int | None = None  # reports before this number are from before our time: taken, and dropped

    def is_old(self, number: int) -> bool:
        """Whether a report is from before our time."""
        return self.dropped_before is not None and 0 < (self.dropped_before - number & U32) < _HALF


class HostLink:
    """One box as the host sees it. Pure: host time in ms is passed in, bytes are taken and given out.

    `deliver` is called with each ButtonEvent, in order, before it is acknowledged: when it returns, the event
    is the session's. When it raises, the event is not acknowledged and comes again. Without `deliver` the link only
    looks: nothing is taken from the box and its LEDs are left as they are.
    """

    def __init__(
        self,
        deliver: Callable[[ButtonEvent], None] | None,
        *,
        position: ReportPosition | None = None,
        fresh: bool = False,
        observe: Observer | None = None,
    ) -> None:
        """`position`: the last report that the receiver has. `fresh`: what waits in the first box is not for it."""
        self._deliver, self._observe, self._fresh = deliver, observe, fresh
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
        self._token = 0
        self._ack_due = False
        self._wanted: tuple[int, int, Option] | None = None
        self._refusing = False  # the receiver raised on the last report
        self._leads = deliver is not None  # the LEDs are ours; they stay so when presses are taken no more
        self.other_version = ""  # what the box said in a version that this program does not know
        self.opened(0.0)

    def opened(self, now_ms: float) -> None:
        """A port was opened: the stream starts anew, what was delivered stays delivered."""
        self._reader.reset()
        self.hello = None
        self._opened_ms = now_ms
        self._heard_ms: float | None = None
        self._query_ms = self._ping_ms = self._settings_ms = float("-inf")
        self._ping_answered = True
        self._ack_due = False
        self._begin_box()

    def _begin_box(self) -> None:
        """Another box, or another start of it: nothing is known of its LEDs and of its reports."""
        self._order: int | None = None
        self.leds_taken = self._leds_sent = False
        self._leds_ms = float("-inf")
        self._alive_device_ms: int | None = None
        self._differs_since_ms: float | None = None
        self._stalled = 0
        self._query_due = False

    def take(self, deliver: Callable[[ButtonEvent], None] | None) -> None:
        """From now on reports go to `deliver`, what waits in the box first; with None they stay in the box."""
        self._deliver = deliver
        self._leads = self._leads or deliver is not None

    def set_leds(self, states: tuple[LedState, ...]) -> None:
        """The state of each station's LED; sent until the box confirms it, and again to a box that was reset."""
        if len(states) != STATIONS:
            raise ValueError(f"the box has {STATIONS} stations, got {len(states)} LED states")
        if states != self._states:
            self._states = states
            if self._order is not None:
                self._new_order(self._order)

    def set_settings(self, lockout_button: int, lockout_shield: int, options: Option) -> None:
        """What the box is to keep (see messages.Settings); sent until its HELLO states it."""
        self._wanted = lockout_button, lockout_shield, options

    def settings_taken(self) -> bool:
        """Whether the box states the settings last set."""
        about = self.hello.about if self.hello else None
        if self._wanted is None or about is None:
            return self._wanted is None
        return self._wanted == (about.lockout_button, about.lockout_shield, about.options)

    def _new_order(self, after: int) -> None:
        self._order, self.leds_taken, self._leds_sent = after % 255 + 1, False, False
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
                if error.of_other_version:
                    other = "the box has other firmware: {fault}. Flash it with `companion box flash`"
                    self.trouble = self.other_version = Message(other, fault=str(error))
                continue
            self._count(frames=1)
            if self._observe:
                self._observe(Direction.FROM_BOX, message)
            self._take(message, now_ms)

    def to_send(self, now_ms: float) -> bytes:
        """The bytes that are due to the box now."""
        if self._heard_ms is None and now_ms - self._opened_ms < SPEAK_AFTER_MS:
            return b""
        messages: list[WireMessage] = []
        if self.hello is None:
            if now_ms - self._query_ms >= PING_MS:
                self._query_ms = now_ms
                messages.append(Query())
        else:
            if self._query_due:
                self._query_due = False
                messages.append(Query())
            if not self.settings_taken() and self.hello.about and now_ms - self._settings_ms >= SETTINGS_MS:
                assert self._wanted is not None
                self._settings_ms = now_ms
                messages.append(Settings(self.hello.boot, *self._wanted))
            if self._ack_due:
                self._ack_due = False
                key = self.hello.box, self.hello.boot
                messages.append(Ack(self.hello.boot, self._progress[key].expected))
            if now_ms - self._ping_ms >= PING_MS:
                self._token = self._token + 1 & 0xFF
                self._ping_ms, self._ping_answered = now_ms, False
                messages.append(Ping(self._token))
            leds_due = self._leads and self._order is not None and not self.leds_taken
            if leds_due and now_ms - self._leds_ms >= RETRY_MS:
                self._leds_ms, self._leds_sent = now_ms, True
                assert self._order is not None
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

    def _take(self, message: WireMessage, now_ms: float) -> None:
        match message:
            case Hello():
                self._take_hello(message)
            case Report():
                self._take_report(message)
            case Alive():
                self._take_alive(message, now_ms)
            case Refused():
                self._take_refused(message, now_ms)
            case _:
                return  # the host's own words, echoed by a wrong plug: no sign of a box
        self._heard_ms = now_ms

    def _take_hello(self, hello: Hello) -> None:
        key = hello.box, hello.boot
        progress = self._progress.pop(key, None) or _Progress(hello.oldest)
        if self._fresh:
            self._fresh, progress.dropped_before = False, hello.next
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
            self.trouble = Message(
                "box {box} counts from {number} again without a new boot id: its EEPROM is worn out, "
                "so its presses cannot be told from repetitions. Replace the board",
                box=f"{hello.box:08x}", number=hello.oldest,
            )  # fmt: skip
        if self.hello is None or self.hello.boot != hello.boot or self.hello.box != hello.box:
            self._begin_box()
        elif self._stalled >= STALLED_ASKS and not self.trouble and progress.expected != hello.next:
            self.trouble = Message(
                "box {box} has presses up to {number} and does not send them: press again, and restart the box",
                box=f"{hello.box:08x}", number=hello.next - 1 & U32,
            )  # fmt: skip
        self.hello, self.inputs = hello, hello.inputs
        self._counts["dropped_by_box"] = hello.dropped
        self._ack_due = self._deliver is not None

    def _take_report(self, report: Report) -> None:
        if self.hello is None:
            return
        if report.boot != self.hello.boot:
            self.hello = None  # the box was reset: ask who it is now
            return
        if self._deliver is None:
            return  # whoever takes it will get it
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
        assert self._deliver is not None
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
            if not progress.is_old(report.number):
                self._deliver(event)
        except Exception as error:  # noqa: BLE001  the receiver's fault must not end the link; it is shown and retried
            self._count(refused=1)
            self._ack_due, self._refusing = False, True
            message = "the program did not accept press {number}: {fault}. It is kept and sent again"
            self.trouble = Message(message, number=report.number, fault=repr(error))
            return
        if self._refusing or self._stalled:
            self.trouble = ""
        self._refusing, self._differs_since_ms, self._stalled = False, None, 0
        progress.expected = report.number + 1 & U32
        progress.last_ms = at_ms
        self.inputs = self.inputs | 1 << index if pressed else self.inputs & ~(1 << index)

    def _take_alive(self, alive: Alive, now_ms: float) -> None:
        if self.hello is None:
            return
        if alive.boot != self.hello.boot:
            self.hello = None
            return
        answers = alive.token == self._token and not self._ping_answered
        if answers:
            self._ping_answered = True
            self._round_trip_ms = now_ms - self._ping_ms
        last = self._alive_device_ms
        if last is not None and (alive.device_ms - last & U32) >= _HALF:
            return  # a late one: what it says of the box is no longer so
        self._alive_device_ms = alive.device_ms
        self._watch_leds(alive.led_order, answers)
        self._watch_next(alive.next, now_ms)
        self.inputs = alive.inputs
        self._counts |= {
            "box_bad_frames": alive.bad_frames,
            "box_resent": alive.resent,
            "dropped_by_box": alive.dropped,
        }

    def _watch_leds(self, order: int, answers: bool) -> None:
        """The box shows our order only when it carries its number after we have sent it."""
        if self._order is None:
            if answers:  # an ALIVE from before our time may carry an order that is no longer the last
                self._new_order(order)
        elif order == self._order:
            if self._leds_sent:
                self.leds_taken = True
            else:
                self._new_order(order)  # another program's order of the same number
        elif self.leds_taken:
            self._count(stale_leds=1)
            self._new_order(order)

    def _watch_next(self, following: int, now_ms: float) -> None:
        """The box must have as many reports as we expect; when it has not for a while, it is asked how it stands."""
        assert self.hello is not None
        if self._deliver is None:
            return
        if self._refusing or following == self._progress[self.hello.box, self.hello.boot].expected:
            self._differs_since_ms, self._stalled = None, 0
        elif self._differs_since_ms is None:
            self._differs_since_ms = now_ms
        elif now_ms - self._differs_since_ms >= STALLED_MS:
            self._differs_since_ms = now_ms
            self._stalled += 1
            self._query_due = True

    def _take_refused(self, refused: Refused, now_ms: float) -> None:
        self._count(refused_by_box=1)
        if refused.kind == MessageType.LEDS:
            self._leds_ms = now_ms + REFUSED_LEDS_MS - RETRY_MS
            text = "the box's firmware does not know an LED state: its LEDs are not right. Run `companion box flash`"
            self.trouble = Message(text)

    @property
    def quality(self) -> LinkQuality:
        """The counts as they stand."""
        return LinkQuality(**self._counts, round_trip_ms=self._round_trip_ms)

    def closed_inputs(self) -> tuple[BoxInput, ...]:
        """The inputs whose contact is closed, as the box last told."""
        return tuple(each for index, each in enumerate(INPUTS) if self.inputs >> index & 1)
