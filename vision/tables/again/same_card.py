"""A card that lies just where one of its looks lay is the same one: what its name then says of its name now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.core.types import Face, Slot
from vision.appearance.background import BESIDE_MM
from vision.appearance.canvas import Window
from vision.appearance.picture_light import BLACK
from vision.appearance.placed_face import PX_PER_MM, USUAL, PlacedFace, draw
from vision.tables.place import CARD, GAP, PlaceReading, PlaceState
from vision.tables.zone import ZoneReading
from vision.view.hidden_grain import SEEN, grain_of

# No reading is believed more than this when it is held against another: up to one name in two hundred is wrong.
SUREST = 0.995

# An earlier reading that was not sure is held against a sure one if its name was likelier than not: two readings of
# one card that each believe another name are in doubt, however sure the later one is of its own. Where its edges lie
# was not sure either: of cards that are too bright for the picture they stray by 4 mm.
LIKELIER = 0.5

# A card that is aligned to the print of another one comes to lie this near to where it lay: twice as far as one aligned
# to its own (`UNMOVED_MM`). Hands lay no other card down so nearly where the one before lay.
LAID_THERE_MM = 1.0

# Correlation of two pictures' fine detail all over a place from which the same card lies in both, whatever the light.
# In rendered rough films the same one had 0.92 and more, another one of its kind in its place 0.5, bare table 0.25.
SAME_PRINT = 0.8

# Part of a card's place from which some of its print is seen so: of 50 cards that were taken away in rendered films 49
# had none and one 0.005, of six under an undetected arm four had 0.02 to 0.4.
PARTLY_SEEN = 0.01

# Columns and rows of patches of a card's place, each of some 11 mm: a camera's noise is a tenth in their means.
PATCHES = (4, 6)

# Part of what told a card from the table beside it that has changed at most where the same one still lies there, as
# mean squares of all patches. Of 366 places of four rendered rough films on which one lay, two of the films so dark
# that a quarter looked like bare table, none had more than 0.31; two from which the card was taken 1.07 and 1.14.
STILL_TOLD = 0.5

# Probability that is left to the name of a card whose print is not seen, though its colours are.
NO_PRINT_P = LIKELIER


def with_cards_that_show(
    now: ZoneReading, before: ZoneReading, before_bgr: np.ndarray, places_mm: Mapping[Slot, np.ndarray],
    agreed: Mapping[Slot, Face] | None = None,
) -> ZoneReading:
    """A reading with the cards that seem to be gone since the one before, and of which the print is seen as it was in
    `before_bgr` (H, W, 3) uint8, the same view when they were read: light or a thing beside them has their colours.
    In the dark noise drowns the print, and a card looks like the table in a shadow: one that is told from the table
    beside it as it was is in doubt, and not gone. Of one that something covered before nothing is known in the first
    picture in which its place looks bare: a hand of the table's colour may lie there, and nothing tells what changed.

    `places_mm`: slot -> corners (4, 2). `agreed`: the cards that were agreed to lie there before, named or not.
    """
    lay = agreed or {}
    empty = [slot for slot, one in now.places.items() if one.state is PlaceState.EMPTY and one.holds == CARD]
    gone = [slot for slot in empty if _lay_there(before.places[slot], lay.get(slot))]
    faces = [places_mm[slot] for slot, one in now.places.items() if one.holds != GAP] if gone else []
    still: dict[Slot, PlaceReading] = {}
    for slot in gone:
        box, was = now.window.box(places_mm[slot], 0.0), before.places[slot]
        if was.state is PlaceState.FACE and _is_same_print(before_bgr[box], now.seen_bgr[box]):
            still[slot] = was
        elif _is_told_as_before(before_bgr, now.seen_bgr, now.window, places_mm[slot], faces):
            still[slot] = was.in_doubt(NO_PRINT_P)
    hidden = (slot for slot in empty if slot in lay and before.places[slot].state is PlaceState.COVERED)
    still |= {slot: PlaceReading(slot, CARD, PlaceState.UNKNOWN) for slot in hidden}
    return replace(now, places={**now.places, **still}) if still else now


def _lay_there(before: PlaceReading, agreed: Face | None) -> bool:
    """Whether a card was read in a place: by name, or as likeliest the one that is `agreed` to lie there."""
    if before.state is PlaceState.FACE:
        return True
    return before.state is PlaceState.UNKNOWN and bool(before.alternatives) and before.likeliest == agreed


def _is_told_as_before(
    before_bgr: np.ndarray, now_bgr: np.ndarray, window: Window, place_mm: np.ndarray, faces_mm: Sequence[np.ndarray]
) -> bool:
    """Whether a place (4, 2) mm differs from the table right beside it, between the places `faces_mm`, as it did
    before, patch by patch: bare table does not, whatever its colours."""
    nearest, farthest = BESIDE_MM
    around = np.zeros(now_bgr.shape[:2], bool)
    around[window.box(place_mm, farthest)] = True
    for face_mm in faces_mm:
        around[window.box(face_mm, nearest)] = False
    if not around.any():
        return False
    table, then = (np.median(picture[around], axis=0).astype(np.float32) for picture in (now_bgr, before_bgr))
    gain, box = (table + np.float32(BLACK)) / (then + np.float32(BLACK)), window.box(place_mm, 0.0)
    here, there = (
        cv2.resize(picture[box], PATCHES, interpolation=cv2.INTER_AREA).astype(np.float32)
        for picture in (now_bgr, before_bgr)
    )
    told = (there + np.float32(BLACK)) * gain - np.float32(BLACK) - table
    changed = here - table - told
    return float((changed**2).sum()) <= STILL_TOLD * float((told**2).sum()) > 0.0


def print_is_seen_partly(
    before_bgr: np.ndarray, now_bgr: np.ndarray, window: Window, faces: Sequence[PlacedFace]
) -> bool:
    """Whether a part of a card (H, W, 3) uint8 that seems to be gone is surely seen `now_bgr` as it was: the rest is
    under something that looks like bare table.

    `window`: that of both pictures. `faces`: what may have lain there, each where it lay. The edge of a pane of sun is
    seen on bare table as it was on a card, but is no detail of any print; without faces all detail counts.
    """
    as_before = _likeness(before_bgr, now_bgr) >= SAME_PRINT
    if as_before.mean() <= PARTLY_SEEN or not faces:
        return bool(as_before.mean() > PARTLY_SEEN)
    of_print = (_likeness(_lying(before_bgr, window, face), now_bgr) >= SEEN for face in faces)
    return any(bool((as_before & shown).mean() > PARTLY_SEEN) for shown in of_print)


def _lying(seen_bgr: np.ndarray, window: Window, face: PlacedFace) -> np.ndarray:
    """(H, W, 3) uint8: a face in even light, as bright as what is `seen_bgr` where it lay, on table of one colour."""
    out, label = seen_bgr.copy(), np.full(seen_bgr.shape[:2], -1, np.int16)
    draw(out, label, face, 0, (window.left_mm, window.top_mm), USUAL)
    on_face = label == 0
    if on_face.any():
        out[on_face] = np.clip(out[on_face] * (seen_bgr[on_face].mean() / max(1.0, out[on_face].mean())), 0, 255)
    if not on_face.all():
        out[~on_face] = np.median(seen_bgr[~on_face], axis=0)
    return out


def _is_same_print(before_bgr: np.ndarray, now_bgr: np.ndarray) -> bool:
    return float(np.median(_likeness(before_bgr, now_bgr))) >= SAME_PRINT


def _likeness(before_bgr: np.ndarray, now_bgr: np.ndarray) -> np.ndarray:
    """(h, w), one a mm, correlation of the fine detail of two pictures (H, W, 3) uint8 of one place."""
    size = tuple(max(1, round(side / PX_PER_MM)) for side in before_bgr.shape[1::-1])
    then, here = (
        grain_of(cv2.resize(one, size, interpolation=cv2.INTER_AREA)).detail for one in (before_bgr, now_bgr)
    )
    return then.likeness(here)


def named_as_before(now: ZoneReading, before: ZoneReading) -> ZoneReading:
    """A reading with the names of cards that have not moved since the one before.

    A name that was sure then holds where none is sure now; where another one is, both are weighed against each other,
    as are a name that was likelier than not and another one that is sure now,
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
    if now.holds != CARD or now.state not in (PlaceState.FACE, PlaceState.UNKNOWN):
        return False
    if before.state is PlaceState.UNKNOWN and before.p >= LIKELIER:
        return now.state is PlaceState.FACE and now.face != before.likeliest and now.turn == before.turn
    differs = before.state is PlaceState.FACE and now.face != before.face
    return differs and now.is_unmoved(before, LAID_THERE_MM)


def _of_both(now: PlaceReading, before: PlaceReading) -> PlaceReading:
    """The card as both readings together name it."""
    faces = dict.fromkeys(face for face, _ in (*before.alternatives, *now.alternatives))
    believed = 1.0 if before.state is PlaceState.FACE else min(1.0, before.p)
    each = [(_chance(before, face, believed), _chance(now, face)) for face in faces]
    both = np.prod(each, axis=1)
    shares = (both / both.sum()).tolist()
    chances = [(face, min(p, max(one))) for face, p, one in zip(faces, shares, each, strict=True)]
    return now.named(tuple(sorted(chances, key=lambda pair: -pair[1])))


def _chance(one: PlaceReading, face: str, believed: float = 1.0) -> float:
    """How likely a reading that is `believed` so far makes a face, no more and no less than readings are believed."""
    return float(np.clip(dict(one.alternatives).get(face, 0.0) * believed, 1.0 - SUREST, SUREST))
