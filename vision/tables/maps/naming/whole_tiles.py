"""Tiles that no space names by itself: which could lie on spaces that show more than bare table, the likeliest first.

In a blown-out light print is so pale that no space is likest its own face by far, or looks like a face at all. A tile
lies on several spaces in one turn, though: few tiles can be just there, and what tells one from the others adds up.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.core.types import Face, Slot
from vision.tables.maps.map_plan import MapPlan
from vision.tables.maps.naming.space_faces import SIXTHS, SpaceFaces
from vision.tables.maps.naming.space_votes import SpaceVotes
from vision.tables.place import ACCEPTED, Laid, PlaceReading, PlaceState
from vision.tables.zone import SpaceReading

# So many tiles are held against the picture closely: of the four of one film (14224, overexposed, nine pictures) the
# first was the right one each time.
MOST_TRIED = 3


def likely_tiles(
    plan: MapPlan, votes: SpaceVotes, faces: SpaceFaces, strange: Collection[Slot], spaces: Mapping[Slot, SpaceReading]
) -> list[Laid]:
    """The tiles that can lie on some of the `strange` spaces and no others, as (slot, name, turn), the best by what all
    of their spaces show before they are aligned first; of those that look the same one. And further ones that one of
    the `spaces` is likest by far, once aligned, however little it looks like print."""
    here = frozenset(strange)
    found: dict[frozenset[tuple[Slot | None, Face, int]], Laid] = {}
    for name, piece in plan.pieces.items():
        looks = [votes.read_as(face) for face in piece.faces]
        for anchor in strange:
            for turn in range(SIXTHS):
                on = plan.lies_on(name, anchor, turn)
                if here.issuperset(on):
                    shows = frozenset((slot, face, turn) for slot, face in zip(on, looks, strict=True))
                    found.setdefault(shows, (anchor, name, turn))
    badly = {
        laid: sum(faces.misfit(slot, face, turn) for slot, face, turn in shows if slot is not None) / len(shows)
        for shows, laid in found.items()
    }
    best = sorted(badly, key=badly.__getitem__)[:MOST_TRIED]
    told = {(slot, one.face, one.turn) for slot, one in spaces.items() if one.p >= ACCEPTED}
    return list(dict.fromkeys([*best, *(laid for shows, laid in found.items() if told & shows)]))


def faintly_on(plan: MapPlan, slots: Mapping[Slot, PlaceReading], here: Collection[Slot]) -> set[Slot]:
    """All spaces of the tiles for which too little speaks, by what is known of the `slots`, that may lie on some of the
    spaces `here`."""
    out: set[Slot] = set()
    for slot, one in slots.items():
        if one.state is PlaceState.UNKNOWN and one.turn is not None and one.alternatives:
            theirs = plan.spaces_of([(slot, one.likeliest, one.turn)])
            if not set(here).isdisjoint(theirs):
                out.update(theirs)
    return out
