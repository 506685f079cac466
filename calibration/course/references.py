"""The reference pictures of a box that was learnt piece by piece: soft pictures laid on each other make a clear one.

Pieces of one emblem share most of their print. Each alone is a pixel askew and noisy, and a twin that differs by a
figure was then told by its noise. What they share is averaged over all of them; what differs stays each one's own.
Twins, which a person said to differ in one field alone, are one picture but for what differs clearly.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.face_form import FaceForm, Shown, Values

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

SHARED = (Shown.GROUND, Shown.EMBLEM, Shown.PICTURE)
"""Fields that cover a face: pieces that agree in them differ in small print alone."""
SMOOTH_PX = 2.0
"""Blur in which two pictures are laid on each other: noise of a camera is gone, print is there."""
LEAST_LIKE = 0.75
"""Correlation of their contrast below which two pictures are of other print, or were not laid on each other: pieces of
one emblem came to 0.9 and more in a rendered box of dark art; with icons elsewhere, 0.7 to 0.9."""
CONTRAST_SHARE, LEAST_CONTRAST = 0.05, 1.0
"""Contrast is measured against so much of the side around; grey levels that noise makes in SMOOTH_PX."""
STEPS = cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 60, 1e-5
COMPARED_PX = (1.5, 4.0)
"""Blurs in which two pictures are compared: a thin figure is there in the first, in the second the noise is so small
that two dull colours of an icon are told apart on a dark print."""
NOISE_TIMES, SLIP_PX = 4.0, 0.6
"""Two pictures differ where they do by so many times the usual difference, and by more than an edge that is off by so
much makes: what is left after they are laid on each other."""
TWIN_FIELDS = 1
"""Fields in which twins differ at most."""
CLEAR_TIMES, LEAST_SHARE, LIKE_CLEAREST = 2.0, 0.2, 0.6
"""How many times what is borne twins differ where it counts; if nothing differs so much, or one thing far more, by so
much of the clearest difference. In a rendered box an icon in another colour came to 17 times, the parts of one figure
to 3.3 to 2.5, noise and edges that are laid on askew to 1.1 to 2.0; dull icons of dark art to 1.5."""
ROUNDS = 3
"""Twins of twins: so often they are made equal where they show the same."""
SPECK_PX, AROUND_SHARE = 3, 0.05
"""Smaller differences are noise; around a difference so much of the side stays each picture's own."""


def look_of(values: Values, form: FaceForm) -> Hashable:
    """What pieces that share most of their print have in common; None where each has a print of its own."""
    if form.own_print:
        return None
    return tuple(values.get(one.key, "") for one in form.fields if one.shown in SHARED and one.part is None) or None


def references_of(
    pictures: Mapping[str, Sequence[U8]], looks: Mapping[str, Hashable], values: Mapping[str, Values] | None = None
) -> dict[str, list[U8]]:
    """Face -> its references, the clearest first, from all its `pictures` (H, W, 3) uint8 BGR, upright, of one size.

    `looks`: face -> what it has in common with those that share its print. `values`: face -> what a person said of it,
    which tells twins; without them none is known. A picture that cannot be laid on the others stays as it is, a
    reference of its own.
    """
    groups: dict[Hashable, list[str]] = {}
    for face in pictures:
        groups.setdefault(looks[face], []).append(face)
    out: dict[str, list[U8]] = {}
    for faces in groups.values():
        out |= _references({face: pictures[face] for face in faces}, values or {})
    return {face: out[face] for face in pictures}


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """A picture, and the affine map (3, 3) from the first picture's pixels to its own; None where none was found."""

    face: str
    picture: U8
    way: F64 | None
    weight: float


def _are_twins(one: str, other: str, values: Mapping[str, Values]) -> bool:
    """Whether a person said the same of both faces, but for one field at most."""
    if one not in values or other not in values:
        return False
    first, second = values[one], values[other]
    return sum(first.get(key) != second.get(key) for key in {*first, *second}) <= TWIN_FIELDS


def _references(pictures: Mapping[str, Sequence[U8]], values: Mapping[str, Values]) -> dict[str, list[U8]]:
    """The references of faces that share their print."""
    every = [(face, one) for face, shown in pictures.items() for one in shown]
    if len(every) == 1:
        return {face: list(shown) for face, shown in pictures.items()}
    sharp = [_sharpness(one) for _, one in every]
    if not any(sharp):  # all of one colour: none is sharper than another
        sharp = [1.0] * len(every)
    hub = every[int(np.argmax(sharp))][1]
    laid = [_Laid(face, one, _way(hub, one), s / max(sharp)) for (face, one), s in zip(every, sharp, strict=True)]
    ways = [one.way for one in laid if one.way is not None]
    # each piece was cut a little askew, now here, now there: the middle of all cuts is nearest to the piece's edges
    back = np.linalg.inv(np.mean(ways, axis=0))
    means: dict[str, F32] = {}
    rest: dict[str, list[U8]] = {face: [] for face in pictures}
    for face in pictures:
        own = [one for one in laid if one.face == face and one.way is not None]
        if own:
            shown = [one.weight * _warped(one.picture, one.way @ back) for one in own if one.way is not None]
            means[face] = np.asarray(np.sum(shown, axis=0) / sum(one.weight for one in own), np.float32)
        rest[face] = [one.picture for one in laid if one.face == face and one.way is None]
    shared = _shared(means, values)
    return {face: [*([shared[face]] if face in shared else []), *rest[face]] for face in pictures}


def _sharpness(picture: U8) -> float:
    return float(cv2.Laplacian(_gray(picture), cv2.CV_32F).std())


def _gray(picture: U8) -> F32:
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(gray, (0, 0), SMOOTH_PX), np.float32)


def _contrast(picture: U8) -> F32:
    """(H, W) print by its local contrast: a few bright icons that stand elsewhere on another face tell no more than all
    the dull print that both share."""
    gray = _gray(picture)
    reach = CONTRAST_SHARE * min(gray.shape)
    off = gray - cv2.GaussianBlur(gray, (0, 0), reach)
    usual = np.sqrt(cv2.GaussianBlur(off * off, (0, 0), reach))
    return np.asarray(off / (usual + LEAST_CONTRAST), np.float32)


def _way(first: U8, other: U8) -> F64 | None:
    """(3, 3) affine map from the pixels of `first` to those of `other`; None when they are not alike."""
    if first is other:
        return np.eye(3)
    if first.shape != other.shape:
        return None
    try:
        like, way = cv2.findTransformECC(
            _contrast(first), _contrast(other), np.eye(2, 3, dtype=np.float32), cv2.MOTION_AFFINE, STEPS
        )
    except cv2.error:
        return None  # OpenCV says so when the pictures have nothing in common
    return np.vstack([way, [0, 0, 1]]).astype(np.float64) if like >= LEAST_LIKE else None


def _warped(picture: U8, way: F64) -> F32:
    size = (picture.shape[1], picture.shape[0])
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    warped = cv2.warpAffine(picture, way[:2], size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, np.float32)


def _shared(means: Mapping[str, F32], values: Mapping[str, Values]) -> dict[str, U8]:
    """The pictures of the faces, each averaged with the others wherever they do not differ from it."""
    alike = {face: _alike_with(face, means, values) for face in means}
    shown = {face: _averaged(face, means, alike[face]) for face in means}
    twins = {
        face: {other: mask for other, mask in alike[face].items() if _are_twins(face, other, values)} for face in means
    }
    for _ in range(ROUNDS):  # each was averaged over other pictures than its twin
        shown = {face: _averaged(face, shown, twins[face]) for face in shown}
    return {face: np.asarray(np.clip(one + 0.5, 0, 255), np.uint8) for face, one in shown.items()}


def _averaged(face: str, shown: Mapping[str, F32], alike: Mapping[str, F32]) -> F32:
    """A picture averaged with others (H, W, 3), each as far as it is `alike` (H, W)."""
    total, weight = shown[face].copy(), np.ones(shown[face].shape[:2], np.float32)
    for other, mask in alike.items():
        total += shown[other] * mask[..., None]
        weight += mask
    return np.asarray(total / weight[..., None], np.float32)


def _alike_with(face: str, means: Mapping[str, F32], values: Mapping[str, Values]) -> dict[str, F32]:
    """Other face -> (H, W) 0 to 1: where it shows the same print."""
    own = means[face]
    apart = {
        other: [_apart(own, shown, blur) for blur in COMPARED_PX] for other, shown in means.items() if other != face
    }
    # the likest other one tells the noise: by one that was laid on it badly every print would be noise
    noise = [min(float(np.median(one[k])) for one in apart.values()) for k in range(len(COMPARED_PX))] if apart else []
    return {
        other: _alike(own, means[other], differences, noise, twins=_are_twins(face, other, values))
        for other, differences in apart.items()
    }


def _apart(one: F32, other: F32, blur_px: float) -> F32:
    """(H, W) how much two pictures (H, W, 3) differ after a blur, in the channel that differs most."""
    return np.asarray(np.abs(cv2.GaussianBlur(one - other, (0, 0), blur_px)).max(axis=-1), np.float32)


def _alike(one: F32, other: F32, differences: Sequence[F32], noise: Sequence[float], *, twins: bool) -> F32:
    """(H, W) 0 to 1: where two pictures (H, W, 3) show the same print. `differences`: (H, W) after each blur of
    COMPARED_PX; `noise`: the usual ones; of `twins` only the clear differences count."""
    differs = np.zeros(one.shape[:2], np.uint8)
    times = np.zeros(one.shape[:2], np.float32)
    speck = np.ones((SPECK_PX, SPECK_PX), np.uint8)
    for blur, apart, usual in zip(COMPARED_PX, differences, noise, strict=True):
        middle = cv2.GaussianBlur((one + other) / 2, (0, 0), blur)
        along, down = (cv2.Sobel(middle, cv2.CV_32F, dx, 1 - dx, scale=1 / 8) for dx in (1, 0))
        borne = NOISE_TIMES * usual + SLIP_PX * np.hypot(along, down).max(axis=-1)
        differs |= np.asarray(cv2.morphologyEx((apart > borne).astype(np.uint8), cv2.MORPH_OPEN, speck), np.uint8)
        times = np.maximum(times, apart / np.maximum(borne, LEAST_CONTRAST))
    if twins:
        differs = _clear(differs, times)
    reach = max(3, round(AROUND_SHARE * min(one.shape[:2])) | 1)
    around = cv2.dilate(differs, np.ones((reach, reach), np.uint8)).astype(np.float32)
    return np.asarray(np.clip(1.0 - cv2.GaussianBlur(around, (0, 0), SMOOTH_PX), 0.0, 1.0), np.float32)


def _clear(differs: U8, times: F32) -> U8:
    """Of the parts (H, W) in which twins differ those that come near the clearest one. `times`: (H, W) how many times
    what is borne they are apart."""
    count, parts = cv2.connectedComponents(differs)
    peaks = [float(times[parts == k].max()) for k in range(1, count)]
    top = max(peaks, default=0.0)
    least = max(LEAST_SHARE * top, min(CLEAR_TIMES, LIKE_CLEAREST * top))
    clear = [False, *(peak >= least for peak in peaks)]  # part 0 is all that does not differ
    return np.asarray(np.array(clear)[parts], np.uint8)
