"""Recipes that a day's work gives for naming pieces, to measure the recogniser beside: none is used by the program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
Recipe = Callable[[U8], str | None]

SIDE = 64
FEATURE_SIDE = 128
BINS = 9
CELL = 8
SHORTLIST = 10
SHIFTS = tuple((dx, dy) for dx in (-2, 0, 2) for dy in (-2, 0, 2))
REACH = 0.2  # of the template with shifts
BLOB_LEVELS = 25.0


def recipes(references: Mapping[str, Sequence[U8]], turns: Sequence[int]) -> dict[str, Recipe]:
    """Name -> a function from a crop (h, w, 3) uint8 to the kind it says. All references of a kind count alike."""
    learnt = [(kind, picture) for kind, pictures in references.items() for picture in pictures]
    kinds = [kind for kind, _ in learnt]
    pictures = [picture for _, picture in learnt]
    return {
        "NCC grey": _nearest(kinds, pictures, turns, _grey),
        "NCC colour": _nearest(kinds, pictures, turns, _colour),
        "HOG and Lab": _nearest(kinds, pictures, turns, _hog_lab),
        "template with shifts": _template(kinds, pictures, turns),
        "ORB": _features(kinds, pictures, cv2.ORB.create(), cv2.NORM_HAMMING),
        "SIFT": _features(kinds, pictures, cv2.SIFT.create(), cv2.NORM_L2),
        "re-align, compare": _realigned(kinds, pictures, turns),
    }


def _small(picture: U8, side: int = SIDE) -> U8:
    return np.asarray(cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA))


def _turned(picture: U8, turn: int) -> U8:
    return np.ascontiguousarray(np.rot90(picture, turn))


def _unit(values: F32) -> F32:
    centred = values - values.mean()
    return np.asarray(centred / (np.linalg.norm(centred) + 1e-6))


def _grey(picture: U8) -> F32:
    return _unit(cv2.cvtColor(_small(picture), cv2.COLOR_BGR2GRAY).astype(np.float32).ravel())


def _colour(picture: U8) -> F32:
    values = _small(picture).reshape(-1, 3).astype(np.float32)
    values = (values - values.mean(axis=0)) / (values.std(axis=0) + 1e-3)
    return _unit(values.ravel())


def _raw(picture: U8) -> F32:
    values = _small(picture).astype(np.float32)
    return _unit((values / values.mean()).ravel())


def _hog_lab(picture: U8) -> F32:
    small = _small(picture)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    gx, gy = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    strength, angle = np.hypot(gx, gy), np.arctan2(gy, gx) % np.pi
    bins = np.minimum((angle / np.pi * BINS).astype(int), BINS - 1)
    cells = (np.arange(SIDE) // CELL)[:, None] * (SIDE // CELL) + np.arange(SIDE) // CELL
    hog = np.bincount((cells * BINS + bins).ravel(), strength.ravel(), minlength=(SIDE // CELL) ** 2 * BINS)
    hog = hog.reshape(-1, BINS)
    hog = hog / (np.linalg.norm(hog, axis=1, keepdims=True) + 10.0)
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB)
    colours = cv2.calcHist([lab], [0, 1, 2], None, [4, 12, 12], [0, 256, 0, 256, 0, 256]).ravel()
    colours = np.sqrt(colours / colours.sum())
    both = np.concatenate([hog.ravel() / np.linalg.norm(hog), colours]).astype(np.float32)
    return np.asarray(both / np.linalg.norm(both))


def _nearest(kinds: list[str], pictures: list[U8], turns: Sequence[int], describe: Callable[[U8], F32]) -> Recipe:
    table = np.stack([describe(p) for p in pictures])

    def name_of(crop: U8) -> str | None:
        scores = np.stack([table @ describe(_turned(crop, turn)) for turn in turns])
        return kinds[int(scores.max(axis=0).argmax())]

    return name_of


def _template(kinds: list[str], pictures: list[U8], turns: Sequence[int]) -> Recipe:
    edge = round(SIDE * REACH / 2)
    patterns = [_small(p)[edge:-edge, edge:-edge] for p in pictures]

    def name_of(crop: U8) -> str | None:
        best: tuple[float, str | None] = (-2.0, None)
        for turn in turns:
            whole = cv2.copyMakeBorder(_small(_turned(crop, turn)), edge, edge, edge, edge, cv2.BORDER_REPLICATE)
            for kind, pattern in zip(kinds, patterns, strict=True):
                score = float(cv2.matchTemplate(whole, pattern, cv2.TM_CCOEFF_NORMED).max())
                best = max(best, (score, kind), key=lambda x: x[0])
        return best[1]

    return name_of


def _features(kinds: list[str], pictures: list[U8], detector: Any, norm: int) -> Recipe:
    by_points = by_features(kinds, [_small(p, FEATURE_SIDE) for p in pictures], detector, norm)
    return lambda crop: by_points(_small(crop, FEATURE_SIDE))


def by_features(kinds: Sequence[str], pictures: Sequence[U8], detector: Any, norm: int) -> Recipe:
    """Names a crop by the picture with most feature points that a homography explains; None where there are few.

    `pictures` (h, w, 3) uint8, one a kind or more; `detector` and `norm` of its codes as OpenCV has them.
    """
    learnt = [detector.detectAndCompute(picture, None) for picture in pictures]
    matcher = cv2.BFMatcher(norm)

    def name_of(crop: U8) -> str | None:
        points, codes = detector.detectAndCompute(crop, None)
        best: tuple[int, str | None] = (0, None)
        for kind, (own, own_codes) in zip(kinds, learnt, strict=True):
            if codes is None or own_codes is None or len(codes) < 4 or len(own_codes) < 4:
                continue
            pairs = [m for m in matcher.knnMatch(codes, own_codes, k=2) if len(m) == 2]
            good = [a for a, b in pairs if a.distance < 0.8 * b.distance]
            if len(good) >= 4:
                one = np.array([points[m.queryIdx].pt for m in good], np.float32)
                other = np.array([own[m.trainIdx].pt for m in good], np.float32)
                _, inliers = cv2.findHomography(one, other, cv2.RANSAC, 4.0)
                best = max(best, (0 if inliers is None else int(inliers.sum()), kind), key=lambda x: x[0])
        return best[1]

    return name_of


def _realigned(kinds: list[str], pictures: list[U8], turns: Sequence[int]) -> Recipe:
    """ECC against the best by NCC; gain and offset per channel; then only the pixels where two candidates differ."""
    small = [_small(p) for p in pictures]
    plain = np.stack([_raw(p) for p in pictures])
    table = np.stack([_colour(p) for p in pictures])
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4)

    def fitted(crop: F32, picture: U8) -> F32:
        gain = np.median((crop + 1) / (picture.astype(np.float32) + 1), axis=(0, 1))
        return np.asarray(np.clip(picture * gain, 0, 255), np.float32)

    def name_of(crop: U8) -> str | None:
        turned = [_turned(crop, turn) for turn in turns]
        scores = np.stack([table @ _colour(t) for t in turned])
        row = int(scores.max(axis=1).argmax())
        ranked = zip(np.argsort(-scores[row]), np.argsort(-(plain @ _raw(turned[row]))), strict=True)
        order = list(dict.fromkeys(int(k) for pair in ranked for k in pair))[:SHORTLIST]
        seen = _small(turned[row])
        try:
            grey = [cv2.cvtColor(p, cv2.COLOR_BGR2GRAY) for p in (small[order[0]], seen)]
            _, move = cv2.findTransformECC(
                grey[0], grey[1], np.eye(3, dtype=np.float32), cv2.MOTION_HOMOGRAPHY, criteria
            )
            flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            seen = cv2.warpPerspective(seen, move, (SIDE, SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        except cv2.error:  # ECC says so when it does not converge: the crop stays as it was cut
            pass
        values = seen.astype(np.float32)
        shown = [fitted(values, small[k]) for k in order]
        worst = [
            min((_margin(values, a, b) for j, b in enumerate(shown) if j != i), default=0.0)
            for i, a in enumerate(shown)
        ]
        return kinds[order[int(np.argmax(worst))]]

    return name_of


def _margin(seen: F32, one: F32, other: F32) -> float:
    """How much better `one` explains the pixels where the two differ, each with the best small shift; -1 to 1."""
    where = np.abs(one - other).max(axis=2) > BLOB_LEVELS
    if not where.any():
        return 0.0
    errors = []
    for picture in (one, other):
        moved = [np.abs(np.roll(seen, s, axis=(0, 1)) - picture)[where].mean() for s in SHIFTS]
        errors.append(min(moved))
    return float((errors[1] - errors[0]) / (errors[0] + errors[1] + 1e-3))
