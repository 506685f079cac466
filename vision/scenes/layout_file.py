"""What a layout.json says of a game's table: slots by number of players, sizes, markers, colours of pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.core.errors import DataError
from companion.core.files import parse_json, read_text
from companion.core.layout import Coin, PieceShape, SlotOutline, TableLayout
from vision.appearance.picture_light import PieceColours
from vision.locate.markers import MarkerLayout
from vision.tables.boards import BoardPlan
from vision.tables.grid import GridPlan
from vision.tables.maps.space_pieces import SpacePiece
from vision.tables.place import CARD, GAP, LOCATION, TILE

HOLDS = (TILE, CARD, GAP, LOCATION)
PURSE = "purse"
TURNS = (1, 2, 4, 6)


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table for every number of players that its layouts name. `colours`: as a flat scan would show the pieces.

    `compound`: pieces of several spaces, which lie in slots for locations. `boards`: the players' boards beside a grid,
    None without; `seat_colours`: the colours of the first, second … seat, where they are fixed. `game` is empty where
    the file names none.
    """

    game: str
    layouts: Mapping[int, TableLayout]
    colours: PieceColours
    markers: MarkerLayout
    compound: tuple[SpacePiece, ...] = ()
    boards: BoardPlan | None = None
    seat_colours: tuple[str, ...] = ()

    def layout(self, players: int) -> TableLayout:
        """The table for so many players. Raises DataError naming those that there are."""
        if players not in self.layouts:
            raise DataError(f"layouts are for {sorted(self.layouts)} players, got {players}", where="layout.json")
        return self.layouts[players]

    @property
    def grid(self) -> GridPlan | None:
        """A grid of the plan, for the size of its tiles; None for tables that are laid out otherwise."""
        return GridPlan.of(next(iter(self.layouts.values())))


def read_table_plan(path: Path) -> TablePlan:
    """The plan in a layout.json: slots by number of players, or the rows and columns of a grid of tiles.

    Raises DataError naming what is missing or wrong.
    """
    data = _document(path)
    try:
        markers = data["markers"]
        centres = {int(k): (float(v[0]), float(v[1])) for k, v in markers["centres"].items()}
        layout = MarkerLayout(str(markers["dictionary"]), float(markers["side"]), centres)
        return _slots_plan(data, layout) if "slots" in data else _grid_plan(data, layout)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise DataError(f"expected the sizes and slots of a table, got {error!r}", where=str(path)) from error


def _slots_plan(data: Mapping[str, Any], markers: MarkerLayout) -> TablePlan:
    pieces, purses = data["pieces"], data.get("purses", {})
    coins = tuple(Coin(int(one["value"]), float(one["width"])) for one in data.get("coins", ()))
    layouts = {
        int(players): TableLayout(
            tuple(_slot(entry) for entry in slots),
            float(data["face_thickness"]),
            float(pieces["height"]),
            float(pieces["side"]),
            _shape(pieces),
            tokens=tuple(map(str, pieces.get("tokens", ()))),
            corner_tokens=tuple(map(str, pieces.get("corner_tokens", ()))),
            purses=tuple(SlotOutline(str(one["slot"]), _corners(one), PURSE) for one in purses.get(players, ())),
            coins=coins,
        )
        for players, slots in data["slots"].items()
    }
    compound = tuple(_compound(entry) for entry in data.get("compound", ()))
    return TablePlan(str(data["game"]), layouts, _colours(pieces), markers, compound)


def _grid_plan(data: Mapping[str, Any], markers: MarkerLayout) -> TablePlan:
    tile, grid, cube, board = (data[k] for k in ("tile", "grid", "cube", "board"))
    thickness_mm, (x, y), (right, below) = float(tile["thickness"]), grid["centre"], board["slot_origin"]
    side_mm = float(cube["side"])
    layouts = {}
    for players, (rows, cols) in grid["rows_cols"].items():
        plan = GridPlan(
            int(rows), int(cols), float(grid["pitch"]), float(tile["side"]), thickness_mm, (float(x), float(y))
        )
        layouts[int(players)] = plan.layout(float(cube.get("height", side_mm)), side_mm, _shape(cube))
    boards = BoardPlan(
        float(board["width"]), float(board["height"]), float(board["slot_pitch"]),
        thickness_mm=thickness_mm, origin_mm=(float(right), float(below)),
    )  # fmt: skip
    seats = tuple(str(colour) for colour in cube.get("seat_colours", cube["colours"]))
    return TablePlan(str(data.get("game", "")), layouts, _colours(cube), markers, (), boards, seats)


def _colours(pieces: Mapping[str, Any]) -> PieceColours:
    return PieceColours.from_rgb({str(k): (int(r), int(g), int(b)) for k, (r, g, b) in pieces["colours"].items()})


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
            "shape": sizes.piece_shape.value,
            "tokens": list(sizes.tokens),
            "corner_tokens": list(sizes.corner_tokens),
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
        "purses": {
            str(players): [{"slot": o.slot, "corners": [list(xy) for xy in o.corners_mm]} for o in layout.purses]
            for players, layout in layouts.items()
        },
        "coins": [{"value": coin.value, "width": coin.width_mm} for coin in sizes.coins],
        "compound": [
            {"name": piece.name, "faces": list(piece.faces), "middles": [list(xy) for xy in piece.middles_mm]}
            for piece in compound
        ],
    }


def _shape(pieces: Mapping[str, Any]) -> PieceShape:
    """The pieces' shape; files of earlier versions only say whether they are round."""
    if "shape" in pieces:
        return PieceShape(pieces["shape"])
    return PieceShape.ROUND if pieces.get("round") else PieceShape.SQUARE


def _slot(entry: Mapping[str, Any]) -> SlotOutline:
    holds = str(entry["holds"])
    if holds not in HOLDS:
        raise ValueError(f"slot {entry['slot']} holds one of {', '.join(HOLDS)}, got {holds}")
    turns = int(entry.get("turns", 1))
    if turns not in TURNS:
        raise ValueError(f"slot {entry['slot']} tells {', '.join(map(str, TURNS))} turns apart, got {turns}")
    return SlotOutline(str(entry["slot"]), _corners(entry), holds, turns)


def _corners(entry: Mapping[str, Any]) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in entry["corners"])


def _compound(entry: Mapping[str, Any]) -> SpacePiece:
    middles = tuple((float(x), float(y)) for x, y in entry["middles"])
    faces = tuple(str(face) for face in entry["faces"])
    if len(faces) != len(middles):
        raise ValueError(f"{entry['name']} has {len(faces)} faces and {len(middles)} middles")
    return SpacePiece(str(entry["name"]), faces, middles)


def _document(path: Path) -> dict[str, Any]:
    try:
        data = parse_json(read_text(path))
    except (OSError, ValueError) as error:
        raise DataError(f"expected a JSON file, got {error}", where=str(path)) from error
    if not isinstance(data, dict):
        raise DataError("expected an object", where=str(path))
    return data
