"""Following the table: a cheap look at every frame tells whether the camera still stands where it stood."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np

from companion.core.said import NOTHING, Said
from vision.camera_model import Camera
from vision.lattice import GridShape, locate_grid
from vision.markers import MarkerLayout
from vision.pose import NotLocated, TablePose, locate_table

# A bump to be noticed is 3 px or 2 mm, whichever is less in the picture; half of it leaves room for noise (0.1 px).
MOVED_PX, MOVED_MM = 1.5, 1.0
LEAST_MOVED_PX = 0.8
# Anchors: small patches whose places are compared with those when the pose was found.
ANCHOR_PX = 64
BASE_WIDTH_PX = 1280  # anchors are as many px of a picture this wide; larger pictures are sampled down to it
MAX_ANCHORS = 10
MIN_ANCHORS = 3
SURE_RESPONSE = 0.12  # of the phase correlation; a patch with a hand over it has less
_WINDOW = cv2.createHanningWindow((ANCHOR_PX, ANCHOR_PX), cv2.CV_32F)
# Looking for the table takes longer than a glance: not at every frame.
LOOK_EVERY_S = 0.15
GRID_LOOK_EVERY_S = 0.8
SAME_POSE_PX = 0.7  # two looks agree, so the camera has come to rest
LOST_AFTER_S = 1.0  # without an anchor in sight, or since a bump without finding the table


class Tracking(Enum):
    """What is known of the camera's place."""

    LOOKING = "looking for the table"
    LOCKED = "locked"
    MOVED = "camera moved"
    LOST = "table not found"


@dataclass(frozen=True, slots=True, eq=False)
class Following:
    """The state after a frame. `pose` is valid for this frame only when `tracking` is LOCKED.

    `epoch` counts the poses: readings of an earlier epoch are void once the camera has moved.
    """

    tracking: Tracking
    pose: TablePose | None
    epoch: int
    shift_px: float
    reason: Said = NOTHING


@dataclass(frozen=True, slots=True, eq=False)
class _Anchor:
    left: int
    top: int
    patch: np.ndarray  # (ANCHOR_PX, ANCHOR_PX) float32, faded out towards its edges
    marker: bool


class Follower:
    """Keeps the table's pose from frame to frame; one thread calls `see`."""

    def __init__(
        self,
        markers: MarkerLayout | None = None,
        camera: Camera | None = None,
        grid: GridShape | None = None,
        remembered: TablePose | None = None,
        stills: bool = False,
    ) -> None:
        """`camera`: a lens profile. `grid`: lets the tiles' own grid serve where no markers lie. `remembered`: the
        calibrated pose, with which two markers are enough. `stills`: every frame is a picture of its own, taken
        with the camera at rest, so that one look is enough."""
        self._stills = stills
        self._markers, self._camera, self._grid = markers or MarkerLayout(), camera, grid
        self._remembered = remembered
        self._anchors: tuple[_Anchor, ...] = ()
        self._candidate: TablePose | None = None
        self._looked_s = -np.inf
        self._seen_s = -np.inf
        self._left_s = -np.inf
        self._now = Following(Tracking.LOOKING, None, 0, 0.0)

    @property
    def now(self) -> Following:
        """The state after the last frame."""
        return self._now

    def see(self, image: np.ndarray, now_s: float) -> Following:
        """The state with this frame (H, W, 3) BGR uint8, taken at `now_s`, any clock that does not go back."""
        if self._now.tracking is Tracking.LOCKED:
            self._glance(image, now_s)
        if self._now.tracking is not Tracking.LOCKED:
            self._look(image, now_s)
        return self._now

    def forget(self) -> None:
        """The table was rearranged or another camera is used: look anew, remembering nothing."""
        self._remembered = self._candidate = None
        self._now = replace(self._now, tracking=Tracking.LOOKING, pose=None, reason=NOTHING)

    def _glance(self, image: np.ndarray, now_s: float) -> None:
        """Compare the anchors; leave LOCKED when they have moved or none is to be seen for long."""
        pose = self._now.pose
        assert pose is not None, "a locked follower has a pose"
        if image.shape[1::-1] != pose.camera.size_wh:
            self._leave(now_s, Tracking.LOOKING, Said("the picture's size has changed"))
            return
        shifts = self._shifts(image)
        limit = _limit_px(pose)
        far = shifts[shifts > limit]
        if len(shifts) >= min(MIN_ANCHORS, len(self._anchors)) and 2 * len(far) > len(shifts):
            # hands and pieces move patches too: the markers have the last word where they are seen
            found = locate_table(image, self._markers, self._camera, pose)
            if not isinstance(found, TablePose) or _apart_px(found, pose) > limit:
                off = float(np.median(far))
                self._leave(now_s, Tracking.MOVED, _moved(f"{off:.1f}"), off)
                return
            self._seen_s = now_s
            return
        if len(shifts) >= MIN_ANCHORS or 2 * len(shifts) > len(self._anchors):
            self._seen_s = now_s
            self._now = replace(self._now, shift_px=float(np.median(shifts)))
        elif now_s - self._looked_s >= LOOK_EVERY_S:
            self._doubt(image, now_s)

    def _doubt(self, image: np.ndarray, now_s: float) -> None:
        """Most anchors cannot be seen: a hand, or the camera was moved far. The markers decide."""
        pose = self._now.pose
        assert pose is not None, "doubts are about a pose"
        self._looked_s = now_s
        found = locate_table(image, self._markers, self._camera, pose)
        if isinstance(found, TablePose):
            off = _apart_px(found, pose)
            if off > _limit_px(pose):
                self._leave(now_s, Tracking.MOVED, _moved(f"{off:.0f}"), off)
            else:
                self._seen_s = now_s
        elif now_s - self._seen_s >= LOST_AFTER_S:
            self._leave(now_s, Tracking.LOST, Said("the table cannot be seen: {reason}", reason=found.reason))

    def _leave(self, now_s: float, tracking: Tracking, reason: Said, shift_px: float = 0.0) -> None:
        self._remembered = self._now.pose or self._remembered
        self._candidate = None
        self._looked_s, self._left_s = -np.inf, now_s
        self._now = Following(tracking, None, self._now.epoch, shift_px, reason)

    def _look(self, image: np.ndarray, now_s: float) -> None:
        """Look for the table; locked once two looks agree, at once when it is where it was."""
        if not self._stills and now_s - self._looked_s < self._look_every_s:
            return
        self._looked_s = now_s
        found = self._locate(image)
        if isinstance(found, NotLocated):
            if self._now.tracking is not Tracking.MOVED or now_s - self._left_s >= LOST_AFTER_S:
                self._now = replace(self._now, tracking=Tracking.LOST, pose=None, reason=found.reason)
            self._candidate = None
            return
        before, self._candidate = self._candidate, found
        first = self._now.epoch == 0
        if first or self._stills or (before is not None and _apart_px(before, found) < SAME_POSE_PX):
            self._lock(image, found, now_s)

    @property
    def _look_every_s(self) -> float:
        waiting_for_grid = self._grid is not None and self._candidate is None and self._remembered is None
        return GRID_LOOK_EVERY_S if waiting_for_grid else LOOK_EVERY_S

    def _locate(self, image: np.ndarray) -> TablePose | NotLocated:
        size_wh = image.shape[1::-1]
        camera = self._camera if self._camera is not None and self._camera.size_wh == size_wh else None
        remembered = self._remembered
        if remembered is not None and remembered.camera.size_wh != size_wh:
            remembered = None
        found = locate_table(image, self._markers, camera, remembered)
        if isinstance(found, TablePose) or self._grid is None or found.markers:
            return found
        known = camera or (remembered.camera if remembered is not None else None)
        by_grid = locate_grid(image, self._grid, known)
        return by_grid if isinstance(by_grid, TablePose) else found

    def _lock(self, image: np.ndarray, pose: TablePose, now_s: float) -> None:
        self._anchors = self._choose(image, pose)
        self._remembered, self._seen_s, self._candidate = pose, now_s, None
        self._now = Following(Tracking.LOCKED, pose, self._now.epoch + 1, 0.0)

    def _choose(self, image: np.ndarray, pose: TablePose) -> tuple[_Anchor, ...]:
        """Patches to watch: the markers that are seen, then what has most corners elsewhere, well spread."""
        step = _step(image)
        half = ANCHOR_PX * step // 2
        height, width = image.shape[:2]
        places = [(pose.project(self._markers.corners_mm(m)).mean(axis=0), True) for m in pose.markers]
        small = cv2.cvtColor(image[:: 2 * step, :: 2 * step], cv2.COLOR_BGR2GRAY)
        more = cv2.goodFeaturesToTrack(small, 40, 0.1, ANCHOR_PX / 2)
        places += [] if more is None else [(p * 2 * step, False) for p in more.reshape(-1, 2)]
        anchors: list[_Anchor] = []
        for (x, y), marker in places:
            left, top = round(x) - half, round(y) - half
            inside = 0 <= left <= width - 2 * half and 0 <= top <= height - 2 * half
            apart = all(max(abs(left - a.left), abs(top - a.top)) >= half for a in anchors)
            if inside and apart and len(anchors) < MAX_ANCHORS:
                anchors.append(_Anchor(left, top, _patch(image, left, top, step), marker))
        return tuple(anchors)

    def _shifts(self, image: np.ndarray) -> np.ndarray:
        """(M,) float64: how far, px, each anchor that can be recognised has moved.

        Where enough markers are recognised only they count: they are sharp, and nobody moves them in a game.
        """
        step = _step(image)
        shifts = []
        for anchor in self._anchors:
            patch = _patch(image, anchor.left, anchor.top, step)
            (dx, dy), response = cv2.phaseCorrelate(anchor.patch, patch)
            if response > SURE_RESPONSE:
                shifts.append((anchor.marker, step * float(np.hypot(dx, dy))))
        by_marker = [shift for marker, shift in shifts if marker]
        return np.array(by_marker if len(by_marker) >= MIN_ANCHORS else [shift for _, shift in shifts])


def _moved(off_px: str) -> Said:
    return Said("the camera has moved by {off} px", off=off_px)


def _limit_px(pose: TablePose) -> float:
    """From how far on the camera counts as moved."""
    return max(min(MOVED_PX, MOVED_MM / pose.mm_per_px), LEAST_MOVED_PX)


def _step(image: np.ndarray) -> int:
    """Every so many px are looked at."""
    return max(1, round(image.shape[1] / BASE_WIDTH_PX))


def _patch(image: np.ndarray, left: int, top: int, step: int) -> np.ndarray:
    size = ANCHOR_PX * step
    part = image[top : top + size : step, left : left + size : step]
    # the window is laid on here: OpenCV's own argument for it changes the patch that is passed in
    return cv2.cvtColor(np.ascontiguousarray(part), cv2.COLOR_BGR2GRAY) * _WINDOW


def _apart_px(one: TablePose, other: TablePose) -> float:
    """How far apart, px, two poses put the middle of the table and places around it."""
    around = np.array([[x, y] for x in (-120.0, 0.0, 120.0) for y in (-100.0, 0.0, 100.0)])
    return float(np.linalg.norm(one.project(around) - other.project(around), axis=1).max())
