"""The face book: what is known of a set of printed faces by which crops are read."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.faces.align import Anchor, make_anchor
from vision.faces.coarse import CoarseIndex
from vision.faces.compare import Learnt
from vision.faces.photographed.album import Album
from vision.faces.photographed.faults import FaultyPicture
from vision.faces.placing.outline import Cut, Rim

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Rimless:
    """A `book` of pieces cut out at the outline that all pictures of another book show in the same place,
    `rim` from the border; `to_whole` (3, 3) float64, px of its reference frame -> px of that other book's."""

    book: FaceBook
    rim: Rim
    to_whole: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FaceBook:
    """Learnt faces, from `learn_faces`. `pictures` (T, h, w, 3) uint8 BGR, upright; `owners` (T,) index into `faces`.

    `group_numbers`: for every face the index of the one that stands for all that look the same (itself when none
    does); readings name these only. `turns`: quarter turns in which a piece may lie. `loose`: the pictures were not
    cut alike, so that each candidate must be aligned on its own; they are read by way of the `album`. `faulty`: those
    of them that should be taken again. `rimless`: the same pieces without a rim that all pictures have.
    """

    faces: tuple[str, ...]
    group_numbers: tuple[int, ...]
    owners: NDArray[np.intp]
    pictures: U8
    turns: tuple[int, ...]
    loose: bool
    index: CoarseIndex
    album: Album | None
    faulty: tuple[FaultyPicture, ...] = ()
    rimless: Rimless | None = None
    anchors: dict[tuple[int, float], Anchor] = field(default_factory=dict, compare=False, repr=False)
    compared: dict[int, Learnt] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of_pictures(
        cls,
        faces: tuple[str, ...],
        group_numbers: tuple[int, ...],
        owners: NDArray[np.intp],
        pictures: U8,
        turns: tuple[int, ...],
        loose: bool,
        cut: Cut | None,
        askew: bool,
    ) -> FaceBook:
        """The book of `pictures` (T, h, w, 3) of one size; `cut` and `askew`: see `Album.of`."""
        values = pictures.astype(np.float32) / np.float32(255)
        album = Album.of(values, turns, cut, askew) if loose else None
        return cls(faces, group_numbers, owners, pictures, turns, loose, CoarseIndex.build(values), album)

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height of the reference frame in px."""
        return int(self.pictures.shape[2]), int(self.pictures.shape[1])

    @property
    def same(self) -> tuple[tuple[str, ...], ...]:
        """The groups of two or more faces that look the same."""
        groups: dict[int, list[str]] = {}
        for face, number in zip(self.faces, self.group_numbers, strict=True):
            groups.setdefault(number, []).append(face)
        return tuple(tuple(g) for g in groups.values() if len(g) > 1)

    def picture(self, number: int) -> F32:
        """Learnt picture `number` as (h, w, 3) float32 in 0..1."""
        return np.asarray(self.pictures[number].astype(np.float32) / np.float32(255))

    def anchor(self, number: int, sigma: float) -> Anchor:
        """The alignment anchor of picture `number` at a scale in px; made when first asked for."""
        key = (number, sigma)
        if key not in self.anchors:
            self.anchors[key] = make_anchor(self.picture(number), sigma)
        return self.anchors[key]

    def learnt(self, number: int) -> Learnt:
        """Picture `number` as crops are compared with it; made when first asked for."""
        if number not in self.compared:
            self.compared[number] = Learnt.of(self.pictures[number])
        return self.compared[number]
