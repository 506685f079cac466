"""The one piece that stands beside the tiles of a map, on bare table."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vision.appearance.background import EMPTY_SHARE, SHADES, TableLook, like_samples
from vision.appearance.canvas import Window
from vision.appearance.picture_light import PictureLight, PieceColours
from vision.pieces.piece_edges import HALO_MM
from vision.pieces.shapes import PieceModel
from vision.tables.maps.standing.discs import LIES, LIES_NOT, Disc, best_disc

SQRT_3 = 3.0**0.5

# What is seen around the middle of a space, in sides of it.
AROUND_SIDES = 1.5

MATT = (0.0, 0.0, 0.0)

# A disc that hides nearly all of the table and has mostly the look of one colour, no other having half as much, is a
# piece of it: beside few tiles the light is told less well than on them.
MOSTLY, WHOLLY = 0.5, 0.9


@dataclass(frozen=True, slots=True, eq=False)
class BareSpace:
    """A space without a tile: its middle (2,), table mm, and how long the side of its hexagon is."""

    middle_mm: np.ndarray
    side_mm: float

    def part(self, window: Window) -> Window:
        """The part of a window that shows it."""
        return window.part(window.box(self.middle_mm[None], AROUND_SIDES * self.side_mm))


def piece_on_bare(
    seen: np.ndarray, window: Window, space: BareSpace, table: TableLook, light: PictureLight, tiles_mm: np.ndarray,
    piece: PieceModel, colours: PieceColours,
) -> str | None:
    """The colour of the one piece that stands on a space without a tile; None where anything else may lie.

    A disc of one of the colours must stand there that ends on all sides, with nothing but `table` around it. `seen`
    (H, W, 3) float32: the space's part of the window. Tiles around `tiles_mm` (2,) told the `light`: they tell how it
    changes over themselves, and what glosses over them. A table of one colour tells how bright it is beside them, and
    a piece there may be matt.
    """
    middle, part = space.middle_mm, space.part(window)
    bare = like_samples(seen, table.samples, SHADES)
    radius = space.side_mm * SQRT_3 / 2
    lean = (piece.lean() - 1.0) * (middle - piece.camera_mm[:2])
    x, y = np.meshgrid(*part.axes_mm())
    on_it = np.hypot(x - middle[0], y - middle[1]) <= radius
    lights, level = [light], None
    here = seen[bare & on_it]
    if len(here) and table.is_even():
        level = table.level_of(here) * float(1.0 + np.array(light.slope) @ tiles_mm / 100.0)
        lights = [replace(light, slope=(0.0, 0.0), veil=veil) for veil in (light.veil, MATT)]
    ground, reach = np.where(bare, 0.0, np.inf), radius - piece.side_mm / 2

    def likest(among: PieceColours) -> Disc:
        discs = (
            best_disc(seen, part, middle, reach, ground, among, one, piece.side_mm, lean, level) for one in lights
        )
        return max(discs, key=lambda one: one.filled)

    disc = likest(colours)
    beside = np.hypot(x - disc.at_mm[0], y - disc.at_mm[1]) > piece.side_mm / 2 + HALO_MM
    rest = bare[beside & on_it]
    alone = rest.size > 0 and float(rest.mean()) >= EMPTY_SHARE
    ends = disc.around <= LIES_NOT and disc.beyond <= LIES_NOT
    if not (ends and alone):
        return None
    if disc.filled < LIES:
        # all of it hides the table: what light there is need not be known so well
        on_it = np.hypot(x - disc.at_mm[0], y - disc.at_mm[1]) < piece.side_mm / 2 - HALO_MM
        others = colours.only(tuple(name for name in colours.names if name != disc.colour))
        if disc.filled < MOSTLY or bare[on_it].mean() > 1.0 - WHOLLY or likest(others).filled > disc.filled / 2:
            return None
    return disc.colour
