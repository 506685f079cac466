"""Whether what looks like a piece ends on all sides: the check of a cloth, a stripe or a pane of sun goes on at one."""

from __future__ import annotations

import numpy as np

from vision.appearance.canvas import Canvas
from vision.pieces.likelihood_maps import MODEL_NOISE

# So far (mm) beyond its edge a disc's shade and lean may reach.
HALO_MM = 2.5

# Beyond that a strip, so wide (mm), on each of so many sides: a disc ends on all of them. Of rendered checks one side
# at least had the look all over, of figures at most a quarter of one.
BEYOND_MM, SIDES = 4.0, 12

# What has the look of a piece on more than so much of one side goes on there. Of pieces found on seven rendered films
# those that were none, and were believed, had 0.69 and more, all but one of the others less than half: a white figure
# beside white print that lies a little otherwise.
GOES_ON = 0.5

# The inner part of a piece, in sides of it, that tells its own look.
INNER = 0.35

# Part of its brightness by which a pixel with the look of another one may differ from it, noise apart.
LOOK_SHARE = 0.15

# Part of a pixel that pieces may cover for it to be beside them.
COVERED = 0.2


def most_on_one_side(
    alike: np.ndarray, window_mm: tuple[np.ndarray, np.ndarray], at_mm: np.ndarray, lean_mm: np.ndarray, side_mm: float
) -> float:
    """The largest part that is `alike` (H, W) bool of the strip beyond the edge of a piece on any of its sides.

    `window_mm`: (H, W) each, table mm of the pixels; the piece, `side_mm` wide, is seen at `at_mm` (2,), its top beside
    its foot by `lean_mm` (2,).
    """
    x, y = window_mm[0] - at_mm[0], window_mm[1] - at_mm[1]
    apart = np.hypot(x, y)
    edge = side_mm / 2 + HALO_MM + np.abs(x * lean_mm[0] + y * lean_mm[1]) / np.maximum(apart, 1e-6)
    past = (apart > edge) & (apart <= edge + BEYOND_MM)
    side = ((np.arctan2(y[past], x[past]) / (2 * np.pi) + 0.5) * SIDES).astype(int) % SIDES
    every = np.bincount(side, minlength=SIDES)
    return float((np.bincount(side, alike[past], minlength=SIDES) / np.maximum(every, 1)).max())


def goes_on(
    canvas: Canvas, covered: np.ndarray, foot_mm: tuple[float, float], lean_mm: np.ndarray, side_mm: float
) -> bool:
    """Whether on some side of a found piece what it looks like itself goes on beyond its edge, where neither print nor
    another piece explains it. `covered`: (H, W) part of each pixel that pieces cover."""
    reach = side_mm / 2 + HALO_MM + BEYOND_MM + float(np.linalg.norm(lean_mm))
    box = canvas.window.box(np.array(foot_mm)[None], reach)
    canvas, covered = canvas.part(box), covered[box]
    x, y = np.meshgrid(*canvas.window.axes_mm())
    top = np.array(foot_mm) + lean_mm
    inner = np.hypot(x - top[0], y - top[1]) <= INNER * side_mm
    if not inner.any():
        return False
    own = np.median(canvas.seen[inner], axis=0)
    noise = MODEL_NOISE + canvas.noise
    alike = np.abs(canvas.seen - own).max(-1) < noise + LOOK_SHARE * float(own.mean())
    explained = (np.abs(canvas.seen - canvas.bare) < noise + LOOK_SHARE * canvas.bare + canvas.slack).all(-1)
    alike &= ~(explained & (canvas.label >= 0)) & (covered < COVERED)
    return most_on_one_side(alike, (x, y), np.array(foot_mm) + lean_mm / 2, lean_mm / 2, side_mm) > GOES_ON
