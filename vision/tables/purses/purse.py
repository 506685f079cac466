"""Reads a purse of a picture: what its coins come to, and by how much that differs from earlier looks at it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from companion.core.inputs import PurseChange, PurseReading
from companion.core.layout import Coin, SlotOutline
from companion.core.types import Slot
from vision.locate.pose import TablePose
from vision.locate.rectify import rectify
from vision.locate.zones import in_picture
from vision.tables.changes import Changes, find_changes
from vision.tables.purses.chances import Chances, only_one, surely
from vision.tables.purses.change import change_of_purse
from vision.tables.purses.change_in_noise import changes_in_noise
from vision.tables.purses.coins import AROUND_MM, PX_PER_MM, is_cut, sum_of_coins
from vision.tables.purses.compared_looks import joined_looks
from vision.tables.purses.half_size import calm
from vision.tables.purses.rim_contrast import shows_a_rim, sum_by_contrast

# A purse in which every rim and every thing is explained is right so often: of 272 rendered ones none was wrong.
PURSE_P = 0.98

# So many looks at a purse in which nothing has changed are joined: more would hardly weaken their noise.
MOST_LOOKS = 8

_first_looks = count(1)


@dataclass(frozen=True, slots=True, eq=False)
class CountedPurse:
    """The last look at a purse that was told, from above, (H, W, 3) uint8 BGR.

    `since`: the number of the look with which counting began; `begun_with`: what the coins came to then, None where
    that cannot be told; `tally`: by how much they come to more in `seen_bgr`. `untold_bgr`: what a picture since then
    showed of which the change could not be told. `is_told`: whether the picture that was read last was told. `after`:
    by how much the look with which counting began may differ from what was counted before it. `calm`: (h, w, 3) float32
    BGR, half as large, the mean of the `looks` since the last change; None: of the last one alone.
    """

    seen_bgr: np.ndarray
    since: int
    begun_with: int | None
    tally: int = 0
    is_told: bool = True
    untold_bgr: np.ndarray | None = None
    after: PurseChange | None = None
    calm: np.ndarray | None = None
    looks: int = 1

    @classmethod
    def anew(cls, seen_bgr: np.ndarray, total: int | None) -> CountedPurse:
        """The first look at a purse; its coins come to `total`."""
        return cls(seen_bgr, next(_first_looks), total)

    @property
    def total(self) -> int | None:
        """What the coins come to; None where that cannot be told."""
        return None if self.begun_with is None or not self.is_told else self.begun_with + self.tally

    def reading(self, slot: Slot) -> PurseReading | None:
        """In the words that every part shares; None where nothing can be told."""
        if not self.is_told:
            return None
        return PurseReading(slot, self.total, PURSE_P, self.since, self.tally, self.after)

    def then(self, seen_bgr: np.ndarray, coins: Sequence[Coin]) -> CountedPurse:
        """The same purse in a later picture of the same view."""
        changes = find_changes(self.seen_bgr, seen_bgr)
        if not changes.within((slice(None), slice(None))):
            if changes.same_light and self.looks == MOST_LOOKS:
                return replace(self, is_told=True, untold_bgr=None)
            still = self._unchanged(seen_bgr)
            return replace(still, seen_bgr=self.seen_bgr) if changes.same_light else still
        # an arm: it may lie over coins, and over the table around by which they are told; or light, or noise
        is_arm = changes.gain > 0.0 and is_cut(changes.changed)
        chances = _changes(self.seen_bgr, seen_bgr, changes, coins, sharp=not is_arm, before=self._calm)
        change = only_one(chances)
        if is_arm and change is None:
            return replace(self, is_told=False)
        if change == 0 and self.begun_with is not None:
            return self._unchanged(seen_bgr)
        total = _sum(seen_bgr, coins)
        if change is None:
            if total == 0 and not changes.gain:
                total = None  # what keeps two looks from being compared, as a hand does, may lie over all coins
            if total is not None:
                return CountedPurse.anew(seen_bgr, total)
            return self._perhaps(seen_bgr, chances) if chances else self._after_untold(seen_bgr, coins)
        tally = self.tally + change
        now = self._unchanged(seen_bgr) if change == 0 else replace(
            self, seen_bgr=seen_bgr, tally=tally, is_told=True, untold_bgr=None, calm=None, looks=1
        )
        if total is None:
            return now
        begun_with = total - tally
        if self.begun_with not in (None, begun_with):  # one of the two is wrong, nobody knows which
            return CountedPurse.anew(seen_bgr, None)
        return replace(now, begun_with=begun_with)

    @property
    def _calm(self) -> np.ndarray:
        return calm(self.seen_bgr) if self.calm is None else self.calm

    def _unchanged(self, seen_bgr: np.ndarray) -> CountedPurse:
        """The same coins once more."""
        looks = min(self.looks + 1, MOST_LOOKS)
        mean = joined_looks(self._calm, calm(seen_bgr), looks)
        return replace(self, seen_bgr=seen_bgr, is_told=True, untold_bgr=None, calm=mean, looks=looks)

    def _perhaps(self, seen_bgr: np.ndarray, chances: Chances) -> CountedPurse:
        """A look of which only the `chances` of several changes are told: counting begins anew with it."""
        tallies = tuple((self.tally + change, p) for change, p in chances.items())
        return replace(CountedPurse.anew(seen_bgr, None), after=PurseChange(self.since, tallies))

    def _after_untold(self, seen_bgr: np.ndarray, coins: Sequence[Coin]) -> CountedPurse:
        """A look of which neither the sum nor the change is told: what comes and goes after another such look may be,
        and counting begins with that one."""
        if self.untold_bgr is not None:
            changes = find_changes(self.untold_bgr, seen_bgr)
            change = only_one(_changes(self.untold_bgr, seen_bgr, changes, coins))
            if change is not None and changes.within((slice(None), slice(None))):
                return replace(CountedPurse.anew(seen_bgr, None), tally=change)
        return replace(self, is_told=False, untold_bgr=seen_bgr)


def read_purse(
    image: np.ndarray, pose: TablePose, purse: SlotOutline, coins: Sequence[Coin], before: CountedPurse | None = None
) -> CountedPurse | None:
    """A purse in the picture (H, W, 3) uint8 BGR; None where the picture does not show it. What was counted `before`,
    in a picture of the same view, is not counted again as long as it has not changed."""
    corners = np.array(purse.corners_mm)
    (left, top), (right, bottom) = corners.min(0) - AROUND_MM, corners.max(0) + AROUND_MM
    window_mm = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    if not in_picture(image, pose, window_mm):
        return None
    size = (round((right - left) * PX_PER_MM), round((bottom - top) * PX_PER_MM))
    seen = rectify(image, pose, window_mm, 0.0, size)
    return CountedPurse.anew(seen, _sum(seen, coins)) if before is None else before.then(seen, coins)


def _changes(
    before_bgr: np.ndarray, now_bgr: np.ndarray, changes: Changes, coins: Sequence[Coin], *, sharp: bool = True,
    before: np.ndarray | None = None,
) -> Chances:
    """By how much the coins differ between two looks (H, W, 3) uint8 BGR; empty where neither way of telling does, or
    they contradict each other. `sharp`: whether sharp rims may tell. `before`: (h, w, 3) float32 BGR, the earlier one
    with less noise, half as large."""
    by_rims = change_of_purse(before_bgr, now_bgr, changes, coins) if sharp else None
    if by_rims == 0:
        return surely(0)
    in_noise = changes_in_noise(calm(before_bgr) if before is None else before, calm(now_bgr), coins)
    if by_rims is None:
        return in_noise
    return surely(by_rims) if not in_noise or by_rims in in_noise else {}


def _sum(seen_bgr: np.ndarray, coins: Sequence[Coin]) -> int | None:
    """What the coins in a view (H, W, 3) uint8 BGR come to; None where neither way of counting tells."""
    total = sum_of_coins(seen_bgr, coins)
    if total is None:
        return sum_by_contrast(seen_bgr, coins)
    return None if total == 0 and shows_a_rim(seen_bgr, coins) else total
