"""Reads a table again: only what has changed since each of its places was read, and in turn one that has not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from companion.core.types import Face, Slot
from vision.appearance.canvas import Window
from vision.appearance.picture_light import PictureLight
from vision.tables.again.count_change import with_changes_seen
from vision.tables.again.same_card import named_as_before, with_cards_that_show
from vision.tables.changes import NEAR_MM, Changes, find_changes
from vision.tables.place import PlaceReading, PlaceState, Shot
from vision.tables.purses.purse import CountedPurse
from vision.tables.zone import ZoneReader, ZoneReading
from vision.view.as_before import KeptView

# Places of a table that are read in every picture, the least read first: no error stays, no change rests on one
# reading. One of each zone was half the time of a followed table of four zones.
AT_LEAST = 1

# Readings that one of the whole zone counts: a place that has changed since is read again before the others.
WHOLE = 2

# Part of the places up to which reading them one by one is quicker than reading the whole zone.
WORTH_IT = 0.5

# Pictures that are kept of a zone that something seemed to reach over: if one of two is like a later one, nothing did.
REACHED = 2

# In so many pictures on end an arm may seem to hide what is gone from a market, then it is gone: five of a still
# scene are read at once, then one a second, and nobody holds a hand still over a card for longer.
GONE_AFTER = 7

# Pictures that are kept of a map that was read: two agree on what is to be seen there, one is in other light.
LOOKS = 3

# Probability of the counts below which a place is doubtful.
SURE_OF_PIECES = 0.9

# So often a doubtful place is read before it waits for its turn as the others do: the noise of another picture may tell
# what one does not, but what three of the same pixels leave open the fourth does, too.
DOUBTED_READINGS = 3


@dataclass(frozen=True, slots=True, eq=False)
class ZoneMemory:
    """What is known of a zone from earlier pictures of the same view.

    `seen_bgr` (H, W, 3) uint8: every place as it looked when it was last read. `readings`: how often each was read
    since it last changed; `read_in`: the picture in which that was, counted from 0.
    """

    reading: ZoneReading
    seen_bgr: np.ndarray
    readings: Mapping[Slot, int]
    read_in: Mapping[Slot, int]
    pictures: int = 1

    @classmethod
    def of(cls, reading: ZoneReading) -> ZoneMemory:
        """The memory of a zone that was read as a whole."""
        return cls(reading, reading.seen_bgr, dict.fromkeys(reading.places, WHOLE), dict.fromkeys(reading.places, 0))

    def turn(self, slot: Slot) -> tuple[int, int]:
        """In which order slots that have not changed are read again: the least comes first."""
        return self.readings[slot], self.read_in[slot]

    def after(
        self, reading: ZoneReading, seen: np.ndarray, due: Mapping[Slot, bool], places: Iterable[np.ndarray]
    ) -> ZoneMemory:
        """The memory after the slots `due` were read in `seen`; each says whether it had changed, `places` where."""
        patched = self.seen_bgr.copy()
        for box in reading.window.boxes(list(places), NEAR_MM):
            patched[box] = seen[box]
        readings = {slot: 1 if changed else self.readings[slot] + 1 for slot, changed in due.items()}
        read_in = dict.fromkeys(due, self.pictures)
        return ZoneMemory(
            reading, patched, {**self.readings, **readings}, {**self.read_in, **read_in}, self.pictures + 1
        )


@dataclass(frozen=True, slots=True, eq=False)
class TableMemory:
    """What the next picture of the same view need not be read again for: the zones of a table in order.

    `reached`: the first zone in the pictures since in which something seemed to reach over it, the last `REACHED` of
    them. `looks`: the same in pictures that were read, the latest last, see `kept_pictures`;
    of a map alone. `purses`: those that were counted. `hiding`: pictures since in which an arm seemed to hide what is
    gone from a market. `moved_s`: when something had moved last before it was read, see `View`.
    """

    zones: tuple[ZoneMemory, ...]
    reached: tuple[KeptView, ...] = ()
    looks: tuple[KeptView, ...] = ()
    purses: Mapping[Slot, CountedPurse] = field(default_factory=dict)
    hiding: int = 0
    moved_s: float = -np.inf


@dataclass(frozen=True, slots=True, eq=False)
class ZoneLook:
    """A zone of a picture from above: its window, what is seen in it (H, W, 3) uint8 BGR, and what has changed since
    an earlier reading, if there is one."""

    window: Window
    seen: np.ndarray
    changes: Changes | None

    @classmethod
    def of(cls, reader: ZoneReader, shot: Shot, memory: ZoneMemory | None) -> ZoneLook:
        """The reader's zone in `shot`, compared with `memory`."""
        window, seen = reader.rectified(shot)
        return cls(window, seen, None if memory is None else find_changes(memory.seen_bgr, seen))


def read_zone(
    reader: ZoneReader,
    shot: Shot,
    light_elsewhere: Callable[[], PictureLight | None],
    memory: ZoneMemory | None = None,
    look: ZoneLook | None = None,
    due: Mapping[Slot, bool] | None = None,
    agreed: Mapping[Slot, Face] | None = None,
) -> ZoneMemory:
    """The zone in a picture, with the places that have not changed since `memory` as they were read before.

    `look`: the zone as it looks in this picture, compared with `memory`, where that is known already. `due`: the slots
    that are read now, see `places_due`; the whole zone is read when there is none. `agreed`: the faces that were agreed
    to lie there in the picture before, or where something covered them lie there by the record.
    """
    look = look or ZoneLook.of(reader, shot, memory)
    seen = look.seen
    if memory is not None and due is not None:
        reading = reader.read(shot, seen, light_elsewhere, memory.reading, due.keys(), look.changes)
        if reading is not None:
            reading = _as_before(reader, reading, memory, agreed)
            return memory.after(reading, seen, due, [reader.places_mm[slot] for slot in due])
    whole = reader.read(shot, seen, light_elsewhere, changes=look.changes)
    assert whole is not None
    return ZoneMemory.of(whole if memory is None else _as_before(reader, whole, memory, agreed))


def _as_before(
    reader: ZoneReader, now: ZoneReading, memory: ZoneMemory, agreed: Mapping[Slot, Face] | None
) -> ZoneReading:
    """A reading with what the one before says of cards that lie where they lay and of pieces beside them."""
    # a card that is in doubt since only its colours are seen is no second look that agrees with the name it had
    named = named_as_before(with_changes_seen(now, memory.reading, memory.seen_bgr), memory.reading)
    return with_cards_that_show(named, memory.reading, memory.seen_bgr, reader.places_mm, agreed)


def places_due(
    readers: Sequence[ZoneReader], shot: Shot, looks: Sequence[ZoneLook], memories: Sequence[ZoneMemory]
) -> list[dict[Slot, bool] | None]:
    """For each zone of a table the slots that are read now, each with whether it has changed; None: the whole zone.

    Read anew are the places that have changed, those that were covered, and besides one of the table that is doubtful
    and was not read often since it changed, or, where nothing has changed, one that was read least. The whole zone is
    read when the light or too many places have changed.
    """
    due: list[dict[Slot, bool] | None] = []
    unchanged: list[list[Slot]] = []
    for reader, look, memory in zip(readers, looks, memories, strict=True):
        visible = _visible(shot, memory)
        changed = _changed(reader, look, memory, visible)
        due.append(changed)
        unchanged.append([] if changed is None else [slot for slot in visible if slot not in changed])
    if not shot.covered:
        still = all(one is not None and not one for one in due)
        besides = [
            (memory.turn(slot), number, slot)
            for number, (memory, slots) in enumerate(zip(memories, unchanged, strict=True))
            for slot in _besides(memory, slots, still=still)
        ]
        for _, number, slot in sorted(besides)[:AT_LEAST]:
            zone = due[number]
            assert zone is not None
            zone[slot] = False
    return due


def slots_as_before(reader: ZoneReader, look: ZoneLook, memory: ZoneMemory) -> frozenset[Slot]:
    """The slots of a zone if none of them has changed since it was read, and nothing covered any then: a hand would
    have changed what is seen of them. Else none."""
    changes, places = look.changes, memory.reading.places
    if changes is None or not changes.same_light or any(one.state is PlaceState.COVERED for one in places.values()):
        return frozenset()
    bounds = look.window.bounds(np.array([reader.places_mm[slot] for slot in places]), NEAR_MM)
    return frozenset() if changes.within_each(bounds).any() else frozenset(places)


def _visible(shot: Shot, memory: ZoneMemory) -> list[Slot]:
    known = memory.reading.places
    return [slot for slot, one in known.items() if slot not in shot.covered and one.state is not PlaceState.OUTSIDE]


def _changed(
    reader: ZoneReader, look: ZoneLook, memory: ZoneMemory, visible: Sequence[Slot]
) -> dict[Slot, bool] | None:
    """The visible slots that have changed or were covered, and may have; None when the whole zone is read sooner."""
    changes = look.changes
    if changes is None or not changes.same_light:
        return None
    if not visible:
        return {}
    bounds = look.window.bounds(np.array([reader.places_mm[slot] for slot in visible]), NEAR_MM)
    known = memory.reading.places
    changed = zip(visible, changes.within_each(bounds).tolist(), strict=True)
    due = {slot: True for slot, one in changed if one or known[slot].state is PlaceState.COVERED}
    return None if len(due) > WORTH_IT * len(visible) else due


def _besides(memory: ZoneMemory, slots: Sequence[Slot], *, still: bool) -> list[Slot]:
    """Of slots of a zone that have not changed the one that may be read all the same: the doubtful one that was read
    least; without any, if the whole table is `still`, the one that was read least."""
    known = memory.reading.places
    doubtful = [s for s in slots if _is_doubtful(known[s]) and memory.readings[s] < DOUBTED_READINGS]
    some = doubtful or (slots if still else [])
    return sorted(some, key=memory.turn)[:1]


def _is_doubtful(one: PlaceReading) -> bool:
    return one.state is PlaceState.UNKNOWN or one.pieces_p < SURE_OF_PIECES
