"""The real firmware in simavr behind the real bridge, in step: both live in the simulated microcontroller's time."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

import firmware_bridge
from companion.core.inputs import BoxInput, ButtonEvent
from firmware_bridge.box import Bridge
from firmware_bridge.constants import INPUT_INDEX, STATIONS
from firmware_bridge.hardware.circuit import WIRES, Part
from firmware_bridge.ports import SerialPort
from firmware_bridge.status import BoxStatus, ReportPosition

FIRMWARE = Path(firmware_bridge.__file__).parent / "firmware"
HARNESS_SOURCE = Path(__file__).parent / "box_harness.c"
MOST_READS = 200  # of up to 20 ms each: the bytes are on the pty already


def _bits(part: Part) -> dict[int, tuple[int, int]]:
    """For each station (index of PORTB, PORTC, PORTD; bit) of a part of its LED, by the wiring that people build."""
    return {wire.station: ("BCD".index(wire.port[1]), int(wire.port[2])) for wire in WIRES if wire.part is part}


GREEN, RED = _bits(Part.GREEN), _bits(Part.RED)


def build_firmware(folder: Path, *targets: str) -> str:
    """Run the firmware's Makefile with its results in `folder`; gives what it printed."""
    done = subprocess.run(
        ["make", "--no-print-directory", "-C", FIRMWARE, f"BUILD={folder}", *targets],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build_harness(folder: Path) -> Path:
    """Compile the simavr harness into `folder`."""
    program = folder / "box_harness"
    command = ["gcc", "-O2", "-Wall", "-Wextra", "-o", program, HARNESS_SOURCE, "-lsimavr", "-lelf", "-lutil", "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return program


class _StepPort(SerialPort):
    """The pty as the bridge opens it; reads exactly what the simulation has sent so far, so that nothing waits."""

    def __init__(self, name: str, box: SimulatedBox) -> None:
        super().__init__(name)
        self._box = box

    def read(self) -> bytes:
        data = b""
        for _ in range(MOST_READS):
            if self._box.read_total + len(data) == self._box.sent_total:
                break
            data += super().read()
        else:
            raise AssertionError(f"of {self._box.sent_total} bytes {self._box.read_total + len(data)} came")
        self._box.read_total += len(data)
        return data

    def write(self, data: bytes) -> None:
        super().write(data)
        self._box.written_total += len(data)


@dataclass(frozen=True, slots=True)
class Pins:
    """Levels of the output registers after a step."""

    portb: int
    portc: int
    portd: int

    def led(self, station: int) -> tuple[bool, bool]:
        """(green, red) of a station's LED, 1 to 4."""
        ports = (self.portb, self.portc, self.portd)
        (green_port, green), (red_port, red) = GREEN[station], RED[station]
        return bool(ports[green_port] >> green & 1), bool(ports[red_port] >> red & 1)


class SimulatedBox:
    """A box made of the compiled firmware; `run` lets time pass for it and, when connected, for the bridge."""

    virtual = True

    def __init__(self, harness: Path, elf: Path) -> None:
        self._process = subprocess.Popen(
            [harness, elf], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._port_name = ""
        while not self._port_name.startswith("/dev/"):  # simavr says first what it has loaded
            self._port_name = self._line().strip()
        self.now_ms = 0.0
        self.sent_total = self.read_total = self.written_total = 0
        self.pins = Pins(0, 0, 0)
        self.events: list[ButtonEvent] = []
        self.statuses: list[BoxStatus] = []
        self.bridge: Bridge | None = None
        self._say("host 0")

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the simulation ended"
        return line

    def _say(self, command: str) -> str:
        assert self._process.stdin is not None
        self._process.stdin.write(command + "\n")
        return self._line().strip()

    # what the bridge asks of a source
    def candidates(self) -> list[str]:
        return [self._port_name]

    def opened(self, name: str) -> None:
        assert name == self._port_name

    def missing(self) -> str:
        return "the simulated box is always there"

    # what tests do
    def connect(self, position: ReportPosition | None = None) -> Bridge:
        """Open the pty with a new bridge, as a host that was just started."""
        self._say("host 1")
        self.bridge = Bridge(
            self,
            self.events.append,
            self.statuses.append,
            open_port=lambda name: _StepPort(name, self),
            clock_ms=lambda: self.now_ms,
            wait=lambda _seconds: None,
            position=position,
        )
        self.bridge.step()  # opens the port before time goes on: opening discards what is in it
        return self.bridge

    def open_port(self) -> SerialPort:
        """The pty without a bridge."""
        self._say("host 1")
        return _StepPort(self._port_name, self)

    def disconnect(self) -> None:
        """The host's program ends; what the box sends from now on is lost."""
        assert self.bridge is not None
        self.bridge.close()
        self.bridge = None
        self._say("host 0")

    def run(self, ms: float, step_ms: float = 5.0) -> None:
        """Let `ms` pass in steps; after each the bridge takes and sends its bytes."""
        end = self.now_ms + ms
        while self.now_ms < end:
            us = max(1, round(min(step_ms, end - self.now_ms) * 1000))
            time_us, sent, portb, _, portc, _, portd, _ = self._say(f"run {us} {self.written_total}").split()
            self.now_ms, self.sent_total = int(time_us) / 1000, int(sent)
            self.pins = Pins(int(portb, 16), int(portc, 16), int(portd, 16))
            if self.bridge is not None:
                self.bridge.step()

    def move(self, which: BoxInput, closed: bool, after_ms: float = 0.0) -> None:
        """An input's contact closes or opens, to the microsecond."""
        self._say(f"contact {round(after_ms * 1000)} {INPUT_INDEX[which]} {int(closed)}")

    def power_cut(self) -> None:
        """Power goes and comes back at once: memory is lost, EEPROM stays."""
        self._say("power-cut")

    def peek(self, address: int) -> int:
        """A byte of data memory, registers included."""
        return int(self._say(f"peek {address:x}"))

    def poke(self, address: int, value: int) -> None:
        """Overwrite a byte of data memory."""
        self._say(f"poke {address:x} {value:x}")

    def leds(self) -> list[tuple[bool, bool]]:
        """(green, red) of each station's LED."""
        return [self.pins.led(station) for station in range(1, STATIONS + 1)]

    def close(self) -> None:
        """End the simulation."""
        if self.bridge is not None:
            self.bridge.close()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(10)
        self._process.stdout.close()
