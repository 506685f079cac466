"""Decides between faces that differ in little, once the light of the whole picture is known and the face is fitted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import cv2
import numpy as np

from companion.core.types import Face
from vision.appearance.face_fit import blur_level, fit_faces, lay_onto
from vision.appearance.fine_print import FinePrint, print_of
from vision.appearance.picture_light import PictureLight
from vision.appearance.placed_face import AFAR_PX, BLURS_PX, PX_PER_MM, FaceScan, PlacedFace, SeenTable, in_face_frame
from vision.appearance.told_apart import told_apart
from vision.median import median

# Candidates taken from the first reading.
CANDIDATES = 4

# Faces of the box are compared, too, that look less than so many times as far away as the likest from afar, at most
# so many: what lies on a face hides what tells it from others, and the first reading may have missed the right one.
ALIKE, MOST_ALIKE = 1.5, 12

# Grey levels from which a pixel is just different when faces are compared from afar.
MOST_APART = 40.0

# Candidates that are fitted by themselves, since with a wrong face a tile may be fitted a little beside its place.
SETTLED = 3

# So many of the likeliest are told apart by their fine print, those only that are fewer nats behind, but always two: of
# the others it is taken to say no more than of the least likely of these. Where the face of the first look is not among
# them, all are: under gloss no face explains the grey levels, and which one does so best is chance.
CLOSEST, DECISIVE = 4, 60.0

# Where a look at half the size finds the same face likeliest as the first look did, those so many nats behind it are
# dropped: of 448 faces, half of them in rough rooms, no rival that came within 30 nats in the end was more than 24
# behind. Where it finds another, the face may lie elsewhere, and all are kept. At least so many remain, for how far the
# next is behind tells how sure the best is; only a face that the first look was so sure of is decided then.
OUT_OF_REACH, LEFT, DECIDED = 2.0 * DECISIVE, 2, 0.999

# The first reading's chance of a face that it did not name.
LEAST_CHANCE = 1e-4

# As on the canvas: how exactly a fitted face lies.
MISPLACED_PX = 0.3

# Grey levels (besides the picture's noise), and part of the level, by which a pixel differs from the face it shows
# once light that varies slowly over the face is put right.
MODEL_NOISE = 4.0
COLOUR_SPREAD = 0.04

# Most that one pixel may speak against a face (nats).
WORST = 6.0

# So many neighbouring pixels count as one observation.
CORRELATED_PX = 6.0

# Nats from which a pixel speaks against a face; one that speaks so against all of them shows something else.
STRANGE = 2.0

# Such pixels around so large an area are a thing that lies on the face, as a token of 15 mm does; its plain parts may
# look like the print, so that all within is left out. Smaller ones are print that is blurred: the price of a card,
# which may be all that tells it from another, is printed on a disc of 60 mm2.
STRANGE_MM2 = 80.0

# Strange pixels so near to each other hang together; what is thinner than a bridge does not join a thing to the print
# beside it.
NEAR_PX, BRIDGE_PX = 5, 5

# Shadows leave a face at least this part of its light; no part is lit much better than most of it.
DARKEST_SHADOW, BRIGHTEST = 0.4, 1.06

# Light is told by what is seen about so far around; where hardly anything is, by the whole face.
SHADOW_PX = 4.0
LEAST_TOLD = 1e-3

# The first reading saw the same pixels, and what pieces hide: its log-odds count little.
TRUST = 0.25

# Logistic regression of "the best face is right" on `features`, fitted on rendered rough rooms
# (docs/measured/reading-the-table.md tells which): 0.68 and 1.07 of 431 close races, six of them wrong. The constant is
# lower, so that no near twin would have been named wrongly: the surest two had 0.91 with 0.2. They were fitted without
# `apart`: of 211 such races, laid where they fit, it names ten more rightly, and none wrongly.
WEIGHTS = (0.0, 1.0)


# A face is not believed where less than this correlation of its print is seen: 99 of 100 true ones have 0.53 and more,
# one that pieces hid, and that was named wrongly, had 0.1.
PRINT_SEEN, UNSEEN = 0.4, 0.5

EACH = np.ones((1, 3), np.float32)

# Part of a pixel from which it is one that nothing hides.
WHOLLY = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """The faces that were compared, and for each (N,) nats: `evidence` of its grey levels, of its fine `print` whatever
    the light, of what is left over `apart` from chance, and `belief` of the first look. `likeness`: correlation of what
    is seen with the print that is seen best of them."""

    faces: tuple[Face, ...]
    evidence: np.ndarray
    print: np.ndarray
    belief: np.ndarray
    apart: np.ndarray
    likeness: float = 1.0

    @property
    def all_told(self) -> np.ndarray:
        """(N,) nats."""
        return np.asarray(self.evidence + self.print + self.apart + TRUST * self.belief)

    @property
    def order(self) -> np.ndarray:
        """(N,) indices, best first."""
        return np.argsort(-self.all_told, kind="stable")

    @property
    def features(self) -> tuple[float, float]:
        """What the logistic regression sees: how far (nats) grey levels, fine print and what is left over put the best
        face ahead of the next. Where all do, each by little, they are seldom wrong; what one says may be chance."""
        best, second = self.order[:2]
        ahead = (each[best] - each[second] for each in (self.evidence, self.print, self.apart))
        return 1.0, float(sum(np.log1p(max(nats, 0.0)) for nats in ahead))

    def probabilities(self) -> tuple[tuple[Face, float], ...]:
        """(face, probability), best first: the best has the calibrated one, the others share what is left."""
        best, *others = self.order.tolist()
        sure = 1.0 / (1.0 + np.exp(-float(np.dot(WEIGHTS, self.features))))
        if self.likeness < PRINT_SEEN:
            sure = min(sure, UNSEEN)
        behind = self.all_told[others]
        share = np.exp(behind - behind.max())
        left = (1.0 - sure) * share / share.sum()
        every = [(self.faces[best], sure), *((self.faces[k], float(p)) for k, p in zip(others, left, strict=True))]
        return tuple(sorted(every, key=lambda pair: -pair[1]))


@dataclass(frozen=True, slots=True, eq=False)
class Doubt:
    """A face to compare with its rivals: `place`, where it lies, nearly; what the `first` look said, (face,
    probability); `covered` (H, W) float32: part of each pixel of the table's picture that pieces cover. Without it
    what lies on the face is looked for here."""

    place: PlacedFace
    first: Sequence[tuple[Face, float]]
    covered: np.ndarray | None = None


def rank_rivals(
    table: SeenTable, light: PictureLight, doubts: Sequence[Doubt], scans: Mapping[Face, FaceScan]
) -> list[tuple[tuple[Face, float], ...]]:
    """For each doubt the candidates of its first look, and those that look alike from afar, with new probabilities,
    best first."""
    found = compare_all(table, light, doubts, scans)
    return [
        tuple(doubt.first) if one is None else one.probabilities() for doubt, one in zip(doubts, found, strict=True)
    ]


def compare_all(
    table: SeenTable, light: PictureLight, doubts: Sequence[Doubt], scans: Mapping[Face, FaceScan]
) -> list[Comparison | None]:
    """For each doubt the likeliest faces weighed against each other; None when there is only one.

    All are compared in the place where the best fits, else each would excuse itself by lying elsewhere; where two
    predict the same, pixels say nothing.
    """
    rivals = [_rivals(table, light, doubt, scans) for doubt in doubts]
    tried = [faces[:SETTLED] if len(faces) > 1 else [] for faces in rivals]
    begun = [
        replace(doubt.place, scan=scans[face]) for doubt, faces in zip(doubts, tried, strict=True) for face in faces
    ]
    fitted = iter(fit_faces(table, begun, light))
    found = [
        _compared(table, light, doubt, faces, [next(fitted) for _ in few], scans)
        for doubt, faces, few in zip(doubts, rivals, tried, strict=True)
    ]
    return [
        one if one is None or _lies_there(one, few) else _where_it_lies(table, light, doubt, one, scans)
        for doubt, one, few in zip(doubts, found, tried, strict=True)
    ]


def _lies_there(found: Comparison, tried: Sequence[Face]) -> bool:
    """Whether the best face of a comparison was fitted by itself, and its print is seen where it was compared."""
    return found.likeness >= PRINT_SEEN and found.faces[found.order[0]] in tried


def _where_it_lies(
    table: SeenTable, light: PictureLight, doubt: Doubt, found: Comparison, scans: Mapping[Face, FaceScan]
) -> Comparison:
    """The comparison whose best face was not fitted, or shows no print there, made anew where its best faces fit, each
    by itself: those that the first look preferred may have been drawn away. The one in which more print is seen."""
    faces = [found.faces[k] for k in found.order]
    places = fit_faces(table, [replace(doubt.place, scan=scans[face]) for face in faces[:SETTLED]], light)
    again = _compared(table, light, doubt, faces, places, scans)
    return found if again is None or again.likeness <= found.likeness else again


def _rivals(table: SeenTable, light: PictureLight, doubt: Doubt, scans: Mapping[Face, FaceScan]) -> list[Face]:
    """The faces of the first look and those that look alike from afar, without those that are out of reach."""
    view = _View.of(table, light, doubt.place, doubt.covered)
    faces = [face for face, _ in doubt.first[:CANDIDATES] if face in scans]
    faces += [face for face in _alike(view.seen, view.visible, light, doubt.place, scans) if face not in faces]
    # things that are not known yet speak against every face
    return faces if doubt.covered is None else _within_reach(view, doubt, faces, scans)


def _within_reach(view: _View, doubt: Doubt, faces: list[Face], scans: Mapping[Face, FaceScan]) -> list[Face]:
    """The faces without those that a look at half the size leaves no hope; one only where nothing is left to decide."""
    coarse = view.halved()
    fits = np.array([coarse.fit(scans[face]).sum() for face in faces]) * coarse.step**2 / CORRELATED_PX
    if len(faces) < LEFT or int(np.argmax(fits)) != 0:
        return faces
    behind = (fits[0] - fits).tolist()
    near = [face for face, nats in zip(faces, behind, strict=True) if nats <= OUT_OF_REACH]
    if len(near) >= LEFT or dict(doubt.first)[faces[0]] >= DECIDED:
        return near
    return [faces[k] for k in sorted(np.argsort(behind, kind="stable")[:LEFT].tolist())]


def _compared(
    table: SeenTable,
    light: PictureLight,
    doubt: Doubt,
    faces: list[Face],
    places: list[PlacedFace],
    scans: Mapping[Face, FaceScan],
) -> Comparison | None:
    """The faces compared in the best of the `places`, those of the first few fitted."""
    if len(faces) < 2:
        return None
    covered = doubt.covered
    views = [_View.of(table, light, one, covered) for one in places]
    own = [one.fit() for one in views]
    best_place = max(range(len(views)), key=lambda k: float(own[k].sum()))
    view = views[best_place]
    # `places` are those of the first few faces, in their order
    fits = np.stack([own[k] if k == best_place else view.fit(scans[face]) for k, face in enumerate(faces)])
    if covered is None and (things := _things(fits.max(0))).any():
        view = view.without(things)
        fits = np.stack([view.fit(scans[face]) for face in faces])
    evidence = fits.sum((1, 2)) / CORRELATED_PX
    chances = dict(doubt.first)
    belief = np.log([max(chances.get(f, 0.0), LEAST_CHANCE) for f in faces])
    so_far = evidence + TRUST * belief
    best, second, *others = np.argsort(-so_far, kind="stable")[:CLOSEST].tolist()
    close = [best, second, *(k for k in others if so_far[best] - so_far[k] < DECISIVE)]
    if int(np.argmax(belief)) not in close:
        close = list(range(len(faces)))
    sharpen = bool(so_far[best] - so_far[second] < DECISIVE)
    if sharpen:
        close.sort(key=view.likenesses([scans[faces[k]] for k in close], close).__getitem__, reverse=True)
        view = view.laid_onto(scans[faces[close[0]]])
        anew = np.array([view.fit(scans[faces[k]]).sum() for k in close]) / CORRELATED_PX
        evidence += float((anew - evidence[close]).max())  # the others stay as far behind
        evidence[close] = anew
    fine, apart = np.zeros((2, len(faces)))
    likeness, told = view.fine_print([scans[faces[k]] for k in close], sharpen)
    fine[close] = told
    if sharpen:
        apart[close] = view.told_apart([scans[faces[k]] for k in close])
    others = [k for k in range(len(faces)) if k not in close]
    fine[others], apart[others] = told.min(), apart[close].min()
    return Comparison(tuple(faces), evidence, fine, belief, apart, likeness)


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """A face's place as it is seen, (H, W, 3) float32 BGR, upright; which of its pixels count; and the light.

    `told` (H, W) float32: by how much around each pixel counts, for the light there. `step`: canvas px a pixel.
    `prints`: the detail of what faces look like here, by scan and blur.
    """

    seen: np.ndarray
    visible: np.ndarray
    told: np.ndarray
    light: PictureLight
    place: PlacedFace
    step: int = 1
    prints: dict[tuple[int, int], np.ndarray] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, table: SeenTable, light: PictureLight, place: PlacedFace, covered: np.ndarray | None) -> _View:
        seen = in_face_frame(table.bgr, place, table.origin_mm).astype(np.float32)
        visible = _visible(covered, place, table.origin_mm, light.blur_px)
        return cls(seen, visible, _told(visible), light, place)

    def halved(self) -> _View:
        """The same in half the size: what differs much differs there, too, in a fraction of the time."""
        size = (self.seen.shape[1] // 2, self.seen.shape[0] // 2)
        seen, shown = (
            np.asarray(cv2.resize(one, size, interpolation=cv2.INTER_AREA))
            for one in (self.seen, self.visible.astype(np.float32))
        )
        visible, step = shown > WHOLLY, 2 * self.step
        return replace(self, seen=seen, visible=visible, told=_told(visible, step), step=step, prints={})

    def without(self, hidden: np.ndarray) -> _View:
        """The same with fewer pixels: (H, W) bool of those that something lies on, which blurs into others."""
        visible = self.visible & ~_grown(hidden, self.light.blur_px)
        return replace(self, visible=visible, told=_told(visible))

    def wanted(self, scan: FaceScan, level: int) -> np.ndarray:
        """(H, W, 3) float32: what a face looks like here in a blur, fully lit."""
        soft, (high, wide) = scan.soft[level], self.visible.shape
        if soft.shape[:2] != (high, wide):
            soft = cv2.resize(soft, (wide, high), interpolation=cv2.INTER_AREA)
        return self.light.expect(soft, self.place.centre_mm[None, None])

    def likenesses(self, scans: Sequence[FaceScan], names: Sequence[int]) -> dict[int, float]:
        """How well the fine print of each face is seen, a correlation, by the faces' names."""
        seen, level = FinePrint(self.seen, self.visible), blur_level(self.light.blur_px)
        return {name: seen.likeness(self._print(scan, level)) for name, scan in zip(names, scans, strict=True)}

    def laid_onto(self, scan: FaceScan) -> _View:
        """The same laid onto a face's print in perspective where one fits, see `lay_onto`."""
        to_seen = lay_onto(self.wanted(scan, blur_level(self.light.blur_px)), self.seen, self.visible)
        if to_seen is None:
            return self
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        size = (self.seen.shape[1], self.seen.shape[0])
        seen, shown = (
            np.asarray(cv2.warpPerspective(one, to_seen, size, flags=flags, borderMode=cv2.BORDER_REPLICATE))
            for one in (self.seen, self.visible.astype(np.float32))
        )
        visible = shown > WHOLLY
        return replace(self, seen=seen, visible=visible, told=_told(visible))

    def fine_print(self, scans: Sequence[FaceScan], sharpen: bool) -> tuple[float, np.ndarray]:
        """The correlation of what is seen with the fine print of the likeliest face, the first, and (N,) nats of all
        by theirs; to `sharpen` costs time, and compares them in the sharpness in which print is seen in this place and
        not in that of the whole picture."""
        seen, level = FinePrint(self.seen, self.visible), blur_level(self.light.blur_px)
        near = range(max(level - 1, 0), min(level + 2, len(BLURS_PX))) if sharpen else (level,)
        likeness, level = max((seen.likeness(self._print(scans[0], one)), one) for one in near)
        return likeness, seen.evidence([self._print(scan, level) for scan in scans])

    def _print(self, scan: FaceScan, level: int) -> np.ndarray:
        """(H, W, 3) float32: the detail of what a face looks like here in a blur, worked out once."""
        key = (id(scan), level)
        if key not in self.prints:
            self.prints[key] = print_of(self.wanted(scan, level))
        return self.prints[key]

    def told_apart(self, scans: Sequence[FaceScan]) -> np.ndarray:
        """(N,) nats of faces by what is left over of what is seen, see `told_apart`; the first is the likeliest."""
        wanted = [self.wanted(scan, blur_level(self.light.blur_px)) for scan in scans]
        middle = sum(wanted[1:], wanted[0]) / len(wanted)
        shade = self._shade(middle, 1.0 / ((MODEL_NOISE + self.light.noise) ** 2 + (COLOUR_SPREAD * middle) ** 2))
        return told_apart(self.seen, self.visible, [shade[..., None] * one for one in wanted])

    def fit(self, scan: FaceScan | None = None) -> np.ndarray:
        """(H, W) log-likelihood of every pixel if the face has this scan (by default that of the place), lit or in
        shadow; zero where none counts.

        None does along the outline, since what lies beside it is unknown and blurs into it.
        """
        wanted = self.wanted(scan or self.place.scan, blur_level(self.light.blur_px))
        steep = cv2.morphologyEx(wanted.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
        variance = np.float32(COLOUR_SPREAD) * wanted
        variance *= variance
        variance += cv2.LUT(steep, _variances(MODEL_NOISE + self.light.noise, MISPLACED_PX / self.step))
        precision = np.reciprocal(variance, out=variance)
        gap = self._shade(wanted, precision)[..., None] * wanted
        np.minimum(gap, np.float32(255.0), out=gap)
        np.subtract(self.seen, gap, out=gap)
        gap *= gap
        gap *= precision
        out = np.maximum(np.float32(-0.5) * cv2.transform(gap, EACH), np.float32(-WORST))
        reach = int(np.ceil(2.0 * self.light.blur_px / self.step))
        out[:reach], out[-reach:], out[:, :reach], out[:, -reach:] = 0.0, 0.0, 0.0, 0.0
        return np.asarray(out * self.visible)

    def _shade(self, wanted: np.ndarray, precision: np.ndarray) -> np.ndarray:
        """(H, W) float32: the part of its light that each pixel has, slowly varying: shadows are soft, print is not.

        `wanted` (H, W, 3): what is expected without a shadow; `precision`: of each of its channels.
        """
        if not self.visible.any():
            return np.ones(wanted.shape[:2], np.float32)
        by_wanted = wanted * precision
        there = cv2.transform(self.seen * by_wanted, EACH)
        by_wanted *= wanted
        shade = there / np.maximum(cv2.transform(by_wanted, EACH), np.float32(1e-6))
        level = median(shade[self.visible])
        shade = np.minimum(np.maximum(shade, DARKEST_SHADOW * level), BRIGHTEST * level)
        by_told = cv2.GaussianBlur(shade * self.visible.astype(np.float32), (0, 0), SHADOW_PX / self.step)
        return np.asarray((by_told + LEAST_TOLD * level) / self.told)


@lru_cache(maxsize=16)
def _variances(noise: float, misplaced_px: float) -> np.ndarray:
    """(256,) float32: for each steepness of print, the variance of what is seen of it."""
    out = np.float32(noise * noise) + (np.float32(misplaced_px) * np.arange(256, dtype=np.float32)) ** 2
    out.setflags(write=False)
    return np.asarray(out, np.float32)


def _told(visible: np.ndarray, step: int = 1) -> np.ndarray:
    """(H, W) float32: how much of what lies around each pixel is visible, a little everywhere."""
    if visible.all():
        return np.full(visible.shape, 1.0 + LEAST_TOLD, np.float32)
    return np.asarray(cv2.GaussianBlur(visible.astype(np.float32), (0, 0), SHADOW_PX / step) + LEAST_TOLD)


def _things(best: np.ndarray) -> np.ndarray:
    """(H, W) bool: what lies on a face, given the best log-likelihood that any face has at each pixel."""
    near = np.ones((NEAR_PX, NEAR_PX), np.uint8)
    strange = cv2.morphologyEx((best < -STRANGE).astype(np.uint8), cv2.MORPH_CLOSE, near)
    contours, _ = cv2.findContours(strange, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(strange, contours, -1, 1, cv2.FILLED)
    solid = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (BRIDGE_PX, BRIDGE_PX))
    _, regions, stats, _ = cv2.connectedComponentsWithStats(cv2.morphologyEx(strange, cv2.MORPH_OPEN, solid))
    large = stats[:, cv2.CC_STAT_AREA] >= STRANGE_MM2 * PX_PER_MM**2
    large[0] = False
    return np.asarray(large[regions])


def _grown(hidden: np.ndarray, blur_px: float) -> np.ndarray:
    """(H, W) bool: hidden pixels and those that they blur into."""
    reach = 2 * int(np.ceil(blur_px)) + 1
    return np.asarray(cv2.dilate(hidden.astype(np.uint8), np.ones((reach, reach), np.uint8)) > 0)


def _visible(
    covered: np.ndarray | None, place: PlacedFace, origin_mm: tuple[float, float], blur_px: float
) -> np.ndarray:
    """(H, W) bool: the pixels of a face that no piece hides, nor blurs into."""
    wide, high = place.scan.wh
    if covered is None:
        return np.ones((high, wide), bool)
    return ~_grown(in_face_frame(covered, place, origin_mm) > 0.05, blur_px)


def _alike(
    got: np.ndarray, visible: np.ndarray, light: PictureLight, place: PlacedFace, scans: Mapping[Face, FaceScan]
) -> list[Face]:
    """The faces of the box that look most like what is seen from afar: the first reading may miss the right one."""
    size = (AFAR_PX, AFAR_PX)
    weight = cv2.resize(visible.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    small = cv2.resize(got, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    every = np.stack([scan.afar for scan in scans.values()])
    off = np.abs(light.expect(every, place.centre_mm) - small)
    mean = cv2.transform(off.reshape(len(every), -1, 3), EACH / 3)
    apart = np.minimum(mean, np.float32(MOST_APART)) @ weight.reshape(-1)
    names = list(scans)
    return [names[k] for k in np.argsort(apart)[:MOST_ALIKE] if apart[k] <= ALIKE * apart.min()]
