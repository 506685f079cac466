"""The face book: what is learnt of a set of printed faces, and the reading of crops with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.errors import DataError
from vision.faces.align import Anchor, make_anchor
from vision.faces.coarse import CoarseIndex
from vision.faces.read import FaceReading, read_face

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

SIZE_PX = 96  # side of the square with the area of a learnt picture


@dataclass(frozen=True, slots=True)
class FaceBook:
    """Learnt faces. `pictures` (T, h, w, 3) uint8 BGR, upright; `owners` (T,) index into `faces`.

    `groups`: for every face the representative of those that look the same (itself when none does);
    readings name representatives only.
    """

    faces: tuple[str, ...]
    groups: tuple[str, ...]
    owners: NDArray[np.intp]
    pictures: U8
    turns: tuple[int, ...]
    index: CoarseIndex
    anchors: dict[tuple[int, int], Anchor] = field(default_factory=dict)

    @classmethod
    def learn(
        cls,
        references: Mapping[str, Sequence[U8]],
        *,
        size_px: int = SIZE_PX,
        turns: tuple[int, ...] | None = None,
    ) -> FaceBook:
        """A book of `references`: face -> its pictures (h, w, 3) uint8 BGR, upright, filling the picture.

        Several pictures of a face are kept side by side (other art, another light). `turns`: quarter turns in
        which a piece may lie; by default all four for square faces, 0 and 2 for others. Raises DataError
        when there is no picture or one is not a colour picture.
        """
        problems = [
            f"{face}: expected colour pictures (h, w, 3) uint8, got {[getattr(p, 'shape', p) for p in pictures]}"
            for face, pictures in references.items()
            if not pictures or any(getattr(p, "ndim", 0) != 3 or p.shape[2] != 3 for p in pictures)
        ]
        if problems or not references:
            raise DataError("; ".join(problems) or "no reference pictures were given", where="face book")
        aspect = float(np.median([p.shape[1] / p.shape[0] for ps in references.values() for p in ps]))
        wh = (max(8, round(size_px * aspect**0.5)), max(8, round(size_px / aspect**0.5)))
        if abs(aspect - 1) < 0.03:
            wh = (size_px, size_px)
        if turns is None:
            turns = (0, 1, 2, 3) if wh[0] == wh[1] else (0, 2)
        faces = tuple(references)
        owners = [k for k, face in enumerate(faces) for _ in references[face]]
        pictures = np.stack([shrink(p, wh) for face in faces for p in references[face]])
        index = CoarseIndex.build(pictures.astype(np.float32) / 255)
        return cls(faces, faces, np.array(owners, dtype=np.intp), pictures, turns, index)

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height of the reference frame in px."""
        return int(self.pictures.shape[2]), int(self.pictures.shape[1])

    def picture(self, number: int) -> F32:
        """Learnt picture `number` as (h, w, 3) float32 in 0..1."""
        return self.pictures[number].astype(np.float32) / 255

    def anchor(self, number: int, sigma: float) -> Anchor:
        """The alignment anchor of picture `number` at a scale in px; made once."""
        key = (number, round(sigma * 16))
        if key not in self.anchors:
            self.anchors[key] = make_anchor(self.picture(number), sigma)
        return self.anchors[key]

    def identify(
        self,
        crop_bgr: U8,
        *,
        margin: float = 0.0,
        turns: tuple[int, ...] | None = None,
        ignore_mask: NDArray[np.bool_] | None = None,
        prior: Mapping[str, float] | None = None,
    ) -> FaceReading:
        """Reading of a rectified crop (h, w, 3) uint8 BGR; see `read_face`."""
        return read_face(self, crop_bgr, margin=margin, turns=turns, ignore_mask=ignore_mask, prior=prior)

    def identify_many(self, crops_bgr: Sequence[U8], *, margin: float = 0.0) -> tuple[FaceReading, ...]:
        """Readings of several crops."""
        return tuple(self.identify(crop, margin=margin) for crop in crops_bgr)

    def save(self, path: Path) -> None:
        """Write the book as a compressed .npz file."""
        np.savez_compressed(
            path,
            faces=np.array(self.faces),
            groups=np.array(self.groups),
            owners=self.owners,
            pictures=self.pictures,
            turns=np.array(self.turns),
        )

    @classmethod
    def load(cls, path: Path) -> FaceBook:
        """The book that `save` wrote. Raises DataError when the file is not one."""
        try:
            with np.load(path, allow_pickle=False) as data:
                pictures = data["pictures"]
                return cls(
                    tuple(str(x) for x in data["faces"]),
                    tuple(str(x) for x in data["groups"]),
                    data["owners"].astype(np.intp),
                    pictures,
                    tuple(int(t) for t in data["turns"]),
                    CoarseIndex.build(pictures.astype(np.float32) / 255),
                )
        except (OSError, KeyError, ValueError) as error:
            raise DataError(f"not a face book ({error})", where=str(path), remedy="Learn the faces again") from error


def shrink(picture: U8, wh: tuple[int, int]) -> U8:
    """`picture` in size `wh`, averaged over areas when it gets smaller."""
    smaller = picture.shape[1] > wh[0]
    return np.asarray(cv2.resize(picture, wh, interpolation=cv2.INTER_AREA if smaller else cv2.INTER_CUBIC))
