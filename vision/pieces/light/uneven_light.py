"""Faces whose print lies in more than one light: panes of sun, gloss and shadows that hide a part of a face.

What is told of a whole picture's light, and of light that falls on most of a neighbourhood, leaves these parts
unexplained, and pieces in them are looked for in the wrong light. Here the print of one face is lit anew, part by part,
where no piece was found.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.appearance.broad_light import BroadLight
from vision.appearance.canvas import Canvas
from vision.appearance.picture_light import BLACK, SATURATED, from_light, to_light
from vision.appearance.placed_face import PX_PER_MM
from vision.pieces.likelihood_maps import bare_likelihoods
from vision.pieces.scene import UNEXPLAINED

# Area of a face that print, shadows and pieces do not explain from which its light is told anew.
LEAST_UNEXPLAINED_MM2 = 60.0

# A light of its own reaches over at least so much of a face, hanging together: twice the top of a piece, whose sides
# are lit otherwise.
LEAST_LIT_MM2 = 200.0

# Lights of one face beside that of the picture: a pane of sun, and gloss.
MOST_LIGHTS = 3

# What a light is told by: the unexplained print within a square of so many mm, which a piece does not fill.
AROUND_MM = 22.0

# So many places of a face are tried for one: in the first, pieces may stand that were not found.
MOST_PLACES = 3

# Least part of that print that a light must explain, and the least number of pixels that tell it.
EXPLAINED, LEAST_PIXELS = 0.6, 100

# Darkest and brightest of the light that is left or added to print, and most that gloss adds (linear light, white 1).
DARKEST, BRIGHTEST, LEAST_GLOSS, MOST_GLOSS = 0.3, 3.0, -0.02, 0.5

# Part of the print around a thing that must lie in a light for it to fall on the thing.
MOSTLY = 0.5

# Rounds of the robust fit, and the error (grey levels) at which a pixel counts half.
ROUNDS, ROBUST = 6, 12.0

# Gain and gloss are believed to be even, so strongly as this part of what tells them.
PRIOR = 0.003

# Light is the same over so many px: noise is not.
SMOOTH_PX = 7

# Pixels so near to a piece show its shadow and what its edge blurs into.
BESIDE_PIECE = np.ones((5, 5), np.uint8)

# Linear light at which the share of a piece's light is told.
MIDDLE = 0.3


@dataclass(frozen=True, slots=True)
class _Light:
    """Linear light of print: times `gain`, and `gloss` (3,) more: in the middle of a crop, and rising to its right and
    bottom."""

    gain: float
    gloss: tuple[float, float, float]

    def on(self, bare: np.ndarray) -> np.ndarray:
        """Print (h, w, 3) in 0..255 as it is lit, float32."""
        right, down = _axes(bare.shape[:2])
        gloss = np.clip(self.gloss[0] + self.gloss[1] * right + self.gloss[2] * down, LEAST_GLOSS, MOST_GLOSS)
        lit = from_light(np.maximum(to_light(bare) * self.gain + gloss[..., None], 0.0))
        return np.asarray(np.clip(lit, 0.0, 255.0), np.float32)

    @property
    def share(self) -> float:
        """How much brighter a piece is for it, a factor of picture + 14: gloss lies on the print."""
        dim, lit = from_light(np.array([MIDDLE, MIDDLE * self.gain])) + BLACK
        return float(lit / dim)


def lit_anew(canvas: Canvas, covered: np.ndarray, unexplained_mm2: np.ndarray) -> tuple[Canvas, np.ndarray]:
    """The canvas with the print of faces lit anew where that explains it, and (F,) bool which faces that are.

    `covered` (H, W): part of each pixel that pieces cover; `unexplained_mm2` (F,): of every face.
    """
    bare, share = canvas.bare.copy(), np.ones(canvas.label.shape, np.float32)
    lit = np.zeros(len(unexplained_mm2), bool)
    for number in np.flatnonzero(unexplained_mm2 >= LEAST_UNEXPLAINED_MM2).tolist():
        y, x = np.nonzero(canvas.label == number)
        if not len(y):
            continue
        box = (slice(int(y.min()), int(y.max()) + 1), slice(int(x.min()), int(x.max()) + 1))
        hidden = cv2.dilate((covered[box] > 0.0).astype(np.uint8), BESIDE_PIECE) > 0
        found = _lit_face(canvas.part(box), number, hidden)
        if found is not None:
            bare[box], lit[number] = found[0], True
            share[box] *= found[1]
    if not lit.any():
        return canvas, lit
    before = 1.0 if canvas.broad is None else canvas.broad.share
    return replace(canvas, bare=bare, broad=BroadLight(np.asarray(share * before, np.float32), canvas.noise)), lit


def _lit_face(part: Canvas, number: int, hidden: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """The print (h, w, 3) of one face as it is lit, and (h, w) how much brighter pieces are there; None where no light
    of its own is told."""
    own = part.label == number
    bare, share = part.bare.copy(), np.ones(part.label.shape, np.float32)
    fits = bare_likelihoods(part)[0]
    for _ in range(MOST_LIGHTS):
        strange = own & ~hidden & (fits < -UNEXPLAINED)
        light = _light(part, strange)
        if light is None:
            break
        lit = light.on(part.bare)
        new = bare_likelihoods(replace(part, bare=lit))[0]
        gain = cv2.blur(np.where(own & ~hidden, new - fits, 0.0).astype(np.float32), (SMOOTH_PX, SMOOTH_PX))
        region = _wide(own & (gain > 0.0), strange & (new >= -UNEXPLAINED))
        if not region.any():
            break
        # what was taken for a piece is lit, too: it may be print in this very light
        region |= _beneath_things(own & (hidden | (np.maximum(new, fits) < -UNEXPLAINED)), region, own)
        bare[region], share[region] = lit[region], light.share
        fits = bare_likelihoods(replace(part, bare=bare))[0]
    return None if (bare == part.bare).all() else (bare, share)


def _wide(region: np.ndarray, explained: np.ndarray) -> np.ndarray:
    """(h, w) bool: what hangs together of a region and explains print over more than pieces."""
    _, names = cv2.connectedComponents(region.astype(np.uint8), connectivity=4)
    enough = np.bincount(names[region & explained], minlength=int(names.max()) + 1) >= LEAST_LIT_MM2 * PX_PER_MM**2
    enough[0] = False
    return np.asarray(enough[names])


def _beneath_things(strange: np.ndarray, region: np.ndarray, own: np.ndarray) -> np.ndarray:
    """(h, w) bool: what is `strange`, or a piece, where most of the other print of a face, `own`, around lies in the
    `region` of a light: it falls on the pieces that stand there, too."""
    side = (round(AROUND_MM * PX_PER_MM),) * 2
    lit, known = (
        cv2.blur(part.astype(np.float32), side, borderType=cv2.BORDER_CONSTANT) for part in (region, own & ~strange)
    )
    return np.asarray(strange & (lit > MOSTLY * known))


def _light(part: Canvas, strange: np.ndarray) -> _Light | None:
    """The light of the print around the place where most of it is strange, or of the next, as a piece may stand there;
    None where no light explains any."""
    side = round(AROUND_MM * PX_PER_MM)
    left = strange.copy()
    for _ in range(MOST_PLACES):
        dense = cv2.boxFilter(
            left.astype(np.float32), -1, (side, side), normalize=False, borderType=cv2.BORDER_CONSTANT
        )
        y, x = np.unravel_index(int(dense.argmax()), dense.shape)
        near = (slice(max(0, y - side // 2), y + side // 2 + 1), slice(max(0, x - side // 2), x + side // 2 + 1))
        there = np.zeros_like(strange)
        there[near] = left[near]
        if there.sum() < LEAST_PIXELS:
            return None
        light = _fitted(part, there)
        explained = bare_likelihoods(replace(part, bare=light.on(part.bare)))[0] >= -UNEXPLAINED
        if explained[there].mean() >= EXPLAINED:
            return light
        left[near] = False
    return None


def _fitted(part: Canvas, there: np.ndarray) -> _Light:
    """The light in which the pixels of `there` (h, w) bool look most like the print, robustly."""
    right, down = (axis[there] for axis in _axes(there.shape))
    seen, bare = part.seen[there], part.bare[there]  # (N, 3)
    usable = (seen < SATURATED) & (bare < SATURATED)
    print_light, seen_light = to_light(bare), to_light(seen)
    columns = np.stack(
        [print_light, *(np.repeat(v[:, None], 3, 1) for v in (np.ones_like(right), right, down))], -1
    )  # (N, 3, 4)
    # an error of a grey level is so much light
    level = (to_light(np.minimum(seen + 4.0, 255.0)) - to_light(np.maximum(seen - 4.0, 0.0))) / 8.0
    weight = usable / np.maximum(level, 1e-4) ** 2
    believed = np.array([1.0, 0.0, 0.0, 0.0])
    found, robust = believed, np.ones_like(weight)
    for _ in range(ROUNDS):
        each = (weight * robust)[..., None]
        normal = np.einsum("ncj,nck->jk", columns * each, columns)
        prior = PRIOR * np.diag(np.maximum(np.diag(normal), 1e-9)) * np.array([0.1, 1.0, 1.0, 1.0])
        pull = np.einsum("ncj,nc->j", columns * each, seen_light) + prior @ believed
        found = np.linalg.solve(normal + prior, pull)
        found[0] = np.clip(found[0], DARKEST, BRIGHTEST)
        off = (columns @ found - seen_light) / np.maximum(level, 1e-4)
        robust = 1.0 / (1.0 + (off / ROBUST) ** 2)
    return _Light(float(found[0]), (float(found[1]), float(found[2]), float(found[3])))


def _axes(shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """(h, w) float32 each: -1..1 from left to right, and from top to bottom."""
    height, width = shape
    down, right = np.mgrid[-1 : 1 : complex(height), -1 : 1 : complex(width)].astype(np.float32)
    return right, down
