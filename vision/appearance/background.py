"""What the bare table around the faces looks like: tells an empty place from one that something lies over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.appearance.canvas import Window
from vision.appearance.picture_light import BLACK
from vision.appearance.placed_face import PX_PER_MM, grey

# The table is compared in blocks of some 5 mm: large enough to average the weave of a cloth, small against a tile.
BLOCK_PX = 8

# Grey levels, and part of the level, by which a block may differ from the likest block of table. Below the third the
# grey levels shrink with the light: ten of 33 are a third of the light more, and a dark tile looked like a dark cloth.
# Of 108 empty places of rendered rooms as many look empty as if they did not, of 196 tiles unread at first 9, not 13.
TOLERANCE = 10.0
RELATIVE_TOLERANCE = 0.08
DIM = 60.0

# A place may be darker than the table around it: the shadow of a person or of a lamp's arm.
SHADES = (0.6, 0.7, 0.8, 0.9, 1.0, 1.07)

# Part of a place's blocks that must look like table for it to be empty: bare chequered cloth has 0.88.
EMPTY_SHARE = 0.85

# So many blocks of a place both ways that are no table are a thing as large as a piece. A seam of a chequered cloth, of
# neither cell's colour, is one block wide.
THING_BLOCKS = 2

# Part of a place's blocks that must have the table's colours, lit or shaded, for it to be table with shadows on it.
SHADED_SHARE = 0.97

# The table right beside a place, told so far from it (mm): beyond a card that hands laid astray, and not beyond a gap.
BESIDE_MM = (6.0, 13.0)

# Part of a place's blocks, of which less look like the table right beside it where a card lies there: of 70 cards that
# had the colours of mugs and papers around the market none had more than 0.07, of 2,500 empty places, chequered cloth
# among them, none less than 0.18.
STANDS_OUT_SHARE = 0.1

# Part of what is seen right beside a place, of which less has a look that is none of the table's: a card laid astray or
# aslant reaches in there itself, on one side or at two corners (a long side is three tenths of it).
LEAST_BESIDE = 0.2

# A block that varies more than nearly all blocks of the table do (by a factor, and grey levels) shows print.
USUAL_SHARE = 0.95
ROUGHER, ROUGHER_GREY = 1.3, 3.0

# From here outwards the table around the faces is bare: the corner card sticks out 14 mm and tiles stray 4 mm.
OUT_OF_REACH_MM = 18.0

# What lies beside the places is laid by hand, and a marker has a white border: so far around it is no table.
ASTRAY_MM = 10.0

# Tiles and the card are laid by hand: this rim of a place is not looked at.
INSET_MM = 3.0

SAMPLES = 160

# Part of their usual brightness by which nine in ten of a table's blocks differ from it at most where it is of one
# colour in one light: then its brightness tells the light. Felt and white tables stay below it, the checks of a cloth
# and a pane of sun on wood do not.
EVEN = 0.2

# Rows of blocks whose texture is told at a time.
STRIP_BLOCKS = 4

# Pixels that are compared with all samples at a time: what lies between fits into a processor's cache.
CHUNK_PIXELS = 256


@dataclass(frozen=True, slots=True)
class CardUnderTile:
    """A card that lies under the tile of a place and sticks out of it: `colour_bgr`, and where it lies, as nearly as
    hands lay it, (4, 2) mm `corners_mm`; `place_mm` (4, 2): the place."""

    colour_bgr: tuple[float, float, float]
    corners_mm: np.ndarray
    place_mm: np.ndarray

    def hidden_mm(self) -> np.ndarray:
        """(2, 2) mm, least and greatest x y: the part that a tile hides."""
        low = np.maximum(self.corners_mm.min(0), self.place_mm.min(0))
        return np.array([low, np.minimum(self.corners_mm.max(0), self.place_mm.max(0))])


@dataclass(frozen=True, slots=True, eq=False)
class TableLook:
    """What bare table looks like: `samples` (N, 3) float32, mean BGR of some of its blocks, and `usual`, how much the
    grey of nearly all of them varies at most."""

    samples: np.ndarray
    usual: float

    def in_light(self, gain: float) -> TableLook:
        """The same table with so much more light on it."""
        return TableLook(self.samples * np.float32(gain), self.usual * gain)

    def is_even(self) -> bool:
        """Whether the table has one colour in one light all around."""
        if not len(self.samples):
            return False
        bright = self.samples.mean(1)
        usual = float(np.median(bright))
        return float(np.quantile(np.abs(bright - usual), 0.9)) <= EVEN * usual

    def level_of(self, pixels: np.ndarray) -> float:
        """How much brighter than the table around bare table (N, 3) BGR is."""
        return float(np.median(pixels.mean(1)) + BLACK) / float(np.median(self.samples.mean(1)) + BLACK)

    def are_empty(self, seen_bgr: np.ndarray, window: Window, places_mm: Sequence[np.ndarray]) -> list[bool]:
        """Whether each of some places (4, 2) mm shows nothing but this table in a picture (H, W, 3) uint8 that fills
        the window; no more of it is looked at."""
        boxes = [_blocks_inside(window, corners, INSET_MM) for corners in places_mm]
        shape = (window.height_px // BLOCK_PX, window.width_px // BLOCK_PX)
        asked = np.zeros(shape, np.uint8)
        for box in boxes:
            asked[box] = 1
        left, top, wide, high = cv2.boundingRect(asked)
        shown = np.zeros(shape, bool)
        if wide:
            part = slice(top, top + high), slice(left, left + wide)
            cut = seen_bgr[tuple(slice(BLOCK_PX * one.start, BLOCK_PX * one.stop) for one in part)]
            plain = ~_is_rougher(_texture(cut, (high, wide))[0], self.usual)
            shown[part] = _alike_where(asked[part] > 0, _means(cut, (high, wide)), self.samples) & plain
        return _are_full(shown, boxes)


class Background:
    """The look of the table in a ring around the places that may hold faces."""

    def __init__(
        self,
        seen_bgr: np.ndarray,
        window: Window,
        places_mm: list[np.ndarray],
        card: CardUnderTile | None = None,
        least_share: float = 0.0,
        beside_mm: Sequence[np.ndarray] = (),
        earlier_bgr: np.ndarray | None = None,
        across: bool = False,
    ) -> None:
        """`seen_bgr` (H, W, 3) uint8: the window at the height of the faces. `places_mm`: (4, 2) corners of the places.

        `card`: the corner card, which is table where it sticks out, and lies bare when the corner tile is gone.
        `least_share`: a look of less than this part of the ring is none of the table's: a piece stands there.
        `beside_mm`: (4, 2) corners of what else lies near the places; that is no table, nor is the black beyond the
        picture's edge. `earlier_bgr` (H, W, 3) uint8: the same view before; what has come into the ring since is table
        if opposite sides show it. `across`: that is asked of all that the ring shows.
        """
        self.window = window
        shape = (window.height_px // BLOCK_PX, window.width_px // BLOCK_PX)
        cut = seen_bgr[: shape[0] * BLOCK_PX, : shape[1] * BLOCK_PX]
        self.blocks = _means(cut, shape)
        self.texture, taken = _texture(cut, shape)
        every = window.to_px(np.vstack(places_mm))
        reach = OUT_OF_REACH_MM * PX_PER_MM
        reached = np.floor(every.min(0) - reach).astype(int), np.ceil(every.max(0) + reach).astype(int)
        boxes = [reached]
        if len(beside_mm):
            px, astray = window.to_px(np.array(beside_mm)), ASTRAY_MM * PX_PER_MM
            low, high = np.floor(px.min(1) - astray).astype(int), np.ceil(px.max(1) + astray).astype(int)
            boxes += zip(low, high, strict=True)
        for touched in _touched(np.array(boxes)):
            taken[touched] = True
        ring = self.blocks[~taken]
        chosen = slice(None, None, max(1, len(ring) // SAMPLES))
        samples = ring[chosen]
        at_px = (np.argwhere(~taken)[chosen, ::-1] + 0.5) * BLOCK_PX
        if across:
            samples = samples[_seen_across(samples, at_px, *reached)]
        elif earlier_bgr is not None:
            cut = earlier_bgr[: shape[0] * BLOCK_PX, : shape[1] * BLOCK_PX]
            earlier = _means(cut, shape)[~taken]
            both_sides = _seen_across(samples, at_px, *reached)
            samples = samples[both_sides | ~_changed(ring, earlier)[chosen]]
        self.samples = common_looks(samples, least_share)
        self.look = TableLook(self.samples, _usual(self.texture[~taken]))
        self.plain = ~_is_rougher(self.texture, self.look.usual)
        self._all: np.ndarray | None = None  # which blocks look like table, once all of them were asked for
        if card is not None:
            shown = self._shown(card)
            edge = _between(shown & self.plain, self.like_table() & self.plain)
            self._all = self.like_table() | shown | edge
            self.plain = self.plain | edge

    def _shown(self, card: CardUnderTile) -> np.ndarray:
        """(h, w) bool: the blocks that show a card. In its place it is seen whole or not at all: what has its colour on
        a tile that hides it are pieces, or print."""
        alike = like_samples(self.blocks, np.array([card.colour_bgr], np.float32), SHADES)
        near = np.zeros(alike.shape, bool)
        near[self._inside(card.corners_mm, -ASTRAY_MM)] = True
        bare = alike[self._inside(card.hidden_mm(), INSET_MM)]
        if not bare.size or float(bare.mean()) < EMPTY_SHARE:
            near[self._inside(card.place_mm, 0.0)] = False
        return np.asarray(alike & near)

    def like_table(self, where: tuple[slice, slice] | None = None) -> np.ndarray:
        """(h, w) bool: the blocks, or those `where`, that look like the table somewhere, lit or in a shadow."""
        if self._all is None and where is not None:
            return like_samples(self.blocks[where], self.samples, SHADES)
        if self._all is None:
            self._all = like_samples(self.blocks, self.samples, SHADES)
        return self._all if where is None else self._all[where]

    def _inside(self, corners_mm: np.ndarray, inset_mm: float) -> tuple[slice, slice]:
        return _blocks_inside(self.window, corners_mm, inset_mm)

    def is_empty(self, corners_mm: np.ndarray) -> bool:
        """Whether the place (4, 2) mm shows nothing but table."""
        return self.are_empty([corners_mm])[0]

    def are_empty(self, places_mm: Sequence[np.ndarray]) -> list[bool]:
        """Whether each of some places shows nothing but table: the blocks that they show are compared once, together.
        """
        boxes = [self._inside(corners, INSET_MM) for corners in places_mm]
        if self._all is not None:
            return _are_full(self._all & self.plain, boxes)
        asked = np.zeros(self.blocks.shape[:2], bool)
        for box in boxes:
            asked[box] = True
        return _are_full(_alike_where(asked, self.blocks, self.samples) & self.plain, boxes)

    def bears_thing(self, corners_mm: np.ndarray) -> bool:
        """Whether something as large as a piece that has none of the table's colours lies on the place (4, 2) mm."""
        strange = (~self.like_table(self._inside(corners_mm, INSET_MM))).astype(np.uint8)
        size = (THING_BLOCKS, THING_BLOCKS)
        return bool(strange.size) and bool(cv2.erode(strange, np.ones(size, np.uint8), borderValue=0).any())

    def is_shaded_table(self, corners_mm: np.ndarray) -> bool:
        """Whether all of the place (4, 2) mm has the table's colours, though edges of shadows may make it look rough.

        Print in these colours does so, too: for places where nothing like a face was found.
        """
        here = self.like_table(self._inside(corners_mm, INSET_MM))
        return bool(here.size) and float(here.mean()) >= SHADED_SHARE

    def stands_out(self, corners_mm: np.ndarray, faces_mm: Sequence[np.ndarray]) -> bool:
        """Whether the place (4, 2) mm shows none of the table right beside it, between the places `faces_mm`: what has
        the colours of the table somewhere may have them from a mug or a paper beside the market."""
        around = np.zeros(self.texture.shape, bool)
        nearest, farthest = BESIDE_MM
        around[self._inside(corners_mm, -farthest)] = True
        around[self._inside(corners_mm, -nearest)] = False
        for face in faces_mm:
            around[self._inside(face, -nearest)] = False
        beside = common_looks(self.blocks[around], LEAST_BESIDE)
        here = like_samples(self.blocks[self._inside(corners_mm, INSET_MM)], beside, SHADES)
        return bool(len(beside)) and bool(here.size) and float(here.mean()) < STANDS_OUT_SHARE

    def is_reached_over(self, corners_mm: np.ndarray) -> bool:
        """Whether what lies over the place comes in from outside the window: an arm, a sleeve, a shield."""
        strange = (~self.like_table()).astype(np.uint8)
        _, regions = cv2.connectedComponents(strange, connectivity=4)
        rim = np.concatenate([regions[0], regions[-1], regions[:, 0], regions[:, -1]])
        coming_in = set(rim[rim > 0].tolist())
        return bool(coming_in & set(regions[self._inside(corners_mm, INSET_MM)].ravel().tolist()))


def _blocks_inside(window: Window, corners_mm: np.ndarray, inset_mm: float) -> tuple[slice, slice]:
    """The blocks of a window that lie wholly inside of the corners (4, 2) mm, and so far from them."""
    px = window.to_px(corners_mm)
    low = np.ceil((px.min(0) + inset_mm * PX_PER_MM) / BLOCK_PX).astype(int)
    high = np.floor((px.max(0) - inset_mm * PX_PER_MM) / BLOCK_PX).astype(int)
    return slice(max(0, low[1]), max(0, high[1])), slice(max(0, low[0]), max(0, high[0]))


def _alike_where(asked: np.ndarray, blocks: np.ndarray, samples: np.ndarray) -> np.ndarray:
    """(h, w) bool: the blocks (h, w, 3), of those `asked` (h, w) bool, that look like table, lit or in a shadow."""
    alike = np.zeros(asked.shape, bool)
    alike[asked] = like_samples(blocks[asked][None], samples, SHADES)[0]
    return alike


def _are_full(shown: np.ndarray, boxes: Sequence[tuple[slice, slice]]) -> list[bool]:
    """Whether nearly all of each box is `shown` (h, w) bool to be plain table."""
    return [bool(here.size) and float(here.mean()) >= EMPTY_SHARE for here in (shown[box] for box in boxes)]


def _means(seen_bgr: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """(h, w, 3) float32: the mean of each block of a picture."""
    return np.asarray(cv2.resize(seen_bgr, shape[::-1], interpolation=cv2.INTER_AREA).astype(np.float32))


def _texture(seen_bgr: np.ndarray, shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """(h, w) float32: how much the grey of each block of a picture varies, and bool: which blocks show black; strip by
    strip, which stays in a cache."""
    out, black = np.empty(shape, np.float32), np.zeros(shape, bool)
    for first in range(0, shape[0], STRIP_BLOCKS):
        last = min(first + STRIP_BLOCKS, shape[0])
        gray = grey(seen_bgr[first * BLOCK_PX : last * BLOCK_PX].astype(np.float32))
        size = (shape[1], last - first)
        mean, square = (cv2.resize(a, size, interpolation=cv2.INTER_AREA) for a in (gray, gray * gray))
        out[first:last] = np.sqrt(np.maximum(square - mean * mean, 0.0))
        if gray.min() == 0.0:
            # 255 for one of a block's 64 pixels is not rounded away
            black[first:last] = cv2.resize(cv2.inRange(gray, 0.0, 0.0), size, interpolation=cv2.INTER_AREA) > 0
    return out, black


def _touched(boxes_px: np.ndarray) -> list[tuple[slice, slice]]:
    """The blocks of which upright rectangles (N, 2, 2), least and greatest x y, with their last pixels, hold some."""
    first, last = boxes_px[:, 0] // BLOCK_PX, boxes_px[:, 1] // BLOCK_PX
    ends = np.maximum(np.hstack([first, last + 1]), 0).tolist()
    return [(slice(top, bottom), slice(left, right)) for left, top, right, bottom in ends]


def common_looks(samples: np.ndarray, least_share: float) -> np.ndarray:
    """(M, 3) those of the samples (N, 3) BGR that at least this part of all looks like; all for a part of 0."""
    if not len(samples) or not least_share:
        return samples
    squares = sum((one[:, None] - one[None]) ** 2 for one in samples.T)
    apart = np.sqrt(squares) / 3**0.5
    alike = apart < _tolerance(samples.mean(1))
    return np.asarray(samples[alike.mean(0) >= least_share])


def _tolerance(level: np.ndarray) -> np.ndarray:
    """Grey levels by which a block of such a mean level may differ from one of the same look."""
    return np.asarray(TOLERANCE * np.minimum((level + BLACK) / (DIM + BLACK), 1.0) + RELATIVE_TOLERANCE * level)


def _changed(samples: np.ndarray, earlier: np.ndarray) -> np.ndarray:
    """(N,) bool: which blocks (N, 3) BGR look unlike the `earlier` ones of the same spots, in the light of most."""
    if not len(samples):
        return np.zeros(0, bool)
    gain = np.median((samples + 1.0) / (earlier + 1.0), axis=0)
    apart = np.linalg.norm(samples - gain * earlier, axis=-1) / 3**0.5
    return np.asarray(apart >= _tolerance(samples.mean(1)))


def _seen_across(samples: np.ndarray, at_px: np.ndarray, low_px: np.ndarray, high_px: np.ndarray) -> np.ndarray:
    """(N,) bool: which of the samples (N, 3) BGR around a box look like some on two opposite sides of it, lit or
    shaded: a hand comes in from one side, or over a corner. `at_px` (N, 2): where they lie."""

    def shown(side: np.ndarray) -> np.ndarray:
        return np.asarray(like_samples(samples[None], samples[side], SHADES)[0])

    before, beyond = (at_px < low_px).T, (at_px > high_px).T
    (left, top), (right, bottom) = (tuple(shown(side) for side in sides) for sides in (before, beyond))
    return np.asarray((left & right) | (top & bottom))


def like_samples(picture: np.ndarray, samples: np.ndarray, shades: Sequence[float]) -> np.ndarray:
    """(h, w) bool: the pixels of a picture (h, w, 3) float32 that look like some of the samples (N, 3), so shaded."""
    if not len(samples) or not picture.size:
        return np.zeros(picture.shape[:2], bool)
    table = (samples[None] * np.array(shades, np.float32)[:, None, None]).reshape(-1, 3)
    pixels = picture.reshape(-1, 3)
    # squared distances, but for the pixels' own squares, as one matrix product a chunk
    beyond = np.vstack([-2.0 * table.T, (table**2).sum(1)]).astype(np.float32)
    with_one = np.column_stack([pixels, np.ones(len(pixels), np.float32)])
    chunks = range(0, len(pixels), CHUNK_PIXELS)
    apart = np.concatenate([(with_one[at : at + CHUNK_PIXELS] @ beyond).min(1) for at in chunks])
    nearest = np.sqrt(np.maximum(apart + np.einsum("ij,ij->i", pixels, pixels), 0.0) / 3)
    level = pixels @ np.full(3, 1 / 3, np.float32)
    return np.asarray((nearest < _tolerance(level)).reshape(picture.shape[:2]))


def is_rough(texture: np.ndarray, of_table: np.ndarray) -> np.ndarray:
    """(h, w) bool: where the texture (h, w), grey levels, is more than nearly all of the table's (N,)."""
    return _is_rougher(texture, _usual(of_table))


def _usual(of_table: np.ndarray) -> float:
    return float(np.quantile(of_table, USUAL_SHARE)) if len(of_table) else 0.0


def _is_rougher(texture: np.ndarray, usual: float) -> np.ndarray:
    return np.asarray(texture > ROUGHER * usual + ROUGHER_GREY)


def _between(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """(h, w) bool: blocks with `one` (h, w) on one side and `other` on the opposite one: the edge between the two."""
    a, b = np.pad(one, 1), np.pad(other, 1)
    out = np.zeros(one.shape, bool)
    h, w = one.shape
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        near = (slice(1 + dy, h + 1 + dy), slice(1 + dx, w + 1 + dx))
        far = (slice(1 - dy, h + 1 - dy), slice(1 - dx, w + 1 - dx))
        out |= (a[near] & b[far]) | (b[near] & a[far])
    return out
