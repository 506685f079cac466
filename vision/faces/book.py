"""The face book: what is learnt of a set of printed faces, and the reading of crops with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.errors import DataError
from vision.faces.align import Anchor, align, local_contrast, loosely, make_anchor, start
from vision.faces.coarse import CoarseIndex
from vision.faces.compare import Learnt
from vision.faces.photographed.album import Album
from vision.faces.photographed.faults import FaultyPicture, faulty_pictures
from vision.faces.photographed.light import same_as_learnt
from vision.faces.photographed.prepare import prepared
from vision.faces.photographed.reading import Crop, read_together
from vision.faces.placing.outline import Cut
from vision.faces.read import SCALES, read_faces
from vision.faces.readings import FaceReading

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

SIZE_PX = 64  # side of the square with the area of a learnt picture; 96 for finer print
NEARLY_SQUARE = 0.03
SAMPLE = 24  # pictures that are aligned with their likest in order to see whether all lie in one frame
ONE_FRAME = 0.012  # half sides that such corners may move, half a pixel or so, for pictures of one frame
ALIKE = 0.7  # a face that is read with a rival no further behind than this looks the same


@dataclass(frozen=True, slots=True)
class FaceBook:
    """Learnt faces. `pictures` (T, h, w, 3) uint8 BGR, upright; `owners` (T,) index into `faces`.

    `group_numbers`: for every face the index of the one that stands for all that look the same (itself when none
    does); readings name these only. `turns`: quarter turns in which a piece may lie. `loose`: the pictures were not
    cut alike, so that each candidate must be aligned on its own; they are read by way of the `album`. `faulty`: those
    of them that should be taken again.
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
    anchors: dict[tuple[int, float], Anchor] = field(default_factory=dict, compare=False, repr=False)
    compared: dict[int, Learnt] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def learn(
        cls,
        references: Mapping[str, Sequence[U8]],
        *,
        size_px: int = SIZE_PX,
        turns: tuple[int, ...] | None = None,
        loose: bool | None = None,
    ) -> FaceBook:
        """A book of `references`: face -> its pictures (h, w, 3) uint8 BGR, upright, filling the picture.

        Several pictures of a face are kept side by side (other art, another light). `turns`: by default all four
        for square faces, 0 and 2 for others. `loose`: by default measured; True for photographs, whose pieces are
        found first where they are not cut at their edges; when some lie turned in their pictures, all are straightened.
        Raises DataError naming every face whose pictures cannot be used, or when there is none.
        """
        problems = [
            f"{face}: expected colour pictures (h, w, 3) uint8, got shapes {[getattr(p, 'shape', None) for p in ps]}"
            for face, ps in references.items()
            if not ps or any(getattr(p, "ndim", 0) != 3 or p.shape[2] != 3 for p in ps)
        ]
        if problems or not references:
            raise DataError("; ".join(problems) or "no reference pictures were given", where="face book")
        ready = prepared(references) if loose else None
        cut = ready.cut if ready is not None else None
        if ready is not None:
            references = ready.pictures
        wh = _frame_wh([p for ps in references.values() for p in ps], size_px)
        if turns is None:
            turns = (0, 1, 2, 3) if wh[0] == wh[1] else (0, 2)
        faces = tuple(references)
        owners = np.array([k for k, face in enumerate(faces) for _ in references[face]], dtype=np.intp)
        pictures = np.stack([_resized(p, wh) for face in faces for p in references[face]])
        numbers = tuple(range(len(faces)))
        askew = ready is not None and ready.askew
        book = cls._assembled(faces, numbers, owners, pictures, turns, bool(loose), cut, askew)
        if loose is None and book.spread() > ONE_FRAME:
            book = cls._assembled(faces, numbers, owners, pictures, turns, loose=True, cut=None, askew=False)
        book = replace(book, group_numbers=_groups(book))
        if book.album is None:
            return book
        seen = ready.seen if ready is not None else (1.0,) * len(owners)
        faulty = faulty_pictures(book.album, owners, faces, seen)
        return replace(book, faulty=faulty if ready is None else ready.as_given(faulty))

    @classmethod
    def _assembled(
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

    def spread(self) -> float:
        """How far the corners of a picture move, in half sides, when it is aligned with its likest: the median."""
        count = len(self.pictures)
        if count < 2:
            return 0.0
        corners = np.array([[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], dtype=np.float64).T
        nominal = start(self.size_wh, 0.0, 0, (0.0, 0.0, 1.0))
        valid = np.ones(self.pictures.shape[1:3], dtype=np.float32)
        side_px = float(np.prod(self.size_wh)) ** 0.5
        moves = []
        for number in np.unique(np.linspace(0, count - 1, min(count, SAMPLE)).round().astype(int)):
            picture = self.picture(int(number))
            misfit = self.index.rank_all_aligned([picture], [valid])[0][0].copy()
            misfit[number] = np.inf
            found = nominal
            for sigma in SCALES:
                seen_there = local_contrast(picture, sigma, side_px)
                found = align(seen_there, self.anchor(int(misfit.argmin()), sigma), found, loosely())
            seen = np.linalg.inv(nominal) @ found @ corners
            moves.append(float(np.abs(seen[:2] / seen[2] - corners[:2]).max()))
        return float(np.median(moves))

    def identify(
        self,
        crop_bgr: U8,
        *,
        margin: float = 0.0,
        turns: tuple[int, ...] | None = None,
        rigid: bool = False,
    ) -> FaceReading:
        """As `identify_many`, of one crop."""
        return self.identify_many([crop_bgr], margin=margin, turns=turns, rigid=rigid)[0]

    def identify_many(
        self,
        crops_bgr: Sequence[U8],
        *,
        margin: float = 0.0,
        turns: tuple[int, ...] | None = None,
        same_light: bool = False,
        rigid: bool = False,
    ) -> tuple[FaceReading, ...]:
        """What rectified crops (h, w, 3) uint8 BGR show: a piece each, which fills its crop but for `margin`.

        `margin`: strip around the nominal piece as a share of its side, on each side of it. `turns`: quarter turns
        to try (the book's by default). `rigid`: scanned faces were cut at a known pose, so that the piece may be
        shifted and turned in its crop but keeps its shape. `same_light`: photographed faces are those of one
        photograph, and tell each other its light.
        """
        if self.album is None:
            return read_faces(self, crops_bgr, margin=margin, turns=turns, rigid=rigid)
        crops = [Crop(crop, margin, self.turns if turns is None else turns) for crop in crops_bgr]
        if same_light:
            return read_together(self, self.album, crops)
        return tuple(one for crop in crops for one in read_together(self, self.album, [crop]))

    def save(self, path: Path) -> None:
        """Write the book to `path`, a compressed .npz file without pickles."""
        with path.open("wb") as out:
            np.savez_compressed(
                out,
                faces=np.array(self.faces),
                group_numbers=np.array(self.group_numbers),
                owners=self.owners,
                pictures=self.pictures,
                turns=np.array(self.turns),
                loose=np.array(self.loose),
                askew=np.array(self.album is not None and self.album.askew),
                cut=np.array([] if self.album is None or self.album.cut is None else self.album.cut.shares),
            )

    @classmethod
    def load(cls, path: Path) -> FaceBook:
        """The book that `save` wrote. Raises DataError when the file is not one."""
        try:
            with np.load(path, allow_pickle=False) as data:
                # A book of an earlier version says nothing of how its pieces are cut.
                cut = data["cut"].tolist() if "cut" in data else []
                return cls._assembled(
                    tuple(str(x) for x in data["faces"]),
                    tuple(int(x) for x in data["group_numbers"]),
                    data["owners"].astype(np.intp),
                    data["pictures"],
                    tuple(int(t) for t in data["turns"]),
                    bool(data["loose"]),
                    Cut(*cut) if cut else None,
                    askew=bool(data["askew"]) if "askew" in data else False,
                )
        except (OSError, KeyError, ValueError) as error:
            raise DataError(f"not a face book ({error})", where=str(path), remedy="Learn the faces again") from error


def _frame_wh(pictures: Sequence[U8], size_px: int) -> tuple[int, int]:
    """Size of the reference frame: the pictures' aspect, the area of a square of `size_px`."""
    aspect = float(np.median([p.shape[1] / p.shape[0] for p in pictures]))
    if abs(aspect - 1) < NEARLY_SQUARE:
        return size_px, size_px
    return max(8, round(size_px * aspect**0.5)), max(8, round(size_px / aspect**0.5))


def _resized(picture: U8, wh: tuple[int, int]) -> U8:
    """`picture` in size `wh`, averaged over areas when it gets smaller."""
    smaller = picture.shape[1] > wh[0]
    return np.asarray(cv2.resize(picture, wh, interpolation=cv2.INTER_AREA if smaller else cv2.INTER_CUBIC))


def _groups(book: FaceBook) -> tuple[int, ...]:
    """For every face the first face that cannot be told from it when its own picture is read."""
    numbers = list(range(len(book.faces)))
    for number, picture in zip(book.owners, book.pictures, strict=True):
        if book.album is None:
            reading = book.identify(picture, turns=(0,))
        else:
            own = Crop(picture, 0.0, (0,))
            reading = read_together(book, book.album.without_cut(), [own], same_as_learnt())[0]
        rival = reading.rival
        if rival is not None and reading.evidence.behind < ALIKE:
            low, high = sorted((numbers[number], numbers[book.faces.index(rival)]))
            numbers = [low if n == high else n for n in numbers]
    return tuple(numbers)
