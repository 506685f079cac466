"""Reads a printed board: on every square nothing, a tile with its mark, a blank tile, or something that is unsure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np
import numpy.typing as npt

from vision.printed.board import SQUARE_PX, BoardShape, Corners, Image, from_above, window
from vision.printed.locate import REFERENCE_SQUARE_PX, BoardFinder, BoardPlace
from vision.printed.marks import DARK_LEVELS, MARK_PX, Mark, MarkText, ink, learn_marks, usual_lack, window_side
from vision.printed.naming import MARK_FROM, MARK_SURE, MarkNamer, Named

Floats = npt.NDArray[np.float64]

MIDDLE = 0.5
"""Part of a square's side in which its colour is measured: a tile pushed a quarter of a square aside covers it."""

LITTLE_INK = 0.15
"""Ink in the middle of a square below which there is no mark at all: a printed letter has 0.4 in the dimmest light."""

TRIMMED = 2.0
"""Squares whose colour is off by more than so many median deviations do not tell the light."""

CLEARLY = 0.5
"""A square's colour is clearly that of one thing when it is at most so much as far from it as from the other."""

MORE_THAN_BLANKS = 3
"""A square that looks like so many other squares without a mark is empty: a box has fewer blank tiles than that."""

BLANK_INK = 0.22
"""Most ink (90th percentile) in the middle of a blank tile: scratches and shadows, no sign."""

PRINT_SEEN = 0.8
"""Correlation from which the board's own print is seen on a square, so that nothing lies there: letters and pictures of
other squares reach 0.63 with it."""

PRINT_SLACK_PX = 4
"""How far print may be off its place: the board is found to so many px."""

NAME_FROM = 0.9
"""Probability from which a mark names its tile; below it a person is asked."""

LEAST_CONTRAST = 8.0
"""Grey levels between the paper and the print of a tile below which a picture is too dark (or pale) to be read."""


class SquareState(Enum):
    """What is known of a square."""

    EMPTY = "empty"
    TILE = "tile"  # with a mark, or blank
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class SquareReading:
    """What is seen on a square: state, face (None: empty or unsure), its probability, likely faces with theirs."""

    column: int
    row: int
    state: SquareState
    face: str | None = None
    p: float = 1.0
    alternatives: tuple[tuple[str | None, float], ...] = ()


@dataclass(frozen=True, slots=True)
class BoardReading:
    """A picture of the board: where it is, its squares row by row, and why it was refused ("" when it was not)."""

    place: BoardPlace
    squares: tuple[SquareReading, ...] = ()
    refused: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPicture:
    """A picture with known truth to learn from: (H, W, 3) uint8 BGR, corners (4, 2) px, (column, row) -> face."""

    image: Image
    corners_px: Corners
    faces: Mapping[tuple[int, int], str]


@dataclass(frozen=True, slots=True, eq=False)
class LearntBoard:
    """What pictures teach of a board and its tiles.

    `reference`: the board from above without tiles; `colours` (rows, columns, 3): its squares' log BGR; `tile` (3,):
    log BGR of a tile's paper in the same light; `blank`: the face of a tile without a mark; `usual`: what pictures of
    a mark usually lack of agreeing with it; `light_signs`: whether marks are lighter than their tiles.
    """

    shape: BoardShape
    reference: Image
    colours: Floats
    tile: Floats
    marks: tuple[Mark, ...]
    blank: str
    usual: float
    light_signs: bool


def learn_board(
    pictures: Sequence[LabelledPicture], shape: BoardShape, texts: Mapping[str, MarkText], blank: str
) -> LearntBoard:
    """Learns a board from labelled pictures. `texts`: what is printed on every marked face of the box.

    Every square must be seen empty in some picture: the board itself is the median of those. Raises ValueError when
    one never is, or no picture shows a tile.
    """
    if not pictures:
        raise ValueError("no labelled pictures of the board were given")
    views = [from_above(p.image, p.corners_px, shape) for p in pictures]
    empty = np.array([[[(c, r) not in p.faces for c in range(shape.columns)] for r in range(shape.rows)]
                      for p in pictures])  # fmt: skip
    if not empty.any(axis=0).all():
        missing = int((~empty.any(axis=0)).sum())
        raise ValueError(f"{missing} squares of the board are never seen empty: add a picture of the empty board")
    reference = _bare_reference(pictures, empty, shape)
    bare = _colours(from_reference(reference), shape)
    barest = int(empty.sum(axis=(1, 2)).argmax())
    seen = _colours(views[barest], shape)  # squares are of one kind when they look alike in one and the same picture
    bare = np.where(empty[barest][..., None], seen, bare + _light(seen - bare, empty[barest]))
    windows: dict[str, list[npt.NDArray[np.float32]]] = {}
    tiles: list[Floats] = []
    light_signs = _light_signs([(picture, view) for picture, view in zip(pictures, views, strict=True)], shape, blank)
    for picture, view, free in zip(pictures, views, empty, strict=True):
        blackness, papers = ink(view, light=light_signs), _papers(view, shape, light_signs)
        light = _light(_colours(view, shape) - bare, free)
        for (column, row), face in picture.faces.items():
            tiles.append(papers[row, column] - light[row, column])
            if face != blank:
                part = window(blackness, shape, column, row, window_side())
                windows.setdefault(face, []).append(np.asarray(part, np.float32))
    if not windows:
        raise ValueError("no labelled picture shows a tile with a mark")
    marks = learn_marks(windows, texts)
    usual = usual_lack(windows, marks)
    marks = tuple(m if m.drawn else replace(m, slack=usual / len(windows[m.face])) for m in marks)
    return LearntBoard(shape, reference, bare, np.median(tiles, axis=0), marks, blank, usual, light_signs)


def _light_signs(pictures: Sequence[tuple[LabelledPicture, Image]], shape: BoardShape, blank: str) -> bool:
    """Whether the signs on most tiles are lighter than the tile: less of it is sign than is not."""
    sides = []
    for picture, view in pictures:
        grey = cv2.cvtColor(view, cv2.COLOR_BGR2GRAY)
        for (column, row), face in picture.faces.items():
            if face != blank:
                dark, usual, bright = np.percentile(window(grey, shape, column, row, MIDDLE), [2, 50, 98])
                sides.append(bright - usual > usual - dark)
    return bool(sides) and sum(sides) > len(sides) / 2


def from_reference(reference: Image) -> Image:
    """The learnt picture of a board at the size of views from above."""
    zoom = SQUARE_PX / REFERENCE_SQUARE_PX
    return np.asarray(cv2.resize(reference, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC), np.uint8)


def _bare_reference(pictures: Sequence[LabelledPicture], empty: npt.NDArray[np.bool_], shape: BoardShape) -> Image:
    """The board from above without tiles: every square as the median of the pictures in which it is empty.

    One picture would not do: a camera's own colours change from picture to picture.
    """
    side = REFERENCE_SQUARE_PX
    views = np.stack([from_above(p.image, p.corners_px, shape, side) for p in pictures]).astype(np.float32)
    brightness = np.array([np.median(view[side:-side, side:-side], axis=(0, 1)) for view in views])
    views *= (np.median(brightness, axis=0) / np.maximum(brightness, 1.0))[:, None, None]
    out = np.median(views, axis=0)
    for column, row in shape.squares():
        free = empty[:, row, column]
        if not free.all():
            y, x = (row + 1) * side, (column + 1) * side
            out[y : y + side, x : x + side] = np.median(views[free, y : y + side, x : x + side], axis=0)
    return np.asarray(np.clip(out, 0, 255), np.uint8)


class BoardReader:
    """Reads pictures of one learnt board."""

    def __init__(self, board: LearntBoard) -> None:
        self.board = board
        self._finder = BoardFinder(board.reference, board.shape)
        self._namer = MarkNamer(board.marks)
        bare = from_reference(board.reference)
        print_seen = ink(bare, light=board.light_signs)
        parts = {(c, r): window(print_seen, board.shape, c, r, MARK_PX / SQUARE_PX) for c, r in board.shape.squares()}
        self._print = {square: part for square, part in parts.items() if _inner(part).max() >= LITTLE_INK}

    def read(self, image: Image, place: BoardPlace | None = None) -> BoardReading:
        """What lies on the board in `image` (H, W, 3) uint8 BGR. `place`: where it is, when that is known."""
        place = place or self._finder.find(image)
        if not place.found:
            return BoardReading(place, refused="the board is not in the picture, or not wholly")
        board, shape = self.board, self.board.shape
        view = from_above(image, place.corners_px, shape)
        blackness = ink(view, light=board.light_signs)
        named = {square: self._named(blackness, *square) for square in shape.squares()}
        shown = {square: self._print_shown(blackness, *square) for square in self._print}
        marked = {square: one for square, one in named.items() if one is not None
                  and one.agreement >= max(MARK_FROM, shown.get(square, 0.0))}  # fmt: skip
        marked = self._namer.weighed(marked, board.usual)
        if self._too_pale(view, marked):
            return BoardReading(place, refused="too dark: the print on the tiles can hardly be told from them")
        colours, papers = _colours(view, shape), _papers(view, shape, board.light_signs)
        free = np.array([[(c, r) not in marked for c in range(shape.columns)] for r in range(shape.rows)])
        light = _light(colours - board.colours, free)
        off_bare = self._off_bare(colours - light, free)
        tile = board.tile
        if marked:
            tile = np.median([papers[r, c] - light[r, c] for c, r in marked], axis=0)
        squares = []
        for column, row in shape.squares():
            one = marked.get((column, row))
            if one is not None:
                squares.append(self._with_mark(column, row, one))
                continue
            if shown.get((column, row), 0.0) >= PRINT_SEEN:
                squares.append(SquareReading(column, row, SquareState.EMPTY))
                continue
            off_tile = float(np.linalg.norm(papers[row, column] - tile - light[row, column]))
            dark = float(np.percentile(window(blackness, shape, column, row, MIDDLE), 90))
            squares.append(self._without_mark(column, row, off_tile, float(off_bare[row, column]), dark))
        return BoardReading(place, tuple(squares))

    def _named(self, blackness: npt.NDArray[np.float32], column: int, row: int) -> Named | None:
        if window(blackness, self.board.shape, column, row, MIDDLE).max() < LITTLE_INK:
            return None
        part = window(blackness, self.board.shape, column, row, window_side())
        return self._namer.name(np.asarray(part, np.float32))

    def _print_shown(self, blackness: npt.NDArray[np.float32], column: int, row: int) -> float:
        """How well a square agrees (-1..1) with the board's own print on it."""
        side = (MARK_PX + 2 * PRINT_SLACK_PX) / SQUARE_PX
        part = np.asarray(window(blackness, self.board.shape, column, row, side), np.float32)
        return float(cv2.matchTemplate(part, self._print[column, row], cv2.TM_CCOEFF_NORMED).max())

    def _too_pale(self, view: Image, marked: Mapping[tuple[int, int], Named]) -> bool:
        """Whether the tiles' print is hardly darker than their paper. Without tiles there is nothing to read."""
        grey = cv2.cvtColor(view, cv2.COLOR_BGR2GRAY)
        depths = []
        for column, row in marked:
            part = window(grey, self.board.shape, column, row, MIDDLE)
            depths.append(float(np.percentile(part, 90)) - float(np.percentile(part, 2)))
        return bool(depths) and float(np.median(depths)) < LEAST_CONTRAST

    def _off_bare(self, relit: Floats, free: npt.NDArray[np.bool_]) -> Floats:
        """(rows, columns): how far (log BGR) each square is from an empty one of its kind in this picture.

        `relit`: the squares' colours without the light. Another print of the same board has other inks, which all
        squares of a kind share, or some of them: so near to what was learnt, corrected by the kind, or to others here.
        """
        board, out = self.board, np.zeros(free.shape)
        kinds = _kinds(board.colours)
        for kind in np.unique(kinds):
            own, seen = kinds == kind, (kinds == kind) & free
            shift = np.median((relit - board.colours)[seen], axis=0) if seen.any() else 0.0
            out[own] = np.linalg.norm(relit[own] - board.colours[own] - shift, axis=1)
        others = relit[free]
        if len(others) > MORE_THAN_BLANKS:
            between = np.linalg.norm(relit[:, :, None] - others, axis=3)
            out = np.minimum(out, np.sort(between, axis=2)[..., MORE_THAN_BLANKS])  # the first is often itself
        return out

    def _with_mark(self, column: int, row: int, one: Named) -> SquareReading:
        sure = one.agreement >= MARK_SURE and one.p >= NAME_FROM and not one.strange
        if sure:
            return SquareReading(column, row, SquareState.TILE, one.face, one.p, one.alternatives)
        return SquareReading(column, row, SquareState.UNSURE, None, one.p, one.alternatives)

    def _without_mark(self, column: int, row: int, off_tile: float, off_bare: float, dark: float) -> SquareReading:
        if off_bare <= CLEARLY * off_tile:
            return SquareReading(column, row, SquareState.EMPTY)
        blank = self.board.blank
        if off_tile <= CLEARLY * off_bare and dark <= BLANK_INK:
            return SquareReading(column, row, SquareState.TILE, blank, 1 - CLEARLY * off_tile / off_bare)
        part = off_bare / (off_bare + off_tile)
        ranked = tuple(sorted(((None, 1 - part), (blank, part)), key=lambda one: -one[1]))
        return SquareReading(column, row, SquareState.UNSURE, None, max(part, 1 - part), ranked)


def _colours(view: Image, shape: BoardShape) -> Floats:
    """(rows, columns, 3) median log BGR of the middles of the squares."""
    return _per_square(view, shape, lambda part: np.median(part, axis=0))


def _papers(view: Image, shape: BoardShape, light_signs: bool) -> Floats:
    """(rows, columns, 3) log BGR of the lighter part of the middles: on a tile its paper, whatever is printed there.

    `light_signs`: of the darker part.
    """
    part = 30 if light_signs else 70
    return _per_square(view, shape, lambda pixels: np.percentile(pixels, part, axis=0))


def _inner(part: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The middle of a mark's place, clear of the board's lines."""
    edge = round((MARK_PX - MIDDLE * SQUARE_PX) / 2)
    return part[edge:-edge, edge:-edge]


def _per_square(view: Image, shape: BoardShape, of: Callable[[npt.NDArray[np.float32]], npt.ArrayLike]) -> Floats:
    logs = np.log(view.astype(np.float32) + DARK_LEVELS)
    out = np.empty((shape.rows, shape.columns, 3))
    for column, row in shape.squares():
        out[row, column] = of(window(logs, shape, column, row, MIDDLE).reshape(-1, 3))
    return out


def _light(differences: Floats, told: npt.NDArray[np.bool_]) -> Floats:
    """(rows, columns, 3): the light as a plane over the board for each channel, by least trimmed squares.

    `differences`: log BGR against the learnt board; `told`: the squares that may be used.
    """
    rows, columns = told.shape
    y, x = np.mgrid[0:rows, 0:columns]
    form = np.stack([np.ones(told.shape), x / columns - 0.5, y / rows - 0.5], axis=-1)
    out = np.empty_like(differences)
    for channel in range(3):
        values = differences[..., channel]
        kept = told.copy()
        if kept.sum() < 6:  # too few squares for a plane
            out[..., channel] = float(np.median(values[kept])) if kept.any() else 0.0
            continue
        start = float(np.median(values[kept]))
        off = np.abs(values - start)
        for _ in range(4):
            kept = told & (off <= TRIMMED * max(float(np.median(off[told])), 1e-3) + 0.02)
            plane, *_ = np.linalg.lstsq(form[kept], values[kept], rcond=None)
            off = np.abs(values - form @ plane)
        out[..., channel] = form @ plane
    return out


def _kinds(colours: Floats) -> npt.NDArray[np.int64]:
    """(rows, columns): the kind of every square by its learnt colour. A kind has FEWEST squares or more."""
    flat = colours.reshape(-1, 3)
    middles: list[Floats] = []
    members: list[list[int]] = []
    for n, colour in enumerate(flat):
        near = [float(np.linalg.norm(colour - middle)) for middle in middles]
        if near and min(near) < ALIKE:
            k = int(np.argmin(near))
            members[k].append(n)
            middles[k] = np.median(flat[members[k]], axis=0)
        else:
            middles.append(colour)
            members.append([n])
    common = np.array([middle for middle, own in zip(middles, members, strict=True) if len(own) >= FEWEST])
    if not len(common):
        common = np.median(flat, axis=0)[None]
    nearest = np.linalg.norm(flat[:, None] - common[None], axis=2).argmin(axis=1)
    return np.asarray(nearest.reshape(colours.shape[:2]), np.int64)


ALIKE = 0.35
"""Distance (log BGR) of two squares' learnt colours below which they are of one kind: shadows reach 0.2."""

FEWEST = 4
"""Squares of one kind on a board: boards are symmetrical, so that a special square seldom stands alone."""
