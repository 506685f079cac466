"""Which way up pieces lie: by those that are known already, or by what the pieces of a batch have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.face_print.face_view import PrintView
from companion.core.piece_outline import PieceOutline

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

MAP_PX = 48
AS_IT_LIES = 0.02
"""People lay pieces before themselves mostly upright: another turn must be likelier by so much (correlation)."""
MOST_COMPARED = 12
SAME_PRINT = 0.9
"""Correlation from which a picture is of the very piece that was laid before, with noise: its turn is that one's."""
ROUND_TURNS = 12
"""Turns in which a disc is tried, and tapped."""
OUTSIDE = (255, 255, 255)
"""What is put around the outline of a piece that is no rectangle."""


def quarter_turned(picture: U8, quarters: int) -> U8:
    """A picture turned clockwise by quarters."""
    return np.ascontiguousarray(np.rot90(picture, -quarters))


def turns_within(outline: PieceOutline) -> int:
    """In how many turns a piece of this outline may lie in its picture."""
    return ROUND_TURNS if outline.is_round else outline.turns


def outline_turned(picture: U8, outline: PieceOutline, turns: int) -> U8:
    """A picture of the rectangle around an outline, turned clockwise by `turns` of those that the outline has."""
    height, width = picture.shape[:2]
    scale = width / outline.size_mm[0]
    x, y = (scale * at + (side - 1) / 2 for at, side in zip(outline.middle_mm, (width, height), strict=True))
    turn = cv2.getRotationMatrix2D((x, y), -360.0 * turns / turns_within(outline), 1.0)
    return only_outline(
        np.asarray(cv2.warpAffine(picture, turn, (width, height), flags=cv2.INTER_CUBIC, borderValue=OUTSIDE)), outline
    )


def only_outline(picture: U8, outline: PieceOutline) -> U8:
    """A picture of the rectangle around an outline without what lies beside the piece."""
    height, width = picture.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    corners = (np.array(outline.corners_mm) / outline.size_mm + 0.5) * (width, height) - 0.5
    cv2.fillPoly(mask, [np.round(corners * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    out = np.full_like(picture, OUTSIDE)
    cv2.copyTo(picture, mask, out)
    return out


def turns_of(
    pictures: Sequence[U8], known: Sequence[U8], quarters: Sequence[int] = (0, 1, 2, 3),
    turned: Callable[[U8, int], U8] | None = None, spaces: Callable[[U8], Sequence[U8]] | None = None,
) -> list[int]:
    """Quarter turns clockwise that put each of `pictures` the same way up as `known`, upright ones of the same box.

    Before any is known: the same way up as each other, that way which most of them lie before the person. `quarters`:
    the turns a piece may have; (0, 2) for one that is not square. `turned`: turns a picture, of other than quarters.
    `spaces`: cuts a compound piece into its spaces: what two pieces have in common stands on other spaces of each.
    """
    turning, cut = turned or quarter_turned, spaces or _whole
    maps = [[_print_maps(cut(turning(picture, q))) for q in quarters] for picture in pictures]
    if known:
        every = [_print_maps(cut(picture)) for picture in known]
        return [quarters[_again(one, every, _likest(one, every[-MOST_COMPARED:]))] for one in maps]
    if len(pictures) < 2:
        return [0] * len(pictures)
    return [quarters[k] for k in _agreed(maps)]


def _again(turned: Sequence[F32], models: Sequence[F32], otherwise: int) -> int:
    """The turn in which a picture is one of the models over again; `otherwise` when it is none of them."""
    best = [max(_alike(one, model) for model in models) for one in turned]
    return int(np.argmax(best)) if max(best) >= SAME_PRINT else otherwise


def _whole(picture: U8) -> tuple[U8, ...]:
    return (picture,)


def _print_maps(spaces: Sequence[U8]) -> F32:
    """(N, MAP_PX * MAP_PX) the print maps of the spaces of a piece, one of a simple piece."""
    return np.array([_print_map(one).ravel() for one in spaces])


def _alike(one: F32, other: F32) -> float:
    """How alike two pieces are: the mean over the spaces of one of the correlation with the likest of the other."""
    return float((one @ other.T).max(axis=1).mean())


def _print_map(picture: U8) -> F32:
    """(MAP_PX, MAP_PX) how far the print stands out, of zero mean and unit length."""
    shown = np.minimum(PrintView.of(picture).apart, 50.0)
    small = cv2.GaussianBlur(cv2.resize(shown, (MAP_PX, MAP_PX), interpolation=cv2.INTER_AREA), (0, 0), 1.2)
    small = small - small.mean()
    return np.asarray(small / max(float(np.linalg.norm(small)), 1e-6), dtype=np.float32)


def _likest(turned: Sequence[F32], models: Sequence[F32]) -> int:
    """The turn for which the likest half of the models is most like the picture."""
    scores = []
    for k, one in enumerate(turned):
        alike = sorted((_alike(one, model) for model in models), reverse=True)
        best = alike[: max(1, len(alike) // 2)]
        scores.append(float(np.mean(best)) + (AS_IT_LIES if k == 0 else 0.0))
    return int(np.argmax(scores))


def _agreed(maps: Sequence[Sequence[F32]]) -> list[int]:
    """For each picture the turn at which all are most alike, from the best of several beginnings."""
    best: tuple[float, list[int]] = (-np.inf, [0] * len(maps))
    for seed in range(min(len(maps), MOST_COMPARED)):
        turns = [_likest(one, [maps[seed][0]]) for one in maps]
        for _ in range(3):
            chosen = [one[k] for one, k in zip(maps, turns, strict=True)]
            turns = [
                _likest(one, [c for j, c in enumerate(chosen) if j != i]) for i, one in enumerate(maps)
            ]
        chosen = [one[k] for one, k in zip(maps, turns, strict=True)]
        score = sum(_alike(a, b) for a in chosen for b in chosen) + AS_IT_LIES * turns.count(0)
        best = max(best, (score, turns), key=lambda one: one[0])
    return best[1]

