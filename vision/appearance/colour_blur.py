"""How much coarser than brightness a picture keeps colour: a camera sees each colour in some of its pixels only, and a
compressed picture halves the colours once more, so that small dots take on the colour around them."""

from __future__ import annotations

import cv2
import numpy as np

from vision.appearance.canvas import Canvas
from vision.blur import wide_blur
from vision.median import NORMAL, median

# Blurs (standard deviation, canvas px) of colour beyond that of brightness that are tried: none, from that of a tile
# seen large to that of one seen small. Of 40 looks at painted tables in bad rooms, 1280 x 720, none told less
# than 1.4, and 36 told 2.0 and more.
COLOUR_BLURS_PX = (0.0, 1.0, 1.4, 2.0, 2.8)

# They are told in half the size, in a quarter of the time.
HALF = 2

# What varies over more than this (canvas px) is light, and no print.
COARSE_PX = 8.0

# Strip along a face's outline that tells nothing, px: the colour of the table beside it blurs into it.
RIM_PX = 4

# Spreads of the colour's detail at which it is cut: a coloured piece must not outweigh the print.
OUTLYING = 3.0

# The spread is told by every so many pixels.
TOLD_BY = 5


def colour_blur_px(canvas: Canvas) -> float:
    """The one of `COLOUR_BLURS_PX` in which the colours of all faces of a canvas go best with what is seen there."""
    faces = _halved((canvas.label >= 0).astype(np.float32)) >= 1.0
    rim = np.ones((2 * RIM_PX // HALF + 1,) * 2, np.uint8)
    inner = cv2.erode(faces.astype(np.uint8), rim, borderType=cv2.BORDER_CONSTANT, borderValue=0) > 0
    if not inner.any():
        return 0.0
    weight = faces.astype(np.float32)
    around = wide_blur(weight, COARSE_PX / HALF)
    seen, bare = (_colours(_halved(picture)) * weight[..., None] for picture in (canvas.seen, canvas.bare))
    here = _cut(_detail(seen, weight, around)[inner])
    wanted = (_cut(_detail(_soft(bare, weight, blur / HALF), weight, around)[inner]) for blur in COLOUR_BLURS_PX)
    return COLOUR_BLURS_PX[int(np.argmax([_together(here, each) for each in wanted]))]


def with_coarse_colour(picture: np.ndarray, blur_px: float) -> np.ndarray:
    """A picture (H, W, 3) float32 BGR, its colours blurred by so much more than its brightness."""
    if blur_px <= 0.0:
        return picture
    bands = cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb)
    bands[..., 1:] = cv2.GaussianBlur(bands[..., 1:], (0, 0), blur_px, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.cvtColor(bands, cv2.COLOR_YCrCb2BGR))


def _halved(picture: np.ndarray) -> np.ndarray:
    """(h, w, ...) float32: a picture (H, W, ...) at half its size."""
    size = max(picture.shape[1] // HALF, 1), max(picture.shape[0] // HALF, 1)
    return np.asarray(cv2.resize(picture.astype(np.float32), size, interpolation=cv2.INTER_AREA))


def _colours(picture: np.ndarray) -> np.ndarray:
    """(H, W, 2) float32: the two bands of a picture (H, W, 3) that hold its colours."""
    return np.ascontiguousarray(cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb)[..., 1:])


def _soft(colours: np.ndarray, weight: np.ndarray, blur_px: float) -> np.ndarray:
    """Colours (H, W, 2) blurred within the faces, `weight` (H, W), 0 elsewhere."""
    if blur_px <= 0.0:
        return colours
    near = np.maximum(cv2.GaussianBlur(weight, (0, 0), blur_px), np.float32(1e-3))
    return np.asarray(cv2.GaussianBlur(colours, (0, 0), blur_px) * (weight / near)[..., None])


def _detail(colours: np.ndarray, weight: np.ndarray, around: np.ndarray) -> np.ndarray:
    """(H, W, 2): colours without what varies slowly within the faces; `around`: their `weight` as blurred as that."""
    light = wide_blur(colours, COARSE_PX) / np.maximum(around, np.float32(1e-3))[..., None]
    return np.asarray((colours - light) * weight[..., None])


def _cut(detail: np.ndarray) -> np.ndarray:
    """Detail (N, 2), each band cut at so many of its spreads."""
    limit = [OUTLYING * NORMAL * median(np.abs(band[::TOLD_BY])) for band in detail.T]
    return np.asarray(np.clip(detail, np.negative(limit), limit))


def _together(here: np.ndarray, wanted: np.ndarray) -> float:
    """How well the detail that is wanted (N, 2) goes with what is seen `here`."""
    return float((here * wanted).sum() / np.sqrt((wanted * wanted).sum() + 1e-9))
