"""Sharp edges of a picture with their directions: where pieces end, and where soft shadows do not show."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

EDGE_SIGMA_PX = 1.0  # a camera's own softness: less shows its noise, more rounds small pieces off
# Lab units a pixel: JPEG blocks of plain paper step by about half of it. A piece that is 5 units paler than its table
# has a slope of 2 at its edge.
LEAST_SLOPE_LAB = 1.0
# A step of colour loses half of its slope and more when it is blurred by 3 px, a penumbra little: what loses less is
# soft over more than 2.7 px, a tenth of a piece's radius at the size pieces are searched in.
BLURRED_PX, SHARP_TIMES = 3.0, 1.4
# What is blurred by 3 px shows as well in a copy half as large. There its own pixels and the wider steps of a slope
# blur by 1.1 px of the picture (variances of the box that is averaged, of the difference and of Scharr's weights).
HALF_BLUR_PX = 1.39  # of the copy, that makes it 3 px of the picture together
# An edge is as steep as what surrounds it, or more: the grain of wood and the weave of cloth are edges too.
OVER_NEIGHBOURS, NEIGHBOURS_PX = 1.15, 41
STRIP_ROWS = 64  # are worked on at a time, so that what lies between fits into a processor's own memory
HALO_ROWS = 5  # above and below, that the blur and the slope of a row take part in


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Thin edges: `on` (H, W) bool; `normal` (H, W, 2) float32, unit x and y across the edge, sign without meaning."""

    on: NDArray[np.bool_]
    normal: Floats


def find_edges(lab: Floats) -> Edges:
    """The edges of a picture (H, W, 3) float32 Lab, or (H, W) of one channel, by the steepest direction of all channels
    together.

    The structure tensor of a colour picture (S. Di Zenzo, "A note on the gradient of a multi-image", 1986), thinned
    across the edge as Canny does.
    """
    slope, half_gap, xy, trace = _structure(lab)
    usual = OVER_NEIGHBOURS * cv2.blur(slope, (NEIGHBOURS_PX, NEIGHBOURS_PX))
    sharp = trace > SHARP_TIMES**2 * _blurred_slope_squared(lab)
    steep = np.flatnonzero(sharp & (slope > np.maximum(usual, LEAST_SLOPE_LAB)))
    angle = 0.5 * np.arctan2(xy.ravel()[steep], half_gap.ravel()[steep])
    unit = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    places = np.stack(np.divmod(steep, slope.shape[1])[::-1], axis=1).astype(np.float32)
    here = slope.ravel()[steep]
    top = np.flatnonzero(here >= _at(slope, *(places + unit).T))
    top = top[here[top] > _at(slope, *(places[top] - unit[top]).T)]
    on = np.zeros(slope.shape, bool)
    on.ravel()[steep[top]] = True
    normal = np.zeros((*slope.shape, 2), np.float32)
    normal.reshape(-1, 2)[steep[top]] = unit[top]
    return Edges(on, normal)


def _structure(lab: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Of a picture, each (H, W): its steepest slope a pixel; half of what the tensor's two squares differ by, and its
    mixed part, of which the direction follows; and the sum of the squares.
    """
    height, width = lab.shape[:2]
    slope, half_gap, mixed, trace = np.empty((4, height, width), np.float32)
    ones = _sum_of_channels(lab)
    for first in range(0, height, STRIP_ROWS):
        rows = slice(first, min(first + STRIP_ROWS, height))
        start = max(0, first - HALO_ROWS)
        own = slice(first - start, rows.stop - start)
        smooth = cv2.GaussianBlur(lab[start : rows.stop + HALO_ROWS], (0, 0), EDGE_SIGMA_PX)
        across, down = (part[own] for part in _scharr(smooth))
        xx, xy, yy = (cv2.transform(cv2.multiply(*pair), ones) for pair in ((across,) * 2, (across, down), (down,) * 2))
        half_gap[rows], mixed[rows], trace[rows] = (xx - yy) / 2, xy, xx + yy
        slope[rows] = np.sqrt(trace[rows] / 2 + cv2.magnitude(half_gap[rows], xy))
    return slope, half_gap, mixed, trace


def _blurred_slope_squared(lab: Floats) -> Floats:
    """(H, W) squared change a pixel, all channels together, of a picture that is blurred by `BLURRED_PX`."""
    height, width = lab.shape[:2]
    size = (max(1, (width + 1) // 2), max(1, (height + 1) // 2))
    half = cv2.GaussianBlur(cv2.resize(lab, size, interpolation=cv2.INTER_AREA), (0, 0), HALF_BLUR_PX)
    across, down = _scharr(half)
    squares = cv2.transform(cv2.add(cv2.multiply(across, across), cv2.multiply(down, down)), _sum_of_channels(lab))
    slope = squares * (size[0] * size[1] / (width * height))  # a pixel of the copy is two of the picture
    return np.asarray(cv2.resize(slope, (width, height), interpolation=cv2.INTER_CUBIC))


def _scharr(lab: Floats) -> tuple[Floats, Floats]:
    """The changes a pixel to the right and downwards, of every channel."""
    across, down = (cv2.Scharr(lab, cv2.CV_32F, dx, 1 - dx, scale=1 / 32) for dx in (1, 0))
    return across, down


def _sum_of_channels(lab: Floats) -> Floats:
    return np.ones((1, lab.shape[2] if lab.ndim == 3 else 1), np.float32)


def _at(values: Floats, x: Floats, y: Floats) -> Floats:
    """(N,) values between pixels, bilinear; those of the border beyond it."""
    height, width = values.shape
    x, y = np.clip(x, 0, np.float32(width - 1.001)), np.clip(y, 0, np.float32(height - 1.001))
    col, row = x.astype(np.int32), y.astype(np.int32)
    right, below = x - col.astype(np.float32), y - row.astype(np.float32)
    first, flat = row * width + col, values.ravel()
    upper = flat[first] * (1 - right) + flat[first + 1] * right
    lower = flat[first + width] * (1 - right) + flat[first + width + 1] * right
    return np.asarray(upper * (1 - below) + lower * below)
