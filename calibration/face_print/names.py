"""Names printed on faces: on which line they stand in which font, and which of the names of a game each face has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.face_print.face_view import SIDE, PrintView
from calibration.face_print.figures import CLEAR_COUNTS, likeness_of_places
from calibration.face_print.patches import Box

F32 = NDArray[np.float32]

FONTS = (("sans", 700), ("italic", 700), ("sans", 400))
"""Name and weight of OpenCV's built-in fonts: names in other ones are like these, too."""
HEIGHTS = tuple(range(5, 14))
"""Px of the longer side (256) of a face that a capital may be high: 2 to 5 % of it. A tenth more or less is unlike."""
COARSE = (6, 8, 10, 12)
"""Heights by which the rows are looked for."""
ROWS = 2
"""So many rows are looked at in all heights and fonts."""
LONG = 0.35
"""A name that would take more than so much of the width may be printed smaller than the others."""
AROUND = 0.25
"""Of a capital's height: so much bare ground a name has on either side, or it is the beginning of a longer one."""
SEARCHED = 4
"""Faces by which the line is found; more tell no more."""
SLIP_PX = 3
"""A name may stand so far off the line: a cut misses by a hundredth of the side."""
LINE_READ, LINE_CLEAR = 0.75, 0.05
"""Mean likeness of the names on a line, and how far they are ahead of the next, from which it is one of names."""
BAND_PX = 18
"""A row's surroundings: half of the highest name, and what it may be off."""
WELL_READ = 1.1
"""Score of a line that no other language need be tried for: names read in their own are 0.8 alike and 0.1 ahead."""
FINALISTS, NEARLY = 4, 0.15
"""So many of the likeliest names, those that are less like than the likeliest by so much at most, are compared over all
that any of them takes."""
FIGURE_HEIGHTS = (9, 10, 11, 12, 13, 15)
FAINTEST = 4.0
"""Lab units of contrast below which nothing is printed."""
SHORTEST = 4
"""Letters of a part of a name by which it is told alone."""


@dataclass(frozen=True, slots=True)
class NameLine:
    """Where names stand: `language` of them, `upper` case or as they are written, `font`, the row of their middle and
    the height of their capitals (px of a view's `fine` picture); `score`: how well the faces agree on it."""

    language: int
    upper: bool
    font: tuple[str, int]
    row: int
    height: int
    score: float


def words_of(names: Sequence[str]) -> list[tuple[str, ...]]:
    """For each name what of it may be printed: all of it, or a word that is not in all of them; nothing in brackets."""
    plain = [re.sub(r"\s*\(.*?\)", "", name).strip() for name in names]
    words = [re.split(r"[\s-]+", name) for name in plain]
    usual = set.intersection(*map(set, words)) if len(names) > 1 else set()
    out = []
    for own in words:
        left = [word for word in own if word not in usual]
        out.append(tuple(dict.fromkeys((" ".join(left), *(word for word in left if len(word) >= SHORTEST)))))
    return out


def find_names(views: Sequence[PrintView], languages: Sequence[Iterable[str]]) -> NameLine | None:
    """The line on which the faces agree that a name stands on each, and not the same on all; None where there is none.

    `languages`: the words of names in each language, as of `words_of`; the first that is read well enough is taken.
    """
    tried = [np.ascontiguousarray(view.fine[..., 0]) for view in views[:: max(1, -(-len(views) // SEARCHED))]]
    best: NameLine | None = None
    for language, upper in ((n, upper) for n in range(len(languages)) for upper in (True, False)):
        words = sorted({_cased(word, upper) for word in languages[language]})
        for row in _rows_of(tried, words):
            top = max(0, row - BAND_PX)
            bands = [gray[top : row + BAND_PX] for gray in tried]
            line = _line_on(bands, words, NameLine(language, upper, FONTS[0], top, 0, 0.0))
            for font in FONTS[1:] if line is not None else ():  # a bold font is like the others enough to find them
                other = _line_on(bands, words, NameLine(language, upper, font, top, 0, 0.0))
                line = max(filter(None, (line, other)), key=lambda one: one.score)
            if line is not None and (best is None or line.score > best.score):
                best = line
        if best is not None and best.score >= WELL_READ:
            break
    return best


def _rows_of(tried: Sequence[F32], words: Sequence[str]) -> list[int]:
    """The rows on which something like names stands on all faces."""
    like = _likest(tried, words, FONTS[0], COARSE).max(axis=0).max(axis=0).mean(axis=0)
    rows: list[int] = []
    for _ in range(ROWS):
        rows.append(int(like.argmax()))
        like[max(0, rows[-1] - BAND_PX // 2) : rows[-1] + BAND_PX // 2] = 0.0
    return rows


def _line_on(bands: Sequence[F32], words: Sequence[str], of: NameLine) -> NameLine | None:
    """The line `of` with its row and height, where names on the bands tell them; `of.row`: the first row of these."""
    maps, width = _likest(bands, words, of.font, HEIGHTS), bands[0].shape[1]
    best: NameLine | None = None
    for height in HEIGHTS[1:-1]:
        allowed = np.array([[h in set(_heights(word, of.font, height, width)) for word in words] for h in HEIGHTS])
        seen = np.where(allowed[:, :, None, None], maps, 0.0).max(axis=0)
        ranked, said = np.sort(seen, axis=0), seen.argmax(axis=0)
        like, clear = ranked[-1].mean(axis=0), (ranked[-1] - ranked[-2]).mean(axis=0)
        good = (said != said[:1]).any(axis=0) & (like >= LINE_READ) & (clear >= LINE_CLEAR)
        scores = np.where(good, like + CLEAR_COUNTS * clear, 0.0)
        row = int(scores.argmax())
        if scores[row] > (0.0 if best is None else best.score):
            best = replace(of, row=of.row + row, height=height, score=float(scores[row]))
    return best


def _likest(pictures: Sequence[F32], words: Sequence[str], font: tuple[str, int], heights: Sequence[int]) -> F32:
    """(heights, words, faces, rows) how like each word in each height the likest place of a row is."""
    around = np.ones((2 * SLIP_PX + 1, 1), np.uint8)
    out = np.zeros((len(heights), len(words), len(pictures), pictures[0].shape[0]), np.float32)
    for n, height in enumerate(heights):
        for k, word in enumerate(words):
            template = _name(word, font, height)
            for j, gray in enumerate(pictures):
                out[n, k, j] = cv2.dilate(_rows(gray, template)[:, None], around)[:, 0]
    return out


def read_names(view: PrintView, line: NameLine, names: Sequence[str]) -> NDArray[np.float64]:
    """(V,) how like each of `names`, in the line's language, what stands on the line is (0 to 1)."""
    half = round(line.height * (0.5 + AROUND)) + 1 + SLIP_PX
    band = np.ascontiguousarray(view.fine[max(0, line.row - half) : line.row + half + 1, :, 0])
    by_name = [tuple(_cased(word, line.upper) for word in words) for words in words_of(names)]
    found: dict[str, _Found] = {}
    for word in dict.fromkeys(word for words in by_name for word in words):
        for height in _heights(word, line.font, line.height, band.shape[1]):
            one = _found(band, _name(word, line.font, height))
            if one is not None and (word not in found or one.like > found[word].like):
                found[word] = one
    _compare_all(band, found)
    return np.array([max((found[word].like for word in words if word in found), default=0.0) for words in by_name])


@dataclass(slots=True, eq=False)
class _Found:
    like: float
    left: int
    top: int
    template: F32


def figure_likeness(view: PrintView, figure: str, without: Sequence[Box]) -> float:
    """How like a figure (0 to 1) the likest place of a face is in any colour, but for the boxes `without` (px of the
    view's square pictures)."""
    height, width = view.fine.shape[:2]
    out = 0.0
    for colour in range(3):
        seen = np.ascontiguousarray(view.fine[..., colour])
        for left, top, right, bottom in without:
            across, down = (slice(int(a * n / SIDE), -int(-b * n // SIDE)) for a, b, n in
                            ((left, right, width), (top, bottom, height)))
            seen[down, across] = float(np.median(seen))
        for capital in FIGURE_HEIGHTS:
            template = _name(figure, FONTS[0], capital)
            out = max(out, float(likeness_of_places(seen, template, FAINTEST).max()))
    return out


def _found(band: F32, template: F32) -> _Found | None:
    if template.shape[0] > band.shape[0] or template.shape[1] > band.shape[1]:
        return None
    likeness = np.abs(cv2.matchTemplate(band, template, cv2.TM_CCOEFF_NORMED))
    top, left = (int(at) for at in np.unravel_index(int(likeness.argmax()), likeness.shape))
    return _Found(float(likeness[top, left]), left, top, template)


def _compare_all(band: F32, found: dict[str, _Found]) -> None:
    """The likeliest names anew, each over all that any of them takes: the beginning of a name explains less of it. The
    others are no more like than these."""
    order = sorted(found, key=lambda word: -found[word].like)
    best = [word for word in order[:FINALISTS] if found[word].like > found[order[0]].like - NEARLY]
    if len(best) < 2:
        return
    left, top = (min(getattr(found[word], side) for word in best) for side in ("left", "top"))
    right = max(found[word].left + found[word].template.shape[1] for word in best)
    bottom = max(found[word].top + found[word].template.shape[0] for word in best)
    seen = np.ascontiguousarray(band[top:bottom, left:right])
    for word in best:
        one, sheet = found[word], np.full_like(seen, 255.0)
        y, x = one.top - top, one.left - left
        height, width = one.template.shape
        sheet[y : y + height, x : x + width] = one.template
        one.like = min(one.like, float(np.abs(cv2.matchTemplate(seen, sheet, cv2.TM_CCOEFF_NORMED)).max()))
    most = min(found[word].like for word in best)
    for word in order[len(best):]:
        found[word].like = min(found[word].like, most)


def _cased(word: str, upper: bool) -> str:
    return word.upper() if upper else word


def _heights(word: str, font: tuple[str, int], height: int, width: int) -> Iterator[int]:
    """The heights in which a name may be printed where `height` is usual, on a face so wide."""
    yield from (height + 1, height, height - 1)
    for less in range(height - 2, HEIGHTS[0] - 1, -1):
        if _name(word, font, less + 1).shape[1] > LONG * width:
            yield less


def _rows(gray: F32, template: F32) -> F32:
    """(H,) how like the template the likest place of each row is, dark on bright or bright on dark."""
    out = np.zeros(gray.shape[0], np.float32)
    if template.shape[0] <= gray.shape[0] and template.shape[1] <= gray.shape[1]:
        likeness = np.abs(cv2.matchTemplate(gray, template, cv2.TM_CCOEFF_NORMED)).max(axis=1)
        above = template.shape[0] // 2
        out[above : above + len(likeness)] = likeness
    return out


@lru_cache(maxsize=4096)
def _name(text: str, font: tuple[str, int], height: int) -> F32:
    """`text` in black on white, its capitals `height` px high, with bare ground around."""
    name, weight = font
    fine = 4
    tall = fine * height
    face, size = cv2.FontFace(name), round(tall / 0.7)  # capitals are about 0.7 of the nominal size
    sheet = np.full((3 * tall, (len(text) + 2) * 2 * tall), 255, np.uint8)
    drawn = cv2.merge([sheet] * 3)
    cv2.putText(drawn, text, (tall, 2 * tall), (0, 0, 0), face, size, weight=weight)
    columns = np.flatnonzero((drawn[..., 0] < 128).any(axis=0))
    beside = round(AROUND * tall)
    left, right = max(0, int(columns[0]) - beside), int(columns[-1]) + 1 + beside
    cut = drawn[tall - beside : 2 * tall + beside, left:right, 0].astype(np.float32)
    small = cv2.resize(cut, None, fx=1 / fine, fy=1 / fine, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 0.8), dtype=np.float32)
