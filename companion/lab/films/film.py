"""Films a scripted game: every shot rendered by one camera that is bumped once, with jobs.json and truth.json."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.core.types import SeatInfo, Setup
from companion.games.envyra import GAME
from companion.lab.films.film_files import limbs
from companion.lab.films.game_script import Cell, Director, Script, Shot
from companion.lab.render.camera import Camera
from companion.lab.render.edition import Edition
from companion.lab.render.layout import (
    CUBE_MM,
    ROWS_COLS,
    TILE_MM,
    cell_centre_mm,
    corner_card_slab,
    cube_slab,
    grid_extent_mm,
    half_of_grid_mm,
    marker_slabs,
    markers_extent_mm,
    shield_slab,
)
from companion.lab.render.lights import LIGHTS
from companion.lab.render.pieces import Limb, Slab
from companion.lab.render.surfaces import TABLES
from companion.lab.scenes.json_file import write_json
from companion.lab.scenes.profile import PLAIN, Profile, Room, take

Floats = NDArray[np.float64]

SEATS_DEG = {2: (0, 180), 3: (0, 90, 180), 4: (0, 90, 180, 270)}
NAMES = ("Anna", "Bořek", "Ľuba", "Dan")
_FOOT_REACH_MM = TILE_MM / 2 - CUBE_MM * 0.72


def write_script(
    edition: Edition, catalogue: Any, players: int, seed: int, *, most_acts: int, most_shots: int
) -> Script:
    """Play one game of an edition by the rules and write down what the camera will see."""
    colours = list(edition.cube_colours)[:players]
    seats = tuple(SeatInfo(name, colour) for name, colour in zip(NAMES, colours, strict=False))
    rules = GAME.make_rules(Setup("envyra", seats, catalogue.id), catalogue)
    return Director(rules, catalogue, np.random.default_rng([seed, 60]), most_acts=most_acts).play(most_shots)


class Set:
    """The filmed table: where each tile and cube came to lie, kept until the script moves it."""

    def __init__(
        self, edition: Edition, players: int, rng: np.random.Generator, room: Room, profile: Profile = PLAIN
    ) -> None:
        self.edition, self.rows_cols, self.rng = edition, ROWS_COLS[players], rng
        self.room, self.profile = room, profile
        self.tiles: dict[Cell, tuple[str, Floats, float]] = {}
        self.cubes: dict[Cell, list[tuple[str, Floats, float]]] = {}
        self.fixed: list[Slab] = [corner_card_slab("tl", self.rows_cols, rng), *marker_slabs(rng)]

    def arrange(self, shot: Shot) -> None:
        """Lay what the shot shows; what already lies there stays as it lies."""
        for cell in set(self.tiles) | set(shot.tiles):
            tile_id = shot.tiles.get(cell)
            if tile_id is None:
                del self.tiles[cell]
            elif self.tiles.get(cell, ("",))[0] != tile_id:
                others = [(xy, deg) for at, (_, xy, deg) in self.tiles.items() if at != cell]
                centre = cell_centre_mm(*cell, self.rows_cols)
                self.tiles[cell] = (tile_id, *self.profile.tile_place(self.rng, centre, False, others))
        for cell in set(self.cubes) | set(shot.cubes):
            self.cubes[cell] = self._cubes_on(cell, list(shot.cubes.get(cell, ())))

    def _cubes_on(self, cell: Cell, wanted: list[str]) -> list[tuple[str, Floats, float]]:
        kept = []
        for cube in self.cubes.get(cell, []):
            if cube[0] in wanted:
                wanted.remove(cube[0])
                kept.append(cube)
        for colour in wanted:
            kept.append((colour, self._free_place(cell, kept), float(self.rng.uniform(0, 90))))
        return kept

    def _free_place(self, cell: Cell, lying: list[tuple[str, Floats, float]]) -> Floats:
        """A place for a cube on a tile, clear of the others: fingers need room, so people keep them apart."""
        centre = self.tiles[cell][1] if cell in self.tiles else cell_centre_mm(*cell, self.rows_cols)
        places = centre + self.rng.uniform(-_FOOT_REACH_MM, _FOOT_REACH_MM, (40, 2))
        if not lying:
            return np.asarray(places[0])
        nearest = np.min([np.linalg.norm(places - other, axis=1) for _, other, _ in lying], axis=0)
        clear = np.flatnonzero(nearest > CUBE_MM * 1.5)
        return np.asarray(places[clear[0] if len(clear) else int(nearest.argmax())])

    def slabs(self) -> list[Slab]:
        """Everything on the table."""
        slabs = [slab for tile in self.tiles.values() for slab in self.profile.tile(self.edition, self.room, *tile)]
        cubes = [cube_slab(self.edition, *cube) for cubes in self.cubes.values() for cube in cubes]
        return [*self.fixed, *slabs, *cubes]


def film(
    edition: Edition,
    script: Script,
    seed: int,
    size: tuple[int, int],
    quality: int | None,
    out: Path,
    profile: Profile = PLAIN,
) -> None:
    """Render every shot of a script into `out` (NNNN.jpg) and write its jobs.json and truth.json.

    `quality` of the JPEGs; None: that of the room's camera.
    """
    out.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng([seed, 61])
    table, light = TABLES[rng.integers(3)], LIGHTS[rng.integers(3)]
    room = profile.room(rng, size, table, light, markers_extent_mm(), tilt_deg=18, roll_deg=5, slack=(1.02, 1.08))
    if quality is not None:
        room = replace(room, optics=replace(room.optics, jpeg_quality=quality))
    seats = SEATS_DEG[script.players]
    stage = Set(edition, script.players, rng, room, profile)
    clear, half = [grid_extent_mm(stage.rows_cols)], half_of_grid_mm(stage.rows_cols)
    beside = profile.beside(rng, edition.cube_colours, room, clear)
    camera = room.camera
    for number, shot in enumerate(script.shots):
        if shot.bumped:
            camera = bumped(camera, rng)
        stage.arrange(shot)
        slabs, arms = [*stage.slabs(), *beside], _limbs(shot, stage.rows_cols, seats, rng)
        if shot.kind == "settled":
            arms += profile.resting(rng, half, seats)
        if shot.kind == "shields":
            slabs += [shield_slab(seat) for seat in seats]
        now = profile.next_picture(rng, replace(room, camera=camera))
        (out / f"{number:04d}.jpg").write_bytes(take(now, slabs, rng, arms)[0])
    write_json(out / "jobs.json", _jobs(script, seats, size))
    write_json(out / "truth.json", _truth(edition, script, seats, room.camera))


def bumped(camera: Camera, rng: np.random.Generator) -> Camera:
    """The camera after somebody knocked against it: a few millimetres and a part of a degree."""
    push = rng.normal(0, 1, 2)
    shift = np.array([*(push / np.linalg.norm(push) * rng.uniform(6, 16)), rng.normal(0, 3)])
    return replace(camera, rvec=camera.rvec + rng.normal(0, 0.006, 3), tvec=camera.tvec + shift)


def _limbs(
    shot: Shot, rows_cols: tuple[int, int], seats: tuple[int, ...], rng: np.random.Generator
) -> tuple[Limb, ...]:
    if shot.kind != "hand":
        return ()
    assert shot.reach is not None, "a hand reaches for a cell"
    assert shot.player is not None, "a hand belongs to a player"
    return limbs(shot.player, cell_centre_mm(*shot.reach, rows_cols), float(seats[shot.player]), rng)


def _jobs(script: Script, seats: tuple[int, ...], size: tuple[int, int]) -> dict[str, Any]:
    return {
        "kind": "game",
        "players": script.players,
        "colours": list(script.colours),
        "seats": list(seats),
        "first": script.first,
        "frames": len(script.shots),
        "camera_size": list(size),
        "presses": script.presses,
        "reveals": script.reveals,
    }


def _truth(edition: Edition, script: Script, seats: tuple[int, ...], camera: Camera) -> dict[str, Any]:
    rows, cols = ROWS_COLS[script.players]
    cells = list(np.ndindex(rows, cols))
    frames = [
        {
            "frame": number,
            "kind": shot.kind,
            "cells": {f"{r},{c}": shot.tiles.get((r, c)) for r, c in cells},
            "cubes": {f"{r},{c}": list(shot.cubes[r, c]) for r, c in cells if (r, c) in shot.cubes},
        }
        for number, shot in enumerate(script.shots)
    ]
    return {
        "players": script.players,
        "edition": edition.name,
        "colours": list(script.colours),
        "seats": list(seats),
        "frames": frames,
        "events": script.events,
        "camera": camera.as_truth(),
        "complete": script.complete,
    }
