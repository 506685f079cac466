"""Made-up pieces whose kinds differ in small marks, drawn: what strangers' cards, chips and tiles are stood for by."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]

WIDTH_PX = 160
ASPECTS = (1.0, 1.0, 1.4, 1.56)
"""Height by width: tiles and chips are square, cards are higher than wide."""

MOST_KINDS = 54
ALIKE_LEVELS = 22.0


def made_up_kinds(seed: int) -> dict[str, U8]:
    """Kind -> picture (h, WIDTH_PX, 3) uint8 BGR of a box drawn from `seed`: marks on plain ground.

    Kinds are the combinations of some of: form of the mark, colour, how it is filled, how many there are, where a
    small dot sits. Neighbouring kinds differ in one of these only.
    """
    rng = np.random.default_rng([seed, 11])
    wh = (WIDTH_PX, round(WIDTH_PX * float(rng.choice(ASPECTS))))
    dark = rng.random() < 0.3
    ground = rng.uniform(20, 90, 3) if dark else rng.uniform(170, 245) * rng.uniform(0.9, 1.0, 3)
    forms = [made_up_form(rng) for _ in range(int(rng.integers(2, 5)))]
    colours = _colours(rng, int(rng.integers(1, 5)), dark)
    fills = rng.permutation(["solid", "outline", "striped", "pale"])[: int(rng.integers(1, 4))]
    counts = (1, 2, 3)[: int(rng.integers(1, 4))]
    dots = (0, 1, 2)[: int(rng.integers(1, 3))]
    kinds = list(product(range(len(forms)), range(len(colours)), fills, counts, dots))
    chosen = sorted(rng.permutation(len(kinds))[:MOST_KINDS].tolist())
    out: dict[str, U8] = {}
    for f, c, fill, count, dot in (kinds[k] for k in chosen):
        sheet = np.empty((wh[1], wh[0], 3), np.uint8)
        sheet[:] = ground
        _marks(sheet, forms[f], colours[c], str(fill), count)
        if dot:
            place = (round(wh[0] * (0.15 if dot == 1 else 0.85)), round(wh[1] * 0.12))
            cv2.circle(sheet, place, round(wh[0] * 0.05), colours[c], -1, cv2.LINE_AA)
        if not any(_alike(sheet, other) for other in out.values()):
            out[f"{f}-{c}-{fill}-{count}-{dot}"] = sheet
    return out


def _alike(one: U8, other: U8) -> bool:
    """Whether a person would have to look twice: no place of a tenth of the width differs by ALIKE_LEVELS."""
    reach = WIDTH_PX // 10
    soft = cv2.blur(one, (reach, reach)).astype(np.float32)
    turned = [cv2.blur(np.ascontiguousarray(np.rot90(other, k)), (reach, reach)) for k in (0, 2)]
    gaps = [np.abs(soft - t).max() for t in turned]
    return float(min(gaps)) < ALIKE_LEVELS


def _colours(rng: np.random.Generator, count: int, light: bool) -> list[tuple[int, int, int]]:
    """Colours (BGR) at least a seventh of the circle of hues apart, light or dark."""
    first = rng.uniform(0, 180)
    value = rng.uniform(190, 250) if light else rng.uniform(70, 190)
    hues = [(first + 180 / max(count, 3) * k + rng.uniform(-9, 9)) % 180 for k in range(count)]
    hsv = np.array([[[h, rng.uniform(120, 255), value] for h in hues]], np.uint8)
    return [(int(b), int(g), int(r)) for b, g, r in cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0]]


Form = Callable[[int], NDArray[np.float32]]


def made_up_form(rng: np.random.Generator) -> Form:
    """The outline of a mark: for a size in px its points (N, 2) around the middle."""
    kind = rng.integers(3)
    if kind == 0:  # a polygon, or a star
        corners = int(rng.integers(3, 9))
        dent = rng.choice([1.0, 1.0, 0.5])
        angles = np.arange(corners * 2) * np.pi / corners + rng.uniform(0, np.pi)
        reach = np.where(np.arange(corners * 2) % 2, dent * np.cos(np.pi / corners) ** (dent == 1.0), 1.0)
    else:  # a soft blob, or an ellipse
        angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        waves = rng.uniform(-0.18, 0.18, 4) * (kind == 1)
        reach = 1 + sum(w * np.cos((k + 2) * angles + rng.uniform(0, 6)) for k, w in enumerate(waves))
    flat = rng.uniform(0.5, 1.0)
    points = np.stack([np.cos(angles) * reach, np.sin(angles) * reach * flat], axis=1)
    points /= np.abs(points).max()
    return lambda size: (points * size).astype(np.float32)


def _marks(sheet: U8, form: Form, colour: tuple[int, int, int], fill: str, count: int) -> None:
    """Draw `count` marks one below the other."""
    h, w = sheet.shape[:2]
    size = min(round(w * 0.36), round(h * 0.8 / (2 * count)))
    for k in range(count):
        middle = np.array([w / 2, h / 2 + (k - (count - 1) / 2) * h * 0.8 / max(count, 2)])
        points = np.round(form(size) + middle).astype(np.int32)
        inside = np.zeros((h, w), np.uint8)
        cv2.fillPoly(inside, [points], 255, cv2.LINE_AA)
        if fill == "striped":
            inside[:, np.arange(w) % 6 < 4] = 0
        strength = {"solid": 1.0, "striped": 1.0, "pale": 0.35, "outline": 0.0}[fill]
        share = (inside.astype(np.float32) / 255 * strength)[..., None]
        sheet[:] = np.round(sheet * (1 - share) + np.array(colour, np.float32) * share)
        cv2.polylines(sheet, [points], True, colour, 3, cv2.LINE_AA)
