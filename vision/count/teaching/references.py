"""Learns the colours of pieces from reference pictures: boxes in a picture, crops, or pieces lying apart on a table."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.appearance.looks import SPREADS, PieceLook, body_light, features, light_of, look_in_outline
from vision.count.discs.edges import find_edges
from vision.count.discs.rims import TRUE_WAVY, Discs, find_discs
from vision.count.discs.search import ROUND_SUPPORT, Copies, FoundDiscs, search_discs
from vision.count.table.ground import LEVEL, find_ground, to_lab
from vision.count.table.sheets import find_sheets
from vision.count.teaching.colours import Picture, PieceColour
from vision.count.teaching.shape import CORNERS, TABLE_LAB, own_part, rim_by_table, rim_of_shape
from vision.srgb import to_linear

Box = tuple[int, int, int, int]
"""x, y, width, height in pixels."""

CROP_LAB, CROP_PART = 9.0, 0.85  # a crop's middle differs so much from its corners, in so much of its area
SWATCH_PX, GLINT_PART = 200, 0.06  # in so small a picture a light spot of so little of its area is a glint
BOX_PX = 72  # breadth of a box in which the piece's rim is searched: a radius of 28 px and some table around
BOX_MARGIN = 0.12  # of a box's breadth: boxes are drawn by hand, often a little inside the piece
BOX_RADII = (0.3, 0.56)  # of a box's breadth: what is smaller is print on the piece
# Of a rim: a piece is known to be there, and pale spots at its edge are not seen on a pale table.
BOX_SUPPORT = 0.38
FILLS = 0.1  # natural log by which a broken rim may be larger or smaller than a piece that fills its box
# Of a crop's breadth: the radius of a piece that was cut out loosely, and how far it may lie aside.
LOOSE_RADII, OFF_LOOSE = (0.24, 0.5), 0.2
# Of an outline: where so much of it ends and table begins it is the piece's, but that of a loose crop may be a label's
# whose chip fills the crop to its corners: no count is sure by it.
TABLE_ENDS = 0.4
AROUND = (1.1, 1.3)  # of a rim's radius; the table there has the colour of the corners
OFF_MIDDLE = 0.15  # of a box's breadth by which the piece may lie aside
OFF_BOX = 0.2  # natural log between the size of a box drawn by hand and that of the piece in it
MOST_LOOKS = 8  # kept of one colour: the next ones add little and cost time with every picture
STRANGE_AT = 4.0  # spreads from the usual look of a colour at which one of many is glare or another thing
# Where no rim is seen in it: of a box with its margin, and of a crop that has none or as much.
IN_BOX, IN_CROP = 0.97 / (1 + 2 * BOX_MARGIN), 0.88
SMALL_PX = 400  # a picture smaller than this shows one piece: nobody photographs several in it
WORK_PX = 1350  # of a whole reference picture, as of a picture to count in: rims are then picked alike


def learn_colour(name: str, references: Sequence[tuple[Picture, Sequence[Box]]]) -> PieceColour:
    """A colour from pictures of its pieces, each (H, W, 3) uint8 BGR with the boxes that hold one piece each.

    Without boxes the pieces are found on the picture's own ground; a picture that shows nothing but one piece (or a
    swatch) is taken from its middle. Raises ValueError for an empty list.
    """
    if not references:
        raise ValueError(f"colour {name}: at least one reference picture is needed")
    pixels = np.concatenate([_piece_pixels(picture, boxes) for picture, boxes in references])
    lab = to_lab(pixels[None])[0].astype(np.float64)
    spread = 1.4826 * np.median(np.abs(lab - np.median(lab, axis=0)), axis=0)
    looks = [
        replace(look, photograph=zlib.crc32(np.ascontiguousarray(picture).tobytes()))
        for picture, boxes in references
        for look in _looks(picture, boxes)
    ]
    light = np.median([look.inner_bgr for look in looks], axis=0) if looks else np.median(to_linear(pixels), axis=0)
    red, green, blue = (float(v) for v in light)
    lightness, a, b = (float(v) for v in spread)
    return PieceColour(name, (red, green, blue), (lightness, a, b), _most_different(looks))


def _looks(picture: Picture, boxes: Sequence[Box]) -> list[PieceLook]:
    """The looks of the pieces of one reference picture."""
    if boxes:
        looks = [_boxed_look(picture, box) for box in boxes]
        radii = _radii(picture, boxes)
        return [replace(look, radius=radius) for look, radius in zip(looks, radii, strict=True)]
    whole = _look_in_crop(picture)
    if whole.support >= ROUND_SUPPORT or max(picture.shape[:2]) < SMALL_PX or _is_crop(picture):
        return [whole]
    share = min(1.0, WORK_PX / max(picture.shape[:2]))
    work = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA) if share < 1 else picture
    found = _discs_of(work)
    if len(found) and np.median(found.support) >= ROUND_SUPPORT:
        return [
            replace(look_in_outline(work, outline, float(support)), radius=float(radius))
            for outline, support, radius in zip(found.outlines, found.support, found.radius, strict=True)
            if support >= ROUND_SUPPORT
        ]
    body = body_light(_piece_pixels(picture, boxes))
    return [PieceLook(body, body)]


def _radii(picture: Picture, boxes: Sequence[Box]) -> list[float]:
    """How large the pieces in boxes are, searched as in a picture to count in: the rim that is seen best is not always
    the outermost one. 0.0 where no rim fits its box.
    """
    if len(boxes) == 0 or max(picture.shape[:2]) < SMALL_PX:
        return [0.0] * len(boxes)
    share = min(1.0, WORK_PX / max(picture.shape[:2]))
    work = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA) if share < 1 else picture
    found = _discs_of(work).scaled(1 / share)
    radii = []
    for x, y, width, height in boxes:
        gaps = np.linalg.norm(found.xy - np.array([x + width / 2, y + height / 2]), axis=1)
        near = gaps < OFF_MIDDLE * max(width, height)
        near &= np.abs(np.log(found.radius / (np.sqrt(width * height) / 2))) < OFF_BOX
        radii.append(float(found.radius[np.argmin(np.where(near, gaps, np.inf))]) if near.any() else 0.0)
    return radii


@lru_cache(maxsize=2)
def _searched(pixels: bytes, shape: tuple[int, int, int]) -> FoundDiscs:
    picture = np.frombuffer(pixels, np.uint8).reshape(shape)
    return search_discs(Copies(to_lab(picture), find_sheets(picture)))


def _discs_of(work: Picture) -> FoundDiscs:
    """The round pieces of a picture that teaches; one picture often teaches several colours, one after the other."""
    height, width = work.shape[:2]
    return _searched(np.ascontiguousarray(work).tobytes(), (height, width, 3))


def _around(picture: Picture, box: Box) -> Picture:
    """The picture in a box and a little around it."""
    x, y, width, height = box
    more = round(BOX_MARGIN * max(width, height))
    return picture[max(0, y - more) : y + height + more, max(0, x - more) : x + width + more]


def _boxed_look(picture: Picture, box: Box) -> PieceLook:
    """The look of the one piece in a box. Where no rim fills it, the box was drawn as loosely as people cut crops."""
    look = _look_in_box(_around(picture, box), IN_BOX)
    if look.support > 0:
        return look
    x, y, width, height = box
    loose = _look_in_crop(picture[y : y + height, x : x + width])
    return loose if loose.support > 0 else look


def _look_in_crop(crop: Picture) -> PieceLook:
    """The look of the one piece in a crop, which may be much smaller than it."""
    look = _look_in_box(crop, IN_CROP)
    if look.support >= ROUND_SUPPORT:
        return look
    part = own_part(to_lab(_in_small(crop)))
    if part is None:
        return look
    height, width = crop.shape[:2]
    left, top, right, bottom = (round(share * side) for share, side in zip(part, (width, height) * 2, strict=True))
    own = _look_in_box(crop[top:bottom, left:right], IN_CROP)
    return own if own.support >= look.support else look


def _in_small(crop: Picture) -> Picture:
    """A crop as broad as pieces that teach are searched in."""
    share = BOX_PX / max(crop.shape[:2])
    how = cv2.INTER_AREA if share < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(crop, None, fx=share, fy=share, interpolation=how))


def _look_in_box(crop: Picture, part: float) -> PieceLook:
    """The look of the one piece in a crop: inside its rim, or where no rim is seen in an ellipse over a part of it."""
    share = BOX_PX / max(crop.shape[:2])
    small = _in_small(crop)
    lab = to_lab(small)
    found = find_discs(find_edges(lab), (BOX_RADII[0] * BOX_PX, BOX_RADII[1] * BOX_PX), BOX_SUPPORT)
    found = found.take(~inner_rims(lab, found, part))
    best = own_rim(found, np.array(small.shape[1::-1]) / 2, part)
    if best is not None:
        return look_in_outline(crop, found.outline(best) / share, float(found.support[best]))
    shape = rim_of_shape(lab)
    if shape is not None and _fills(shape[0], np.array(small.shape[1::-1]) / 2, part) and shape[1] >= BOX_SUPPORT:
        return look_in_outline(crop, shape[0] / share, shape[1])
    loose = part == IN_CROP
    radii = LOOSE_RADII if loose else (part / 2 * np.exp(-OFF_BOX), part / 2 * np.exp(OFF_BOX))
    ends = rim_by_table(lab, (radii[0] * BOX_PX, radii[1] * BOX_PX), (OFF_LOOSE if loose else OFF_MIDDLE / 2) * BOX_PX)
    if ends is not None and ends[1] >= TABLE_ENDS:
        return look_in_outline(crop, ends[0] / share, 0.0 if loose else ends[1])
    angles = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    breadth = np.array(crop.shape[1::-1], float)
    return look_in_outline(crop, breadth / 2 * (1 + part * np.stack([np.cos(angles), np.sin(angles)], axis=1)))


def _fills(outline: NDArray[np.float64], middle: NDArray[np.float64], part: float) -> bool:
    """Whether an outline lies in the middle of a box `BOX_PX` broad and is as large as a piece that fills it."""
    radius = np.sqrt(cv2.contourArea(outline.astype(np.float32)) / np.pi)
    near = np.linalg.norm(outline.mean(axis=0) - middle) < OFF_MIDDLE * BOX_PX
    return bool(near and abs(np.log(max(radius, 1.0) / (part * BOX_PX / 2))) < FILLS)


def own_rim(found: Discs, middle: NDArray[np.float64], part: float) -> int | None:
    """Which of the rims in a box `BOX_PX` broad is that of the piece in it, which covers about `part` of it; None when
    none is: a broken one must fill the box, or it is an arc of labels and spots.
    """
    near = np.linalg.norm(found.xy - middle, axis=1) < OFF_MIDDLE * BOX_PX
    fills = np.abs(np.log(found.radius / (part * BOX_PX / 2))) < FILLS
    near &= (found.support >= ROUND_SUPPORT) | ((found.wavy <= TRUE_WAVY) & fills)
    return int(np.argmax(np.where(near, found.support * np.sqrt(found.radius), 0))) if near.any() else None


def inner_rims(lab: NDArray[np.float32], found: Discs, part: float) -> NDArray[np.bool_]:
    """(N,) which rims in a box (H, W, 3) Lab are those of labels: they leave room for the piece, which covers about
    `part` of the box, and what is around them is not the table of its corners.
    """
    height, width = lab.shape[:2]
    rows, cols = np.mgrid[:height, :width]
    middle = np.hypot((cols + 0.5) / width - 0.5, (rows + 0.5) / height - 0.5) * 2
    corners = np.median(lab[middle > CORNERS], axis=0)
    inner = np.zeros(len(found), bool)
    for k in np.flatnonzero(np.log(found.radius / (part * BOX_PX / 2)) < -FILLS):
        off = np.hypot(cols - found.xy[k, 0], rows - found.xy[k, 1]) / found.radius[k]
        around = lab[(off > AROUND[0]) & (off < AROUND[1])]
        inner[k] = len(around) > 0 and bool(np.linalg.norm(np.median(around, axis=0) - corners) > TABLE_LAB)
    return inner


def _most_different(looks: list[PieceLook]) -> tuple[PieceLook, ...]:
    """At most `MOST_LOOKS`, those that differ most from each other: a light and a dark one say more."""
    if len(looks) <= MOST_LOOKS:
        return tuple(looks)
    places = features(light_of(looks)) / SPREADS
    off = np.linalg.norm(places - np.median(places, axis=0), axis=1)
    looks = [look for look, far in zip(looks, off, strict=True) if far <= STRANGE_AT]
    places, off = places[off <= STRANGE_AT], off[off <= STRANGE_AT]
    chosen = [int(off.argmin())]
    while len(chosen) < min(MOST_LOOKS, len(looks)):
        gaps = np.linalg.norm(places[:, None] - places[chosen][None], axis=2).min(axis=1)
        chosen.append(int(gaps.argmax()))
    return tuple(looks[k] for k in sorted(chosen))


def _piece_pixels(picture: Picture, boxes: Sequence[Box]) -> Picture:
    """(N, 3) pixels of the pieces, without their rims."""
    if boxes:
        return np.concatenate([_middle(picture[y : y + h, x : x + w]) for x, y, w, h in boxes])
    if _is_crop(picture):
        return _middle(picture)
    ground = find_ground(picture)
    mask = ((ground.difference > LEVEL) & ~ground.shadow).astype(np.uint8)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel)
    height, width = mask.shape
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    inner = np.zeros(mask.shape, np.uint8)
    largest = max((stats[k, cv2.CC_STAT_AREA] for k in range(1, count)), default=0)
    for k in range(1, count):
        x, y, w, h, area = stats[k]
        at_rim = x == 0 or y == 0 or x + w == width or y + h == height
        if not at_rim and area > max(0.25 * largest, 2e-4 * mask.size):
            body = (labels == k).astype(np.uint8)
            depth = cv2.distanceTransform(body, cv2.DIST_L2, 3)
            inner |= (depth > 0.35 * depth.max()).astype(np.uint8)
    found = int(inner.sum())
    glint = max(height, width) < SWATCH_PX and found < GLINT_PART * mask.size
    return _middle(picture) if found == 0 or glint else picture[inner.astype(bool)]


def _is_crop(picture: Picture) -> bool:
    """Whether one piece fills the picture: its middle is not what the corners show."""
    height, width = picture.shape[:2]
    edge = max(1, min(height, width) // 12)
    corners = [picture[:edge, :edge], picture[:edge, -edge:], picture[-edge:, :edge], picture[-edge:, -edge:]]
    table = np.median(to_lab(np.concatenate([c.reshape(-1, 3) for c in corners])[None])[0], axis=0)
    middle = to_lab(_middle(picture)[None])[0]
    differs = np.linalg.norm(np.median(middle, axis=0) - table) > CROP_LAB
    return bool(differs and (np.linalg.norm(middle - table, axis=1) > CROP_LAB / 2).mean() > CROP_PART)


def _middle(crop: Picture) -> Picture:
    """(N, 3) pixels of the inner ellipse of a crop that holds one piece."""
    height, width = crop.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    cv2.ellipse(
        mask, (width // 2, height // 2), (max(1, int(width * 0.32)), max(1, int(height * 0.32))), 0, 0, 360, 1, -1
    )
    return np.asarray(crop[mask.astype(bool)])
