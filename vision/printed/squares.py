"""Reads a printed board: on every square nothing, a tile with its mark, a blank tile, or something that is unsure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np
import numpy.typing as npt

from vision.printed.board import SQUARE_PX, BoardShape, Corners, Grey, Image, from_above, window
from vision.printed.locate import REFERENCE_SQUARE_PX, BoardFinder, BoardPlace, edges
from vision.printed.marks import MARK_PX, Mark, MarkText, ink, learn_marks, usual_lack, window_side
from vision.printed.naming import MARK_FROM, MARK_SURE, MarkNamer, Named
from vision.printed.square_colours import MIDDLE, Floats, colours_of, kinds_of, light_over, papers_of

LITTLE_INK = 0.15
"""Ink in the middle of a square below which there is no mark at all: a printed letter has 0.4 in the dimmest light."""

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

LINES_SIDE, LINES_ZOOM, LINES_SLACK_PX = 1.4, 0.5, 2
"""Side in squares of the part round a square in which the board's lines are looked for, the size at which they are, and
the px that they may be off their place there."""

LINES_GONE = 0.5
"""Of what is usual in a picture: agreement with the board's lines below which something lies over a square, if its
colour is off as well. Bare squares reach 0.6 and more, in a dark picture 0.4; those wholly under a hand 0.0 to 0.4."""

LINES_CLEAR = 0.7
"""Of what is usual, from which nothing lies over a square: nine of ten bare ones have it."""

AS_TILES = 3.0
"""A tile without a mark is at most so many times as far from the colour of the others as they usually are."""

TILES_ALIKE = 0.08
"""How far (log BGR) tiles of one picture are from their common colour at least, where few of them lie."""

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
    """What is seen on a square: state, face (None: empty or unsure), its probability, likely faces with theirs.

    An unsure square without alternatives is hidden by something that is no tile.
    """

    column: int
    row: int
    state: SquareState
    face: str | None = None
    p: float = 1.0
    alternatives: tuple[tuple[str | None, float], ...] = ()


@dataclass(frozen=True, slots=True)
class SquaresReading:
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
    bare = colours_of(from_reference(reference), shape)
    barest = int(empty.sum(axis=(1, 2)).argmax())
    seen = colours_of(views[barest], shape)  # squares are of one kind when they look alike in one and the same picture
    bare = np.where(empty[barest][..., None], seen, bare + light_over(seen - bare, empty[barest]))
    windows: dict[str, list[npt.NDArray[np.float32]]] = {}
    tiles: list[Floats] = []
    light_signs = _light_signs(list(zip(pictures, views, strict=True)), shape, blank)
    for picture, view, free in zip(pictures, views, empty, strict=True):
        blackness, papers = ink(view, light=light_signs), papers_of(view, shape, light_signs)
        light = light_over(colours_of(view, shape) - bare, free)
        for (column, row), face in picture.faces.items():
            tiles.append(papers[row, column] - light[row, column])
            if face != blank:
                part = window(blackness, shape, column, row, window_side())
                windows.setdefault(face, []).append(np.asarray(part, np.float32))
    if not windows:
        raise ValueError("no labelled picture shows a tile with a mark")
    marks = learn_marks(windows, texts)
    usual = usual_lack(windows, marks)
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


class SquaresReader:
    """Reads pictures of one learnt board."""

    def __init__(self, board: LearntBoard) -> None:
        self.board = board
        self._finder = BoardFinder(board.reference, board.shape)
        self._namer = MarkNamer(board.marks)
        bare = from_reference(board.reference)
        print_seen = ink(bare, light=board.light_signs)
        parts = {(c, r): window(print_seen, board.shape, c, r, MARK_PX / SQUARE_PX) for c, r in board.shape.squares()}
        self._lines = _lines(bare)
        self._print = {square: part for square, part in parts.items() if _inner(part).max() >= LITTLE_INK}

    def read(self, image: Image, place: BoardPlace | None = None) -> SquaresReading:
        """What lies on the board in `image` (H, W, 3) uint8 BGR. `place`: where it is, when that is known."""
        place = place or self._finder.find(image)
        if not place.found:
            return SquaresReading(place, refused="the board is not in the picture, or not wholly")
        board, shape = self.board, self.board.shape
        view = from_above(image, place.corners_px, shape, bow=place.bow)
        blackness = ink(view, light=board.light_signs)
        named = {square: self._named(blackness, *square) for square in shape.squares()}
        shown = {square: self._print_shown(blackness, *square) for square in self._print}
        marked = {square: one for square, one in named.items() if one is not None
                  and one.agreement >= max(MARK_FROM, shown.get(square, 0.0))}  # fmt: skip
        marked = self._namer.weighed(marked, board.usual)
        if self._too_pale(view, marked):
            return SquaresReading(place, refused="too dark: the print on the tiles can hardly be told from them")
        colours, papers = colours_of(view, shape), papers_of(view, shape, board.light_signs)
        free = np.array([[(c, r) not in marked for c in range(shape.columns)] for r in range(shape.rows)])
        light = light_over(colours - board.colours, free)
        lines = self._lines_seen(view, free)
        covered = lines < LINES_GONE
        off_bare = self._off_bare(colours - light, free, lines)
        tile, spread = board.tile, TILES_ALIKE
        if marked:
            seen = np.array([papers[r, c] - light[r, c] for c, r in marked])
            tile = np.median(seen, axis=0)
            spread = max(float(np.median(np.linalg.norm(seen - tile, axis=1))), TILES_ALIKE)
        squares: list[SquareReading] = []
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
            hidden = bool(covered[row, column]) and off_tile > AS_TILES * spread
            squares.append(self._without_mark(column, row, off_tile, float(off_bare[row, column]), dark, hidden))
        return SquaresReading(place, _under_a_hand(squares, board.blank, lines))

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

    def _lines_seen(self, view: Image, free: npt.NDArray[np.bool_]) -> Floats:
        """(rows, columns): how well the board's lines are seen on and round a square, against what is usual here."""
        shape, lines = self.board.shape, _lines(view)
        agreeing = np.zeros(free.shape)
        for column, row in shape.squares():
            wanted = _small_window(self._lines, shape, column, row, 0)
            seen = _small_window(lines, shape, column, row, LINES_SLACK_PX)
            agreeing[row, column] = cv2.matchTemplate(seen, wanted, cv2.TM_CCOEFF_NORMED).max()
        usual = float(np.median(agreeing[free])) if free.any() else 0.0
        return agreeing / max(usual, 1e-3)

    def _off_bare(self, relit: Floats, free: npt.NDArray[np.bool_], lines: Floats) -> Floats:
        """(rows, columns): how far (log BGR) each square is from an empty one of its kind in this picture.

        `relit`: the squares' colours without the light. Another print of the same board has other inks, which all
        squares of a kind share, or some of them: so near to what was learnt, corrected by the kind, or to others of
        it here.
        Where the board's `lines` are hidden the others tell nothing: a hand is like itself.
        """
        board, out, alone = self.board, np.zeros(free.shape), np.zeros(free.shape)
        kinds = kinds_of(board.colours)
        for kind in np.unique(kinds):
            own, seen = kinds == kind, (kinds == kind) & free
            shift = np.median((relit - board.colours)[seen], axis=0) if seen.any() else 0.0
            out[own] = alone[own] = np.linalg.norm(relit[own] - board.colours[own] - shift, axis=1)
            out[own] = np.minimum(out[own], _like_others(relit[own], relit[seen & (lines >= LINES_GONE)]))
        # a square that was seldom seen bare may count as of another kind than it is
        anywhere = _like_others(relit.reshape(-1, 3), relit[free & (lines >= LINES_GONE)]).reshape(free.shape)
        out = np.where(lines >= LINES_CLEAR, np.minimum(out, anywhere), out)
        return np.where(lines >= LINES_GONE, out, alone)

    def _with_mark(self, column: int, row: int, one: Named) -> SquareReading:
        sure = one.agreement >= MARK_SURE and one.p >= NAME_FROM and not one.strange
        if sure:
            return SquareReading(column, row, SquareState.TILE, one.face, one.p, one.alternatives)
        return SquareReading(column, row, SquareState.UNSURE, None, one.p, one.alternatives)

    def _without_mark(
        self, column: int, row: int, off_tile: float, off_bare: float, dark: float, hidden: bool
    ) -> SquareReading:
        if off_bare <= CLEARLY * off_tile:
            return SquareReading(column, row, SquareState.EMPTY)
        if hidden:
            return SquareReading(column, row, SquareState.UNSURE, None, 0.0)
        blank = self.board.blank
        if off_tile <= CLEARLY * off_bare and dark <= BLANK_INK:
            return SquareReading(column, row, SquareState.TILE, blank, 1 - CLEARLY * off_tile / off_bare)
        part = off_bare / (off_bare + off_tile)
        ranked = tuple(sorted(((None, 1 - part), (blank, part)), key=lambda one: -one[1]))
        return SquareReading(column, row, SquareState.UNSURE, None, max(part, 1 - part), ranked)


def _under_a_hand(squares: list[SquareReading], blank: str, lines: Floats) -> tuple[SquareReading, ...]:
    """The squares with those hidden that a hand makes doubtful: as many blanks as no box has, and beside it doubtful
    ones and those whose `lines` are hidden, although they have the board's colour. At the hand's edge what is named is
    unsure, since of a U half under a finger a J is seen, and a finger tip is as bare as a blank tile; and what is bare
    must show the board's lines clearly.
    """
    read = {(one.column, one.row): one for one in squares}
    blanks = [square for square, one in read.items() if one.face == blank]
    hidden = {square for square, one in read.items() if one.state is SquareState.UNSURE and not one.alternatives}
    hidden |= set(blanks) if len(blanks) >= MORE_THAN_BLANKS else set()
    is_hand = len(hidden | set(blanks)) >= MORE_THAN_BLANKS
    waiting = list(hidden) if is_hand else []
    while waiting:
        for beside in _around(waiting.pop()):
            if beside not in read or beside in hidden:
                continue
            one = read[beside]
            marked = one.state is SquareState.TILE and one.face != blank
            if one.state is SquareState.UNSURE or (lines[beside[1], beside[0]] < LINES_GONE and not marked):
                hidden.add(beside)
                waiting.append(beside)
    out = []
    for square, one in read.items():
        near = [read[beside] for beside in _around(square) if beside in read]
        at_hand = is_hand and any((other.column, other.row) in hidden for other in near)
        # so is a blank tile beside anything unsure: a finger tip covers two squares
        at_edge = one.face == blank and any(other.state is SquareState.UNSURE for other in near)
        bare = one.state is SquareState.EMPTY and lines[square[1], square[0]] >= LINES_CLEAR
        if square in hidden or (at_hand and not bare and one.state is SquareState.EMPTY):
            out.append(SquareReading(*square, SquareState.UNSURE, None, 0.0))
        elif one.state is SquareState.TILE and (at_hand or at_edge):
            ranked = one.alternatives or ((blank, one.p), (None, 1 - one.p))
            out.append(SquareReading(*square, SquareState.UNSURE, None, one.p, ranked))
        else:
            out.append(one)
    return tuple(out)


def _around(square: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """The square and its eight neighbours."""
    return tuple((square[0] + x, square[1] + y) for x in (-1, 0, 1) for y in (-1, 0, 1))


def _like_others(colours: Floats, others: Floats) -> Floats:
    """(N,) how far each of `colours` (N, 3) is from the MORE_THAN_BLANKS nearest of `others`."""
    if len(others) <= MORE_THAN_BLANKS:
        return np.full(len(colours), np.inf)
    between = np.linalg.norm(colours[:, None] - others, axis=2)
    return np.asarray(np.sort(between, axis=1)[:, MORE_THAN_BLANKS])  # the first is often itself


def _lines(view: Image) -> Grey:
    """The edges of a view from above, at LINES_ZOOM."""
    small = cv2.resize(view, None, fx=LINES_ZOOM, fy=LINES_ZOOM, interpolation=cv2.INTER_AREA)
    return edges(np.asarray(small, np.uint8), LINES_ZOOM * SQUARE_PX * 0.6)


def _small_window(lines: Grey, shape: BoardShape, column: int, row: int, more_px: int) -> Grey:
    x, y = (round(LINES_ZOOM * at) for at in shape.middle_px(column, row))
    half = round(LINES_ZOOM * SQUARE_PX * LINES_SIDE / 2) + more_px
    return lines[y - half : y + half, x - half : x + half]


def _inner(part: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The middle of a mark's place, clear of the board's lines."""
    edge = round((MARK_PX - MIDDLE * SQUARE_PX) / 2)
    return part[edge:-edge, edge:-edge]
