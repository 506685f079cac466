"""Figures and short words on faces: where the faces agree that one stands, and what it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.face_print.face_view import PrintView
from calibration.face_print.patches import Box

F32 = NDArray[np.float32]

FONTS = (("sans", 700), ("serif", 700), ("italic", 700), ("sans", 400))
"""Name and weight of OpenCV's built-in fonts: thin figures are like no bold ones."""
HEIGHTS = (10, 12, 15, 18)
"""Px of a face's side (160) that a capital is high: 6 to 11 % of it."""
SLIP_PX = 4
"""A figure may stand so far off the place on which all faces agree: a cut misses by a hundredth of the side."""
PLACE_SLIP_PX = 2
CLEAR_COUNTS = 3.0
"""A tenth more between the likeliest text or name and the next is worth three tenths more likeness."""
KNOWN_COUNTS = 4.0
"""What a person said counts more than any likeness."""
USUAL = 0.5
USUAL_COUNTS = 1.0
"""Faces of which more than this share say the same text say it by what all have, the edge of a badge."""
BARE = 0.12
"""Share of print that bare ground may have: the end of a neighbour's outline."""
LESS_PRINT = 0.5
"""Bare ground has less than this share of the print that any face with the mark has at its place: the arm of a star
comes a pixel nearer on one face than on the next."""
LIKE_A_MARK = 0.65
"""Correlation from which something printed may be the mark, in a font that is not the box's."""
ENOUGH = 6
"""Of so many faces one at least is without a mark: what all have is part of a badge."""
SEARCHED = 14
"""Faces by which the place is found; more tell no more."""


@dataclass(frozen=True, slots=True)
class GlyphPlace:
    """Where a glyph's box stands (left, top, width, height, px), in which font and height; `score` 0 to 1: how well
    the faces agree on it."""

    box_px: tuple[int, int, int, int]
    font: tuple[str, int]
    height: int
    score: float


@lru_cache(maxsize=512)
def glyph(text: str, font: tuple[str, int], height: int) -> F32:
    """`text` in black on white, its capitals `height` px high, on a box of one size for every text of its length."""
    name, weight = font
    face = cv2.FontFace(name)
    size = round(height / 0.7)  # capitals are about 0.7 of the nominal size in OpenCV's built-in fonts
    wide, tall = round(height * 0.9 * (1 + 0.8 * (len(text) - 1))), height + 4
    sheet = np.full((4 * tall, 4 * wide, 3), 255, np.uint8)
    box = cv2.getTextSize((4 * wide, 4 * tall), text, (0, 0), face, size, weight=weight)
    origin = (round(2 * wide - box[0] - box[2] / 2), round(2 * tall + height / 2))
    cv2.putText(sheet, text, origin, (0, 0, 0), face, size, weight=weight)
    top, left = 2 * tall - tall // 2, 2 * wide - wide // 2
    soft = cv2.GaussianBlur(sheet[top : top + tall, left : left + wide, 0].astype(np.float32), (0, 0), 0.9)
    return np.asarray(soft, dtype=np.float32)


def likeness_of_places(seen: F32, template: F32, faintest: float = 6.0) -> F32:
    """How like the template each place is, dark on bright or bright on dark; flat ones, with less contrast than
    `faintest` levels of the picture, are noise and like nothing."""
    found = np.abs(cv2.matchTemplate(seen, template, cv2.TM_CCOEFF_NORMED))
    height, width = template.shape
    mean = cv2.boxFilter(seen, -1, (width, height), anchor=(0, 0))
    square = cv2.boxFilter(seen * seen, -1, (width, height), anchor=(0, 0))
    spread = np.sqrt(np.maximum(square - mean * mean, 0))[: found.shape[0], : found.shape[1]]
    found[spread < faintest] = 0.0
    return np.asarray(found, dtype=np.float32)


def find_figure(
    views: Sequence[PrintView], texts: Sequence[str], known: Sequence[str] = ()
) -> GlyphPlace | None:
    """The place on which the faces agree that one of `texts` stands on every face, and not the same on all of them.

    `known`: what a person says that each face has; then the place that says most of it. An edge is like a 1 or a 7
    wherever it is: what counts is by how much one text is likelier than the next.
    """
    tried = list(views) if known else _spread(views)
    right = np.array([texts.index(value) for value in known])
    best: GlyphPlace | None = None
    around = np.ones((2 * PLACE_SLIP_PX + 1, 2 * PLACE_SLIP_PX + 1), np.uint8)
    for font in FONTS:
        for height in HEIGHTS:
            glyphs = [glyph(text, font, height) for text in texts]
            maps = np.array([[cv2.dilate(likeness_of_places(v.gray, g), around) for g in glyphs] for v in tried])
            ranked = np.sort(maps, axis=1)
            said = maps.argmax(axis=1)
            differs = (said != said[:1]).any(axis=0) | (len(tried) == 1)
            clear = (ranked[:, -1] - ranked[:, -2]).mean(axis=0)
            usual = np.array([(said == k).mean(axis=0) for k in range(len(texts))]).max(axis=0)
            agreed = ranked[:, -1].mean(axis=0) + CLEAR_COUNTS * clear
            agreed = np.where(differs, agreed - USUAL_COUNTS * np.maximum(usual - USUAL, 0.0), 0.0)
            if known:
                agreed = agreed + KNOWN_COUNTS * (said == right[:, None, None]).mean(axis=0)
            score = float(agreed.max())
            if best is None or score > best.score:
                y, x = (int(v) for v in np.unravel_index(int(agreed.argmax()), agreed.shape))
                tall, wide = glyphs[0].shape
                best = GlyphPlace((x, y, wide, tall), font, height, score)
    return best


def find_mark(
    views: Sequence[PrintView], text: str, known: Mapping[int, bool], without: Sequence[Box] = ()
) -> GlyphPlace | None:
    """The place at which some faces have `text` and the others bare ground; the more have it, the surer.

    `known`: of which faces (by number) a person said whether they have it. `without`: parts of the faces where
    something else stands.
    """
    best: GlyphPlace | None = None
    around = np.ones((2 * PLACE_SLIP_PX + 1, 2 * PLACE_SLIP_PX + 1), np.uint8)
    for font in FONTS:
        for height in HEIGHTS[:3]:
            template = glyph(text, font, height)
            tall, wide = template.shape
            maps = np.array([cv2.dilate(likeness_of_places(v.gray, template), around) for v in views])
            shares = np.array([_print_share(v, (wide, tall))[: maps.shape[1], : maps.shape[2]] for v in views])
            has = (shares >= BARE) & (maps >= LIKE_A_MARK)
            least = np.where(has, shares, 1.0).min(axis=0)
            bare = shares < np.minimum(BARE, LESS_PRINT * least)
            other = (~bare & ~has).mean(axis=0)
            for number, marked in known.items():
                other += (has[number] != marked) / len(views)
            count = has.sum(axis=0)
            like = np.where(has, maps, 0.0).sum(axis=0) / np.maximum(count, 1)
            # what all have but one, of which it is seen badly, says as little as what one has
            told_by = np.minimum(count, len(views) - count) if len(views) >= ENOUGH else count
            divides = like * told_by / (told_by + 1) - 2.0 * other
            if len(views) >= ENOUGH:
                divides = np.where(has.all(axis=0), -1.0, divides)
            for left, top, right, bottom in without:
                divides[max(0, top - tall + 1) : bottom, max(0, left - wide + 1) : right] = -1.0
            score = float(divides.max())
            if best is None or score > best.score:
                y, x = (int(v) for v in np.unravel_index(int(divides.argmax()), divides.shape))
                best = GlyphPlace((x, y, wide, tall), font, height, score)
    return best


def _print_share(view: PrintView, wide_tall: tuple[int, int]) -> F32:
    printed = view.printed(12.0).astype(np.float32)
    return np.asarray(cv2.boxFilter(printed, -1, wide_tall, anchor=(0, 0)), dtype=np.float32)


def print_share(view: PrintView, place: GlyphPlace) -> float:
    """Share of the place's box on which something is printed."""
    x, y, w, h = place.box_px
    return float(view.printed(12.0)[y : y + h, x : x + w].mean())


def likeness_at(view: PrintView, place: GlyphPlace, texts: Sequence[str]) -> NDArray[np.float64]:
    """(T,) how like each text what stands at the place is (0 to 1), the best of all fonts and near sizes."""
    x, y, w, h = place.box_px
    around = view.gray[max(0, y - SLIP_PX) : y + h + SLIP_PX, max(0, x - SLIP_PX) : x + w + SLIP_PX]
    heights = range(place.height - 2, place.height + 3)
    out = []
    for text in texts:
        scores = [0.0]
        for font in FONTS:
            for height in heights:
                template = glyph(text, font, height)
                if template.shape[0] <= around.shape[0] and template.shape[1] <= around.shape[1]:
                    scores.append(float(likeness_of_places(around, template).max()))
        out.append(max(scores))
    return np.array(out)


def _spread(views: Sequence[PrintView]) -> list[PrintView]:
    step = max(1, -(-len(views) // SEARCHED))
    return list(views[::step])
