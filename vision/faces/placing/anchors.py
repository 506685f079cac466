"""Re-alignment of one crop with many learnt pictures at once: batched inverse-compositional Gauss-Newton."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.align import FIRST_SCALE, LAST_SCALE, SCALE_DECAY, local_contrast, take_step

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

STRATA = 8  # the picture is cut into 8 x 8 fields ...
POINTS_PER_FIELD = 5  # ... and each gives its points of strongest gradient
EDGE = 0.08  # strip along the border without points: a loose cut shows the table there
ENOUGH = 0.004  # a step that moves no picture's points further (in half sides) ends the search
GAIN_RANGE = (0.05, 5.0)


@dataclass(frozen=True, slots=True)
class Anchors:
    """What alignment needs of T learnt pictures at one scale: P points each, in their most telling channel.

    `xyw` (T, 3, P) float32 homogeneous points in -1..1; `values` (T, P); `channel` (T, P) float32 index of the
    channel; `onehot` (T, P, 3) the same as a mask; `jacobian` (T, 8, P) derivatives by the homography's entries.
    """

    xyw: F32
    values: F32
    channel: F32
    onehot: F32
    jacobian: F32

    def take(self, numbers: NDArray[np.intp]) -> Anchors:
        """The anchors of some pictures."""
        return Anchors(
            self.xyw[numbers],
            self.values[numbers],
            self.channel[numbers],
            self.onehot[numbers],
            self.jacobian[numbers],
        )


def make_anchors(pictures: F32, sigma: float) -> Anchors:
    """Anchors of `pictures` (T, h, w, 3) float32 in 0..1 at the scale `sigma` (px of the pictures)."""
    parts = [_one(picture, sigma) for picture in pictures]
    return Anchors(*(np.ascontiguousarray(np.stack(part)) for part in zip(*parts, strict=True)))


def _one(picture: F32, sigma: float) -> tuple[F32, F32, F32, F32, F32]:
    h, w = picture.shape[:2]
    soft = local_contrast(picture, sigma, (w * h) ** 0.5)
    gx = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8) * (w / 2)
    gy = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8) * (h / 2)
    strength = (gx**2 + gy**2).reshape(-1, 3)
    points = _strongest(strength.max(axis=1).reshape(h, w))
    channel = strength.argmax(axis=1)[points]
    x = ((points % w) + 0.5) / w * 2 - 1
    y = ((points // w) + 0.5) / h * 2 - 1
    zero, one = np.zeros_like(x), np.ones_like(x)
    dx = np.stack([x, y, one, zero, zero, zero, -x * x, -x * y])
    dy = np.stack([zero, zero, zero, x, y, one, -x * y, -y * y])
    gxp, gyp = gx.reshape(-1, 3)[points, channel], gy.reshape(-1, 3)[points, channel]
    return (
        np.stack([x, y, one]).astype(np.float32),
        soft.reshape(-1, 3)[points, channel],
        channel.astype(np.float32),
        np.eye(3, dtype=np.float32)[channel],
        (gxp * dx + gyp * dy).astype(np.float32),
    )


def _strongest(strength: F32) -> NDArray[np.intp]:
    """Flat indices of the POINTS_PER_FIELD strongest pixels of each of STRATA x STRATA fields within the border."""
    h, w = strength.shape
    edge = round(EDGE * min(h, w))
    index = np.arange(h * w).reshape(h, w)
    chosen = []
    for rows in np.array_split(np.arange(edge, h - edge), STRATA):
        for cols in np.array_split(np.arange(edge, w - edge), STRATA):
            field = index[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1].ravel()
            order = np.argsort(-strength.ravel()[field], kind="stable")
            chosen.append(field[np.resize(order, POINTS_PER_FIELD)])
    return np.concatenate(chosen)


def align_many(contrast: F32, anchors: Anchors, to_crop: F64, belief: F64, steps: int) -> F64:
    """The homographies (M, 3, 3) face (-1..1) -> crop px that fit M anchors, starting at `to_crop` (M, 3, 3).

    `contrast` (h, w, 3) is the crop's `local_contrast` at the anchors' scale; `belief` (8, 8) as for
    `vision.faces.align.align_all`, whose jobs have a crop each.
    """
    h, w = contrast.shape[:2]
    planes = np.ascontiguousarray(contrast.transpose(2, 0, 1).reshape(3 * h, w))
    now, back = to_crop, np.linalg.inv(to_crop)
    trust = np.ones_like(anchors.values)
    for step in range(steps):
        values, inside = _sample(planes, (w, h), now, anchors)
        gain, error = _residual(values, trust * inside, anchors)
        scale = LAST_SCALE + FIRST_SCALE * SCALE_DECAY**step
        trust = np.float32(1) / (1 + (error / np.float32(scale)) ** 2)
        now, delta = take_step(now, back, anchors.jacobian, gain, trust * inside, error, belief)
        if step >= 2 and np.abs(delta).sum(axis=1).max() < ENOUGH:
            break
    return np.asarray(now)


def _sample(planes: F32, wh: tuple[int, int], to_crop: F64, anchors: Anchors) -> tuple[F32, F32]:
    """Values (M, P) of the crop at the anchors' points, and 1 where they lie inside it.

    `planes` (3 h, w): the channels of the crop one below the other, so that one look-up gives the right one.
    """
    w, h = wh
    x, y, depth = np.matmul(to_crop.astype(np.float32), anchors.xyw).transpose(1, 0, 2)
    x, y = x / depth, y / depth
    inside = (x > 0) & (y > 0) & (x < w - 1) & (y < h - 1)
    rows = np.clip(y, 0, h - 1) + anchors.channel * np.float32(h)
    values = cv2.remap(planes, np.clip(x, 0, w - 1), rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return values, inside.astype(np.float32)


def _residual(values: F32, weight: F32, anchors: Anchors) -> tuple[F32, F32]:
    """Gain of each point's channel (M, P) and what is left of the values after gain and offset (M, P)."""
    r, v = anchors.values, values
    wv, wr = weight * v, weight * r
    sums = np.matmul(np.stack([weight, wv, wr, wv * r, wr * r], axis=1), anchors.onehot)  # (M, 5, 3)
    total = sums[:, 0] + np.float32(1e-6)
    mean_v, mean_r = sums[:, 1] / total, sums[:, 2] / total
    gain = (sums[:, 3] / total - mean_v * mean_r) / (sums[:, 4] / total - mean_r**2 + np.float32(1e-6))
    gain = np.clip(gain, *GAIN_RANGE).astype(np.float32)
    both = np.matmul(anchors.onehot, np.stack([gain, mean_v - gain * mean_r], axis=-1))  # (M, P, 2)
    each = both[..., 0]
    return each, v - each * r - both[..., 1]
