"""Reading one crop: rank coarsely, re-align, fit the light, and compare the best few where they differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.align import align, local_contrast, loosely, rigidly, start
from vision.faces.chance import SCANNED_FACES, Evidence, probabilities
from vision.faces.coarse import PLACEMENTS
from vision.faces.compare import Verdict, judge
from vision.faces.photographed.reading import Crop, read_together
from vision.faces.photometry import SCANNED
from vision.faces.readings import FaceReading

if TYPE_CHECKING:
    from vision.faces.book import FaceBook

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

SHORTLIST = 6  # pictures that are compared
STARTS = 3  # turns that are tried at most
RIVAL_START = 1.6  # a turn whose coarse misfit is so many times the best is not tried
REALIGNMENTS = 2
SCALES = (2.4, 1.2)  # px of the reference frame: alignment goes from coarse to fine
RIGID_SCALES = (4.8, 2.4, 1.2)  # a piece that keeps its shape is found from further off: it may lie more askew
EDGE = 0.02  # strip along the border of a picture that is not judged: cut edges and corners


@dataclass(frozen=True, slots=True)
class _Crop:
    """A crop as all stages need it: values 0..1, usable pixels, margin, local contrast at each scale of the alignment.

    `belief`: what alignment believes of the piece's shape.
    """

    image: F32
    sampled: F32
    usable: F32
    margin: float
    scales: tuple[float, ...]
    contrast: tuple[F32, ...]
    belief: F64

    @property
    def wh(self) -> tuple[int, int]:
        return self.image.shape[1], self.image.shape[0]


@dataclass(frozen=True, slots=True)
class _Placed:
    """A crop in the reference frame: `seen` (h, w, 3), `valid` (h, w), and the pictures that may be it."""

    turn: int
    starts: tuple[F64, ...]
    to_crop: F64
    seen: F32
    valid: F32
    rankings: tuple[F32, ...]
    misfit: float


def read_face(
    book: FaceBook,
    crop_bgr: U8,
    *,
    margin: float = 0.0,
    turns: tuple[int, ...] | None = None,
    ignore_mask: NDArray[np.bool_] | None = None,
    prior: Mapping[str, float] | None = None,
    rigid: bool = False,
) -> FaceReading:
    """What `crop_bgr` (h, w, 3) uint8 shows: a piece rectified so that it fills the crop but for `margin`.

    `margin`: strip around the nominal piece as a share of its side, on each side of it. `turns`: quarter turns
    to try (the book's by default). `ignore_mask` (h, w) bool: pixels to leave out, a hand for example. `prior`:
    face -> weight; faces that are not named weigh 1. `rigid`: the crop was cut at a known pose, so that the piece
    may be shifted and turned in it but keeps its shape.
    """
    tried = book.turns if turns is None else turns
    if book.album is not None:
        return read_together(book, book.album, [Crop(crop_bgr, margin, tried, ignore_mask)], prior or {})[0]
    crop = _prepare(book, crop_bgr, margin, ignore_mask, rigid)
    placed = _place(book, crop, tried)
    numbers = _shortlist(placed.rankings, SHORTLIST)
    pictures = book.pictures[numbers].astype(np.float32) / 255
    owners = [book.group_numbers[book.owners[k]] for k in numbers]
    verdict = judge(placed.seen, placed.valid, pictures, owners, SCANNED)
    names = [book.faces[k] for k in owners]
    fit_error = float(np.median(verdict.residual[placed.valid > 0])) if placed.valid.any() else 1.0
    evidence = _evidence(verdict, owners, fit_error)
    ranked = probabilities(names, verdict.behind, evidence, prior or {}, SCANNED_FACES)
    return FaceReading(
        ranked[0][0] if ranked[0][1] >= SCANNED_FACES.accepted else None,
        ranked[0][1],
        placed.turn,
        ranked,
        np.linalg.inv(placed.to_crop @ _unit(book.size_wh)),
        verdict.gain,
        verdict.offset,
        verdict.residual,
        fit_error,
        evidence,
    )


def _evidence(verdict: Verdict, owners: list[int], fit_error: float) -> Evidence:
    """The evidence for the best picture's face against the nearest rival face."""
    rivals = [k for k, owner in enumerate(owners) if owner != owners[verdict.best]]
    if not rivals:
        return Evidence(float("inf"), 1.0, fit_error)
    nearest = min(rivals, key=lambda k: float(verdict.behind[k]))
    behind, ideal = float(verdict.behind[nearest]), float(verdict.ideal[nearest])
    return Evidence(behind, behind / (ideal + 1.0) if np.isfinite(ideal) else 1.0, fit_error)


def _prepare(book: FaceBook, crop_bgr: U8, margin: float, ignore: NDArray[np.bool_] | None, rigid: bool) -> _Crop:
    image = crop_bgr.astype(np.float32) / 255
    ratio = crop_bgr.shape[1] / (1 + 2 * margin) / book.size_wh[0]  # crop px per px of the reference frame
    sampled = image if ratio < 1.2 else cv2.GaussianBlur(image, (0, 0), 0.45 * ratio)
    usable = np.ones(image.shape[:2], dtype=np.float32) if ignore is None else (~ignore).astype(np.float32)
    side_px = ratio * (book.size_wh[0] * book.size_wh[1]) ** 0.5
    scales = RIGID_SCALES if rigid else SCALES
    contrast = tuple(local_contrast(image, max(s * ratio, 0.3), side_px) for s in scales)
    belief = rigidly(book.size_wh[0] / book.size_wh[1]) if rigid else loosely()
    return _Crop(image, sampled, usable, margin, scales, contrast, belief)


def _unit(size_wh: tuple[int, int]) -> F64:
    """(3, 3) px of the reference frame -> -1..1."""
    w, h = size_wh
    return np.array([[2 / w, 0, 1 / w - 1], [0, 2 / h, 1 / h - 1], [0, 0, 1]])


def _warp(book: FaceBook, crop: _Crop, to_crop: F64) -> tuple[F32, F32]:
    """The crop in the reference frame (h, w, 3) and which of its pixels can be judged (h, w)."""
    w, h = book.size_wh
    matrix = to_crop @ _unit(book.size_wh)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpPerspective(crop.sampled, matrix, (w, h), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    valid = cv2.warpPerspective(crop.usable, matrix, (w, h), flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP)
    edge = max(1, round(EDGE * w))
    valid[:edge], valid[-edge:], valid[:, :edge], valid[:, -edge:] = 0, 0, 0, 0
    return seen, valid


def _place(book: FaceBook, crop: _Crop, turns: tuple[int, ...]) -> _Placed:
    """The crop aligned with the picture that suits it best, over the turns that the coarse ranking leaves open."""
    cost, placement = book.index.rank(crop.image, turns, crop.margin)
    tried = []
    for row in np.argsort(cost.min(axis=1))[:STARTS]:
        if tried and cost[row].min() > RIVAL_START * cost.min() + 0.01:
            break
        starts = tuple(start(crop.wh, crop.margin, turns[row], PLACEMENTS[k]) for k in placement[row])
        tried.append(_settle(book, crop, turns[row], starts, cost[row]))
    return min(tried, key=lambda placed: placed.misfit)


def _settle(book: FaceBook, crop: _Crop, turn: int, starts: tuple[F64, ...], cost: F32) -> _Placed:
    """Align with the best picture, rank again, and align with the new best until it stays."""
    best, used = int(cost.argmin()), -1
    to_crop = starts[best]
    for _ in range(REALIGNMENTS):
        for contrast, sigma in zip(crop.contrast, crop.scales, strict=True):
            to_crop = align(contrast, book.anchor(best, sigma), to_crop, crop.belief)
        used = best
        seen, valid = _warp(book, crop, to_crop)
        whole, local, shape, misfit = book.index.rank_aligned(seen, valid)
        best = int(whole.argmin())
        if best == used:
            break
    return _Placed(turn, starts, to_crop, seen, valid, (whole, local, shape, cost), misfit)


def _shortlist(rankings: tuple[F32, ...], count: int) -> list[int]:
    """The `count` pictures that do best by any of the misfits (T,), taken in turns."""
    out: dict[int, None] = {}
    for places in zip(*(np.argsort(r) for r in rankings), strict=True):
        out.update((int(k), None) for k in places)
        if len(out) >= count:
            break
    return list(out)[:count]
