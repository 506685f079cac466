"""Asking the bootloader of a silent board: at which rate it answers, and which chip it names."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass

import serial

from firmware_bridge.doctor.boards import SIGNATURES
from firmware_bridge.ports import LINE_ERRORS, explain

# Optiboot; the bootloader of Nanos until 2018 and of most of their clones; that of boards with an ATmega168.
# Source: Arduino's boards.txt, "upload.speed".
NEW_BAUD, OLD_BAUD, OLDEST_BAUD = 115_200, 57_600, 19_200
# The STK500 protocol (Atmel application note AVR061), as far as it is needed here.
GET_SYNC, READ_SIGNATURE, END = b"\x30\x20", b"\x75\x20", b"\x51\x20"
IN_SYNC, OK = b"\x14", b"\x10"
TRIES = 3
RESET_S = 0.05  # the capacitor at the reset pin lets go again
ANSWER_S = 0.25


@dataclass(frozen=True, slots=True)
class Bootloader:
    """A bootloader that answered."""

    baud: int
    chip: str  # "" when it names one that we do not know

    @property
    def old(self) -> bool:
        """Whether it is the one of old Nanos, which avrdude must be told."""
        return self.baud != NEW_BAUD


def ask_bootloader(name: str) -> Bootloader | None:
    """Reset the board and ask at each rate; None when nothing answers. Raises PortError."""
    for baud in (NEW_BAUD, OLD_BAUD, OLDEST_BAUD):
        try:
            with serial.Serial(name, baud, timeout=ANSWER_S, exclusive=True) as port:
                found = _ask(port, baud)
        except LINE_ERRORS as error:
            raise explain(error, name) from error
        if found is not None:
            return found
    return None


def _ask(port: serial.Serial, baud: int) -> Bootloader | None:
    with contextlib.suppress(*LINE_ERRORS):  # a pty has no such line
        port.dtr = False
        time.sleep(RESET_S)
        port.dtr = True
        time.sleep(RESET_S)
    for _ in range(TRIES):
        port.reset_input_buffer()
        port.write(GET_SYNC)
        if port.read(2) == IN_SYNC + OK:
            port.write(READ_SIGNATURE)
            answer = port.read(5)
            port.write(END)
            port.read(2)
            known = len(answer) == 5 and answer[:1] == IN_SYNC and answer[-1:] == OK
            return Bootloader(baud, SIGNATURES.get(answer[1:4], "") if known else "")
    return None
