"""Marks of dark ink on light tiles, such as letters with a small value: learnt from pictures, or drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from vision.printed.board import SQUARE_PX, Grey, Image

MARK_PX = 34
"""Side of the square round a tile's middle that its mark fills: 0.7 of a board's square, inside of the tile's rim."""

STROKE_PX = 13
"""Width that no stroke of a mark reaches: paper is what remains when darker things narrower than this are filled in."""

DARK_LEVELS = 3.0
"""Added to grey levels before ink is compared with paper: noise of a dark picture is no ink."""

ALIGN_ROUNDS = 4
"""Rounds in which pictures of one mark are aligned with their mean; after three nothing moves any more."""

FACES = ("sans", "uni")
"""Typefaces that OpenCV brings along and that have accented letters."""

DRAWN_ALIKE = 0.8
"""Least mean agreement of drawn marks with learnt ones; below it the typeface is another one and nothing is drawn."""

SUPERSAMPLED = 8
"""Marks are drawn so many times as large as they are used."""


def ink(view: Image, *, light: bool = False) -> Grey:
    """(H, W) float32, 0 paper to 1 ink: how much darker each pixel is than the paper around it; lighter if `light`."""
    grey = cv2.GaussianBlur(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 0.7)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (STROKE_PX, STROKE_PX))
    filled = cv2.morphologyEx(grey, cv2.MORPH_OPEN if light else cv2.MORPH_CLOSE, kernel)
    paper = cv2.GaussianBlur(filled, (0, 0), 2.0)
    dark, bright = (paper, grey) if light else (grey, paper)
    return np.asarray(np.clip(1 - (dark + DARK_LEVELS) / (bright + DARK_LEVELS), 0, 1), np.float32)


@dataclass(frozen=True, slots=True)
class MarkText:
    """What is printed on a tile: the large sign in its middle and the small one at the lower right ("" for none)."""

    large: str
    small: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """How a face's mark looks: (MARK_PX, MARK_PX) float32 ink.

    `pictures`: how many it was learnt from. `drawn`: from none; then `slack` is what one lacks of agreeing with it
    (0..1) because it was drawn, as far as the learnt marks tell, and `upon` the learnt face to which only an accent and
    the small sign were drawn.
    """

    face: str
    ink: Grey
    drawn: bool = False
    pictures: int = 1
    slack: float = 0.0
    upon: str | None = None


@dataclass(frozen=True, slots=True)
class Typeface:
    """How marks are drawn: font, weight, and in px of the mark the height of capitals, their width against the font's,
    middle and baseline of the large sign; height, right end and baseline of the small one; blur of the camera."""

    font: str = "sans"
    weight: int = 600
    capital: float = 17.0
    stretch: float = 1.0
    middle: float = MARK_PX * 0.5
    baseline: float = MARK_PX * 0.7
    small: float = 5.0
    small_right: float = MARK_PX * 0.85
    small_baseline: float = MARK_PX * 0.85
    blur: float = 1.0

    def draw(self, text: MarkText) -> Grey:
        """(MARK_PX, MARK_PX) float32 ink of a mark."""
        shape = self._sign(text.large, self.capital, self.middle, self.baseline, 0.5)
        if text.small:
            shape = np.maximum(shape, self._sign(text.small, self.small, self.small_right, self.small_baseline, 1.0))
        shrunk = cv2.resize(shape, (MARK_PX, MARK_PX), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
        return np.asarray(cv2.GaussianBlur(shrunk, (0, 0), self.blur), np.float32)

    def _sign(self, text: str, capital: float, x: float, baseline: float, anchor: float) -> Image:
        """`text` drawn large; `anchor`: the part of its width that lies left of `x`."""
        side = MARK_PX * SUPERSAMPLED
        size = round(capital * SUPERSAMPLED / 0.7)  # capitals are 0.7 em high
        sheet, _ = _printed(self.font, size, self.weight, text)
        _, (top, foot) = _printed(self.font, size, self.weight, "H")
        scale = capital * SUPERSAMPLED / (foot - top)
        wide = scale * self.stretch
        place = np.array([[wide, 0, x * SUPERSAMPLED - wide * (1 + anchor * (sheet.shape[1] - 2))],
                          [0, scale, baseline * SUPERSAMPLED - scale * foot]])  # fmt: skip
        return np.asarray(cv2.warpAffine(sheet, place, (side, side)), np.uint8)


@lru_cache(maxsize=1024)
def _printed(font: str, size: int, weight: int, text: str) -> tuple[Image, tuple[int, int]]:
    """`text` drawn large, cut to its width and one empty column at each side; the rows where it begins and ends.

    Typefaces are fitted by moving and stretching the same signs again and again.
    """
    side = MARK_PX * SUPERSAMPLED
    sheet = np.zeros((side * 2, side * 3), np.uint8)
    cv2.putText(sheet, text, (side, side * 3 // 2), (255, 255, 255), cv2.FontFace(font), size, weight)
    rows, columns = np.flatnonzero(sheet.any(1)), np.flatnonzero(sheet.any(0))
    if not len(columns):
        return np.zeros((1, 2), np.uint8), (0, 1)
    return sheet[: rows[-1] + 2, columns[0] - 1 : columns[-1] + 2].copy(), (int(rows[0]), int(rows[-1]) + 1)


FITTED_TO = 10
"""Learnt marks that the typeface is fitted to: ten letters fix its nine figures."""

SEARCHED: tuple[tuple[str, tuple[float, ...]], ...] = (
    ("capital", tuple(np.arange(10.0, 24.0, 1.0))),
    ("baseline", tuple(np.arange(MARK_PX * 0.5, MARK_PX * 0.95, 1.0))),
    ("middle", tuple(np.arange(MARK_PX * 0.35, MARK_PX * 0.65, 1.0))),
    ("stretch", tuple(np.arange(0.8, 1.26, 0.05))),
    ("weight", (300, 400, 500, 600, 700, 800)),
    ("small", tuple(np.arange(3.0, 9.0, 1.0))),
    ("small_right", tuple(np.arange(MARK_PX * 0.6, MARK_PX * 1.0, 1.0))),
    ("small_baseline", tuple(np.arange(MARK_PX * 0.6, MARK_PX * 1.0, 1.0))),
    ("blur", (0.5, 0.8, 1.1, 1.4, 1.7)),
)
"""Values of a typeface that are tried one after the other, in two rounds."""

SLACK_PX = 3
"""How far a learnt mark may be off its place when it is compared with a drawn one."""


def agreement(mark: Grey, other: Grey) -> float:
    """Correlation (-1..1) of two marks at the best small shift."""
    padded = cv2.copyMakeBorder(mark, *(SLACK_PX,) * 4, cv2.BORDER_REPLICATE)
    return float(cv2.matchTemplate(padded, other, cv2.TM_CCOEFF_NORMED).max())


def fit_typeface(marks: Mapping[str, Grey], texts: Mapping[str, MarkText]) -> Typeface | None:
    """The typeface that draws the learnt marks best; None when none draws them alike (see DRAWN_ALIKE)."""
    known = dict([(face, mark) for face, mark in sorted(marks.items()) if face in texts][:FITTED_TO])
    if not known:
        return None

    def alike(typeface: Typeface) -> float:
        # the median: a few marks that were learnt askew do not decide
        return float(np.median([agreement(mark, typeface.draw(texts[face])) for face, mark in known.items()]))

    best: tuple[float, Typeface] | None = None
    for font in FACES:
        typeface = Typeface(font=font)
        for _ in range(2):
            for name, values in SEARCHED:
                tried: list[dict[str, Any]] = [{name: value} for value in values]
                typeface = max((replace(typeface, **change) for change in tried), key=alike)
        found = (alike(typeface), typeface)
        best = found if best is None or found[0] > best[0] else best
    return best[1] if best is not None and best[0] >= DRAWN_ALIKE else None


def usual_lack(windows: Mapping[str, Sequence[Grey]], marks: Sequence[Mark]) -> float:
    """What a picture usually lacks (0..1) of agreeing wholly with the mean of very many pictures of its mark."""
    learnt = {mark.face: mark.ink for mark in marks if not mark.drawn}
    lacks = [
        # a picture agrees too well with a mean that it is a part of
        (1 - cv2.matchTemplate(one, learnt[face], cv2.TM_CCOEFF_NORMED).max()) * len(pictures) / (len(pictures) - 1)
        for face, pictures in windows.items() if len(pictures) > 1 for one in pictures
    ]  # fmt: skip
    return max(float(np.median(lacks)), LEAST_LACK) if lacks else LACK_UNKNOWN


LEAST_LACK, LACK_UNKNOWN = 0.01, 0.03
"""The least that is usual, and what is taken for usual when no mark was seen twice: clear photographs lack 0.01, drawn
tiles of grainy wood 0.04."""


ACCENTS = {"Ä": "A", "Ö": "O", "Ü": "U", "Á": "A", "É": "E", "Í": "I", "Ó": "O", "Ú": "U", "Ý": "Y", "Č": "C", "Ď": "D",
           "Ň": "N", "Ř": "R", "Š": "S", "Ť": "T", "Ž": "Z", "Ô": "O", "Ľ": "L", "Ĺ": "L", "Ŕ": "R", "Ě": "E",
           "Ů": "U", "Å": "A", "Ñ": "N", "Ç": "C"}  # fmt: skip
"""Letters with an accent and the letter below it: a learnt letter with a drawn accent beats a drawn one."""


def mean_mark(windows: Sequence[Grey], start: Grey | None) -> Grey:
    """The mean of pictures of one mark, each shifted to agree with it; `windows` are larger than a mark.

    `start`: how the mark about looks where it belongs; without one, the middle of the pictures' mean.
    """
    edge = (windows[0].shape[0] - MARK_PX) // 2
    inner = slice(edge, edge + MARK_PX)
    mean = start if start is not None else np.mean([one[inner, inner] for one in windows], axis=0)
    for _ in range(ALIGN_ROUNDS):
        aligned = []
        for one in windows:
            *_, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(one, mean.astype(np.float32), cv2.TM_CCOEFF_NORMED))
            aligned.append(one[y : y + MARK_PX, x : x + MARK_PX])
        mean = np.mean(aligned, 0)
    return np.asarray(mean, np.float32)


def learn_marks(windows: Mapping[str, Sequence[Grey]], texts: Mapping[str, MarkText]) -> tuple[Mark, ...]:
    """The marks of every face of `texts`: learnt where there are pictures, drawn in their typeface elsewhere.

    `windows`: face -> pictures (H, W) float32 of ink round a tile's middle. Faces that were not learnt and cannot be
    drawn are missing in the result.
    """
    rough = {face: mean_mark(pictures, None) for face, pictures in windows.items()}
    typeface = fit_typeface(rough, texts)
    if typeface is None:
        return tuple(Mark(face, mark, pictures=len(windows[face])) for face, mark in sorted(rough.items()))
    # the drawn mark says where on a tile it belongs, so that all learnt ones lie alike
    learnt = {face: mean_mark(windows[face], typeface.draw(texts[face]) if face in texts else None) for face in rough}
    marks = [Mark(face, mark, pictures=len(windows[face])) for face, mark in learnt.items()]
    by_letter = {texts[face].large: face for face in learnt if face in texts}
    slack = 1 - float(np.median([agreement(learnt[f], typeface.draw(texts[f])) for f in learnt if f in texts]))
    for face, text in texts.items():
        if face not in learnt:
            upon = by_letter.get(ACCENTS.get(text.large, ""))
            sign = typeface.draw(text) if upon is None else _accented(typeface, text, learnt[upon])
            marks.append(Mark(face, sign, drawn=True, slack=slack, upon=upon))
    return tuple(sorted(marks, key=lambda mark: mark.face))


def _accented(typeface: Typeface, text: MarkText, base: Grey) -> Grey:
    """The mark of `text` from that of the letter below its accent."""
    drawn = typeface.draw(text)
    plain = typeface.draw(MarkText(ACCENTS[text.large]))
    above = np.clip(drawn - plain, 0, 1)
    above[round(typeface.baseline - typeface.capital) + 1 :] = 0  # the accent is what stands above the capital
    small = typeface.draw(MarkText("", text.small))
    out = base.copy()
    corner = round(typeface.small_baseline - typeface.small) - 1  # its own small sign in the place of the other's
    left = round(typeface.middle + MARK_PX * 0.1)
    out[corner:, left:] = np.minimum(out[corner:, left:], typeface.draw(MarkText(ACCENTS[text.large]))[corner:, left:])
    strength = float(base.max()) / max(float(drawn.max()), 1e-6)
    return np.asarray(np.maximum(out, np.maximum(above, small) * strength), np.float32)


TURNS_DEG = (-7.0, -4.0, -2.0, 0.0, 2.0, 4.0, 7.0)
"""How far a tile that was pushed askew is turned."""


def turned(mark: Grey) -> tuple[Grey, ...]:
    """The mark at each of TURNS_DEG."""
    middle = (MARK_PX - 1) / 2
    turns = (cv2.getRotationMatrix2D((middle, middle), deg, 1) for deg in TURNS_DEG)
    return tuple(
        np.asarray(cv2.warpAffine(mark, turn, (MARK_PX, MARK_PX), borderMode=cv2.BORDER_REPLICATE), np.float32)
        for turn in turns
    )


def window_side() -> float:
    """Side in squares of the window in which a mark is searched: a tile may lie a quarter of a square off."""
    return (MARK_PX + SQUARE_PX // 2) / SQUARE_PX

