"""The rim of a piece that teaches by its shape, where spots at its edge break every ring that could be followed."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.discs.rims import ANGLES, circle
from vision.count.pixels import pixels_at

Floats = NDArray[np.float64]

CORNERS = 1.15  # of a box's half breadth from its middle: beyond what a piece covers
TABLE_LAB = 20.0  # from the table, and from any shade of it down to so much of its lightness, something lies there
SHADED = 0.6
# Colours that the corners are divided into; the part of a corner that one has at least, and the corners that show it.
COLOURS, IN_CORNER, CORNERS_ALIKE = 4, 0.1, 2
# Outlines that are tried: middles in such steps, so many radii, and circles seen from above and up to 40 degrees
# aslant, in so many turns; edges are as soft as the steps between them.
STEP_PX, RADII, SQUEEZED, TURNS = 2.0, 14, (1.0, 0.87, 0.75), 4
SOFT_PX = 0.7
AS_GOOD = 0.04  # of an outline: where it ends only so much less, by three of its 72 places, it is as good
SEEN = 0.9  # of an outline that lies within its box: people cut a little of a piece off
LEAST_POINTS = 8  # of a hull, between which it is straight: three chords are no ring
# Of the ellipse's area: the hull of a cog with eight teeth has 0.95 of it, that of a square 0.64 of its circle.
ROUND = (0.9, 1.04)
BESIDE = 0.06  # of the radius, on either side of a rim: there it is seen where the piece begins
# Of a crop's breadth: a piece that is less broad was cut out more loosely than its rim is looked for, and the crop is
# cut down to it with so much of its breadth around it; what is smaller is a glint on it. Of its bounding box a disc
# fills 0.79, a cog more than half; another thing in the crop is as large as so much of it.
LOOSELY, LEFT_AROUND, COMPACT, ANOTHER = (0.3, 0.85), 0.06, 0.55, 0.25


def rim_of_shape(lab: NDArray[np.float32]) -> tuple[Floats, float] | None:
    """The outline (ANGLES, 2) px of the largest thing in a box (H, W, 3) Lab whose corners show its table, and the part
    of it at which that thing ends; None where it is not round. Spots that have the table's colour leave a cog: an
    ellipse through its teeth is the piece.
    """
    lying = unlike_table(lab)
    things = cv2.findContours(lying, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    if not things:
        return None
    hull = cv2.convexHull(max(things, key=cv2.contourArea))
    if len(hull) < LEAST_POINTS:
        return None
    middle, axes, turn = cv2.fitEllipse(hull)
    if min(axes) < 1 or not ROUND[0] < cv2.contourArea(hull) / (np.pi / 4 * axes[0] * axes[1]) < ROUND[1]:
        return None
    cosine, sine = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    along = np.stack(circle(), axis=1) * np.array(axes) / 2 @ np.array([[cosine, sine], [-sine, cosine]])
    within, beyond = (_at(lying, np.array(middle) + share * along) for share in (1 - BESIDE, 1 + BESIDE))
    return np.array(middle) + along, float((within & ~beyond).sum() / ANGLES)


def own_part(lab: NDArray[np.float32]) -> tuple[float, float, float, float] | None:
    """Where the only thing that lies whole in a loose crop (H, W, 3) Lab is, with a little around it: left, top, right
    and bottom, of the crop's breadth and height; None where there is no such one, or it fills the crop.
    """
    number, _, stats, _ = cv2.connectedComponentsWithStats(unlike_table(lab))
    size = np.array(lab.shape[1::-1])
    low, breadth, area = stats[1:number, :2], stats[1:number, 2:4], stats[1:number, 4]
    whole = ((low > 0) & (low + breadth < size)).all(axis=1)
    if not whole.any():
        return None
    k = int(np.argmax(np.where(whole, area, 0)))
    alone = (area[whole] >= ANOTHER * area[k]).sum() == 1
    share = float((breadth[k] / size).max())
    if not alone or area[k] < COMPACT * breadth[k].prod() or not LOOSELY[0] <= share <= LOOSELY[1]:
        return None
    around = LEFT_AROUND * breadth[k].max()
    start, end = np.maximum(low[k] - around, 0) / size, np.minimum(low[k] + breadth[k] + around, size) / size
    return float(start[0]), float(start[1]), float(end[0]), float(end[1])


def unlike_table(lab: NDArray[np.float32]) -> NDArray[np.uint8]:
    """(H, W) 0 or 1: what is no shade of the table in a box (H, W, 3) Lab."""
    lying = np.ones(lab.shape[:2], np.uint8)
    for table in table_colours(lab):
        shade = np.clip((lab @ table) / max(float(table @ table), 1.0), SHADED, 1.0)
        lying &= np.linalg.norm(lab - shade[..., None] * table, axis=2) > TABLE_LAB
    return lying


def rim_by_table(lab: NDArray[np.float32], radii_px: tuple[float, float], off_px: float) -> tuple[Floats, float] | None:
    """The outline (ANGLES, 2) px, with a radius in a range and its middle so near to that of a box (H, W, 3) Lab, along
    which most ends within and table begins beyond, and how much more of it does than the other way round; None where no
    outline lies inside the box. Labels have no table around them; a neighbour that touches takes a part.
    """
    height, width = lab.shape[:2]
    lying = cv2.GaussianBlur(unlike_table(lab).astype(np.float32), (0, 0), SOFT_PX)
    tried: list[tuple[float, float, Floats]] = []
    steps = np.arange(-off_px, off_px + STEP_PX / 2, STEP_PX)
    moves = np.stack(np.meshgrid(steps, steps), axis=2).reshape(-1, 2) + np.array([width, height]) / 2
    unit = np.stack(circle(), axis=1)
    for low in SQUEEZED:
        for turn in np.arange(TURNS if low < 1 else 1) * (np.pi / TURNS):
            cosine, sine = np.cos(turn), np.sin(turn)
            along = unit * [low**-0.5, low**0.5] @ np.array([[cosine, sine], [-sine, cosine]])
            for radius in np.geomspace(*radii_px, RADII):
                inside, beyond = (moves[:, None] + radius * (1 + s * BESIDE) * along for s in (-1, 1))
                fits = ((beyond >= 0) & (beyond <= np.array([width, height]) - 1)).all(axis=2).mean(axis=1) >= SEEN
                if not fits.any():
                    continue
                within, around = (pixels_at(lying, points[fits]) for points in (inside, beyond))
                ends = (within - around).mean(axis=1)
                k = int(ends.argmax())
                tried.append((float(ends[k]), float(radius), moves[fits][k] + radius * along))
    if not tried:
        return None
    # spots as pale as the table leave as much of an end within them as around them
    least = max(score for score, _, _ in tried) - AS_GOOD
    score, _, outline = max((one for one in tried if one[0] >= least), key=lambda one: one[1])
    return outline, score


def table_colours(lab: NDArray[np.float32]) -> NDArray[np.float32]:
    """(K, 3) the colours that several corners of a box (H, W, 3) Lab show: one of wood or paper, some of carpets and
    stones. What one corner alone shows is another piece.
    """
    height, width = lab.shape[:2]
    rows, cols = np.mgrid[:height, :width]
    away = np.hypot((cols + 0.5) / width - 0.5, (rows + 0.5) / height - 0.5) * 2
    corner = np.where(away > CORNERS, 1 + 2 * (2 * rows >= height) + (2 * cols >= width), 0)
    seen = lab[corner > 0]
    usual = np.median(seen, axis=0)[None]
    if len(seen) < COLOURS:
        return np.asarray(usual, np.float32)
    cv2.setRNGSeed(0)
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    labels, centres = cv2.kmeans(np.ascontiguousarray(seen), COLOURS, None, criteria, 1, cv2.KMEANS_PP_CENTERS)[1:]
    parts = np.array([np.bincount(labels[corner[corner > 0] == k, 0], minlength=COLOURS) for k in range(1, 5)], float)
    parts /= np.maximum(parts.sum(axis=1, keepdims=True), 1.0)
    common = (parts > IN_CORNER).sum(axis=0) >= CORNERS_ALIKE
    return np.asarray(np.concatenate([usual, centres[common]]), np.float32)


def _at(mask: NDArray[np.uint8], points: Floats) -> NDArray[np.bool_]:
    """(N,) what a mask (H, W) shows at points (N, 2) px; nothing lies beyond its border."""
    x, y = np.round(points).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < mask.shape[1]) & (y < mask.shape[0])
    shown = np.zeros(len(points), bool)
    shown[inside] = mask[y[inside], x[inside]] > 0
    return shown
