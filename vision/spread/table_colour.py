"""What in a picture has not the table's colours: grain is light and dark of one hue, a dark print on it is not; a cloth
has several colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
TableColour: TypeAlias = tuple[F64, F64]
"""Mean (3,) Lab of a colour and inverse covariance (3, 3) of its grain."""

SOFT_PX = 1.0
EVERY_PX = 4
"""One pixel of so many in each direction tells the table's colours."""
SAMPLED_WIDTH_PX = 1280
"""Of a wider picture no more pixels tell a cloth's colours than of this."""
ROUNDS = 8
TABLE_CHI2 = 9.35
"""Squared deviations below which a colour is the table's: 97.5 % of three normal ones (chi-squared, 3 degrees)."""
LEAST_LAB = 0.5
"""Standard deviation that every table has at least, Lab units: a camera's noise, after SOFT_PX."""
DEVIATIONS = (3.0, 5.0, 8.0, 13.0, 21.0)
"""Steps of a half and more: a table without grain has a shadow at the first ones, a piece like the table only these."""
APART_PX = (5, 9)
"""Shadows between neighbours are bridged by so much at most."""
OFTEN = 0.1
"""Part of the picture that each colour of a cloth has: pieces of one ground have less."""
BIN_LAB, NEAR_LAB = 8.0, 10.0
"""Lab units of the steps in which the most frequent colour is looked for, and around it its grain at first."""
LEAST_STEP, STEPS = -16, 32
"""The steps of Lab's -128 to 127."""
MOST_COLOURS = 6
TAKEN = 2.0
"""Pixels within so many times TABLE_CHI2 are no further colour: the ends of a grain."""


def unlike_table(image: U8) -> F32:
    """(H, W) float32: by how many standard deviations of the table's own colours each pixel of (H, W, 3) uint8 BGR is
    off them (Mahalanobis distance in Lab). The table is what most of the picture shows."""
    lab = _soft_lab(image)
    colours = lab[::EVERY_PX, ::EVERY_PX].reshape(-1, 3).astype(np.float64)
    far = np.linalg.norm(colours - np.median(colours, axis=0), axis=1)
    table = far <= np.median(far)
    for _ in range(ROUNDS):
        middle, inverse = _spread(colours[table])
        table = _squared(colours - middle, inverse) < TABLE_CHI2
    return _off(lab, middle, inverse)


def cloth_colours(image: U8) -> list[TableColour]:
    """The colours of a table of several, a chequered cloth, in (H, W, 3) uint8 BGR; none of a table of one colour."""
    every = max(EVERY_PX, round(EVERY_PX * image.shape[1] / SAMPLED_WIDTH_PX))
    found = _colours_of_cloth(_soft_lab(image, every).reshape(-1, 3).astype(np.float64))
    return found if len(found) > 1 else []


def unlike_cloth(image: U8, colours: Sequence[TableColour]) -> F32:
    """As `unlike_table`, of a picture or a part of it: (H, W) float32 deviations from the nearest of the `colours`."""
    lab = _soft_lab(image)
    return np.asarray(np.min([_off(lab, *one) for one in colours], axis=0), np.float32)


def _colours_of_cloth(colours: F64) -> list[TableColour]:
    """Each colour of which (N, 3) Lab `colours` have much, the most frequent first: one after the other, of what those
    before leave."""
    found: list[TableColour] = []
    left = colours
    while len(left) >= OFTEN * len(colours) and len(found) < MOST_COLOURS:
        steps = np.floor(left / BIN_LAB).astype(np.int64) - LEAST_STEP
        keys = (steps[:, 0] * STEPS + steps[:, 1]) * STEPS + steps[:, 2]
        middle = np.median(left[keys == np.bincount(keys).argmax()], axis=0)
        mine = np.linalg.norm(left - middle, axis=1) < NEAR_LAB
        for _ in range(ROUNDS):
            middle, inverse = _spread(left[mine])
            mine = _squared(left - middle, inverse) < TABLE_CHI2
            if mine.sum() < OFTEN * len(colours):
                return found
        found.append((middle, inverse))
        left = left[_squared(left - middle, inverse) >= TAKEN * TABLE_CHI2]
    return found


def table_masks(image: U8) -> list[U8]:
    """(H, W) uint8 0 or 255 each: what is unlike the table, by several bounds, as it is and with bridges cut."""
    return _masks(unlike_table(image))


def cloth_masks(image: U8) -> list[U8]:
    """`table_masks`, and as many of what is unlike each colour of a cloth where the table is one: print has parts of
    many shapes, so that the pieces' own size should be known."""
    colours = cloth_colours(image)
    return [*table_masks(image), *(_masks(unlike_cloth(image, colours)) if colours else ())]


def _masks(off: F32) -> list[U8]:
    masks: list[U8] = []
    for bound in DEVIATIONS:
        mask = np.where(off > bound, 255, 0).astype(np.uint8)
        kernels = [np.ones((size, size), np.uint8) for size in APART_PX]
        masks += [mask, *(np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, one), np.uint8) for one in kernels)]
    return masks


def _soft_lab(image: U8, every: int = 1) -> F32:
    """(h, w, 3) Lab of one pixel of so many in each direction of a picture without its finest noise."""
    soft = np.ascontiguousarray(cv2.GaussianBlur(image, (0, 0), SOFT_PX)[::every, ::every])
    return np.asarray(cv2.cvtColor(soft.astype(np.float32) / 255, cv2.COLOR_BGR2Lab))


def _off(lab: F32, middle: F64, inverse: F64) -> F32:
    """(H, W) by how many deviations (H, W, 3) Lab is off a colour."""
    root = np.linalg.cholesky(inverse).astype(np.float32)
    off = ((lab - middle.astype(np.float32)).reshape(-1, 3) @ root).reshape(lab.shape)
    return np.asarray(np.linalg.norm(off, axis=2), np.float32)


def _spread(colours: F64) -> tuple[F64, F64]:
    """Mean (3,) and inverse covariance (3, 3) of (N, 3) colours."""
    covariance = np.cov(colours.T) + LEAST_LAB**2 * np.eye(3)
    return colours.mean(axis=0), np.asarray(np.linalg.inv(covariance), np.float64)


def _squared(off: F64, inverse: F64) -> F64:
    return np.asarray(np.einsum("ni,ij,nj->n", off, inverse, off), np.float64)
