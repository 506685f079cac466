"""The rough profile of rooms: a living room with played tiles, cheap cameras and people who leave things about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.render.camera import over_table
from companion.lab.render.edition import Edition
from companion.lab.render.layout import TILE_MM, TILE_THICKNESS_MM
from companion.lab.render.pieces import SKIN_TONES, SLEEVES, Limb, Slab, hand, rectangle
from companion.lab.render.surfaces import make_surface
from companion.lab.rough.clutter import cards, clutter, coins, mug, note, pen, phone, supply
from companion.lab.rough.room_light import Drift, rough_light, shades_of_people
from companion.lab.rough.wear import worn
from companion.lab.rough.webcam import rough_optics
from companion.lab.scenes.profile import Place, Room

Floats = NDArray[np.float64]

TILT_DEG = (5.0, 42.0)
ASKEW_DEG, ASIDE_MM = 7.0, 4.0
SLEEVED_CHANCE, RESTING_CHANCE = 0.3, 0.3
_STAYS = 0.85  # chance that a resting hand still rests in the next settled picture
_THINGS = (mug, mug, phone, cards, pen, note, coins)
_TRIES = 200


class RoughProfile:
    """One household, drawn from a seed: its box is worn the same way in all of its pictures."""

    name = "rough"
    merged_acts = 5
    untidiness = 1.6

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng([seed, 90])
        self.wear = rng.uniform(0.2, 1.0)
        self.sleeved = bool(rng.random() < SLEEVED_CHANCE)
        self.gloss = rng.uniform(0.0, 0.12) if not self.sleeved else rng.uniform(0.1, 0.45)
        self.haze = rng.uniform(0.0, 0.008) if not self.sleeved else rng.uniform(0.006, 0.03)
        self.seed = seed
        self._faces: dict[str, NDArray[np.uint8]] = {}
        self._drift: Drift | None = None
        self._hands: tuple[Limb, ...] = ()

    def room(
        self, rng: np.random.Generator, size: tuple[int, int], table: str, light: str, must_see_mm: Floats, **view: Any
    ) -> Room:
        """A room of named kinds, seen from 5 to 42 degrees off the vertical."""
        view |= {"least_tilt_deg": TILT_DEG[0], "tilt_deg": TILT_DEG[1]}
        camera = over_table(rng, size, must_see_mm=must_see_mm, **view)
        lit = rough_light(light, rng)
        lit = replace(lit, shades=shades_of_people(rng))
        self._drift, self._hands = Drift(rng), ()
        return Room(table, make_surface(table, rng), rng.uniform(0, 2 * np.pi), lit, camera, rough_optics(rng))

    def tile_place(
        self, rng: np.random.Generator, centre_mm: Floats, _turned: bool, others: Sequence[Place] = ()
    ) -> Place:
        """Up to 4 mm and 7 degrees off, by any quarter turn, but never on another tile."""
        quarter = 90.0 * rng.integers(4)
        for tried in range(_TRIES):
            scale = 1.0 - tried / _TRIES
            away, aside = rng.uniform(0, 2 * np.pi), ASIDE_MM * rng.uniform(0, scale)
            xy = centre_mm + aside * np.array([np.cos(away), np.sin(away)])
            deg = quarter + scale * rng.uniform(-ASKEW_DEG, ASKEW_DEG)
            if not any(_overlap(xy, deg, *other) for other in others if np.abs(other[0] - xy).max() < 1.5 * TILE_MM):
                return xy, float(deg)
        return centre_mm, float(quarter)

    def tile(self, edition: Edition, room: Room, tile_id: str, xy_mm: Floats, deg: float) -> list[Slab]:
        """A worn tile, in a sleeve where this household uses them; each lies a little uneven."""
        face = self.face(tile_id, edition.face(tile_id))
        corners = rectangle(TILE_MM, TILE_MM, xy_mm, deg)
        warp = np.random.default_rng([self.seed, 92, *tile_id.encode(), int(abs(deg * 100))]).normal(0, 45, 2)
        slabs = []
        if self.sleeved:
            sheer = tuple(int(0.8 * v + 38) for v in room.surface.reshape(-1, 3)[::997].mean(axis=0))
            outline = rectangle(TILE_MM + 5, TILE_MM + 4, xy_mm, deg)
            slabs.append(Slab(outline, 0.0, 0.3, (sheer[0], sheer[1], sheer[2]), (200, 200, 200)))
        side = (150, 172, 184)
        return [
            *slabs,
            Slab(corners, 0.0, TILE_THICKNESS_MM, face, side, corners, 1, self.gloss,
                 (float(warp[0]), float(warp[1])), self.haze),
        ]  # fmt: skip

    def face(self, name: str, scan: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A worn face, the same in all pictures."""
        if name not in self._faces:
            rng = np.random.default_rng([self.seed, 91, *name.encode()])
            self._faces[name] = worn(scan, rng, self.wear * rng.uniform(0.4, 1.0))
        return self._faces[name]

    def beside(
        self, rng: np.random.Generator, rgb: Mapping[str, tuple[int, int, int]], room: Room,
        keep_clear_mm: Sequence[Floats],
    ) -> list[Slab]:
        """Mugs, phones, cards, pens, notes, coins and spare pieces, some over a marker."""
        things = (*_THINGS, supply(rgb))
        return clutter(rng, room.camera, keep_clear_mm, things, int(rng.integers(2, 8)))

    def resting(self, rng: np.random.Generator, half_mm: Floats, seats: Sequence[int]) -> tuple[Limb, ...]:
        """A hand that rests between a player and the grid, the same in picture after picture until it is taken away."""
        if self._hands and rng.random() < _STAYS:
            return self._hands
        self._hands = ()
        if rng.random() < RESTING_CHANCE:
            seat = int(rng.choice(list(seats)))
            across = seat % 180 != 0
            out = half_mm[0 if across else 1] + rng.uniform(28, 75)
            along = rng.uniform(-1, 1) * half_mm[1 if across else 0]
            target = {0: (along, out), 90: (-out, along), 180: (along, -out), 270: (out, along)}[seat]
            skin, sleeve = SKIN_TONES[rng.integers(len(SKIN_TONES))], SLEEVES[rng.integers(len(SLEEVES))]
            self._hands = hand(rng, target, float(seat), skin, sleeve if rng.random() < 0.6 else None)
        return self._hands

    def next_picture(self, rng: np.random.Generator, room: Room) -> Room:
        """Exposure and white balance have wandered, and people have moved."""
        assert self._drift is not None, "a film begins with its room"
        lit = replace(self._drift.next(room.light), shades=shades_of_people(rng, 0.35))
        return replace(room, light=lit)


def _overlap(xy: Floats, deg: float, other_xy: Floats, other_deg: float) -> bool:
    first, second = (rectangle(TILE_MM + 0.4, TILE_MM + 0.4, *at).astype(np.float32)
                     for at in ((xy, deg), (other_xy, other_deg)))  # fmt: skip
    return bool(cv2.intersectConvexConvex(first, second)[0] > 0)
