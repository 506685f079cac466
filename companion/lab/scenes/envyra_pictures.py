"""Pictures of Envyra tables with their truth: playing grids, player boards, tallies, enrolment views."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.sample_edition.art import BOARD_MM
from companion.lab.render.camera import Camera
from companion.lab.render.edition import Edition, best_sets
from companion.lab.render.layout import (
    CUBE_MM,
    ROWS_COLS,
    SEAT_XY_MM,
    TILE_MM,
    TILE_THICKNESS_MM,
    board_slabs,
    cell_centre_mm,
    corner_card_slab,
    cube_slab,
    grid_extent_mm,
    half_of_grid_mm,
    marker_slabs,
    markers_extent_mm,
)
from companion.lab.render.lights import LIGHTS
from companion.lab.render.picture import RenderedScene
from companion.lab.render.pieces import SKIN_TONES, SLEEVES, Limb, Slab, hand, rectangle
from companion.lab.render.surfaces import TABLES
from companion.lab.scenes.profile import PLAIN, Profile, Room, make_room, take

Floats = NDArray[np.float64]
Truth = dict[str, Any]
Cell = tuple[int, int]

Sizes = tuple[tuple[int, int], ...]
"""Picture sizes (width, height): playing grids take turns, all else takes the last."""

WEBCAMS: Sizes = ((1280, 720), (1920, 1080))
CORNERS = ("tl", "tr", "br", "bl")


@dataclass(slots=True)
class Placed:
    """A table being laid: pieces in mm and colours; turned into slabs and truth once the camera is known."""

    tiles: dict[Cell, tuple[str, Floats, float]] = field(default_factory=dict)
    cubes: list[tuple[str, Cell, Floats, float]] = field(default_factory=list)


def place_cubes(rng: np.random.Generator, centre_mm: Floats, count: int) -> list[tuple[Floats, float]]:
    """Places (xy, deg) of cubes on a tile: apart, or sometimes touching, with the whole foot on the tile."""
    reach = TILE_MM / 2 - CUBE_MM * 0.72  # the foot of a cube turned by 45 degrees still stands on the tile
    places: list[tuple[Floats, float]] = []
    while len(places) < count:
        if places and rng.random() < 0.2:  # side by side with the one before
            (x, y), deg = places[-1][0], places[-1][1]
            away = np.deg2rad(deg + 90 * rng.integers(4))
            offset = np.array([x, y]) + np.array([np.cos(away), np.sin(away)]) * (CUBE_MM + 0.3) - centre_mm
        else:
            offset, deg = rng.uniform(-reach, reach, 2), float(rng.uniform(0, 90))
        distances = [np.linalg.norm(centre_mm + offset - other) for other, _ in places]
        touching_ok = all(d > CUBE_MM * 1.42 for d in distances[:-1]) and (not distances or distances[-1] >= CUBE_MM)
        fits = all(d > CUBE_MM * 1.42 for d in distances) or (touching_ok and places and deg == places[-1][1])
        if fits and (np.abs(offset) <= reach).all():
            places.append((centre_mm + offset, deg))
    return places


def lay_grid(
    edition: Edition,
    rng: np.random.Generator,
    players: int,
    *,
    turned: bool,
    gaps: float,
    cubes: float,
    profile: Profile = PLAIN,
) -> Placed:
    """A playing grid in mid-game: random tiles, gaps with chance `gaps`, cubes on a share `cubes` of the tiles."""
    rows, cols = ROWS_COLS[players]
    ids = [edition.tiles[k].id for k in rng.permutation(len(edition.tiles))[: rows * cols]]
    colours = list(edition.cube_colours)[:players]
    placed = Placed()
    for k, tile_id in enumerate(ids):
        cell = divmod(k, cols)
        if rng.random() < gaps:
            continue
        centre = cell_centre_mm(*cell, (rows, cols))
        xy, deg = profile.tile_place(rng, centre, turned, [(at, turn) for _, at, turn in placed.tiles.values()])
        placed.tiles[cell] = (tile_id, xy, deg)
        room_left = edition.tile(tile_id).cubes - 1
        if room_left and rng.random() < cubes:
            for place, angle in place_cubes(rng, xy, int(rng.integers(1, min(room_left, 4) + 1))):
                placed.cubes.append((str(rng.choice(colours)), cell, place, angle))
    return placed


def slabs_of(edition: Edition, placed: Placed, room: Room, profile: Profile = PLAIN) -> list[Slab]:
    """The tiles and cubes of a laid table."""
    slabs = [slab for tile in placed.tiles.values() for slab in profile.tile(edition, room, *tile)]
    return slabs + [cube_slab(edition, colour, xy, deg) for colour, _, xy, deg in placed.cubes]


def tile_truth(camera: Camera, tile_id: str, xy: Floats, deg: float) -> Truth:
    """A tile as the truth files write it."""
    corners = np.column_stack([rectangle(TILE_MM, TILE_MM, xy, deg), np.full(4, -TILE_THICKNESS_MM)])
    return {
        "tile": tile_id,
        "deg": round(deg, 2),
        "xy": np.round(xy, 2).tolist(),
        "corners_px": np.round(camera.project(corners), 2).tolist(),
    }


def _cube_truth(camera: Camera, colour: str, xy: Floats, bottom_mm: float) -> Truth:
    top = np.array([[*xy, -bottom_mm - CUBE_MM]])
    return {"colour": colour, "xy": np.round(xy, 2).tolist(), "px": np.round(camera.project(top)[0], 2).tolist()}


def grid_truth(
    edition: Edition,
    placed: Placed,
    players: int,
    corner: str,
    room: Room,
    boards: list[Truth],
    markers: bool,
    hidden: dict[Cell, float],
) -> Truth:
    """The truth of a grid or boards picture. `hidden` (share of each cell behind a hand) is an extra of these sets."""
    rows, cols = ROWS_COLS[players]
    cells = []
    for cell in np.ndindex(rows, cols):
        where = {"row": cell[0], "col": cell[1]}
        if cell in placed.tiles:
            cells.append(where | tile_truth(room.camera, *placed.tiles[cell]))
        else:
            cells.append(where | {"tile": None})
        if hidden.get(cell, 0.0) > 0:
            cells[-1]["hidden"] = round(hidden[cell], 3)
    cubes = [
        {"row": cell[0], "col": cell[1]} | _cube_truth(room.camera, colour, xy, TILE_THICKNESS_MM)
        for colour, cell, xy, _ in placed.cubes
    ]
    return {
        "players": players,
        "edition": edition.name,
        "corner": corner,
        "cells": cells,
        "cubes": cubes,
        "boards": boards,
        "markers": markers,
        "hand": bool(hidden),
        "camera": room.camera.as_truth(),
        "conditions": {"table": room.table, "light": room.light.name},
    }


def grid_picture(
    edition: Edition, seed: int, number: int, sizes: Sizes, profile: Profile = PLAIN
) -> tuple[bytes, Truth, Truth]:
    """Picture, truth and job of the grid number `number`: kinds follow from the number, the rest from the seed."""
    rng = np.random.default_rng([seed, 10, number])
    players = 2 + number % 3
    rows_cols = ROWS_COLS[players]
    markers, with_hand = number % 13 != 12, number % 11 == 7
    corner = CORNERS[number // 7 % 4]
    room = profile.room(
        rng,
        sizes[number % len(sizes)],
        TABLES[number % 5],
        LIGHTS[number // 5 % 4],
        markers_extent_mm(),
        slack=(1.02, 1.22),
    )
    placed = lay_grid(
        edition,
        rng,
        players,
        turned=number % 4 == 3,
        gaps=0.08 if number % 3 == 0 else 0.0,
        cubes=rng.uniform(0.2, 0.8),
        profile=profile,
    )
    slabs = [corner_card_slab(corner, rows_cols, rng), *slabs_of(edition, placed, room, profile)]
    slabs += marker_slabs(rng) if markers else []
    slabs += profile.beside(rng, edition.cube_colours, room, [grid_extent_mm(rows_cols)])
    limbs: tuple[Limb, ...] = ()
    if with_hand:
        cell = (int(rng.integers(rows_cols[0])), int(rng.integers(rows_cols[1])))
        target = cell_centre_mm(*cell, rows_cols) + rng.normal(0, 8, 2)
        skin = SKIN_TONES[rng.integers(len(SKIN_TONES))]
        sleeve = SLEEVES[rng.integers(len(SLEEVES))] if rng.random() < 0.5 else None
        limbs = hand(rng, (float(target[0]), float(target[1])), float(rng.choice([0, 90, 180, 270])), skin, sleeve)
    else:
        limbs = profile.resting(rng, half_of_grid_mm(rows_cols), (0, 90, 180, 270))
    jpeg, painter = take(room, slabs, rng, limbs)
    hidden = {}
    if with_hand:
        scene = RenderedScene(room.surface, 0.0, (), limbs)
        for cell in np.ndindex(*rows_cols):
            area = rectangle(TILE_MM, TILE_MM, cell_centre_mm(*cell, rows_cols))
            hidden[cell] = painter.hidden_by_limbs(scene, area, TILE_THICKNESS_MM)
    truth = grid_truth(edition, placed, players, corner, room, [], markers, hidden)
    return jpeg, truth, {"kind": "grid", "camera_size": list(room.camera.size), "players": players}


def board_picture(
    edition: Edition, seed: int, number: int, sizes: Sizes, profile: Profile = PLAIN
) -> tuple[bytes, Truth, Truth]:
    """Picture, truth and job of a reveal: the grid without cubes and a board at every seat."""
    rng = np.random.default_rng([seed, 20, number])
    players = 2 + number % 3
    rows_cols = ROWS_COLS[players]
    seats = (0, 180) if players == 2 else (0, 90, 180, 270)[:players]
    extents = [rectangle(*BOARD_MM, SEAT_XY_MM[seat]) for seat in seats]
    must_see = np.concatenate([markers_extent_mm(), *extents])
    room = profile.room(
        rng,
        sizes[-1],
        TABLES[(number + 1) % 5],
        LIGHTS[number % 4],
        must_see,
        tilt_deg=16,
        roll_deg=7,
        slack=(1.0, 1.1),
    )
    placed = lay_grid(
        edition, rng, players, turned=False, gaps=0.0, cubes=0.25 if number % 2 else 0.0, profile=profile
    )
    slabs = [corner_card_slab("tl", rows_cols, rng), *slabs_of(edition, placed, room, profile), *marker_slabs(rng)]
    boards = []
    for seat, colour in zip(seats, edition.cube_colours, strict=False):
        cells = list(placed.tiles)
        chosen = [cells[k] for k in rng.permutation(len(cells))[: rng.integers(1, 3)]]
        deg = float(rng.uniform(-4, 4))
        slabs += board_slabs(edition, seat, deg, colour, chosen, rng)
        slots = [{"row": row, "col": col, "colour": colour} for row, col in chosen]
        boards.append(
            {"seat": seat, "colour": colour, "xy": list(SEAT_XY_MM[seat]), "deg": round(deg, 2), "slots": slots}
        )
    jpeg, _ = take(room, slabs, rng)
    truth = grid_truth(edition, placed, players, "tl", room, boards, True, {})
    job = {
        "kind": "boards",
        "camera_size": list(room.camera.size),
        "players": players,
        "seats": [{"seat": b["seat"], "colour": b["colour"]} for b in boards],
    }
    return jpeg, truth, job


def tally_picture(
    edition: Edition, seed: int, number: int, sizes: Sizes, profile: Profile = PLAIN
) -> tuple[bytes, Truth, Truth]:
    """Picture, truth and job of one player's captured tiles, spread loosely, in rows, or touching."""
    rng = np.random.default_rng([seed, 30, number])
    count = int(rng.integers(5, 15))
    columns = int(np.ceil(np.sqrt(count * 1.4)))
    ids = [edition.tiles[k].id for k in rng.permutation(len(edition.tiles))[:count]]
    touching = number % 3 == 1
    pitch = TILE_MM + 0.6 if touching else TILE_MM * rng.uniform(1.22, 1.45)
    rows = -(-count // columns)
    markers = number % 4 != 3
    spread = rectangle(columns * pitch + 70, rows * pitch + 70, (0, 0))
    must_see = np.concatenate([markers_extent_mm(), spread]) if markers else spread * 1.15
    room = profile.room(rng, sizes[-1], TABLES[number % 5], LIGHTS[(number // 2) % 4], must_see, slack=(1.02, 1.2))
    slabs, tiles = (marker_slabs(rng) if markers else []), []
    extents: list[Floats] = []
    lean = rng.normal(0, 8) if touching else 0.0
    for k, tile_id in enumerate(ids):
        row, col = divmod(k, columns)
        place = np.array([(col - (columns - 1) / 2) * pitch, (row - (rows - 1) / 2) * pitch])
        if touching:
            angle = np.deg2rad(lean)
            place = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ place
            deg = float(lean + 90.0 * rng.integers(4))
        else:
            place = place + rng.normal(0, (pitch - TILE_MM) * 0.1, 2)
            free = number % 3 == 2 and pitch > TILE_MM * 1.42
            deg = float(rng.uniform(0, 360) if free else rng.normal(0, 5) + 90.0 * rng.integers(4))
        slabs += profile.tile(edition, room, tile_id, place, deg)
        tiles.append(tile_truth(room.camera, tile_id, place, float(deg)))
        extents.append(rectangle(TILE_MM, TILE_MM, place, deg))
    slabs += profile.beside(rng, edition.cube_colours, room, extents)
    jpeg, _ = take(room, slabs, rng)
    facts = [edition.tile(tile_id) for tile_id in ids]
    points, sets = sum(t.vp for t in facts), best_sets(facts)
    truth = {
        "kind": "tally",
        "edition": edition.name,
        "tiles": tiles,
        "markers": markers,
        "camera": room.camera.as_truth(),
        "conditions": {"table": room.table, "light": room.light.name},
        "score": {"tiles": points, "sets": sets, "total": points + sets},
    }
    return jpeg, truth, {"kind": "tally", "camera_size": list(room.camera.size)}


def enrol_tiles(edition: Edition, seed: int, sizes: Sizes) -> list[tuple[bytes, Truth]]:
    """Pictures of all tiles laid in the grid for four players, twelve at a time."""
    rng = np.random.default_rng([seed, 40])
    rows_cols = ROWS_COLS[4]
    room = make_room(rng, sizes[-1], "wood", "window", markers_extent_mm(), tilt_deg=8, roll_deg=3, slack=(1.02, 1.08))
    pictures = []
    for first in range(0, len(edition.tiles), 12):
        placed = Placed()
        for k, tile in enumerate(edition.tiles[first : first + 12]):
            cell = divmod(k, rows_cols[1])
            xy = cell_centre_mm(*cell, rows_cols) + rng.normal(0, 1.0, 2)
            placed.tiles[cell] = (tile.id, xy, float(rng.normal(0, 1.5)))
        slabs = [corner_card_slab("tl", rows_cols, rng), *slabs_of(edition, placed, room), *marker_slabs(rng)]
        jpeg, _ = take(room, slabs, rng)
        pictures.append((jpeg, grid_truth(edition, placed, 4, "tl", room, [], True, {})))
    return pictures


def enrol_cubes(edition: Edition, seed: int, sizes: Sizes) -> tuple[bytes, Truth]:
    """Three cubes of each colour on the bare table, one column a colour."""
    rng = np.random.default_rng([seed, 41])
    room = make_room(rng, sizes[-1], "wood", "window", markers_extent_mm(), tilt_deg=8, roll_deg=3, slack=(1.02, 1.08))
    slabs, cubes = marker_slabs(rng), []
    for k, colour in enumerate(edition.cube_colours):
        for y in (-30.0, 0.0, 30.0):
            xy = np.array([-90.0 + 60 * k, y])
            slabs.append(cube_slab(edition, colour, xy, float(rng.uniform(0, 90)), bottom_mm=0.0))
            cubes.append(_cube_truth(room.camera, colour, xy, 0.0))
    jpeg, _ = take(room, slabs, rng)
    return jpeg, {"kind": "cubes", "cubes": cubes, "camera": room.camera.as_truth()}
