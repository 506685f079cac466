"""What every pixel of a canvas says for a bare face, a shadow, and the top and the sides of a piece of each colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.appearance.canvas import Canvas
from vision.appearance.picture_light import PieceColours
from vision.pieces.shapes import Hypothesis

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

# Logarithm of two faces' brightness below which pieces on them are said to look alike: within what `COLOUR_SPREAD`
# allows.
LIT_ALIKE = 0.05

# Light in which a piece may stand that is not seen on what lies around it, as on a black table: all, and what shadows
# leave. In between its top and sides are told by their own levels.
PERHAPS_SHADED = (1.0, 0.63, DARKEST_SHADOW)

# Beside an edge of light it is told by what lies within so many px, half of a top, which light falls on a piece. Few
# pixels of pieces lie in another light than the faces below them, as few of faces lie in a shadow (nats a pixel).
TOGETHER_PX, OTHERWISE_COST = 7, SHADOW_COST

EACH = np.ones((1, 3), np.float32)

# Broad light is told to such steps (of a logarithm) where the look of pieces in it is asked: half of COLOUR_SPREAD.
STEP = 0.05


def bare_likelihoods(canvas: Canvas, inner: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """(H, W) float32 log-likelihoods of every pixel as bare face, and how much more beside a piece that casts a shadow.

    Both are zero between faces and along their outlines, where what is seen is blurred with what is not known.
    `inner`: the canvas' `inner_pixels`, where they are known.
    """
    known = inner_pixels(canvas) if inner is None else inner
    at = np.flatnonzero(known)  # nothing is asked of all others, most of a canvas with few faces
    bare, seen, slack = (pixels_at(picture, at) for picture in (canvas.bare, canvas.seen, canvas.slack))
    noise = np.float32(MODEL_NOISE + canvas.noise)
    spread = np.float32(COLOUR_SPREAD) * bare
    spread *= spread
    spread += np.square(slack, out=slack)
    precision = noise * noise + spread
    np.reciprocal(precision, out=precision)
    # the light s that explains a pixel best, and what it leaves: sum (seen - s bare)^2 / variance
    weight = bare * precision
    precision *= seen
    bb, bs, ss = over_channels(bare * weight), over_channels(seen * weight), over_channels(seen * precision)
    shade = np.clip(bs / np.maximum(bb, np.float32(1e-3)), np.float32(DARKEST_SHADOW), np.float32(1.06))
    # of dark print noise alone takes a tenth
    shadow = (shade < LIT) & ((np.float32(1.0) - shade) ** 2 * bb > DARKENED**2)
    shade[~shadow] = 1.0
    fit = np.float32(-0.5) * (ss - (np.float32(2.0) * bs - bb * shade) * shade)
    dark = np.flatnonzero(shadow)
    there, print_there, spread_there = (np.take(m, dark, axis=0) for m in (seen, bare, spread))
    fit[dark] = _shadowed_fit(there, print_there, spread_there, shade[dark, None], float(noise))
    far, relief = np.zeros((2, known.size), np.float32)
    far[at] = lone = np.maximum(fit - np.float32(SHADOW_COST) * shadow, np.float32(-WORST_BARE))
    relief[at] = np.maximum(fit - np.float32(CAST_SHADOW_COST) * shadow, np.float32(-WORST_BARE)) - lone
    return far.reshape(known.shape), relief.reshape(known.shape)


def pixels_at(picture: np.ndarray, where: np.ndarray) -> np.ndarray:
    """(N, 3) the pixels of a picture (H, W, 3) at flat indices (N,): a quarter of the time that a mask takes."""
    return np.take(picture.reshape(-1, 3), where, axis=0)


def over_channels(values: np.ndarray) -> np.ndarray:
    """(N,) sums of (N, 3): a fifth of the time of NumPy's own."""
    if not len(values):
        return np.zeros(0, np.float32)
    return np.asarray(cv2.transform(values[None], EACH)[0])


def shadowed_fit(seen: np.ndarray, bare: np.ndarray, slack: np.ndarray, shade: np.ndarray, noise: float) -> np.ndarray:
    """(N,) log-likelihoods of pixels (N, 3) as print that keeps a part (N, 1) of its light: dark, it errs less."""
    return _shadowed_fit(seen, bare, (COLOUR_SPREAD * bare) ** 2 + slack * slack, shade, noise)


def _shadowed_fit(
    seen: np.ndarray, bare: np.ndarray, spread: np.ndarray, shade: np.ndarray, noise: float
) -> np.ndarray:
    gap = seen - shade * bare
    return -0.5 * over_channels(gap * gap / (noise * noise + shade * shade * spread))


def inner_pixels(canvas: Canvas) -> np.ndarray:
    """(H, W) bool: pixels of faces that nothing beside their face is blurred into."""
    reach = int(np.ceil(OUTLINE_BLURS * canvas.light.blur_px))
    around = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
    return np.asarray((cv2.erode(canvas.label, around) == cv2.dilate(canvas.label, around)) & (canvas.label >= 0))


@dataclass(frozen=True, slots=True, eq=False)
class PieceLooks:
    """What the pixels of a part of a canvas say for pieces of each colour.

    `parts`: pixels in the same light, (h, w) bool or None for all; powers (7, N) of their values; and what pieces look
    like there, (K, 3) when lit and how far gloss changes it. `otherwise`: the same of the pixels in the other light,
    where a piece may stand in either.
    """

    shape: tuple[int, int]
    noise: float
    parts: tuple[tuple[np.ndarray | None, np.ndarray, np.ndarray, np.ndarray], ...]
    otherwise: PieceLooks | None = None

    @classmethod
    def of(cls, canvas: Canvas, colours: PieceColours, box: tuple[slice, slice]) -> PieceLooks:
        """Those of the pixels in `box`."""
        seen = canvas.seen[box]
        height, width = seen.shape[:2]
        middle = canvas.window.to_mm(np.array([(box[1].start + box[1].stop) / 2, (box[0].start + box[0].stop) / 2]))
        level = canvas.face_levels[_most_shown(canvas, box)]
        place = np.broadcast_to(middle, (len(colours.names), 2))
        broad = np.ones(1, np.float32)
        if canvas.broad is not None:
            broad = np.exp(np.round(np.log(canvas.broad.share[box]) / STEP) * STEP)
        parts = []
        lights = np.unique(broad).tolist()
        for lit in lights:
            # a piece glosses as the faces do, or not at all
            glossy, matte = (
                light.expect(colours.array(), place, level * lit, clip=False)  # (K, 3)
                for light in (canvas.light, replace(canvas.light, veil=(0.0, 0.0, 0.0)))
            )
            here = None if len(lights) == 1 else broad == lit
            pixels = _powers(seen.reshape(-1, 3) if here is None else seen[here])
            parts.append((here, pixels, (glossy + matte) / 2, (glossy - matte) / 2))
        looks = cls((height, width), MODEL_NOISE + canvas.noise, tuple(parts))
        other = canvas.otherwise
        if other is None or (other[box] == seen).all():
            return looks
        return replace(looks, otherwise=cls.of(replace(canvas, seen=other, otherwise=None), colours, box))

    def tops(self, colours: Sequence[int] | None = None) -> np.ndarray:
        """(K, h, w) float32 log-likelihoods of each pixel as top of a piece; of other than the numbered `colours` as if
        none were there."""
        return self._best(TOP_LEVELS, colours)

    def sides(self, colours: Sequence[int] | None = None) -> np.ndarray:
        """As `tops`, as side of a piece."""
        return self._best(SIDE_LEVELS, colours)

    def _best(self, levels: tuple[float, ...], colours: Sequence[int] | None) -> np.ndarray:
        every = len(self.parts[0][2])
        asked = list(range(every)) if colours is None else list(colours)
        out = np.full((every, *self.shape), -WORST, np.float32)
        for here, pixels, lit, gloss in self.parts:
            told = _as_pieces(pixels, lit[asked], gloss[asked], self.noise, levels)
            for colour, nats in zip(asked, told, strict=True):
                out[colour][... if here is None else here] = nats.reshape(self.shape) if here is None else nats
        if self.otherwise is not None:
            other = np.maximum(self.otherwise._best(levels, colours) - OTHERWISE_COST, -WORST)
            for colour in asked:
                gain = cv2.blur(other[colour] - out[colour], (TOGETHER_PX, TOGETHER_PX))
                np.copyto(out[colour], other[colour], where=gain > 0.0)
        return out


def _most_shown(canvas: Canvas, box: tuple[slice, slice]) -> int:
    """Number of the face of which a part of a canvas shows most."""
    return int(np.bincount(canvas.label[box].ravel() + 1, minlength=len(canvas.face_levels) + 1)[1:].argmax())


def _where(box: tuple[slice, slice], one: Hypothesis) -> tuple[slice, slice]:
    """Where in the canvas a piece of a region `box` is seen."""
    rows, columns = (slice(b.start + w.start, b.start + w.stop) for b, w in zip(box, one.where, strict=True))
    return rows, columns


def _told(
    canvas: Canvas, colours: PieceColours, here: tuple[slice, slice], one: Hypothesis, asked: Sequence[int]
) -> np.ndarray:
    """Nats by which what is seen `here` looks like a piece of each of the colours `asked` in the place of this one."""
    looks = PieceLooks.of(canvas, colours, here)
    told = (looks.tops() * one.top).sum((1, 2)) + (looks.sides() * one.side).sum((1, 2))
    return np.asarray(told[asked] / CORRELATED_PX)


def _ahead(told: np.ndarray, one: Hypothesis) -> float:
    """Nats by which the piece's own colour is ahead of the likeliest other one."""
    return float(told[one.colour] - np.delete(told, one.colour).max(initial=-np.inf))


def margin_in_own_light(
    canvas: Canvas, colours: PieceColours, box: tuple[slice, slice], one: Hypothesis, asked: Sequence[int]
) -> float:
    """Nats by which a piece in a region `box` looks more like its colour, a number of those `asked`, than like another
    in the light of the face it stands on; infinite where that is the light in which the region was searched.

    The region is searched in the light of the face that most of it shows: beside a brighter tile white looked gray.
    """
    here = _where(box, one)
    level, searched = (canvas.face_levels[_most_shown(canvas, part)] for part in (here, box))
    if abs(np.log(level / searched)) < LIT_ALIKE:
        return float("inf")
    return _ahead(_told(canvas, colours, here, one, asked), one)


def margin_in_shadow(
    canvas: Canvas, colours: PieceColours, box: tuple[slice, slice], one: Hypothesis, asked: Sequence[int]
) -> float:
    """Nats by which a piece in a region `box` looks more like its colour, a number of those `asked`, than like another
    in its very place, though either may stand in a shadow; less than 0 where another looks more like it.

    Rivals are searched in the light of the table: in the shade of a mug no red piece was found, and what was left of
    one was surely yellow. Of 211 pieces of four rendered rough films none had less than 200, that one -400.
    """
    here = _where(box, one)
    shaded = (
        replace(canvas, face_levels=tuple(light * level for level in canvas.face_levels)) for light in PERHAPS_SHADED
    )
    told = [_told(each, colours, here, one, asked) for each in shaded]
    return _ahead(np.max(told, axis=0), one)


def piece_likelihoods(canvas: Canvas, colours: PieceColours, box: tuple[slice, slice]) -> tuple[np.ndarray, np.ndarray]:
    """Log-likelihoods (K, h, w) float32 of each pixel in `box` as top and as side of a piece of each colour."""
    looks = PieceLooks.of(canvas, colours, box)
    return looks.tops(), looks.sides()


def _powers(pixels: np.ndarray) -> np.ndarray:
    """(7, N) float32: the squares of the channels of pixels (N, 3), the channels, and 1."""
    out = np.empty((7, len(pixels)), np.float32)
    out[3:6] = pixels.T
    np.square(out[3:6], out=out[:3])
    out[6] = 1.0
    return out


def _as_pieces(
    powers: np.ndarray, lit: np.ndarray, gloss: np.ndarray, noise: float, levels: tuple[float, ...]
) -> np.ndarray:
    """(K, N) float32 log-likelihoods of N pixels, given their `_powers`, as what looks so (K, 3) when lit, in the
    likeliest of some brightnesses."""
    share = np.array(levels, np.float32)[:, None, None]
    wanted = np.clip(share * lit, 0, 255).astype(np.float32)  # (L, K, 3)
    precision = 1.0 / (noise * noise + (COLOUR_SPREAD * wanted) ** 2 + (share * gloss) ** 2)
    # sum_c (p - w)^2 q = p^2 . q - 2 p . (w q) + sum w^2 q: a small matrix product
    by_powers = [precision, -2 * wanted * precision, (wanted * wanted * precision).sum(-1, keepdims=True)]
    far = np.concatenate(by_powers, axis=-1).astype(np.float32).reshape(-1, 7) @ powers
    nearest = far.reshape(len(levels), len(lit), -1).min(0)
    nearest *= np.float32(-0.5)
    return np.asarray(np.maximum(nearest, np.float32(-WORST), out=nearest))
