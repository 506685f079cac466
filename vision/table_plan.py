"""What a layout.json tells of a game's table: slots by number of players, sizes, markers, colours of pieces."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.core.errors import DataError
from companion.core.layout import SlotOutline, TableLayout
from vision.colours import PieceColours
from vision.map_reader import SpacePiece
from vision.markers import MarkerLayout

HOLDS = ("tile", "card", "gap", "location")
TURNS = (1, 2, 4)


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table for every number of players that its layouts name. `colours`: as a flat scan would show the pieces.

    `compound`: pieces of several spaces, which lie in slots for locations.
    """

    game: str
    layouts: Mapping[int, TableLayout]
    colours: PieceColours
    markers: MarkerLayout
    compound: tuple[SpacePiece, ...] = ()


def is_table_plan(path: Path) -> bool:
    """Whether a layout.json names slots, and not only a grid of tiles."""
    return "slots" in _document(path)


def read_table_plan(path: Path) -> TablePlan:
    """The plan in a layout.json. Raises DataError naming what is missing or wrong."""
    data = _document(path)
    try:
        markers, pieces = data["markers"], data["pieces"]
        colours = {str(k): (int(v[0]), int(v[1]), int(v[2])) for k, v in pieces["colours"].items()}
        layouts = {
            int(players): TableLayout(
                tuple(_slot(entry) for entry in slots),
                float(data["face_thickness"]),
                float(pieces["height"]),
                float(pieces["side"]),
                bool(pieces["round"]),
            )
            for players, slots in data["slots"].items()
        }
        centres = {int(k): (float(v[0]), float(v[1])) for k, v in markers["centres"].items()}
        return TablePlan(
            str(data["game"]),
            layouts,
            PieceColours.from_rgb(colours),
            MarkerLayout(str(markers["dictionary"]), float(markers["side"]), centres),
            tuple(_compound(entry) for entry in data.get("compound", ())),
        )
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise DataError(f"expected the slots of a game's table, got {error!r}", where=str(path)) from error


def plan_json(
    game: str,
    layouts: Mapping[int, TableLayout],
    rgb: Mapping[str, tuple[int, int, int]],
    markers: MarkerLayout,
    compound: Sequence[SpacePiece] = (),
) -> dict[str, Any]:
    """What `read_table_plan` reads, as JSON. `layouts`: players -> layout, with the same sizes; `rgb`: the pieces."""
    sizes = next(iter(layouts.values()))
    return {
        "units": "mm; origin in the middle of the markers, x right, y towards the bottom seat, z into the table",
        "game": game,
        "markers": {
            "dictionary": markers.dictionary,
            "side": markers.side_mm,
            "centres": {str(k): list(v) for k, v in markers.centres_mm.items()},
        },
        "face_thickness": sizes.face_thickness_mm,
        "pieces": {
            "side": sizes.piece_side_mm,
            "height": sizes.piece_height_mm,
            "round": sizes.round_pieces,
            "colours": {name: list(colour) for name, colour in rgb.items()},
        },
        "slots": {
            str(players): [
                {
                    "slot": o.slot, "holds": o.holds, "corners": [list(corner) for corner in o.corners_mm],
                    "turns": o.turns,
                }
                for o in layout.slots
            ]
            for players, layout in layouts.items()
        },
        "compound": [
            {"name": piece.name, "faces": list(piece.faces), "middles": [list(xy) for xy in piece.middles_mm]}
            for piece in compound
        ],
    }


def _slot(entry: Mapping[str, Any]) -> SlotOutline:
    holds = str(entry["holds"])
    if holds not in HOLDS:
        raise ValueError(f"slot {entry['slot']} holds one of {', '.join(HOLDS)}, got {holds}")
    turns = int(entry.get("turns", 1))
    if turns not in TURNS:
        raise ValueError(f"slot {entry['slot']} tells {', '.join(map(str, TURNS))} turns apart, got {turns}")
    return SlotOutline(str(entry["slot"]), tuple((float(x), float(y)) for x, y in entry["corners"]), holds, turns)


def _compound(entry: Mapping[str, Any]) -> SpacePiece:
    middles = tuple((float(x), float(y)) for x, y in entry["middles"])
    faces = tuple(str(face) for face in entry["faces"])
    if len(faces) != len(middles):
        raise ValueError(f"{entry['name']} has {len(faces)} faces and {len(middles)} middles")
    return SpacePiece(str(entry["name"]), faces, middles)


def _document(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"expected a JSON file, got {error}", where=str(path)) from error
    if not isinstance(data, dict):
        raise DataError("expected an object", where=str(path))
    return data
