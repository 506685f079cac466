"""The board to scale: each part in its holes, each net as short wires, and what is wrong with a layout."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_bridge.hardware.circuit import Circuit, Component, Hole, arduino_pins
from firmware_bridge.hardware.svg import circle, drawing, line, rect, text

_MARGIN_MM = 6.0
_NET_COLOURS = {"5V": "#b3261e", "GND": "#333", "5V-cable": "#d97706"}
_OTHER = ("#1d4ed8", "#0f766e", "#7c3aed", "#be185d", "#4d7c0f")


def _length(a: Hole, b: Hole) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def links(circuit: Circuit) -> list[tuple[str, Hole, Hole]]:
    """The wires to solder: for each net the shortest tree that joins all its holes (Prim, distances along the grid)."""
    found = []
    for net, legs in sorted(circuit.nets().items()):
        holes = sorted(part.legs[index].hole for part, index in legs)
        joined, left = [holes[0]], holes[1:]
        while left:
            a, b = min(((a, b) for a in joined for b in left), key=lambda pair: (_length(*pair), pair))
            found.append((net, a, b))
            joined.append(b)
            left.remove(b)
    return found


def _body(component: Component) -> tuple[float, float, float, float]:
    """(left, top, right, bottom) of what a part covers, in holes."""
    columns = [leg.hole[0] for leg in component.legs]
    rows = [leg.hole[1] for leg in component.legs]
    return min(columns) - 0.35, min(rows) - 0.35, max(columns) + 0.35, max(rows) + 0.35


def layout_faults(circuit: Circuit) -> Iterator[str]:
    """What is wrong: holes used twice, parts beyond the edge or over each other, nets that are not joined."""
    board = circuit.data["board"]
    used: dict[Hole, str] = {}
    for component in circuit.components:
        for leg in component.legs:
            column, row = leg.hole
            if not (0 <= column < board["columns"] and 0 <= row < board["rows"]):
                yield f"{component.name} stands in hole {leg.hole}, beyond the edge of the board"
            if leg.hole in used:
                yield f"{component.name} and {used[leg.hole]} share hole {leg.hole}"
            used[leg.hole] = component.name
    bodies = [(each.name, _body(each)) for each in circuit.components]
    for number, (name, (left, top, right, bottom)) in enumerate(bodies):
        for other, (l2, t2, r2, b2) in bodies[number + 1 :]:
            if left < r2 and l2 < right and top < b2 and t2 < bottom:
                yield f"{name} lies over {other}"
    for axis, count in (("columns", board["size_mm"][0]), ("rows", board["size_mm"][1])):
        if (board[axis] - 1) * board["pitch_mm"] > count:
            yield f"{board[axis]} {axis} do not fit on {count} mm"


def _colours(circuit: Circuit) -> dict[str, str]:
    others = [net for net in sorted(circuit.nets()) if net not in _NET_COLOURS]
    return _NET_COLOURS | {net: _OTHER[n % len(_OTHER)] for n, net in enumerate(others)}


def _part(component: Component, pitch: float, at: tuple[float, float], pins: list[str]) -> list[str]:
    left, top, right, bottom = (value * pitch for value in _body(component))
    x, y = at
    fill = {"arduino": "#dbeafe", "connector": "#e5e7eb", "resistor": "#f5e6c8", "capacitor": "#fde68a"}
    more = f'rx="0.6" fill="{fill.get(component.kind, "#ede9fe")}" stroke="#222" stroke-width="0.2" fill-opacity="0.85"'
    parts = [rect(x + left, y + top, right - left, bottom - top, more)]
    centre_x, centre_y = x + (left + right) / 2, y + (top + bottom) / 2
    tall = bottom - top > right - left
    turn = f'transform="rotate(-90 {centre_x:g} {centre_y:g})"' if tall else ""
    words = f"{component.name} {component.value}" if component.kind == "resistor" else component.name
    size = "2.6px" if component.kind == "arduino" else "1.7px"
    style = f'style="font-size:{size}" text-anchor="middle" {turn}'
    parts.append(text(centre_x, centre_y + (0.6 if component.kind != "connector" else 2.6), words, style))
    if component.kind == "connector":
        one = component.legs[0].hole
        parts.append(text(x + one[0] * pitch - 2.2, y + one[1] * pitch + 0.6, "1", 'style="font-size:1.7px"'))
    if component.kind == "arduino":
        half = len(component.legs) // 2
        for index, leg in enumerate(component.legs):
            px, py = x + leg.hole[0] * pitch, y + leg.hole[1] * pitch
            down = 1.9 if index < half else -1.1
            parts.append(text(px, py + down, pins[index], 'style="font-size:1.2px" text-anchor="middle"'))
    return parts


def perfboard(circuit: Circuit) -> str:
    """The board from above, true to size when printed; wires (below it) as lines from hole to hole."""
    board, colours, pins = circuit.data["board"], _colours(circuit), arduino_pins(circuit.data)
    pitch, (width, height) = board["pitch_mm"], board["size_mm"]
    x = _MARGIN_MM + (width - (board["columns"] - 1) * pitch) / 2
    y = _MARGIN_MM + (height - (board["rows"] - 1) * pitch) / 2
    parts = [rect(_MARGIN_MM, _MARGIN_MM, width, height, 'rx="1" fill="#f1f5e9" stroke="#222" stroke-width="0.3"')]
    for column in range(board["columns"]):
        for row in range(board["rows"]):
            hole = 'fill="#fff" stroke="#9ca3af" stroke-width="0.1"'
            parts.append(circle(x + column * pitch, y + row * pitch, 0.45, hole))
    for component in circuit.components:
        parts += _part(component, pitch, (x, y), pins)
    for net, (c1, r1), (c2, r2) in links(circuit):
        ends = (x + c1 * pitch, y + r1 * pitch), (x + c2 * pitch, y + r2 * pitch)
        parts.append(line(*ends, colour=colours[net], width=0.35, more='stroke-opacity="0.8"'))
        parts += [circle(px, py, 0.5, f'fill="{colours[net]}"') for px, py in ends]
    foot = f"board {width:g} x {height:g} mm, seen from above; lines: insulated wires below"
    parts.append(text(_MARGIN_MM, height + 2 * _MARGIN_MM + 1, foot, 'style="font-size:2.4px"'))
    return drawing(width + 2 * _MARGIN_MM, height + 2 * _MARGIN_MM + 4, "Layout of the board", parts, "mm")


def link_table(circuit: Circuit) -> str:
    """The wires in Markdown, net by net: which leg to which."""
    at: dict[Hole, str] = {}
    pins = arduino_pins(circuit.data)
    for component in circuit.components:
        for index, leg in enumerate(component.legs):
            leg_name = f"U1 {pins[index]}" if component.kind == "arduino" else f"{component.name}.{index + 1}"
            at[leg.hole] = leg_name
    rows = ["| net | wires |", "|---|---|"]
    by_net: dict[str, list[str]] = {}
    for net, a, b in links(circuit):
        by_net.setdefault(net, []).append(f"{at[a]} to {at[b]}")
    rows += [f"| {net} | {'; '.join(wires)} |" for net, wires in by_net.items()]
    return "\n".join(rows) + "\n"
