"""Which mark a square shows: the likeliest by correlation, then compared pair by pair where two marks differ."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import cv2
import numpy as np

from vision.printed.board import Grey
from vision.printed.marks import LEAST_LACK, MARK_PX, TURNS_DEG, Mark, turned

K = TypeVar("K", bound=Hashable)

SHORT_LIST = 6
"""Marks that are compared closely."""

DIFFERENT = 0.25
"""Ink by which two marks differ in a pixel that tells them apart."""

STEEPNESS = 14.0
"""How fast the probability of a mark grows with what it is ahead of a rival. A view that lies between two marks by a
tenth more on one side (0.6 against 0.4) is then a doubt (p 0.94), by a quarter (0.75) none (p 0.999 of that pair)."""

MARK_FROM, MARK_SURE = 0.70, 0.80
"""Correlation below which a square shows none of the marks, and from which it surely shows some mark. Premium squares
and teeth of printed boards reached 0.65; tiles turned, shadowed and nearly black had 0.82 and more."""

NO_MARK = 0.5
"""Correlation with the upright marks below which turning them finds none either: tiles turned by up to 7 degrees
had 0.66 and more, all of the board's own print 0.65 at most."""

TURNING_PX = 3
"""How far a mark that is turned by the largest of TURNS_DEG fits from where the upright one does."""

STRANGE = 3.0
"""A view that lacks so many times as much of agreeing with its mark as is usual in its picture shows another sign.
Pictures of the right mark lack 2.7 times as much at most (3.1 in one of nine drawn typefaces); pictures of letters that
were withheld from the learnt ones 6.2 times at least when photographed, and 1.7 in drawn wood grain."""

DOUBTED, NEARER = 1.5, 1.3
"""A view that lacks so many times as much as usual, and so many times as much as of a mark that no picture has shown,
each against what is usual for it, may show the latter. None of 740 withheld letters passed, 9 right ones fail."""

USUAL_FROM = 6
"""Learnt tiles whose own agreement says as much about what is usual as the pictures that were learnt from."""


@dataclass(frozen=True, slots=True)
class Named:
    """The best mark of a square: its face, correlation (-1..1), probability among the marks, the others with theirs.

    `fits`: correlations of the marks that were compared closely; `strange`: perhaps none of the marks, or one that was
    never seen (see `MarkNamer.weighed`).
    """

    face: str
    agreement: float
    p: float
    alternatives: tuple[tuple[str, float], ...]
    fits: tuple[tuple[str, float], ...] = ()
    strange: bool = False


class MarkNamer:
    """Names marks in windows of ink."""

    def __init__(self, marks: Sequence[Mark]) -> None:
        self._marks = tuple(marks)
        self._turned = [turned(mark.ink) for mark in self._marks]
        self._by_face = {mark.face: mark for mark in self._marks}
        self._upright = TURNS_DEG.index(0.0)

    def name(self, ink: Grey) -> Named:
        """The mark in a window (H, W) float32 of ink, larger than a mark (see `marks.window_side`)."""
        found = [_match(ink, forms[self._upright]) for forms in self._turned]
        rough = [agreement for agreement, _ in found]
        nearest = int(np.argmax(rough))
        if rough[nearest] < NO_MARK:
            face = self._marks[nearest].face
            return Named(face, rough[nearest], 1.0, ((face, 1.0),))
        short = sorted(range(len(rough)), key=rough.__getitem__, reverse=True)[:SHORT_LIST]
        fits = {n: _best(ink, self._turned[n], found[n][1]) for n in short}
        ahead = {n: min((self._ahead(n, other, fits) for other in short if other != n), default=1.0) for n in short}
        best = max(short, key=lambda n: (ahead[n], fits[n][0]))
        weights = {n: 1.0 if n == best else float(np.exp(-STEEPNESS * max(0.0, 2 * self._ahead(best, n, fits)) / 2))
                   for n in short}  # fmt: skip
        total = sum(weights.values())
        faces = sorted(((self._marks[n].face, w / total) for n, w in weights.items()), key=lambda f: -f[1])
        close = tuple((self._marks[n].face, fit[0]) for n, fit in fits.items())
        return Named(self._marks[best].face, fits[best][0], weights[best] / total, tuple(faces), close)

    def weighed(self, named: Mapping[K, Named], usual: float) -> dict[K, Named]:
        """The names of one picture's squares, with those that do not look like the picture's other marks `strange`.

        `usual`: what a view usually lacks of agreeing with its mark, as the pictures that were learnt from tell.
        """
        learnt = [(one, self._by_face[one.face]) for one in named.values() if not self._by_face[one.face].drawn]
        own = [(1 - one.agreement) / _poorer(mark) for one, mark in learnt]
        weight = len(own) / (len(own) + USUAL_FROM)
        usual = max(weight * float(np.median(own)) + (1 - weight) * usual if own else usual, LEAST_LACK)
        return {square: self._weighed(one, usual) for square, one in named.items()}

    def _weighed(self, one: Named, usual: float) -> Named:
        marks = {face: self._by_face[face] for face, _ in one.fits}
        lacks = {face: (1 - fit) / (usual + marks[face].slack if marks[face].drawn else usual * _poorer(marks[face]))
                 for face, fit in one.fits}  # fmt: skip
        mine = lacks[one.face]
        rivals = {} if self._by_face[one.face].drawn else {f: v for f, v in lacks.items() if self._by_face[f].drawn}
        rival = min(rivals, key=rivals.__getitem__) if rivals else None
        # a mark of one picture may be that picture's alone: it is doubted as soon as one that is well known
        if rival is None or 1 - one.agreement <= DOUBTED * usual or mine <= NEARER * rivals[rival]:
            return replace(one, strange=True) if mine > STRANGE else one
        if self._by_face[rival].upon == one.face:  # but for an accent they are one mark: the pair was compared there
            return replace(one, strange=True)
        # how much less likely a view is falls off as what it lacks of what is usual
        likely = dict(one.alternatives) | {rival: one.p * float(np.exp(min(mine - rivals[rival], 20.0)))}
        total = sum(likely.values())
        ranked = sorted(((face, p / total) for face, p in likely.items()), key=lambda f: -f[1])
        return replace(one, face=ranked[0][0], p=ranked[0][1], alternatives=tuple(ranked), strange=True)

    def _ahead(self, one: int, other: int, fits: dict[int, tuple[float, Grey]]) -> float:
        """By how much the view is `one` rather than `other` where the two differ: 0.5 wholly, -0.5 the other wholly.

        The view is projected on the line between the two marks, in the place of the one that agrees better.
        """
        mine, theirs = self._marks[one].ink, self._marks[other].ink
        step = theirs - mine
        told = np.abs(step) > DIFFERENT
        if not told.any():
            return 0.0
        weight = step[told]
        better = max((one, other), key=lambda n: fits[n][0])
        view = fits[better][1]
        scaled = view * _gain(view, self._marks[better].ink)
        return 0.5 - float(((scaled - mine)[told] * weight).sum() / (weight * weight).sum())


def _match(ink: Grey, form: Grey) -> tuple[float, tuple[int, int]]:
    """The best correlation of a mark in `ink`, and where (x, y) its corner is there."""
    _, value, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(ink, form, cv2.TM_CCOEFF_NORMED))
    return value, (x, y)


def _best(ink: Grey, forms: Sequence[Grey], upright_xy: tuple[int, int]) -> tuple[float, Grey]:
    """The best correlation of a mark over its turned `forms`, near where the upright one fits best, and the view there
    turned upright.
    """
    left, top = (max(at - TURNING_PX, 0) for at in upright_xy)
    right, bottom = (at + MARK_PX + TURNING_PX for at in upright_xy)
    near = np.ascontiguousarray(ink[top:bottom, left:right])
    matches = [_match(near, form) for form in forms]
    number = max(range(len(forms)), key=lambda n: matches[n][0])
    best, (x, y) = matches[number]
    view = ink[top + y : top + y + MARK_PX, left + x : left + x + MARK_PX]
    if TURNS_DEG[number]:
        middle = (MARK_PX - 1) / 2
        back = cv2.getRotationMatrix2D((middle, middle), -TURNS_DEG[number], 1)
        view = cv2.warpAffine(view, back, (MARK_PX, MARK_PX), borderMode=cv2.BORDER_REPLICATE)
    return best, np.asarray(view, np.float32)


def _poorer(mark: Mark) -> float:
    """How many times as much a picture lacks of agreeing with the mean of few pictures as with that of very many."""
    return 1 + 1 / mark.pictures


def _gain(view: Grey, mark: Grey) -> float:
    """What the view's ink is multiplied with to be as dark as the mark's."""
    return float((view * mark).sum() / max(float((view * view).sum()), 1e-6))
