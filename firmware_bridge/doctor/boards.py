"""Boards and USB bridges by their ids: which can be the box, and what another one is."""

from __future__ import annotations

from serial.tools.list_ports_common import ListPortInfo

from firmware_bridge.ports import board_name

# Boards that are plugged in by mistake: (vendor, product, name, what is in it). Sources: the vendors' boards.txt and
# the list of product ids that Raspberry Pi publishes.
OTHER_BOARDS: tuple[tuple[int, int | None, str, str], ...] = (
    (0x2341, 0x0010, "Arduino Mega 2560", "ATmega2560"),
    (0x2341, 0x0042, "Arduino Mega 2560", "ATmega2560"),
    (0x2A03, 0x0042, "Arduino Mega 2560", "ATmega2560"),
    (0x2341, 0x8036, "Arduino Leonardo", "ATmega32U4"),
    (0x2341, 0x0036, "Arduino Leonardo", "ATmega32U4"),
    (0x2341, 0x8037, "Arduino Micro", "ATmega32U4"),
    (0x2341, 0x0037, "Arduino Micro", "ATmega32U4"),
    (0x2341, 0x003D, "Arduino Due", "SAM3X8E"),
    (0x2341, 0x003E, "Arduino Due", "SAM3X8E"),
    (0x2341, 0x804D, "Arduino Zero", "SAMD21"),
    (0x2341, 0x0058, "Arduino Nano Every", "ATmega4809"),
    (0x2341, 0x0069, "Arduino Uno R4 Minima", "RA4M1"),
    (0x2341, 0x1002, "Arduino Uno R4 WiFi", "RA4M1"),
    (0x2E8A, 0x0003, "Raspberry Pi Pico waiting for its firmware", "RP2040"),
    (0x2E8A, None, "Raspberry Pi Pico", "RP2040"),
    (0x303A, None, "ESP32 with USB of its own", "ESP32"),
)

# Chips by the signature that a bootloader tells (data sheets, "Signature bytes").
SIGNATURES: dict[bytes, str] = {
    b"\x1e\x95\x0f": "ATmega328P",
    b"\x1e\x95\x14": "ATmega328",
    b"\x1e\x95\x16": "ATmega328PB",
    b"\x1e\x94\x0b": "ATmega168P",
    b"\x1e\x94\x06": "ATmega168",
    b"\x1e\x98\x01": "ATmega2560",
    b"\x1e\x95\x87": "ATmega32U4",
    b"\x1e\x93\x07": "ATmega8",
}
FITTING = ("ATmega328P", "ATmega328", "ATmega328PB", "ATmega168P", "ATmega168")


def other_board(info: ListPortInfo) -> tuple[str, str] | None:
    """(name, chip) of a board on which the box's firmware for the Arduino does not run; None for the others."""
    for vendor, product, name, chip in OTHER_BOARDS:
        if info.vid == vendor and product in (None, info.pid):
            return name, chip
    return None


def unknown_bridge(info: ListPortInfo) -> bool:
    """Whether a port is on USB and neither a board nor a converter that we know."""
    return info.vid is not None and board_name(info) is None and other_board(info) is None
