"""A card that lies just where one of its looks lay is the same one: what its name then says of its name now."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.tables.place import CARD, PlaceReading, PlaceState
from vision.tables.zone import ZoneReading

# No reading is believed more than this when it is held against another: up to one name in two hundred is wrong.
SUREST = 0.995

# A card that is aligned to the print of another one comes to lie this near to where it lay: twice as far as one aligned
# to its own (`UNMOVED_MM`). Hands lay no other card down so nearly where the one before lay.
LAID_THERE_MM = 1.0


def named_as_before(now: ZoneReading, before: ZoneReading) -> ZoneReading:
    """A reading with the names of cards that have not moved since the one before.

    A name that was sure then holds where none is sure now; where another one is, both are weighed against each other,
    whatever has come over the card since, and though the one before may not even be a rival now: in a shadow's edge it
    may have been left out by chance. No name becomes surer than one of the readings made it: the errors of one
    camera repeat themselves.
    """
    same = {
        slot: _of_both(one, before.places[slot])
        for slot, one in now.places.items()
        if _is_in_question(one, before.places[slot])
    }
    return replace(now, places={**now.places, **same}) if same else now


def _is_in_question(now: PlaceReading, before: PlaceReading) -> bool:
    """Whether a card that was named is now named otherwise or not at all, though it may be the same."""
    if now.holds != CARD or before.state is not PlaceState.FACE or now.face == before.face:
        return False
    weighed = now.state is PlaceState.FACE or now.state is PlaceState.UNKNOWN
    return weighed and now.is_unmoved(before, LAID_THERE_MM)


def _of_both(now: PlaceReading, before: PlaceReading) -> PlaceReading:
    """The card as both readings together name it."""
    faces = dict.fromkeys(face for face, _ in (*before.alternatives, *now.alternatives))
    each = [(_chance(before, face), _chance(now, face)) for face in faces]
    both = np.prod(each, axis=1)
    shares = (both / both.sum()).tolist()
    chances = [(face, min(p, max(one))) for face, p, one in zip(faces, shares, each, strict=True)]
    return now.named(tuple(sorted(chances, key=lambda pair: -pair[1])))


def _chance(one: PlaceReading, face: str) -> float:
    """How likely a reading makes a face, no more and no less than readings are believed."""
    return float(np.clip(dict(one.alternatives).get(face, 0.0), 1.0 - SUREST, SUREST))
