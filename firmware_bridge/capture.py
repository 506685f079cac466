"""Captures of the line: every byte with its time and direction, as JSON Lines, replayable to the same events."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from companion.core.errors import DataError
from companion.core.files import parse_json, read_bytes
from companion.core.inputs import ButtonEvent
from companion.core.messages import Message
from firmware_bridge.host_link import Direction, HostLink, Observer
from firmware_bridge.status import ReportPosition

CAPTURE_KIND = "tabletop-companion box"
CAPTURE_SCHEMA = 1


@dataclass(frozen=True, slots=True)
class CaptureLine:
    """One line: bytes that went one way, or `opened` with the name of a port. Time since the start in ms."""

    at_ms: float
    direction: Direction | None = None
    data: bytes = b""
    opened: str = ""


class CaptureWriter:
    """Writes a capture; the first line tells it apart: {"capture": "tabletop-companion box", "schema": 1, …}."""

    def __init__(
        self, target: TextIO, *, virtual: bool, clock_ms: Callable[[], float], position: ReportPosition | None,
        fresh: bool = False,
    ) -> None:
        self._target, self._clock_ms, self._start_ms = target, clock_ms, clock_ms()
        self.trouble = ""  # why nothing is written any more; the link goes on without its capture
        known = None if position is None else {"box": position.box, "boot": position.boot, "number": position.number}
        first: dict[str, Any] = {"capture": CAPTURE_KIND, "schema": CAPTURE_SCHEMA, "virtual": virtual,
                                 "position": known}
        self._put(first | {"fresh": True} if fresh else first)

    def _put(self, line: dict[str, Any]) -> None:
        if self.trouble:
            return
        try:
            self._target.write(json.dumps(line) + "\n")
            self._target.flush()
        except OSError as error:
            self.trouble = Message("the capture ended early: {fault}", fault=str(error))

    def _now(self) -> float:
        return round(self._clock_ms() - self._start_ms, 3)

    def opened(self, port: str) -> None:
        """A port was opened: what follows is a new stream."""
        self._put({"t_ms": self._now(), "opened": port})

    def bytes(self, direction: Direction, data: bytes) -> None:
        """Bytes went over the line."""
        self._put({"t_ms": self._now(), direction.value: data.hex()})


def is_capture(path: Path) -> bool:
    """Whether the file begins as a capture does; never raises for what is in it."""
    with path.open("rb") as source:
        first = source.readline(4096)
    try:
        header = parse_json(first)
    except ValueError:
        return False
    return isinstance(header, dict) and header.get("capture") == CAPTURE_KIND


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        lines = read_bytes(path).decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", where=str(path)) from error
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        try:
            row = parse_json(line)
        except ValueError as error:
            if number == len(lines):
                return  # the program was killed in the middle of the last line, which has no end
            raise DataError(f"line {number} is not JSON: {error}", where=str(path)) from error
        if not isinstance(row, dict):
            raise DataError(f"line {number} is not an object", where=str(path))
        yield number, row


def _header(path: Path) -> tuple[ReportPosition | None, bool]:
    """The position before the capture, and whether what waited in the box was dropped."""
    for _, row in _rows(path):
        if row.get("capture") != CAPTURE_KIND or row.get("schema") != CAPTURE_SCHEMA:
            expected = f'"capture": "{CAPTURE_KIND}", "schema": {CAPTURE_SCHEMA}'
            raise DataError(f"this is no capture of a box: the first line must hold {expected}", where=str(path))
        known = row.get("position")
        try:
            found = None
            if known is not None:
                found = ReportPosition(str(known["box"]), int(known["boot"]), int(known["number"]))
            return found, row.get("fresh") is True
        except (KeyError, TypeError, ValueError) as error:
            raise DataError("the position in line 1 needs box, boot and number", where=str(path)) from error
    raise DataError("the file is empty", where=str(path))


def read_capture(path: Path) -> Iterator[CaptureLine]:
    """The lines of a capture, one by one. Raises DataError naming the line; a last line cut off is left out."""
    _header(path)
    for number, row in _rows(path):
        if number == 1:
            continue
        try:
            at_ms = float(row["t_ms"])
            if "opened" in row:
                yield CaptureLine(at_ms, opened=str(row["opened"]))
                continue
            direction = Direction.FROM_BOX if "rx" in row else Direction.TO_BOX
            yield CaptureLine(at_ms, direction, bytes.fromhex(row[direction.value]))
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f'line {number} needs "t_ms" and one of "rx", "tx", "opened"', where=str(path)) from error


def replay_capture(path: Path, observe: Observer | None = None) -> list[ButtonEvent]:
    """The events of a capture, by the same link that delivered them live. Raises DataError for another file."""
    events: list[ButtonEvent] = []
    position, fresh = _header(path)
    link = HostLink(events.append, position=position, fresh=fresh, observe=observe)
    for line in read_capture(path):
        if line.direction is None:
            link.opened(line.at_ms)
        elif line.direction is Direction.FROM_BOX:
            link.receive(line.data, line.at_ms)
    return events
