"""The firmware in simavr as a rig of the conformance checks."""

from __future__ import annotations

from pathlib import Path

from simulated_box import SimulatedBox

from companion.core.inputs import BoxInput
from firmware_bridge.conformance.rig import Colours


class AvrRig:
    """Bytes over the emulated serial line, contacts and LEDs at the emulated pins."""

    slack_ms = 17.0  # two frames on a line of 57,600 baud, a scan and a step
    has_contacts = True

    def __init__(self, harness: Path, elf: Path) -> None:
        self._box = SimulatedBox(harness, elf)
        self._port = self._box.open_port()

    @property
    def now_ms(self) -> float:
        return self._box.now_ms

    def run(self, ms: float) -> list[tuple[float, bytes]]:
        came, end_ms = [], self.now_ms + ms
        while self.now_ms < end_ms:
            self._box.run(min(5.0, end_ms - self.now_ms))
            data = self._port.read()
            if data:
                came.append((self.now_ms, data))
        return came

    def send(self, data: bytes) -> None:
        self._port.write(data)

    def contact(self, which: BoxInput, closed: bool, after_ms: float = 0.0) -> None:
        self._box.move(which, closed, after_ms)

    def leds(self) -> Colours | None:
        return tuple(self._box.leds())

    def close(self) -> None:
        self._port.close()
        self._box.close()
