"""Pictures to learn from made alike: each piece found in its picture and cut out; what shows too little is left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.faces.photographed.faults import SEEN, FaultyPicture, PictureFault
from vision.faces.placing.outline import Cut, Rim, cut_out, find_sides, usual_cut, usual_rim
from vision.faces.placing.straightening import straightened

U8 = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Prepared:
    """`pictures` face -> its pieces, cut out; `seen` share of each piece, and `numbers` of each picture as given.

    `cut`: how crops must be cut, too; `rim`: what all pictures show around their pieces, if these are not cut out;
    `askew`: pieces lay turned in the pictures. `left_out`: pictures that show a part of a piece whose other pictures
    show all of it.
    """

    pictures: Mapping[str, Sequence[U8]]
    seen: tuple[float, ...]
    numbers: tuple[int, ...]
    cut: Cut | None
    rim: Rim | None
    askew: bool
    left_out: tuple[FaultyPicture, ...]

    def as_given(self, faulty: Sequence[FaultyPicture]) -> tuple[FaultyPicture, ...]:
        """Faults of the pieces by the numbers of the pictures as given, with those that were left out."""
        told = [FaultyPicture(f.face, self.numbers[f.number], f.fault) for f in faulty]
        return tuple(sorted((*told, *self.left_out), key=lambda f: f.number))


def prepared(references: Mapping[str, Sequence[U8]]) -> Prepared:
    """`references` face -> photographs (h, w, 3) uint8, with each piece cut out alike."""
    every = [picture for pictures in references.values() for picture in pictures]
    straight = straightened(every, [k for k, pictures in enumerate(references.values()) for _ in pictures])
    if straight is not None:
        return _sound(references, straight.pictures, straight.seen)
    sides = [find_sides(p) for p in every]
    cut = usual_cut(sides)
    rim = usual_rim(sides) if cut is None else None
    pieces, seen = every, [1.0] * len(every)
    if cut is not None:
        out = [cut_out(p, cut) for p in every]
        pieces, seen = [piece.image for piece in out], [float(piece.seen.mean()) for piece in out]
    one = iter(pieces)
    taken = {face: [next(one) for _ in pictures] for face, pictures in references.items()}
    return Prepared(taken, tuple(seen), tuple(range(len(every))), cut, rim, askew=False, left_out=())


def _sound(references: Mapping[str, Sequence[U8]], pieces: Sequence[U8], seen: Sequence[float]) -> Prepared:
    """Straightened pieces, without those that show a part where others of the kind show all."""
    taken: dict[str, list[U8]] = {}
    numbers: list[int] = []
    left_out: list[FaultyPicture] = []
    first = 0
    for face, pictures in references.items():
        own = range(first, first + len(pictures))
        first += len(pictures)
        whole = [k for k in own if seen[k] >= SEEN] or list(own)
        left_out += [FaultyPicture(face, k, PictureFault.CUT_OFF) for k in own if k not in whole]
        taken[face] = [pieces[k] for k in whole]
        numbers += whole
    own_seen = tuple(seen[k] for k in numbers)
    return Prepared(taken, own_seen, tuple(numbers), None, None, askew=True, left_out=tuple(left_out))
