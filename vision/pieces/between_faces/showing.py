"""How surely a piece of a colour would show on the bare table, and how easily the table itself is taken for one.

A black piece on a dark table says little for itself, more if it is lit otherwise than the table or its colour is told
well; a piece of a colour that is not the table's is never overlooked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from math import erf, sqrt

import numpy as np

from vision.appearance.canvas import Canvas
from vision.appearance.picture_light import PieceColours
from vision.pieces.between_faces.table_texture import TableTexture
from vision.pieces.likelihood_maps import (
    COLOUR_SPREAD,
    CORRELATED_PX,
    DARKEST_SHADOW,
    MODEL_NOISE,
    SIDE_LEVELS,
    TOP_LEVELS,
    bare_likelihoods,
    piece_likelihoods,
)
from vision.pieces.shapes import Masks

# Errors of a colour, in standard deviations of each channel, that repeat themselves over the whole of a piece, and how
# often each comes: the three nodes of Gauss and Hermite for each channel.
NODES = np.array(list(product((-sqrt(3.0), 0.0, sqrt(3.0)), repeat=3)))
OFTEN = np.prod(np.where(NODES == 0.0, 2 / 3, 1 / 6), axis=1)

# Light that is left where the table is looked at: lit as often as in a shadow of any depth.
SHADES = (1.0, 1.0, 0.8, DARKEST_SHADOW)

# Colours of the table that are asked.
TABLE_COLOURS = 8


@dataclass(frozen=True, slots=True)
class Chances:
    """Probability that a piece which stands there is missed, and that one is seen where only the table is."""

    missed: float
    mistaken: float

    def count_is_right(self, *, counted: bool) -> float:
        """Probability that a count of such pieces is right, some or none; either is the case as often as not."""
        right, wrong = (1.0 - self.missed, self.mistaken) if counted else (1.0 - self.mistaken, self.missed)
        return right / (right + wrong) if right > 0.0 else 0.0


class Showing:
    """What the pixels of a piece of one colour, and those of the table, are expected to say for it."""

    def __init__(
        self,
        colours: PieceColours,
        name: str,
        ground: Canvas,
        table: TableTexture,
        at_mm: np.ndarray,
        *,
        known_light: bool,
    ) -> None:
        """`ground`: the canvas with the light and noise of the picture. `at_mm` (2,): where the piece would stand.

        `known_light`: whether the search knows where shadows fall; else what may be one is taken for one (see
        `Chooser.despite_shadow`)."""
        self._easing = 0.0 if known_light else 1.0
        self._colour, self._ground, self._table, self._at_mm = colours.only((name,)), ground, table, at_mm
        lit = ground.light.expect(self._colour.array(), at_mm[None])  # (1, 3)
        off = lit + NODES * np.hypot(MODEL_NOISE, COLOUR_SPREAD * lit)  # (E, 3)
        self._tops = self._says(np.array(TOP_LEVELS)[:, None, None] * off)[0]  # (T, E) nats a pixel
        self._sides = self._says(np.array(SIDE_LEVELS)[:, None, None] * off)[1]  # (S, E)
        samples = table.samples_bgr[:: max(1, len(table.samples_bgr) // TABLE_COLOURS)]
        shaded = (np.array(SHADES)[:, None, None] * samples).reshape(-1, 1, 3)
        self._bare = self._says(shaded + NODES * np.hypot(MODEL_NOISE, table.stray))  # each (N, E)

    def chances(self, shape: Masks, accepted: float) -> Chances:
        """Those of a piece of this shape that is believed from so much evidence (nats)."""
        top, side = float(shape.top[0].sum()), float(shape.side[0].sum())
        piece = self._tops[:, None] * top + self._sides * side
        bare = self._bare[0] * top + self._bare[1] * side
        return Chances(_less(piece, accepted), 1.0 - _less(bare, accepted))

    def _says(self, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What pixels (A, E, 3) say for the top and the side of a piece, each (A, E) nats, against the table."""
        seen = np.clip(seen, 0.0, 255.0).astype(np.float32)
        height, width = seen.shape[:2]
        flat, noise = seen.reshape(-1, 3), MODEL_NOISE + self._ground.noise
        window = replace(
            self._ground.window, left_mm=float(self._at_mm[0]), top_mm=float(self._at_mm[1]),
            width_px=width, height_px=height,
        )  # fmt: skip
        pixels = replace(
            self._ground, window=window, seen=seen, bare=self._table.explain(flat, flat, noise).reshape(seen.shape),
            slack=np.full(seen.shape, max(0.0, self._table.stray - noise), np.float32),
            label=np.zeros((height, width), np.int16), face_levels=(1.0,), faces=(), broad=None,
        )  # fmt: skip
        bare, relief = bare_likelihoods(pixels)
        top, side = piece_likelihoods(pixels, self._colour, (slice(0, height), slice(0, width)))
        return tuple((one[0] - bare - self._easing * relief) / CORRELATED_PX for one in (top, side))


def _less(expected: np.ndarray, accepted: float) -> float:
    """Probability that evidence which is expected to be so much (A, E, or more before it) comes to less than that.

    A sum of log-likelihood ratios of many pixels that is m in the mean has a variance of 2 m, as that of two normal
    distributions has.
    """
    z = (accepted - expected) / np.sqrt(2.0 * np.maximum(np.abs(expected), 1.0))
    below = np.array([0.5 * (1.0 + erf(v / sqrt(2.0))) for v in z.ravel().tolist()]).reshape(-1, len(OFTEN))
    return float(np.average(below.mean(0), weights=OFTEN))
