"""The wiring of the box: which pin does what, and the diagram drawn from it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from firmware_bridge.constants import STATIONS


class Part(Enum):
    """What hangs on a pin."""

    BUTTON = "confirm button"
    SHIELD = "shield sensor"
    GREEN = "LED green"
    RED = "LED red"
    REFEREE = "referee button"


@dataclass(frozen=True, slots=True)
class Wire:
    """One pin of the Arduino; `station` is 1 to 4, 0 for the referee; `port` is the name in the data sheet."""

    pin: str
    port: str
    part: Part
    station: int


WIRES: tuple[Wire, ...] = (
    *(Wire(f"D{1 + n}", f"PD{1 + n}", Part.BUTTON, n) for n in range(1, STATIONS + 1)),
    *(Wire(f"A{n - 1}", f"PC{n - 1}", Part.SHIELD, n) for n in range(1, STATIONS + 1)),
    *(Wire(f"D{7 + n}", f"PB{n - 1}", Part.GREEN, n) for n in range(1, STATIONS + 1)),
    Wire("D12", "PB4", Part.RED, 1),
    Wire("D7", "PD7", Part.RED, 2),
    Wire("A4", "PC4", Part.RED, 3),
    Wire("A5", "PC5", Part.RED, 4),
    Wire("D6", "PD6", Part.REFEREE, 0),
)

_ROW, _TOP, _BOARD, _PART, _RAIL, _WIDTH = 34, 70, 190, 420, 700, 790
_GAP = 22  # between the blocks of two stations
_COLOURS = {Part.GREEN: "#1a7f37", Part.RED: "#b3261e"}


def pin_table() -> str:
    """The pin table in Markdown, station by station."""
    rows = ["| station | confirm button | shield sensor | LED green | LED red |", "|---|---|---|---|---|"]
    for station in range(1, STATIONS + 1):
        at = {wire.part: f"{wire.pin} ({wire.port})" for wire in WIRES if wire.station == station}
        cells = (at[part] for part in (Part.BUTTON, Part.SHIELD, Part.GREEN, Part.RED))
        rows.append(f"| {station} | " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"


def _text(x: float, y: float, words: str, more: str = "") -> str:
    return f'<text x="{x}" y="{y}" {more}>{words}</text>'


def _line(*points: tuple[float, float], colour: str = "#222") -> str:
    path = " ".join(f"{x},{y}" for x, y in points)
    return f'<polyline points="{path}" stroke="{colour}" fill="none" stroke-width="2"/>'


def _dot(x: float, y: float) -> str:
    return f'<circle cx="{x}" cy="{y}" r="3.5" fill="#222"/>'


def _switch(y: float, words: str) -> list[str]:
    return [
        _line((_BOARD, y), (_PART, y)),
        f'<circle cx="{_PART + 4}" cy="{y}" r="4" fill="none" stroke="#222" stroke-width="2"/>',
        f'<circle cx="{_PART + 56}" cy="{y}" r="4" fill="none" stroke="#222" stroke-width="2"/>',
        _line((_PART + 2, y - 10), (_PART + 58, y - 10)),
        _line((_PART + 30, y - 10), (_PART + 30, y - 17)),
        _line((_PART + 60, y), (_RAIL, y)),
        _dot(_RAIL, y),
        _text(_PART + 72, y - 6, words),
    ]


def _reed(y: float, words: str) -> list[str]:
    return [
        _line((_BOARD, y), (_PART, y)),
        f'<rect x="{_PART}" y="{y - 8}" width="60" height="16" rx="8" fill="none" stroke="#222" stroke-width="1.5"/>',
        _line((_PART, y), (_PART + 12, y), (_PART + 38, y - 5)),
        _line((_PART + 26, y), (_PART + 60, y)),
        _line((_PART + 60, y), (_RAIL, y)),
        _dot(_RAIL, y),
        _text(_PART + 72, y - 6, words),
    ]


def _led(y: float, colour: str, words: str) -> list[str]:
    resistor = _PART - 110
    return [
        _line((_BOARD, y), (resistor, y), colour=colour),
        f'<rect x="{resistor}" y="{y - 7}" width="46" height="14" fill="#fff" stroke="#222" stroke-width="2"/>',
        _text(resistor + 23, y - 11, "470 Ω", 'text-anchor="middle" class="small"'),
        _line((resistor + 46, y), (_PART + 18, y), colour=colour),
        f'<path d="M{_PART + 18},{y - 9} v18 l20,-9 z" fill="{colour}"/>',
        _line((_PART + 38, y - 9), (_PART + 38, y + 9)),
        _line((_PART + 38, y), (_RAIL - 40, y)),
        _text(_PART + 72, y - 6, words),
    ]


def diagram() -> str:
    """The wiring diagram as SVG."""
    parts: list[str] = []
    y = _TOP
    for station in range(1, STATIONS + 1):
        first = y
        for part in (Part.BUTTON, Part.SHIELD, Part.GREEN, Part.RED):
            (wire,) = (each for each in WIRES if each.station == station and each.part is part)
            parts.append(_text(_BOARD - 10, y + 5, wire.pin, 'text-anchor="end" class="pin"'))
            if part is Part.BUTTON:
                parts += _switch(y, "confirm button")
            elif part is Part.SHIELD:
                parts += _reed(y, "shield sensor (reed)")
            else:
                parts += _led(y, _COLOURS[part], "LED green" if part is Part.GREEN else "LED red")
            y += _ROW
        green, red = y - 2 * _ROW, y - _ROW
        join = _RAIL - 40
        parts += [_line((join, green), (join, red)), _line((join, red), (_RAIL, red))]
        parts += [_dot(join, red), _dot(_RAIL, red)]
        parts.append(_text(_PART + 130, (green + red) / 2 + 5, "common cathode", 'class="small"'))
        parts.append(
            f'<rect x="{_PART - 20}" y="{first - 26}" width="{_RAIL - _PART}" height="{y - first + 6}" rx="8" '
            'fill="none" stroke="#888" stroke-dasharray="6 4"/>'
        )
        parts.append(_text(_RAIL + 12, first + 4, f"station {station}", 'class="title"'))
        y += _GAP
    parts.append(_text(_BOARD - 10, y + 5, "D6", 'text-anchor="end" class="pin"'))
    parts += _switch(y, "referee button")
    y += _ROW + 8
    parts.append(_text(_BOARD - 10, y + 5, "GND", 'text-anchor="end" class="pin"'))
    parts += [_line((_BOARD, y), (_RAIL, y)), _line((_RAIL, _TOP), (_RAIL, y)), _dot(_RAIL, y)]
    height = y + 40
    board = [
        f'<rect x="40" y="{_TOP - 40}" width="{_BOARD - 40}" height="{height - _TOP + 10}" rx="10" fill="#e8f1f8" '
        'stroke="#222" stroke-width="2"/>',
        _text(60, _TOP - 14, "Arduino", 'class="title"'),
        _text(60, _TOP + 6, "Uno / Nano", 'class="small"'),
        _text(60, height - 74, "USB to the host", 'class="small"'),
    ]
    style = (
        "<style>text{font:14px sans-serif;fill:#222}.small{font-size:12px}.title{font-size:15px;font-weight:bold}"
        ".pin{font-weight:bold}</style>"
    )
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" '
        'role="img" aria-label="Wiring of the button box">'
    )
    background = f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>'
    return "\n".join([head, style, background, *board, *parts, "</svg>"]) + "\n"
