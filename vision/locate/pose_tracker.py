"""Tracks the camera's pose: a cheap comparison with every frame shows whether the camera is still where it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np

from companion.core.messages import NO_MESSAGE, Message, with_decimals
from vision.locate.camera_model import Camera
from vision.locate.lattice import GridShape, locate_grid
from vision.locate.markers import MarkerLayout
from vision.locate.pose import NotLocated, TablePose, locate_table

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
# Searching for the table takes longer than comparing anchors: not at every frame.
SEARCH_EVERY_S = 0.15
GRID_SEARCH_EVERY_S = 0.8
SAME_POSE_PX = 0.7  # two searches agree, so the camera has come to rest
LOST_AFTER_S = 1.0  # without an anchor in sight, or since a bump without finding the table


class Tracking(Enum):
    """What is known of the camera's pose."""

    LOOKING = "looking for the table"
    LOCKED = "locked"
    MOVED = "camera moved"
    LOST = "table not found"


class PoseFinding(Enum):
    """What a frame shows of the camera's pose: the first four are found while it is locked, the others while not."""

    SAME_PLACE = "the anchors are where they were"
    RESIZED = "the picture has another size"
    SHIFTED = "the anchors have shifted"
    HIDDEN = "no anchor and no marker has been in sight for long"
    FOUND = "the table, in a pose that can be relied on"
    UNCONFIRMED = "the table, while the camera may still move"
    NOT_FOUND = "no table"
    NOT_FOUND_FOR_LONG = "no table, long after it was left"
    FORGOTTEN = "somebody says that the table or the camera is another one"


_LOOKING, _LOCKED, _MOVED, _LOST = Tracking

TRANSITIONS: Mapping[Tracking, Mapping[PoseFinding, Tracking]] = {
    Tracking.LOOKING: {
        PoseFinding.FOUND: _LOCKED,
        PoseFinding.UNCONFIRMED: _LOOKING,
        PoseFinding.NOT_FOUND: _LOST,
        PoseFinding.NOT_FOUND_FOR_LONG: _LOST,
        PoseFinding.FORGOTTEN: _LOOKING,
    },
    Tracking.LOCKED: {
        PoseFinding.SAME_PLACE: _LOCKED,
        PoseFinding.RESIZED: _LOOKING,
        PoseFinding.SHIFTED: _MOVED,
        PoseFinding.HIDDEN: _LOST,
        PoseFinding.FORGOTTEN: _LOOKING,
    },
    Tracking.MOVED: {
        PoseFinding.FOUND: _LOCKED,
        PoseFinding.UNCONFIRMED: _MOVED,
        PoseFinding.NOT_FOUND: _MOVED,  # a camera that is being put right blurs and hides the markers
        PoseFinding.NOT_FOUND_FOR_LONG: _LOST,
        PoseFinding.FORGOTTEN: _LOOKING,
    },
    Tracking.LOST: {
        PoseFinding.FOUND: _LOCKED,
        PoseFinding.UNCONFIRMED: _LOST,
        PoseFinding.NOT_FOUND: _LOST,
        PoseFinding.NOT_FOUND_FOR_LONG: _LOST,
        PoseFinding.FORGOTTEN: _LOOKING,
    },
}
"""What is known of the camera's pose after a finding. A frame that unlocks the pose is searched at once, too."""


@dataclass(frozen=True, slots=True, eq=False)
class Following:
    """The state after a frame. `pose` is valid for this frame only when `tracking` is LOCKED.

    `epoch` counts the poses: readings of an earlier epoch are void once the camera has moved.
    """

    tracking: Tracking
    pose: TablePose | None
    epoch: int
    shift_px: float
    reason: Message = NO_MESSAGE


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """A finding, with the pose of FOUND, how far the anchors have shifted (None: not measured), and why for people."""

    finding: PoseFinding
    pose: TablePose | None = None
    shift_px: float | None = None
    reason: Message = NO_MESSAGE


@dataclass(frozen=True, slots=True, eq=False)
class _Anchor:
    left: int
    top: int
    patch: np.ndarray  # (ANCHOR_PX, ANCHOR_PX) float32, faded out towards its edges
    marker: bool


class PoseTracker:
    """Keeps the table's pose from frame to frame; one thread calls `track`."""

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
        with the camera at rest, so that one search is enough."""
        self._stills = stills
        self._markers, self._camera, self._grid = markers or MarkerLayout(), camera, grid
        self._remembered = remembered
        self._anchors: tuple[_Anchor, ...] = ()
        self._candidate: TablePose | None = None  # found once while the camera may still move
        self._searched_s = -np.inf
        self._seen_s = -np.inf
        self._left_s = -np.inf
        self._now = Following(Tracking.LOOKING, None, 0, 0.0)

    @property
    def now(self) -> Following:
        """The state after the last frame."""
        return self._now

    def track(self, image: np.ndarray, now_s: float) -> Following:
        """The state with this frame (H, W, 3) BGR uint8, taken at `now_s`, any clock that does not go back."""
        if self._now.tracking is Tracking.LOCKED:
            self._change(self._compare(image, now_s), image, now_s)
        if self._now.tracking is not Tracking.LOCKED and (
            self._stills or now_s - self._searched_s >= self._search_every_s
        ):
            self._change(self._search(image, now_s), image, now_s)
        return self._now

    def forget(self) -> None:
        """The table was rearranged or another camera is used: search anew, remembering nothing."""
        self._remembered = self._candidate = None
        after = TRANSITIONS[self._now.tracking][PoseFinding.FORGOTTEN]
        self._now = replace(self._now, tracking=after, pose=None, reason=NO_MESSAGE)

    def _change(self, found: _Found, image: np.ndarray, now_s: float) -> None:
        """Go to the state that follows from what was found."""
        before = self._now
        after = TRANSITIONS[before.tracking][found.finding]
        if found.pose is not None:
            self._anchors = self._choose(image, found.pose)
            self._remembered, self._seen_s, self._candidate = found.pose, now_s, None
            self._now = Following(after, found.pose, before.epoch + 1, 0.0)
        elif after is Tracking.LOCKED:
            shift_px = before.shift_px if found.shift_px is None else found.shift_px
            self._now = replace(before, shift_px=shift_px)
        elif before.tracking is Tracking.LOCKED:
            self._remembered = before.pose or self._remembered
            self._candidate = None
            self._searched_s, self._left_s = -np.inf, now_s
            self._now = Following(after, None, before.epoch, found.shift_px or 0.0, found.reason)
        elif after is Tracking.LOST and found.finding is not PoseFinding.UNCONFIRMED:
            self._now = replace(before, tracking=after, reason=found.reason)

    def _compare(self, image: np.ndarray, now_s: float) -> _Found:
        """Compare the anchors with what is seen in their places."""
        pose = self._now.pose
        assert pose is not None, "a locked tracker has a pose"
        if image.shape[1::-1] != pose.camera.size_wh:
            return _Found(PoseFinding.RESIZED, reason=Message("the picture's size has changed"))
        shifts = self._shifts(image)
        limit = _limit_px(pose)
        far = shifts[shifts > limit]
        if len(shifts) >= min(MIN_ANCHORS, len(self._anchors)) and 2 * len(far) > len(shifts):
            # hands and pieces move patches too: the markers have the last word where they are seen
            found = locate_table(image, self._markers, self._camera, pose)
            if not isinstance(found, TablePose) or _apart_px(found, pose) > limit:
                off = float(np.median(far))
                return _Found(PoseFinding.SHIFTED, shift_px=off, reason=_moved(with_decimals(off)))
            self._seen_s = now_s
            return _Found(PoseFinding.SAME_PLACE)
        if len(shifts) >= MIN_ANCHORS or 2 * len(shifts) > len(self._anchors):
            self._seen_s = now_s
            return _Found(PoseFinding.SAME_PLACE, shift_px=float(np.median(shifts)))
        if now_s - self._searched_s >= SEARCH_EVERY_S:
            return self._without_anchors(image, pose, now_s)
        return _Found(PoseFinding.SAME_PLACE)

    def _without_anchors(self, image: np.ndarray, pose: TablePose, now_s: float) -> _Found:
        """Most anchors cannot be seen: a hand, or the camera was moved far. The markers decide."""
        self._searched_s = now_s
        found = locate_table(image, self._markers, self._camera, pose)
        if isinstance(found, TablePose):
            off = _apart_px(found, pose)
            if off > _limit_px(pose):
                return _Found(PoseFinding.SHIFTED, shift_px=off, reason=_moved(f"{off:.0f}"))
            self._seen_s = now_s
        elif now_s - self._seen_s >= LOST_AFTER_S:
            return _Found(PoseFinding.HIDDEN, reason=Message("the table cannot be seen: {reason}", reason=found.reason))
        return _Found(PoseFinding.SAME_PLACE)

    def _search(self, image: np.ndarray, now_s: float) -> _Found:
        """Search for the table: relied on once two searches agree, at once before the first pose and with stills."""
        self._searched_s = now_s
        found = self._locate(image)
        if isinstance(found, NotLocated):
            self._candidate = None
            long = now_s - self._left_s >= LOST_AFTER_S
            return _Found(PoseFinding.NOT_FOUND_FOR_LONG if long else PoseFinding.NOT_FOUND, reason=found.reason)
        before, self._candidate = self._candidate, found
        first = self._now.epoch == 0
        if first or self._stills or (before is not None and _apart_px(before, found) < SAME_POSE_PX):
            return _Found(PoseFinding.FOUND, pose=found)
        return _Found(PoseFinding.UNCONFIRMED)

    @property
    def _search_every_s(self) -> float:
        waiting_for_grid = self._grid is not None and self._candidate is None and self._remembered is None
        return GRID_SEARCH_EVERY_S if waiting_for_grid else SEARCH_EVERY_S

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


def _moved(off_px: str) -> Message:
    return Message("the camera has moved by {off} px", off=off_px)


def _limit_px(pose: TablePose) -> float:
    """From how far on the camera counts as moved."""
    return max(min(MOVED_PX, MOVED_MM / pose.mm_per_px), LEAST_MOVED_PX)


def _step(image: np.ndarray) -> int:
    """One px of so many is sampled."""
    return int(max(1, round(image.shape[1] / BASE_WIDTH_PX)))


def _patch(image: np.ndarray, left: int, top: int, step: int) -> np.ndarray:
    size = ANCHOR_PX * step
    part = image[top : top + size : step, left : left + size : step]
    # the window is laid on here: OpenCV's own argument for it changes the patch that is passed in
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(part), cv2.COLOR_BGR2GRAY) * _WINDOW)


def _apart_px(one: TablePose, other: TablePose) -> float:
    """How far apart, px, two poses put the middle of the table and places around it."""
    around = np.array([[x, y] for x in (-120.0, 0.0, 120.0) for y in (-100.0, 0.0, 100.0)])
    return float(np.linalg.norm(one.project(around) - other.project(around), axis=1).max())
