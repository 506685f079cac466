"""The nine messages of the box protocol: packing, parsing, and each in words."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from firmware_bridge.constants import (
    INPUTS,
    LOCKOUT_STEP_MS,
    OPTION_SHIFT,
    PRESSED_BIT,
    PROTOCOL_VERSION,
    START_CAUSE_MASK,
    STATIONS,
    Board,
    LedState,
    MessageType,
    Option,
    Refusal,
    StartCause,
)

BOARD_NAMES: dict[int, str] = {
    Board.UNKNOWN: "unknown board",
    Board.ATMEGA328P: "ATmega328P",
    Board.ATMEGA168: "ATmega168",
    Board.RP2040: "RP2040",
    Board.ESP32: "ESP32",
    Board.PROGRAM: "a program without a board",
}


class MessageError(ValueError):
    """A body with a right check that is no message we know: why, and what its first two bytes are."""

    def __init__(self, text: str, refusal: Refusal, version: int, kind: int) -> None:
        super().__init__(text)
        self.refusal, self.version, self.kind = refusal, version, kind

    @property
    def of_other_version(self) -> bool:
        """Whether the sender speaks a version that this program does not know."""
        return self.version not in FORMS


@dataclass(frozen=True, slots=True)
class About:
    """What HELLO says of the box since version 2: its board, why it started, how it is built, its lock-outs."""

    board: int
    start: int  # StartCause in bits 0 to 2, Option in bits 4 to 7
    lockout_button: int  # in steps of LOCKOUT_STEP_MS
    lockout_shield: int

    @property
    def cause(self) -> StartCause:
        """Why the box started last."""
        value = self.start & START_CAUSE_MASK
        return StartCause(value) if value in StartCause._value2member_map_ else StartCause.UNKNOWN

    @property
    def options(self) -> Option:
        """How the box is built."""
        return Option(self.start >> OPTION_SHIFT & (Option.LED_ANODE | Option.BUZZER))

    @property
    def board_name(self) -> str:
        """The board in words."""
        return BOARD_NAMES.get(self.board, f"board {self.board}")


@dataclass(frozen=True, slots=True)
class Hello:
    """Box to host: who I am and where I stand. `oldest` is the first unacknowledged number, `next` the next new one."""

    box: int
    boot: int
    firmware: int
    inputs: int  # debounced levels, bit = input index, 1 = pressed
    oldest: int
    next: int
    device_ms: int
    dropped: int  # edges not kept because the queue was full
    about: About | None = None  # None: version 1, which did not say


@dataclass(frozen=True, slots=True)
class Report:
    """Box to host: one debounced edge. `input` is the index with PRESSED_BIT for pressed; numbers count from 1."""

    boot: int
    number: int
    input: int
    device_ms: int


@dataclass(frozen=True, slots=True)
class Alive:
    """Box to host, every 100 ms and as the answer to PING and LEDS."""

    boot: int
    device_ms: int
    token: int  # of the last PING
    led_order: int  # of the last LEDS taken
    inputs: int
    next: int
    dropped: int
    bad_frames: int  # frames from the host that the box threw away
    resent: int  # reports sent again


@dataclass(frozen=True, slots=True)
class Query:
    """Host to box: say HELLO."""


@dataclass(frozen=True, slots=True)
class Ack:
    """Host to box: every report of `boot` before `next` is taken."""

    boot: int
    next: int


@dataclass(frozen=True, slots=True)
class Ping:
    """Host to box: I am here; answer ALIVE with this token."""

    token: int


@dataclass(frozen=True, slots=True)
class Leds:
    """Host to box: the state of each station's LED; `order` is 1 to 255 and changes with every new order."""

    boot: int
    order: int
    states: tuple[LedState, LedState, LedState, LedState]


@dataclass(frozen=True, slots=True)
class Settings:
    """Host to box: keep these lock-outs and options; the box answers HELLO."""

    boot: int
    lockout_button: int  # in steps of LOCKOUT_STEP_MS
    lockout_shield: int
    options: int


@dataclass(frozen=True, slots=True)
class Refused:
    """Box to host: a frame of yours was whole, but I do not know its version, type, size or a value in it."""

    boot: int
    version: int
    kind: int
    reason: int


WireMessage = Hello | Report | Alive | Refused | Query | Ack | Ping | Leds | Settings

_HELLO_1, _HELLO_2 = struct.Struct("<BBIIHHIIIH"), struct.Struct("<BBIIHHIIIHBBBB")
_TYPES: dict[MessageType, tuple[type[WireMessage], struct.Struct]] = {
    MessageType.HELLO: (Hello, _HELLO_2),
    MessageType.REPORT: (Report, struct.Struct("<BBIIBI")),
    MessageType.ALIVE: (Alive, struct.Struct("<BBIIBBHIHHH")),
    MessageType.REFUSED: (Refused, struct.Struct("<BBIBBB")),
    MessageType.QUERY: (Query, struct.Struct("<BB")),
    MessageType.ACK: (Ack, struct.Struct("<BBII")),
    MessageType.PING: (Ping, struct.Struct("<BBB")),
    MessageType.LEDS: (Leds, struct.Struct("<BBIBBBBB")),
    MessageType.SETTINGS: (Settings, struct.Struct("<BBIBBB")),
}
_SINCE_2 = frozenset({MessageType.HELLO, MessageType.REFUSED, MessageType.SETTINGS})
# Which types each version has: a message carries the version in which it got its form. HELLO has one in both.
FORMS: dict[int, frozenset[MessageType]] = {
    1: frozenset(MessageType) - {MessageType.REFUSED, MessageType.SETTINGS},
    2: _SINCE_2,
}
_OF_CLASS = {kind: (number, layout) for number, (kind, layout) in _TYPES.items()}
_FIELDS = {kind: tuple(kind.__dataclass_fields__) for kind in _OF_CLASS}
BODY_SIZES: dict[MessageType, int] = {number: layout.size for number, (_, layout) in _TYPES.items()}
VERSIONS: dict[MessageType, int] = {number: 2 if number in _SINCE_2 else 1 for number in _TYPES}


def pack(message: WireMessage) -> bytes:
    """The body of `message`, little-endian. Raises struct.error when a field does not fit."""
    number, layout = _OF_CLASS[type(message)]
    version = VERSIONS[number]
    if isinstance(message, Leds):
        return layout.pack(version, number, message.boot, message.order, *message.states)
    if isinstance(message, Hello):
        values = [getattr(message, name) for name in _FIELDS[Hello][:-1]]
        about = message.about
        if about is None:
            return _HELLO_1.pack(1, number, *values)
        return layout.pack(
            version, number, *values, about.board, about.start, about.lockout_button, about.lockout_shield
        )
    return layout.pack(version, number, *(getattr(message, name) for name in _FIELDS[type(message)]))


def parse(body: bytes) -> WireMessage:
    """The message of a body of at least 2 bytes. Raises MessageError for another version, type, size or value."""
    version, number = body[0], body[1]

    def refuse(refusal: Refusal, text: str) -> MessageError:
        return MessageError(text, refusal, version, number)

    if version not in FORMS:
        known = f"this program speaks 1 to {PROTOCOL_VERSION}"
        raise refuse(Refusal.VERSION, f"protocol version {version}, {known}")
    if number not in FORMS[version]:
        raise refuse(Refusal.TYPE, f"unknown message type 0x{number:02x} of version {version}")
    kind, layout = _TYPES[MessageType(number)]
    if kind is Hello and version == 1:
        layout = _HELLO_1
    if len(body) != layout.size:
        raise refuse(Refusal.SIZE, f"{kind.__name__} has {layout.size} bytes, got {len(body)}")
    fields = layout.unpack(body)[2:]
    if kind is Leds:
        if any(state not in LedState._value2member_map_ for state in fields[2:]):
            raise refuse(Refusal.VALUE, f"LED states are 0 to {max(LedState)}, got {tuple(fields[2:])}")
        return Leds(fields[0], fields[1], tuple(LedState(state) for state in fields[2:]))  # type: ignore[arg-type]
    if kind is Report and fields[2] & ~PRESSED_BIT >= len(INPUTS):
        raise refuse(Refusal.VALUE, f"inputs are 0 to {len(INPUTS) - 1}, got {fields[2] & ~PRESSED_BIT}")
    if kind is Hello and version > 1:
        box, boot, firmware, inputs, oldest, following, device_ms, dropped, *about = fields
        return Hello(box, boot, firmware, inputs, oldest, following, device_ms, dropped, About(*about))
    return kind(*fields)


def input_names(mask: int) -> str:
    """The inputs of a level mask in words: "confirm-1 shield-2", or "none"."""
    return " ".join(each.value for index, each in enumerate(INPUTS) if mask >> index & 1) or "none"


def _describe_about(about: About | None) -> str:
    if about is None:
        return ""
    button, shield = about.lockout_button * LOCKOUT_STEP_MS, about.lockout_shield * LOCKOUT_STEP_MS
    cause = about.cause.name.lower().replace("_", "-")
    return f", {about.board_name} started by {cause}, lock-outs {button} and {shield} ms"


def describe(message: WireMessage) -> str:
    """The message in words, one line, for the monitor."""
    match message:
        case Hello():
            waiting = f"reports {message.oldest} to {message.next - 1} waiting"
            if message.next == message.oldest:
                waiting = "no report waiting"
            return (
                f"HELLO box {message.box:08x}, boot {message.boot}, firmware {message.firmware}, "
                f"closed: {input_names(message.inputs)}, {waiting}{_describe_about(message.about)}"
            )
        case Report():
            edge = "pressed" if message.input & PRESSED_BIT else "released"
            name = INPUTS[message.input & ~PRESSED_BIT].value
            return f"REPORT {message.number}: {name} {edge} at {message.device_ms} ms"
        case Alive():
            return f"ALIVE at {message.device_ms} ms, answers ping {message.token}, LED order {message.led_order}"
        case Refused():
            reasons = {each.value: each.name.lower() for each in Refusal}
            why = reasons.get(message.reason, f"reason {message.reason}")
            return f"REFUSED a frame of version {message.version}, type 0x{message.kind:02x}: unknown {why}"
        case Settings():
            button, shield = (v * LOCKOUT_STEP_MS for v in (message.lockout_button, message.lockout_shield))
            return f"SETTINGS lock-out of buttons {button} ms, of shields {shield} ms, options {message.options}"
        case Query():
            return "QUERY who are you"
        case Ack():
            return f"ACK everything before {message.next}"
        case Ping():
            return f"PING {message.token}"
        case Leds():
            names = ", ".join(f"{n + 1} {message.states[n].name.lower()}" for n in range(STATIONS))
            return f"LEDS order {message.order}: {names}"
