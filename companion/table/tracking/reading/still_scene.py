"""Fuses the settled pictures of one still scene as they come."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import reduce

from companion.core.inputs import BoardObservation, Sight, SlotReading
from companion.core.types import Face, Slot
from companion.table.tracking.reading.evidence import FRAME_WEIGHTS, SlotEvidence, TableEvidence
from companion.table.tracking.reading.reading_weights import ReadingWeights, weigh_reading


@dataclass
class StillScene:
    """The settled pictures of one still scene, fused as they come. Faces that look the same count as one.

    `turns`: per slot how many turns of its face mean something else; 1 where it is not named. A bare face that waited
    for its name when the scene began was read in the scene before, in other light: read alike, that picture counts,
    too. What a piece hides of a face it would hide again.
    """

    same_face: Callable[[Face], Face]
    turns: Mapping[Slot, int] = field(default_factory=dict)
    _pictures: list[tuple[int, dict[Slot, ReadingWeights | None]]] = field(default_factory=list)
    _fused: dict[Slot, SlotEvidence] = field(default_factory=dict)
    _before: dict[Slot, ReadingWeights] = field(default_factory=dict)
    _weighed: dict[Slot, tuple[SlotReading, ReadingWeights]] = field(default_factory=dict)

    def add(self, observation: BoardObservation) -> TableEvidence:
        """The evidence with one picture more; only the last `len(FRAME_WEIGHTS)` pictures count."""
        seen = {r.slot: self._weigh(r) if r.sight is Sight.SEEN else None for r in observation.slots}
        self._pictures.append((observation.frame, seen))
        if len(self._pictures) + bool(self._before) > len(FRAME_WEIGHTS):
            self._before = {}  # enough of this scene
            del self._pictures[: -len(FRAME_WEIGHTS)]
            self._fused = self._fused_anew()
        else:
            self._fuse(seen)
        outside = (r.slot for r in observation.slots if r.sight is Sight.OUTSIDE)
        unseen = frozenset(slot for slot in outside if not self._fused[slot].visible)
        return TableEvidence(tuple(frame for frame, _ in self._pictures), dict(self._fused), unseen)

    def _weigh(self, reading: SlotReading) -> ReadingWeights:
        """What the reading says; a slot that reads just as it did last is not weighed again."""
        last = self._weighed.get(reading.slot)
        if last is None or last[0] != reading:
            turns = self.turns.get(reading.slot, 1)
            last = self._weighed[reading.slot] = (reading, weigh_reading(reading, self.same_face, turns))
        return last[1]

    def _fused_anew(self) -> dict[Slot, SlotEvidence]:
        """The evidence of the pictures that count; of slots that read the same in them as in those before, what was
        worked out then."""
        fused: dict[Slot, SlotEvidence] = {}
        for slot in dict.fromkeys(slot for _, readings in self._pictures for slot in readings):
            seen = [reading for _, readings in self._pictures if (reading := readings.get(slot)) is not None]
            known = self._fused.get(slot)
            if known is None or not known.is_of(seen):
                known = reduce(SlotEvidence.and_then, seen, SlotEvidence(slot))
            fused[slot] = known
        return fused

    def _fuse(self, readings: Mapping[Slot, ReadingWeights | None]) -> None:
        for slot, reading in readings.items():
            one = self._fused.get(slot) or SlotEvidence(slot)
            before = self._before.get(slot)
            if reading is not None and before is not None and one.last is None and before.best == reading.best:
                one = one.and_then(before)
            self._fused[slot] = one if reading is None else one.and_then(reading)

    def clear(self, waiting: Collection[Slot] = ()) -> None:
        """Something moved on the table: what comes is another scene. `waiting`: the slots whose face waits for its
        name."""
        read = {slot: self._last_of(slot) or self._before.get(slot) for slot in waiting}
        self._before = {slot: one for slot, one in read.items() if one is not None and not one.pieces}
        self._pictures.clear()
        self._fused = {}

    def _last_of(self, slot: Slot) -> ReadingWeights | None:
        """The last reading of `slot` in this scene; None before there is one."""
        one = self._fused.get(slot)
        return None if one is None else one.last
