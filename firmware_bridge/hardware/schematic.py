"""The schematic, drawn from the circuit: one row for each wire of a cable, from the Arduino's pin to the part."""

from __future__ import annotations

from firmware_bridge.hardware.circuit import Circuit, Component, Part, Wire
from firmware_bridge.hardware.svg import INK, PALE, circle, drawing, line, rect, text

_PIN, _SHUNT, _SERIES, _SOCKET, _PLACE, _RAIL = 150, 190, 330, 470, 560, 720
_ROW, _TOP, _GAP, _WIDTH = 46, 60, 30, 800
_COLOURS = {Part.GREEN: "#1a7f37", Part.RED: "#b3261e"}


def _joining(circuit: Circuit, first: str, second: str) -> Component | None:
    return next(iter(circuit.between(first, second)), None)


def _resistor(x: float, y: float, part: Component) -> list[str]:
    words = text(x + 22, y - 9, f"{part.name} {part.value}", 'class="small" text-anchor="middle"')
    return [rect(x, y - 6, 44, 12), words]


def _shunts(circuit: Circuit, net: str, y: float) -> list[str]:
    """The pull-up to 5 V and the capacitor to ground that hang on an input."""
    found = []
    pull, filter_ = _joining(circuit, "5V", net), _joining(circuit, net, "GND")
    if pull is not None:
        top = y - 17
        found += [circle(_SHUNT, y, 3), line((_SHUNT, y), (_SHUNT, top)), line((_SHUNT - 8, top), (_SHUNT + 8, top))]
        found.append(text(_SHUNT + 12, y - 12, f"{pull.name} {pull.value} to 5 V", 'class="small"'))
    if filter_ is not None:
        x = _SHUNT + 40
        found += [circle(x, y, 3), line((x, y), (x, y + 9)), line((x - 9, y + 9), (x + 9, y + 9))]
        found += [line((x - 9, y + 13), (x + 9, y + 13)), line((x, y + 13), (x, y + 19))]
        found.append(text(x + 14, y + 16, f"{filter_.name} {filter_.value} to GND", 'class="small"'))
    return found


def _at_the_station(part: Part, y: float) -> list[str]:
    x = _PLACE
    if part in (Part.GREEN, Part.RED):
        colour = _COLOURS[part]
        return [
            line((_SOCKET, y), (x + 20, y), colour=colour),
            f'<path d="M{x + 20},{y - 9} v18 l18,-9 z" fill="{colour}"/>',
            line((x + 38, y - 9), (x + 38, y + 9)), line((x + 38, y), (_RAIL, y)),
            text(x + 48, y - 6, part.value, 'class="small"'),
        ]  # fmt: skip
    words = "shield: reed or hall" if part is Part.SHIELD else part.value
    return [
        line((_SOCKET, y), (x, y)), circle(x + 4, y, 4, 'fill="none" stroke="#222" stroke-width="1.8"'),
        circle(x + 44, y, 4, 'fill="none" stroke="#222" stroke-width="1.8"'), line((x + 6, y - 4), (x + 42, y - 13)),
        line((x + 48, y), (_RAIL, y)), text(x + 54, y - 6, words, 'class="small"'),
    ]  # fmt: skip


def _row(circuit: Circuit, wire: Wire, net: str, cable: str, socket: str, y: float) -> list[str]:
    series = _joining(circuit, net, cable)
    parts = [text(_PIN - 8, y + 4, wire.pin, 'text-anchor="end" class="pin"'), line((_PIN, y), (_SOCKET, y))]
    parts += _shunts(circuit, net, y)
    if series is not None:
        parts += _resistor(_SERIES, y, series)
    parts += [circle(_SOCKET, y, 4), text(_SOCKET, y - 9, socket, 'class="small" text-anchor="middle"')]
    return parts + _at_the_station(wire.part, y)


def schematic(circuit: Circuit) -> str:
    """The whole circuit as SVG."""
    signals = {Part(row["part"]): name for name, row in circuit.data["signals"].items()}
    pins = {name: pin for pin, name in circuit.data["cable"]["pins"].items()}
    parts: list[str] = []
    y = float(_TOP)
    for station in range(1, 5):
        first = y
        for part in (Part.BUTTON, Part.SHIELD, Part.GREEN, Part.RED):
            (wire,) = (each for each in circuit.wires if each.station == station and each.part is part)
            name = signals[part]
            parts += _row(circuit, wire, f"{name}-{station}", f"{name}-cable-{station}", f"J{station}.{pins[name]}", y)
            y += _ROW
        parts.append(
            rect(_SOCKET - 22, first - 30, 44, y - first + 6, f'fill="none" stroke="{PALE}" stroke-dasharray="5 4"')
        )
        parts.append(text(_SOCKET + 30, first - 20, f"station {station}", 'class="title"'))
        parts.append(text(_SOCKET + 30, y - 22, "pins 2, 5, 6 GND; pin 8 5 V through F1", 'class="small"'))
        y += _GAP
    (referee,) = (each for each in circuit.wires if each.part is Part.REFEREE)
    parts += _row(circuit, referee, "referee", "referee-cable", "J5.1", y)
    bottom = y + _ROW
    parts += [line((_PIN, bottom), (_RAIL, bottom)), line((_RAIL, _TOP), (_RAIL, bottom)), circle(_RAIL, bottom, 3)]
    parts += [
        text(_PIN - 8, bottom + 4, "GND", 'text-anchor="end" class="pin"'),
        text(_RAIL + 10, bottom - 14, "GND, or 5 V", 'class="small"'),
        text(_RAIL + 10, bottom, "for the LEDs", 'class="small"'),
    ]
    y = bottom + _ROW
    parts += _buzzer(circuit, y)
    board = [
        rect(40, _TOP - 36, _PIN - 40, y - _TOP + 76, 'rx="8" fill="#e8f1f8" stroke="#222" stroke-width="1.8"'),
        text(52, _TOP - 14, "U1", 'class="title"'), text(52, _TOP + 4, "Arduino", 'class="small"'),
        text(52, _TOP + 18, "Nano", 'class="small"'), text(52, y + 26, "USB", 'class="small"'),
    ]  # fmt: skip
    return drawing(_WIDTH, y + 60, "Circuit of the button box", [*board, *parts])


def _buzzer(circuit: Circuit, y: float) -> list[str]:
    base = _joining(circuit, "light", "base")
    named = {each.kind: each for each in circuit.components if each.option == "buzzer"}
    transistor = named["transistor"]
    parts = [text(_PIN - 8, y + 4, "D13", 'text-anchor="end" class="pin"'), line((_PIN, y), (_SERIES + 40, y))]
    if base is not None:
        parts += _resistor(_SERIES - 100, y, base)
    x = _SERIES + 40
    parts += [
        line((x, y - 14), (x, y + 14), width=3), line((x, y - 6), (x + 22, y - 18)), line((x, y + 6), (x + 22, y + 18)),
        text(x + 28, y + 22, f"{transistor.name} {transistor.value}, emitter to GND", 'class="small"'),
        line((x + 22, y - 18), (_PLACE, y - 18)), circle(_PLACE + 14, y - 18, 14, 'fill="none" stroke="#222"'),
        text(_PLACE + 34, y - 14, f"{named['buzzer'].name} to 5 V, {named['diode'].name} across it (option)",
             'class="small"'),
        line((_PLACE + 28, y - 18), (_PLACE + 34, y - 18), colour=INK),
    ]  # fmt: skip
    fuse, bulk = _joining(circuit, "5V", "5V-cable"), _joining(circuit, "5V", "GND")
    if fuse is not None and bulk is not None:
        words = f"5 V: {fuse.name} {fuse.value} to pin 8 of J1 to J4; {bulk.name} {bulk.value} from 5 V to GND"
        parts.append(text(_PIN + 4, y + 44, words, 'class="small"'))
    return parts
