"""Readings of a scene set's pictures as JSON: the form that is compared with the truth."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from companion.core.messages import Message
from companion.core.types import Slot
from vision.locate.pose import NotLocated
from vision.spread.tally_reading import TallyReading
from vision.tables.boards import BoardReading
from vision.tables.place import CARD, SURE, TILE, PlaceReading, PlaceState
from vision.tables.table_reader import TableReading

ALTERNATIVES = 4


def table_json(image: str, reading: TableReading, asks: Mapping[Slot, Message] | None = None) -> dict[str, Any]:
    """The reading of a picture of a grid, with the boards that were looked for. `asks`: see `what_to_do`."""
    return {
        "image": image,
        "sure": reading.is_sure and all(board.p >= SURE for board in reading.boards),
        "corner": None if reading.corner is None else reading.corner.corner,
        "camera": _camera_json(reading),
        "cells": [cell_json(one) for one in reading.places],
        "boards": [_board_json(board) for board in reading.boards],
        "asks": {slot: str(why) for slot, why in (asks or {}).items()},
    }


def layout_json(image: str, reading: TableReading) -> dict[str, Any]:
    """The reading of a picture of any other table: its slots."""
    out: dict[str, Any] = {"image": image, "sure": reading.is_sure, "camera": _camera_json(reading)}
    if not isinstance(reading.pose, NotLocated):
        out["hidden_colours"] = list(reading.hidden)
    return out | {"slots": [_slot_json(one) for one in reading.places]}


def _camera_json(reading: TableReading) -> dict[str, Any]:
    if isinstance(reading.pose, NotLocated):
        return {"located": False, "by": None, "reason": reading.pose.reason}
    return {"located": True, "by": reading.pose.by}


def row_col(slot: Slot) -> tuple[int, int]:
    """(row, column), counted from 0, of a cell of a grid. Raises ValueError for another slot."""
    found = re.fullmatch(r"r(\d+)c(\d+)", slot)
    if found is None:
        raise ValueError(f"expected a cell as r2c3, got {slot}")
    return int(found[1]) - 1, int(found[2]) - 1


def cell_json(one: PlaceReading) -> dict[str, Any]:
    """One cell of a grid: its state, tile, probability, turn, alternatives and pieces."""
    row, col = row_col(one.slot)
    is_tile = one.state is PlaceState.FACE
    out: dict[str, Any] = {"row": row, "col": col, "state": TILE if is_tile else one.state.value, "p": round(one.p, 4)}
    if is_tile:
        out |= {"tile": one.face, "turn": one.turn}
    if one.state in (PlaceState.FACE, PlaceState.UNKNOWN):
        out |= {"alternatives": _others(one), "cubes": dict(one.pieces), "cubes_p": round(one.pieces_p, 4)}
    return out


def _slot_json(one: PlaceReading) -> dict[str, Any]:
    out: dict[str, Any] = {"slot": one.slot, "holds": one.holds, "state": one.state.value, "sure": one.is_sure}
    if one.state is PlaceState.FACE:
        out |= {"face": one.face, "p": round(one.p, 4), "turn": one.turn}
    if one.state in (PlaceState.FACE, PlaceState.UNKNOWN):
        out["alternatives"] = _others(one)
    if one.holds != CARD and one.is_readable:
        out |= {"pieces": dict(one.pieces), "pieces_p": round(one.pieces_p, 4)}
        out["feet_mm"] = [[f.colour, round(f.foot_mm[0], 1), round(f.foot_mm[1], 1)] for f in one.found]
    return out


def _others(one: PlaceReading) -> list[list[Any]]:
    return [[face, round(p, 4)] for face, p in one.alternatives if face != one.face][:ALTERNATIVES]


def _board_json(board: BoardReading) -> dict[str, Any]:
    return {
        "seat": board.seat_deg,
        "found": board.found,
        "slots": [{"row": c.row, "col": c.col, "colour": c.colour, "p": round(c.p, 4)} for c in board.slots],
        "sure": board.p >= SURE,
        "p": round(board.p, 4),
    }


def tally_json(image: str, reading: TallyReading, score: Mapping[str, int]) -> dict[str, Any]:
    """The reading of captured tiles with their score: points of tiles, of sets, total."""
    tiles = []
    for tile in reading.tiles:
        x, y = tile.centre_px
        entry: dict[str, Any] = {"tile": tile.face, "p": round(tile.p, 4), "xy_px": [round(x, 1), round(y, 1)]}
        entry["alternatives"] = [[f, round(p, 4)] for f, p in tile.alternatives if f != tile.face][:ALTERNATIVES]
        tiles.append(entry)
    camera = {"located": reading.located_by != "nothing", "by": reading.located_by}
    return {
        "image": image,
        "sure": reading.sure,
        "camera": camera,
        "tiles": tiles,
        "score": dict(score),
        "doubts": list(reading.doubts),
    }
