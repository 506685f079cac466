"""Decides faces in the light inferred from known ones: pieces on them, doubtful ones compared anew, strange ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from companion.core.layout import TableLayout
from companion.core.types import Face, Slot
from vision.appearance.canvas import Canvas, Window, compose
from vision.appearance.colour_blur import colour_blur_px
from vision.appearance.picture_light import PictureLight, PieceColours
from vision.appearance.placed_face import PlacedFace, SeenTable
from vision.appearance.print_detail import beside_rivals, detail_likeness
from vision.appearance.print_search import search_print
from vision.appearance.twins.rematch import Doubt, rank_rivals
from vision.pieces.finder import FoundPiece, PieceFinder, PieceSearch
from vision.pieces.light.uneven_light import LEAST_UNEXPLAINED_MM2, lit_anew
from vision.pieces.piece_edges import goes_on
from vision.pieces.probability import ON_PRINT, Counted, count_probability, counting_mm2
from vision.pieces.residual import strange_shares
from vision.pieces.shapes import PieceModel
from vision.tables.face_at_place import LIKE_A_FACE, UNLIKE_A_FACE, BoxFaces
from vision.tables.light.counted_twice import beside_first, pieces_on_faces, surer_count
from vision.tables.light.names_in_sun import ranked_in_sun
from vision.tables.place import ACCEPTED, SURE, TILE, PlaceReading, PlaceState, Shot

# Probability of the first reading below which a face is compared anew in the light of its zone.
BEYOND_DOUBT = 0.9999

# Probability from which a face helps to tell the light: its likely rivals differ in little, but it may be the only
# one with colours that tell how bright red is.
LIGHTS_FROM = 0.3

# Probability left to a face that does not look like itself.
STRANGE_TILE_P, STRANGE_CARD_P = 0.3, 0.5

# Part of a face with pieces on it that may be neither print, shadow nor piece before it is no longer believed.
STRANGE_TILE = 0.06

# Part of a tile that pieces may hide before neither its name nor their count is believed: on 350 rendered tiles with up
# to four pieces it was 0.22 at most. Burnt-out print was taken for another face under nine pieces, half of it hidden.
HIDDEN_TILE = 0.4

# A tile that is so strange is believed in uneven light (panes of sun, gloss) and beside pieces that were not found,
# where its print is seen so well, a correlation, and fits better by so much than that of its likeliest rivals. Of 44
# strange tiles of eight rendered rough rooms those that were named wrongly, or that gloss hid, had 0.38 at most.
LIKE_ITS_PRINT, MOST_RIVALS, TWINS_APART = 0.58, 2, 0.003

# A tile that is sure is looked for by its print, too, where less of it is seen beside its pieces: 25 of 657 such tiles
# of rendered rough rooms, one of them laid beside its place.
BESIDE_PIECES = 0.65

# A face that is found by its print correlates so much better than the face that was thought to lie there.
BETTER_SEEN = 0.1

# Part of the faces that may be lit anew: where nothing explains most of them the light of the whole picture is not
# known, and every further search takes seconds.
MOST_LIT_ANEW = 0.5

# A piece for which less speaks (nats), and of which the look goes on beyond its edge, is asked about: white table that
# is seen along a tile's edge. Of some 33 pieces on five rendered rough films all but one (29, it is asked about) had 88
# and more; of ten that were none, 8 to 25, nine went on.
FAINT_NATS, GOES_ON_P = 50.0, 0.5

# So is one for which as little speaks and which shows less than this on its tile: what stands beside it contradicts no
# piece. Of ten true ones of eight rendered rough rooms that showed less one had less than 77 nats (21, it is asked
# about anyhow), of four that were none three had 12 to 45: a pale or gray rim.
MOSTLY_SHOWN = 0.75

# Probability from which a face is named though the count of pieces on it is not sure, or though the first reading had
# to be taken back: what was not found as a piece was taken for print when the face was compared with its twins. Of 19
# tiles that were found by their print one was named wrongly, at 0.94.
NAMED_BESIDE_DOUBT = 0.97

# The same of a face on which anything may stand: two tokens and a worker leaning over hide a quarter of a card. Less
# where the first reading found nothing like a face: an empty place is strange all over, a card whose first alignment
# failed is not.
STRANGE_CARD, STRANGE_IF_UNLIKE = 0.35, 0.15

# Part of the likeness of no face below which what lies there is not print, though shadows may draw lines on it.
FAR_FROM = 0.5

Places = dict[Slot, PlaceReading]


class FacesInLight:
    """Decides what the faces of one zone are. They are rectangles of `face_mm`, width and height."""

    def __init__(
        self,
        layout: TableLayout,
        faces: BoxFaces,
        colours: PieceColours,
        face_mm: tuple[float, float],
        places_mm: Mapping[Slot, np.ndarray],
    ) -> None:
        """`layout` gives the sizes of its pieces; `places_mm`: the corners (4, 2) of each place."""
        self.layout, self.faces, self.colours, self.face_mm, self.places_mm = layout, faces, colours, face_mm, places_mm

    def decide(
        self,
        shot: Shot,
        seen: np.ndarray,
        window: Window,
        places: Places,
        light: PictureLight | None = None,
        known: frozenset[Slot] = frozenset(),
    ) -> tuple[Places, Canvas | None]:
        """The places with doubtful faces decided, pieces counted, and strange faces taken back; and their canvas.

        `seen` (h, w, 3) uint8 is the part of the picture that `window` shows. `light`: that of the whole zone, when it
        is known already; `known`: slots that are.
        """
        out = dict(places)
        shown = self._shown(out)
        if not shown or (light is None and not self._tell_light(seen, window, out, shown)):
            return out, None
        canvas, search = self._composed(shot, seen, window, out, shown, light, known)
        doubtful = {slot: one for slot, one in places.items() if slot not in known and self._is_doubtful(one)}
        out |= self._rematched(canvas, seen, doubtful, list(shown), search)
        if self._shown(out) != shown:
            shown = self._shown(out)
            if not shown:
                return out, None
            found_light = light if search is None else canvas.light
            canvas, search = self._composed(shot, seen, window, out, shown, found_light, known)
        if search is not None:
            self._count(shot, canvas, search, out, list(shown))
            if anew := self._found_by_print(canvas, seen, out, known, search.covered):
                out |= anew
                shown, canvas = self._decide_found(shot, seen, window, out, anew, canvas.light, known)
        strange = [s for s in self._strange_cards(canvas, out, list(shown)) if s not in known]
        if strange:
            out |= {slot: out[slot].in_doubt(STRANGE_CARD_P) for slot in strange}
            shown = self._shown(out)
            if not shown:
                return out, None
            canvas, _ = self._composed(shot, seen, window, out, shown, light, known)
        return out, canvas

    def _tell_light(self, seen: np.ndarray, window: Window, places: Places, shown: Mapping[Slot, Face]) -> bool:
        """Whether any face, or one of its twins, surely lies there, or its print is seen: which twin matters little."""
        if any(_is_of_its_kind(one) for one in places.values()):
            return True
        origin = (window.left_mm, window.top_mm)
        likely = (self.placed(places[slot], face) for slot, face in shown.items() if places[slot].p >= LIGHTS_FROM)
        return any(detail_likeness(seen, one, origin) >= LIKE_ITS_PRINT for one in likely)

    def _shown(self, places: Places) -> dict[Slot, Face]:
        """The faces that the places are taken to show: on a tile that is not recognised pieces are counted, too."""
        out = {}
        for slot, one in places.items():
            likely = one.state is PlaceState.UNKNOWN and one.p > 0.0 and one.corners_mm is not None
            if one.state is PlaceState.FACE or (likely and one.holds == TILE):
                out[slot] = one.likeliest
        return out

    def _composed(
        self,
        shot: Shot,
        seen: np.ndarray,
        window: Window,
        places: Places,
        shown: Mapping[Slot, Face],
        light: PictureLight | None,
        known: frozenset[Slot],
    ) -> tuple[Canvas, PieceSearch | None]:
        """The canvas of these faces, and the pieces on it where any of them is a tile."""
        laid = [self.placed(places[slot], face) for slot, face in shown.items()]
        fitted = frozenset(number for number, slot in enumerate(shown) if slot in known)
        lights = [number for number, slot in enumerate(shown) if places[slot].p >= LIGHTS_FROM]
        canvas = compose(seen, window, laid, light, fitted, lights)
        if not any(places[slot].holds == TILE for slot in shown):
            return canvas, None
        finder = PieceFinder(self.colours, PieceModel.on_face(self.layout, shot.eye_mm))
        search = finder.search(canvas, printed=True)
        if (search.unexplained_mm2 >= LEAST_UNEXPLAINED_MM2).mean() > MOST_LIT_ANEW:
            return canvas, search
        lit, faces = lit_anew(canvas, search.covered, search.unexplained_mm2)
        if not faces.any():
            return canvas, search
        return lit, beside_first(search, finder.search(lit, printed=True), lit, faces)

    def placed(self, one: PlaceReading, face: Face) -> PlacedFace:
        assert one.corners_mm is not None
        return self.faces.placed(face, one.corners_mm, self.face_mm)

    def likely_laid(self, one: PlaceReading) -> list[PlacedFace]:
        """What lies in a place, or may lie there, where its corners are."""
        return [] if one.corners_mm is None else [self.placed(one, face) for face in one.likely_faces]

    def _is_doubtful(self, one: PlaceReading) -> bool:
        """Whether the first reading of a place leaves room for a comparison in the light of the zone."""
        if one.state is PlaceState.FACE:
            return one.p < BEYOND_DOUBT and (one.holds == TILE or one.likeness >= FAR_FROM * UNLIKE_A_FACE)
        if one.state is not PlaceState.UNKNOWN or one.corners_mm is None:
            return False
        return one.p > 0.0 if one.holds == TILE else one.likeness >= FAR_FROM * UNLIKE_A_FACE

    def _rematched(
        self, canvas: Canvas, seen: np.ndarray, doubtful: Places, shown: list[Slot], search: PieceSearch | None
    ) -> Places:
        """Doubtful faces compared with their rivals in the light of the zone, by what no piece hides.

        `shown`: the slots of the canvas' faces, in their order.
        """
        counted = {slot for slot in shown if search is not None and slot in doubtful and doubtful[slot].holds == TILE}
        doubts = {
            slot: Doubt(canvas.faces[shown.index(slot)], one.alternatives, search.covered, sized=True)
            if slot in counted and search is not None
            else Doubt(self.placed(one, one.alternatives[0][0]), one.alternatives)
            for slot, one in doubtful.items()
        }
        out = {}
        if search is None:
            ranked = self.cards(seen, canvas, doubts)
        else:
            ranked = self.rematch(table_seen(seen, canvas), canvas, doubts)
        for slot, chances in ranked.items():
            found = doubtful[slot].named(chances)
            out[slot] = replace(found, corners_mm=doubts[slot].place.corners_mm) if slot in counted else found
        return out

    def rematch(
        self, table: SeenTable, canvas: Canvas, doubts: Mapping[Slot, Doubt]
    ) -> dict[Slot, tuple[tuple[Face, float], ...]]:
        """The chances of the faces in the slots, see `rank_rivals`."""
        ranked = rank_rivals(table, canvas.light, list(doubts.values()), self.faces.scans)
        return dict(zip(doubts, ranked, strict=True))

    def cards(
        self, seen: np.ndarray, canvas: Canvas, doubts: Mapping[Slot, Doubt]
    ) -> dict[Slot, tuple[tuple[Face, float], ...]]:
        """As `rematch`, of cards, which may lie in sun and shade; `seen`: what the canvas shows."""
        ranked = ranked_in_sun(seen, canvas, list(doubts.values()), self.faces.scans)
        if ranked is None:
            return self.rematch(table_seen(seen, canvas), canvas, doubts)
        return dict(zip(doubts, ranked, strict=True))

    def _decide_found(
        self,
        shot: Shot,
        seen: np.ndarray,
        window: Window,
        places: Places,
        anew: Places,
        light: PictureLight,
        known: frozenset[Slot],
    ) -> tuple[dict[Slot, Face], Canvas]:
        """Decide in `places` the faces that were found by their print, `anew`, and count the pieces on them; what is
        shown then, and its canvas.

        What deceived the first reading may deceive again: they must be surer than others, and be those whose print is
        seen best."""
        counted = {slot: one for slot, one in places.items() if slot not in anew}
        shown = self._shown(places)
        canvas, search = self._composed(shot, seen, window, places, shown, light, known)
        for slot, one in self._rematched(canvas, seen, anew, list(shown), search).items():
            by_print = anew[slot]
            believed = one.p >= NAMED_BESIDE_DOUBT and one.face == by_print.likeliest
            places[slot] = one if believed else by_print.in_doubt(STRANGE_TILE_P)
        if self._shown(places) != shown:
            shown = self._shown(places)
            canvas, search = self._composed(shot, seen, window, places, shown, light, known)
        assert search is not None  # only tiles are looked for
        self._count(shot, canvas, search, places, list(shown))
        places |= {slot: surer_count(one, places[slot]) for slot, one in counted.items()}
        return shown, canvas

    def _found_by_print(
        self, canvas: Canvas, seen: np.ndarray, places: Places, known: frozenset[Slot], covered: np.ndarray
    ) -> Places:
        """The tiles that were taken back, or are not sure or have pieces and whose print is not seen where they were
        laid, with what print is seen there: each of its likeliest faces as likely as the others, to be compared.
        `covered`: see `PieceSearch`.

        Where a piece hides the end of a row of squares, a longer row fits it half a square beside its place, however
        surely."""
        origin = (canvas.window.left_mm, canvas.window.top_mm)
        hidden = ((covered > 0.0) * 255).astype(np.uint8)
        out = {}
        for slot, one in places.items():
            if one.holds != TILE or slot in known or not one.is_readable or not one.alternatives:
                continue
            if one.is_sure and not one.pieces:  # nothing hides its print
                continue
            likeness = 0.0
            if one.p > 0.0 and one.corners_mm is not None:
                likeness = detail_likeness(seen, self.placed(one, one.likeliest), origin, hidden)
            if likeness >= (BESIDE_PIECES if one.is_sure else LIKE_ITS_PRINT) and one.p > STRANGE_TILE_P:
                continue
            upright = self.faces.placed(one.likeliest, self.places_mm[slot], self.face_mm)
            found = search_print(seen, origin, upright, self.faces.book.turns, self.faces.scans, hidden)
            if found and found[0].likeness > likeness + BETTER_SEEN:
                chances = tuple((each.face, 1.0 / len(found)) for each in found)
                laid = replace(one, turn=found[0].turn, corners_mm=found[0].place.corners_mm)
                out[slot] = laid.named(chances)
        return out

    def _count(self, shot: Shot, canvas: Canvas, search: PieceSearch, places: Places, slots: Sequence[Slot]) -> None:
        """Put the pieces on the canvas' faces, which lie in `slots`, into `places`; strange tiles are taken back."""
        model = PieceModel.on_face(self.layout, shot.eye_mm)
        standing = pieces_on_faces(search, canvas)
        largest = STRANGE_TILE * self.face_mm[0] * self.face_mm[1]
        for number, (slot, pieces) in enumerate(zip(slots, standing, strict=True)):
            if places[slot].holds != TILE:
                continue
            one = replace(places[slot], corners_mm=canvas.faces[number].corners_mm)
            strange = float(search.unexplained_mm2[number])
            hidden = float((search.covered[canvas.label == number] >= 0.5).mean()) if pieces else 0.0
            unlike = strange > largest and not self._shows_its_print(canvas, number, one, search.covered)
            if unlike or hidden > HIDDEN_TILE:
                places[slot] = replace(one.in_doubt(STRANGE_TILE_P), pieces_p=0.0)
                continue
            rests = Counted.of(pieces, search.refused[number], counting_mm2(float(search.room_mm2[number]), strange))
            counts = tuple(sorted(Counter(piece.colour for piece in pieces).items()))
            sure = count_probability(rests, ON_PRINT)
            if sure < SURE and one.p < NAMED_BESIDE_DOUBT:
                one = one.in_doubt(STRANGE_TILE_P)
            if any(self._may_be_rim(canvas, search.covered, piece, model) for piece in pieces):
                sure = min(sure, GOES_ON_P)
            places[slot] = replace(one, pieces=counts, pieces_p=sure, found=tuple(pieces), counted=rests)

    def _may_be_rim(self, canvas: Canvas, covered: np.ndarray, one: FoundPiece, model: PieceModel) -> bool:
        """Whether little speaks for a piece and most of it is not seen on its tile, or what it looks like goes on
        beyond it: the table beside a tile, its rim, light. `covered`: see `PieceSearch`."""
        if one.evidence >= FAINT_NATS:
            return False
        lean_mm = (model.lean() - 1.0) * (np.array(one.foot_mm) - model.camera_mm[:2])
        return one.shown < MOSTLY_SHOWN or goes_on(canvas, covered, one.foot_mm, lean_mm, model.side_mm)

    def _shows_its_print(self, canvas: Canvas, number: int, one: PlaceReading, covered: np.ndarray) -> bool:
        """Whether a tile unlike its face is that face in uneven light: its print is seen, and no rival's print fits as
        well. `covered`: see `PieceSearch`."""
        place = canvas.faces[number]
        seen = canvas.seen.astype(np.uint8)
        hidden = ((covered > 0.0) * 255).astype(np.uint8)
        origin = (canvas.window.left_mm, canvas.window.top_mm)
        own = replace(place, scan=self.faces.scans[one.likeliest])
        if detail_likeness(seen, own, origin, hidden) < LIKE_ITS_PRINT:
            return False
        rivals = [face for face, _ in one.alternatives if face != one.likeliest][:MOST_RIVALS]
        return beside_rivals(seen, own, [self.faces.scans[face] for face in rivals], origin, hidden) > TWINS_APART

    def _strange_cards(self, canvas: Canvas, places: Places, slots: Sequence[Slot]) -> list[Slot]:
        """Of the `slots` whose faces make up the canvas, the cards that do not look like their face."""
        if all(places[slot].holds == TILE for slot in slots):
            return []
        return [
            slot
            for slot, part in zip(slots, strange_shares(canvas), strict=True)
            if places[slot].holds != TILE
            and part > (STRANGE_CARD if places[slot].likeness >= LIKE_A_FACE else STRANGE_IF_UNLIKE)
        ]


def _is_of_its_kind(one: PlaceReading) -> bool:
    """Whether a face, or one of its twins, surely lies there: which of them matters little to the light."""
    return one.state is PlaceState.FACE or sum(p for _, p in one.alternatives) >= ACCEPTED


def table_seen(seen: np.ndarray, canvas: Canvas) -> SeenTable:
    """The picture (H, W, 3) uint8 of a canvas' window, as faces are fitted to it."""
    return SeenTable(seen, (canvas.window.left_mm, canvas.window.top_mm), partial(colour_blur_px, canvas))
