"""What in a picture has not the table's colours: grain is light and dark of one hue, a dark print on it is not."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

SOFT_PX = 1.0
EVERY_PX = 4
"""One pixel of so many in each direction tells the table's colours."""
ROUNDS = 8
TABLE_CHI2 = 9.35
"""Squared deviations below which a colour is the table's: 97.5 % of three normal ones (chi-squared, 3 degrees)."""
LEAST_LAB = 0.5
"""Standard deviation that every table has at least, Lab units: a camera's noise, after SOFT_PX."""
DEVIATIONS = (3.0, 5.0, 8.0, 13.0, 21.0)
"""Steps of a half and more: a table without grain has a shadow at the first ones, a piece like the table only these."""
APART_PX = (5, 9)
"""Shadows between neighbours are bridged by so much at most."""


def unlike_table(image: U8) -> F32:
    """(H, W) float32: by how many standard deviations of the table's own colours each pixel of (H, W, 3) uint8 BGR is
    off them (Mahalanobis distance in Lab). The table is what most of the picture shows."""
    lab = cv2.cvtColor(cv2.GaussianBlur(image, (0, 0), SOFT_PX).astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    colours = lab[::EVERY_PX, ::EVERY_PX].reshape(-1, 3).astype(np.float64)
    far = np.linalg.norm(colours - np.median(colours, axis=0), axis=1)
    table = far <= np.median(far)
    for _ in range(ROUNDS):
        middle, inverse = _spread(colours[table])
        table = _squared(colours - middle, inverse) < TABLE_CHI2
    root = np.linalg.cholesky(inverse).astype(np.float32)
    off = ((lab - middle.astype(np.float32)).reshape(-1, 3) @ root).reshape(lab.shape)
    return np.asarray(np.linalg.norm(off, axis=2), np.float32)


def table_masks(image: U8) -> list[U8]:
    """(H, W) uint8 0 or 255 each: what is unlike the table, by several bounds, as it is and with bridges cut."""
    off = unlike_table(image)
    masks: list[U8] = []
    for bound in DEVIATIONS:
        mask = np.where(off > bound, 255, 0).astype(np.uint8)
        kernels = [np.ones((size, size), np.uint8) for size in APART_PX]
        masks += [mask, *(np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, one), np.uint8) for one in kernels)]
    return masks


def _spread(colours: F64) -> tuple[F64, F64]:
    """Mean (3,) and inverse covariance (3, 3) of (N, 3) colours."""
    covariance = np.cov(colours.T) + LEAST_LAB**2 * np.eye(3)
    return colours.mean(axis=0), np.asarray(np.linalg.inv(covariance), np.float64)


def _squared(off: F64, inverse: F64) -> F64:
    return np.asarray(np.einsum("ni,ij,nj->n", off, inverse, off), np.float64)
