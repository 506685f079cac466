"""Listening to a port as a host that takes nothing: who speaks there, whether it hears, which inputs are closed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.core.inputs import BoxInput
from firmware_bridge.framing import BadFrame
from firmware_bridge.host_link import LISTEN_MS, Direction, HostLink
from firmware_bridge.messages import Hello, MessageError, WireMessage
from firmware_bridge.ports import Port, SerialPort

WATCH_MS = 1_500.0  # after the box has answered: as long as a finger may rest on a button by chance
HEARD_MS = 3_000.0  # a box that speaks and has not answered a ping of ten a second by then does not hear
SHAKY_EDGES = 6  # changes of one input while nobody touches it


@dataclass(frozen=True, slots=True)
class Heard:
    """What came from a port."""

    bytes: int = 0
    hello: Hello | None = None
    round_trip_ms: float | None = None  # None: the box has not answered
    other_version: str = ""  # what a box of another version said
    always_closed: tuple[BoxInput, ...] = ()  # closed all the while
    shaky: tuple[BoxInput, ...] = ()  # opened and closed again and again
    waiting: int = 0  # presses that wait for a game
    bad_frames: int = 0
    frames: int = 0


@dataclass(slots=True)
class _Inputs:
    """How the levels went."""

    always: int = (1 << len(BoxInput)) - 1
    changes: dict[int, int] = field(default_factory=dict)
    last: int | None = None

    def see(self, levels: int) -> None:
        self.always &= levels
        moved = 0 if self.last is None else levels ^ self.last
        for index in range(len(BoxInput)):
            self.changes[index] = self.changes.get(index, 0) + (moved >> index & 1)
        self.last = levels


def listen(
    name: str,
    *,
    open_port: Callable[[str], Port] = SerialPort,
    clock_ms: Callable[[], float] = lambda: time.monotonic() * 1000,
) -> Heard:
    """Speak the protocol on a port until the box has answered and been watched for a while. Raises PortError."""
    port = open_port(name)
    other: list[str] = []
    inputs = _Inputs()

    def observe(direction: Direction, what: WireMessage | BadFrame | MessageError) -> None:
        if direction is Direction.FROM_BOX and isinstance(what, MessageError) and what.of_other_version:
            other.append(str(what))

    link, count = HostLink(None, observe=observe), 0
    hello: Hello | None = None
    start_ms = clock_ms()
    link.opened(start_ms)
    met_ms = answered_ms = float("inf")
    try:
        while True:
            data = port.read()
            now_ms = clock_ms()
            count += len(data)
            link.receive(data, now_ms)
            out = link.to_send(now_ms)
            if out:
                port.write(out)
            if link.hello is not None:
                hello = link.hello
                met_ms = min(met_ms, now_ms)
                inputs.see(link.inputs)
            if link.quality.round_trip_ms is not None:
                answered_ms = min(answered_ms, now_ms)
            if now_ms - answered_ms >= WATCH_MS or (answered_ms == float("inf") and now_ms - met_ms >= HEARD_MS):
                break
            if hello is None and now_ms - start_ms >= LISTEN_MS:
                break
    finally:
        port.close()
    buttons = [each for each in BoxInput if not each.value.startswith("shield")]
    order = list(BoxInput)
    return Heard(
        count,
        hello,
        link.quality.round_trip_ms,
        other[-1] if other else "",
        tuple(each for each in buttons if hello is not None and inputs.always >> order.index(each) & 1),
        tuple(each for each in order if inputs.changes.get(order.index(each), 0) >= SHAKY_EDGES),
        0 if hello is None else hello.next - hello.oldest & 0xFFFF,
        link.quality.bad_frames,
        link.quality.frames,
    )
