"""The pictures that a set is learnt from, with pieces that lie turned in them upright and cut at their sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.placing.halves import centred, completed, evenly_printed
from vision.faces.placing.keypoints import KeypointIndex
from vision.faces.placing.rectangle import Rectangle, cut_at, find_rectangle

U8 = NDArray[np.uint8]
F64 = NDArray[np.float64]

TURNED_DEG = 7.0  # a piece that is turned by more was not laid straight
TURNED_SHARE = 0.08  # of a set's pictures that must show a turned piece for all to be looked at for one
UNLIKE = 0.05  # scatter of the pictures' aspects (natural logarithm) below which all were cut in one way
SAMPLE = 24  # pictures that tell whether a set shows turned pieces
POINTS = 10  # of print that two pictures share for one to tell where the piece lies in the other
SAME_PLACE = 0.05  # share of the piece's height: pieces seen askew differ by half of it
MOST_WITNESSES = 8  # pictures that tell where a piece lies in another
ANOTHER_ART = 0.8  # correlation of the coarse look below which two pieces of a kind are not printed alike
COARSE_WH = (20, 28)


@dataclass(frozen=True, slots=True)
class Straightened:
    """The pictures of a set with each piece turned upright and cut at its sides; how much of each is in its picture."""

    pictures: tuple[U8, ...]
    seen: tuple[float, ...]


def straightened(pictures: Sequence[U8], kinds: Sequence[int]) -> Straightened | None:
    """The pieces of `pictures`, (h, w, 3) uint8 each, upright; None when they lie straight in their pictures already.

    Pieces of one set have one aspect, which those tell whose sides all show; pictures around turned pieces differ in
    theirs. Which short side is on top is not known. `kinds` (T,): pictures of one kind tell each other by their print
    where their pieces lie.
    """
    if np.std([np.log(p.shape[1] / p.shape[0]) for p in pictures]) < UNLIKE:
        return None
    told = np.unique(np.linspace(0, len(pictures) - 1, min(len(pictures), SAMPLE)).round().astype(int))
    found = [find_rectangle(pictures[k]) for k in told]
    believed = [r.upright() for r in found if r is not None and r.believed]
    turned = [r for r in found if r is not None and r.believed and abs(r.turned_deg) > TURNED_DEG]
    if len(turned) < max(2, TURNED_SHARE * len(found)):
        return None
    aspect = float(np.median([r.aspect for r in believed]))
    height = float(np.median([np.linalg.norm(r.corners[3] - r.corners[0]) for r in believed]))
    size = (max(16, round(height * aspect)), max(16, round(height)))
    rectangles = [find_rectangle(picture, aspect) for picture in pictures]
    own = [None if r is None else r.upright().corners for r in rectangles]
    pieces: list[U8] = [pictures[0]] * len(pictures)
    seen = [0.0] * len(pictures)
    for kind in dict.fromkeys(kinds):
        members = [k for k, other in enumerate(kinds) if other == kind]
        cut = _of_a_kind([pictures[k] for k in members], [own[k] for k in members], size, aspect)
        for k, piece, share in zip(members, cut.pictures, cut.seen, strict=True):
            pieces[k], seen[k] = piece, share
    return Straightened(tuple(pieces), tuple(seen))


def _of_a_kind(
    pictures: Sequence[U8], own: Sequence[F64 | None], size_wh: tuple[int, int], aspect: float
) -> Straightened:
    """The pieces of one kind. `own`: corners (4, 2) px of each as its sides tell."""
    pieces: list[U8] = []
    seen = []
    placed = _agreed(pictures, own, size_wh)
    for picture, corners in zip(pictures, placed, strict=True):
        piece, shown = cut_at(picture, _whole(picture) if corners is None else corners, size_wh)
        # A picture of another shape shows a part of the piece.
        shape = Rectangle(_whole(picture), np.ones(4)).aspect / aspect if corners is None else 1.0
        pieces.append(piece)
        seen.append(float(shown.mean()) * min(shape, 1 / shape))
    whole = [piece for piece, corners in zip(pieces, own, strict=True) if corners is not None]
    for k, corners in enumerate(placed):
        if own[k] is not None or corners is None or not whole:
            continue
        if 2 * sum(evenly_printed(one) for one in whole) < len(whole):
            continue
        full = completed(*cut_at(pictures[k], centred(pictures[k], corners), size_wh))
        if full is not None and max(_likeness(full, one) for one in whole) < ANOTHER_ART:
            pieces[k], seen[k] = full, 1.0
    return Straightened(tuple(pieces), tuple(seen))


def _agreed(pictures: Sequence[U8], own: Sequence[F64 | None], size_wh: tuple[int, int]) -> list[F64 | None]:
    """Corners (4, 2) px of the piece in each picture: of those that its own sides and the print of the others tell, the
    ones that most of them are near to. Of a piece whose sides are not found two others must tell the same."""
    index = KeypointIndex(
        np.stack(
            [
                cut_at(picture, _whole(picture) if corners is None else corners, size_wh)[0].astype(np.float32) / 255
                for picture, corners in zip(pictures, own, strict=True)
            ]
        )
    )
    out: list[F64 | None] = []
    for k, (picture, corners) in enumerate(zip(pictures, own, strict=True)):
        others = [
            one.corners(size_wh)
            for one in index.supported(picture)
            if one.points >= POINTS and one.number != k and own[one.number] is not None
        ][:MOST_WITNESSES]
        told = others if corners is None else [corners, *others]
        if len(told) < 2:
            out.append(corners)
            continue
        away = np.array([[_away(a, b) for b in told] for a in told])
        near = (away < SAME_PLACE).sum(axis=1)
        first = near == near.max()
        best = 0 if corners is not None and first[0] else int(np.where(first, away.sum(axis=1), np.inf).argmin())
        out.append(told[best] if near[best] > 1 else corners)
    return out


def _away(a: F64, b: F64) -> float:
    """How far two pieces' corners (4, 2) are apart, whichever short side is on top, as a share of the height."""
    off = min(float(np.abs(a - other).mean()) for other in (b, np.roll(b, 2, axis=0)))
    return off / max(float(np.linalg.norm(a[3] - a[0])), 1e-6)


def _likeness(one: U8, other: U8) -> float:
    """Correlation of the coarse looks of two pieces of one size."""
    coarse = [cv2.resize(p, COARSE_WH, interpolation=cv2.INTER_AREA).astype(np.float64) for p in (one, other)]
    a, b = ((c - c.mean(axis=(0, 1))).ravel() for c in coarse)
    turned = ((c - c.mean(axis=(0, 1))).ravel() for c in (coarse[1][::-1, ::-1],))
    norm = max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-6)
    return max(float(a @ b), *(float(a @ t) for t in turned)) / norm


def _whole(picture: U8) -> F64:
    """The corners of a picture, a short side on top."""
    h, w = picture.shape[:2]
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]]) - 0.5
    return corners if w <= h else np.roll(corners, -1, axis=0)
