"""Doubts faces that alone tell the light of their zone, where it is not the light that is known elsewhere.

A pale face too bright for the picture is a dark one in a light ten times as strong. Two different faces that fit one
light confirm it; of one look alone nothing says which it is but what else is known of the light.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from vision.appearance.canvas import Canvas
from vision.appearance.marker_light import INK
from vision.appearance.picture_light import PictureLight, to_light
from vision.appearance.twins.rematch import Doubt
from vision.tables.light.faces_in_light import STRANGE_TILE_P, FacesInLight, Places, table_seen
from vision.tables.place import PlaceState

# Light falls unevenly over a table, and markers' ink and paper differ: so many times as strong it is another light.
ANOTHER = 1.5


def in_a_likely_light(
    in_light: FacesInLight,
    places: Places,
    canvas: Canvas | None,
    seen: np.ndarray,
    light_elsewhere: Callable[[], PictureLight | None],
) -> tuple[Places, Canvas | None]:
    """The decided `places` of a zone and their `canvas`, or, where one look alone tells a far stronger light than is
    known elsewhere, that look in doubt if another face is likelier in that; then there is no canvas.

    `seen` (h, w, 3) uint8 is what `canvas` shows."""
    if canvas is None or not is_lone_look(places):
        return places, canvas
    elsewhere = light_elsewhere()
    if elsewhere is None or not is_another_light(canvas.light, elsewhere):
        return places, canvas
    doubted = doubted_in(in_light, elsewhere, canvas, seen, places)
    return places | doubted, None if doubted else canvas


def is_lone_look(places: Places) -> bool:
    """Whether all that is named is one face."""
    return len({one.face for one in places.values() if one.state is PlaceState.FACE}) == 1


def is_another_light(told: PictureLight, elsewhere: PictureLight) -> bool:
    """Whether the light that faces have `told` is far stronger than the one `elsewhere`, in two channels at least.

    Where that only says "at least", what is black there bounds it: in more light ink would look brighter, too."""
    most = np.array(elsewhere.gain)
    if elsewhere.at_least:
        most += np.maximum(elsewhere.veil, 0.0) / float(to_light(np.array(INK)))
    return bool(np.median(np.array(told.gain) / most) > ANOTHER)


def doubted_in(
    in_light: FacesInLight, light: PictureLight, canvas: Canvas, seen: np.ndarray, places: Places
) -> Places:
    """Those of the named places, in doubt, for which another face of the box is likelier in that `light`. The first
    reading, in any light, is not asked."""
    named = {slot: one for slot, one in places.items() if one.state is PlaceState.FACE}
    faces = tuple(in_light.faces.scans)
    doubts = {
        slot: Doubt(in_light.placed(one, one.likeliest), tuple((face, 1.0 / len(faces)) for face in faces))
        for slot, one in named.items()
    }
    ranked = in_light.rematch(table_seen(seen, canvas), replace(canvas, light=light), doubts)
    return {
        slot: replace(named[slot].in_doubt(STRANGE_TILE_P), alternatives=chances)
        for slot, chances in ranked.items()
        if chances[0][0] != named[slot].face
    }
