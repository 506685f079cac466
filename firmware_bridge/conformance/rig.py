"""What the checks run on: a line to a box, time, and where possible its contacts and its LEDs."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Protocol

from companion.core.inputs import BoxInput
from firmware_bridge.constants import INPUT_INDEX, Board, StartCause
from firmware_bridge.model.box_model import BoxModel
from firmware_bridge.model.device_link import DeviceLink
from firmware_bridge.ports import Port, SerialPort

Colours = tuple[tuple[bool, bool], ...]  # (green, red) of each station
PORT_SLACK_MS = 90.0  # the system's own delays: its scheduler, an FTDI chip's 16 ms, the bytes on the wire


class Rig(Protocol):
    """A box under test. `slack_ms` is how much later than written something may come on this rig."""

    slack_ms: float
    now_ms: float

    def run(self, ms: float) -> list[tuple[float, bytes]]:
        """Let time pass; the bytes that came, each piece with the host's time in ms."""

    def send(self, data: bytes) -> None:
        """Bytes to the box."""

    def contact(self, which: BoxInput, closed: bool, after_ms: float = 0.0) -> None:
        """Close or open a contact; only on rigs that have contacts."""

    def leds(self) -> Colours | None:
        """What the LEDs show at this moment; None on rigs that cannot see them."""

    @property
    def has_contacts(self) -> bool:
        """Whether `contact` works."""


class PortRig:
    """A real box on a port, or any program that has one. Contacts only by `move`, when something can move them."""

    def __init__(
        self,
        name: str,
        move: Callable[[BoxInput, bool], None] | None = None,
        open_port: Callable[[str], Port] = SerialPort,
    ) -> None:
        """Raises PortError."""
        self._port, self._move = open_port(name), move
        self._begun_s = time.monotonic()
        self._later: list[tuple[float, BoxInput, bool]] = []
        self.slack_ms, self.now_ms = PORT_SLACK_MS, 0.0

    @property
    def has_contacts(self) -> bool:
        """See Rig."""
        return self._move is not None

    def run(self, ms: float) -> list[tuple[float, bytes]]:
        """See Rig. Raises PortError when the line is gone."""
        end_ms, came = self.now_ms + ms, []
        while self.now_ms < end_ms:
            data = self._port.read()
            self.now_ms = (time.monotonic() - self._begun_s) * 1000
            if data:
                came.append((self.now_ms, data))
            self._move_due()
        return came

    def _move_due(self) -> None:
        while self._later and self._later[0][0] <= self.now_ms and self._move is not None:
            _, which, closed = self._later.pop(0)
            self._move(which, closed)

    def send(self, data: bytes) -> None:
        """See Rig."""
        self._port.write(data)

    def contact(self, which: BoxInput, closed: bool, after_ms: float = 0.0) -> None:
        """See Rig."""
        self._later.append((self.now_ms + after_ms, which, closed))
        self._later.sort(key=lambda each: each[0])
        self._move_due()

    def leds(self) -> Colours | None:
        """A line does not show them."""
        return None

    def close(self) -> None:
        """Give the port back."""
        self._port.close()


class ProgramRig:
    """A firmware built as a program of this computer, step by step in its own time (pico/program/main.c says how)."""

    slack_ms = 2.0
    has_contacts = True

    def __init__(self, program: Path) -> None:
        self._process = subprocess.Popen(
            [program, "--step"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.now_ms = 0.0
        self._later: list[tuple[float, BoxInput, bool]] = []

    def _say(self, command: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(command + "\n")
        return self._process.stdout.readline()

    def run(self, ms: float) -> list[tuple[float, bytes]]:
        """See Rig."""
        came, end_ms = [], round(self.now_ms + ms)
        while self.now_ms < end_ms:
            while self._later and self._later[0][0] <= self.now_ms:
                _, which, closed = self._later.pop(0)
                self._say(f"contact {INPUT_INDEX[which]} {int(closed)}")
            until = min([end_ms, *(max(int(at) + 1, int(self.now_ms) + 1) for at, _, _ in self._later[:1])])
            for part in self._say(f"run {until - int(self.now_ms)}").split():
                at, _, data = part.partition(":")
                came.append((float(at), bytes.fromhex(data)))
            self.now_ms = float(until)
        return came

    def send(self, data: bytes) -> None:
        """See Rig."""
        self._say(f"bytes {data.hex()}")

    def contact(self, which: BoxInput, closed: bool, after_ms: float = 0.0) -> None:
        """See Rig."""
        self._later.append((self.now_ms + after_ms, which, closed))
        self._later.sort(key=lambda each: each[0])

    def leds(self) -> Colours | None:
        """See Rig."""
        return tuple((bool(int(bits) & 1), bool(int(bits) & 2)) for bits in self._say("leds").split())

    def close(self) -> None:
        """End the program."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(10)
        self._process.stdout.close()


class ModelRig:
    """The Python model of a box, in simulated time; `link` may be a faulty one, to prove the checks."""

    slack_ms = 2.0
    has_contacts = True

    def __init__(self, link: type[DeviceLink] = DeviceLink, model: type[BoxModel] = BoxModel) -> None:
        self.box = model(0xB0C5, Random(1), 0.0)
        self.box.link = link(0xB0C5, 1, 0, 0, Board.PROGRAM, StartCause.POWER_ON)
        self.now_ms = 0.0

    def run(self, ms: float) -> list[tuple[float, bytes]]:
        """See Rig."""
        came, end_ms = [], self.now_ms + ms
        while self.now_ms < end_ms:
            self.now_ms += 1
            self.box.advance(self.now_ms)
            came += [(self.now_ms, frame) for frame in self.box.frames(self.now_ms)]
        return came

    def send(self, data: bytes) -> None:
        """See Rig."""
        self.box.receive(data, self.now_ms)

    def contact(self, which: BoxInput, closed: bool, after_ms: float = 0.0) -> None:
        """See Rig."""
        self.box.move(which, closed, self.now_ms + after_ms)

    def leds(self) -> Colours | None:
        """See Rig."""
        return self.box.colours(self.now_ms)
