"""Serial ports: which could be the box, opening one with the right settings, and what an error means."""

from __future__ import annotations

import contextlib
import errno
import termios
from collections.abc import Callable, Iterable
from enum import Enum
from pathlib import Path
from typing import Protocol

import serial
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from companion.core.errors import DeviceError
from companion.core.messages import Message
from firmware_bridge.constants import BAUD

LINE_ERRORS: tuple[type[Exception], ...] = (serial.SerialException, OSError, termios.error)

READ_WAIT_S = 0.02  # how long a read waits for the first byte
WRITE_WAIT_S = 0.5  # a port that takes nothing for so long is lost

# USB vendor and product ids of boards and converters with an ATmega328P behind them (None: every product).
# Sources: the vendors' ids in the Linux drivers cdc-acm, ch341, ftdi_sio and cp210x.
BOARD_IDS: tuple[tuple[int, int | None, str], ...] = (
    (0x2341, None, "Arduino"),
    (0x2A03, None, "Arduino (dog hunter)"),
    (0x1A86, 0x7523, "CH340"),
    (0x1A86, 0x5523, "CH341"),
    (0x0403, 0x6001, "FTDI FT232R"),
    (0x0403, 0x6015, "FTDI FT231X"),
    (0x10C4, 0xEA60, "CP2102"),
)


class PortTrouble(Enum):
    """Why a port cannot be used."""

    MISSING = "missing"
    PERMISSION = "permission"
    BUSY = "busy"
    LOST = "lost"
    OTHER = "other"


class PortError(DeviceError):
    """A port cannot be opened, or was lost."""

    def __init__(self, trouble: PortTrouble, message: str, *, where: str, remedy: str = "") -> None:
        super().__init__(message, where=where, remedy=remedy)
        self.trouble = trouble


class Port(Protocol):
    """An open line to a box."""

    name: str

    def read(self) -> bytes:
        """What has come in, waiting a little for the first byte. Raises PortError when the line is gone."""

    def write(self, data: bytes) -> None:
        """Send all of `data`. Raises PortError when the line is gone."""

    def close(self) -> None:
        """Give the line back."""


class PortSource(Protocol):
    """Where a box may be found; asked again at each attempt to connect."""

    virtual: bool

    def candidates(self) -> list[str]:
        """Names of the ports to try, best first; empty when nothing is plugged in."""

    def opened(self, name: str) -> None:
        """A box has answered on this port: look for the same one after a replug."""

    def missing(self) -> str:
        """What to tell people when there is no candidate."""


def board_name(info: ListPortInfo) -> str | None:
    """What kind of board or converter a port is by its USB id, or None when it is none that we know."""
    for vendor, product, name in BOARD_IDS:
        if info.vid == vendor and product in (None, info.pid):
            return name
    return None


def _identity(info: ListPortInfo) -> tuple[int | None, int | None, str | None]:
    # Clones of the CH340 have no serial number: the socket they are plugged into must do.
    return info.vid, info.pid, info.serial_number or info.location


class SerialSource:
    """`auto`, a device file or a by-id path; a box seen once is found again under another name by its USB identity."""

    virtual = False

    def __init__(self, source: str, comports: Callable[[], Iterable[ListPortInfo]] = list_ports.comports) -> None:
        self._source, self._comports = source, comports
        self._known: tuple[int | None, int | None, str | None] | None = None

    def candidates(self) -> list[str]:
        """The given port while it exists; then the one with the identity seen; with `auto` every known board."""
        infos = sorted(self._comports(), key=lambda info: info.device)
        same = [i.device for i in infos if self._known is not None and _identity(i) == self._known]
        if self._source == "auto":
            return same + [i.device for i in infos if board_name(i) and i.device not in same]
        return [self._source] if Path(self._source).exists() else same

    def opened(self, name: str) -> None:
        """Remember the USB identity of the port, through links such as /dev/serial/by-id."""
        device = str(Path(name).resolve())
        for info in self._comports():
            if info.device in (name, device) and info.vid is not None:
                self._known = _identity(info)

    def missing(self) -> str:
        """Where the box was looked for."""
        if self._source == "auto":
            return Message("no Arduino or USB serial converter is plugged in: run `companion box doctor`")
        return Message("there is no {port}: plug the box in, or run `companion box doctor {port}`", port=self._source)


def explain(error: Exception, name: str) -> PortError:
    """The PortError for what opening `name` raised: whose fault, and the command that fixes it."""
    number = getattr(error, "errno", None)
    text = str(error)
    if number == errno.ENOENT:
        remedy = Message("Plug the box in")
        return PortError(PortTrouble.MISSING, Message("there is no such port"), where=name, remedy=remedy)
    if number in (errno.EACCES, errno.EPERM):
        remedy = Message("Run `companion box doctor {port}` for the command that grants it", port=name)
        return PortError(PortTrouble.PERMISSION, Message("you may not use this port"), where=name, remedy=remedy)
    if number in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in text:
        remedy = Message("Close it, or run `companion box doctor {port}` to see which program it is", port=name)
        return PortError(PortTrouble.BUSY, Message("another program uses this port"), where=name, remedy=remedy)
    if number in (errno.EIO, errno.ENODEV, errno.ENXIO):
        unplugged = Message("the box was unplugged")
        return PortError(PortTrouble.LOST, unplugged, where=name, remedy=Message("Check the cable"))
    return PortError(PortTrouble.OTHER, Message("the port cannot be used: {fault}", fault=text), where=name)


class SerialPort:
    """A serial line at 57,600 baud, 8N1, locked for this program alone."""

    def __init__(self, name: str) -> None:
        """Open `name`. Raises PortError.

        Opening raises DTR, which resets an Arduino; the reset is expected, and HUPCL is cleared so that closing
        and opening again causes none.
        """
        self.name = name
        try:
            self._serial = serial.Serial(name, BAUD, timeout=READ_WAIT_S, write_timeout=WRITE_WAIT_S, exclusive=True)
        except LINE_ERRORS as error:
            raise explain(error, name) from error
        self._settle_line()

    def _settle_line(self) -> None:
        # Neither matters on a pty, which has no modem lines and no latency: there the calls may fail.
        with contextlib.suppress(*LINE_ERRORS):
            attributes = termios.tcgetattr(self._serial.fileno())
            attributes[2] &= ~termios.HUPCL
            termios.tcsetattr(self._serial.fileno(), termios.TCSANOW, attributes)
        with contextlib.suppress(ValueError, NotImplementedError, *LINE_ERRORS):
            self._serial.set_low_latency_mode(True)  # an FTDI chip holds bytes back for 16 ms otherwise

    def read(self) -> bytes:
        """See Port."""
        try:
            first: bytes = self._serial.read(1)
            return first + self._serial.read(self._serial.in_waiting) if first else first
        except LINE_ERRORS as error:
            raise self._lost(error) from error

    def write(self, data: bytes) -> None:
        """See Port."""
        try:
            self._serial.write(data)
        except LINE_ERRORS as error:
            raise self._lost(error) from error

    def _lost(self, error: Exception) -> PortError:
        return PortError(PortTrouble.LOST, f"the line broke off ({error})", where=self.name, remedy="Check the cable")

    def close(self) -> None:
        """See Port."""
        with contextlib.suppress(*LINE_ERRORS):  # a line that is gone is closed already
            self._serial.close()
