"""Where a disc of a piece's colour lies best on a ground of known look: on the corners of a map, and on bare table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.appearance.canvas import Window
from vision.appearance.picture_light import PictureLight, PieceColours
from vision.appearance.placed_face import PX_PER_MM
from vision.pieces.piece_edges import HALO_MM, LOOK_SHARE, most_on_one_side

# A pixel has the look of a colour when it is nearer to it than to any of the grounds around, and within so many grey
# levels of it a channel, and so much of its brightness: shading of a disc's edge and noise.
LOOK_GREY = 20.0

# Where less light falls so many levels are more of what is seen: they are less in the same measure, down to this part
# of them, for noise stays as it is.
LEAST_LIT = 0.25

# Places at which a disc is filled so much less are as good: one of its pixels in fifty.
AS_GOOD = 0.02

# Part of a disc's inner pixels that have a colour's look: from the first on the disc lies there, up to the second
# surely none does; between them a person is asked. Bare corners of three grounds have at most a sixth of one.
LIES, LIES_NOT = 0.7, 0.35

# A ground is told by what lies so far around a place on it.
GROUND_WIDE_MM = 4.0

UPRIGHT = np.zeros(2)


@dataclass(frozen=True, slots=True)
class Disc:
    """Where a disc of a colour fits best: which part of it has the colour's look, and which part of the ring around it
    has, too; a hand or a sleeve goes on there. `at_mm`: its middle, table mm. Of what lies beyond it on the side where
    most has the look: `beyond`: which part has it, be it the ground's as well; `goes_on`: which part has it, and no
    ground's."""

    colour: str
    filled: float
    around: float
    at_mm: tuple[float, float]
    beyond: float = 0.0
    goes_on: float = 0.0


def best_disc(
    seen: np.ndarray, part: Window, middle: np.ndarray, reach_mm: float, ground: np.ndarray,
    colours: PieceColours, light: PictureLight, side_mm: float, lean_mm: np.ndarray = UPRIGHT,
    level: float | None = None,
) -> Disc:
    """The place within `reach_mm` of `middle` where most of a disc has the look of a colour. `seen` (H, W, 3)
    float32; `ground` (H, W): how far, in grey levels, each pixel is from the look of what lies beneath. `lean_mm`:
    (2,) by how much its top appears beside its foot; `side_mm`: how wide it is. `level`: how much brighter than the
    light says all of it is; None: as much as what lies there is, in some measure."""
    x, y = np.meshgrid(*part.axes_mm())
    near = np.hypot(x - middle[0], y - middle[1]) <= reach_mm
    size = max(3, round(0.7 * side_mm * PX_PER_MM) | 1)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)).astype(np.float32)
    best = Disc("", 0.0, 0.0, (float(middle[0]), float(middle[1])))
    xy, bright = np.stack([x, y], -1), float(np.median(_sum(seen)[near]))
    for name, colour in zip(colours.names, colours.array(), strict=True):
        look = light.expect(colour.reshape(1, 1, 3), xy, 1.0 if level is None else level)
        if level is None:  # shade of the place
            look *= float(np.clip(bright / max(1.0, float(np.median(_sum(look)[near]))), 0.85, 1.15))
        off, mean = apart_from(seen, look), _sum(look) / 3.0
        lit = np.clip(mean / max(1.0, float(colour.mean())), LEAST_LIT, 1.0)
        like_it = off < LOOK_GREY * lit + LOOK_SHARE * mean
        alike = (like_it & (off < ground)).astype(np.float32)
        filled = np.where(near, cv2.filter2D(alike, -1, disc / disc.sum(), borderType=cv2.BORDER_CONSTANT), 0.0)
        row, column = np.unravel_index(int(filled.argmax()), filled.shape)
        if filled[row, column] > best.filled:
            at = (float(x[row, column]), float(y[row, column]))
            # a piece is larger than what is asked for: its middle is that of all places that are as good
            as_good = (filled >= filled[row, column] - AS_GOOD) & (np.hypot(x - at[0], y - at[1]) <= side_mm / 2)
            at = (float(x[as_good].mean()), float(y[as_good].mean()))
            apart = np.hypot(x - at[0], y - at[1])
            ring = alike[(apart > side_mm / 2 + HALO_MM) & (apart < side_mm)]
            beyond, on = (most_on_one_side(p, (x, y), np.array(at), lean_mm, side_mm) for p in (like_it, alike > 0))
            best = Disc(name, float(filled[row, column]), float(ring.mean()) if ring.size else 0.0, at, beyond, on)
    return best


def token_on_ground(
    seen: np.ndarray, part: Window, middle: np.ndarray, reach_mm: float, grounds_mm: Sequence[np.ndarray],
    colours: PieceColours, light: PictureLight, side_mm: float,
) -> tuple[str | None, bool]:
    """The colour of the token within `reach_mm` of `middle`, None without one, and whether that is sure: the colour
    that fills most of a disc there. `grounds_mm`: (2,) each, where the grounds around it are seen; see `best_disc`."""
    x, y = np.meshgrid(*part.axes_mm())
    near = (np.hypot(x - at[0], y - at[1]) <= GROUND_WIDE_MM for at in grounds_mm)
    looks = [np.median(seen[here].reshape(-1, 3), axis=0) for here in near]
    ground = np.min([apart_from(seen, look) for look in looks], axis=0)
    disc = best_disc(seen, part, middle, reach_mm, ground, colours, light, side_mm)
    if disc.filled >= LIES:
        # a shade over plain print has the look of a dark token, and goes on at one side
        return disc.colour, disc.around <= LIES_NOT and disc.goes_on <= LIES_NOT
    return None, disc.filled <= LIES_NOT


def apart_from(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """(H, W) float32: by how much a picture (H, W, 3) float32 differs from another, or from one colour (3,), in the
    channel in which it differs most."""
    blue, green, red = cv2.split(np.abs(one - other))
    return np.asarray(cv2.max(cv2.max(blue, green), red))


def _sum(picture: np.ndarray) -> np.ndarray:
    """(H, W) float32: the sum of the channels of a picture (H, W, 3) float32."""
    blue, green, red = cv2.split(picture)
    return np.asarray(blue + green + red)
