"""Whether the names of pieces under a mirrored lamp rest on its light."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from vision.count.appearance.looks import PieceLook
from vision.count.glare import without_veil
from vision.count.naming.names import Names

# Chance of a name from which it is held, with the lamp's light and without it. Of 31 counts under lamps, 30 of them
# right, 15 hold and are sure: all of them right.
HELD = 0.95


def unsure_under(
    lamps: Sequence[float], looks: Sequence[PieceLook], names: Names, name: Callable[[list[PieceLook]], Names]
) -> int:
    """How many of the pieces (N,) on which so much of a lamp's light 0..1 lies have another name without it than they
    were given, or no sure one; `name` gives names to looks.
    """
    if not any(lamps):
        return 0
    bare = name([without_veil(look, lamp) for look, lamp in zip(looks, lamps, strict=True)])
    given = names.p.argmax(axis=1)
    held = np.minimum(names.p, bare.p)[np.arange(len(given)), given] >= HELD
    return int((~held & (np.array(lamps) > 0)).sum())
