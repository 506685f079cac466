"""Decides between faces that differ in little, once the light of the whole picture is known and the face is settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from companion.core.types import Face
from vision.colours import PictureLight
from vision.laid import FaceScan, LaidFace, SeenTable, blur_level, in_face_frame, settle

CANDIDATES = 4
ALIKE = 4
"""Candidates taken from the first look, and faces of the box that look most alike from afar."""

AFAR_PX = 20
MOST_APART = 40.0
"""Size of the pictures that are compared from afar, and grey levels from which a pixel is just different."""

SETTLED = 2
LEAST_CHANCE = 1e-4
"""Candidates that are settled by themselves, and the first look's chance of a face that it did not name."""

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
    covered: np.ndarray | None = None,
) -> tuple[tuple[Face, float], ...]:
    """The candidates of the `first` look, and those that look alike from afar, with new probabilities, best first.

    `seen_bgr` (H, W, 3) uint8 from above with its top left corner at `origin_mm`; `place`: where the face lies;
    `covered` (H, W) float32: part of each pixel that pieces cover. The likeliest candidates are settled, all are
    compared in one place, and where two predict the same, pixels say nothing: only what tells them apart counts.
    """
    seen = SeenTable(seen_bgr, origin_mm)
    visible = _visible(covered, place, origin_mm)
    got = in_face_frame(seen_bgr, place, origin_mm)
    faces = [face for face, _ in first[:CANDIDATES] if face in scans]
    faces += [face for face in _alike(got, visible, light, place, scans) if face not in faces]
    if len(faces) < 2:
        return tuple(first)

    def lying(face: Face, at: LaidFace) -> LaidFace:
        return LaidFace(at.centre_mm, at.turn_deg, at.side_mm, scans[face])

    def evidence_of(one: LaidFace) -> float:
        return float(_fit(seen, light, one)[visible].sum())

    best = max((settle(seen, lying(f, place), light) for f in faces[:SETTLED]), key=evidence_of)
    # one place for all: else each candidate would excuse itself by lying elsewhere
    evidence = np.array([evidence_of(lying(f, best)) for f in faces])
    logit = evidence / CORRELATED_PX
    chances = dict(first)
    logit += TRUST * np.log([max(chances.get(f, 0.0), LEAST_CHANCE) for f in faces])
    p = np.exp(logit - logit.max())
    p /= p.sum()
    return tuple(sorted(((f, float(v)) for f, v in zip(faces, p, strict=True)), key=lambda pair: -pair[1]))


def _visible(covered: np.ndarray | None, place: LaidFace, origin_mm: tuple[float, float]) -> np.ndarray:
    """(H, W) bool: the pixels of a face that no piece hides, nor blurs into."""
    wide, high = place.scan.wh
    if covered is None:
        return np.ones((high, wide), bool)
    hidden = (in_face_frame(covered, place, origin_mm) > 0.05).astype(np.uint8)
    return np.asarray(cv2.dilate(hidden, np.ones((5, 5), np.uint8)) == 0)


def _alike(
    got: np.ndarray, visible: np.ndarray, light: PictureLight, place: LaidFace, scans: Mapping[Face, FaceScan]
) -> list[Face]:
    """The faces of the box that look most like what is seen from afar: the first look may have missed the right one."""
    size = (AFAR_PX, AFAR_PX)
    weight = cv2.resize(visible.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    small = cv2.resize(got, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    every = np.stack([cv2.resize(scan.soft[-1], size, interpolation=cv2.INTER_AREA) for scan in scans.values()])
    off = np.abs(light.expect(every, place.centre_mm[None, None, None]) - small).mean(-1)
    apart = (np.minimum(off, MOST_APART) * weight).sum((1, 2))
    names = list(scans)
    return [names[k] for k in np.argsort(apart)[:ALIKE]]


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
