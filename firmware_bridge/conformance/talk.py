"""A host's side of a check: it speaks, waits and keeps what it heard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from companion.core.inputs import BoxInput
from firmware_bridge.conformance.rig import Rig
from firmware_bridge.constants import INPUT_INDEX, INPUTS, LOCKOUT_BUTTON_MS, PING_MS, PRESSED_BIT, REST_MS
from firmware_bridge.framing import BadFrame, FrameReader, encode_frame
from firmware_bridge.messages import (
    Ack,
    Alive,
    Hello,
    Leds,
    MessageError,
    Ping,
    Query,
    Report,
    Settings,
    WireMessage,
    pack,
    parse,
)

M = TypeVar("M", Hello, Report, Alive)
ANSWER_MS = 40.0  # "at once": the frames before it on the wire, and a scan
LOOK_MS = 10.0  # how often an answer is looked for: a check goes on when it has come
CLEAR_ROUNDS = 20


class BrokenError(Exception):
    """The box does not do what PROTOCOL.md says: expected, got."""


def expect(holds: bool, text: str) -> None:
    """Raises BrokenError with the text when the condition does not hold."""
    if not holds:
        raise BrokenError(text)


@dataclass(frozen=True, slots=True)
class Heard:
    """A message of the box and the host's time at which its last byte came."""

    at_ms: float
    message: WireMessage


class Talk:
    """Speaks to a rig. Everything the box says is parsed; what cannot be parsed breaks the check at once."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self._reader = FrameReader()
        self._token = 0
        self.heard: list[Heard] = []
        self.strict = False  # before the first HELLO there may be the rest of a frame, or a bootloader's words

    def begin(self) -> Hello:
        """The host speaks, nothing waits in the box, all contacts are open: how each check starts."""
        if self.rig.has_contacts:
            for which in INPUTS:
                self.rig.contact(which, False)
        hello = self.hello()
        for _ in range(CLEAR_ROUNDS):
            came = self.reports(self.wait(LOCKOUT_BUTTON_MS + REST_MS if hello.inputs else PING_MS, speaking=True))
            if came:
                self.say(Ack(hello.boot, came[-1].number + 1 & 0xFFFFFFFF))  # more than was sent would be ignored
            hello = self.hello()
            if hello.oldest == hello.next and not (self.rig.has_contacts and hello.inputs):
                self.heard.clear()
                return hello
        raise BrokenError(f"reports {hello.oldest} to {hello.next - 1} stay although they are acknowledged")

    def send(self, data: bytes) -> None:
        """Any bytes."""
        self.rig.send(data)

    def say(self, message: WireMessage) -> None:
        """One message."""
        self.rig.send(encode_frame(pack(message)))

    def body(self, body: bytes) -> None:
        """A body of any content in a good frame."""
        self.rig.send(encode_frame(body))

    def wait(self, ms: float, *, speaking: bool = False) -> list[Heard]:
        """Let time pass; `speaking`: with a PING every 100 ms, so that the host stays present. What came meanwhile."""
        start = len(self.heard)
        left = ms
        while left > 0:
            if speaking:
                self._token = self._token % 250 + 1
                self.say(Ping(self._token))
            step = min(PING_MS, left) if speaking else left
            for at_ms, data in self.rig.run(step):
                self._take(at_ms, data)
            left -= step
        return self.heard[start:]

    def _take(self, at_ms: float, data: bytes) -> None:
        for body in self._reader.feed(data):
            if isinstance(body, BadFrame):
                expect(not self.strict, f"a frame of the box is {body.fault.value}: {body.encoded.hex(' ')}")
                continue
            try:
                message = parse(body)
            except MessageError as error:
                if self.strict:
                    raise BrokenError(f"a frame of the box is no message: {error} ({body.hex(' ')})") from error
                continue
            if isinstance(message, Hello):
                self.strict = True
            self.heard.append(Heard(at_ms, message))

    def ask(self, message: WireMessage, kind: type[M], what: str, fits: Callable[[M], bool] = lambda _m: True) -> M:
        """Say something and wait for its answer. Raises BrokenError when it does not come in time."""
        start, left = len(self.heard), ANSWER_MS + self.rig.slack_ms
        self.say(message)
        while left > 0:
            self.wait(min(LOOK_MS, left))
            left -= LOOK_MS
            for each in self.heard[start:]:
                if isinstance(each.message, kind) and fits(each.message):
                    return each.message
        got = ", ".join(type(each.message).__name__ for each in self.heard[start:]) or "nothing"
        raise BrokenError(f"{what}: expected {kind.__name__} within {ANSWER_MS:.0f} ms, got {got}")

    def hello(self) -> Hello:
        """Ask who the box is."""
        return self.ask(Query(), Hello, "QUERY")

    def alive(self) -> Alive:
        """Ask how the box is."""
        self._token = self._token % 250 + 1
        token = self._token
        return self.ask(Ping(token), Alive, "PING", lambda m: m.token == token)

    def reports(self, heard: list[Heard] | None = None) -> list[Report]:
        """The reports among what was heard, each number once, in order of the first time it came."""
        found: dict[int, Report] = {}
        for each in self.heard if heard is None else heard:
            if isinstance(each.message, Report):
                found.setdefault(each.message.number, each.message)
        return list(found.values())

    def settings(self, hello: Hello, button_ms: int, shield_ms: int) -> None:
        """Other lock-outs; the options stay."""
        if hello.about is None:
            raise BrokenError("HELLO has the form of version 1: the box has no settings")
        options = hello.about.options
        self.say(Settings(hello.boot, button_ms // 2, shield_ms // 2, options))
        self.wait(2 * PING_MS, speaking=True)

    def leds(self, boot: int, order: int, *states: int) -> None:
        """An order for the four LEDs, also with states that do not exist."""
        body = bytearray(pack(Leds(boot, order, (0, 0, 0, 0))))  # type: ignore[arg-type]
        body[-4:] = bytes(states)
        self.body(bytes(body))


def edge(which: BoxInput, closed: bool) -> int:
    """The input byte of a report."""
    return INPUT_INDEX[which] | (PRESSED_BIT if closed else 0)
