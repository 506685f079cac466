"""Re-alignment of a crop with a learnt picture: one homography by robust inverse-compositional Gauss-Newton."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

STRATA = 8  # the picture is cut into 8 x 8 fields ...
POINTS_PER_FIELD = 12  # ... and each gives its points of strongest gradient: cubes cannot hide all of them
WIDE = 0.12  # share of the side that counts as the surroundings of a point
EDGE = 0.06  # strip along the border without points: half of WIDE, so that no surroundings are the table
STEPS = 9
# An error of this size counts a quarter: wide at first, so that a far edge pulls, then what cubes must not do.
FIRST_SCALE, SCALE_DECAY, LAST_SCALE = 0.3, 0.65, 0.05
# How far a crop is ordinarily from where its coarse placement puts it, in units of half a side: scale, shear, shift
# in x and the same in y, perspective; and the variance of a point's error, points being far from independent.
LOOSE = np.array([0.05, 0.05, 0.06, 0.05, 0.05, 0.06, 0.04, 0.04])
POINT_VARIANCE = 0.05**2 * 4
# How far a piece that keeps its shape ordinarily is: shift in half sides, turn in radians (6 degrees), size; and what
# an error of the pose does to it besides.
RIGID_SHIFT, RIGID_TURN, RIGID_SIZE, BENT = 0.06, 0.1, 0.015, 0.005
UNMOVED = np.eye(3).ravel()[:8]  # the entries of a homography that moves nothing
STEP_LIMIT = 0.15  # furthest that one step moves a point, in half sides
ENOUGH = 0.0015  # a step that moves no point further (in half sides) ends the search
MOST_ROWS = 32766  # of a picture that OpenCV samples


@dataclass(frozen=True, slots=True)
class Anchor:
    """What alignment needs of a learnt picture at one scale: P points, each in its most telling channel.

    `xyw` (3, P) float32 homogeneous points in -1..1; `values` (P,); `channel` (P,) index of the channel;
    `onehot` (P, 3) the same as a mask; `jacobian` (8, P) derivatives of the values by the homography's entries.
    """

    xyw: F32
    values: F32
    channel: NDArray[np.intp]
    onehot: F32
    jacobian: F32


def make_anchor(picture: F32, sigma: float) -> Anchor:
    """The anchor of `picture` (h, w, 3) float32 in 0..1 at the scale `sigma` (px of the picture)."""
    h, w = picture.shape[:2]
    soft = local_contrast(picture, sigma, (w * h) ** 0.5)
    gx = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8) * (w / 2)
    gy = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8) * (h / 2)
    strength = (gx**2 + gy**2).reshape(-1, 3)
    channel = strength.argmax(axis=1)
    points = _strongest(strength.max(axis=1).reshape(h, w))
    channel = channel[points]
    x = ((points % w) + 0.5) / w * 2 - 1
    y = ((points // w) + 0.5) / h * 2 - 1
    zero, one = np.zeros_like(x), np.ones_like(x)
    dx = np.stack([x, y, one, zero, zero, zero, -x * x, -x * y])
    dy = np.stack([zero, zero, zero, x, y, one, -x * y, -y * y])
    gxp, gyp = gx.reshape(-1, 3)[points, channel], gy.reshape(-1, 3)[points, channel]
    return Anchor(
        np.stack([x, y, one]).astype(np.float32),
        soft.reshape(-1, 3)[points, channel],
        channel,
        np.eye(3, dtype=np.float32)[channel],
        (gxp * dx + gyp * dy).astype(np.float32),
    )


def _strongest(strength: F32) -> NDArray[np.intp]:
    """Flat indices of the POINTS_PER_FIELD strongest pixels of each of STRATA x STRATA fields, border left out."""
    h, w = strength.shape
    strength = strength.copy()
    edge = round(EDGE * min(h, w))
    strength[:edge], strength[-edge:], strength[:, :edge], strength[:, -edge:] = -1, -1, -1, -1
    index = np.arange(h * w).reshape(h, w)
    chosen = []
    for rows in np.array_split(np.arange(h), STRATA):
        for cols in np.array_split(np.arange(w), STRATA):
            field = index[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1].ravel()
            count = min(POINTS_PER_FIELD, field.size)
            chosen.append(field[np.argpartition(strength.ravel()[field], -count)[-count:]])
    points = np.concatenate(chosen)
    return np.asarray(points[strength.ravel()[points] >= 0])


def local_contrast(image: F32, sigma: float, side_px: float) -> F32:
    """`image` (h, w, 3) smoothed by `sigma` px, less its wide surroundings: what shadows and glare leave alone.

    `side_px`: side of the piece in the image, of the square with its area.
    """
    soft = cv2.GaussianBlur(image, (0, 0), sigma)
    wide = 2 * round(WIDE * side_px / 2) + 1
    return np.asarray(soft - cv2.blur(soft, (wide, wide), borderType=cv2.BORDER_REPLICATE))


def start(crop_wh: tuple[int, int], margin: float, turn: int, placement: tuple[float, float, float]) -> F64:
    """3x3 homography from face coordinates (-1..1, upright) to crop px, for a coarse placement and turn.

    `placement`: shift in x and y as shares of the side, and scale; `turn`: quarter turns clockwise.
    """
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


def loosely(slack: float = 1.0) -> F64:
    """(8, 8) belief for `align`: any homography near the start; `slack` times as far as LOOSE is ordinary."""
    return np.diag(POINT_VARIANCE / (slack * LOOSE) ** 2)


def rigidly(aspect: float) -> F64:
    """(8, 8) belief for `align`: the piece, `aspect` times as wide as high, is shifted and turned but keeps its shape.

    For crops that were cut at a known pose: there perspective and shear are known already, and left free they bend a
    card that lies askew into another place.
    """
    shift_x, shift_y, turn, size = np.zeros((4, 8))
    shift_x[2], shift_y[5] = RIGID_SHIFT, RIGID_SHIFT
    turn[1], turn[3] = -RIGID_TURN / aspect, RIGID_TURN * aspect
    size[0] = size[4] = RIGID_SIZE
    ways = np.stack([shift_x, shift_y, turn, size])
    return np.asarray(POINT_VARIANCE * np.linalg.inv(ways.T @ ways + BENT**2 * np.eye(8)))


@dataclass(frozen=True, slots=True, eq=False)
class AlignJob:
    """One crop to align: its `local_contrast` (h, w, 3) at the anchor's scale, the anchor, and `start`, the homography
    face (-1..1) -> crop px that it begins at."""

    contrast: F32
    anchor: Anchor
    start: F64


def align(contrast: F32, anchor: Anchor, to_crop: F64, belief: F64) -> F64:
    """As `align_all`, of one crop."""
    return align_all([AlignJob(contrast, anchor, to_crop)], belief)[0]


def align_all(jobs: Sequence[AlignJob], belief: F64, steps: int = STEPS) -> list[F64]:
    """For each job the homography face (-1..1) -> crop px that fits its anchor.

    Baker & Matthews' inverse compositional step with a gain and offset per channel, Cauchy weights so that cubes and
    shadows do not pull, and a `belief` that keeps a homography near its start where the picture is empty (`loosely`,
    `rigidly`). `steps`: the most that are made. Jobs make their steps together, since the arrays of one are small.
    """
    found: list[F64] = []
    for some in _runs(jobs):
        found += _aligned_together(some, belief, steps)
    return found


def _runs(jobs: Sequence[AlignJob]) -> list[list[AlignJob]]:
    """The jobs in runs whose pictures, a channel below the other, are no higher than OpenCV's may be."""
    out: list[list[AlignJob]] = []
    rows = MOST_ROWS
    for job in jobs:
        rows += 3 * len(job.contrast)
        if rows > MOST_ROWS:
            out.append([])
            rows = 3 * len(job.contrast)
        out[-1].append(job)
    return out


def _aligned_together(jobs: Sequence[AlignJob], belief: F64, steps: int) -> list[F64]:
    """`align_all` of jobs whose pictures fit below each other."""
    found = [job.start for job in jobs]
    left = np.arange(len(jobs))
    stack = _Stack.of(jobs)
    now = np.stack(found)
    back = np.linalg.inv(now)
    trust = np.ones_like(stack.values)
    for step in range(steps):
        values, inside = stack.sample(now)
        gain, error = stack.residual(values, trust * inside)
        scale = LAST_SCALE + FIRST_SCALE * SCALE_DECAY**step
        scaled = error / np.float32(scale)
        trust = np.float32(1) / (np.float32(1) + scaled * scaled)
        now, delta = take_step(now, back, stack.jacobian, gain, trust * inside, error, belief)
        going = np.abs(delta).sum(axis=1) >= ENOUGH
        if step >= 2 and not going.all():
            for k in np.flatnonzero(~going):
                found[left[k]] = now[k]
            left, now, back, trust, stack = left[going], now[going], back[going], trust[going], stack.take(going)
            if not len(left):
                break
    for number, last in zip(left, now, strict=True):
        found[number] = last
    return found


def take_step(
    now: F64, back: NDArray[np.floating[Any]], slopes: F32, gain: F32, weight: F32, error: F32, belief: F64
) -> tuple[F64, F64]:
    """One inverse compositional step of Gauss-Newton, of M homographies together: `now` (M, 3, 3) after it, and how far
    it went (M, 8), at most STEP_LIMIT each.

    `back` (M, 3, 3): back from where each began. `slopes` (M, 8, P) of P points, and of each (M, P) the `gain` of its
    slopes, its `weight` and `error`.
    """
    pulled = gain * weight
    weighted = slopes * (gain * pulled)[:, None]
    normal = np.matmul(weighted, slopes.transpose(0, 2, 1)).astype(np.float64) + belief
    moved = back @ now
    away = (moved / moved[:, 2:, 2:]).reshape(-1, 9)[:, :8] - UNMOVED
    pull = np.matmul(slopes, (pulled * error)[..., None])[..., 0].astype(np.float64) + away @ belief
    delta = np.linalg.solve(normal, pull[..., None])[..., 0]
    delta = np.minimum(np.maximum(delta, -STEP_LIMIT), STEP_LIMIT)
    change = np.zeros((len(delta), 9))
    change[:, :8] = delta + UNMOVED
    change[:, 8] = 1
    now = now @ np.linalg.inv(change.reshape(-1, 3, 3))
    return now / now[:, 2:, 2:], delta


@dataclass(frozen=True, slots=True, eq=False)
class _Stack:
    """The jobs as arrays over all of them, J jobs of P points; fewer points are filled up with such as count nothing.

    `planes`: the channels of each one's contrast, all below each other, so that one call samples the points of all;
    `below` (J, P) float32: the rows above that of a point. `xyw` (J, 3, P), `values` (J, P), `onehot` (J, P, 3),
    `jacobian` (J, 8, P): see `Anchor`. `size` (J, 2): last column and row of its picture.
    """

    planes: F32
    below: F32
    xyw: F32
    values: F32
    onehot: F32
    jacobian: F32
    size: F32

    @classmethod
    def of(cls, jobs: Sequence[AlignJob]) -> _Stack:
        anchors = [job.anchor for job in jobs]
        most = max(len(anchor.values) for anchor in anchors)

        def filled(array: NDArray[Any], axis: int = 0) -> NDArray[Any]:
            missing = most - array.shape[axis]
            if not missing:
                return array
            return np.pad(array, [(0, missing if k == axis else 0) for k in range(array.ndim)])

        channel = np.stack([filled(anchor.channel) for anchor in anchors])
        height = np.array([[job.contrast.shape[0]] for job in jobs], dtype=np.float32)
        pictures = {id(job.contrast): job.contrast for job in jobs}  # a crop that is tried in several turns once
        planes, above = _below_each_other(list(pictures.values()))
        first_row = dict(zip(pictures, above, strict=True))
        first = np.array([[first_row[id(job.contrast)]] for job in jobs], dtype=np.float32)
        return cls(
            planes,
            channel.astype(np.float32) * height + first,
            np.stack([filled(anchor.xyw, 1) for anchor in anchors]),
            np.stack([filled(anchor.values) for anchor in anchors]),
            np.stack([filled(anchor.onehot) for anchor in anchors]),
            np.stack([filled(anchor.jacobian, 1) for anchor in anchors]),
            np.array([[job.contrast.shape[1] - 1, job.contrast.shape[0] - 1] for job in jobs], dtype=np.float32),
        )

    def take(self, chosen: NDArray[np.bool_]) -> _Stack:
        """Those of the jobs, (J,) bool."""
        return _Stack(
            self.planes, self.below[chosen], self.xyw[chosen], self.values[chosen], self.onehot[chosen],
            self.jacobian[chosen], self.size[chosen],
        )

    def sample(self, to_crop: F64) -> tuple[F32, F32]:
        """Values (J, P) of the pictures at the anchors' points, and 1 where they lie inside."""
        at = np.matmul(to_crop.astype(np.float32), self.xyw)
        depth = at[:, 2]
        depth[depth == 0] = 1
        x, y = at[:, 0] / depth, at[:, 1] / depth
        inside = (x > 0) & (y > 0) & (x < self.size[:, :1]) & (y < self.size[:, 1:])
        # the channels lie below each other: of each point its own is sampled; points outside count nothing
        y += self.below
        values = cv2.remap(self.planes, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(values), inside.astype(np.float32)

    def residual(self, values: F32, weight: F32) -> tuple[F32, F32]:
        """Gain of each point's channel (J, P) and what is left of the values after gain and offset (J, P)."""
        r, v = self.values, values
        rows = np.empty((len(v), 5, v.shape[1]), np.float32)
        rows[:, 0] = weight
        np.multiply(weight, v, out=rows[:, 1])
        np.multiply(weight, r, out=rows[:, 2])
        np.multiply(rows[:, 1:3], r[:, None], out=rows[:, 3:])
        sums = np.matmul(rows, self.onehot)  # (J, 5, 3)
        means = sums[:, 1:] / (sums[:, :1] + np.float32(1e-6))
        mean_v, mean_r = means[:, 0], means[:, 1]
        gain = (means[:, 2] - mean_v * mean_r) / (means[:, 3] - mean_r * mean_r + np.float32(1e-6))
        both = np.empty((len(v), 3, 2), np.float32)
        both[..., 0] = gain = np.minimum(np.maximum(gain, np.float32(0.05)), np.float32(5.0))
        both[..., 1] = mean_v - gain * mean_r
        each = np.matmul(self.onehot, both)  # gain and offset of each point's channel
        return each[..., 0], v - each[..., 0] * r - each[..., 1]


def _below_each_other(pictures: Sequence[F32]) -> tuple[F32, list[int]]:
    """The channels of pictures (h, w, 3) below each other, as wide as the widest; and the first row of each picture."""
    heights = [3 * len(picture) for picture in pictures]
    *above, rows = np.cumsum([0, *heights]).tolist()
    widths = {picture.shape[1] for picture in pictures}
    out = (np.empty if len(widths) == 1 else np.zeros)((rows, max(widths)), np.float32)
    for top, picture in zip(above, pictures, strict=True):
        high, wide = picture.shape[:2]
        for k, plane in enumerate(cv2.split(picture)):
            out[top + k * high : top + (k + 1) * high, :wide] = plane
    return out, above
