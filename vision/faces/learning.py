"""Learning a book of printed faces from pictures of them: scans cut alike, or photographs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.errors import DataError
from vision.faces.align import align, local_contrast, loosely, start
from vision.faces.book import FaceBook, Rimless
from vision.faces.identify import identify
from vision.faces.photographed.faults import faulty_pictures
from vision.faces.photographed.light import same_as_learnt
from vision.faces.photographed.prepare import prepared
from vision.faces.placing.outline import Rim, cut_out
from vision.faces.read import SCALES
from vision.faces.read_photographed import Crop, read_together

U8 = NDArray[np.uint8]

SIZE_PX = 64  # side of the square with the area of a learnt picture; 96 for finer print
NEARLY_SQUARE = 0.03
SAMPLE = 24  # pictures that are aligned with their likest in order to see whether all lie in one frame
ONE_FRAME = 0.012  # half sides that such corners may move, half a pixel or so, for pictures of one frame
ALIKE = 0.7  # a face that is read with a rival no further behind than this looks the same


def learn_faces(
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
    book = FaceBook.of_pictures(faces, numbers, owners, pictures, turns, bool(loose), cut, askew)
    if loose is None and _spread(book) > ONE_FRAME:
        book = FaceBook.of_pictures(faces, numbers, owners, pictures, turns, loose=True, cut=None, askew=False)
    book = replace(book, group_numbers=_groups(book))
    if book.album is None:
        return book
    seen = ready.seen if ready is not None else (1.0,) * len(owners)
    faulty = faulty_pictures(book.album, owners, faces, seen)
    book = replace(book, faulty=faulty if ready is None else ready.as_given(faulty))
    if ready is None or ready.rim is None:
        return book
    return replace(book, rimless=_rimless(book, [p for face in faces for p in references[face]], ready.rim, size_px))


def _rimless(book: FaceBook, pictures: Sequence[U8], rim: Rim, size_px: int) -> Rimless | None:
    """The same pieces cut out of `pictures`, those of `book`, at the outline that all show in the same place; None
    where faces are told apart by what is around it, as by the colour of a printed frame."""
    pieces = [cut_out(picture, rim.cut).image for picture in pictures]
    wh = _frame_wh(pieces, size_px)
    values = np.stack([_resized(piece, wh) for piece in pieces])
    numbers = tuple(range(len(book.faces)))
    own = FaceBook.of_pictures(book.faces, numbers, book.owners, values, book.turns, True, cut=None, askew=False)
    w, h = book.size_wh
    across, down = rim.cut.width * w / wh[0], rim.cut.height * h / wh[1]  # px of the one for a px of the other
    x, y = rim.left * w + (across - 1) / 2, rim.top * h + (down - 1) / 2
    to_whole = np.array([[across, 0, x], [0, down, y], [0, 0, 1]])
    groups = _groups(own)
    return Rimless(replace(own, group_numbers=groups), rim, to_whole) if groups == book.group_numbers else None


def _spread(book: FaceBook) -> float:
    """How far the corners of a picture move, in half sides, when it is aligned with its likest: the median of the half
    of the pictures that are most like theirs. Art that another picture lacks draws the corners too, so that pictures
    whose likest differs tell less of how they were cut."""
    count = len(book.pictures)
    if count < 2:
        return 0.0
    corners = np.array([[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], dtype=np.float64).T
    nominal = start(book.size_wh, 0.0, 0, (0.0, 0.0, 1.0))
    valid = np.ones(book.pictures.shape[1:3], dtype=np.float32)
    side_px = float(np.prod(book.size_wh)) ** 0.5
    likest: list[tuple[float, int, int]] = []  # how unlike, picture, the one that is likest
    for number in np.unique(np.linspace(0, count - 1, min(count, SAMPLE)).round().astype(int)):
        misfit = book.index.rank_all_aligned([book.picture(int(number))], [valid])[0][0].copy()
        misfit[number] = np.inf
        likest.append((float(misfit.min()), int(number), int(misfit.argmin())))
    moves = []
    for _, number, other in sorted(likest)[: (len(likest) + 1) // 2]:
        picture, found = book.picture(number), nominal
        for sigma in SCALES:
            found = align(local_contrast(picture, sigma, side_px), book.anchor(other, sigma), found, loosely())
        seen = np.linalg.inv(nominal) @ found @ corners
        moves.append(float(np.abs(seen[:2] / seen[2] - corners[:2]).max()))
    return float(np.median(moves))


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
            reading = identify(book, picture, turns=(0,))
        else:
            own = Crop(picture, 0.0, (0,))
            reading = read_together(book, book.album.without_cut(), [own], same_as_learnt())[0]
        rival = reading.rival
        if rival is not None and reading.evidence.behind < ALIKE:
            low, high = sorted((numbers[number], numbers[book.faces.index(rival)]))
            numbers = [low if n == high else n for n in numbers]
    return tuple(numbers)
