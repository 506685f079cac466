"""Decides between faces that differ in little, once the light of the whole picture is known and the face is settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from companion.core.types import Face
from vision.colours import PictureLight
from vision.laid import FaceScan, LaidFace, SeenTable, blur_level, in_face_frame, settle

CANDIDATES = 5
MISPLACED_PX = 0.3
"""As on the canvas: how exactly a settled face lies."""

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
    scans: Mapping[Face, FaceScan],
    hidden: np.ndarray | None = None,
) -> tuple[tuple[Face, float], ...]:
    """The candidates of the `first` look with new probabilities, best first.

    `seen_bgr` (H, W, 3) uint8 from above with its top left corner at `origin_mm`; `place`: where the face lies;
    `hidden` (S, S) bool: pixels of the face that pieces hide. Each candidate is settled
    by itself; where two predict the same, pixels say nothing, so that only what tells them apart counts.
    """
    seen = SeenTable(seen_bgr, origin_mm)
    faces = [face for face, _ in first[:CANDIDATES] if face in scans]
    if len(faces) < 2:
        return tuple(first)

    def lying(face: Face, at: LaidFace) -> LaidFace:
        return LaidFace(at.centre_mm, at.turn_deg, at.side_mm, scans[face])

    def evidence_of(one: LaidFace) -> float:
        fit = _fit(seen, light, one)
        return float(fit.sum() if hidden is None else fit[~hidden].sum())

    best = max((settle(seen, lying(f, place), light) for f in faces[:2]), key=evidence_of)
    # one place for all: else each candidate would excuse itself by lying elsewhere
    evidence = np.array([evidence_of(lying(f, best)) for f in faces])
    chances = dict(first)
    logit = evidence / CORRELATED_PX + TRUST * np.log([max(chances[f], 1e-6) for f in faces])
    p = np.exp(logit - logit.max())
    p /= p.sum()
    return tuple(sorted(((f, float(v)) for f, v in zip(faces, p, strict=True)), key=lambda pair: -pair[1]))


def _fit(seen: SeenTable, light: PictureLight, face: LaidFace) -> np.ndarray:
    """(S, S) log-likelihood of every pixel of a face as it lies, lit or in shadow; zero along the outline."""
    got = in_face_frame(seen.bgr, face, seen.origin_mm).astype(np.float32)
    soft = light.expect(face.scan.soft[blur_level(light.blur_px)], face.centre_mm[None, None])
    around = np.ones((3, 3), np.uint8)
    slack = MISPLACED_PX * (cv2.dilate(soft, around) - cv2.erode(soft, around))
    variance = NOISE**2 + (COLOUR_SPREAD * soft) ** 2 + slack * slack
    level = np.median((got.sum(-1) + 42) / (soft.sum(-1) + 42))
    shade = np.clip(
        (got * soft / variance).sum(-1) / (soft * soft / variance).sum(-1), DARKEST_SHADOW * level, 1.06 * level
    )
    smooth = cv2.GaussianBlur(shade.astype(np.float32), (0, 0), 4.0)  # shadows are soft, print is not
    gap = got - smooth[..., None] * soft
    out = np.maximum(-0.5 * (gap * gap / variance).sum(-1), -WORST)
    reach = int(np.ceil(2.0 * light.blur_px))
    inner = np.zeros_like(out)
    inner[reach:-reach, reach:-reach] = out[reach:-reach, reach:-reach]
    return inner
