"""Tiles of a tally that no outline told: looked for by their print alone, where a square or the rows leave room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.appearance.leftovers import LeftoverJudge
from vision.appearance.print_search import search_print
from vision.locate.plane import Plane, fit_square, square_at
from vision.pieces.residual import LitPicture
from vision.spread.tally_light import EVEN, TilesInLight, corners_of, named_of
from vision.spread.tally_reading import BESIDE, FURTHEST
from vision.tables.place import TILE, PlaceReading, PlaceState

# Steps from a tile to those beside it are a corner where they are so far from one line, a sine.
CORNER = 0.7

# Part of a place that must look unlike the table for a tile to be looked for there: its print may be all that does.
SOME_THING = 0.2

# So many places are looked at; a search takes a tenth of a second.
MOST_PLACES = 6

# Middles nearer than this part of a side are one place.
SAME_PLACE = 0.25

# Middles of two tiles are at least so many sides apart: they lie beside each other.
APART = 0.7

# A face that was found so and looks like itself is believed only from here on, as on a grid: what deceived the first
# reading may deceive again.
BELIEVED = 0.97


@dataclass(frozen=True, slots=True)
class TilesByPrint:
    """Looks for tiles where they may lie unseen; see `found`."""

    light: TilesInLight

    def found(
        self, plane: Plane, tiles: Sequence[PlaceReading], lit: LitPicture, over: LeftoverJudge
    ) -> list[PlaceReading]:
        """The tiles whose print is seen where squares were not read, or where the rows of the known ones go on: named,
        or in doubt where another light or face may be the cause.

        `tiles`: all that are known, some named; `lit`: the picture in the light of these; `over`: what beside them is
        not table. A place that shows nothing but table is not looked at.
        """
        side_mm = self.light.side_mm
        named = named_of(list(tiles))
        seen = [t for t in tiles if t.face is not None or t.p > EVEN]
        taken = [corners_of(t).mean(0) for t in seen]
        squares = [fit_square(corners_of(t))[:2] for t in tiles if t.face is None and t.p <= EVEN]
        rows = next_in_rows(taken, [fit_square(corners_of(t))[1] for t in seen], side_mm)
        places: list[np.ndarray] = []
        for middle, turn_deg in [*squares, *rows]:
            apart = [float(np.hypot(*(middle - other))) for other in taken]
            new = all(np.hypot(*(middle - one.mean(0))) >= SAME_PLACE * side_mm for one in places)
            if new and APART * side_mm <= min(apart) <= FURTHEST * side_mm:
                places.append(square_at(middle, side_mm, turn_deg))
        strange = [over.share(plane.to_px(corners)) for corners in places]
        likely = sorted((k for k, share in enumerate(strange) if share >= SOME_THING), key=lambda k: -strange[k])
        out: list[PlaceReading] = []
        for k in likely[:MOST_PLACES]:
            one = self._searched(lit, named[0], places[k])
            if one is not None and is_free(corners_of(one).mean(0), [*seen, *out], side_mm):
                out.append(one)
        return out

    def _searched(self, lit: LitPicture, any_tile: PlaceReading, corners_mm: np.ndarray) -> PlaceReading | None:
        """The tile whose print is seen in a place, (4, 2) mm, or near; None where none is, or it is another thing."""
        faces, size = self.light.faces, (self.light.side_mm, self.light.side_mm)
        upright = faces.placed(any_tile.likeliest, corners_mm, size)
        seen = search_print(lit.seen, (lit.window.left_mm, lit.window.top_mm), upright, faces.book.turns, faces.scans)
        if not seen:
            return None
        chances = tuple((each.face, 1.0 / len(seen)) for each in seen)
        best = seen[0]
        laid = PlaceReading("", TILE, PlaceState.UNKNOWN, turn=best.turn, corners_mm=best.place.corners_mm)
        ranked = self.light.rematched(lit, [laid.named(chances)])[0]
        if ranked.p < BELIEVED or ranked.face != best.face:
            ranked = ranked.in_doubt(EVEN)
        believed = self.light.believed(lit, ranked, self.light.strange_share(lit, ranked))
        return believed if believed.p > 0.0 else None


def is_free(middle_mm: np.ndarray, tiles: Sequence[PlaceReading], side_mm: float) -> bool:
    """Whether a tile may lie there beside the others."""
    return all(np.hypot(*(corners_of(t).mean(0) - middle_mm)) >= APART * side_mm for t in tiles)


def next_in_rows(
    middles_mm: Sequence[np.ndarray], turns_deg: Sequence[float], side_mm: float
) -> list[tuple[np.ndarray, float]]:
    """Where rows and columns of tiles go on, (2,) mm, and how tiles beside are turned there, degrees: beyond two that
    lie beside each other, and the fourth of three that lie around a corner.

    `middles_mm`: (2,) each, of tiles turned by `turns_deg`.
    """
    out: list[tuple[np.ndarray, float]] = []
    for here, turn_deg in zip(middles_mm, turns_deg, strict=True):
        steps = [other - here for other in middles_mm]
        steps = [step for step in steps if BESIDE * side_mm <= float(np.hypot(*step)) <= FURTHEST * side_mm]
        for k, one in enumerate(steps):
            for other in steps[:k]:
                sine = float(one[0] * other[1] - one[1] * other[0]) / float(np.hypot(*one) * np.hypot(*other))
                if abs(sine) >= CORNER:
                    out.append((here + one + other, turn_deg))
        out += [(here - step, turn_deg) for step in steps]
    return out
