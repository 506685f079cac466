"""Re-alignment of a crop with a learnt picture: one homography by robust inverse-compositional Gauss-Newton."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

STRATA = 8  # the picture is cut into 8 x 8 fields ...
POINTS_PER_FIELD = 12  # ... and each gives its points of strongest gradient: cubes cannot hide all of them
MAX_STEPS = 10
ENOUGH_PX = 0.03  # a step that moves no corner further than this ends the search


@dataclass(frozen=True, slots=True)
class Anchor:
    """What alignment needs of a learnt picture: (P, 2) points in -1..1, (P, 3) values, (P, 3, 8) derivatives."""

    xy: F32
    values: F32
    jacobian: F32


def make_anchor(picture: F32, sigma: float) -> Anchor:
    """The anchor of `picture` (h, w, 3) float32 at the scale `sigma` (px of the picture)."""
    h, w = picture.shape[:2]
    soft = cv2.GaussianBlur(picture, (0, 0), sigma)
    gx = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8) * (w / 2)
    gy = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8) * (h / 2)
    strength = np.sum(gx**2 + gy**2, axis=2)
    strength[:2], strength[-2:], strength[:, :2], strength[:, -2:] = -1, -1, -1, -1
    chosen: list[NDArray[np.intp]] = []
    index = np.arange(h * w).reshape(h, w)
    for rows in np.array_split(np.arange(h), STRATA):
        for cols in np.array_split(np.arange(w), STRATA):
            field = index[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1].ravel()
            order = np.argpartition(strength.ravel()[field], -POINTS_PER_FIELD)[-POINTS_PER_FIELD:]
            chosen.append(field[order])
    points = np.concatenate(chosen)
    points = points[strength.ravel()[points] >= 0]
    x = ((points % w) + 0.5) / w * 2 - 1
    y = ((points // w) + 0.5) / h * 2 - 1
    zero, one = np.zeros_like(x), np.ones_like(x)
    dx = np.stack([x, y, one, zero, zero, zero, -x * x, -x * y], axis=1)
    dy = np.stack([zero, zero, zero, x, y, one, -x * y, -y * y], axis=1)
    gxp, gyp = gx.reshape(-1, 3)[points], gy.reshape(-1, 3)[points]
    jacobian = gxp[:, :, None] * dx[:, None, :] + gyp[:, :, None] * dy[:, None, :]
    return Anchor(
        np.stack([x, y], axis=1).astype(np.float32),
        soft.reshape(-1, 3)[points],
        np.ascontiguousarray(jacobian, dtype=np.float32),
    )


def start(crop_wh: tuple[int, int], margin: float, turn: int, placement: tuple[float, float, float]) -> F64:
    """3x3 homography from face coordinates (-1..1, upright) to crop px, for a coarse placement and turn."""
    dx, dy, s = placement
    inner = np.array(crop_wh, dtype=np.float64) / (1 + 2 * margin)
    cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[turn % 4]
    spin = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]], dtype=np.float64)
    place = np.array(
        [
            [inner[0] / 2 * s, 0, dx * inner[0] + crop_wh[0] / 2 - 0.5],
            [0, inner[1] / 2 * s, dy * inner[1] + crop_wh[1] / 2 - 0.5],
            [0, 0, 1],
        ]
    )
    return np.asarray(place @ spin)


def _sample(image: F32, to_crop: F64, xy: F32) -> tuple[F32, NDArray[np.bool_]]:
    h, w = image.shape[:2]
    m = to_crop.astype(np.float32)
    depth = xy @ m[2, :2] + m[2, 2]
    px = (xy @ m[0, :2] + m[0, 2]) / depth
    py = (xy @ m[1, :2] + m[1, 2]) / depth
    inside = (px > 0) & (py > 0) & (px < w - 1) & (py < h - 1)
    values = cv2.remap(image, px[:, None], py[:, None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return values[:, 0], inside


def align(image: F32, anchor: Anchor, to_crop: F64, steps: int = MAX_STEPS) -> F64:
    """The homography face (-1..1) -> px of `image` (h, w, 3) that fits the anchor, starting at `to_crop`.

    The crop is brought to the picture's scale by a gain and offset per channel at every step; points are
    weighted by how well they fit (Cauchy), so that cubes and shadows do not pull.
    """
    now = to_crop.copy()
    flat = anchor.jacobian.reshape(-1, 8)
    previous = np.ones(anchor.values.shape[0], dtype=np.float32)
    px_per_unit = np.hypot(to_crop[0, 0], to_crop[1, 0])
    for step in range(steps):
        values, inside = _sample(image, now, anchor.xy)
        weight = previous * inside
        total = float(weight.sum()) + 1e-6
        mean_v = weight @ values / total
        mean_r = weight @ anchor.values / total
        cv, cr = values - mean_v, anchor.values - mean_r
        var_v = weight @ (cv * cv) + 1e-6
        slope = np.maximum(weight @ (cv * cr), 0) / var_v
        error = cv * slope - cr
        size = np.sqrt(np.sum(error**2, axis=1))
        scale = 1.5 * np.median(size) + 1e-4
        previous = 1 / (1 + (size / scale) ** 2)
        w3 = np.repeat(previous * inside, 3)
        jw = flat * w3[:, None]
        normal = (jw.T @ flat).astype(np.float64)
        normal[np.diag_indices(8)] *= 1.001
        # the perspective terms are small in a rectified crop: keep them from wandering in flat pictures
        normal[6, 6] += 0.02 * normal[0, 0]
        normal[7, 7] += 0.02 * normal[4, 4]
        normal[np.diag_indices(8)] += 1e-6
        free = 8 if step >= 2 else 6
        delta = np.zeros(8)
        delta[:free] = np.linalg.solve(normal[:free, :free], (jw.T @ error.ravel())[:free].astype(np.float64))
        delta = np.clip(delta, -0.15, 0.15)
        change = np.eye(3) + np.append(delta, 0.0).reshape(3, 3)
        now = now @ np.linalg.inv(change)
        now /= now[2, 2]
        if step >= 3 and np.abs(delta).sum() * px_per_unit < ENOUGH_PX:
            break
    return now
