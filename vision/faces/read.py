"""Reading one crop: rank coarsely, re-align, fit the light, and compare the best few where they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.blur import HALVED_FROM, TO_HALF, blur_left, halved
from vision.faces.align import STEPS, AlignJob, align_all, local_contrast, loosely, rigidly, start
from vision.faces.book import FaceBook
from vision.faces.chance import SCANNED_FACES, FaceEvidence, probabilities
from vision.faces.coarse import PLACEMENTS
from vision.faces.compare import Case, FaceFit, judge_all
from vision.faces.photometry import SCANNED
from vision.faces.readings import FaceReading
from vision.median import median

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

SHORTLIST = 6  # pictures that are compared
# A picture that each ranking of the aligned crop puts so many times as far off as its best is not compared: of 609
# tiles, half of them in rendered rough rooms, none such was the best, nor nearer to it than 20 nats.
HOPELESS = 2.0
FIRST_FACES = 3  # of each ranking of the aligned crop that are compared in any case: the best and twins
ALIGNED = 3  # rankings of the aligned crop; the last one is of the crop as it was cut
LEAST_MISFIT = 1e-6
STARTS = 3  # turns that are tried at most
RIVAL_START = 1.6  # a turn whose coarse misfit is so many times the best is not tried
REALIGNMENTS = 2
COARSE_STEPS = 5  # of an alignment that is made finer afterwards
SCALES = (2.4, 1.2)  # px of the reference frame: alignment goes from coarse to fine
RIGID_SCALES = (4.8, 2.4, 1.2)  # a piece that keeps its shape is found from further off: it may lie more askew
WHOLE = np.eye(3)
EDGE = 0.02  # strip along the border of a picture that is not judged: cut edges and corners


@dataclass(frozen=True, slots=True)
class _Crop:
    """A crop as all stages need it: values 0..1, margin, local contrast at each scale of the alignment,
    of the crop or, where `at_half`, of the halved crop.

    `belief`: what alignment believes of the piece's shape.
    """

    image: F32
    sampled: F32
    margin: float
    scales: tuple[float, ...]
    contrast: tuple[F32, ...]
    at_half: tuple[bool, ...]
    belief: F64

    @property
    def wh(self) -> tuple[int, int]:
        return self.image.shape[1], self.image.shape[0]

    def to_seen(self, level: int) -> F64:
        """(3, 3) px of the crop -> px of its `contrast` at a scale; a diagonal matrix."""
        return TO_HALF if self.at_half[level] else WHOLE


@dataclass(frozen=True, slots=True)
class _Placed:
    """A crop in the reference frame: `seen` (h, w, 3), `valid` (h, w), and the pictures that may be it."""

    turn: int
    to_crop: F64
    seen: F32
    valid: F32
    rankings: tuple[F32, ...]
    misfit: float


def read_faces(
    book: FaceBook,
    crops_bgr: Sequence[U8],
    *,
    margin: float = 0.0,
    turns: tuple[int, ...] | None = None,
    rigid: bool = False,
) -> tuple[FaceReading, ...]:
    """What crops (h, w, 3) uint8 show of scanned faces: see `identify_many`."""
    crops = [_prepare(book, crop, margin, rigid) for crop in crops_bgr]
    every = _place_all(book, crops, book.turns if turns is None else turns)
    cases = [_case(book, placed) for placed in every]
    verdicts = judge_all(cases, SCANNED)
    return tuple(
        _reading(book, placed, case.owners, verdict)
        for placed, case, verdict in zip(every, cases, verdicts, strict=True)
    )


def _case(book: FaceBook, placed: _Placed) -> Case:
    """An aligned crop and the pictures that may be what it shows."""
    every = [book.group_numbers[owner] for owner in book.owners]
    numbers = _with_rivals(placed.rankings, _shortlist(placed.rankings, SHORTLIST), every)
    owners = [every[k] for k in numbers]
    kept = _with_hope(placed.rankings, numbers, owners)
    numbers, owners = [numbers[k] for k in kept], [owners[k] for k in kept]
    return Case(placed.seen, placed.valid, [book.learnt(k) for k in numbers], owners)


def _reading(book: FaceBook, placed: _Placed, owners: list[int], verdict: FaceFit) -> FaceReading:
    """The reading of an aligned crop, whose pictures of the faces `owners` were compared."""
    names = [book.faces[k] for k in owners]
    fit_error = median(verdict.residual[placed.valid > 0]) if placed.valid.any() else 1.0
    evidence = _evidence(verdict, owners, fit_error)
    ranked = probabilities(names, verdict.behind, evidence, SCANNED_FACES)
    return FaceReading(
        ranked[0][0] if ranked[0][1] >= SCANNED_FACES.accepted else None,
        ranked[0][1],
        placed.turn,
        ranked,
        np.asarray(np.linalg.inv(placed.to_crop @ _unit(book.size_wh)), np.float64),
        verdict.gain,
        verdict.offset,
        verdict.residual,
        fit_error,
        evidence,
    )


def _evidence(verdict: FaceFit, owners: list[int], fit_error: float) -> FaceEvidence:
    """The evidence for the best picture's face against the nearest rival face."""
    rivals = [k for k, owner in enumerate(owners) if owner != owners[verdict.best]]
    if not rivals:
        return FaceEvidence(float("inf"), 1.0, fit_error)
    nearest = min(rivals, key=lambda k: float(verdict.behind[k]))
    behind, ideal = float(verdict.behind[nearest]), float(verdict.ideal[nearest])
    return FaceEvidence(behind, behind / (ideal + 1.0) if np.isfinite(ideal) else 1.0, fit_error)


def _prepare(book: FaceBook, crop_bgr: U8, margin: float, rigid: bool) -> _Crop:
    image = crop_bgr.astype(np.float32) / np.float32(255)
    ratio = crop_bgr.shape[1] / (1 + 2 * margin) / book.size_wh[0]  # crop px per px of the reference frame
    sampled = image if ratio < 1.2 else cv2.GaussianBlur(image, (0, 0), 0.45 * ratio)
    side_px = ratio * (book.size_wh[0] * book.size_wh[1]) ** 0.5
    scales = RIGID_SCALES if rigid else SCALES
    at_half = tuple(s * ratio >= HALVED_FROM for s in scales)
    half = halved(image) if any(at_half) else image
    contrast = tuple(
        local_contrast(half, blur_left(s * ratio), side_px / 2)
        if small
        else local_contrast(image, max(s * ratio, 0.3), side_px)
        for s, small in zip(scales, at_half, strict=True)
    )
    belief = rigidly(book.size_wh[0] / book.size_wh[1]) if rigid else loosely()
    return _Crop(image, sampled, margin, scales, contrast, at_half, belief)


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
    inside = np.ones(crop.image.shape[:2], np.float32)
    valid = cv2.warpPerspective(inside, matrix, (w, h), flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP)
    edge = max(1, round(EDGE * w))
    valid[:edge], valid[-edge:], valid[:, :edge], valid[:, -edge:] = 0, 0, 0, 0
    return seen, valid


@dataclass(slots=True, eq=False)
class _Try:
    """A crop in one turn while it is aligned with picture `best`, at first where the coarse ranking (`cost`) put it."""

    crop: _Crop
    turn: int
    cost: F32
    best: int
    to_crop: F64


def _place_all(book: FaceBook, crops: Sequence[_Crop], turns: tuple[int, ...]) -> list[_Placed]:
    """Each crop aligned with the picture that suits it best, over the turns that the coarse ranking leaves open."""
    tries: list[_Try] = []
    counts = []
    margin = crops[0].margin if crops else 0.0
    ranked = book.index.rank_all([crop.image for crop in crops], turns, margin)
    for crop, (cost, placement) in zip(crops, ranked, strict=True):
        rows = [
            row
            for number, row in enumerate(np.argsort(cost.min(axis=1))[:STARTS])
            if number == 0 or cost[row].min() <= RIVAL_START * cost.min() + 0.01
        ]
        counts.append(len(rows))
        for row in rows:
            best = int(cost[row].argmin())
            nearest = start(crop.wh, margin, turns[row], PLACEMENTS[placement[row, best]])
            tries.append(_Try(crop, turns[row], cost[row], best, nearest))
    settled = iter(_settle_all(book, tries))
    return [min((next(settled) for _ in range(count)), key=lambda placed: placed.misfit) for count in counts]


def _settle_all(book: FaceBook, tries: list[_Try]) -> list[_Placed]:
    """Align each with its best picture, rank again, and align with the new best until it stays."""
    placed: dict[int, _Placed] = {}
    going = list(range(len(tries)))
    for _ in range(REALIGNMENTS):
        _align_all(book, [tries[k] for k in going])
        again = []
        warped = [_warp(book, tries[k].crop, tries[k].to_crop) for k in going]
        misfits = book.index.rank_all_aligned([seen for seen, _ in warped], [valid for _, valid in warped])
        for k, (seen, valid), (whole, local, shape, misfit) in zip(going, warped, misfits, strict=True):
            one = tries[k]
            placed[k] = _Placed(one.turn, one.to_crop, seen, valid, (whole, local, shape, one.cost), misfit)
            if (best := int(whole.argmin())) != one.best:
                one.best = best
                again.append(k)
        going = again
    return [placed[k] for k in range(len(tries))]


def _align_all(book: FaceBook, tries: Sequence[_Try]) -> None:
    """Align each with its best picture, from coarse to fine."""
    if not tries:
        return
    belief, scales = tries[0].crop.belief, tries[0].crop.scales
    for level, sigma in enumerate(scales):
        jobs = [
            AlignJob(one.crop.contrast[level], book.anchor(one.best, sigma), one.crop.to_seen(level) @ one.to_crop)
            for one in tries
        ]
        steps = STEPS if level == len(scales) - 1 else COARSE_STEPS
        for one, found in zip(tries, align_all(jobs, belief, steps), strict=True):
            one.to_crop = found / one.crop.to_seen(level).diagonal()[:, None]


def _shortlist(rankings: tuple[F32, ...], count: int) -> list[int]:
    """The `count` pictures that do best by any of the misfits (T,), taken in turns."""
    out: dict[int, None] = {}
    for places in zip(*(np.argsort(r) for r in rankings), strict=True):
        out.update((int(k), None) for k in places)
        if len(out) >= count:
            break
    return list(out)[:count]


def _with_rivals(rankings: tuple[F32, ...], numbers: list[int], owners: Sequence[int]) -> list[int]:
    """The shortlist and the first picture of each of the first faces of every ranking of the aligned crop that are not
    on it: two pictures each of other faces may have left no room for a twin, and the best may be another one.

    `owners` (T,): the face of each picture."""
    out = list(numbers)
    for ranking in rankings[:ALIGNED]:
        first: dict[int, int] = {}
        for picture in np.argsort(ranking).tolist():
            first.setdefault(owners[picture], picture)
            if len(first) == FIRST_FACES:
                break
        out += [picture for face, picture in first.items() if face not in {owners[k] for k in out}]
    return out


def _with_hope(rankings: tuple[F32, ...], numbers: list[int], owners: list[int]) -> list[int]:
    """Which of the shortlist, by place in it, are compared: those that a ranking of the aligned crop gives hope, and
    the first rival, which tells how sure the best is."""
    aligned = rankings[:ALIGNED]
    off = np.min([ranking[numbers] / max(float(ranking.min()), LEAST_MISFIT) for ranking in aligned], axis=0)
    rival = next((k for k, owner in enumerate(owners) if owner != owners[0]), 0)
    return [k for k in range(len(numbers)) if off[k] <= HOPELESS or k in (0, rival)]
