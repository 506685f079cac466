"""Decides between faces that differ in little, once the light of the whole picture is known and the face is fitted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.core.types import Face
from vision.appearance.face_fit import fit_faces
from vision.appearance.picture_light import PictureLight
from vision.appearance.placed_face import AFAR_PX, FaceScan, PlacedFace, SeenTable
from vision.appearance.twins.face_view import EACH, FaceView, things_on

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

# So many neighbouring pixels count as one observation.
CORRELATED_PX = 6.0

# The first reading saw the same pixels, and what pieces hide: its log-odds count little.
TRUST = 0.25

# Log-odds of a face beside another, for each logarithm of the nats by which its grey levels, its fine print and what is
# left over apart put it ahead; what speaks against it takes as much away. Fitted without a constant on 306 close races
# of rendered rough rooms: 0.7, 0.6 and 1.3; on all 1,904 pairs of a true face and a rival 0.8, 0.75 and 1.0
# (docs/measured/reading-the-table.md tells which).
WEIGHTS = np.array([0.75, 0.6, 1.3])

# Grey levels say so many nats at most: in light that was fitted wrongly all faces are thousands apart.
MOST_BY_GREY = 60.0


# A face is not believed where less than this correlation of its print is seen: 99 of 100 true ones have 0.53 and more,
# one that pieces hid, and that was named wrongly, had 0.1.
PRINT_SEEN, UNSEEN = 0.4, 0.5

# Nor where less than this, which nearly all true ones have, and hardly less of the print of a face that was not
# compared at all: what is seen is then no more like the best than like any. As much apart are faces found by print.
PLAINLY_SEEN, BEYOND_STRANGERS = 0.53, 0.1


@dataclass(frozen=True, slots=True, eq=False)
class TwinComparison:
    """The faces that were compared, and for each (N,) nats: `evidence` of its grey levels, of its fine `print` whatever
    the light, of what is left over `apart` from chance, and `belief` of the first look. `likeness`: correlation of what
    is seen with the print that is seen best of them. `stranger`: the same with the likest of the faces that were not
    compared, where `likeness` is small; else 0."""

    faces: tuple[Face, ...]
    evidence: np.ndarray
    print: np.ndarray
    belief: np.ndarray
    apart: np.ndarray
    likeness: float = 1.0
    stranger: float = 0.0

    @property
    def is_seen(self) -> bool:
        """Whether so much print of the likeliest face is seen that it is more than chance."""
        told_from_any = self.likeness >= PLAINLY_SEEN or self.likeness >= self.stranger + BEYOND_STRANGERS
        return self.likeness >= PRINT_SEEN and told_from_any

    @property
    def all_told(self) -> np.ndarray:
        """(N,) log-odds of each face beside the one that all nats together put first.

        Many nats of one kind are a fault of the light, of the place or of the print as often as they are the face, so
        that only their logarithms count; where all kinds agree, each by little, they are seldom wrong."""
        likely = int(np.argmax(self.evidence + self.print + self.apart + TRUST * self.belief))
        return np.array([WEIGHTS @ self._ahead(k, likely) for k in range(len(self.faces))])

    @property
    def order(self) -> np.ndarray:
        """(N,) indices, best first; of equal ones those that the first look preferred."""
        return np.lexsort((-self.belief, -self.all_told))

    @property
    def features(self) -> tuple[float, ...]:
        """What the logistic regression sees: how far grey levels, fine print and what is left over put the best face
        ahead of the next, see `WEIGHTS`."""
        best, second = self.order[:2].tolist()
        return tuple(self._ahead(best, second).tolist())

    def _ahead(self, one: int, other: int) -> np.ndarray:
        """(3,) logarithms of nats by which a face is ahead of another, less than 0 where it is behind."""
        grey, fine, apart = (each[one] - each[other] for each in (self.evidence, self.print, self.apart))
        nats = np.array([np.clip(grey, -MOST_BY_GREY, MOST_BY_GREY), fine, apart])
        return np.asarray(np.sign(nats) * np.log1p(np.abs(nats)))

    def probabilities(self) -> tuple[tuple[Face, float], ...]:
        """(face, probability), best first: the best has the calibrated one, the others share what is left."""
        best, *others = self.order.tolist()
        sure = 1.0 / (1.0 + np.exp(-float(WEIGHTS @ self.features)))
        if not self.is_seen:
            sure = min(sure, UNSEEN)
        behind = self.all_told[others]
        share = np.exp(behind - behind.max())
        left = (1.0 - sure) * share / share.sum()
        every = [(self.faces[best], sure), *((self.faces[k], float(p)) for k, p in zip(others, left, strict=True))]
        return tuple(sorted(every, key=lambda pair: -pair[1]))


@dataclass(frozen=True, slots=True, eq=False)
class Doubt:
    """A face to compare with its rivals: `place`, where it lies, nearly; what the `first` look said, (face,
    probability); `covered` (H, W) float32: part of each pixel of the table's picture that pieces cover. Where they are
    not known, or the face is not `bare` beside them, what lies on it is looked for here. `sized`: see `fit_faces`."""

    place: PlacedFace
    first: Sequence[tuple[Face, float]]
    covered: np.ndarray | None = None
    bare: bool = True
    sized: bool = False

    @property
    def may_bear_things(self) -> bool:
        """Whether something that is not known yet may lie on the face."""
        return self.covered is None or not self.bare


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
) -> list[TwinComparison | None]:
    """For each doubt the likeliest faces weighed against each other; None when there is only one.

    All are compared in the place where the best fits, else each would excuse itself by lying elsewhere; where two
    predict the same, pixels say nothing.
    """
    afar = np.stack([scan.afar for scan in scans.values()]) if doubts else np.zeros(0)
    rivals = [_rivals(table, light, doubt, scans, afar) for doubt in doubts]
    tried = [faces[:SETTLED] if len(faces) > 1 else [] for faces in rivals]
    fitted = [
        iter(fit_faces(table, [
            replace(doubt.place, scan=scans[face])
            for doubt, faces in zip(doubts, tried, strict=True) for face in faces if doubt.sized == sized
        ], light, sized=sized)) for sized in (False, True)
    ]  # fmt: skip
    found = [
        _compared(table, light, doubt, faces, [next(fitted[doubt.sized]) for _ in few], scans)
        for doubt, faces, few in zip(doubts, rivals, tried, strict=True)
    ]
    return [
        one if one is None or _lies_there(one, few) else _where_it_lies(table, light, doubt, one, scans)
        for doubt, one, few in zip(doubts, found, tried, strict=True)
    ]


def _lies_there(found: TwinComparison, tried: Sequence[Face]) -> bool:
    """Whether the two best faces of a comparison were fitted, each by itself, and print is seen where they were
    compared; by one row of squares a face with a longer row may lie half a square beside its place."""
    return found.is_seen and all(found.faces[k] in tried for k in found.order[:2])


def _where_it_lies(
    table: SeenTable, light: PictureLight, doubt: Doubt, found: TwinComparison, scans: Mapping[Face, FaceScan]
) -> TwinComparison:
    """The comparison whose best faces were not fitted, or show no print there, made anew where they fit, each by
    itself: those that the first look preferred may have been drawn away. The one in which more print is seen."""
    faces = [found.faces[k] for k in found.order]
    begun = [replace(doubt.place, scan=scans[face]) for face in faces[:SETTLED]]
    places = fit_faces(table, begun, light, sized=doubt.sized)
    again = _compared(table, light, doubt, faces, places, scans)
    return found if again is None or again.likeness <= found.likeness else again


def _rivals(
    table: SeenTable, light: PictureLight, doubt: Doubt, scans: Mapping[Face, FaceScan], afar: np.ndarray
) -> list[Face]:
    """The faces of the first look and those that look alike from `afar`, without those that are out of reach."""
    view = FaceView.of(table, light, doubt.place, doubt.covered)
    faces = [face for face, _ in doubt.first[:CANDIDATES] if face in scans]
    faces += [face for face in _alike(view, scans, afar) if face not in faces]
    return _within_reach(view, doubt, faces, scans)


def _within_reach(view: FaceView, doubt: Doubt, faces: list[Face], scans: Mapping[Face, FaceScan]) -> list[Face]:
    """The faces without those that a look at half the size leaves no hope; one only where nothing is left to decide."""
    coarse = view.halved()
    each = coarse.fits([scans[face] for face in faces])
    if doubt.may_bear_things and (things := things_on(each.max(0), coarse.step)).any():
        # things that are not known yet speak against every face
        each *= ~things
    fits = each.sum((1, 2)) * (coarse.step**2 / CORRELATED_PX)
    if len(faces) < LEFT or int(np.argmax(fits)) != 0:
        return faces
    behind = (fits[0] - fits).tolist()
    is_sure = dict(doubt.first)[faces[0]] >= DECIDED
    near = [face for face, nats in zip(faces, behind, strict=True) if nats <= (DECISIVE if is_sure else OUT_OF_REACH)]
    if len(near) >= LEFT or is_sure:
        return near
    return [faces[k] for k in sorted(np.argsort(behind, kind="stable")[:LEFT].tolist())]


def _compared(
    table: SeenTable,
    light: PictureLight,
    doubt: Doubt,
    faces: list[Face],
    places: list[PlacedFace],
    scans: Mapping[Face, FaceScan],
) -> TwinComparison | None:
    """The faces compared in the best of the `places`, those of the first few fitted."""
    if len(faces) < 2:
        return None
    covered = doubt.covered
    views = [FaceView.of(table, light, one, covered) for one in places]
    own = [one.fit() for one in views]
    best_place = max(range(len(views)), key=lambda k: float(own[k].sum()))
    view = views[best_place]
    # `places` are those of the first few faces, in their order
    fits = np.stack([own[k] if k == best_place else view.fit(scans[face]) for k, face in enumerate(faces)])
    if doubt.may_bear_things and (things := things_on(fits.max(0))).any():
        view = view.without(things)
        fits = view.fits([scans[face] for face in faces])
    evidence = fits.sum((1, 2)) / CORRELATED_PX
    chances = dict(doubt.first)
    belief = np.log([max(chances.get(f, 0.0), LEAST_CHANCE) for f in faces])
    so_far = evidence + TRUST * belief
    best, second, *others = np.argsort(-so_far, kind="stable")[:CLOSEST].tolist()
    close = [best, second, *(k for k in others if so_far[best] - so_far[k] < DECISIVE)]
    if int(np.argmax(belief)) not in close:
        close = list(range(len(faces)))
    sharpen = bool(so_far[best] - so_far[second] < DECISIVE)
    if not sharpen:
        likeness, told = view.fine_print([scans[faces[k]] for k in close], False)
        sharpen = bool(told.max() > told[0])  # the light is not what grey levels are compared in
    apart = np.zeros(len(faces))
    if sharpen:
        close.sort(key=view.likenesses([scans[faces[k]] for k in close], close).__getitem__, reverse=True)
        near = [scans[faces[k]] for k in close]
        view = view.laid_onto(near[0])
        anew = view.fits(near).sum((1, 2)) / CORRELATED_PX
        evidence += float((anew - evidence[close]).max())  # the others stay as far behind
        evidence[close] = anew
        likeness, told = view.fine_print(near, True)
        apart[close] = view.told_apart(near)
    fine = np.zeros(len(faces))
    fine[close] = told
    stranger = 0.0
    if likeness < PLAINLY_SEEN:
        others = [face for face in scans if face not in faces]
        likest = view.likenesses([scans[face] for face in others], range(len(others)))
        stranger = max(likest.values(), default=0.0)
    rest = [k for k in range(len(faces)) if k not in close]
    fine[rest], apart[rest] = told.min(), apart[close].min()
    return TwinComparison(tuple(faces), evidence, fine, belief, apart, likeness, stranger)


def _alike(view: FaceView, scans: Mapping[Face, FaceScan], afar: np.ndarray) -> list[Face]:
    """The faces of the box that look most like what is seen from afar: the first reading may miss the right one.
    `afar` (N, h, w, 3) uint8: all scans as they look from there."""
    size = (AFAR_PX, AFAR_PX)
    weight = cv2.resize(view.visible.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    small = cv2.resize(view.seen, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    off = np.abs(view.light.expect(afar, view.place.centre_mm) - small)
    mean = cv2.transform(off.reshape(len(afar), -1, 3), EACH / 3)
    apart = np.minimum(mean, np.float32(MOST_APART)) @ weight.reshape(-1)
    names = list(scans)
    return [names[k] for k in np.argsort(apart)[:MOST_ALIKE] if apart[k] <= ALIKE * apart.min()]
