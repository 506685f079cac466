"""What is wrong with a picture that a piece is learnt from: uneven light, blur, a piece that is cut off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.photographed.album import Album
from vision.faces.photographed.finding import find
from vision.faces.photographed.light import unknown_light

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

FEW = 5  # of so few pictures none can be told to be unlike the others
# Ordinary light changes slowly over a piece by a few percent; from this difference (natural logarithm) between its
# brightest and darkest parts on, and so many times that of the other pictures, a reflection or a shadow lies on it.
UNEVEN, UNEVEN_TIMES = 0.2, 3.0
WITNESSES = 3  # other pictures that must all show it: against one of them other print may look like light
BLURRED = 0.62  # sharpness below this share of the others' is blur
SOFT_PX = 0.7  # of the reference frame: noise below it is no sharpness
PLAIN = 0.08  # least contrast, 0..1, from which sharpness can be told
SEEN = 0.9  # share of the piece that must be in the picture


class PictureFault(Enum):
    """What is wrong with a picture, and so what to mind when the next is taken."""

    UNEVEN_LIGHT = "light reflects in it or a shadow crosses it"
    BLURRED = "it is less sharp than the others"
    CUT_OFF = "part of the piece is not in it"


@dataclass(frozen=True, slots=True)
class FaultyPicture:
    """Picture `number` of a book (in the order it was learnt in), of `face`, and its `fault`."""

    face: str
    number: int
    fault: PictureFault


def faulty_pictures(
    album: Album, owners: NDArray[np.intp], faces: Sequence[str], seen: Sequence[float]
) -> tuple[FaultyPicture, ...]:
    """The faults of an album's pictures, each judged by the others. `seen` (T,): share of the piece in each picture."""
    count = len(album.pictures)
    faults: list[tuple[int, PictureFault]] = [(k, PictureFault.CUT_OFF) for k in range(count) if seen[k] < SEEN]
    if count >= FEW:
        uneven = np.array([_unevenness(album, owners, k) for k in range(count)])
        limit = max(UNEVEN, UNEVEN_TIMES * float(np.median(uneven)))
        faults += [(k, PictureFault.UNEVEN_LIGHT) for k in range(count) if uneven[k] > limit]
        sharp = np.array([_sharpness(picture) for picture in album.pictures])
        if np.isfinite(sharp).sum() >= FEW:
            usual = float(np.nanmedian(sharp))
            faults += [(k, PictureFault.BLURRED) for k in range(count) if sharp[k] < BLURRED * usual]
    return tuple(FaultyPicture(faces[owners[k]], k, fault) for k, fault in sorted(faults, key=lambda f: f[0]))


def _unevenness(album: Album, owners: NDArray[np.intp], number: int) -> float:
    """How much the light changes over a picture, as the likest others all show it (natural logarithm)."""
    picture = (album.pictures[number] * 255).astype(np.uint8)
    found = find(album.without_cut(), owners, picture, 0.0, (0,), None, leave_out=number)
    comparison = found.comparison
    likest = np.argsort(comparison.explain(unknown_light()).cost)[:WITNESSES]
    light = np.log(comparison.shade.light[likest])[:, comparison.grid_valid > 0]
    low, high = np.percentile(light, (3, 97), axis=1)
    return float((high - low).min())


def _sharpness(picture: F32) -> float:
    """Steepest edges of a picture (h, w, 3) per contrast; NaN for a plain one."""
    soft = cv2.GaussianBlur(picture, (0, 0), SOFT_PX)
    low, high = np.percentile(soft, 1, axis=(0, 1)), np.percentile(soft, 99, axis=(0, 1))
    contrast = float((high - low).max())
    if contrast < PLAIN:
        return float("nan")
    channel = int((high - low).argmax())
    gx = cv2.Sobel(soft[..., channel], cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    gy = cv2.Sobel(soft[..., channel], cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    return float(np.percentile(np.hypot(gx, gy), 99.5)) / contrast
