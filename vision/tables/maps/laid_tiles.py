"""Which tiles lie on a map by what its places show, and by what lay there before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.core.types import Slot
from vision.tables.maps.map_plan import MapPlan
from vision.tables.place import EMPTY_P, Laid, PlaceReading, PlaceState


def named_tiles(plan: MapPlan, places: Mapping[Slot, PlaceReading]) -> dict[Slot, Laid]:
    """The tiles that are named, by the slot of their first space."""
    return {
        slot: (slot, one.face, one.turn)
        for slot, one in places.items()
        if one.state is PlaceState.FACE and one.face in plan.pieces and one.turn is not None
    }


def readable_spaces(plan: MapPlan, places: Mapping[Slot, PlaceReading]) -> set[Slot]:
    """The spaces of the tiles that are named in `places`, as far as they were seen themselves."""
    here = plan.spaces_of(named_tiles(plan, places).values())
    return {place for place in here if places[place].is_readable}


def laid_now(plan: MapPlan, places: Mapping[Slot, PlaceReading], before: Sequence[Laid]) -> tuple[Laid, ...]:
    """The tiles that are named, and those named `before` of which nothing says that they lie there no more."""
    named = named_tiles(plan, places)
    taken = set(plan.spaces_of(named.values()))
    for slot, face, turn in before:
        here = plan.spaces_of([(slot, face, turn)])
        bare = all(places[p].state is PlaceState.EMPTY and places[p].p >= EMPTY_P for p in here)
        if slot not in named and not bare and taken.isdisjoint(here):
            named[slot] = (slot, face, turn)
    return tuple(named.values())


def gone_in_part(
    plan: MapPlan, places: Mapping[Slot, PlaceReading], before: Sequence[Laid]
) -> dict[Slot, PlaceReading]:
    """The spaces that look bare of tiles that lay there `before`, do not look so on all of theirs, and have no tile on
    any that is named: one goes from all of its spaces or from none, and looks like table in a deep shadow, or like a
    sheet of paper there where it is blown out."""
    taken = set(plan.spaces_of(named_tiles(plan, places).values()))
    out: dict[Slot, PlaceReading] = {}
    for tile in before:
        here = plan.spaces_of([tile])
        bare = [place for place in here if places[place].state is PlaceState.EMPTY]
        if len(bare) < len(here) and taken.isdisjoint(here):
            unknown = PlaceState.UNKNOWN
            out |= {place: replace(places[place], state=unknown, p=0.0, pieces=(), pieces_p=0.0) for place in bare}
    return out
