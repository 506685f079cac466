"""Decides between faces that differ in little, once the light of the whole picture is known and the face is settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from companion.core.types import Face
from vision.colours import PictureLight
from vision.laid import LaidFace, in_face_frame, settle

CANDIDATES = 5
CAMERA_BLUR_PX = 0.8
MISPLACED_PX = 0.3
"""As on the canvas: what a camera blurs, and how exactly a settled face lies."""

NOISE = 9.0
COLOUR_SPREAD = 0.07
"""Grey levels, and part of the level, by which a pixel differs from the face it shows."""

WORST = 6.0
"""Most that one pixel may speak against a face (nats)."""

CORRELATED_PX = 6.0
"""So many neighbouring pixels count as one observation."""

DARKEST_SHADOW, BRIGHTEST = 0.4, 1.06
"""Shadows leave a face at least this part of its light; no part is lit much better than most of it."""

TRUST = 0.5
"""The first look saw the same pixels: its log-odds count half."""


def look_again(
    seen_bgr: np.ndarray,
    light: PictureLight,
    origin_mm: tuple[float, float],
    place: LaidFace,
    first: Sequence[tuple[Face, float]],
    scans: Mapping[Face, np.ndarray],
) -> tuple[tuple[Face, float], ...]:
    """The candidates of the `first` look with new probabilities, best first.

    `seen_bgr` (H, W, 3) uint8 from above with its top left corner at `origin_mm`; `place`: where the face lies;
    `scans`: face -> (S, S, 3) uint8 at the canvas' resolution. Each candidate is settled by itself; where two
    predict the same, pixels say nothing, so that only what tells them apart counts.
    """
    faces = [face for face, _ in first[:CANDIDATES] if face in scans]
    if len(faces) < 2:
        return tuple(first)

    def lying(face: Face, at: LaidFace) -> LaidFace:
        return LaidFace(at.centre_mm, at.turn_deg, at.side_mm, scans[face])

    def evidence_of(one: LaidFace) -> float:
        return float(_fit(seen_bgr, light, origin_mm, one).sum())

    best = max((settle(seen_bgr, lying(f, place), light, origin_mm) for f in faces), key=evidence_of)
    # one place for all: else each candidate would excuse itself by lying elsewhere
    evidence = np.array([evidence_of(lying(f, best)) for f in faces])
    chances = dict(first)
    logit = evidence / CORRELATED_PX + TRUST * np.log([max(chances[f], 1e-6) for f in faces])
    p = np.exp(logit - logit.max())
    p /= p.sum()
    return tuple(sorted(((f, float(v)) for f, v in zip(faces, p, strict=True)), key=lambda pair: -pair[1]))


def _fit(seen_bgr: np.ndarray, light: PictureLight, origin_mm: tuple[float, float], face: LaidFace) -> np.ndarray:
    """(S, S) log-likelihood of every pixel of a face as it lies, lit or in shadow."""
    got = in_face_frame(seen_bgr, face, origin_mm).astype(np.float32)
    place = face.centre_mm[None, None]
    around = np.ones((3, 3), np.uint8)
    soft = light.expect(cv2.GaussianBlur(face.reference_bgr, (0, 0), CAMERA_BLUR_PX), place)
    low, high = (light.expect(f(face.reference_bgr, around), place) for f in (cv2.erode, cv2.dilate))
    variance = NOISE**2 + (COLOUR_SPREAD * soft) ** 2 + (MISPLACED_PX * (high - low)) ** 2
    level = np.median((got.sum(-1) + 42) / (soft.sum(-1) + 42))
    shade = np.clip(
        (got * soft / variance).sum(-1) / (soft * soft / variance).sum(-1), DARKEST_SHADOW * level, 1.06 * level
    )
    smooth = cv2.GaussianBlur(shade.astype(np.float32), (0, 0), 4.0)  # shadows are soft, print is not
    gap = got - smooth[..., None] * soft
    return np.maximum(-0.5 * (gap * gap / variance).sum(-1), -WORST)[2:-2, 2:-2]
