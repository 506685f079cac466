"""The inside of a station, and how a magnet must lie to its sensor: drawings for who solders it."""

from __future__ import annotations

from firmware_bridge.hardware.circuit import Circuit
from firmware_bridge.hardware.fit import sensor_distance_mm
from firmware_bridge.hardware.rules import reach_mm
from firmware_bridge.hardware.svg import circle, drawing, line, rect, text

_COLOURS = {
    "confirm": "#1d4ed8", "shield": "#0f766e", "green": "#1a7f37", "red": "#b3261e", "GND": "#333", "5V": "#d97706",
}  # fmt: skip
_PINS_X, _PARTS_X, _ROW = 130, 360, 34


def station_wiring(circuit: Circuit) -> str:
    """Which pin of the socket goes to which leg, for an LED with a common cathode."""
    pins = {int(pin): name for pin, name in circuit.data["cable"]["pins"].items()}
    parts = [rect(30, 30, 80, 9 * _ROW - 10, 'rx="6" fill="#e5e7eb" stroke="#222" stroke-width="1.6"')]
    parts.append(text(70, 52, "socket", 'text-anchor="middle" class="title"'))
    at = {pin: 60.0 + pin * (_ROW - 4) for pin in range(1, 9)}
    for pin, name in pins.items():
        parts += [circle(_PINS_X - 20, at[pin], 4), text(96, at[pin] + 4, str(pin), 'text-anchor="end" class="pin"')]
        parts.append(text(_PINS_X - 8, at[pin] - 4, name, 'class="small"'))
    joined = (
        (1, 2, "confirm button", "its two contacts, either way"),
        (3, 6, "shield sensor", "reed: either way; hall: see step 3"),
    )
    y = 70.0
    for first, second, title, words in joined:
        parts.append(rect(_PARTS_X, y, 250, 58, 'rx="6" fill="#f8fafc" stroke="#222" stroke-width="1.4"'))
        parts.append(text(_PARTS_X + 40, y + 24, title, 'class="pin"'))
        parts.append(text(_PARTS_X + 40, y + 44, words, 'class="small"'))
        for pin, into in ((first, y + 16), (second, y + 42)):
            parts += _wire(at[pin], into, pins[pin], pin)
        y += 74
    parts.append(rect(_PARTS_X, y, 250, 84, 'rx="6" fill="#f8fafc" stroke="#222" stroke-width="1.4"'))
    parts.append(text(_PARTS_X + 40, y + 20, "LED red/green", 'class="pin"'))
    for pin, into, words in ((4, y + 36, "leg of green"), (5, y + 54, "longest leg (5 V, pin 8, for an anode)"),
                             (7, y + 72, "leg of red")):  # fmt: skip
        parts += _wire(at[pin], into, pins[pin], pin)
        parts.append(text(_PARTS_X + 40, into + 4, words, 'class="small"'))
    return drawing(640, 340, "Wiring of a station", parts)


def _wire(from_y: float, to_y: float, name: str, pin: int) -> list[str]:
    bend = 200 + 18 * pin
    path = ((_PINS_X - 20, from_y), (bend, from_y), (bend, to_y), (_PARTS_X, to_y))
    return [line(*path, colour=_COLOURS[name]), circle(_PARTS_X, to_y, 3.5, f'fill="{_COLOURS[name]}"')]


def sensor_orientation(circuit: Circuit) -> str:
    """A reed and a hall switch below the top plate from the side, with the magnet where it works and where not."""
    parts: list[str] = []
    cases = (
        ("reed: over its end", 62.0, True), ("reed: over its middle", 0.0, False), ("hall: face to face", 0.0, True),
    )  # fmt: skip
    for number, (title, shift, right) in enumerate(cases):
        x = 40.0 + number * 220
        middle = x + 90
        colour = "#1a7f37" if right else "#b3261e"
        parts.append(text(middle, 30, title, f'text-anchor="middle" class="title" style="fill:{colour}"'))
        parts.append(rect(middle + shift - 30, 56, 60, 18, 'fill="#9ca3af" stroke="#222"'))
        parts.append(text(middle + shift, 70, "magnet", 'text-anchor="middle" class="small"'))
        parts.append(rect(x, 84, 180, 18, 'fill="#ecd9b0" stroke="#6b5124"'))
        parts.append(text(x + 6, 97, "top plate", 'class="small"'))
        if title.startswith("reed"):
            parts.append(rect(middle - 62, 106, 124, 16, 'rx="8" fill="none" stroke="#222"'))
            gap = 0.0 if right else 4.0
            parts.append(line((middle - 80, 114), (middle + 8, 114)))
            parts.append(line((middle - 8, 114 - gap), (middle + 80, 114 - gap)))
        else:
            parts.append(rect(middle - 14, 104, 28, 14, 'fill="#374151"'))
            parts.append(text(middle + 20, 116, "printed face up", 'class="small"'))
            parts += [line((middle + dx, 118), (middle + dx, 138)) for dx in (-8, 0, 8)]
        words = "closes" if right else "stays open"
        parts.append(text(middle, 158, words, f'text-anchor="middle" style="fill:{colour}"'))
    foot = (
        f"Magnet to sensor: {sensor_distance_mm():g} mm. The hall switch sees its south pole up to "
        f"{reach_mm(circuit):.0f} mm by the worst case of its data sheet."
    )
    parts.append(text(40, 190, foot, 'class="small"'))
    return drawing(700, 205, "How the magnet lies to the sensor", parts)
