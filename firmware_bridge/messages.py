"""The seven messages of the box protocol: packing, parsing, and each in words."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from firmware_bridge.constants import INPUTS, PRESSED_BIT, PROTOCOL_VERSION, STATIONS, LedState, MessageType


class MessageError(ValueError):
    """A body with a right check that is no message of this version; `version` is what the body says."""

    def __init__(self, text: str, version: int = PROTOCOL_VERSION) -> None:
        super().__init__(text)
        self.version = version


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


Message = Hello | Report | Alive | Query | Ack | Ping | Leds

_TYPES: dict[MessageType, tuple[type[Message], struct.Struct]] = {
    MessageType.HELLO: (Hello, struct.Struct("<BBIIHHIIIH")),
    MessageType.REPORT: (Report, struct.Struct("<BBIIBI")),
    MessageType.ALIVE: (Alive, struct.Struct("<BBIIBBHIHHH")),
    MessageType.QUERY: (Query, struct.Struct("<BB")),
    MessageType.ACK: (Ack, struct.Struct("<BBII")),
    MessageType.PING: (Ping, struct.Struct("<BBB")),
    MessageType.LEDS: (Leds, struct.Struct("<BBIBBBBB")),
}
_OF_CLASS = {kind: (number, layout) for number, (kind, layout) in _TYPES.items()}
_FIELDS = {kind: tuple(kind.__dataclass_fields__) for kind in _OF_CLASS}
BODY_SIZES: dict[MessageType, int] = {number: layout.size for number, (_, layout) in _TYPES.items()}


def pack(message: Message) -> bytes:
    """The body of `message`, little-endian. Raises struct.error when a field does not fit."""
    number, layout = _OF_CLASS[type(message)]
    if isinstance(message, Leds):
        return layout.pack(PROTOCOL_VERSION, number, message.boot, message.order, *message.states)
    return layout.pack(PROTOCOL_VERSION, number, *(getattr(message, name) for name in _FIELDS[type(message)]))


def parse(body: bytes) -> Message:
    """The message of a body of at least 2 bytes. Raises MessageError for another version, type, length or value."""
    if body[0] != PROTOCOL_VERSION:
        raise MessageError(f"protocol version {body[0]}, this program speaks {PROTOCOL_VERSION}", body[0])
    try:
        kind, layout = _TYPES[MessageType(body[1])]
    except ValueError:
        raise MessageError(f"unknown message type 0x{body[1]:02x}") from None
    if len(body) != layout.size:
        raise MessageError(f"{kind.__name__} has {layout.size} bytes, got {len(body)}")
    fields = layout.unpack(body)[2:]
    if kind is Leds:
        if any(state not in LedState._value2member_map_ for state in fields[2:]):
            raise MessageError(f"LED states are 0 to {max(LedState)}, got {tuple(fields[2:])}")
        return Leds(fields[0], fields[1], tuple(LedState(state) for state in fields[2:]))  # type: ignore[arg-type]
    if kind is Report and fields[2] & ~PRESSED_BIT >= len(INPUTS):
        raise MessageError(f"inputs are 0 to {len(INPUTS) - 1}, got {fields[2] & ~PRESSED_BIT}")
    return kind(*fields)


def input_names(mask: int) -> str:
    """The inputs of a level mask in words: "confirm-1 shield-2", or "none"."""
    return " ".join(each.value for index, each in enumerate(INPUTS) if mask >> index & 1) or "none"


def describe(message: Message) -> str:
    """The message in words, one line, for the monitor."""
    match message:
        case Hello():
            return (
                f"HELLO box {message.box:08x}, boot {message.boot}, firmware {message.firmware}, "
                f"closed: {input_names(message.inputs)}, reports {message.oldest} to {message.next - 1} waiting"
                if message.next != message.oldest
                else f"HELLO box {message.box:08x}, boot {message.boot}, firmware {message.firmware}, "
                f"closed: {input_names(message.inputs)}, no report waiting"
            )
        case Report():
            edge = "pressed" if message.input & PRESSED_BIT else "released"
            name = INPUTS[message.input & ~PRESSED_BIT].value
            return f"REPORT {message.number}: {name} {edge} at {message.device_ms} ms"
        case Alive():
            return f"ALIVE at {message.device_ms} ms, answers ping {message.token}, LED order {message.led_order}"
        case Query():
            return "QUERY who are you"
        case Ack():
            return f"ACK everything before {message.next}"
        case Ping():
            return f"PING {message.token}"
        case Leds():
            names = ", ".join(f"{n + 1} {message.states[n].name.lower()}" for n in range(STATIONS))
            return f"LEDS order {message.order}: {names}"
