"""Readings of a scene set's pictures as JSON: the form that is compared with the truth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vision.grid import CellReading, CellState, GridReading
from vision.pose import NotLocated
from vision.reader import SURE, TableReading
from vision.tally import TallyReading

ALTERNATIVES = 4


def table_json(image: str, reading: TableReading) -> dict[str, Any]:
    """The reading of a picture of the grid, with the boards that were looked for."""
    if reading.grid is None:
        reason = reading.pose.reason if isinstance(reading.pose, NotLocated) else ""
        camera = {"located": False, "by": None, "reason": reason}
        return {"image": image, "sure": False, "corner": None, "camera": camera, "cells": [], "boards": []}
    assert not isinstance(reading.pose, NotLocated)
    boards = [
        {
            "seat": board.seat_deg,
            "found": board.found,
            "slots": [{"row": c.row, "col": c.col, "colour": c.colour, "p": round(c.p, 4)} for c in board.slots],
            "sure": board.p >= SURE,
            "p": round(board.p, 4),
        }
        for board in reading.boards
    ]
    return {
        "image": image,
        "sure": grid_is_sure(reading.grid) and all(b["sure"] for b in boards),
        "corner": reading.grid.corner.corner,
        "camera": {"located": True, "by": reading.pose.by},
        "cells": [cell_json(cell) for cell in reading.grid.cells],
        "boards": boards,
    }


def cell_json(cell: CellReading) -> dict[str, Any]:
    """One cell: its state, tile, probability, turn, alternatives and pieces."""
    out: dict[str, Any] = {"row": cell.row, "col": cell.col, "state": cell.state.value, "p": round(cell.p, 4)}
    if cell.state is CellState.TILE:
        out |= {"tile": cell.face, "turn": cell.turn}
    if cell.state in (CellState.TILE, CellState.UNKNOWN):
        others = [a for a in cell.alternatives if a[0] != cell.face]
        out["alternatives"] = [[face, round(p, 4)] for face, p in others[:ALTERNATIVES]]
        out |= {"cubes": dict(cell.cubes), "cubes_p": round(cell.cubes_p, 4)}
    return out


def grid_is_sure(grid: GridReading) -> bool:
    """Whether every cell that is not covered was recognised with all its pieces above the accepted level."""
    return all(
        cell.state in (CellState.EMPTY, CellState.COVERED) or (cell.state is CellState.TILE and cell.cubes_p >= SURE)
        for cell in grid.cells
    )


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
