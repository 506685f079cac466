"""The box's end of the protocol in Python, for the virtual box: the same behaviour as firmware/core/link.c."""

from __future__ import annotations

from collections import deque

from firmware_bridge.constants import (
    ALIVE_MS,
    BEACON_MS,
    FIRMWARE_VERSION,
    HOST_LOST_MS,
    INPUTS,
    OPTION_SHIFT,
    PRESSED_BIT,
    QUEUE_REPORTS,
    RETRY_MS,
    STATIONS,
    WINDOW,
    Board,
    LedState,
    Option,
    Refusal,
    StartCause,
)
from firmware_bridge.framing import BadFrame, FrameReader, encode_frame
from firmware_bridge.messages import (
    About,
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
from firmware_bridge.model.contacts import Lockouts

U32 = 0xFFFFFFFF
_U16 = 0xFFFF
FIRST_NUMBER = 1
HOST_BIT = 0x80  # of a type: from host to box; only such frames are refused, or a box that hears itself would never end


class DeviceLink:
    """Keeps reports until they are acknowledged. Pure: device time in ms is passed in, frames are given out."""

    def __init__(
        self, box: int, boot: int, levels: int, now_ms: int, board: int = Board.PROGRAM,
        cause: StartCause = StartCause.UNKNOWN,
    ) -> None:  # fmt: skip
        self.box, self.boot = box, boot
        self._board, self._cause = board, cause
        self.lockouts, self.options = Lockouts(), Option(0)
        self.levels = self.settled = levels
        self.dropped = self.bad_frames = self.resent = 0
        self.host_present = False
        self.led_states: tuple[LedState, ...] = (LedState.OFF,) * STATIONS
        self._reader = FrameReader()
        self._reports: deque[tuple[int, int]] = deque()  # (input byte, ms); bounded by QUEUE_REPORTS
        self._oldest, self._sent = FIRST_NUMBER, 0
        self._told = 0  # of the reports that wait, how many have been sent at least once
        self._refused: Refused | None = None
        self._heard_ms = self._sent_ms = self._alive_ms = self._hello_ms = now_ms
        self._hello_due, self._alive_due = True, False
        self._token = self._led_order = 0

    @property
    def waiting(self) -> int:
        """How many reports are not acknowledged."""
        return len(self._reports)

    @property
    def next_number(self) -> int:
        """The number that the next report will have."""
        return self._oldest + len(self._reports) & U32

    def set_levels(self, settled: int, now_ms: int) -> None:
        """The debounced levels: every change becomes a report; with a full queue it is told once there is room."""
        edges, untold = settled ^ self.settled, settled ^ self.levels
        self.settled = settled
        for index in range(len(INPUTS)):
            bit = 1 << index
            kept = not edges & bit
            if untold & bit and len(self._reports) < QUEUE_REPORTS:
                self._reports.append((index | (PRESSED_BIT if settled & bit else 0), now_ms & U32))
                self.levels ^= bit
                kept = True
            if not kept:
                self.dropped += 1

    def receive(self, data: bytes, now_ms: int) -> None:
        """Bytes from the host."""
        for body in self._reader.feed(data):
            if isinstance(body, BadFrame):
                self.bad_frames += 1
                continue
            try:
                message = parse(body)
            except MessageError as error:
                self._refuse(error, now_ms)
                continue
            self._take(message, now_ms)

    def _refuse(self, error: MessageError, now_ms: int) -> None:
        self.bad_frames += 1
        if error.kind & HOST_BIT:
            self._refused = Refused(self.boot, error.version, error.kind, error.refusal)
            if error.refusal is Refusal.VALUE:
                self._heard_ms, self.host_present = now_ms, True

    def _take(self, message: WireMessage, now_ms: int) -> None:
        match message:
            case Query():
                self._hello_due = True
            case Ack():
                done = message.next - self._oldest & U32
                if message.boot == self.boot and 0 < done <= self._told:
                    for _ in range(done):
                        self._reports.popleft()
                    self._oldest = message.next
                    self._told -= done
                    self._sent = max(0, self._sent - done)
                    self._sent_ms = now_ms
            case Ping():
                self._token = message.token
                self._alive_due = True
            case Leds():
                if message.boot == self.boot:
                    self.led_states, self._led_order = message.states, message.order
                    self._alive_due = True
            case Settings():
                if message.boot == self.boot:
                    self.lockouts = Lockouts.of_bytes(message.lockout_button, message.lockout_shield)
                    self.options = Option(message.options & (Option.LED_ANODE | Option.BUZZER))
                    self._hello_due = True
            case _:
                self.bad_frames += 1
                return
        self._heard_ms = now_ms
        self.host_present = True

    def send(self, now_ms: int) -> bytes:
        """The next frame that is due now, or b"" for none."""
        message = self._next_message(now_ms)
        return encode_frame(pack(message)) if message else b""

    def _next_message(self, now_ms: int) -> WireMessage | None:
        if self.host_present and now_ms - self._heard_ms >= HOST_LOST_MS:
            self.host_present = False
            self._sent = 0
        if self._hello_due or (not self.host_present and now_ms - self._hello_ms >= BEACON_MS):
            self._hello_due, self._hello_ms = False, now_ms
            return Hello(
                self.box,
                self.boot,
                FIRMWARE_VERSION,
                self.settled,
                self._oldest,
                self.next_number,
                now_ms & U32,
                self.dropped & _U16,
                About(self._board, self._cause | self.options << OPTION_SHIFT, *self.lockouts.as_bytes),
            )
        if self._refused is not None:
            refused, self._refused = self._refused, None
            return refused
        if not self.host_present:
            return None
        if self._sent and now_ms - self._sent_ms >= RETRY_MS:
            self.resent += self._sent
            self._sent = 0
        if self._sent < min(len(self._reports), WINDOW):
            return self._report(now_ms)  # a press does not wait for a heartbeat
        if self._alive_due or now_ms - self._alive_ms >= ALIVE_MS:
            return self._alive(now_ms)
        return None

    def _alive(self, now_ms: int) -> Alive:
        self._alive_due, self._alive_ms = False, now_ms
        return Alive(
            self.boot,
            now_ms & U32,
            self._token,
            self._led_order,
            self.settled,
            self.next_number,
            self.dropped & _U16,
            self.bad_frames & _U16,
            self.resent & _U16,
        )

    def _report(self, now_ms: int) -> Report:
        which, at_ms = self._reports[self._sent]
        report = Report(self.boot, self._oldest + self._sent & U32, which, at_ms)
        if self._sent == 0:
            self._sent_ms = now_ms
        self._sent += 1
        self._told = max(self._told, self._sent)
        return report

    def deadline_ms(self) -> int:
        """When `send` will have something although nothing comes in."""
        if not self.host_present:
            return self._hello_ms + BEACON_MS
        due = min(self._alive_ms + ALIVE_MS, self._heard_ms + HOST_LOST_MS)
        return min(due, self._sent_ms + RETRY_MS) if self._sent else due

    def shown_leds(self) -> tuple[LedState, ...]:
        """The state each station's LED shows: HOST_LOST while no host speaks."""
        return self.led_states if self.host_present else (LedState.HOST_LOST,) * STATIONS
