"""How much of a face's print is seen in a place: fine detail, whatever the light, the contrast and the shadows."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.appearance.picture_light import BLACK
from vision.appearance.placed_face import USUAL, FaceScan, PlacedFace, in_face_frame
from vision.blur import wide_blur

# Print is finer than light, and coarser than noise: what lies between these blurs (canvas px) is compared.
FINE_PX, COARSE_PX = 0.9, 5.0

# Spreads of the detail at which it is cut: a piece's edge must not outweigh the print beside it.
CLIPPED = 1.5

# Strip along the outline that is left out: what lies beside the face blurs into it.
RIM_PX = 4

# A face is looked over in so many rows and columns of parts; those with less than this share of a part's usual detail
# say nothing.
PARTS, LEAST_PRINT = 3, 0.5

# Nor do those of which less than this is uncovered; and fewer parts than that say nothing of a face.
LEAST_SHOWN, FEWEST_PARTS = 0.6, 3

# The logarithm of the light of every grey level.
LOG_LIGHT = np.log(np.arange(256, dtype=np.float32) + np.float32(BLACK))

# Print so near to what covers it is blurred with it.
HALO_PX = 2


def detail_likeness(
    seen_bgr: np.ndarray, face: PlacedFace, origin_mm: tuple[float, float], covered: np.ndarray | None = None
) -> float:
    """Correlation (-1..1) of what is seen where a face lies with the face's own detail.

    `seen_bgr` (H, W, 3) uint8: the table from above, its top left corner at `origin_mm`. Bare table has none of a
    face's detail, however much its colours are those of the print. `covered` (H, W) uint8: 255 where things on the
    face hide its print, which does not count.
    """
    return _likenesses(seen_bgr, face, [face.scan], origin_mm, covered)[0]


def print_strength(seen_bgr: np.ndarray, face: PlacedFace, origin_mm: tuple[float, float]) -> float:
    """How strong a face's detail is where it may lie, as a share of its own: 1 where it lies, in whatever light, and 0
    on a table that has none of it, whatever else that shows. 1 of a face without any detail.

    `seen_bgr`, `origin_mm`: see `detail_likeness`, which noise lessens; this it hardly does, so that half the size
    tells it in a quarter of the time.
    """
    scan = face.scan
    if "half print" not in scan.details:
        scan.details["half print"] = _half_detail(scan.soft[USUAL])
    own, here = scan.details["half print"], _half_detail(in_face_frame(seen_bgr, face, origin_mm))
    energy = float((own * own).sum())
    return float((here * own).sum()) / energy if energy > 0.0 else 1.0


def _half_detail(picture: np.ndarray) -> np.ndarray:
    """(h, w, 3) float32: the clipped detail of a picture (H, W, 3) uint8 at half its size; in colours, as print may be
    as bright as its ground."""
    size = max(picture.shape[1] // 2, 1), max(picture.shape[0] // 2, 1)
    return clipped_detail(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), 2)


def beside_rivals(
    seen_bgr: np.ndarray, face: PlacedFace, rivals: Sequence[FaceScan], origin_mm: tuple[float, float],
    covered: np.ndarray | None = None,
) -> float:
    """By how much the `detail_likeness` of a face exceeds that of the likeliest of its rivals in the same place;
    infinite without any."""
    own, *others = _likenesses(seen_bgr, face, [face.scan, *rivals], origin_mm, covered)
    return own - max(others, default=-np.inf)


def same_print(one_bgr: np.ndarray, other_bgr: np.ndarray, shown: np.ndarray) -> float:
    """Correlation (-1..1) of the fine detail of two pictures (h, w, 3), 0..255, of one place: of what is `shown` (h, w)
    bool.

    Of their lightness alone: a camera's colours are coarser and noisier than that, and in the dark mostly noise.
    """
    greys = (cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) for picture in (one_bgr, other_bgr))
    one, other = (detail_between(grey, FINE_PX, COARSE_PX)[shown] for grey in greys)
    return _correlation(*(np.clip(d, -CLIPPED * d.std(), CLIPPED * d.std()) for d in (one, other)))


def least_likeness(
    seen_bgr: np.ndarray, face: PlacedFace, origin_mm: tuple[float, float], covered: np.ndarray | None = None
) -> float:
    """`detail_likeness` of the part of a face where it is least: low where anything lies over print, in any light.

    0 where hardly any part is seen.
    """
    here, shown = _seen(seen_bgr, face, origin_mm, covered)
    wanted = _scan_detail(face.scan) * shown
    rows, columns = (np.array_split(np.arange(size), PARTS) for size in wanted.shape[:2])
    parts = [(slice(r[0], r[-1] + 1), slice(c[0], c[-1] + 1)) for r in rows for c in columns]
    detail = np.array([float((wanted[part] ** 2).sum()) for part in parts])
    printed = detail >= LEAST_PRINT * detail.mean()
    told = [
        _correlation(here[part], wanted[part])
        for part, has_print in zip(parts, printed, strict=True)
        if has_print and float(shown[part].mean()) >= LEAST_SHOWN
    ]
    return min(told) if len(told) >= FEWEST_PARTS else 0.0


def _likenesses(
    seen_bgr: np.ndarray, face: PlacedFace, scans: Sequence[FaceScan], origin_mm: tuple[float, float],
    covered: np.ndarray | None,
) -> list[float]:
    """The `detail_likeness` of each of several scans of one size where a face lies."""
    here, shown = _seen(seen_bgr, face, origin_mm, covered)
    return [_correlation(here, _scan_detail(scan) * shown) for scan in scans]


def _seen(
    seen_bgr: np.ndarray, face: PlacedFace, origin_mm: tuple[float, float], covered: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """(h, w, 3) float32, the detail seen where a face lies, 0 where covered; and (h, w, 1) bool, where it is not."""
    here = clipped_detail(in_face_frame(seen_bgr, face, origin_mm))
    shown = np.ones((*here.shape[:2], 1), bool)
    if covered is not None:
        hidden = cv2.dilate(in_face_frame(covered, face, origin_mm), np.ones((2 * HALO_PX + 1,) * 2, np.uint8))
        shown = (hidden[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX] == 0)[..., None]
    return here * shown, shown


def _scan_detail(scan: FaceScan) -> np.ndarray:
    """(h, w, 3) float32: the detail of a scan, worked out once."""
    if "print" not in scan.details:
        scan.details["print"] = clipped_detail(scan.soft[USUAL])
    return scan.details["print"]


def _correlation(one: np.ndarray, other: np.ndarray) -> float:
    return float((one * other).sum()) / float(np.sqrt((one * one).sum() * (other * other).sum()) + 1e-6)


def detail_between(picture: np.ndarray, fine_px: float, coarse_px: float) -> np.ndarray:
    """(h, w, 3) or (h, w) float32: what lies between two blurs of the log light of such a picture in 0..255."""
    if picture.dtype == np.uint8:
        light = cv2.LUT(picture, LOG_LIGHT)
    else:
        light = cv2.log(np.maximum(picture, 0).astype(np.float32) + np.float32(BLACK))
    return np.asarray(cv2.GaussianBlur(light, (0, 0), fine_px) - wide_blur(light, coarse_px))


def clipped_detail(picture: np.ndarray, smaller: int = 1) -> np.ndarray:
    """(h, w, 3) float32: fine differences of log light, cut and without the rim; `smaller`: by how much the picture was
    made smaller."""
    rim = RIM_PX // smaller
    detail = detail_between(picture, FINE_PX / smaller, COARSE_PX / smaller)[rim:-rim, rim:-rim]
    mean, deviation = cv2.meanStdDev(detail)  # of each channel, in a tenth of the time of NumPy's own
    limit = CLIPPED * float(np.sqrt((mean**2 + deviation**2).mean() - mean.mean() ** 2))
    return np.asarray(np.clip(detail, -limit, limit))
