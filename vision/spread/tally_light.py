"""Tiles of a tally judged in the light of all: what looks unlike its face, and which of two twins it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from vision.appearance.canvas import Window, compose, sun_and_shade_of
from vision.appearance.face_fit import fit_faces
from vision.appearance.placed_face import PlacedFace
from vision.appearance.print_detail import beside_rivals, detail_likeness, least_likeness
from vision.appearance.twins.rematch import Doubt, rank_rivals
from vision.locate.plane import Plane
from vision.pieces.residual import LitPicture
from vision.tables.face_at_place import BoxFaces
from vision.tables.light.faces_in_light import BEYOND_DOUBT, table_seen
from vision.tables.place import PlaceReading

# Correlation with a face's fine detail from which its print is seen, however soft or dim the picture: 147 tiles of
# three rendered rough rooms had 0.62 and more, what was no tile at most 0.33.
PRINT_SEEN = 0.5

# Part of a tile that may look unlike its face before it is not believed: nothing stands on captured tiles.
STRANGE_SHARE = 0.08

# The same in light that falls unevenly, as through panes or on a sleeve: every part of the print must be seen so well.
# Of the same 147 tiles 95 in a hundred had 0.58 and more; a disc of 20 mm laid on each left 0.34 (the median).
EVERY_PART_SEEN = 0.58

# A tile's likeliest rivals whose print is compared too, and how much better theirs may fit, a correlation. Of 261 tiles
# of three rendered rough rooms that were named rightly one was beyond that (by 0.068, the others by 0.003 at most), and
# two of three named wrongly.
MOST_RIVALS, TWINS_APART = 2, 0.02

# Probability of a first reading from which a tile that has no outline gets a second one.
EVEN = 0.5

# Tiles whose outlines were not seen are searched within so many sides around the others.
NEAR_SIDES = 1.6


LightOf = Callable[[list[PlaceReading]], LitPicture]
"""The picture around tiles in the light inferred from them, which must be in the order of `named_of`."""


@dataclass(frozen=True, slots=True)
class TilesInLight:
    """Judges tiles of `side_mm` with the `faces` of one box."""

    faces: BoxFaces
    side_mm: float

    def checked(self, light_of: LightOf, tiles: list[PlaceReading]) -> list[PlaceReading]:
        """The tiles, doubtful ones decided and those taken back that are unlike their face, in the light of all."""
        named = named_of(tiles)
        if not named:
            return tiles
        again = self.rematched(light_of(named), tiles)
        named = named_of(again)
        if not named:
            return again
        lit = light_of(named)
        share = {id(t): share for t, share in zip(named, lit.strange_shares(), strict=True)}
        share |= {id(t): self.strange_share(lit, t) for t in again if t.face is None and t.p > 0.0}
        twins = {
            id(t) for t, placed in zip(named, lit.canvas.faces, strict=True) if self._is_like_another(lit, t, placed)
        }
        doubtful = [t.in_doubt(EVEN) if id(t) in twins else t for t in again]
        return [self.believed(lit, t, share.get(id(old), 0.0)) for old, t in zip(again, doubtful, strict=True)]

    def _is_like_another(self, lit: LitPicture, tile: PlaceReading, placed: PlacedFace) -> bool:
        """Whether the print of a named tile is rather that of a rival, which uneven light may hide."""
        rivals = [face for face, _ in tile.alternatives if face != tile.face][:MOST_RIVALS]
        origin = (lit.window.left_mm, lit.window.top_mm)
        own = replace(placed, scan=self.faces.scans[tile.likeliest])
        return beside_rivals(lit.seen, own, [self.faces.scans[face] for face in rivals], origin) < -TWINS_APART

    def strange_share(self, lit: LitPicture, tile: PlaceReading) -> float:
        share = lit.strange_share(self._placed(tile))
        return 1.0 if share is None else share

    def believed(self, lit: LitPicture, tile: PlaceReading, share: float) -> PlaceReading:
        """A tile of which such a share looks unlike its face: in doubt where parts of its print are not seen, with
        probability 0 where hardly any is."""
        if share <= STRANGE_SHARE:
            return tile
        table = table_seen(lit.seen, lit.canvas)
        placed = fit_faces(table, [self._placed(tile)], lit.canvas.light)[0]
        if least_likeness(lit.seen, placed, table.origin_mm) >= EVERY_PART_SEEN:
            return tile
        return tile.in_doubt(EVEN if detail_likeness(lit.seen, placed, table.origin_mm) >= PRINT_SEEN else 0.0)

    def light_of(self, image: np.ndarray, plane: Plane) -> LightOf:
        """What composes a picture in the light of tiles: of the same tiles, asked for again and again, once. Where some
        of the tiles have told the sun and its shade apart, all of them are looked at for both."""
        last: dict[tuple[object, ...], LitPicture] = {}
        is_sunny = False

        def of(named: list[PlaceReading]) -> LitPicture:
            nonlocal is_sunny
            key = tuple((t.likeliest, corners_of(t).tobytes()) for t in named)
            if key not in last:
                last.clear()  # a whole picture takes tens of megabytes
                last[key], in_both = self._lit(image, plane, named, is_sunny)
                is_sunny = is_sunny or in_both
            return last[key]

        return of

    def _lit(
        self, image: np.ndarray, plane: Plane, named: list[PlaceReading], is_sunny: bool
    ) -> tuple[LitPicture, bool]:
        """The picture around tiles, as it looks with the sun on all of them where it falls on some, and whether it
        does; `is_sunny`: see `with_shade`."""
        window = Window.around(np.vstack([corners_of(t) for t in named]), (NEAR_SIDES + 1) * self.side_mm)
        seen = from_above(image, plane, window)
        placed = [self._placed(t) for t in named]
        canvas = compose(seen, window, placed)
        both = sun_and_shade_of(canvas, is_sunny)
        if both is None:
            return LitPicture(seen, canvas), False
        canvas = compose(seen, window, placed, both)
        return LitPicture(np.rint(canvas.seen).astype(np.uint8), canvas), True

    def _placed(self, tile: PlaceReading) -> PlacedFace:
        """A tile where it lies, with its face or the likeliest one."""
        return self.faces.placed(tile.likeliest, corners_of(tile), (self.side_mm, self.side_mm))

    def rematched(self, lit: LitPicture, tiles: list[PlaceReading]) -> list[PlaceReading]:
        """The tiles, those that are not beyond doubt compared anew in the light of all; what lies outside of the
        picture is none."""
        places = {k: self._placed(tile) for k, tile in enumerate(tiles) if 0.0 < tile.p < BEYOND_DOUBT}
        out = list(tiles)
        for k in [k for k, place in places.items() if not _is_shown(lit, place)]:
            out[k] = tiles[k].in_doubt(0.0)
            del places[k]
        bare = np.zeros(lit.seen.shape[:2], np.float32)  # nothing stands on captured tiles
        doubts = [Doubt(place, tiles[k].alternatives, bare) for k, place in places.items()]
        ranked = rank_rivals(table_seen(lit.seen, lit.canvas), lit.canvas.light, doubts, self.faces.scans)
        for k, chances in zip(places, ranked, strict=True):
            out[k] = tiles[k].named(chances)
        return out


def from_above(image: np.ndarray, plane: Plane, window: Window) -> np.ndarray:
    """(H, W, 3) uint8 BGR: what lies in a window of the plane."""
    return plane.crop(image, window.corners_mm, (window.width_px, window.height_px), 0.0)


def named_of(tiles: list[PlaceReading]) -> list[PlaceReading]:
    """Those that have a name, by where they lie."""
    return sorted((t for t in tiles if t.face is not None), key=lambda t: tuple(corners_of(t).mean(0).tolist()))


def corners_of(tile: PlaceReading) -> np.ndarray:
    """(4, 2) plane mm: the upright corners of a tile. Every tile that was read here has them."""
    assert tile.corners_mm is not None
    return tile.corners_mm


def _is_shown(lit: LitPicture, place: PlacedFace) -> bool:
    """Whether the middle of a face lies in the picture."""
    x, y = lit.window.to_px(place.centre_mm)
    return bool(0 <= x < lit.window.width_px and 0 <= y < lit.window.height_px)
