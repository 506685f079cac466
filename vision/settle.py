"""Which views count: hands, motion and changes of light are recognised, and only settled views are reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.core.inputs import ViewState
from companion.core.layout import SlotOutline
from companion.core.said import NOTHING, Said
from companion.core.types import Slot
from vision.follow import Following, Tracking
from vision.occlusion import Occlusion, occluded_slots
from vision.sources.base import Health, SourceStatus

QUIET_S = 0.4  # nothing has moved for so long: longer than a hand rests between two movements
HAND_CHECK_S = 0.15  # how often a view with a hand in it is looked at again
RECHECK_S = 1.0  # how often a settled view is searched for a hand that came in unnoticed
THUMB_WIDTH_PX = 240  # a cube of 10 mm is still 2 px wide
CHANGED_LEVELS = 9.0  # grey levels beyond noise
CHANGED_NOISES = 6.0
CHANGED_PX = 4  # of the thumbnail, hanging together
LIGHT_STEP = 0.03  # the whole picture brighter or darker by so much: the lamp or the camera's exposure


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What the pipeline makes of a frame. `fresh`: the first settled view since something moved or the light changed.

    `covered`: the slots under a hand. `note`: why the view is not settled, for people. `over`: what covers
    the slots in this very frame; None when that was not looked for.
    """

    state: ViewState
    fresh: bool = False
    covered: frozenset[Slot] = frozenset()
    note: Said = NOTHING
    over: Occlusion | None = None


_BY_TRACKING = {
    Tracking.LOOKING: ViewState.WAITING,
    Tracking.MOVED: ViewState.MOVED,
    Tracking.LOST: ViewState.LOST,
}
_BY_HEALTH = {
    Health.OPENING: ViewState.WAITING,
    Health.STALE: ViewState.STALE,
    Health.GONE: ViewState.STALE,
    Health.STOPPED: ViewState.WAITING,
}


class Settler:
    """Judges frame after frame; one thread calls it. With `stills` every frame stands alone (a replay, photographs)."""

    def __init__(self, outlines: Sequence[SlotOutline], stills: bool = False, quiet_s: float = QUIET_S) -> None:
        self._outlines, self._stills, self._quiet_s = tuple(outlines), stills, quiet_s
        self._motion = Motion()
        self._moved_s = -np.inf
        self._checked_s = -np.inf
        self._occlusion: Occlusion | None = None
        self._epoch = -1
        self._view = View(ViewState.WAITING, note=Said("no picture yet"))

    @property
    def view(self) -> View:
        """The last judgement."""
        return self._view

    def see(self, image: np.ndarray, following: Following, now_s: float) -> View:
        """The judgement of a frame (H, W, 3) BGR uint8 that `following` was made from."""
        if following.tracking is not Tracking.LOCKED or following.pose is None:
            self._motion.forget()
            self._moved_s = now_s
            self._view = View(_BY_TRACKING[following.tracking], note=following.reason)
            return self._view
        if following.epoch != self._epoch:
            self._epoch = following.epoch
            self._occlusion = None
            self._checked_s = -np.inf
        moving = NOTHING if self._stills else self._motion.see(image)
        if moving:
            self._moved_s = now_s
        resting = self._stills or now_s - self._moved_s >= self._quiet_s
        was_settled = self._view.state is ViewState.SETTLED
        every = RECHECK_S if was_settled and not moving else HAND_CHECK_S
        if self._stills or now_s - self._checked_s >= every or (resting and not was_settled):
            self._occlusion = occluded_slots(image, following.pose, self._outlines)
            self._checked_s = now_s
        over = self._occlusion if self._checked_s == now_s else None
        if self._occlusion is not None and self._occlusion.hand:
            covered = self._occlusion.covered()
            note = Said("a hand covers {slots}", slots=tuple(sorted(covered)))
            self._view = View(ViewState.HAND, covered=covered, note=note, over=over)
        elif not resting:
            self._view = View(ViewState.SETTLING, note=moving or self._view.note)
        else:
            self._view = View(ViewState.SETTLED, fresh=self._stills or not was_settled, over=over)
        return self._view

    def without_frame(self, status: SourceStatus) -> View:
        """The judgement when no new frame came: the source says why."""
        state = _BY_HEALTH.get(status.health)
        if state is not None:
            self._motion.forget()
            self._view = View(state, note=status.reason)
        return self._view


class Motion:
    """Whether a picture differs from the one at the beginning of the present rest."""

    def __init__(self) -> None:
        self._rest: np.ndarray | None = None
        self._noise = 1.5

    def forget(self) -> None:
        """The next frame begins a new rest."""
        self._rest = None

    def see(self, image: np.ndarray) -> Said:
        """What has changed with this frame, for people; empty when nothing has."""
        thumb = _thumbnail(image)
        rest, self._rest = self._rest, thumb
        if rest is None or rest.shape != thumb.shape:
            return Said("the first picture")
        usable = (rest > 8) & (rest < 247)  # what is clipped says nothing about the light
        if not usable.any():
            return NOTHING
        gain = float(np.median(thumb[usable] / rest[usable]))
        off = np.abs(thumb - np.minimum(gain * rest, 255.0))
        self._noise = 0.95 * self._noise + 0.05 * float(np.median(off))
        changed = (off > max(CHANGED_LEVELS, CHANGED_NOISES * self._noise)) & usable
        if abs(gain - 1) > LIGHT_STEP:
            return Said("the light has changed")
        largest = cv2.connectedComponentsWithStats(changed.astype(np.uint8))[2][1:, cv2.CC_STAT_AREA].max(initial=0)
        if largest >= CHANGED_PX:
            return Said("something moves")
        self._rest = rest  # rest goes on: slow changes add up against its beginning
        return NOTHING


def _thumbnail(image: np.ndarray) -> np.ndarray:
    """(h, w) float32 gray, some 240 px wide, without the noise of single pixels."""
    step = max(1, image.shape[1] // THUMB_WIDTH_PX)
    small = cv2.cvtColor(np.ascontiguousarray(image[step // 2 :: step, step // 2 :: step]), cv2.COLOR_BGR2GRAY)
    return cv2.blur(small.astype(np.float32), (3, 3))
