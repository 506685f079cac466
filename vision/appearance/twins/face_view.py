"""A face's place as a picture shows it: which of its pixels count, and how well a face explains them, lit or shaded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import cv2
import numpy as np

from vision.appearance.colour_blur import with_coarse_colour
from vision.appearance.face_fit import blur_level, lay_onto
from vision.appearance.picture_light import PictureLight
from vision.appearance.placed_face import (
    BLURS_PX,
    PX_PER_MM,
    FaceScan,
    PlacedFace,
    SeenTable,
    box_around,
    in_face_frame,
)
from vision.appearance.twins.fine_print import FinePrint, print_of
from vision.appearance.twins.told_apart import told_apart
from vision.blur import blurred
from vision.median import median

# As on the canvas: how exactly a fitted face lies.
MISPLACED_PX = 0.3

# Grey levels (besides the picture's noise), and part of the level, by which a pixel differs from the face it shows
# once light that varies slowly over the face is put right.
MODEL_NOISE = 4.0
COLOUR_SPREAD = 0.04

# Most that one pixel may speak against a face (nats).
WORST = 6.0

# Shadows leave a face at least this part of its light; no part is lit much better than most of it.
DARKEST_SHADOW, BRIGHTEST = 0.4, 1.06

# Light is told by what is seen about so far around; where hardly anything is, by the whole face.
SHADOW_PX = 4.0
LEAST_TOLD = 1e-3

EACH = np.ones((1, 3), np.float32)
SQUARE = np.ones((3, 3), np.uint8)

# Part of a pixel from which it is one that nothing hides.
WHOLLY = 0.5

# Nats from which a pixel speaks against a face; one that speaks so against all of them shows something else.
STRANGE = 2.0

# Such pixels around so large an area are a thing that lies on the face, as a token of 15 mm does; its plain parts may
# look like the print, so that all within is left out. Smaller ones are print that is blurred: the price of a card,
# which may be all that tells it from another, is printed on a disc of 60 mm2.
STRANGE_MM2 = 80.0

# Strange pixels so near to each other hang together; what is thinner than a bridge does not join a thing to the print
# beside it.
NEAR_PX, BRIDGE_PX = 5, 5


@dataclass(frozen=True, slots=True, eq=False)
class FaceView:
    """A face's place as it is `seen`, (H, W, 3) float32 BGR, upright; which of its pixels count (`visible`, (H, W)
    bool); and the light.

    `told` (H, W) float32: by how much around each pixel counts, for the light there. `step`: canvas px a pixel;
    `colour_blur_px`: by how many canvas px more colour is blurred than brightness.
    `prints`: the detail of what faces look like here, by scan and blur; `fine`: that of what is seen, once it was asked
    for.
    """

    seen: np.ndarray
    visible: np.ndarray
    told: np.ndarray
    light: PictureLight
    place: PlacedFace
    step: int = 1
    colour_blur_px: float = 0.0
    prints: dict[tuple[int, int], np.ndarray] = field(default_factory=dict, repr=False)
    fine: list[FinePrint] = field(default_factory=list, repr=False)

    @classmethod
    def of(cls, table: SeenTable, light: PictureLight, place: PlacedFace, covered: np.ndarray | None) -> FaceView:
        """A face in a place of the table's picture; `covered` (H, W) float32: part of each pixel that pieces cover."""
        seen = in_face_frame(table.bgr, place, table.origin_mm).astype(np.float32)
        visible = _visible(covered, place, table.origin_mm, light.blur_px)
        return cls(seen, visible, _told(visible), light, place, colour_blur_px=table.colour_blur_px)

    def halved(self) -> FaceView:
        """The same in half the size: what differs much differs there, too, in a fraction of the time."""
        size = (self.seen.shape[1] // 2, self.seen.shape[0] // 2)
        seen, shown = (
            np.asarray(cv2.resize(one, size, interpolation=cv2.INTER_AREA))
            for one in (self.seen, self.visible.astype(np.float32))
        )
        visible, step = shown > WHOLLY, 2 * self.step
        return replace(self, seen=seen, visible=visible, told=_told(visible, step), step=step, prints={}, fine=[])

    def without(self, hidden: np.ndarray) -> FaceView:
        """The same with fewer pixels: (H, W) bool of those that something lies on, which blurs into others."""
        visible = self.visible & ~_grown(hidden, self.light.blur_px)
        return replace(self, visible=visible, told=_told(visible), fine=[])

    def wanted(self, scan: FaceScan, level: int) -> np.ndarray:
        """(H, W, 3) float32: what a face looks like here in a blur, fully lit."""
        return np.asarray(self._wanted([scan], level)[0])

    def _wanted(self, scans: Sequence[FaceScan], level: int) -> np.ndarray:
        """(N, H, W, 3) float32: as `wanted`, of each face."""
        high, wide = self.visible.shape
        soft = [scan.soft[level] for scan in scans]
        if soft[0].shape[:2] != (high, wide):
            soft = [cv2.resize(one, (wide, high), interpolation=cv2.INTER_AREA) for one in soft]
        lit = self.light.expect(np.stack(soft), self.place.centre_mm)
        for one in lit:
            one[...] = with_coarse_colour(one, self.colour_blur_px / self.step)
        return lit

    def likenesses(self, scans: Sequence[FaceScan], names: Sequence[int]) -> dict[int, float]:
        """How well the fine print of each face is seen, a correlation, by the faces' names."""
        seen, level = self._fine_print(), blur_level(self.light.blur_px)
        return {name: seen.likeness(self._print(scan, level)) for name, scan in zip(names, scans, strict=True)}

    def laid_onto(self, scan: FaceScan) -> FaceView:
        """The same laid onto a face's print in perspective where one fits, see `lay_onto`."""
        to_seen = lay_onto(self.wanted(scan, blur_level(self.light.blur_px)), self.seen, self.visible)
        if to_seen is None:
            return self
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        size = (self.seen.shape[1], self.seen.shape[0])
        seen, shown = (
            np.asarray(cv2.warpPerspective(one, to_seen, size, flags=flags, borderMode=cv2.BORDER_REPLICATE))
            for one in (self.seen, self.visible.astype(np.float32))
        )
        visible = shown > WHOLLY
        return replace(self, seen=seen, visible=visible, told=_told(visible), fine=[])

    def fine_print(self, scans: Sequence[FaceScan], sharpen: bool) -> tuple[float, np.ndarray]:
        """The correlation of what is seen with the fine print of the likeliest face, the first, and (N,) nats of all
        by theirs; to `sharpen` costs time, and compares them in the sharpness in which print is seen in this place and
        not in that of the whole picture."""
        seen, level = self._fine_print(), blur_level(self.light.blur_px)
        near = range(max(level - 1, 0), min(level + 2, len(BLURS_PX))) if sharpen else (level,)
        likeness, level = max((seen.likeness(self._print(scans[0], one)), one) for one in near)
        return likeness, seen.evidence([self._print(scan, level) for scan in scans])

    def _fine_print(self) -> FinePrint:
        """The fine detail seen here, worked out once."""
        if not self.fine:
            self.fine.append(FinePrint(self.seen, self.visible))
        return self.fine[0]

    def _print(self, scan: FaceScan, level: int) -> np.ndarray:
        """(H, W, 3) float32: the detail of what a face looks like here in a blur, worked out once."""
        key = (id(scan), level)
        if key not in self.prints:
            self.prints[key] = print_of(self.wanted(scan, level))
        return self.prints[key]

    def told_apart(self, scans: Sequence[FaceScan]) -> np.ndarray:
        """(N,) nats of faces by what is left over of what is seen, see `told_apart`; the first is the likeliest."""
        wanted = [self.wanted(scan, blur_level(self.light.blur_px)) for scan in scans]
        return told_apart(self.seen, self.visible, wanted)

    def fit(self, scan: FaceScan | None = None) -> np.ndarray:
        """As `fits`, of the face with this scan, by default that of the place: (H, W)."""
        return np.asarray(self.fits([scan or self.place.scan])[0])

    def fits(self, scans: Sequence[FaceScan]) -> np.ndarray:
        """(N, H, W) log-likelihood of every pixel if the face has each of these scans, lit or in shadow; zero where
        none counts.

        None does along the outline, since what lies beside it is unknown and blurs into it.
        """
        level = blur_level(self.light.blur_px)
        wanted = self._wanted(scans, level)
        steep = wanted.astype(np.uint8)
        for one in steep:
            cv2.morphologyEx(one, cv2.MORPH_GRADIENT, SQUARE, dst=one)
        variance = np.float32(COLOUR_SPREAD) * wanted
        variance *= variance
        slack = cv2.LUT(steep.reshape(1, -1), _variances(MODEL_NOISE + self.light.noise, MISPLACED_PX / self.step))
        variance += slack.reshape(wanted.shape)
        precision = np.reciprocal(variance, out=variance)
        gap = np.repeat(self._shade(wanted, precision), 3).reshape(wanted.shape)  # a third of the time of broadcasting
        gap *= wanted
        np.minimum(gap, np.float32(255.0), out=gap)
        np.subtract(self.seen, gap, out=gap)
        gap *= gap
        gap *= precision
        out = np.maximum(np.float32(-0.5) * _summed(gap), np.float32(-WORST))
        reach = int(np.ceil(2.0 * self.light.blur_px / self.step))
        out[:, :reach], out[:, -reach:], out[:, :, :reach], out[:, :, -reach:] = 0.0, 0.0, 0.0, 0.0
        return np.asarray(out * self.visible)

    def _shade(self, wanted: np.ndarray, precision: np.ndarray) -> np.ndarray:
        """(N, H, W) float32: the part of its light that each pixel has, slowly varying: shadows are soft, print is not.

        `wanted` (N, H, W, 3): what is expected without a shadow; `precision`: of each of its channels.
        """
        if not self.visible.any():
            return np.ones(wanted.shape[:3], np.float32)
        by_wanted = wanted * precision
        there = _summed(self.seen * by_wanted)
        by_wanted *= wanted
        shade = there / np.maximum(_summed(by_wanted), np.float32(1e-6))
        told_by = shade if self.visible.all() else shade[:, self.visible]
        level = np.array([[[median(one)]] for one in told_by], np.float32)
        shade = np.minimum(np.maximum(shade, DARKEST_SHADOW * level), BRIGHTEST * level)
        shade *= self.visible
        told = np.stack([blurred(one, SHADOW_PX / self.step) for one in shade])
        told += LEAST_TOLD * level
        told /= self.told
        return told


def _summed(values: np.ndarray) -> np.ndarray:
    """(N, H, W): sums over the channels of (N, H, W, 3)."""
    return np.asarray(cv2.transform(values.reshape(-1, values.shape[2], 3), EACH).reshape(values.shape[:3]))


@lru_cache(maxsize=16)
def _variances(noise: float, misplaced_px: float) -> np.ndarray:
    """(256,) float32: for each steepness of print, the variance of what is seen of it."""
    out = np.float32(noise * noise) + (np.float32(misplaced_px) * np.arange(256, dtype=np.float32)) ** 2
    out.setflags(write=False)
    return np.asarray(out, np.float32)


def _told(visible: np.ndarray, step: int = 1) -> np.ndarray:
    """(H, W) float32: how much of what lies around each pixel is visible, a little everywhere."""
    if visible.all():
        return np.full(visible.shape, 1.0 + LEAST_TOLD, np.float32)
    return np.asarray(blurred(visible.astype(np.float32), SHADOW_PX / step) + LEAST_TOLD)


def things_on(best: np.ndarray, step: int = 1) -> np.ndarray:
    """(H, W) bool: what lies on a face, given the best log-likelihood that any face has at each pixel, which is so many
    canvas px wide."""
    reach, bridge = (size // step | 1 for size in (NEAR_PX, BRIDGE_PX))
    near = np.ones((reach, reach), np.uint8)
    strange = cv2.morphologyEx((best < -STRANGE).astype(np.uint8), cv2.MORPH_CLOSE, near)
    contours, _ = cv2.findContours(strange, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(strange, contours, -1, 1, cv2.FILLED)
    solid = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (bridge, bridge))
    _, regions, stats, _ = cv2.connectedComponentsWithStats(cv2.morphologyEx(strange, cv2.MORPH_OPEN, solid))
    large = stats[:, cv2.CC_STAT_AREA] >= STRANGE_MM2 * (PX_PER_MM / step) ** 2
    large[0] = False
    return np.asarray(large[regions])


def _grown(hidden: np.ndarray, blur_px: float) -> np.ndarray:
    """(H, W) bool: hidden pixels and those that they blur into."""
    reach = 2 * int(np.ceil(blur_px)) + 1
    return np.asarray(cv2.dilate(hidden.astype(np.uint8), np.ones((reach, reach), np.uint8)) > 0)


def _visible(
    covered: np.ndarray | None, place: PlacedFace, origin_mm: tuple[float, float], blur_px: float
) -> np.ndarray:
    """(H, W) bool: the pixels of a face that no piece hides, nor blurs into."""
    if covered is None or not covered[box_around(place, origin_mm, covered.shape)].any():
        wide, high = place.scan.wh
        return np.ones((high, wide), bool)
    return ~_grown(in_face_frame(covered, place, origin_mm) > 0.05, blur_px)
