"""Finds the pieces that stand on faces: which colours, how many, where each foot is, and how sure that is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

import cv2
import numpy as np

from vision.appearance.canvas import Canvas
from vision.appearance.picture_light import PieceColours
from vision.appearance.placed_face import PX_PER_MM
from vision.pieces.candidates import Pool, Region, tops_shown
from vision.pieces.joint_search import PERHAPS_ONE, Rearranger, perhaps_one
from vision.pieces.light.light_beside import LightBeside
from vision.pieces.light.seen_through import PrintSeen
from vision.pieces.likelihood_maps import (
    WORST,
    PieceLooks,
    bare_likelihoods,
    inner_pixels,
    margin_in_own_light,
    margin_in_shadow,
)
from vision.pieces.no_piece import left_for, told_from_shadows
from vision.pieces.one_more import OneMore
from vision.pieces.probability import chance_level
from vision.pieces.scene import ACCEPTED, UNEXPLAINED, Chooser
from vision.pieces.shadows import Shadows, cast_mask
from vision.pieces.shapes import YAWS, Hypothesis, PieceModel

# Mean misfit (nats a pixel) of bare faces over a piece's area from which a place is searched closely.
SUSPICION = 0.9

# What is refused because it may be a shadow beside a piece is weighed with half of that belief.
HALF_BELIEVED = 0.5

# A foot may stand so far, in sides, from where the misfit of its area exceeds the suspicion.
FOOT_REACH = 0.4

# Part of a piece's side that is the width of the least patch of unexplained print in which a piece may stand that was
# not found. Of nine faces of rendered rough rooms with such a piece the least wide patch had 116 mm2, of 36 without
# (gloss, sun, worn edges) 25 had less than 65 mm2.
ROOM = 0.6

# A region shows so many sides beyond the places where a foot may stand, and the lean of a piece.
AROUND = 0.8

# Two pieces nearer to each other than this part of a side are in one spot.
SAME_SPOT = 0.9


@dataclass(frozen=True, slots=True)
class FoundPiece:
    """A piece: its colour, centre of its foot (table mm), evidence for it and over the next colour (nats), and the part
    (0..1) of it that is `shown` where the bare face's look is known."""

    colour: str
    foot_mm: tuple[float, float]
    yaw_deg: float
    evidence: float
    colour_margin: float
    shown: float = 1.0

    def is_at(self, other: FoundPiece, side_mm: float) -> bool:
        """Whether both stand in one spot, of which pieces of `side_mm` have room for one."""
        return bool(np.hypot(*np.subtract(self.foot_mm, other.foot_mm)) < SAME_SPOT * side_mm)


@dataclass(frozen=True, slots=True, eq=False)
class PieceSearch:
    """All pieces on a canvas; per face the evidence of the best refused hypothesis and what remains unexplained.

    `unexplained_mm2`: (F,) area of a face that neither print, shadow nor piece explains; `room_mm2`: (F,) the part of
    it that is wide enough for a piece to stand there. `covered` (H, W) float32: part of each pixel that pieces cover.
    `refused_of`: per face and colour the nats of the best refused hypothesis, without those that nothing speaks for.
    `hypotheses`: of each piece how it stands in its region, and the rows and columns of that.
    """

    pieces: tuple[FoundPiece, ...]
    unexplained_mm2: np.ndarray
    room_mm2: np.ndarray
    covered: np.ndarray
    refused_of: tuple[Mapping[str, float], ...]
    hypotheses: tuple[tuple[Hypothesis, tuple[slice, slice]], ...] = ()

    @property
    def refused(self) -> tuple[float, ...]:
        """Per face the nats of the best refused hypothesis of any colour."""
        return tuple(max(each.values(), default=0.0) for each in self.refused_of)


@dataclass(frozen=True, slots=True, eq=False)
class Examined:
    """What the pixels of a canvas say for bare faces and for pieces of a finder's colours; no light changes it.

    `inner`: its `inner_pixels`; `bare`, `relief`: see `bare_likelihoods`. `regions`: where bare faces explain badly.
    """

    canvas: Canvas
    inner: np.ndarray
    bare: np.ndarray
    relief: np.ndarray
    regions: tuple[Region, ...]


class PieceFinder:
    """Searches a canvas for pieces of given colours and shape."""

    def __init__(self, colours: PieceColours, piece: PieceModel) -> None:
        self.colours = colours
        self.piece = piece
        self.side_px = piece.side_mm * PX_PER_MM

    def search(
        self, canvas: Canvas, shadows: Shadows | None = None, *, crowded: bool = False, printed: bool = False
    ) -> PieceSearch:
        """The pieces that stand on the faces of a canvas.

        `shadows`: where they must fall, if the light is known. `crowded`: many pieces may touch; sets of them are
        searched, which takes longer. `printed`: the bare faces are scans, through whose print no piece is seen; a table
        between faces is known by what is seen of it only.
        """
        examined = self.examine(canvas, crowded=crowded)
        return self.search_examined(examined, self.colours.names, shadows, crowded=crowded, printed=printed)

    def examine(self, canvas: Canvas, *, crowded: bool = True) -> Examined:
        """What a canvas says, for any number of searches; where not `crowded`, for such alone."""
        inner = inner_pixels(canvas)
        bare, relief = bare_likelihoods(canvas, inner)
        regions = (self._region(canvas, bare, inner, box, feet, crowded) for box, feet in self._suspicious(bare))
        return Examined(canvas, inner, bare, relief, tuple(region for region in regions if region is not None))

    def search_examined(
        self,
        examined: Examined,
        names: Collection[str],
        shadows: Shadows | None = None,
        *,
        crowded: bool = False,
        printed: bool = False,
        owners: np.ndarray | None = None,
    ) -> PieceSearch:
        """As `search`, of an examined canvas, for pieces of the named colours alone. `owners` (H, W) int16: instead of
        for the faces, what is refused and unexplained is told for these parts of the canvas, counted from 0; -1: none.
        """
        canvas, bare, relief = examined.canvas, examined.bare, examined.relief
        asked = [k for k, name in enumerate(self.colours.names) if name in names]
        owner = canvas.label if owners is None else owners
        faces = len(canvas.face_levels) if owners is None else max(0, int(owner.max()) + 1)
        refused: list[dict[str, float]] = [{} for _ in range(faces)]
        not_tried: list[dict[str, float]] = [{} for _ in range(faces)]
        covered = np.zeros(bare.shape, np.float32)
        print_seen = PrintSeen(canvas, examined.inner) if printed else None
        beside = LightBeside(canvas, bare, examined.inner) if printed else None
        found: list[tuple[FoundPiece, int, Hypothesis, tuple[slice, slice]]] = []
        searched: list[tuple[Region, Chooser]] = []
        for region in examined.regions:
            box = region.box
            region = region.of_colours(asked)
            origin = np.array([box[1].start, box[0].start])
            chooser = Chooser(relief[box], self.side_px, self._cast(canvas, box, shadows))
            searched.append((region, chooser))
            chosen, left, untried = self._explain(region, chooser, print_seen, crowded, beside)
            for one, evidence, margin in chosen:
                foot = canvas.window.to_mm(one.foot_px + origin)
                at = (float(foot[0]), float(foot[1]))
                name = self.colours.names[asked[one.colour]]
                x, y = (one.foot_px + origin).astype(int)
                in_light = margin_in_own_light if printed else margin_in_shadow
                margin = min(margin, in_light(canvas, self.colours, box, one, asked))
                shown = _share(one, examined.inner[box]) if printed else 1.0
                piece = FoundPiece(name, at, one.yaw * 90.0 / YAWS, evidence, margin, shown)
                found.append((piece, int(owner[y, x]), one, box))
            for places, into in ((left, refused), (untried, not_tried)):
                for one, evidence in places:
                    x, y = (one.foot_px + origin).astype(int)
                    if (face := owner[y, x]) >= 0 and evidence > 0.0:
                        name = self.colours.names[asked[one.colour]]
                        into[face][name] = max(into[face].get(name, 0.0), evidence)
        pieces = []
        hypotheses: list[tuple[Hypothesis, tuple[slice, slice]]] = []
        by_chance: list[tuple[int, FoundPiece]] = []
        for piece, face, one, box in found:
            level = chance_level(refused, face, piece.colour) if printed and face >= 0 else 1.0
            if level > 1.0 and 0.0 < piece.evidence < ACCEPTED * level:
                by_chance.append((face, piece))
                continue
            pieces.append(replace(piece, evidence=min(piece.evidence, piece.evidence / level)))
            hypotheses.append((one, box))
            part = covered[box][one.where]
            np.maximum(part, np.maximum(one.top, one.side), out=part)
        for face, piece in by_chance:
            refused[face][piece.colour] = max(refused[face].get(piece.colour, 0.0), piece.evidence)
        if printed:
            touching = OneMore(canvas, bare, examined.inner, self.colours, self.piece, covered)
            for region, chooser in searched:
                chosen_here = [one for one, box in hypotheses if box is region.box]
                scene = chooser.scene(chosen_here, near=0.0, far=0.0)
                for colour, (x, y), nats in touching.beside(region, asked, chosen_here, scene):
                    into, name = not_tried[owner[int(y), int(x)]], self.colours.names[asked[colour]]
                    into[name] = max(into.get(name, 0.0), nats)
        # what was left untried speaks against its own face alone, not for what pieces show by chance on others
        for mine, others in zip(refused, not_tried, strict=True):
            mine |= {name: max(mine.get(name, 0.0), nats) for name, nats in others.items()}
        halo = cv2.dilate((covered >= 0.5).astype(np.uint8), np.ones((5, 5), np.uint8))  # its edges are a mixture
        rest = ((bare < -UNEXPLAINED) & (halo == 0)).astype(np.uint8)
        # cameras sharpen: lines along the edges of print are nothing strange, patches are
        patches = cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        wide = cv2.morphologyEx(
            patches, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(ROOM * self.side_px),) * 2)
        )
        area, room = (_areas_mm2(owner[part > 0], faces) for part in (patches, wide))
        return PieceSearch(tuple(pieces), area, room, covered, tuple(refused), tuple(hypotheses))

    def told_from_print(
        self, examined: Examined, search: PieceSearch, names: Collection[str]
    ) -> tuple[FoundPiece, ...]:
        """The pieces of the named colours that a search of an examined canvas found, without those that are print:
        which is seen through them, or explains them as well in the light beside them or in a brighter one."""
        print_seen = PrintSeen(examined.canvas, examined.inner)
        light_beside = LightBeside(examined.canvas, examined.bare, examined.inner)
        asked = [
            (piece, one, box) for piece, (one, box) in zip(search.pieces, search.hypotheses, strict=True)
            if piece.colour in names
        ]  # fmt: skip
        out: list[FoundPiece] = []
        for _, together in groupby(asked, key=lambda each: id(each[2])):
            mine = list(together)
            box = mine[0][2]
            chooser = Chooser(examined.relief[box], self.side_px)
            told, _ = told_from_shadows([one for _, one, _ in mine], chooser, box, print_seen, light_beside)
            left = {id(one) for one, _ in told}
            out += [piece for piece, one, _ in mine if id(one) in left]
        return tuple(out)

    def standing(self, examined: Examined, names: Collection[str]) -> tuple[list[tuple[float, float]], np.ndarray]:
        """Where the pieces of the named colours stand that are found one by one when no light is known: the middles of
        their feet, table mm, the surest first, and (H, W) float32, the part of each pixel that they cover. Nothing is
        asked of rivals or of what is left over, nor whether one is two that touch: the others tell the light as well.
        """
        asked = [k for k, name in enumerate(self.colours.names) if name in names]
        found: list[tuple[float, tuple[float, float]]] = []
        covered = np.zeros(examined.bare.shape, np.float32)
        for region in examined.regions:
            box = region.box
            region = region.of_colours(asked)
            chooser = Chooser(examined.relief[box], self.side_px)
            chosen = chooser.one_by_one(self._pool(region, chooser, crowded=False).peaks())
            weighed, _ = told_from_shadows(chosen, chooser, box, None)
            scene = chooser.scene([one for one, _ in weighed], near=0.0, far=0.0)
            covered[box] = np.maximum(covered[box], scene.covered)
            origin = np.array([box[1].start, box[0].start])
            for one, evidence in weighed:
                foot = examined.canvas.window.to_mm(one.foot_px + origin)
                found.append((evidence, (float(foot[0]), float(foot[1]))))
        found.sort(key=lambda each: -each[0])
        return [foot for _, foot in found], covered

    def _suspicious(self, bare: np.ndarray) -> Iterator[tuple[tuple[slice, slice], np.ndarray]]:
        """Boxes around places where bare faces explain the picture badly, and (h, w) bool where feet may stand."""
        side = round(self.side_px * 0.9)
        mean = cv2.boxFilter(-bare, -1, (side, side), borderType=cv2.BORDER_CONSTANT)
        reach = 2 * round(self.side_px * FOOT_REACH) + 1
        around = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
        spots = cv2.dilate((mean > SUSPICION).astype(np.uint8), around)
        _, labels = cv2.connectedComponents(spots, connectivity=8)
        margin = round(self.side_px * AROUND)
        h, w = bare.shape
        for number, (left, top, right, bottom) in sorted(_boxes(spots, labels).items()):
            box = (
                slice(max(0, top - margin), min(h, bottom + margin)),
                slice(max(0, left - margin), min(w, right + margin)),
            )
            yield box, labels[box] == number

    def _region(
        self,
        canvas: Canvas,
        bare: np.ndarray,
        inner: np.ndarray,
        box: tuple[slice, slice],
        feet: np.ndarray,
        crowded: bool,
    ) -> Region | None:
        """What the pixels of a box say for pieces: between faces, whose look is not known, only against. None where no
        colour shows enough of a top."""
        looks, known, here = PieceLooks.of(canvas, self.colours, box), inner[box], bare[box]

        def against_bare(told: np.ndarray) -> np.ndarray:
            return np.where(known, told - here, np.minimum(told + np.float32(0.5 * WORST), np.float32(0.0)))

        tops, feet = against_bare(looks.tops()), feet & (canvas.label[box] >= 0)
        centre = np.array([(box[1].start + box[1].stop) / 2, (box[0].start + box[0].stop) / 2])
        away = canvas.window.to_mm(centre) - np.array(self.piece.camera_mm[:2])
        lean = away * (self.piece.lean() - 1.0) * PX_PER_MM
        shown = tops_shown(tops, feet, lean, self.side_px, crowded=crowded)
        if not shown.any():
            return None
        sides = against_bare(looks.sides(np.flatnonzero(shown).tolist()))
        return Region(box, feet, lean, tops, sides, shown)

    def _cast(
        self, canvas: Canvas, box: tuple[slice, slice], shadows: Shadows | None
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """What the pixels of a box say for shadows, and the shadow of a piece there."""
        if shadows is None:
            return None
        middle = np.array([(box[1].start + box[1].stop) / 2, (box[0].start + box[0].stop) / 2])
        height_mm = self.piece.height_mm or self.piece.side_mm
        reach_mm = shadows.light.reach_mm(canvas.window.to_mm(middle), height_mm)
        return shadows.gain[box], cast_mask(self.side_px, reach_mm * PX_PER_MM)

    def _explain(
        self,
        region: Region,
        chooser: Chooser,
        print_seen: PrintSeen | None,
        crowded: bool,
        light_beside: LightBeside | None,
    ) -> tuple[
        list[tuple[Hypothesis, float, float]], list[tuple[Hypothesis, float]], list[tuple[Hypothesis, float]]
    ]:
        """The pieces that explain a region best (evidence, margin over another colour), what was refused, and what was
        left untried where there are too many; each with the evidence for it."""
        peaks, weighed, dark, untried = self._chosen(region, chooser, print_seen, light_beside, crowded=crowded)
        if not peaks:
            return [], [], []
        chosen = [one for one, _ in weighed]
        taken = []
        for one, evidence in weighed:
            beside = chooser.scene(chooser.beside(one, [c for c in chosen if c is not one]), far=1.0)
            rivals = [beside.gain(c) for c in peaks if c.colour != one.colour and chooser.close(c, one)]
            taken.append((one, evidence, beside.gain(one) - max(rivals, default=0.0)))
        scene = chooser.scene(chosen, near=HALF_BELIEVED, far=0.0)
        # what was refused need not be one of the local best: one of two that touch is none
        others = [c for c in [*peaks, *(one for one, _ in dark)] if not any(chooser.close(c, o) for o in chosen)]
        refused = [(c, gain * left_for(c, region.box, print_seen)) for c in others if (gain := scene.gain(c)) > 0.0]
        twice = [(c, PERHAPS_ONE) for c in (perhaps_one(chosen, peaks, chooser) if crowded else ())]
        return taken, [*refused, *dark, *twice], untried

    def _chosen(
        self,
        region: Region,
        chooser: Chooser,
        print_seen: PrintSeen | None,
        light_beside: LightBeside | None = None,
        *,
        crowded: bool,
    ) -> tuple[
        list[Hypothesis], list[tuple[Hypothesis, float]], list[tuple[Hypothesis, float]], list[tuple[Hypothesis, float]]
    ]:
        """The local best hypotheses of a region; of them and of those between the pieces that explain it best, with
        their evidence; what was refused, see `told_from_shadows`; and what was left untried, see `Rearranger`."""
        pool = self._pool(region, chooser, crowded=crowded)
        peaks = pool.peaks()
        if not peaks:
            return [], [], [], []
        chosen = chooser.choose(peaks, pool.pairs)
        arranged = Rearranger(pool, chooser)
        chosen, untried = arranged.improve(chosen) if crowded else arranged.with_hidden(chosen)
        return peaks, *told_from_shadows(chosen, chooser, region.box, print_seen, light_beside), untried

    def _pool(self, region: Region, chooser: Chooser, *, crowded: bool) -> Pool:
        top_px = self.side_px * self.piece.lean()
        return Pool(region, top_px, self.side_px, self.piece.shape, chooser.scene([]), crowded=crowded)


def _boxes(spots: np.ndarray, labels: np.ndarray) -> dict[int, tuple[int, int, int, int]]:
    """Left, top, right and bottom of every component of `spots` (H, W), by its label: OpenCV's own statistics of the
    components take ten times as long on a canvas."""
    out: dict[int, tuple[int, int, int, int]] = {}
    for contour in cv2.findContours(spots, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
        x, y = contour[0, 0].tolist()
        left, top, width, height = cv2.boundingRect(contour)
        out[int(labels[y, x])] = (left, top, left + width, top + height)
    # a component in the hole of another is none of the outermost
    for number in set(range(1, int(labels.max()) + 1)) - set(out):
        ys, xs = np.nonzero(labels == number)
        out[number] = (int(xs.min()), int(ys.min()), int(xs.max()) + 1, int(ys.max()) + 1)
    return out


def _share(one: Hypothesis, known: np.ndarray) -> float:
    """Part (0..1) of a piece in a region of which pixels are `known` (h, w) bool that these show."""
    whole = one.top + one.side
    return float(whole[known[one.where]].sum() / max(float(whole.sum()), 1e-6))


def _areas_mm2(owners: np.ndarray, faces: int) -> np.ndarray:
    """(F,) mm2 of the pixels that belong to each face, given their owners (N,), -1: none."""
    return np.asarray(np.bincount(owners[owners >= 0], minlength=faces)[:faces] / PX_PER_MM**2)
