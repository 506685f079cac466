"""Which way up pieces lie: by those that are known already, or by what the pieces of a batch have in common."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.proposals.face_view import FaceView

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

MAP_PX = 48
AS_IT_LIES = 0.02
"""People lay pieces before themselves mostly upright: another turn must be likelier by so much (correlation)."""
MOST_COMPARED = 12


def quarter_turned(picture: U8, quarters: int) -> U8:
    """A picture turned clockwise by quarters."""
    return np.ascontiguousarray(np.rot90(picture, -quarters))


def turns_of(pictures: Sequence[U8], known: Sequence[U8], quarters: Sequence[int] = (0, 1, 2, 3)) -> list[int]:
    """Quarter turns clockwise that put each of `pictures` the same way up as `known`, upright ones of the same box.

    Before any is known: the same way up as each other, that way which most of them lie before the person. `quarters`:
    the turns a piece may have; (0, 2) for one that is not square.
    """
    maps = [[_print_map(quarter_turned(picture, q)) for q in quarters] for picture in pictures]
    if known:
        models = [_print_map(picture) for picture in known[-MOST_COMPARED:]]
        return [quarters[_likest(turned, models)] for turned in maps]
    if len(pictures) < 2:
        return [0] * len(pictures)
    return [quarters[k] for k in _agreed(maps)]


def _print_map(picture: U8) -> F32:
    """(MAP_PX, MAP_PX) how far the print stands out, of zero mean and unit length."""
    shown = np.minimum(FaceView.of(picture).apart, 50.0)
    small = cv2.GaussianBlur(cv2.resize(shown, (MAP_PX, MAP_PX), interpolation=cv2.INTER_AREA), (0, 0), 1.2)
    small = small - small.mean()
    return np.asarray(small / max(float(np.linalg.norm(small)), 1e-6), dtype=np.float32)


def _likest(turned: Sequence[F32], models: Sequence[F32]) -> int:
    """The turn for which the likest half of the models is most like the picture."""
    scores = []
    for k, one in enumerate(turned):
        alike = sorted((float((one * model).sum()) for model in models), reverse=True)
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
        common = np.sum(chosen, axis=0)
        score = float((common * common).sum()) + AS_IT_LIES * turns.count(0)
        best = max(best, (score, turns), key=lambda one: one[0])
    return best[1]

