"""One-colour symbols on black in the colours of real photographs: made-up forms filled with the pixels of stickers."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.evaluation.photograph_sets import Task
from companion.lab.simulators.made_up_symbols import CROP_PX, WIDTH_PX, made_up_masks

U8 = NDArray[np.uint8]

TURN_DEG, SIZE, OFF = 2.0, 0.02, 0.015  # how far a piece is cut off: its turn, and as shares of the side
GROUND = (0.06, 0.12)  # what black ground shows of the light in which its piece is bright
GROUND_TINT = 0.1
BLUR_PX, NOISE = (0.4, 0.9), 2.0  # of the crop; grey levels


def symbols_of(task: Task, seed: int) -> Task:
    """The plain pieces of `task` as symbols in the forms of `seed`, `colour-form`: every picture that teaches a colour
    in each form, every crop in one at random, in any quarter turn."""
    rng = np.random.default_rng([seed, 91])
    masks = made_up_masks(seed)
    references = {
        f"{colour}-{number}": [on_black(picture, mask, rng) for picture in pictures]
        for colour, pictures in task.references.items()
        for number, mask in enumerate(masks)
    }
    groups = []
    for group in task.groups:
        shown: list[tuple[Any, str]] = []
        for crop, colour in group:
            number, turn = int(rng.integers(len(masks))), int(rng.integers(4))
            shown.append((on_black(crop, np.rot90(masks[number], turn), rng), f"{colour}-{number}"))
        groups.append(tuple(shown))
    return Task(f"{task.name} as symbols", references, tuple(groups))


def on_black(crop: U8, mask: U8, rng: np.random.Generator) -> U8:
    """(CROP_PX, CROP_PX, 3) uint8 BGR: `crop` (h, w, 3) where `mask` (WIDTH_PX, WIDTH_PX) uint8 is 255, cut a little
    off, on black ground in the crop's light."""
    smaller = crop.shape[0] > WIDTH_PX
    filled = cv2.resize(crop, (WIDTH_PX, WIDTH_PX), interpolation=cv2.INTER_AREA if smaller else cv2.INTER_CUBIC)
    middle = (WIDTH_PX - 1) / 2
    move = cv2.getRotationMatrix2D((middle, middle), rng.uniform(-TURN_DEG, TURN_DEG), 1 + rng.uniform(-SIZE, SIZE))
    move[:, 2] += rng.uniform(-OFF, OFF, 2) * WIDTH_PX
    share = cv2.warpAffine(np.ascontiguousarray(mask), move, (WIDTH_PX, WIDTH_PX)).astype(np.float32)[..., None] / 255
    bright = float(np.median(filled.max(axis=2)))
    ground = rng.uniform(*GROUND) * bright * rng.uniform(1 - GROUND_TINT, 1 + GROUND_TINT, 3)
    laid = (filled * share + ground * (1 - share)).astype(np.float32)
    small = cv2.GaussianBlur(
        cv2.resize(laid, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA), (0, 0), rng.uniform(*BLUR_PX)
    )
    return np.asarray(np.clip(small + rng.normal(0, NOISE, small.shape), 0, 255), np.uint8)
