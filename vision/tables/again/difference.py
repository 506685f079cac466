"""Counts what was put down and taken away in a place since an earlier picture in which it was known what lay there.

A dark piece on dark print, or any piece on print under gloss, differs more from the same place without it than from
what a scan of the face leads one to expect. The earlier crop takes the place of the scan: pieces are searched that are
new in the later picture, and, with both exchanged, those that are gone from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.core.layout import TableLayout
from companion.core.types import Face
from vision.appearance.broad_light import broad_light
from vision.appearance.canvas import Canvas, Window, print_slack
from vision.appearance.picture_light import BLACK, SATURATED, PictureLight, PieceColours
from vision.appearance.placed_face import PX_PER_MM
from vision.appearance.print_detail import same_print
from vision.median import median
from vision.pieces.finder import Examined, FoundPiece, PieceFinder, PieceSearch
from vision.pieces.likelihood_maps import COLOUR_SPREAD, MODEL_NOISE
from vision.pieces.probability import Counted, count_probability
from vision.pieces.scene import UNEXPLAINED
from vision.pieces.shapes import YAWS, PieceModel, masks, place_mask
from vision.tables.again.changed_look import CHANGED_LOOK, LEAST_TOP, change_of_look

# Pixels of a place of which fewer can be compared say nothing about the light between two pictures.
LEAST_COMPARED = 64

# The light's change over a place is fitted to every so many pixels, in so many rounds; a relative error of a pixel at
# which it counts half: print beside its own edge differs by as much.
PLANE_STEP, PLANE_ROUNDS, PLANE_SPREAD = 5, 8, 0.06

# The same of a face that was laid over what is seen as well as it goes: others came to 0.6 so.
PUSHED_PRINT = 0.7

# Between two settled pictures people lay two pieces on a tile; a hand of a piece's colour looks like more.
MOST_CAME = 2

# Part of a pixel that a top covers from which it shows nothing else.
INNER = 0.9

# A piece that still stands there may be so much darker or brighter than its face has become, from a person's shadow to
# hard sun; the mean square of its pixels' errors, in standard deviations, is less than the third.
RELIT, SAME_COLOUR = (0.6, 1.7), 2.0

# Grey levels by which what strays in a lens, or glosses, may have changed besides.
VEILED = (-15.0, 40.0)

# Correlation of the fine detail of a place with what it showed before from which the same face lies there: in four
# rendered rough films 99 % of some 1,000 unmoved faces had 0.63 and more, with the pieces on them, 20 others in one
# place 0.42 at most. The strip along the outline is left out.
SAME_PRINT, RIM_PX = 0.6, 4

# Part of a pixel that a found piece covers or blurs into from which it is explained; px around what is unexplained in
# which print is looked for.
EDGE_SHARE, PATCH_PX = 0.5, 3

# Probability that a piece came, where the face was laid down another way up: the edge of the sun or of a shadow that
# fell on it is turned with it, and looks like something new.
TURNED_P = 0.5

# A pushed face is laid over what is seen in so many steps, or until they change so little, in pictures blurred so much.
PUSH_ENDS, PUSH_BLUR_PX = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 60, 1e-4), 5

# A piece in a person's shadow, or beside gloss that its face shows and it does not, has so much of the face's light; it
# leaves at least this part of the square of its side unexplained.
SHADED, SHADED_PART = (0.75, 0.55), 0.8

# Part of the evidence for such a piece that counts: a light that is tried until it fits tells less.
HALF_TOLD = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class KnownPlace:
    """What was known to lie in a place: its face, its pieces sorted by colour, and `seen_bgr` (h, w, 3) uint8, what
    `window` showed then. `found`: those of the pieces of which it is known where they stood. `corners_mm` (4, 2): where
    the face lay; `place_mm` (4, 2): the slot. `p`: probability that
    just these pieces lay there."""

    face: Face
    pieces: tuple[tuple[str, int], ...]
    found: tuple[FoundPiece, ...]
    window: Window
    seen_bgr: np.ndarray
    corners_mm: np.ndarray
    place_mm: np.ndarray
    p: float


@dataclass(frozen=True, slots=True)
class PlaceDifference:
    """The pieces that lie in a place now, if its face still lies there, and the probability that they and it do.

    `found`: those of which it is known where they stand. `counted`: what `p` rests on; `same_print`:
    correlation of the fine detail with that of before, less than `SAME_PRINT` where the face was moved or is another.
    """

    pieces: tuple[tuple[str, int], ...]
    p: float
    found: tuple[FoundPiece, ...]
    counted: Counted
    same_print: float
    unborne: bool = False
    """Whether a piece that the picture alone counts besides those that lay there would stand where nothing changed."""


@dataclass(frozen=True, slots=True, eq=False)
class _Change:
    """Pieces that came and went, the pixels (h, w) bool that they hide, the most evidence (nats) of a piece that was
    refused, the area that nothing explains, and by how much (nats) a spot's better explanation beats the other."""

    came: tuple[FoundPiece, ...]
    went: tuple[FoundPiece, ...]
    covered: np.ndarray
    refused: float
    unexplained_mm2: float
    margin: float


class DifferenceReader:
    """Compares places of one layout with how they looked before."""

    def __init__(self, layout: TableLayout, colours: PieceColours) -> None:
        """`layout` gives the sizes of its pieces, `colours` how they look."""
        self.layout, self.colours = layout, colours

    def read(
        self, known: KnownPlace, seen: np.ndarray, light: PictureLight, level: float,
        eye_mm: tuple[float, float, float], corners_mm: np.ndarray | None = None, alone: Sequence[FoundPiece] = (),
    ) -> PlaceDifference | None:
        """What lies in a place now: `seen` (h, w, 3) uint8 shows its window.

        `light`: that of the picture, `level`: how much brighter than that the face is lit. None where the two pictures
        cannot be compared. A face that was pushed is first laid where it lies now, near `corners_mm` (4, 2); None: it
        was not, or another one may lie there. `alone`: the pieces that the picture shows by itself.
        """
        told = self._as_it_lay(known, seen, light, level, eye_mm, alone)
        if told is None or told.same_print >= SAME_PRINT or corners_mm is None:
            return told
        pushed = _pushed(known, seen, corners_mm)
        again = None if pushed is None else self._as_it_lay(pushed, seen, light, level, eye_mm, alone)
        if pushed is None or again is None or again.same_print < PUSHED_PRINT:
            return told
        came = Counter(dict(again.pieces)) - Counter(dict(known.pieces))
        return replace(again, p=min(again.p, TURNED_P)) if came and _is_turned(known, pushed) else again

    def _as_it_lay(
        self, known: KnownPlace, seen: np.ndarray, light: PictureLight, level: float,
        eye_mm: tuple[float, float, float], alone: Sequence[FoundPiece],
    ) -> PlaceDifference | None:
        """As `read`, of a face that was not pushed."""
        label = np.where(known.window.mask([known.corners_mm], 0.0), 0, -1).astype(np.int16)
        now, then = seen.astype(np.float32), known.seen_bgr.astype(np.float32)
        bare = _in_light_of(then, now, label >= 0)
        if bare is None:
            return None
        piece = PieceModel.on_face(self.layout, eye_mm)
        laid = _canvas(known.window, now, bare, label, light, level)
        came_alone = Counter(one.colour for one in alone) - Counter(dict(known.pieces))
        changed = Counter(one.colour for one in alone if came_alone[one.colour] and _is_changed(one, piece, laid))
        stood = {one: _masks(one, piece, known.window, label.shape) for one in known.found}
        still = {one: _blurred(hides) for one, (top, hides) in stood.items() if _is_relit(laid, top)}
        standing = np.any([np.zeros(label.shape, bool), *still.values()], axis=0)
        laid = replace(laid, bare=np.where(standing[..., None], now, laid.bare))
        known_there, there = Counter(dict(known.pieces)), Counter(one.colour for one in still)
        own = tuple((known_there - there).keys())
        change = self._in_any_light(PieceFinder(self.colours, piece), laid, now, own)
        came = []
        for one in change.came:  # a piece of which it was not known where it stood may be there in another light
            top, hides = _masks(one, piece, known.window, label.shape)
            if known_there[one.colour] > there[one.colour] and _is_relit(replace(laid, bare=bare), top):
                there[one.colour] += 1
                still[one] = _blurred(hides)
            else:
                came.append(one)
        gone = Counter(one.colour for one in change.went)
        counts = known_there - gone + Counter(one.colour for one in came)
        counted = Counted.of((*came, *change.went), change.refused, change.unexplained_mm2)
        counted = replace(counted, weakest=min(counted.weakest, change.margin))
        covered = np.any([change.covered, *(_blurred(hides) for _, hides in stood.values())], axis=0)
        inside = cv2.erode((label >= 0).astype(np.uint8), np.ones((2 * RIM_PX + 1,) * 2, np.uint8)) > 0
        same = same_print(seen, known.seen_bgr, inside & ~covered)
        possible = same >= SAME_PRINT and len(came) <= MOST_CAME and gone <= known_there - there
        return PlaceDifference(
            tuple(sorted(counts.items())), count_probability(counted) if possible else 0.0, (*still, *came),
            counted, same, same >= SAME_PRINT and bool(came_alone - changed),
        )  # fmt: skip

    def _in_any_light(self, finder: PieceFinder, laid: Canvas, now: np.ndarray, own: tuple[str, ...]) -> _Change:
        """As `_change`; where a thing as large as a piece remains unexplained it may be one in a shadow, or on gloss,
        which makes its face look better lit than a piece is."""
        change = self._change(finder, laid, now, own)
        least = SHADED_PART * self.layout.piece_side_mm**2
        if change.unexplained_mm2 < least:
            return change
        for level in SHADED:
            shaded = replace(laid, face_levels=tuple(level * one for one in laid.face_levels))
            other = self._change(finder, shaded, now, own)
            if other.came and other.unexplained_mm2 < change.unexplained_mm2 - least:
                came = tuple(replace(one, evidence=HALF_TOLD * one.evidence) for one in other.came)
                change = replace(other, came=came)
        return change

    def _change(self, finder: PieceFinder, laid: Canvas, now: np.ndarray, own: tuple[str, ...]) -> _Change:
        """What came, and which pieces of the colours `own` went. `now` (h, w, 3) float32: what is seen.

        Where a piece has stood print appears, which may look like another piece, and the other way round.
        """
        every = self.colours.names
        examined = finder.examine(laid)
        new = finder.search_examined(examined, every)
        if not own:
            came, refused = _seen_whole(new, finder.piece, laid)
            return _Change(came, (), new.covered > 0.0, refused, _unexplained_mm2(examined, new), np.inf)
        before = replace(laid, seen=laid.bare, bare=now, slack=print_slack(now))
        old = finder.search_examined(finder.examine(before), own)
        false_new, false_old, margin = self._false(new.pieces, old.pieces)
        gone, put = self._cover(laid, old, false_old), self._cover(laid, new, false_new)
        if gone.any():
            examined = finder.examine(replace(laid, bare=np.where(gone[..., None], now, laid.bare)))
            new = finder.search_examined(examined, every)
        if put.any():
            before = replace(before, bare=np.where(put[..., None], before.seen, now))
            old = finder.search_examined(finder.examine(before), own)
        came, refused = _seen_whole(new, finder.piece, examined.canvas)
        refused = max(refused, old.refused[0])
        return _Change(came, old.pieces, gone | put, refused, _unexplained_mm2(examined, new), margin)

    def _false(
        self, new: Sequence[FoundPiece], old: Sequence[FoundPiece]
    ) -> tuple[list[FoundPiece], list[FoundPiece], float]:
        """Of each the pieces whose spot the other picture's piece explains better, and by how much at least."""
        false_new, false_old, margin = [], [], float("inf")
        for a in new:
            for b in old:
                if a.is_at(b, self.layout.piece_side_mm):  # one spot: new in one picture, or gone from the other
                    margin = min(margin, abs(a.evidence - b.evidence))
                    if a.evidence < b.evidence:
                        false_new.append(a)
                    else:
                        false_old.append(b)
        return false_new, false_old, margin

    def _cover(self, laid: Canvas, found: PieceSearch, false: Sequence[FoundPiece]) -> np.ndarray:
        """(h, w) bool: what the pieces found hide, without those that are `false`."""
        hidden = cv2.dilate((found.covered > 0.0).astype(np.uint8), np.ones((3, 3), np.uint8))
        for piece in false:
            x, y = np.round(laid.window.to_px(np.array(piece.foot_mm))).astype(int).tolist()
            cv2.circle(hidden, (x, y), round(self.layout.piece_side_mm * PX_PER_MM), 0, -1)
        return np.asarray(hidden > 0)


def _is_turned(known: KnownPlace, pushed: KnownPlace) -> bool:
    """Whether a face lies another way up than it lay."""
    before, now = (each.corners_mm[1] - each.corners_mm[0] for each in (known, pushed))
    return bool(before @ now < np.cos(np.pi / 4) * np.linalg.norm(before) * np.linalg.norm(now))


def _pushed(known: KnownPlace, seen: np.ndarray, lies: np.ndarray) -> KnownPlace | None:
    """`known` as it would look where its face lies now, near corners (4, 2) mm: shifted and turned, its pieces standing
    anywhere; None where no such way is found."""
    face = known.window.mask([lies], 0.0).astype(np.uint8)
    inside = cv2.erode(face, np.ones((2 * RIM_PX + 1,) * 2, np.uint8)) > 0
    to_px, size = known.window.to_px, (seen.shape[1], seen.shape[0])
    turned = (np.roll(lies, quarter, axis=0) for quarter in range(4))
    ways = [cv2.estimateAffinePartial2D(to_px(known.corners_mm), to_px(corners))[0] for corners in turned]
    laid = [(way, _warped(known.seen_bgr, way, size)) for way in ways if way is not None]
    if not laid:
        return None
    way, moved = max(laid, key=lambda each: same_print(seen, each[1], inside))
    finer = _nudge(moved, seen, face)
    if finer is not None and same_print(seen, nudged := _warped(moved, finer, size), inside) > same_print(
        seen, moved, inside
    ):
        way, moved = (np.vstack([finer, [0, 0, 1]]) @ np.vstack([way, [0, 0, 1]]))[:2], nudged
    corners = cv2.transform(to_px(known.corners_mm)[None], way)[0]
    return replace(known, seen_bgr=moved, corners_mm=known.window.to_mm(corners), found=())


def _warped(picture: np.ndarray, way: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    return np.asarray(cv2.warpAffine(picture, way, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _nudge(moved: np.ndarray, seen: np.ndarray, face: np.ndarray) -> np.ndarray | None:
    """(2, 3): the small way by which `moved` comes to lie on what is seen of the `face`; None where none is found."""
    then, now = (cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) for picture in (moved, seen))
    try:
        _, back = cv2.findTransformECC(
            now, then, np.eye(2, 3, dtype=np.float32), cv2.MOTION_EUCLIDEAN, PUSH_ENDS, face, PUSH_BLUR_PX
        )
    except cv2.error:  # it does not converge: another face
        return None
    return np.asarray(cv2.invertAffineTransform(back))


def _in_light_of(then: np.ndarray, now: np.ndarray, face: np.ndarray) -> np.ndarray | None:
    """`then` (h, w, 3) float32 as the light of `now` would show it, by most of the `face` (h, w) bool: each channel's
    gain, and how much brighter or darker it became over the place, a bent plane."""
    usable = face & (then < SATURATED).all(-1) & (now < SATURATED).all(-1)
    if np.count_nonzero(usable) < LEAST_COMPARED:
        return None
    gains = np.median((now[usable] + BLACK) / (then[usable] + BLACK), axis=0).astype(np.float32)
    lit = (then + BLACK) * gains
    height, width = face.shape
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)
    told, bend = terms[usable][::PLANE_STEP], np.zeros(6)
    ratio = np.log((now[usable] + BLACK).sum(-1) / lit[usable].sum(-1))[::PLANE_STEP]
    for _ in range(PLANE_ROUNDS):
        weight = 1.0 / (1.0 + ((ratio - told @ bend) / PLANE_SPREAD) ** 2)
        bend = np.linalg.solve((told * weight[:, None]).T @ told + 1e-3 * np.eye(6), (told * weight[:, None]).T @ ratio)
    lit *= np.exp(terms @ bend)[..., None].astype(np.float32)
    return np.asarray(np.clip(lit - BLACK, 0.0, 255.0), np.float32)


def _unexplained_mm2(examined: Examined, found: PieceSearch) -> float:
    """Area in which neither print, shadow nor piece explains what is seen, and no print is seen that was there before:
    gloss and stray light leave the print's fine detail, a piece hides it."""
    canvas = examined.canvas
    halo = cv2.dilate(found.covered, np.ones((5, 5), np.uint8))  # edges of a piece are a mixture
    rest = ((examined.bare < -UNEXPLAINED) & (halo < EDGE_SHARE) & (canvas.label >= 0)).astype(np.uint8)
    patches = cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(patches, connectivity=8)
    around = np.ones((2 * PATCH_PX + 1,) * 2, np.uint8)
    hidden = 0
    for number in range(1, len(stats)):
        patch = cv2.dilate((labels == number).astype(np.uint8), around) > 0
        if same_print(canvas.seen, canvas.bare, patch) < SAME_PRINT:
            hidden += int(stats[number, cv2.CC_STAT_AREA])
    return hidden / PX_PER_MM**2


def _seen_whole(found: PieceSearch, piece: PieceModel, canvas: Canvas) -> tuple[tuple[FoundPiece, ...], float]:
    """The pieces found that change how their top looks as a whole, and the most evidence (nats) for one refused.

    Print in the colour of pieces looks like one in every picture, pixel by pixel; what speaks for a piece there is the
    change alone, as far as noise need not have made it.
    """
    kept, refused = [], found.refused[0]
    for one in found.pieces:
        top, hides = _masks(one, piece, canvas.window, canvas.label.shape)
        change, nats = change_of_look(canvas, top, hides)
        if change < CHANGED_LOOK:
            refused = max(refused, min(one.evidence, nats))
        else:
            kept.append(one)
    return tuple(kept), refused


def _is_changed(one: FoundPiece, piece: PieceModel, laid: Canvas) -> bool:
    """Whether the look of a piece's place has changed by as much as a piece makes."""
    return change_of_look(laid, *_masks(one, piece, laid.window, laid.label.shape))[0] >= CHANGED_LOOK


def _masks(
    one: FoundPiece, piece: PieceModel, window: Window, shape: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """(h, w) bool each: the inner pixels of a piece's top, and all that it hides."""
    foot = np.array(one.foot_mm)
    away = (foot - np.array(piece.camera_mm[:2])) * (piece.lean() - 1.0) * PX_PER_MM
    cover = masks(piece.side_mm * PX_PER_MM, away, piece.shape)
    yaw = min(round(one.yaw_deg * YAWS / 90.0), len(cover.top) - 1)
    where, cut = place_mask(shape, window.to_px(foot), cover.size // 2)
    top, whole = np.zeros((2, *shape), bool)
    top[where] = cv2.erode((cover.top[yaw][cut] > INNER).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    whole[where] = cover.top[yaw][cut] + cover.side[yaw][cut] > 0.0
    return top, whole


def _blurred(hides: np.ndarray) -> np.ndarray:
    """(h, w) bool: what a piece `hides` (h, w) bool, and what it blurs into."""
    return np.asarray(cv2.dilate(hides.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0)


def _is_relit(laid: Canvas, top: np.ndarray) -> bool:
    """Whether a piece whose top was seen in `top` (h, w) bool is still there, however it is lit now: nothing but its
    brightness may have changed."""
    then, now, slack = laid.bare[top], laid.seen[top], laid.slack[top]
    if len(then) < LEAST_TOP:
        return False
    was, has = np.median(then, axis=0), np.median(now, axis=0)
    shade = float(np.clip((has + BLACK).sum() / (was + BLACK).sum(), *RELIT))
    veil = float(np.clip(np.median(has - shade * was), *VEILED))
    expected = np.minimum(shade * then + veil, 255.0)  # white is cut off in brighter light
    noise = MODEL_NOISE + laid.noise
    off = (now - expected) ** 2 / (noise * noise + (COLOUR_SPREAD * expected) ** 2 + slack * slack)
    return float(off.mean()) < SAME_COLOUR


def _canvas(
    window: Window, seen: np.ndarray, bare: np.ndarray, label: np.ndarray, light: PictureLight, level: float
) -> Canvas:
    """The canvas of `seen` on which `bare` is expected where `label` is 0."""
    slack, face = print_slack(bare), label >= 0
    noise = median(np.abs(seen - bare)[face])
    broad = broad_light(seen, bare, slack, face, noise)
    if broad is not None:
        bare = broad.on(bare)
    return Canvas(window, seen, bare, slack, label, replace(light, noise=noise), (level,), (), broad)
