"""What every pixel of a canvas says for a bare face, a shadow, and the top and the sides of a piece of each colour."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.appearance.canvas import Canvas
from vision.appearance.picture_light import PieceColours

# Most that one pixel may speak against a piece (nats): a robust bound against print, glare and dust.
WORST = 8.0

# Most that one pixel may speak against the bare face: something unknown may lie there instead of a piece.
WORST_BARE = 6.0

# Standard deviations of the picture's blur (and a tile misplaced by 0.2 mm) that reach across a face's outline.
OUTLINE_BLURS = 2.0

# Neighbouring pixels share their errors (blur, demosaicing, JPEG): so many count as one observation.
CORRELATED_PX = 6.0

# Relative error of a predicted colour (light falling unevenly, paint differing): 4-5 % was measured on tops.
COLOUR_SPREAD = 0.07

# Grey levels by which even a bare face differs from its scan.
MODEL_NOISE = 5.0

# A bare face may be darkened by a shadow, down to this part of its grey level (one pixel in fifty beside a piece is
# darker); few pixels are (nats a pixel).
DARKEST_SHADOW = 0.4
LIT = 0.9
SHADOW_COST = 2.2

# Standard deviations of a pixel's noise by which it must be darker than lit print to show a shadow.
DARKENED = 1.0

# The same beside a piece that has been found, where a shadow is expected.
CAST_SHADOW_COST = 0.4

# Brightness of a cube's faces against a lit flat scan: the top is lit like the tiles, a side from full to dark.
TOP_LEVELS = (0.9, 1.0, 1.1)
SIDE_LEVELS = (0.25, 0.35, 0.48, 0.62, 0.8, 1.0)

# Broad light is told to such steps (of a logarithm) where the look of pieces in it is asked: half of COLOUR_SPREAD.
STEP = 0.05


def bare_likelihoods(canvas: Canvas) -> tuple[np.ndarray, np.ndarray]:
    """(H, W) float32 log-likelihoods of every pixel as bare face, and how much more beside a piece that casts a shadow.

    Both are zero between faces and along their outlines, where what is seen is blurred with what is not known.
    """
    known = inner_pixels(canvas)  # nothing is asked of all others, most of a canvas with few faces
    bare, seen, slack = canvas.bare[known], canvas.seen[known], canvas.slack[known]
    noise = MODEL_NOISE + canvas.noise
    precision = 1.0 / (noise * noise + (COLOUR_SPREAD * bare) ** 2 + slack * slack)
    # the light s that explains a pixel best, and what it leaves: sum (seen - s bare)^2 / variance
    weight = bare * precision
    bb, bs, ss = (over_channels(a) for a in (bare * weight, seen * weight, seen * seen * precision))
    shade = np.clip(bs / np.maximum(bb, 1e-3), DARKEST_SHADOW, 1.06)
    # of dark print noise alone takes a tenth
    shadow = (shade < LIT) & ((1.0 - shade) ** 2 * bb > DARKENED**2)
    shade[~shadow] = 1.0
    fit = -0.5 * (ss - (2.0 * bs - bb * shade) * shade)
    fit[shadow] = shadowed_fit(seen[shadow], bare[shadow], slack[shadow], shade[shadow, None], noise)
    far, relief = np.zeros((2, *known.shape), np.float32)
    far[known] = lone = np.maximum(fit - SHADOW_COST * shadow, -WORST_BARE)
    relief[known] = np.maximum(fit - CAST_SHADOW_COST * shadow, -WORST_BARE) - lone
    return far, relief


def over_channels(values: np.ndarray) -> np.ndarray:
    """(N,) sums of (N, 3): a fifth of the time of NumPy's own."""
    return np.asarray(values[:, 0] + values[:, 1] + values[:, 2])


def shadowed_fit(seen: np.ndarray, bare: np.ndarray, slack: np.ndarray, shade: np.ndarray, noise: float) -> np.ndarray:
    """(N,) log-likelihoods of pixels (N, 3) as print that keeps a part (N, 1) of its light: dark, it errs less."""
    gap = seen - shade * bare
    spread = (COLOUR_SPREAD * bare) ** 2 + slack * slack
    return -0.5 * over_channels(gap * gap / (noise * noise + shade * shade * spread))


def inner_pixels(canvas: Canvas) -> np.ndarray:
    """(H, W) bool: pixels of faces that nothing beside their face is blurred into."""
    reach = int(np.ceil(OUTLINE_BLURS * canvas.light.blur_px))
    around = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
    return np.asarray((cv2.erode(canvas.label, around) == cv2.dilate(canvas.label, around)) & (canvas.label >= 0))


def piece_likelihoods(canvas: Canvas, colours: PieceColours, box: tuple[slice, slice]) -> tuple[np.ndarray, np.ndarray]:
    """Log-likelihoods (K, h, w) float32 of each pixel in `box` as top and as side of a piece of each colour."""
    seen = canvas.seen[box]
    h, w = seen.shape[:2]
    middle = canvas.window.to_mm(np.array([(box[1].start + box[1].stop) / 2, (box[0].start + box[0].stop) / 2]))
    names = np.bincount(canvas.label[box].ravel() + 1, minlength=len(canvas.face_levels) + 1)[1:]
    level = canvas.face_levels[int(names.argmax())]
    place = np.broadcast_to(middle, (len(colours.names), 2))
    noise = MODEL_NOISE + canvas.noise
    broad = np.float32(1.0)
    if canvas.broad is not None:
        broad = np.exp(np.round(np.log(canvas.broad.share[box]) / STEP) * STEP)
    out = np.empty((2, len(colours.names), h, w), np.float32)
    for lit in np.unique(broad).tolist():
        # a piece glosses as the faces do, or not at all
        glossy, matte = (
            light.expect(colours.array(), place, level * lit, clip=False)  # (K, 3)
            for light in (canvas.light, replace(canvas.light, veil=(0.0, 0.0, 0.0)))
        )
        here = np.broadcast_to(broad == lit, (h, w))
        out[:, :, here] = _as_pieces(seen[here], (glossy + matte) / 2, (glossy - matte) / 2, noise)
    return out[0], out[1]


def _as_pieces(seen: np.ndarray, lit: np.ndarray, gloss: np.ndarray, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Log-likelihoods (K, N) float32 of pixels (N, 3) as top and as side of pieces that look so (K, 3) when lit."""
    pixels = seen.T

    def best(levels: tuple[float, ...]) -> np.ndarray:
        share = np.array(levels, np.float32)[:, None, None]
        wanted = np.clip(share * lit, 0, 255).astype(np.float32)  # (L, K, 3)
        precision = 1.0 / (noise * noise + (COLOUR_SPREAD * wanted) ** 2 + (share * gloss) ** 2)
        # sum_c (p - w)^2 q = p^2 . q - 2 p . (w q) + sum w^2 q: two small matrix products
        far = precision.reshape(-1, 3) @ (pixels * pixels)
        far -= (2 * wanted * precision).reshape(-1, 3) @ pixels
        far += (wanted * wanted * precision).sum(-1).reshape(-1, 1)
        nearest = far.reshape(len(levels), len(lit), -1).min(0)
        return np.asarray(np.maximum(-0.5 * nearest, -WORST))

    return best(TOP_LEVELS), best(SIDE_LEVELS)
