"""Whether everything fits into the housing: each part's room, and what stands in another's way."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from firmware_bridge.constants import STATIONS
from firmware_bridge.hardware.housing import Box, Opening, Place, Plate, data

CLEARANCE_MM = 1.0
Room = tuple[str, Place, Place]  # what, its lowest corner, its highest one; mm from the inside's corner
_ARDUINO_ROWS = (8, 16)  # of the board's rows: only there its parts are high
_LOW_MM = 14.0  # the board with its resistors and the plugs on its pins


def _behind(box: Box, plate: Plate, opening: Opening) -> Room | None:
    """The room that a part takes behind its opening."""
    part = data()["parts"][opening.kind]
    depth = part.get("depth", part.get("size", (0, 0, 0))[2] if "size" in part else 0.0)
    width, height = opening.size
    thick, inside = data()["thickness"], box.inside
    x, y = (plate.size[0] / 2 + opening.at[0] - thick, plate.size[1] / 2 + opening.at[1] - thick)
    a, b = (x - width / 2, y - height / 2), (x + width / 2, y + height / 2)
    name = f"{opening.kind} {opening.label}".strip()
    match plate.name:
        case "top":
            return name, (a[0], a[1], inside[2] - depth), (b[0], b[1], inside[2])
        case "back":
            return name, (a[0], inside[1] - depth, a[1]), (b[0], inside[1], b[1])
        case "front":
            return name, (a[0], 0.0, a[1]), (b[0], depth, b[1])
        case "left":
            return name, (0.0, a[0], a[1]), (depth, b[0], b[1])
        case _:
            return None


def rooms(box: Box) -> list[Room]:
    """What is inside a box: the parts behind their openings, and in the centre the board."""
    found = [room for plate in box.plates for each in plate.openings if (room := _behind(box, plate, each)) is not None]
    if box.name == "centre":
        parts = data()["parts"]
        width, depth, height = parts["board"]["size"]
        stand = parts["standoff"]["height"]
        x, y = (box.inside[0] - width) / 2, (box.inside[1] - depth) / 2
        found.append(("board", (x, y, stand), (x + width, y + depth, stand + _LOW_MM)))
        pitch = depth / 26
        low, high = (y + row * pitch for row in _ARDUINO_ROWS)
        found.append(("arduino", (x, low, stand + _LOW_MM), (x + width, high, stand + height)))
    return found


def fit_faults(box: Box) -> Iterator[str]:
    """What does not fit, in a sentence each."""
    found = rooms(box)
    for name, low, high in found:
        for axis in range(3):
            if low[axis] < 0 or high[axis] > box.inside[axis]:
                yield f"{box.name}: {name} needs {low} to {high}, the room is {box.inside}"
    for (name, low, high), (other, low2, high2) in combinations(found, 2):
        gaps = [max(low[n] - high2[n], low2[n] - high[n]) for n in range(3)]
        if max(gaps) < CLEARANCE_MM and {name, other} != {"board", "arduino"}:
            yield f"{box.name}: {name} and {other} are {max(gaps):.1f} mm apart"
    for plate in box.plates:
        yield from _plate_faults(box, plate)
    if box.name == "centre":
        sockets = sum(each.kind == "rj45" for plate in box.plates for each in plate.openings)
        if sockets != STATIONS:
            yield f"the centre has {sockets} sockets for {STATIONS} stations"


def _plate_faults(box: Box, plate: Plate) -> Iterator[str]:
    edge = 2 * data()["thickness"]
    for each in plate.openings:
        for axis in (0, 1):
            reach = abs(each.at[axis]) + each.size[axis] / 2
            if reach > plate.size[axis] / 2 - edge:
                yield f"{box.name}, {plate.name}: {each.kind} at {each.at} is too near the edge"
    for a, b in combinations(plate.openings, 2):
        apart = max(abs(a.at[n] - b.at[n]) - (a.size[n] + b.size[n]) / 2 for n in (0, 1))
        if apart < edge:
            yield f"{box.name}, {plate.name}: {a.kind} and {b.kind} are {apart:.1f} mm apart"


def sensor_distance_mm() -> float:
    """From the face of the shield's magnet to the sensor below the top plate."""
    parts = data()["parts"]
    return float(parts["shield"]["foot"] + data()["thickness"] + parts["sensor"]["below"])
