"""What can be read off a box's tiles: groups of theme and symbol, points, icons; all to be confirmed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

SIDE = 128  # px to which tiles are brought
RIM = 0.08  # share of the side that may be border
GROUND_APART = 18.0  # Lab distance between the grounds of two themes; prints of one colour stay within a few units
SYMBOL_ALIKE = 0.8  # correlation of the middles of two tiles with the same symbol
SYMBOL_SLIP = 4  # px
DIGITS = "123456789"
FONTS = ("sans", "serif")
GLYPH_HEIGHTS = (8, 10, 12, 14)  # px of SIDE: capitals of 6 to 11 % of the side
GLYPH_SLIP = 2  # px a glyph may be off the place that the whole box agrees on
GLYPH_FOUND = 0.6  # correlation from which a glyph is read
ICON_SIZE = (0.05, 0.16)  # share of the side
ICON_STRIP = 0.3  # icons stand in columns within so much of the left or right edge
ICON_APART = 22.0  # Lab distance of an icon's edge to the ground
UNEVEN = 1.3  # icons of a column are as far apart as the nearest two, give or take so much
ICON_COLOURED = 25.0  # chroma from which an icon stands for a theme and not for a cube


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What a tile seems to show. `theme` and `symbol` number groups (from 0 and 1); `requires` names theme groups.

    `vp` is None when no figure was read; `sure` (0..1) is the correlation with which it was.
    """

    face: str
    theme: int
    symbol: int
    vp: int | None
    cubes: int
    requires: tuple[int, ...]
    start: bool
    players_3_4: bool
    sure: float


def suggest(pictures: Mapping[str, U8]) -> tuple[Suggestion, ...]:
    """A suggestion for every face -> picture (h, w, 3) uint8 BGR, upright and cut at the tile's edge."""
    tiles = [cv2.resize(p, (SIDE, SIDE), interpolation=cv2.INTER_AREA) for p in pictures.values()]
    labs = [cv2.cvtColor(t.astype(np.float32) / 255, cv2.COLOR_BGR2Lab) for t in tiles]
    grounds = [_ground(lab) for lab in labs]
    themes = _linked(len(tiles), lambda a, b: float(np.linalg.norm(grounds[a] - grounds[b])) < GROUND_APART)
    greys = [cv2.cvtColor(t, cv2.COLOR_BGR2GRAY).astype(np.float32) for t in tiles]
    symbols = _symbols(greys, themes)
    digits = _digits(greys)
    starts, lates = _marked(greys, "S"), _marked(greys, "3/4")
    theme_grounds = {t: np.mean([g for g, x in zip(grounds, themes, strict=True) if x == t], axis=0) for t in themes}
    out = []
    for k, face in enumerate(pictures):
        cubes, requires = _icons(labs[k], grounds[k], theme_grounds)
        vp, sure = digits[k]
        out.append(Suggestion(face, themes[k], symbols[k], vp, cubes, requires, starts[k], lates[k], sure))
    return tuple(out)


def _ground(lab: F32) -> F32:
    """(3,) Lab of the colour that most of the tile has: the median without the border."""
    rim = round(RIM * SIDE)
    return np.asarray(np.median(lab[rim:-rim, rim:-rim].reshape(-1, 3), axis=0), dtype=np.float32)


def _linked(count: int, alike: object) -> list[int]:
    """Group numbers, in order of appearance, of the finest grouping in which all alike pairs are together."""
    assert callable(alike)
    group = list(range(count))
    for a in range(count):
        for b in range(a):
            if group[a] != group[b] and alike(a, b):
                group = [group[b] if g == group[a] else g for g in group]
    order = list(dict.fromkeys(group))
    return [order.index(g) for g in group]


def _symbols(greys: Sequence[F32], themes: Sequence[int]) -> list[int]:
    """Number of each tile's symbol within its theme, from 1 in order of appearance."""
    low, high = SIDE // 4, SIDE - SIDE // 4

    def alike(a: int, b: int) -> bool:
        if themes[a] != themes[b]:
            return False
        around = greys[a][low - SYMBOL_SLIP : high + SYMBOL_SLIP, low - SYMBOL_SLIP : high + SYMBOL_SLIP]
        likeness = cv2.matchTemplate(around, greys[b][low:high, low:high], cv2.TM_CCOEFF_NORMED)
        return float(likeness.max()) > SYMBOL_ALIKE

    groups = _linked(len(greys), alike)
    seen: dict[int, list[int]] = {}
    out = []
    for theme, group in zip(themes, groups, strict=True):
        known = seen.setdefault(theme, [])
        if group not in known:
            known.append(group)
        out.append(known.index(group) + 1)
    return out


def _glyph(text: str, font: str, height: int) -> F32:
    """`text` in black on white, its capitals `height` px high, on a box of one size for all digits."""
    face = cv2.FontFace(font)
    size = round(height / 0.7)  # capitals are about 0.7 of the nominal size in OpenCV's built-in fonts
    wide, tall = round(height * 0.9 * (1 + 0.8 * (len(text) - 1))), height + 2
    sheet = np.full((4 * tall, 4 * wide, 3), 255, np.uint8)
    box = cv2.getTextSize((4 * wide, 4 * tall), text, (0, 0), face, size, weight=700)
    origin = (round(2 * wide - box[0] - box[2] / 2), round(2 * tall + height / 2))
    cv2.putText(sheet, text, origin, (0, 0, 0), face, size, weight=700)
    top, left = 2 * tall - tall // 2, 2 * wide - wide // 2
    return np.asarray(sheet[top : top + tall, left : left + wide, 0], dtype=np.float32)


def _digits(greys: Sequence[F32]) -> list[tuple[int | None, float]]:
    """Figure and correlation of each tile, at the place, size and font on which the whole box agrees best."""
    best_score, best_maps, place = -1.0, np.zeros((0,), np.float32), (0, 0)
    for font in FONTS:
        for height in GLYPH_HEIGHTS:
            glyphs = [_glyph(d, font, height) for d in DIGITS]
            maps = np.array([[np.abs(cv2.matchTemplate(g, t, cv2.TM_CCOEFF_NORMED)) for t in glyphs] for g in greys])
            agreed = maps.max(axis=1).mean(axis=0)
            if float(agreed.max()) > best_score:
                best_score, best_maps = float(agreed.max()), maps
                row_at, col_at = np.unravel_index(int(agreed.argmax()), agreed.shape)
                place = (int(row_at), int(col_at))
    y, x = place
    near = best_maps[:, :, max(0, y - GLYPH_SLIP) : y + GLYPH_SLIP + 1, max(0, x - GLYPH_SLIP) : x + GLYPH_SLIP + 1]
    scores = near.max(axis=(2, 3))  # (tiles, digits)
    return [
        (int(DIGITS[int(row.argmax())]) if row.max() >= GLYPH_FOUND else None, round(float(row.max()), 3))
        for row in scores
    ]


def _marked(greys: Sequence[F32], text: str) -> list[bool]:
    """Which tiles carry `text`, at the place, size and font that best divides the box into tiles with and without."""
    best, marked = 0.0, [False] * len(greys)
    for font in FONTS:
        for height in GLYPH_HEIGHTS[:3]:
            glyph = _glyph(text, font, height)
            maps = np.array([np.abs(cv2.matchTemplate(g, glyph, cv2.TM_CCOEFF_NORMED)) for g in greys])
            ranked = np.sort(maps, axis=0)
            tenth, half = max(1, len(greys) // 10), max(1, len(greys) // 2)
            divides = ranked[-tenth:].mean(axis=0) - ranked[:half].mean(axis=0)
            y, x = (int(v) for v in np.unravel_index(int(divides.argmax()), divides.shape))
            near = maps[:, max(0, y - 1) : y + 2, max(0, x - 1) : x + 2].max(axis=(1, 2))
            if float(divides.max()) > best:
                best, marked = float(divides.max()), [bool(v > GLYPH_FOUND) for v in near]
    return marked


def _icons(lab: F32, ground: F32, themes: Mapping[int, F32]) -> tuple[int, tuple[int, ...]]:
    """Number of cube icons and the theme groups of the coloured icons, from columns of equal marks at the edges."""
    found = [mark for mark in _marks(lab, ground) if mark is not None]
    cubes, requires = 0, []
    for column in _columns(found):
        colours = [lab_mark for _, _, _, lab_mark in column]
        chroma = float(np.median([np.hypot(c[1], c[2]) for c in colours]))
        if chroma < ICON_COLOURED:
            cubes = max(cubes, len(column))
        else:
            requires += [_nearest_hue(colour, themes) for colour in colours]
    return cubes, tuple(requires)


def _nearest_hue(colour: F32, themes: Mapping[int, F32]) -> int:
    return min(themes, key=lambda theme: _hue_apart(colour, themes[theme]))


def _hue_apart(a: F32, b: F32) -> float:
    """Angle between the hues of two Lab colours, radians; grey is far from everything."""
    if np.hypot(b[1], b[2]) < ICON_COLOURED:
        return float(np.pi)
    turn = np.arctan2(a[2], a[1]) - np.arctan2(b[2], b[1])
    return float(abs((turn + np.pi) % (2 * np.pi) - np.pi))


def _marks(lab: F32, ground: F32) -> list[tuple[float, float, float, F32]]:
    """(x, y, size, colour) of compact marks near the left and right edges."""
    apart = np.linalg.norm(lab - ground, axis=2) > ICON_APART
    rim = round(RIM * SIDE / 2)
    apart[:rim], apart[-rim:], apart[:, :rim], apart[:, -rim:] = False, False, False, False
    count, _, stats, centres = cv2.connectedComponentsWithStats(apart.astype(np.uint8), connectivity=4)
    out = []
    for k in range(1, count):
        _, _, w, h, area = (int(v) for v in stats[k])
        x, y = (float(v) for v in centres[k])
        size = (w + h) / 2
        in_strip = min(x, SIDE - x) < ICON_STRIP * SIDE
        fits = ICON_SIZE[0] * SIDE <= size <= ICON_SIZE[1] * SIDE and 0.75 < w / h < 1.33 and area > 0.6 * w * h
        if in_strip and fits:
            reach = max(1, round(size / 5))
            middle = lab[round(y) - reach : round(y) + reach + 1, round(x) - reach : round(x) + reach + 1]
            out.append((x, y, size, np.asarray(np.median(middle.reshape(-1, 3), axis=0), dtype=np.float32)))
    return out


def _columns(marks: list[tuple[float, float, float, F32]]) -> list[list[tuple[float, float, float, F32]]]:
    """Marks of one size one below the other at even distances; a lone mark is a column too."""
    groups = _linked(
        len(marks),
        lambda a, b: abs(marks[a][0] - marks[b][0]) < 0.2 * marks[a][2] and 0.8 < marks[a][2] / marks[b][2] < 1.25,
    )
    columns = [[m for m, g in zip(marks, groups, strict=True) if g == number] for number in dict.fromkeys(groups)]
    return [_evenly(sorted(column, key=lambda m: m[1])) for column in columns]


def _evenly(column: list[tuple[float, float, float, F32]]) -> list[tuple[float, float, float, F32]]:
    """The longest run of a column, from top to bottom, whose marks follow each other at the smallest distance."""
    gaps = [b[1] - a[1] for a, b in pairwise(column)]
    runs, start = [], 0
    for k, gap in enumerate(gaps, 1):
        if gap > UNEVEN * min(gaps):
            runs.append(column[start:k])
            start = k
    return max([*runs, column[start:]], key=len)
