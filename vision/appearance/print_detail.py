"""How much of a face's print is seen in a place: fine detail, whatever the light, the contrast and the shadows."""

from __future__ import annotations

import cv2
import numpy as np

from vision.appearance.picture_light import BLACK
from vision.appearance.placed_face import USUAL, PlacedFace, in_face_frame

# Print is finer than light, and coarser than noise: what lies between these blurs (canvas px) is compared.
FINE_PX, COARSE_PX = 0.9, 5.0

# Spreads of the detail at which it is cut: a piece's edge must not outweigh the print beside it.
CLIPPED = 1.5

# Strip along the outline that is left out: what lies beside the face blurs into it.
RIM_PX = 4

# A face is looked over in so many rows and columns of parts; those with less than this share of a part's usual detail
# say nothing.
PARTS, LEAST_PRINT = 3, 0.5


def detail_likeness(seen_bgr: np.ndarray, face: PlacedFace, origin_mm: tuple[float, float]) -> float:
    """Correlation (-1..1) of what is seen where a face lies with the face's own detail.

    `seen_bgr` (H, W, 3) uint8: the table from above, its top left corner at `origin_mm`. Bare table has none of a
    face's detail, however much its colours are those of the print.
    """
    return _correlation(*_both(seen_bgr, face, origin_mm))


def least_likeness(seen_bgr: np.ndarray, face: PlacedFace, origin_mm: tuple[float, float]) -> float:
    """`detail_likeness` of the part of a face where it is least: low where anything lies over print, in any light."""
    here, wanted = _both(seen_bgr, face, origin_mm)
    rows, columns = (np.array_split(np.arange(size), PARTS) for size in wanted.shape[:2])
    parts = [(slice(r[0], r[-1] + 1), slice(c[0], c[-1] + 1)) for r in rows for c in columns]
    detail = np.array([float((wanted[part] ** 2).sum()) for part in parts])
    printed = detail >= LEAST_PRINT * detail.mean()
    return min(_correlation(here[part], wanted[part]) for part, told in zip(parts, printed, strict=True) if told)


def _both(seen_bgr: np.ndarray, face: PlacedFace, origin_mm: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """(h, w, 3) float32 each: the detail seen where a face lies, and the face's own."""
    return _detail(in_face_frame(seen_bgr, face, origin_mm)), _detail(face.scan.soft[USUAL])


def _correlation(one: np.ndarray, other: np.ndarray) -> float:
    return float((one * other).sum()) / float(np.sqrt((one * one).sum() * (other * other).sum()) + 1e-6)


def _detail(picture: np.ndarray) -> np.ndarray:
    """(h, w, 3) float32: fine differences of log light, cut and without the rim."""
    light = np.log(picture.astype(np.float32) + BLACK)
    detail = cv2.GaussianBlur(light, (0, 0), FINE_PX) - cv2.GaussianBlur(light, (0, 0), COARSE_PX)
    detail = detail[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX]
    limit = CLIPPED * float(detail.std())
    return np.asarray(np.clip(detail, -limit, limit))
