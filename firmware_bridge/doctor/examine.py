"""The doctor: why the box does not answer, in words, with the command that fixes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from companion.core.errors import DataError
from firmware_bridge.doctor.boards import other_board, unknown_bridge
from firmware_bridge.doctor.bootloader import Bootloader, ask_bootloader
from firmware_bridge.doctor.finding import INSTALL_RULE, RULE, Finding, trouble
from firmware_bridge.doctor.finding import advice as advise
from firmware_bridge.doctor.judge import judge, judge_silence
from firmware_bridge.doctor.listening import Heard, listen
from firmware_bridge.doctor.machine import Access, Machine, Program
from firmware_bridge.ports import BOARD_IDS, PortError, PortTrouble, board_name

# Linux drivers by USB vendor: what makes a port out of a device.
DRIVERS = {0x2341: "cdc_acm", 0x2A03: "cdc_acm", 0x1A86: "ch341", 0x0403: "ftdi_sio", 0x10C4: "cp210x"}

Listener = Callable[[str], Heard]
BootloaderProbe = Callable[[str], Bootloader | None]


def examine(
    source: str,
    machine: Machine,
    *,
    comports: Callable[[], Iterable[ListPortInfo]] = list_ports.comports,
    hear: Listener = listen,
    probe: BootloaderProbe = ask_bootloader,
) -> list[Finding]:
    """Everything worth saying about a box at `source` (`auto` or a port), most fundamental first."""
    infos = sorted(comports(), key=lambda info: info.device)
    if source == "auto":
        names = [info.device for info in infos if board_name(info) and other_board(info) is None]
        findings = [] if names else _no_board(machine, infos)
    else:
        names, findings = [source], []
    for name in names:
        findings += _examine_port(name, infos, machine, hear, probe)
    findings += _grabbers(machine)
    return findings


def _no_board(machine: Machine, infos: list[ListPortInfo]) -> list[Finding]:
    found = []
    for info in infos:
        other = other_board(info)
        if other is not None:
            found.append(_wrong_board(info.device, *other))
        elif unknown_bridge(info):
            text = (
                f"{info.device} is a USB serial converter that this program does not know "
                f"({info.vid:04x}:{info.pid:04x} {info.description}). If it is the box's, name the port"
            )
            found.append(trouble(text, f"companion box doctor {info.device}"))
    return found or [_no_port(machine)]


def _wrong_board(name: str, board: str, chip: str) -> Finding:
    text = f"{name} is an {board} ({chip}): the box's firmware runs on boards with an ATmega328P or ATmega168"
    if chip == "RP2040":
        text = f"{name} is a {board}: it takes the box's firmware for the Pico, not the Arduino's"
        return trouble(text, "companion box flash --board pico")
    return trouble(f"{text}. Take an Uno R3, or a Nano", "companion box flash --help   # lists the boards")


def _no_port(machine: Machine) -> Finding:
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
            return trouble(text, "sudo apt remove brltty   # then plug the box in again")
        text = f"{name} is plugged in, but Linux has made no port of it: its driver is not loaded"
        return trouble(text, f"sudo modprobe {DRIVERS[device.vendor]}")
    text = (
        "no Arduino and no USB serial converter is plugged in. Take a cable that carries data (many carry power only), "
        "and another socket; then see whether it is listed"
    )
    return trouble(text, "lsusb")


def _examine_port(
    name: str, infos: list[ListPortInfo], machine: Machine, hear: Listener, probe: BootloaderProbe
) -> list[Finding]:
    try:
        access = machine.access(name)
    except DataError:
        others = ", ".join(info.device for info in infos) or "none"
        return [trouble(f"there is no {name}; ports here: {others}", "companion box doctor")]
    other = next((other_board(info) for info in infos if info.device == name), None)
    if other is not None:
        return [_wrong_board(name, *other)]
    if not access.allowed:
        return [_no_access(name, access)]
    holders = machine.holders(name)
    if holders:
        return [_in_use(name, holders)]
    try:
        heard = hear(name)
        if heard.hello is None and not heard.other_version:
            bootloader = probe(name)  # one that hears the host's words may answer them in its own way
            if bootloader is not None or heard.bytes == 0:
                return [judge_silence(name, bootloader, machine)]
    except PortError as error:
        return [_cannot_open(name, error)]
    return [*judge(name, heard, machine), *_slow_chip(name, machine)]


def _in_use(name: str, holders: list[Program]) -> Finding:
    """No program is told to be killed: what holds the box may be the game that is being played."""
    modem = next((program for program in holders if program.name == "ModemManager"), None)
    if modem:
        return trouble(f"{name}: ModemManager takes the box for a modem and talks to it", INSTALL_RULE)
    ours = next((program for program in holders if program.ours), None)
    if ours:
        text = (
            f"{name} is in use by this program itself: `{ours.command}` (pid {ours.pid}). The box is that "
            "game's; its page shows how the box is. To examine the box here, end the game there first: nothing of it "
            "is lost"
        )
        return trouble(text, "companion status   # lists the games")
    who = ", ".join(f"{program.name} (pid {program.pid})" for program in holders)
    text = f"{name} is in use by {who}: only one program can talk to the box. Close it, or its serial monitor"
    return trouble(text, f"ps -fp {holders[0].pid}   # shows what it is")


def _no_access(name: str, access: Access) -> Finding:
    if access.group_may and access.group != "root":
        text = f"you may not use {name}: it belongs to the group {access.group} and you are not in it"
        return trouble(text, f"sudo usermod -aG {access.group} $USER   # then log out and in again")
    text = f"you may not use {name}, nor may any group: install the rule that grants it to who sits at the screen"
    return trouble(text, INSTALL_RULE)


def _cannot_open(name: str, error: PortError) -> Finding:
    if error.trouble is PortTrouble.BUSY:
        text = f"{name} is in use by a program of another user: only one program can talk to the box"
        return trouble(text, f"sudo fuser -v {name}")
    if error.trouble is PortTrouble.PERMISSION:
        return trouble(f"you may not use {name}", INSTALL_RULE)
    return trouble(str(error), "companion box doctor")


def _slow_chip(name: str, machine: Machine) -> list[Finding]:
    waits_ms = machine.latency_timer_ms(name)
    if waits_ms is None or waits_ms <= 1:
        return []
    return [advise(f"{name}: the FTDI chip holds presses back for {waits_ms} ms; the rule sets it to 1", INSTALL_RULE)]


def _grabbers(machine: Machine) -> list[Finding]:
    running = any(program.name == "ModemManager" for program in machine.programs())
    if running and not machine.has_rule(RULE.name):
        text = "ModemManager is running and may take the box for a modem when it is plugged in; the rule forbids it"
        return [advise(text, INSTALL_RULE)]
    return []
