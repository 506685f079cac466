"""Pieces that lie anyhow, perhaps under others: what speaks against a face, and what is only the way the piece lies."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.photographed.fields import FEW, FIELD, SHIFT, printed_fields

F32 = NDArray[np.float32]

SOFTER = (0.8, 1.4)  # px of the picture by which a crop may be sharper than what was learnt
BESIDE = 0.02  # share of the side by which shadow and blur of what lies on a piece reach beyond it
SHORE = 0.04  # width of the strip along what is seen, as a share of the side, through which things reach onto a piece


def island_share(valid: F32, explained: F32, unlike: NDArray[np.bool_]) -> float:
    """Share of what is judged (`valid` (h, w), weights) that is `unlike` (h, w) print and lies in regions without
    `explained` (h, w) which the explained part surrounds.

    What lies on a piece mostly reaches over its edge. A region within print that is as learnt is print that is not: the
    piece is of another kind, however much of it looks alike. Print that looks alike there is in another light.
    """
    judged = np.asarray(valid > 0, np.uint8)
    _, labels = cv2.connectedComponents(judged & np.asarray(explained <= 0, np.uint8), connectivity=8)
    reach = max(1, round(SHORE * float(valid.size) ** 0.5))
    shore = cv2.erode(judged, np.ones((2 * reach + 1,) * 2, np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    islands = (labels > 0) & ~np.isin(labels, np.unique(labels[shore == 0]))
    return int((islands & unlike).sum()) / max(int(judged.sum()), 1)


def softened_difference(seen: F32, face: F32, explained: F32, shifted: bool) -> F32:
    """(h, w) colour difference of a crop `seen` (h, w, 3) to a `face`, the crop being as soft as the face where it is
    `explained`: pictures that were turned upright to be learnt are less sharp, which is no other print. When `shifted`
    each field of the crop is shifted a little, as for `Fields`: pieces bend, and learnt ones are not cut exactly."""
    told = np.asarray(explained > 0, np.float32)
    every = (seen, *(cv2.GaussianBlur(seen, (0, 0), sigma) for sigma in SOFTER))
    square = [_square(one, face, told, shifted) for one in every]
    return np.asarray(np.sqrt(min(square, key=lambda one: float(one[told > 0].sum()))))


def _square(seen: F32, face: F32, told: F32, shifted: bool) -> F32:
    """(h, w) mean squared difference over the channels; when `shifted`, by the shift that suits the field around each
    pixel best."""
    side = float(told.size) ** 0.5
    field, most = (max(3, round(FIELD * side)) | 1,) * 2, max(1, round(SHIFT * side)) if shifted else 0
    out, least = np.zeros_like(told), np.full_like(told, np.inf)
    for dy in range(-most, most + 1):
        for dx in range(-most, most + 1):
            square = np.asarray(((np.roll(seen, (dy, dx), axis=(0, 1)) - face) ** 2).mean(axis=2), np.float32)
            around = cv2.blur(square * told, field)
            better = around < least
            out[better], least[better] = square[better], around[better]
    return out


def clear_of_others(explained: F32) -> F32:
    """`explained` (h, w) without the strip along its border, where the shadow and the blurred edge of what lies on the
    piece or beside it are seen."""
    reach = max(1, round(BESIDE * float(explained.size) ** 0.5))
    kernel = np.ones((2 * reach + 1,) * 2, np.uint8)
    inner = cv2.erode(np.asarray(explained > 0, np.uint8), kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return np.where(inner > 0, explained, np.float32(0))


def print_told(face: F32, explained: F32) -> float:
    """Share of the printed fields of `face` (h, w, 3) where it is `explained` (h, w): of bare paper, which most faces
    show somewhere, nothing is told. 1 when hardly any of the face is printed."""
    printed = printed_fields(face)
    if printed.mean() < FEW:
        return 1.0
    return float((explained[printed] > 0).mean())
