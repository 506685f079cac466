"""Of which colours a piece would not show on a space: its print and the piece are both as bright as a picture goes."""

from __future__ import annotations

import numpy as np

from vision.appearance.canvas import Canvas
from vision.appearance.picture_light import SATURATED, PieceColours
from vision.pieces.likelihood_maps import COLOUR_SPREAD

# Part of a space's print that is burnt out from which a piece, which covers a seventh, may stand there and show nowhere
# beyond it.
HAS_ROOM = 1 / 3


def not_shown(canvas: Canvas, colours: PieceColours) -> tuple[str, ...]:
    """The colours of which a piece may stand on the first face of a canvas and look like the print below it, within the
    errors with which its top and the print are predicted."""
    darkest = canvas.bare[canvas.label == 0].min(axis=-1)  # of its channels
    if not len(darkest) or np.mean(darkest >= SATURATED * (1.0 - COLOUR_SPREAD) - canvas.noise) < HAS_ROOM:
        return ()  # on nearly every space
    place = np.broadcast_to(canvas.faces[0].centre_mm, (len(colours.names), 2))
    lit = canvas.light.expect(colours.array(), place, canvas.face_levels[0]).min(axis=-1)
    return tuple(
        name for name, top in zip(colours.names, lit.tolist(), strict=True)
        if top >= SATURATED and np.mean(darkest >= top * (1.0 - COLOUR_SPREAD) - canvas.noise) >= HAS_ROOM
    )
