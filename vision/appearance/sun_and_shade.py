"""Two lights on one table: panes of sun with hard edges, and the shade between them.

One light for both is told by half of the faces' print each and fits neither: print in the sun looks like bright pieces,
print in the shade like shadows. Both lights are told by all faces together; which of them falls on a pixel is told by
what lies around it.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.appearance.picture_light import BLACK, SATURATED, PictureLight, fit_light
from vision.appearance.placed_face import PX_PER_MM
from vision.median import median

# Two lights are told where they miss the print by so many times less than one does.
MUCH_BETTER = 2.0

# The sun adds to what falls in the shade so much of it at least, in every channel.
SUN_ADDS = 0.2

# Part of the spots of all faces that must lie in each light, and the least number of them.
LEAST_SHARE, LEAST_SPOTS = 0.1, 64

# Rounds in which every spot goes to the light that fits it better.
ROUNDS = 6

# A light falls on so much of a face at least, hanging together: the top of a piece and half as much again.
LEAST_LIT_MM2 = 200.0

# Or on so much where it comes in over the face's rim with a straight edge, of which so many mm (standard deviation) are
# no more than what is told of it: a piece is round, or has more sides than one.
LEAST_AT_RIM_MM2, STRAIGHT_MM = 20.0, 0.6

# Part of that edge at which print must be seen on both sides: a piece may stand on it.
MOST_TOLD = 0.5

# Which light falls on a pixel is told by what lies so near it; where that shows neither, by what lies around a piece.
NEAR_PX, AROUND_MM = 7, 22.0

# What lies around counts so little beside what lies near.
LITTLE = 0.02

# Grey levels, and part of the level, by which print differs from what is expected of it; and the most that one pixel
# may say: a piece hides the print.
MODEL_NOISE, SPREAD, WORST = 5.0, 0.07, 6.0

# Print that is seen fits better than this (nats a pixel).
EXPLAINED = 3.0

# Pixels so near to an edge of light may lie in either.
EDGE = np.ones((5, 5), np.uint8)

# So far (mm) from the sun on faces a piece on shaded ones may stand in it: it hides the edge of light over its own
# width, and what is raised by some mm meets the sun before the faces do.
PIECE_REACH_MM = 14.0

BESIDE, NEAR = np.ones((3, 3), np.uint8), np.ones((NEAR_PX, NEAR_PX), np.uint8)


def with_shade(
    reference: np.ndarray, seen: np.ndarray, xy_mm: np.ndarray, one: PictureLight, is_sunny: bool = False
) -> PictureLight:
    """The light of the sun with its `shade`, where two lights explain spots of print much better than `one` does, which
    is returned else.

    `reference`, `seen`: (N, 3) BGR 0-255 of plain spots; `xy_mm`: (N, 2) where they lie on the table. `is_sunny`: other
    spots of the picture have shown both lights, which need not be much better here.
    """
    level = (seen.astype(np.float32) + BLACK).sum(-1) / (one.expect(reference, xy_mm) + BLACK).sum(-1)
    usable = (seen < SATURATED).all(-1)
    if usable.sum() < 2 * LEAST_SPOTS:
        return one
    sunny = level > _parting(level[usable])
    least = max(LEAST_SPOTS, LEAST_SHARE * len(seen))
    sun = shade = one
    for _ in range(ROUNDS):
        if min(sunny.sum(), (~sunny).sum()) < least:
            return one
        sun = fit_light(reference[sunny], seen[sunny], xy_mm[sunny], one)
        shade = fit_light(reference[~sunny], seen[~sunny], xy_mm[~sunny], one)
        off = [np.abs(seen - light.expect(reference, xy_mm)).sum(-1) for light in (sun, shade)]
        nearer = off[0] < off[1]
        if (nearer == sunny).all():
            break
        sunny = nearer
    noise = median(np.where(sunny[:, None], *(np.abs(seen - light.expect(reference, xy_mm)) for light in (sun, shade))))
    adds = all(more > (1.0 + SUN_ADDS) * less for more, less in zip(sun.gain, shade.gain, strict=True))
    if not adds or noise * (1.0 if is_sunny else MUCH_BETTER) > one.noise:
        return one
    sun, shade = (replace(light, noise=noise, blur_px=one.blur_px) for light in (sun, shade))
    return replace(sun, shade=shade)


def _parting(values: np.ndarray) -> float:
    """The value that parts some (N,) into two groups, each as much alike as can be (Otsu)."""
    ordered = np.sort(values.astype(np.float64))
    count = np.arange(1, len(ordered))
    low = np.cumsum(ordered)[:-1]
    between = (low / count - (ordered.sum() - low) / (len(ordered) - count)) ** 2 * count * (len(ordered) - count)
    at = int(between.argmax())
    return float(ordered[at : at + 2].mean())


def where_shaded(
    seen: np.ndarray, sunny: np.ndarray, shaded: np.ndarray, slack: np.ndarray, known: np.ndarray, noise: float
) -> np.ndarray:
    """(H, W) bool: the pixels of faces on which the sun does not fall.

    `seen`, and the bare print in the sun and in the shade, each (H, W, 3) float32 0-255; `slack` (H, W, 3): how far
    print may be off; `known` (H, W) bool: the pixels of faces; `noise`: of the lights, grey levels.
    """
    in_sun, in_shade = (_fits(seen, bare, slack, noise) for bare in (sunny, shaded))
    told = np.where(known, in_shade - in_sun, 0.0).astype(np.float32)
    around = (round(AROUND_MM * PX_PER_MM),) * 2
    told = cv2.blur(told, (NEAR_PX, NEAR_PX)) + LITTLE * cv2.blur(told, around, borderType=cv2.BORDER_CONSTANT)
    out = known & (told > 0.0)
    for light in (True, False):  # what is as small as a piece is none
        _, names, stats, _ = cv2.connectedComponentsWithStats((known & (out == light)).astype(np.uint8), connectivity=4)
        area_mm2 = stats[:, cv2.CC_STAT_AREA] / PX_PER_MM**2
        small = area_mm2 < LEAST_LIT_MM2
        small[0] = False
        shown = (in_sun if not light else in_shade) > -EXPLAINED, (in_shade if not light else in_sun) > -EXPLAINED
        for number in np.flatnonzero(small & (area_mm2 >= LEAST_AT_RIM_MM2)).tolist():
            small[number] = not _is_cut_straight(names == number, known, *shown)
        out[small[names]] = not light
    return np.asarray(out)


def _is_cut_straight(part: np.ndarray, known: np.ndarray, shown: np.ndarray, beside: np.ndarray) -> bool:
    """Whether a part of the faces ends in them at one straight edge, where print is `shown` in its light and `beside`
    it in the other; all (H, W) bool, `known` the pixels of faces."""
    whole = cv2.erode(known.astype(np.uint8), NEAR) > 0  # near a face's rim it is told by what lies on one side alone
    edge = part & whole & _near(known & ~part, BESIDE)
    told = edge & _near(part & shown, NEAR) & _near(known & ~part & beside, NEAR)
    at = np.argwhere(told).astype(float)
    if len(at) < max(2, MOST_TOLD * np.count_nonzero(edge)):
        return False
    return bool(np.linalg.eigvalsh(np.cov(at.T))[0] <= (STRAIGHT_MM * PX_PER_MM) ** 2)


def _near(where: np.ndarray, around: np.ndarray) -> np.ndarray:
    """(H, W) bool: all beside what is True."""
    return np.asarray(cv2.dilate(where.astype(np.uint8), around) > 0)


def in_the_sun(
    seen: np.ndarray, shaded: np.ndarray, sun: PictureLight, axes_mm: tuple[np.ndarray, np.ndarray]
) -> np.ndarray:
    """A picture (H, W, 3) uint8 as it looks when the `sun` falls on what is `shaded` (H, W) bool, too, uint8.

    `axes_mm`: (W,) and (H,) table mm of its columns and rows."""
    assert sun.shade is not None
    if not shaded.any():
        return seen
    rows, columns = np.nonzero(shaded)
    at_mm = np.stack([axes_mm[0][columns], axes_mm[1][rows]], axis=1)
    out = seen.copy()
    out[rows, columns] = sun.expect(sun.shade.as_scan(seen[rows, columns], at_mm), at_mm)
    return out


def raised_into_the_sun(lit: np.ndarray, seen: np.ndarray, shaded: np.ndarray, known: np.ndarray) -> np.ndarray | None:
    """A picture `lit` as in the sun (H, W, 3) uint8 if the sun falls on what is raised over faces that are `shaded`
    (H, W) bool near an edge of light: it is as `seen`; None where there is no such edge. `known` (H, W) bool: the
    pixels of faces.

    Nothing is said of what is raised into the shade: print in the sun, brightened as if it were shaded, looks like
    white pieces."""
    reach = np.ones((2 * round(PIECE_REACH_MM * PX_PER_MM) + 1,) * 2, np.uint8)
    near = shaded & _near(known & ~shaded, reach)
    return np.where(near[..., None], seen, lit) if near.any() else None


def edge_slack(shaded: np.ndarray, seen: np.ndarray, lit: np.ndarray) -> np.ndarray:
    """(H, W, 3) float32 grey levels by which print may be off along the edges of what is `shaded` (H, W) bool: `seen`
    as it is and `lit`, both (H, W, 3) uint8."""
    here = shaded.astype(np.uint8)
    edge = cv2.dilate(here, EDGE) != cv2.erode(here, EDGE)
    most = cv2.dilate(cv2.absdiff(lit, seen), EDGE)
    return np.where(edge[..., None], most, 0).astype(np.float32)


def _fits(seen: np.ndarray, bare: np.ndarray, slack: np.ndarray, noise: float) -> np.ndarray:
    """(H, W) log-likelihood of every pixel as bare print."""
    variance = (MODEL_NOISE + noise) ** 2 + (SPREAD * bare) ** 2 + slack * slack
    gap = seen - bare
    return np.asarray(np.maximum(-0.5 * (gap * gap / variance).sum(-1), -WORST))
