"""How much of a face's print is seen in a place: fine detail, whatever the light, the contrast and the shadows."""

from __future__ import annotations

import cv2
import numpy as np

from vision.appearance.picture_light import BLACK
from vision.appearance.placed_face import USUAL, FaceScan, PlacedFace, in_face_frame

# Print is finer than light, and coarser than noise: what lies between these blurs (canvas px) is compared.
FINE_PX, COARSE_PX = 0.9, 5.0

# Spreads of the detail at which it is cut: a piece's edge must not outweigh the print beside it.
CLIPPED = 1.5

# Correlation from which a face's print is seen: of rendered tables empty places have at most 0.15, tiles that pieces
# hide in part 0.4 and more where the face is right.
PRINT_SEEN = 0.3

# Strip along the outline that is left out: what lies beside the face blurs into it.
RIM_PX = 4


def detail_likeness(seen_bgr: np.ndarray, face: PlacedFace, origin_mm: tuple[float, float]) -> float:
    """Correlation (-1..1) of what is seen where a face lies with the face's own detail.

    `seen_bgr` (H, W, 3) uint8: the table from above, its top left corner at `origin_mm`. Bare table has none of a
    face's detail, however much its colours are those of the print.
    """
    return crop_likeness(in_face_frame(seen_bgr, face, origin_mm), face.scan)


def crop_likeness(crop_bgr: np.ndarray, scan: FaceScan) -> float:
    """The same of a crop (H, W, 3) uint8 of the upright face, as large as its scan."""
    here, wanted = (
        _detail(np.log(picture.astype(np.float32) + BLACK))[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX]
        for picture in (crop_bgr, scan.soft[USUAL])
    )
    return _correlation(here, wanted)


def shown_likeness(seen_bgr: np.ndarray, shown_bgr: np.ndarray, where: np.ndarray) -> float:
    """Correlation (-1..1) of the detail that is seen with that of what a face should look like there, light and all.

    Pictures (H, W, 3), `where` (H, W) bool: the pixels of the face. Where gloss leaves little of the print, little is
    expected.
    """
    inner = cv2.erode(where.astype(np.uint8), np.ones((2 * RIM_PX + 1,) * 2, np.uint8)) > 0
    if not inner.any():
        return 0.0
    return _correlation(*(_detail(picture.astype(np.float32))[inner] for picture in (seen_bgr, shown_bgr)))


def _detail(values: np.ndarray) -> np.ndarray:
    """(h, w, 3) float32: what is finer than light and coarser than noise."""
    return np.asarray(cv2.GaussianBlur(values, (0, 0), FINE_PX) - cv2.GaussianBlur(values, (0, 0), COARSE_PX))


def _correlation(first: np.ndarray, second: np.ndarray) -> float:
    """Of two details of one shape, each cut where it is far beyond its spread."""
    cut = (np.clip(one, -CLIPPED * one.std(), CLIPPED * one.std()) for one in (first, second))
    here, wanted = cut
    return float((here * wanted).sum()) / float(np.sqrt((here * here).sum() * (wanted * wanted).sum()) + 1e-6)
