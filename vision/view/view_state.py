"""Which views count: hands, motion and changes of light are recognised, and only settled views are reported."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

import cv2
import numpy as np

from companion.core.inputs import ViewState
from companion.core.layout import SlotOutline
from companion.core.messages import NO_MESSAGE, Message
from companion.core.types import Slot
from vision.locate.pose import TablePose
from vision.locate.pose_tracker import Following, Tracking
from vision.median import median
from vision.sources.base import Health, SourceStatus
from vision.view.arms.arm_search import occluded_slots
from vision.view.arms.occlusion import Occlusion
from vision.view.arms.standing_things import StandingThings
from vision.view.as_before import PosedPicture
from vision.view.hidden_grain import Grain
from vision.view.resting import RestingCovers

QUIET_S = 0.4  # nothing has moved for so long: longer than a hand rests between two movements
HAND_CHECK_S = 0.15  # how often a view that is not settled is searched for a hand
RECHECK_S = 1.0  # how often a settled view is searched for a hand that came in unnoticed
THUMB_WIDTH_PX = 240  # a cube of 10 mm is still 2 px wide
REMEMBERED_S = 10.0  # what has come in and stays longer is no hand, but was laid there
# What seems to end before the slots stands there after so long; it is forgotten when it was not seen for so long.
STAYS_S, FORGOTTEN_S = 5.0, 60.0
# Of a film, in which hands come and go between any two pictures: what the next one shows in the same place rests.
STAYS_PICTURES, FORGOTTEN_PICTURES = 1, 20
# What points at slots and covers none rests after as long. It is forgotten when it was not seen for this long: a search
# or two, with an arm across it. A player's own arm comes back to its place later than that.
RESTED_FORGOTTEN_S, RESTED_FORGOTTEN_PICTURES = 3.0, 2
LOOKS_KEPT = 3  # settled pictures: from the first to the last of them something can come to stand
CHANGED_LEVELS = 9.0  # grey levels beyond noise
CHANGED_NOISES = 6.0
CHANGED_PX = 4  # of the thumbnail, hanging together
LIGHT_STEP = 0.03  # the whole picture brighter or darker by so much: the lamp or the camera's exposure


IsLaid = Callable[[np.ndarray, TablePose, Occlusion], bool]
"""Whether what is over a picture (H, W, 3) BGR uint8 of the table at a pose is a known thing that lies there."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What a frame is good for. `fresh`: the first settled view since something moved or the light changed.

    `covered`: the slots under a hand. `note`: why the view is not settled, or what hides a part of it, for people.
    `over`: what covers the slots in this very frame; None when that was not searched. `standing`: where things are
    known to stand beside the slots, as `occluded_slots` takes it; `still`: where what points at slots has rested, as
    its `resting`. `moved_s`: when something moved last, by the clock of the frames. `resting`: slot -> covered part,
    of slots beside those looked over on which something has rested. `looked_over`: the slots round which `standing` and
    `still` are known.
    """

    state: ViewState
    fresh: bool = False
    covered: frozenset[Slot] = frozenset()
    note: Message = NO_MESSAGE
    over: Occlusion | None = None
    moved_s: float = -np.inf
    standing: tuple[np.ndarray, ...] = ()
    still: tuple[np.ndarray, ...] = ()
    resting: Mapping[Slot, float] = field(default_factory=dict)
    looked_over: frozenset[Slot] = frozenset()


BY_ITSELF = View(ViewState.SETTLED)
"""What is known of a picture before which no other was seen."""


class Sighting(Enum):
    """What a frame, or its absence, says of the view."""

    SEARCHING = "the table is being searched"
    CAMERA_MOVED = "the camera was moved"
    TABLE_LOST = "the table is not found"
    HAND = "something covers slots"
    MOTION = "something moved a moment ago"
    REST = "nothing moves, nothing covers a slot"
    OPENING = "the source is being opened"
    STALE = "the source sends no new picture"
    GONE = "the source has failed"
    STOPPED = "the source was stopped"


NEXT: Mapping[Sighting, ViewState] = {
    Sighting.SEARCHING: ViewState.WAITING,
    Sighting.CAMERA_MOVED: ViewState.MOVED,
    Sighting.TABLE_LOST: ViewState.LOST,
    Sighting.HAND: ViewState.HAND,
    Sighting.MOTION: ViewState.SETTLING,
    Sighting.REST: ViewState.SETTLED,
    Sighting.OPENING: ViewState.WAITING,
    Sighting.STALE: ViewState.STALE,
    Sighting.GONE: ViewState.STALE,
    Sighting.STOPPED: ViewState.WAITING,
}
"""The state of the view after a sighting, whatever it was before."""

OF_TRACKING: Mapping[Tracking, Sighting | None] = {
    Tracking.LOOKING: Sighting.SEARCHING,
    Tracking.MOVED: Sighting.CAMERA_MOVED,
    Tracking.LOST: Sighting.TABLE_LOST,
    Tracking.LOCKED: None,  # what lies on the table decides
}
OF_HEALTH: Mapping[Health, Sighting | None] = {
    Health.OPENING: Sighting.OPENING,
    Health.STALE: Sighting.STALE,
    Health.GONE: Sighting.GONE,
    Health.STOPPED: Sighting.STOPPED,
    Health.LIVE: None,  # the next picture is only not there yet: the view stays
    Health.ENDED: None,  # the last picture shows the table as it was left
}

CHECK_EVERY_S: Mapping[ViewState, float] = {
    state: RECHECK_S if state is ViewState.SETTLED else HAND_CHECK_S for state in ViewState
}
"""How often a resting view is searched for hands."""


class ViewClassifier:
    """Judges frame after frame; one thread calls it. With `stills` every frame stands alone (a replay, photographs)."""

    def __init__(self, outlines: Sequence[SlotOutline], stills: bool = False, quiet_s: float = QUIET_S) -> None:
        self._outlines, self._stills, self._quiet_s = tuple(outlines), stills, quiet_s
        self._stays = STAYS_PICTURES if stills else STAYS_S
        self._forgotten = FORGOTTEN_PICTURES if stills else FORGOTTEN_S
        self._rested_forgotten = RESTED_FORGOTTEN_PICTURES if stills else RESTED_FORGOTTEN_S
        self._near: Collection[Slot] | None = None
        self._is_laid: IsLaid | None = None
        self._motion = Motion()
        self._moved_s = -np.inf
        self._checked_s = -np.inf
        self._occlusion: Occlusion | None = None
        self._free: tuple[np.ndarray, ...] = ()  # the rings around the slots when the view was last settled
        # and their fine detail, once a rest: its pictures may share their noise, as those of a video stream do, and
        # what only they show alike is not known to be the table's
        self._grains: tuple[Grain | None, ...] = ()
        self._grains_since_s = -np.inf
        self._free_s = -np.inf
        self._looks: list[tuple[PosedPicture, float]] = []  # some of the last settled pictures, the latest last
        self._doubted = False  # whether all of them seem to hold a hand, looked over anew
        # the first picture since of which the last shows the same, with its rings, and when it was seen
        self._held: tuple[PosedPicture, tuple[np.ndarray, ...], float] | None = None
        self._standing: list[StandingThings] = []
        self._known_standing: tuple[np.ndarray, ...] = ()
        self._still: list[StandingThings] = []
        self._known_still: tuple[np.ndarray, ...] = ()
        self._things: list[StandingThings] = []
        self._forget_covers()
        self._searches = 0
        self._epoch = -1
        self._view = View(ViewState.WAITING, note=Message("no picture yet"))

    def look_over(
        self, outlines: Sequence[SlotOutline], near: Collection[Slot] | None = None, is_laid: IsLaid | None = None
    ) -> None:
        """From the next search on, hands are looked for over these slots; `near`: see `occluded_slots`; `is_laid`: is
        asked where something seems to reach for slots whether all that is seen of it was laid there."""
        self._near, self._is_laid = near, is_laid
        if tuple(outlines) == self._outlines:
            return
        self._outlines, self._free, self._grains = tuple(outlines), (), ()
        self._forget_things()
        self._doubted, self._held = bool(self._looks), None
        for look, when in self._looks:  # what was to be seen around these slots before is known, too
            over = occluded_slots(look.image, look.pose, self._outlines, grains=None)
            self._remember_things(over, when)
            self._free = over.rings
            self._doubted &= bool(over.under_hand())

    def reached_over(self) -> None:
        """In the last settled picture the reader has found a hand: it does not show the table as it is."""
        del self._looks[-1:]

    def read_over(self, over: Occlusion, now_s: float) -> None:
        """In the last picture the reader has found this over slots, those that are not looked over here among them."""
        self._resting.see(over.share, over.under_hand(), self._now(now_s))

    @property
    def view(self) -> View:
        """The last judgement."""
        return self._view

    def classify(self, image: np.ndarray, following: Following, now_s: float) -> View:
        """The judgement of a frame (H, W, 3) BGR uint8 that `following` was made from."""
        sighting = OF_TRACKING[following.tracking]
        if sighting is not None or following.pose is None:
            self._motion.forget()
            self._moved_s = now_s
            self._view = View(NEXT[sighting or Sighting.SEARCHING], note=following.reason, moved_s=now_s)
            return self._view
        if following.epoch != self._epoch:
            self._epoch = following.epoch
            self._occlusion = None
            self._checked_s = -np.inf
            self._free, self._grains = (), ()
            self._forget_things()
            self._looks, self._doubted = [], False
            self._forget_covers()
        moving = NO_MESSAGE if self._stills else self._motion.see(image)
        if moving:
            self._moved_s = now_s
        resting = self._stills or now_s - self._moved_s >= self._quiet_s
        before = self._view
        if (
            self._stills
            or now_s - self._checked_s >= (HAND_CHECK_S if moving else CHECK_EVERY_S[before.state])
            or (resting and before.state is not ViewState.SETTLED)
        ):
            if now_s - self._free_s >= REMEMBERED_S:
                self._free, self._grains = (), ()
            self._searches += 1
            now = self._now(now_s)
            self._known_standing = tuple(one.known(now) for one in self._standing)
            both = zip(self._still, self._things, strict=True)
            self._known_still = tuple(still.known(now) | thing.known(now) for still, thing in both)
            look = PosedPicture(image, following.pose)
            self._occlusion = self._search(look)
            if self._doubted and self._occlusion.hand and self._has_stayed(look, self._occlusion.rings, now):
                self._occlusion = self._search(look)
            over_them = self._occlusion
            if over_them.hand and self._is_laid is not None and self._is_laid(image, following.pose, over_them):
                self._occlusion = replace(
                    over_them, hand=False, share=dict.fromkeys(over_them.share, 0.0), pointed=frozenset()
                )
            self._checked_s = now_s
            self._remember_things(self._occlusion, now)
            self._lying.see(self._occlusion.share, self._occlusion.covered(), now)
        over = self._occlusion if self._checked_s == now_s else None
        covered: frozenset[Slot] = frozenset()
        note = NO_MESSAGE
        if self._occlusion is not None and self._occlusion.hand:
            sighting, covered = Sighting.HAND, self._occlusion.covered()
            note = _of_hand(self._occlusion, self._lying.known(self._now(now_s)))
        elif not resting:
            sighting, note, over = Sighting.MOTION, moving or before.note, None
        else:
            sighting = Sighting.REST
            if self._occlusion is not None and self._occlusion.unread:
                note = _lies_before(self._occlusion.unread)
        state = NEXT[sighting]
        if state is ViewState.SETTLED and over is not None:
            self._free, self._free_s = over.rings, now_s
            self._know_grains(over.grains)
            if not over.unread:  # what has rested though it points at slots is nothing to know the table by
                self._keep(PosedPicture(image, following.pose), self._now(now_s))
        fresh = state is ViewState.SETTLED and (self._stills or before.state is not ViewState.SETTLED)
        rests = self._resting.known(self._now(now_s))
        things = (self._known_standing, self._known_still)
        round_slots = frozenset(o.slot for o in self._outlines)
        self._view = View(state, fresh, covered, note, over, self._moved_s, *things, rests, round_slots)
        return self._view

    def _know_grains(self, grains: tuple[Grain | None, ...]) -> None:
        """Note the fine detail of each zone in a settled picture, the first of a rest."""
        known = len(self._grains) == len(grains)
        if known and not self._stills and self._moved_s == self._grains_since_s:
            return
        earlier = self._grains if known else (None,) * len(grains)
        self._grains = tuple(now and now.after(then) for now, then in zip(grains, earlier, strict=True))
        self._grains_since_s = self._moved_s

    def _search(self, look: PosedPicture) -> Occlusion:
        """What covers the slots in a picture, by all that is known of the view."""
        return occluded_slots(
            look.image, look.pose, self._outlines,
            before=self._free, standing=self._known_standing, grains=self._grains,
            earlier=[one for one, _ in self._looks], near=self._near, resting=self._known_still,
        )

    def _has_stayed(self, look: PosedPicture, rings: tuple[np.ndarray, ...], now: float) -> bool:
        """Whether what seems to be a hand was seen just so for as long as what comes to stand: then the pictures known
        before it held one, round other slots not noticed, and this one shows the table. They are forgotten."""
        if self._held is not None:
            first, before, since = self._held
            come = occluded_slots(
                look.image, look.pose, self._outlines, before=before, standing=self._known_standing, grains=None,
                earlier=[first], near=self._near, resting=self._known_still,
            )
            if not come.hand:
                if now - since < self._stays:
                    return False
                self._looks, self._free, self._grains = [(first, since)], before, ()
                self._doubted, self._held = False, None
                return True
        self._held = look, rings, now
        return False

    def _now(self, now_s: float) -> float:
        """The time by which things come to stand: of a film, the number of the picture."""
        return self._searches if self._stills else now_s

    def _keep(self, look: PosedPicture, now: float) -> None:
        """Remember a settled picture: of those of a short time the last."""
        if len(self._looks) > 1 and self._looks[-1][1] - self._looks[-2][1] < self._stays / 2:
            del self._looks[-1]
        self._looks, self._doubted = [*self._looks, (look, now)][-LOOKS_KEPT:], False

    def _forget_covers(self) -> None:
        self._resting = RestingCovers(self._stays, self._rested_forgotten)  # what the reader has found over slots
        self._lying = RestingCovers(self._stays, self._rested_forgotten)  # what is found over those looked over here

    def _forget_things(self) -> None:
        self._standing, self._known_standing = [], ()
        self._still, self._things, self._known_still = [], [], ()

    def _remember_things(self, over: Occlusion, now: float) -> None:
        """Note what stands beside the slots of each zone, and what rests and points at them. `now`: seconds, or which
        picture."""
        if len(self._standing) != len(over.beside):
            self._standing = [StandingThings(self._stays, self._forgotten) for _ in over.beside]
        if len(self._still) != len(over.still):
            self._still = [StandingThings(self._stays, self._rested_forgotten) for _ in over.still]
            self._things = [StandingThings(self._stays, self._forgotten) for _ in over.things]
        for things, seen in ((self._standing, over.beside), (self._still, over.still), (self._things, over.things)):
            for one, at in zip(things, seen, strict=True):
                one.see(at, now)

    def without_picture(self, status: SourceStatus) -> View:
        """The judgement when no new frame came: the source says why."""
        sighting = OF_HEALTH[status.health]
        if sighting is not None:
            self._motion.forget()
            self._view = View(NEXT[sighting], note=status.reason)
        return self._view


def _of_hand(over: Occlusion, lying: Collection[Slot]) -> Message:
    """What people are told of what covers slots; `lying`: those that have been covered alike for long."""
    covered = over.covered()
    if not covered and over.pointed:
        return _lies_before({slot for slot, part in over.share.items() if part > 0.0} or over.pointed)
    if covered and covered.issubset(lying):
        return Message("something lies over {slots}, move it away", slots=tuple(sorted(covered)))
    return Message("a hand covers {slots}", slots=tuple(sorted(covered)))


def _lies_before(slots: Collection[Slot]) -> Message:
    return Message("if something lies before {slots}, move it a little", slots=tuple(sorted(slots)))


class Motion:
    """Whether a picture differs from the one at the beginning of the present rest."""

    def __init__(self) -> None:
        self._rest: np.ndarray | None = None
        self._noise = 1.5

    def forget(self) -> None:
        """The next frame begins a new rest."""
        self._rest = None

    def see(self, image: np.ndarray) -> Message:
        """What has changed with this frame, for people; empty when nothing has."""
        thumb = _thumbnail(image)
        rest, self._rest = self._rest, thumb
        if rest is None or rest.shape != thumb.shape:
            return Message("the first picture")
        usable = (rest > 8) & (rest < 247)  # what is clipped says nothing about the light
        if not usable.any():
            return NO_MESSAGE
        gain = median(thumb[usable] / rest[usable])
        off = np.abs(thumb - np.minimum(gain * rest, 255.0))
        self._noise = 0.95 * self._noise + 0.05 * median(off)
        changed = (off > max(CHANGED_LEVELS, CHANGED_NOISES * self._noise)) & usable
        if abs(gain - 1) > LIGHT_STEP:
            return Message("the light has changed")
        largest = cv2.connectedComponentsWithStats(changed.astype(np.uint8))[2][1:, cv2.CC_STAT_AREA].max(initial=0)
        if largest >= CHANGED_PX:
            return Message("something moves")
        self._rest = rest  # rest goes on: slow changes add up against its beginning
        return NO_MESSAGE


def _thumbnail(image: np.ndarray) -> np.ndarray:
    """(h, w) float32 gray, some 240 px wide, without the noise of single pixels."""
    step = max(1, image.shape[1] // THUMB_WIDTH_PX)
    small = cv2.cvtColor(np.ascontiguousarray(image[step // 2 :: step, step // 2 :: step]), cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.blur(small.astype(np.float32), (3, 3)))
