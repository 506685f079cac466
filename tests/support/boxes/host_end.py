"""A host's end of the link, the frames that a box sends to it, and what it said and delivered."""

from __future__ import annotations

from companion.core.inputs import ButtonEvent
from firmware_bridge.framing import FrameReader, encode_frame
from firmware_bridge.host_link import HostLink
from firmware_bridge.messages import Alive, Hello, Ping, WireMessage, pack, parse
from firmware_bridge.status import ReportPosition

BOX, BOOT = 0x1234ABCD, 7


def frame(message: WireMessage) -> bytes:
    return encode_frame(pack(message))


def hello(boot: int = BOOT, oldest: int = 1, following: int = 1, inputs: int = 0, box: int = BOX) -> bytes:
    return frame(Hello(box, boot, 1, inputs, oldest, following, 100, 0))


def alive(boot: int = BOOT, token: int = 0, order: int = 0, following: int = 1, ms: int = 200) -> bytes:
    return frame(Alive(boot, ms, token, order, 0, following, 0, 0, 0))


def answer(link: HostLink, now_ms: float, order: int, boot: int = BOOT) -> None:
    """The box answers the host's ping, and so tells the LED order that it shows."""
    (ping,) = (m for m in said(link, now_ms) if isinstance(m, Ping))
    link.receive(alive(boot, ping.token, order), now_ms)


def said(link: HostLink, now_ms: float) -> list[WireMessage]:
    bodies = FrameReader().feed(link.to_send(now_ms))
    return [parse(body) for body in bodies if isinstance(body, bytes)]


class Host:
    """A link with what it delivered."""

    def __init__(self, position: ReportPosition | None = None) -> None:
        self.events: list[ButtonEvent] = []
        self.link = HostLink(self.events.append, position=position)

    def numbers(self) -> list[int]:
        return [event.number for event in self.events]
