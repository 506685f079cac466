"""The plates on a sheet for the laser, true to size, and the boxes as they look, both as SVG."""

from __future__ import annotations

import math
from collections.abc import Callable

from firmware_bridge.hardware.housing import Box, Opening, Plate, Point, data, words
from firmware_bridge.hardware.svg import drawing, rect, text

_GAP_MM = 6.0
_CUT = 'fill="none" stroke="#f00" stroke-width="0.1"'  # what lasers take for a cut
_TURN = math.radians(30)
_FROM_BEHIND = ("bottom", "back", "left")  # plates whose outer face shows their own axes the other way round
_WOOD = {"top": "#ecd9b0", "front": "#dcc290", "right": "#c9a96d"}


def widened(outline: tuple[Point, ...], by: float) -> list[Point]:
    """A counter-clockwise outline with right angles, moved outwards by `by` mm on every side."""
    found = []
    for n, (x, y) in enumerate(outline):
        before, after = outline[n - 1], outline[(n + 1) % len(outline)]
        shift_x = shift_y = 0.0
        for (ax, ay), (bx, by_) in ((before, (x, y)), ((x, y), after)):
            length = math.hypot(bx - ax, by_ - ay)
            shift_x += (by_ - ay) / length * by
            shift_y -= (bx - ax) / length * by
        found.append((x + shift_x, y + shift_y))
    return found


def _path(points: list[Point], more: str) -> str:
    return '<path d="M' + " L".join(f"{x:.3f},{y:.3f}" for x, y in points) + f' Z" {more}/>'


def _outside(plate: Plate, place: Point, at: Point) -> Point:
    """Where a place of a plate is on the sheet, with the plate's outer face up."""
    across = -place[0] if plate.name in _FROM_BEHIND else place[0]
    return at[0] + plate.size[0] / 2 + across, at[1] + plate.size[1] / 2 - place[1]


def _hole(plate: Plate, opening: Opening, at: Point, kerf: float) -> str:
    x, y = _outside(plate, opening.at, at)
    width, height = (each - kerf for each in opening.size)
    if opening.is_round:
        return f'<circle cx="{x:.3f}" cy="{y:.3f}" r="{width / 2:.3f}" {_CUT}/>'
    look = _CUT if opening.through else 'fill="none" stroke="#000" stroke-width="0.2"'
    return rect(round(x - width / 2, 3), round(y - height / 2, 3), width, height, look)


def _label(plate: Plate, opening: Opening, at: Point, language: str) -> str:
    x, y = _outside(plate, opening.label_at, at)
    size = data()["labels_mm"]
    style = f'style="font-size:{size}px" text-anchor="middle"'
    return text(x, y + size / 3, words(opening.label, language), style)


def sheet(box: Box, language: str) -> str:
    """The six plates of a box, outer faces up (their outlines are symmetrical): red is cut, black engraved."""
    kerf = data()["kerf"]
    parts: list[str] = []
    x, y, row, widest = _GAP_MM, _GAP_MM, 0.0, 0.0
    for number, plate in enumerate(box.plates):
        if number in (2, 4):
            x, y, row = _GAP_MM, y + row + _GAP_MM, 0.0
        outline = [(x + px, y + plate.size[1] - py) for px, py in widened(plate.outline, kerf / 2)]
        parts.append(_path(outline, _CUT))
        for opening in plate.openings:
            parts.append(_hole(plate, opening, (x, y), kerf))
            if opening.label:
                parts.append(_label(plate, opening, (x, y), language))
        x, row = x + plate.size[0] + _GAP_MM, max(row, plate.size[1])
        widest = max(widest, x)
    return drawing(widest, y + row + _GAP_MM, f"Plates of the {box.name}, {language}", parts, "mm")


def _on(box: Box, plate: Plate, px: float, py: float) -> Point:
    outer = [each + 2 * data()["thickness"] for each in box.inside]
    x, y, z = {"top": (px, py, outer[2]), "front": (px, 0.0, py), "right": (outer[0], px, py)}[plate.name]
    return (x * math.cos(_TURN) + y * math.cos(_TURN), (x - y) * math.sin(_TURN) - z)


def picture(box: Box, language: str) -> str:
    """The assembled box: drawn from the plates, not photographed."""
    outer = [each + 2 * data()["thickness"] for each in box.inside]
    left, top = 8.0, outer[1] * math.sin(_TURN) + outer[2] + 8.0
    parts = []
    for plate in (each for name in ("front", "right", "top") for each in box.plates if each.name == name):
        def at(px: float, py: float, plate: Plate = plate) -> Point:
            x, y = _on(box, plate, px, py)
            return left + x, top + y

        width, height = plate.size
        whole = [at(*corner) for corner in ((0, 0), (width, 0), (width, height), (0, height))]
        parts.append(_path(whole, 'fill="#a9874f" stroke="#6b5124" stroke-width="0.3"'))
        wood = f'fill="{_WOOD[plate.name]}" stroke="#6b5124" stroke-width="0.3"'
        parts.append(_path([at(*p) for p in plate.outline], wood))
        for opening in plate.openings:
            parts += _seen_opening(plate, opening, at, language)
    wide = (outer[0] + outer[1]) * math.cos(_TURN) + 16
    tall = (outer[0] + outer[1]) * math.sin(_TURN) + outer[2] + 16
    return drawing(wide, tall, f"The {box.name}, rendered", parts, "mm")


def _seen_opening(plate: Plate, opening: Opening, at: Callable[[float, float], Point], language: str) -> list[str]:
    x, y = plate.size[0] / 2 + opening.at[0], plate.size[1] / 2 + opening.at[1]
    half_w, half_h = opening.size[0] / 2, opening.size[1] / 2
    if opening.is_round:
        turns = [math.radians(15 * n) for n in range(24)]
        ring = [at(x + half_w * math.cos(t), y + half_h * math.sin(t)) for t in turns]
    else:
        ring = [at(x + half_w * i, y + half_h * j) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    fill = "#b3261e" if opening.kind == "button" else "#374151" if opening.through else "none"
    parts = [_path(ring, f'fill="{fill}" stroke="#222" stroke-width="0.3"')]
    if opening.label:
        lx, ly = at(plate.size[0] / 2 + opening.label_at[0], plate.size[1] / 2 + opening.label_at[1])
        ax, ay = at(0, 0)
        bx, by = at(1, 0)
        cx, cy = at(0, 1)
        matrix = f"matrix({bx - ax:.4f} {by - ay:.4f} {ax - cx:.4f} {ay - cy:.4f} {lx:.2f} {ly:.2f})"
        words_ = words(opening.label, language)
        parts.append(f'<text transform="{matrix}" text-anchor="middle" style="font-size:5px">{words_}</text>')
    return parts
