"""The doctor: why the box does not answer, in words, with the command that fixes it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from companion.core.errors import DataError, DeviceError
from companion.core.inputs import ButtonEvent
from firmware_bridge.box import Bridge
from firmware_bridge.constants import FIRMWARE_VERSION
from firmware_bridge.machine import Access, Machine
from firmware_bridge.ports import BOARD_IDS, Port, PortError, PortTrouble, SerialPort, board_name
from firmware_bridge.status import BoxStatus

RULE = Path(__file__).parent / "70-tabletop-companion.rules"
INSTALL_RULE = f"sudo cp {RULE} /etc/udev/rules.d/ && sudo udevadm control --reload && sudo udevadm trigger"
LISTEN_S = 5.0  # a bootloader's 2 s, the link's patience, and some
# Linux drivers by USB vendor: what makes a port out of a device.
DRIVERS = {0x2341: "cdc_acm", 0x2A03: "cdc_acm", 0x1A86: "ch341", 0x0403: "ftdi_sio", 0x10C4: "cp210x"}


class Verdict(Enum):
    """How bad a finding is."""

    GOOD = "good"
    ADVICE = "advice"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at, and the command that mends it ("" when nothing is to be done)."""

    verdict: Verdict
    text: str
    command: str = ""


@dataclass(frozen=True, slots=True)
class Heard:
    """What came from a port: the status of the link, and how many bytes."""

    status: BoxStatus
    bytes: int


Listener = Callable[[str], Heard]


class _CountingPort:
    """A port that counts what comes in."""

    def __init__(self, name: str) -> None:
        self._port: Port = SerialPort(name)
        self.name = name
        self.count = 0

    def read(self) -> bytes:
        data = self._port.read()
        self.count += len(data)
        return data

    def write(self, data: bytes) -> None:
        self._port.write(data)

    def close(self) -> None:
        self._port.close()


class _Given:
    """A source of one port, for listening to it alone."""

    virtual = False

    def __init__(self, name: str) -> None:
        self._name = name

    def candidates(self) -> list[str]:
        return [self._name]

    def opened(self, name: str) -> None:
        """Nothing to remember."""

    def missing(self) -> str:
        return ""


def listen(name: str, seconds: float = LISTEN_S) -> Heard:
    """Speak the protocol on a port until the box has answered a ping, or for `seconds`. Raises PortError."""
    port = _CountingPort(name)
    handed_out: list[_CountingPort] = []

    def open_port(_name: str) -> Port:
        if handed_out:  # the link gave the port up: it has been silent for too long
            raise PortError(PortTrouble.LOST, "nothing answers", where=name)
        handed_out.append(port)
        return port

    def refuse(_event: ButtonEvent) -> None:
        raise DeviceError("presses that wait in the box are the game's, not the doctor's")

    bridge = Bridge(
        _Given(name),
        refuse,
        lambda _status: None,
        open_port=open_port,
        clock_ms=lambda: time.monotonic() * 1000,
        wait=time.sleep,
    )
    end = time.monotonic() + seconds
    while time.monotonic() < end and not (bridge.status.connected and bridge.status.quality.round_trip_ms is not None):
        bridge.step()
    heard = Heard(bridge.status, port.count)
    bridge.close()
    port.close()
    return heard


def examine(
    source: str,
    machine: Machine,
    *,
    comports: Callable[[], Iterable[ListPortInfo]] = list_ports.comports,
    hear: Listener = listen,
) -> list[Finding]:
    """Everything worth saying about a box at `source` (`auto` or a port), most fundamental first."""
    infos = sorted(comports(), key=lambda info: info.device)
    if source == "auto":
        names = [info.device for info in infos if board_name(info)]
        findings = [] if names else _no_port(machine)
    else:
        names, findings = [source], []
    for name in names:
        findings += _examine_port(name, infos, machine, hear)
    findings += _grabbers(machine)
    return findings


def _no_port(machine: Machine) -> list[Finding]:
    known = {(vendor, product): name for vendor, product, name in BOARD_IDS}
    for device in machine.usb_devices():
        name = known.get((device.vendor, device.product)) or known.get((device.vendor, None))
        if name is None:
            continue
        running = [program for program in machine.programs() if program.name == "brltty"]
        if running:
            text = (
                f"{name} is plugged in, but brltty (a driver for Braille displays, pid {running[0].pid}) has taken it "
                "for one of its own. Unless somebody here reads Braille with this computer, remove it"
            )
            return [Finding(Verdict.TROUBLE, text, "sudo apt remove brltty   # then plug the box in again")]
        text = f"{name} is plugged in, but Linux has made no port of it: its driver is not loaded"
        return [Finding(Verdict.TROUBLE, text, f"sudo modprobe {DRIVERS[device.vendor]}")]
    text = (
        "no Arduino and no USB serial converter is plugged in. Take a cable that carries data (many carry power only), "
        "and another socket; then see whether it is listed"
    )
    return [Finding(Verdict.TROUBLE, text, "lsusb")]


def _examine_port(name: str, infos: list[ListPortInfo], machine: Machine, hear: Listener) -> list[Finding]:
    try:
        access = machine.access(name)
    except DataError:
        others = ", ".join(info.device for info in infos) or "none"
        return [Finding(Verdict.TROUBLE, f"there is no {name}; ports here: {others}", "companion box doctor")]
    if not access.allowed:
        return [_no_access(name, access)]
    holders = machine.holders(name)
    if holders:
        who = ", ".join(f"{program.name} (pid {program.pid})" for program in holders)
        modem = next((program for program in holders if program.name == "ModemManager"), None)
        if modem:
            text = f"{name}: ModemManager takes the box for a modem and talks to it"
            return [Finding(Verdict.TROUBLE, text, INSTALL_RULE)]
        text = f"{name} is in use by {who}: only one program can talk to the box"
        return [Finding(Verdict.TROUBLE, text, f"kill {holders[0].pid}   # or close it")]
    try:
        heard = hear(name)
    except PortError as error:
        return [_cannot_open(name, error)]
    return [_judge(name, heard), *_slow_chip(name, machine)]


def _no_access(name: str, access: Access) -> Finding:
    if access.group_may and access.group != "root":
        text = f"you may not use {name}: it belongs to the group {access.group} and you are not in it"
        return Finding(Verdict.TROUBLE, text, f"sudo usermod -aG {access.group} $USER   # then log out and in again")
    text = f"you may not use {name}, nor may any group: install the rule that grants it to who sits at the screen"
    return Finding(Verdict.TROUBLE, text, INSTALL_RULE)


def _cannot_open(name: str, error: PortError) -> Finding:
    if error.trouble is PortTrouble.BUSY:
        text = f"{name} is in use by a program of another user: only one program can talk to the box"
        return Finding(Verdict.TROUBLE, text, f"sudo fuser -v {name}")
    if error.trouble is PortTrouble.PERMISSION:
        return Finding(Verdict.TROUBLE, f"you may not use {name}", INSTALL_RULE)
    return Finding(Verdict.TROUBLE, str(error), "companion box doctor")


def _judge(name: str, heard: Heard) -> Finding:
    status = heard.status
    flash = f"make -C {Path(__file__).parent / 'firmware'} flash PORT={name}"
    if status.firmware:
        round_trip = status.quality.round_trip_ms
        took = "no round trip yet" if round_trip is None else f"round trip {round_trip:.1f} ms"
        text = f"{name}: box {status.box} answers (firmware {status.firmware}, start {status.boot}, {took})"
        if status.firmware < FIRMWARE_VERSION:
            text += f"; this program ships firmware {FIRMWARE_VERSION}"
            return Finding(Verdict.ADVICE, text, flash)
        return Finding(Verdict.GOOD, text)
    if status.trouble and "other firmware" in status.trouble:
        return Finding(Verdict.TROUBLE, f"{name}: {status.trouble}", flash)
    if heard.bytes:
        text = (
            f"{name} speaks ({heard.bytes} bytes), but not as the box does: another device, or a board with other "
            "firmware. If it is the box, flash it"
        )
        return Finding(Verdict.TROUBLE, text, flash)
    text = f"{name} opens but says nothing: the board has no firmware, or its contacts at D0 and D1 are used"
    return Finding(Verdict.TROUBLE, text, flash)


def _slow_chip(name: str, machine: Machine) -> list[Finding]:
    waits_ms = machine.latency_timer_ms(name)
    if waits_ms is None or waits_ms <= 1:
        return []
    text = f"{name}: the FTDI chip holds presses back for {waits_ms} ms; the rule sets it to 1"
    return [Finding(Verdict.ADVICE, text, INSTALL_RULE)]


def _grabbers(machine: Machine) -> list[Finding]:
    running = any(program.name == "ModemManager" for program in machine.programs())
    if running and not machine.has_rule(RULE.name):
        text = "ModemManager is running and may take the box for a modem when it is plugged in; the rule forbids it"
        return [Finding(Verdict.ADVICE, text, INSTALL_RULE)]
    return []
