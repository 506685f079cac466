"""Faces fitted to where they fit best in what is seen, and the blur in which they look most like it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.appearance.picture_light import BLACK, PictureLight
from vision.appearance.placed_face import (
    BLURS_PX,
    PX_PER_MM,
    FaceScan,
    PlacedFace,
    SeenTable,
    grey,
    sampled,
    turn_matrix,
)
from vision.appearance.print_detail import COARSE_PX, RIM_PX, clipped_detail, detail_likeness
from vision.blur import wide_blur
from vision.median import medians

# Fitting starts with the coarsest blur and ends with that of the picture itself.
COARSE = len(BLURS_PX) - 1
COARSE_ROUNDS, FINE_ROUNDS = 8, 5

# Strip along a face's outline that is not compared, in blurs: what lies beside it is unknown and blurs into it.
OUTLINE_BLURS = 2.0

# Grey levels at which a pixel counts half: pieces, shadows and glare hide parts of a face.
COARSE_ROBUST, ROBUST = 30.0, 12.0

# How far a face may be off before it is fitted: 1.3 mm, 2 degrees, 1 % of its size (the pose of the table).
SHIFT_SD_PX, TURN_SD_RAD, GROW_SD = 2.0, 0.04, 0.01
ORDINARY = np.array([SHIFT_SD_PX, SHIFT_SD_PX, TURN_SD_RAD, GROW_SD])

# What the pose of the table gets wrong is common to all its faces: of 265 tiles of five rendered rough rooms nine in
# ten were as large as the others of their picture to about this part. Where wear made dark rims pale, or pieces hid
# much, single ones were taken for 2 to 7 % larger, and for their twins. Those that are larger by so many times as much
# are fitted anew as large as the others, and stay so where more of their print is seen; so many faces tell the size.
ALIKE_SD, UNLIKE, TELL_SIZE = 0.004, 2.0, 4

# A face that would have to lie so many times as far off as is ordinary was drawn away by what lies on it.
MAX_PRIOR_SIGMAS = 4.0

# Noise of a pixel's comparison, grey levels: what the evidence for moving is weighed with.
GREY_SD = 8.0

# Points of one edge repeat each other: so much of one observation each.
INDEPENDENT = 1.0 / 2.0

# Every so many of a face's edges tell the blur.
BLUR_EDGES = 4

# A step smaller than this, canvas px at the corners, is the last one of its kind.
COARSE_STEP_PX, FINE_STEP_PX = 0.2, 0.04

# A face is laid onto its print in perspective in so many steps, until its print correlates by so little better. Of 1306
# faces of rendered rough rooms half had a corner that moved by more than 0.5 px, one in ten one that moved by 1.5 px;
# what would have to move farther than this was drawn away.
PERSPECTIVE = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-3)
MOST_MOVED_PX = 4.0


def fit_faces(
    seen: SeenTable, faces: Sequence[PlacedFace], light: PictureLight, *, sized: bool = False
) -> list[PlacedFace]:
    """Each face moved, turned and grown a little so that it fits best, or unmoved where that leads too far. `sized`:
    whether their sizes are those of faces that were fitted with others of the picture.

    Robust Gauss-Newton on the grey levels of its strongest edges (inverse compositional: Baker and Matthews 2004,
    "Lucas-Kanade 20 years on"), with a prior of how far it may be off. Faces make their steps together, since the
    arrays of one are small.
    """
    found = list(faces)
    for count in {len(face.scan.edges) for face in faces}:
        numbers = [k for k, face in enumerate(faces) if len(face.scan.edges) == count]
        for k, face in zip(numbers, _fitted(seen, [faces[k] for k in numbers], light, sized), strict=True):
            found[k] = face
    return found


@dataclass(slots=True, eq=False)
class _Poses:
    """Where F faces lie while they are fitted: `centre_mm` (F, 2), `turn_deg` and `side_mm` (F,), and how far each has
    been `moved` (F, 4): right, down (canvas px), turn (radians), growth (share), which is believed to be of
    `growth_sd`."""

    centre_mm: np.ndarray
    turn_deg: np.ndarray
    side_mm: np.ndarray
    moved: np.ndarray
    growth_sd: float

    def to_canvas(self, points: np.ndarray, width: np.ndarray, of: np.ndarray, origin: np.ndarray) -> np.ndarray:
        """(f, N, 2) float32 canvas px of points (f, 2, N) px off the middle of scans `width` (f,) px wide, of those
        faces `of` (f,)."""
        linear = turn_matrix(self.turn_deg[of]) * (self.side_mm[of] * PX_PER_MM / width)[:, None, None]
        middle = (self.centre_mm[of] - origin) * PX_PER_MM - 0.5
        at = np.matmul(linear.astype(np.float32), points)
        at += middle[..., None].astype(np.float32)
        return np.ascontiguousarray(at.transpose(0, 2, 1))

    @property
    def prior(self) -> np.ndarray:
        """(4, 4) precision of how far a face is believed to be moved."""
        return np.diag(1.0 / np.array([SHIFT_SD_PX, SHIFT_SD_PX, TURN_SD_RAD, self.growth_sd]) ** 2)

    def of(self, faces: Sequence[PlacedFace]) -> list[PlacedFace]:
        """The faces where these poses lay them; unmoved where that leads too far."""
        stays = (np.abs(self.moved) >= MAX_PRIOR_SIGMAS * ORDINARY).any(1)
        return [
            face
            if stays[k]
            else PlacedFace(self.centre_mm[k], float(self.turn_deg[k]), float(self.side_mm[k]), face.scan)
            for k, face in enumerate(faces)
        ]

    def move(self, step: np.ndarray, of: np.ndarray) -> None:
        """Take a step (f, 4) found in the faces' own px: seen(p) = want(p + step), so a face lies the other way."""
        self.moved[of] += step
        self.centre_mm[of] -= np.matmul(turn_matrix(self.turn_deg[of]), step[:, :2, None])[..., 0] / PX_PER_MM
        self.turn_deg[of] -= np.rad2deg(step[:, 2])
        self.side_mm[of] *= 1.0 - step[:, 3]


def _fitted(seen: SeenTable, faces: Sequence[PlacedFace], light: PictureLight, sized: bool) -> list[PlacedFace]:
    """`fit_faces` of faces with as many edges each."""
    poses = _moved(seen, faces, light, ALIKE_SD if sized else GROW_SD)
    found = poses.of(faces)
    if sized or len(faces) < TELL_SIZE:
        return found
    shrunk = poses.moved[:, 3]  # less than nought where a face has grown
    alike = float(np.median(shrunk))
    unlike = np.flatnonzero(shrunk < alike - UNLIKE * ALIKE_SD).tolist()
    if unlike:
        as_others = [replace(faces[k], side_mm=faces[k].side_mm * (1.0 - alike)) for k in unlike]
        for k, anew in zip(unlike, _moved(seen, as_others, light, ALIKE_SD).of(as_others), strict=True):
            found[k] = max(found[k], anew, key=lambda one: detail_likeness(seen.bgr, one, seen.origin_mm))
    return found


def _moved(seen: SeenTable, faces: Sequence[PlacedFace], light: PictureLight, growth_sd: float) -> _Poses:
    """The faces' poses after all steps. `growth_sd`: how far (one spread) they may be larger or smaller."""
    poses = _Poses(
        np.array([face.centre_mm for face in faces], float),
        np.array([face.turn_deg for face in faces], float),
        np.array([face.side_mm for face in faces], float),
        np.zeros((len(faces), 4)),
        growth_sd,
    )
    own = blur_level(light.blur_px)
    for level, rounds, robust, enough_px in (
        (max(COARSE, own), COARSE_ROUNDS, COARSE_ROBUST, COARSE_STEP_PX),
        (own, FINE_ROUNDS, ROBUST, FINE_STEP_PX),
    ):
        extra = float(np.sqrt(max(0.0, BLURS_PX[level] ** 2 - BLURS_PX[own] ** 2)))
        _step(seen.grey(extra), np.array(seen.origin_mm), faces, poses, light, (level, rounds, robust, enough_px))
    return poses


def _step(
    grey: np.ndarray,
    origin_mm: np.ndarray,
    faces: Sequence[PlacedFace],
    poses: _Poses,
    light: PictureLight,
    how: tuple[int, int, float, float],
) -> None:
    """Gauss-Newton steps of all faces on a picture (H, W) in one blur: `how` is the index of the scans' blur, the most
    rounds, the robust scale (grey levels) and the least step (canvas px)."""
    level, rounds, robust, enough_px = how
    begun = np.array([face.centre_mm for face in faces])
    flat = np.stack([_at_edges(face.scan, level) for face in faces])
    here = light.expect(flat, begun[:, None])
    wanted = here @ np.full(3, 1 / 3, np.float32)
    # grey grows by so much from scan to picture; what is cut off in every channel says nothing
    told = np.minimum(np.minimum(here[..., 0], here[..., 1]), here[..., 2]) < 255.0
    steep = (wanted + BLACK) / (np.stack([face.scan.greys[level] for face in faces]) + BLACK) * told
    slope = np.stack([_moved_by(face.scan, level) for face in faces])  # (F, 4, N)
    slope *= steep[:, None]
    points = np.stack([face.scan.off_middle for face in faces])
    width = np.array([face.scan.wh[0] for face in faces], float)
    reach = np.array([[1.0, 1.0, max(face.scan.wh) / 2, max(face.scan.wh) / 2] for face in faces])
    prior = poses.prior
    going = np.arange(len(faces))
    for _ in range(rounds):
        off = sampled(grey, poses.to_canvas(points, width, going, origin_mm)) - wanted
        off -= medians(off, axis=1)
        weight = INDEPENDENT / (GREY_SD**2 * (1.0 + (off / robust) ** 2))
        weighted = slope * weight[:, None]
        normal = np.matmul(weighted, slope.transpose(0, 2, 1)).astype(np.float64) + prior
        pull = np.matmul(weighted, off[..., None])[..., 0] - poses.moved[going] @ prior
        step = np.linalg.solve(normal, pull[..., None])[..., 0]
        poses.move(step, going)
        far = np.abs(step * reach).max(1) >= enough_px
        if not far.any():
            break
        if not far.all():
            going, points, width, wanted, slope, reach = (
                each[far] for each in (going, points, width, wanted, slope, reach)
            )


def _at_edges(scan: FaceScan, level: int) -> np.ndarray:
    """(N, 3) uint8 BGR of a scan's edges in one of BLURS_PX, looked up once."""
    name = f"edges {level}"
    if name not in scan.details:
        scan.details[name] = scan.soft[level][scan.edges[:, 1], scan.edges[:, 0]]
    return scan.details[name]


def _moved_by(scan: FaceScan, level: int) -> np.ndarray:
    """(4, N) float32: by how much a scan's edges change in one of BLURS_PX for each px to the right and down, radian of
    turn and share of growth; nought beside the outline. Worked out once."""
    name = f"moved {level}"
    if name not in scan.details:
        (gx, gy), (x, y) = scan.slopes[level].T, scan.off_middle
        inset = np.minimum(scan.edges, np.array(scan.wh) - 1 - scan.edges).min(1)
        moved = np.stack([gx, gy, gy * x - gx * y, gx * x + gy * y])
        scan.details[name] = moved * (inset >= OUTLINE_BLURS * BLURS_PX[level])
    return scan.details[name]


def blur_level(blur_px: float) -> int:
    """The index of the nearest of BLURS_PX."""
    return min(range(len(BLURS_PX)), key=lambda level: abs(math.log(BLURS_PX[level] / blur_px)))


def fit_blur(seen: SeenTable, faces: list[PlacedFace], light: PictureLight) -> float:
    """The blur of the picture, one of BLURS_PX: that in which the edges of fitted faces look most like those seen."""
    points = [face.scan.edges[::BLUR_EDGES] for face in faces]
    got, _ = seen.at(faces, points)
    want = np.concatenate([_in_all_blurs(face.scan) for face in faces], axis=1)
    centres = np.repeat([face.centre_mm for face in faces], [len(each) for each in points], axis=0)
    off = light.expect(want, centres[None]) - got
    off *= off
    off2 = off @ np.full(3, 1 / 3 / ROBUST**2, np.float32)
    return BLURS_PX[int((off2 / (1.0 + off2)).sum(-1).argmin())]


def _in_all_blurs(scan: FaceScan) -> np.ndarray:
    """(len(BLURS_PX), N, 3) uint8 BGR of those of a scan's edges that tell the blur, looked up once."""
    if "blurs" not in scan.details:
        every = [_at_edges(scan, level)[::BLUR_EDGES] for level in range(len(BLURS_PX))]
        scan.details["blurs"] = np.stack(every)
    return scan.details["blurs"]


def lay_onto(wanted: np.ndarray, seen: np.ndarray, visible: np.ndarray) -> np.ndarray | None:
    """(3, 3) float32: px of a face's print `wanted` -> px of `seen`, both (H, W, 3) in 0..255 and nearly in place; None
    where no perspective fits. `visible` (H, W) bool: where nothing hides what is seen.

    A face that only turns, moves and grows is off by a px in a corner if the pose of the table is a little wrong: as
    much as the strokes of a digit are wide. By the correlation of fine detail (Evangelidis and Psarakis 2008,
    "Parametric image alignment using enhanced correlation coefficient maximization")."""
    # the detail beside what hides print would be its own
    shown = visible.astype(np.float32)[..., None]
    if not visible.all():
        around = wide_blur(seen * shown, COARSE_PX) / np.maximum(wide_blur(shown, COARSE_PX)[..., None], 1e-6)
        seen = np.where(shown > 0.0, seen, around)
    print_grey, seen_grey = (grey(clipped_detail(one)) for one in (wanted, seen))
    told = (visible * 255).astype(np.uint8)[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX]
    start = np.eye(3, dtype=np.float32)
    try:
        _, found = cv2.findTransformECC(print_grey, seen_grey, start, cv2.MOTION_HOMOGRAPHY, PERSPECTIVE, told, 1)
    except cv2.error:  # raised where the two do not correlate
        return None
    inset = np.array([[1, 0, RIM_PX], [0, 1, RIM_PX], [0, 0, 1]], np.float32)
    found = inset @ found @ np.linalg.inv(inset)
    high, wide = visible.shape
    corners = np.array([[[0, 0], [wide, 0], [wide, high], [0, high]]], np.float32)
    moved = np.abs(cv2.perspectiveTransform(corners, found) - corners).max()
    return found if moved < MOST_MOVED_PX else None
