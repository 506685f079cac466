"""The keyboard as a button box: keys press the virtual box's buttons, lines after a colon are faults."""

from __future__ import annotations

from companion.core.errors import DeviceError
from companion.core.inputs import BoxInput
from firmware_bridge.virtual_box import FAULT_HELP, VirtualBox, station_input

SHIELD_KEYS = "qwer"
REFEREE_KEY = " "
KEY_HELP = (
    f"Keys: 1 2 3 4 confirm, q w e r put a shield up or lift it, space referee, : then a fault and Enter ({FAULT_HELP})"
)


class Keyboard:
    """Takes one key after the other; says in words what each did, "" for nothing."""

    def __init__(self, box: VirtualBox) -> None:
        self._box = box
        self._line: str | None = None  # a fault being typed

    def key(self, char: str) -> str:
        """What the key did."""
        if self._line is not None:
            return self._type(char)
        if char in tuple("1234"):
            self._box.tap(station_input("confirm", int(char)))
            return f"station {char} confirms"
        if char and char in SHIELD_KEYS:
            station = SHIELD_KEYS.index(char) + 1
            shield = station_input("shield", station)
            if self._box.is_closed(shield):
                self._box.release(shield)
                return f"station {station} lifts its shield"
            self._box.press(shield)
            return f"station {station} puts its shield up"
        if char == REFEREE_KEY:
            self._box.tap(BoxInput.REFEREE)
            return "the referee's button"
        if char == ":":
            self._line = ""
        return ""

    def _type(self, char: str) -> str:
        assert self._line is not None
        if char not in ("\r", "\n"):
            self._line = self._line[:-1] if char in ("\x7f", "\b") else self._line + char
            return ""
        line, self._line = self._line, None
        try:
            self._box.command(line)
        except DeviceError as error:
            return str(error)
        return f"fault: {line}"
