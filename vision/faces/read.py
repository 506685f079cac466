"""Reading one crop: rank coarsely, re-align, fit the light, and compare the best few where they differ."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces import compare, photometry
from vision.faces.align import align, start
from vision.faces.coarse import PLACEMENTS

if TYPE_CHECKING:
    from vision.faces.book import FaceBook

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

ACCEPTED = 0.9  # probability from which a reading names its face
CANDIDATES = 10
FIT_STEP = 3


@dataclass(frozen=True, slots=True)
class FaceReading:
    """What a crop shows.

    `face`: None when nothing reaches the accepted probability. `turn`: quarter turns clockwise of the best
    candidate. `alternatives`: (face, probability), best first, the best candidate included. `to_reference`:
    (3, 3) float64, crop px -> px of the reference frame. `gain`, `offset` (3,): crop = gain * reference +
    offset, BGR in 0..1. `residual` (h, w) float32: colour difference to the best candidate in the reference frame,
    in 0..1, NaN where the crop ends. `fit_error`: median of the residual.
    """

    face: str | None
    p: float
    turn: int
    alternatives: tuple[tuple[str, float], ...]
    to_reference: NDArray[np.float64]
    gain: NDArray[np.float32]
    offset: NDArray[np.float32]
    residual: F32
    fit_error: float


def read_face(
    book: FaceBook,
    crop_bgr: U8,
    *,
    margin: float = 0.0,
    turns: tuple[int, ...] | None = None,
    ignore_mask: NDArray[np.bool_] | None = None,
    prior: Mapping[str, float] | None = None,
) -> FaceReading:
    """What `crop_bgr` (h, w, 3) uint8 shows, a piece rectified so that it fills the crop but for `margin`.

    `margin`: strip around the nominal piece as a share of its side, on each side of it. `turns`: quarter turns
    to try (the book's by default). `ignore_mask` (h, w) bool: pixels to leave out. `prior`: face -> weight;
    faces that are not named weigh 1.
    """
    w, h = book.size_wh
    image = crop_bgr.astype(np.float32) / 255
    turns = book.turns if turns is None else turns
    cost, placement = book.index.rank(image, turns, margin)
    crop_wh = (image.shape[1], image.shape[0])
    order = np.argsort(cost, axis=None)
    rows, cols = np.unravel_index(order, cost.shape)
    top_turn, top = turns[int(rows[0])], int(cols[0])
    to_crop = start(crop_wh, margin, top_turn, PLACEMENTS[int(placement[rows[0], cols[0]])])
    ratio = (crop_wh[0] / (1 + 2 * margin)) / w
    for sigma in (2.5, 1.2):
        soft = cv2.GaussianBlur(image, (0, 0), max(sigma * ratio, 0.3))
        to_crop = align(soft, book.anchor(top, sigma), to_crop)
    # pictures to compare: the best of this turn
    same = [int(c) for r, c in zip(rows, cols, strict=True) if turns[int(r)] == top_turn][:CANDIDATES]
    ref_to_unit = np.array([[2 / w, 0, 1 / w - 1], [0, 2 / h, 1 / h - 1], [0, 0, 1]])
    ref_to_crop = to_crop @ ref_to_unit
    soft = image if ratio < 1.2 else cv2.GaussianBlur(image, (0, 0), 0.45 * ratio)
    seen = cv2.warpPerspective(
        soft, ref_to_crop, (w, h), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    )
    inside = np.ones(image.shape[:2], dtype=np.float32) if ignore_mask is None else (~ignore_mask).astype(np.float32)
    valid = cv2.warpPerspective(inside, ref_to_crop, (w, h), flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP)
    border = max(1, round(0.02 * w))
    valid[:border], valid[-border:], valid[:, :border], valid[:, -border:] = 0, 0, 0, 0
    pictures = book.pictures[same].astype(np.float32) / 255
    yy, xx = np.mgrid[0:h, 0:w]
    xy = np.stack([(xx + 0.5) / w * 2 - 1, (yy + 0.5) / h * 2 - 1], axis=-1).astype(np.float32)
    s = FIT_STEP
    o = s // 2
    cut = (slice(o, None, s), slice(o, None, s))
    blur = cv2.blur(seen, (s, s))
    small = np.stack([cv2.blur(p, (s, s))[cut] for p in pictures]).reshape(len(same), -1, 3)
    rendering = photometry.fit(small, blur[cut].reshape(-1, 3), valid[cut].ravel(), xy[cut].reshape(-1, 2))
    flat_seen, flat_valid, flat_xy = seen.reshape(-1, 3), valid.ravel(), xy.reshape(-1, 2)
    shown = rendering.apply(pictures.reshape(len(same), -1, 3), flat_xy)
    slopes = []
    for picture in shown.reshape(len(same), h, w, 3):
        gx = cv2.Sobel(picture, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
        gy = cv2.Sobel(picture, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
        slopes.append(np.sqrt(np.sum(gx**2 + gy**2, axis=2) / 3).ravel())
    sigma0 = np.full(flat_valid.shape, photometry.NOISE * 1.5, dtype=np.float32)
    total = np.array([flat_valid @ compare.bounded(flat_seen - x, sigma0) for x in shown])
    total = total * (photometry.COUNT * 4 / flat_valid.size) + rendering.prior_cost
    champion = int(total.argmin())
    owners = [book.groups[book.owners[k]] for k in same]
    ratios: list[tuple[float, float, int]] = []
    for _ in range(3):
        ratios = []
        for j in range(len(same)):
            if owners[j] == owners[champion]:
                continue
            slope = np.maximum(slopes[champion], slopes[j])
            got, ideal = compare.pair_ratio(flat_seen, flat_valid, shown[champion], shown[j], slope)
            got += float(rendering.prior_cost[j] - rendering.prior_cost[champion])
            ratios.append((got, ideal, j))
        if not ratios or min(ratios)[0] >= 0:
            break
        champion = min(ratios)[2]
    residual = np.sqrt(np.mean((flat_seen - shown[champion]) ** 2, axis=1)).reshape(h, w)
    chances = {owners[champion]: 0.0}
    for got, _, j in ratios:
        chances[owners[j]] = max(chances.get(owners[j], -math.inf), -got)
    weighed = {face: math.exp(max(c, -50.0)) * (prior or {}).get(face, 1.0) for face, c in chances.items()}
    whole = sum(weighed.values()) or 1.0
    ranked = tuple(sorted(((face, x / whole) for face, x in weighed.items()), key=lambda pair: -pair[1]))
    return FaceReading(
        ranked[0][0] if ranked[0][1] >= ACCEPTED else None,
        ranked[0][1],
        top_turn,
        ranked,
        np.linalg.inv(ref_to_crop),
        rendering.gain[champion],
        rendering.offset[champion],
        residual.astype(np.float32),
        float(np.median(residual[valid > 0])),
    )
