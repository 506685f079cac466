"""The room that pictures are taken in, and what a profile of rooms is: plain ones here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.render.camera import Camera, View, over_table
from companion.lab.render.edition import Edition
from companion.lab.render.layout import tile_slab
from companion.lab.render.lights import Light, make_light
from companion.lab.render.picture import RenderedScene, render
from companion.lab.render.pieces import Limb, Slab
from companion.lab.render.sensor import Optics, make_optics
from companion.lab.render.surfaces import make_surface

Floats = NDArray[np.float64]
Place = tuple[Floats, float]
"""Middle (2,) mm and turn clockwise in degrees."""

_EXPOSURE_DRIFT = 0.012  # a camera's automatic exposure wanders by about one per cent


@dataclass(frozen=True, slots=True, eq=False)
class Room:
    """Table, light, camera and its flaws: all that stays while a table is filmed."""

    table: str
    surface: NDArray[np.uint8]
    surface_turn: float
    light: Light
    camera: Camera
    optics: Optics


def make_room(
    rng: np.random.Generator, size: tuple[int, int], table: str, light: str, must_see_mm: Floats, **view: Any
) -> Room:
    """A room of named kinds, all else drawn from `rng`."""
    camera = over_table(rng, size, must_see_mm=must_see_mm, **view)
    return Room(
        table, make_surface(table, rng), rng.uniform(0, 2 * np.pi), make_light(light, rng), camera, make_optics(rng)
    )


def take(
    room: Room, slabs: Sequence[Slab], rng: np.random.Generator, limbs: tuple[Limb, ...] = ()
) -> tuple[bytes, Any]:
    """A JPEG of the slabs in a room, and the painter to ask what is hidden."""
    scene = RenderedScene(room.surface, room.surface_turn, tuple(slabs), limbs)
    picture, painter = render(scene, View(room.camera), room.light, room.optics, rng)
    encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, room.optics.jpeg_quality])[1]
    return encoded.tobytes(), painter


class Profile(Protocol):
    """What kind of rooms, tiles and tables a set shows."""

    name: str
    merged_acts: int
    """How many pairs of acts of a film are done without a settled picture between them."""
    untidiness: float
    """How many times as far askew cards and tiles of films come to lie as in a tidy room."""

    def room(
        self, rng: np.random.Generator, size: tuple[int, int], table: str, light: str, must_see_mm: Floats, **view: Any
    ) -> Room:
        """A room of named kinds."""

    def tile_place(
        self, rng: np.random.Generator, centre_mm: Floats, turned: bool, others: Sequence[Place] = ()
    ) -> Place:
        """Where a tile comes to lie for the middle of its cell, clear of `others`; `turned`: by any quarter turn."""

    def tile(self, edition: Edition, room: Room, tile_id: str, xy_mm: Floats, deg: float) -> list[Slab]:
        """A tile on the table."""

    def face(self, name: str, scan: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A face as this household's box has it; `scan` (H, W, 3) BGR as it was printed."""

    def beside(
        self, rng: np.random.Generator, rgb: Mapping[str, tuple[int, int, int]], room: Room,
        keep_clear_mm: Sequence[Floats],
    ) -> list[Slab]:
        """What else lies on the table, as pieces of the colours `rgb`, hiding none of the convex outlines (N, 2) mm
        from the room's camera."""

    def resting(self, rng: np.random.Generator, half_mm: Floats, seats: Sequence[int]) -> tuple[Limb, ...]:
        """Hands that rest at the rim of a grid of half width and height (2,) mm while nothing is done."""

    def next_picture(self, rng: np.random.Generator, room: Room) -> Room:
        """The room as the next picture of a film shows it."""


class PlainProfile:
    """Tidy rooms, good webcams, new tiles; nothing else on the table."""

    name = "plain"
    merged_acts = 0
    untidiness = 1.0

    def room(
        self, rng: np.random.Generator, size: tuple[int, int], table: str, light: str, must_see_mm: Floats, **view: Any
    ) -> Room:
        """A tidy room."""
        return make_room(rng, size, table, light, must_see_mm, **view)

    def tile_place(self, rng: np.random.Generator, centre_mm: Floats, turned: bool, *_: Any) -> Place:
        """A millimetre and some degrees off."""
        xy = centre_mm + rng.normal(0, 1.0, 2)
        deg = rng.normal(0, 1.8) + (90.0 * rng.integers(4) if turned else 0.0)
        return xy, float(deg)

    def tile(self, edition: Edition, _room: Room, tile_id: str, xy_mm: Floats, deg: float) -> list[Slab]:
        """A new tile."""
        return [tile_slab(edition, tile_id, xy_mm, deg)]

    def face(self, _name: str, scan: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """As new."""
        return scan

    def beside(self, *_: Any) -> list[Slab]:
        """Nothing."""
        return []

    def resting(self, *_: Any) -> tuple[Limb, ...]:
        """Nobody."""
        return ()

    def next_picture(self, rng: np.random.Generator, room: Room) -> Room:
        """The exposure has wandered a little."""
        exposure = room.light.exposure * (1 + rng.normal(0, _EXPOSURE_DRIFT))
        return replace(room, light=replace(room.light, exposure=exposure))


PLAIN = PlainProfile()
