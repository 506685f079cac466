"""Decides between faces that differ in little, once the light of the whole picture is known and the face is settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.core.types import Face
from vision.colours import PictureLight
from vision.laid import AFAR_PX, FaceScan, LaidFace, SeenTable, blur_level, in_face_frame, settle

CANDIDATES = 4
ALIKE = 3
"""Candidates taken from the first look, and faces of the box that look most alike from afar."""

MOST_APART = 40.0
"""Grey levels from which a pixel is just different when faces are compared from afar."""

SETTLED = 3
"""Candidates that are settled by themselves, since with a wrong face a tile may settle a little beside its place."""

LEAST_CHANCE = 1e-4
"""The first look's chance of a face that it did not name."""

MISPLACED_PX = 0.3
"""As on the canvas: how exactly a settled face lies."""

MODEL_NOISE = 4.0
COLOUR_SPREAD = 0.04
"""Grey levels (besides the picture's noise), and part of the level, by which a pixel differs from the face it shows
once light that varies slowly over the face is put right."""

WORST = 6.0
"""Most that one pixel may speak against a face (nats)."""

CORRELATED_PX = 6.0
"""So many neighbouring pixels count as one observation."""

DARKEST_SHADOW, BRIGHTEST = 0.4, 1.06
"""Shadows leave a face at least this part of its light; no part is lit much better than most of it."""

TRUST = 0.25
"""The first look saw the same pixels, and what pieces hide: its log-odds count little."""

WEIGHTS = (-0.727, 2.590)
"""Logistic regression of "the best face is right" on `features`, fitted on rendered editions
(tests/support/fit_table_chances.py; docs/vision.md tells which)."""


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """The faces that were compared, and for each (N,) nats: `evidence` of this look, `belief` of the first."""

    faces: tuple[Face, ...]
    evidence: np.ndarray
    belief: np.ndarray

    @property
    def order(self) -> np.ndarray:
        """(N,) indices, best first."""
        return np.argsort(-(self.evidence + TRUST * self.belief), kind="stable")

    @property
    def features(self) -> tuple[float, float]:
        """What the logistic regression sees: how far (nats) this look puts the best face ahead of the next."""
        best, second = self.order[:2]
        return 1.0, float(np.log1p(max(self.evidence[best] - self.evidence[second], 0.0)))

    def probabilities(self) -> tuple[tuple[Face, float], ...]:
        """(face, probability), best first: the best has the calibrated one, the others share what is left."""
        best, *others = self.order.tolist()
        sure = 1.0 / (1.0 + np.exp(-float(np.dot(WEIGHTS, self.features))))
        behind = (self.evidence + TRUST * self.belief)[others]
        share = np.exp(behind - behind.max())
        left = (1.0 - sure) * share / share.sum()
        every = [(self.faces[best], sure), *((self.faces[k], float(p)) for k, p in zip(others, left, strict=True))]
        return tuple(sorted(every, key=lambda pair: -pair[1]))


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

    The other arguments are those of `compare`.
    """
    found = compare(seen_bgr, light, origin_mm, place, first, scans, covered)
    return tuple(first) if found is None else found.probabilities()


def compare(
    seen_bgr: np.ndarray,
    light: PictureLight,
    origin_mm: tuple[float, float],
    place: LaidFace,
    first: Sequence[tuple[Face, float]],
    scans: Mapping[Face, FaceScan],
    covered: np.ndarray | None = None,
) -> Comparison | None:
    """The likeliest faces weighed against each other; None when there is only one.

    `seen_bgr` (H, W, 3) uint8 from above with its top left corner at `origin_mm`; `place`: where a face lies, nearly;
    `covered` (H, W) float32: part of each pixel that pieces cover. All are compared in the place where the best fits,
    else each would excuse itself by lying elsewhere; where two predict the same, pixels say nothing.
    """
    visible = _visible(covered, place, origin_mm, light.blur_px)
    got = in_face_frame(seen_bgr, place, origin_mm)
    faces = [face for face, _ in first[:CANDIDATES] if face in scans]
    faces += [face for face in _alike(got, visible, light, place, scans) if face not in faces]
    if len(faces) < 2:
        return None
    table = SeenTable(seen_bgr, origin_mm)
    places = [settle(table, replace(place, scan=scans[face]), light) for face in faces[:SETTLED]]
    best = max(places, key=lambda one: _evidence(table, light, one, one.scan, covered))
    evidence = np.array([_evidence(table, light, best, scans[face], covered) for face in faces]) / CORRELATED_PX
    chances = dict(first)
    belief = np.log([max(chances.get(f, 0.0), LEAST_CHANCE) for f in faces])
    return Comparison(tuple(faces), evidence, belief)


def _evidence(
    table: SeenTable, light: PictureLight, place: LaidFace, scan: FaceScan, covered: np.ndarray | None
) -> float:
    """Sum of the log-likelihoods of the visible pixels where a face lies, if it has this scan."""
    seen = in_face_frame(table.bgr, place, table.origin_mm).astype(np.float32)
    fit = _fit(seen, light, scan.soft[blur_level(light.blur_px)], place)
    return float(fit[_visible(covered, place, table.origin_mm, light.blur_px)].sum())


def _visible(covered: np.ndarray | None, place: LaidFace, origin_mm: tuple[float, float], blur_px: float) -> np.ndarray:
    """(H, W) bool: the pixels of a face that no piece hides, nor blurs into."""
    wide, high = place.scan.wh
    if covered is None:
        return np.ones((high, wide), bool)
    hidden = (in_face_frame(covered, place, origin_mm) > 0.05).astype(np.uint8)
    reach = 2 * int(np.ceil(blur_px)) + 1
    return np.asarray(cv2.dilate(hidden, np.ones((reach, reach), np.uint8)) == 0)


def _alike(
    got: np.ndarray, visible: np.ndarray, light: PictureLight, place: LaidFace, scans: Mapping[Face, FaceScan]
) -> list[Face]:
    """The faces of the box that look most like what is seen from afar: the first look may have missed the right one."""
    size = (AFAR_PX, AFAR_PX)
    weight = cv2.resize(visible.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    small = cv2.resize(got, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    every = np.stack([scan.afar for scan in scans.values()])
    off = np.abs(light.expect(every, place.centre_mm[None, None, None]) - small).mean(-1)
    apart = (np.minimum(off, MOST_APART) * weight).sum((1, 2))
    names = list(scans)
    return [names[k] for k in np.argsort(apart)[:ALIKE]]


def _fit(seen: np.ndarray, light: PictureLight, soft: np.ndarray, place: LaidFace) -> np.ndarray:
    """(H, W) log-likelihood of every pixel seen where a face lies, lit or in shadow; zero along the outline."""
    wanted = light.expect(soft, place.centre_mm[None, None])
    around = np.ones((3, 3), np.uint8)
    coarse = wanted.astype(np.uint8)
    slack = MISPLACED_PX * cv2.subtract(cv2.dilate(coarse, around), cv2.erode(coarse, around)).astype(np.float32)
    noise = MODEL_NOISE + light.noise
    precision = 1.0 / (noise * noise + (COLOUR_SPREAD * wanted) ** 2 + slack * slack)
    each = np.ones((1, 3), np.float32)
    by_wanted = wanted * precision
    level = float(np.median((cv2.transform(seen, each) + 42) / (cv2.transform(wanted, each) + 42)))
    shade = cv2.transform(seen * by_wanted, each) / np.maximum(cv2.transform(wanted * by_wanted, each), 1e-6)
    # shadows are soft, print is not
    smooth = cv2.GaussianBlur(np.clip(shade, DARKEST_SHADOW * level, BRIGHTEST * level), (0, 0), 4.0)
    gap = seen - smooth[..., None] * wanted
    out = np.maximum(-0.5 * cv2.transform(gap * gap * precision, each), -WORST)
    reach = int(np.ceil(2.0 * light.blur_px))
    inner = np.zeros_like(out)
    inner[reach:-reach, reach:-reach] = out[reach:-reach, reach:-reach]
    return inner
