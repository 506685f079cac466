"""What is known of a map from the reading before, and what of it is read again."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from companion.core.types import Slot
from vision.appearance.canvas import Window
from vision.tables.changes import NEAR_MM, Changes
from vision.tables.maps.map_plan import MapPlan
from vision.tables.place import EMPTY_P, PlaceReading, PlaceState
from vision.tables.zone import SpaceReading, ZoneReading


@dataclass(frozen=True, slots=True, eq=False)
class SinceThen:
    """The reading `before`, None where there is none; the slots that are `due` to be read again, those of them that
    have `changed`, and all that has (`changes`). `in_new_light`: the light that the map was read in was not told well,
    and it is told anew: all that stands there is due."""

    before: ZoneReading | None
    due: Collection[Slot]
    changed: frozenset[Slot]
    changes: Changes | None
    in_new_light: bool = False

    @classmethod
    def of(
        cls, before: ZoneReading | None, due: Collection[Slot], changes: Changes | None, window: Window,
        places_mm: Mapping[Slot, np.ndarray],
    ) -> SinceThen:
        """Of slots that are `due` in a picture of a `window`, whose corners (N, 2) are `places_mm`."""
        changed = (slot for slot in due if changes is None or changes.within(window.box(places_mm[slot], NEAR_MM)))
        return cls(before, due, frozenset(changed), changes)

    def told_anew(self, places: Collection[Slot]) -> SinceThen:
        """The same in another light, in which all `places` are due."""
        return replace(self, due=frozenset(places), in_new_light=True)

    def kept(self, plan: MapPlan) -> dict[Slot, SpaceReading]:
        """The spaces that are not read again: those that are not due, and those of tiles that lie as they did."""
        if self.before is None:
            return {}
        lying = self._lying_still(plan, self.before)
        return {slot: one for slot, one in self.before.spaces.items() if slot not in self.due or slot in lying}

    def free(self, slot: Slot, space: SpaceReading, shown: Collection[Slot]) -> PlaceReading | None:
        """The earlier reading of a space that has not been read since, if it lay beside all tiles. What was not known
        is compared anew where other spaces are `shown`, beside which the table may look otherwise."""
        if self.before is None or slot in self.due:
            return None
        known = self.before.places[slot]
        bare = known.state is PlaceState.EMPTY and known.p == EMPTY_P and not known.pieces
        strange = (
            known.state is PlaceState.UNKNOWN and known.turn is None and self.before.looks.shown.keys() == set(shown)
        )
        return known if (bare or strange) and space is self.before.spaces.get(slot) else None

    def _lying_still(self, plan: MapPlan, before: ZoneReading) -> set[Slot]:
        """The spaces that have changed of tiles of which another clearly shows what it showed before."""
        out: set[Slot] = set()
        for anchor, name, turn in before.laid:
            here = plan.spaces_of([(anchor, name, turn)])
            named = before.places[anchor].face == name and before.places[anchor].turn == turn
            alike = (before.spaces.get(place) for place in here if place not in self.due)
            if named and any(one is not None and one.turn == turn and one.is_clear for one in alike):
                out |= {place for place in here if place in self.changed}
        return out
