"""The pieces on the spaces of a map, how sure they are, and whether tiles with pieces on them explain what is seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from companion.core.layout import TableLayout
from companion.core.types import Face, Slot
from vision.appearance.background import TableLook
from vision.appearance.canvas import told_light
from vision.appearance.picture_light import PictureLight, PieceColours
from vision.appearance.placed_face import FaceScan
from vision.pieces.finder import FoundPiece
from vision.pieces.probability import Counted, count_probability
from vision.pieces.shapes import PieceModel
from vision.tables.maps.standing.bare_spaces import BareSpace, piece_on_bare
from vision.tables.maps.standing.map_in_picture import MapInPicture
from vision.tables.maps.standing.space_search import AROUND_MM, OnSpace, SpaceSearch
from vision.tables.zone import SpaceOnMap

# What a space in doubt is believed.
DOUBTFUL_P = 0.5

# Of one space at least what pieces leave of the face must look like it (normalised correlation; bare table has none),
# and no more of them have room on a space.
LOOKS_LIKE_IT, ROOM = 0.5, 3

# Of a face that lay there before so much likeness is enough, whatever light falls on it: bare table has none, and
# another tile would be named itself.
SURELY_LIKE_IT = 0.8

# A piece for which less speaks (nats) is asked about. Of 439 pieces found on thirteen rendered films none had less than
# 54, nine in ten more than 200; of 17 that were none nine had less, and one that was believed, in a poorly told light.
# So is one of which the colour is hardly ahead of another: of 383 believed rightly in ten films none was by less than
# 70 nats; a red token in a shadow with noise of colour as large as a piece was surely a violet one, by 7.
FAINT_NATS = 50.0

# Where no piece was found it is asked whether there is none from a fifth of a piece's top on (as a part of the square
# of its side) that nothing explains: a piece that looks like the face below it in the dark leaves little more. Of 603
# such spaces of 18 rough films (rendered, looked at) two had more and were believed: one was bare, on the other a green
# figure stood on green print.
UNEXPLAINED_SHARE = 0.16


@dataclass(frozen=True, slots=True)
class CountOnSpace:
    """The pieces on a space by colour, how sure those are that nothing refused speaks against, where they stand, and
    `doubted`: of each colour of which a piece was refused, the probability that its count is right. A green piece that
    may stand on a green print says nothing of the black one beside it. `shows_print`: whether all that they leave of
    the space surely looks like its face, so that nothing else lies over it."""

    pieces: tuple[tuple[str, int], ...]
    others_p: float
    found: tuple[FoundPiece, ...]
    doubted: tuple[tuple[str, float], ...] = ()
    shows_print: bool = False

    @property
    def p(self) -> float:
        """Probability that all counts are right."""
        return self.others_p * prod(p for _, p in self.doubted)


class PiecesOnSpaces:
    """Reads the pieces of the `colours` on the spaces of a map. `scans`: per face the square of a space, `square_mm`
    wide."""

    def __init__(
        self, layout: TableLayout, scans: Mapping[Face, FaceScan], square_mm: float, colours: PieceColours
    ) -> None:
        self.layout, self.colours = layout, colours
        self._most_unexplained_mm2 = UNEXPLAINED_SHARE * layout.piece_side_mm**2
        self.search = SpaceSearch(layout, scans, square_mm, colours)

    def light(self, seen: MapInPicture, spaces: Mapping[Slot, SpaceOnMap]) -> PictureLight | None:
        """The light that the faces of all known spaces tell; None without any."""
        if not spaces:
            return None
        # nothing is asked of what lies far from the tiles: most of a map
        part = seen.around(spaces, AROUND_MM)
        faces = [self.search.placed(seen.middles[s], one) for s, one in spaces.items()]
        return told_light(seen.seen(part), part, faces)

    def read(
        self, seen: MapInPicture, spaces: Mapping[Slot, SpaceOnMap], light: PictureLight, due: Collection[Slot],
        stood: Mapping[Slot, Sequence[FoundPiece]] | None = None,
    ) -> dict[Slot, CountOnSpace]:
        """What stands on each space that is `due` and shows a known face. `stood`: the pieces that were agreed to stand
        on it before, where they were found."""
        return {
            slot: self._counted(self.search.in_best_light(seen, spaces, slot, light, (stood or {}).get(slot, ())))
            for slot in due
            if slot in spaces
        }

    def _counted(self, one: OnSpace) -> CountOnSpace:
        """The counts on a space of which so much was found."""
        mine, refused, strange = one.pieces, one.refused, one.strange_mm2
        faint = {p.colour for p in mine if p.evidence < FAINT_NATS}
        doubled = self.search.doubled(mine)
        print_too = doubled & {*faint, *one.endless}  # one at most is no print; other colours are as sure
        found = Counter(p.colour for p in mine)
        counts = tuple(sorted((name, 1 if name in print_too else n) for name, n in found.items()))
        p = count_probability(Counted.of([each for each in mine if each.colour not in refused], 0.0, strange))
        colour_in_doubt = any(p.colour_margin < FAINT_NATS for p in mine)
        most_mm2 = self.search.most_strange_mm2 if mine else self._most_unexplained_mm2
        doubtful = doubled > print_too or strange > most_mm2 or colour_in_doubt
        unseen = set(one.not_shown) - found.keys()  # one that is seen stands there, whatever else may
        others = ((name, DOUBTFUL_P) for name in sorted({*one.endless, *faint, *unseen}) if name not in refused)
        doubted = (*_doubted(mine, refused), *others)
        shows_print = one.likeness >= SURELY_LIKE_IT and self._has_room(one)
        return CountOnSpace(counts, min(p, DOUBTFUL_P) if doubtful else p, tuple(mine), doubted, shows_print)

    def explains(
        self, seen: MapInPicture, tile: Mapping[Slot, SpaceOnMap], known: Mapping[Slot, SpaceOnMap],
        light: PictureLight, *, lay: bool = False, clear: Collection[Slot] = (), least: int = 0,
    ) -> bool:
        """Whether the faces of a tile with pieces on them explain all of its spaces: pieces may hide much of them.

        A tile that `lay` there before still does where one space is surely like it: light falls on it as on no other.
        So does one of which another space is `clear`: its print alone tells the name; or where all others are surely
        like it, each in a light of its own. `least`: so many of its spaces must surely be like it.
        """
        both = {**known, **tile}
        likest, explained, alike = float(len(clear)), True, 0
        for slot in tile:
            if slot in clear and lay:
                return True
            if slot in clear:
                continue
            # only what lay there is looked for in light of its own, which may make a face of anything
            one = (self.search.in_best_light if lay else self.search.in_light)(seen, both, slot, light)
            surely = one.likeness >= SURELY_LIKE_IT
            alike += surely
            if surely and (lay or (clear and self._has_room(one))):
                return True
            if lay and not known:  # what told the light, as markers do, may be lit otherwise than any of its spaces
                own = self.search.in_light(seen, both, slot, None)
                if own.likeness >= SURELY_LIKE_IT and self._has_room(own):
                    return True
            if clear and not self._has_room(one):
                one = self.search.in_light(seen, both, slot, None)
                explained &= one.likeness >= SURELY_LIKE_IT
            explained &= self._has_room(one)
            if not explained and not lay and not clear:
                return False
            if not one.in_own_light:  # without contrast bare table is print of any face, and a little like it by chance
                likest = max(likest, one.likeness)
        return explained and likest >= LOOKS_LIKE_IT and alike >= least

    def on_bare(
        self, seen: MapInPicture, slot: Slot, table: TableLook, light: PictureLight, tiles_mm: np.ndarray
    ) -> str | None:
        """The piece on a space without a tile, see `piece_on_bare`."""
        space = BareSpace(seen.middles[slot], seen.side_mm)
        picture = seen.seen(space.part(seen.window)).astype(np.float32)
        piece = PieceModel.on_face(self.layout, seen.shot.eye_mm)
        return piece_on_bare(picture, seen.window, space, table, light, tiles_mm, piece, self.colours)

    def _has_room(self, one: OnSpace) -> bool:
        """Whether a space is explained by its face and as many pieces as have room."""
        return one.strange_mm2 <= self.search.most_strange_mm2 and len(one.pieces) <= ROOM


def _doubted(found: Sequence[FoundPiece], refused: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """By colour how probable its count is, of which a piece with so much evidence (nats) was refused."""
    return tuple(
        (name, count_probability(Counted.of([one for one in found if one.colour == name], nats, 0.0)))
        for name, nats in sorted(refused.items())
    )
