"""The button box as the pages' port: what is attached to a table, or waits for one, in their words."""

from __future__ import annotations

from collections.abc import Sequence

from companion.app.box.guided_walk import GuidedWalk
from companion.app.box.known_boxes import KnownButtonBoxes
from companion.app.box.link import BoxLink
from companion.core.errors import DeviceError
from companion.core.inputs import BoxInput
from firmware_bridge.constants import Board
from firmware_bridge.messages import BOARD_NAMES
from firmware_bridge.status import LinkPhase
from firmware_bridge.virtual_box import VirtualBox
from web.ports.devices import BoxAbout, DeviceHealth

NO_CHIP = (Board.UNKNOWN, Board.PROGRAM)
"""Boards that say nothing of a chip."""


class BoxDevice:
    """The button box that is attached to a table, or waits for one."""

    def __init__(self, link: BoxLink, known: KnownButtonBoxes) -> None:
        self._link, self._known = link, known

    def health(self) -> DeviceHealth:
        """How the link is."""
        status = self._link.box.status
        state = "ok" if status.connected else "wait" if status.phase is LinkPhase.LISTENING else "bad"
        trip = status.quality.round_trip_ms
        facts = {"port": status.port, "box": status.box, "damaged": status.quality.bad_frames,
                 "round_trip_ms": None if trip is None else round(trip)}
        return DeviceHealth(state, status.phase.value, status.trouble, facts, status.virtual)

    def inputs(self) -> Sequence[str]:
        """The inputs whose contacts are closed."""
        return [which.value for which in self._link.box.status.closed]

    def leds(self) -> Sequence[str]:
        """What each station's LED shows, by name."""
        virtual = self._link.box.virtual
        return [led.name for led in (self._link.leds() if virtual is None else virtual.leds())]

    def about(self) -> BoxAbout:
        """Which box it is."""
        status = self._link.box.status
        known = self._known.of(status.box)
        board = "" if status.about is None or status.about.board in NO_CHIP else BOARD_NAMES.get(status.about.board, "")
        idle = self._link.seats is None
        return BoxAbout(status.box, known.name, known.tested, status.port, board, status.firmware, idle)

    def be_called(self, name: str) -> None:
        """Name the box. Raises DeviceError before it has answered."""
        box = self._link.box.status.box
        if not box:
            raise DeviceError("the box has not answered yet, so it cannot be named", where="box")
        self._known.be_called(box, name)

    @property
    def walk(self) -> GuidedWalk:
        """The walk round it."""
        return self._link.walk

    def touch(self, which: str, press: bool | None) -> None:
        """Touch the virtual box."""
        virtual, name = self._virtual(), BoxInput(which)
        if press is None:
            virtual.tap(name)
        elif press:
            virtual.press(name)
        else:
            virtual.release(name)

    def fault(self, command: str) -> None:
        """A fault of the virtual box."""
        self._virtual().command(command)

    def _virtual(self) -> VirtualBox:
        virtual: VirtualBox | None = self._link.box.virtual
        if virtual is None:
            raise DeviceError("this is a real box: press its buttons", where="box")
        return virtual
