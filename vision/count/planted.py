"""Would a piece of a colour like the table's be seen? Some are drawn into the picture, where that is hardest, and it is
counted once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.appearance.looks import LINEAR, RINGS
from vision.count.leftovers import fill, grown, usual_shape
from vision.count.result import CountedPiece
from vision.count.table.ground import LEVEL, Ground

Floats = NDArray[np.float64]

ROOM = 1.35  # of a piece's radius around a drawn one: beside others it would be told by them
STEP = 0.5  # of a radius, between the places that are tried
BARE = 0.7  # of such a place that is table by its colours: grain and specks are table, too
# Drawn for each colour; where fewer find a place nothing is known. One that is missed speaks for one in so many that
# lie there unseen.
PLANTED, LEAST = 12, 6
MOST_PART = 0.1  # of the picture that drawn pieces cover together: the table is learnt from what is left
# Light of every second one and of the table around it: pieces lie in the soft shade of others, as far as their breadth.
SHADE, SHADE_REACH = 0.6, 2.0
SOFT_PX = 0.7  # deviation by which a camera blurs a rim
NEAR = 0.5  # of a radius: how far beside the drawn one its count may lie


@dataclass(frozen=True, slots=True, eq=False)
class Planted:
    """`picture` (H, W, 3) uint8 BGR with pieces drawn into it: middles `xy` (N, 2) px, names of their `colours`, and
    their `radius` px.
    """

    picture: NDArray[np.uint8]
    xy: Floats
    colours: tuple[str, ...]
    radius: float

    def missed(self, pieces: Sequence[CountedPiece]) -> int:
        """How many of the drawn pieces were not counted, or with another name."""
        seen = np.array([piece.xy for piece in pieces]).reshape(-1, 2)
        missed = 0
        for xy, colour in zip(self.xy, self.colours, strict=True):
            near = np.linalg.norm(seen - xy, axis=1) < NEAR * self.radius
            missed += not any(close and piece.colour == colour for close, piece in zip(near, pieces, strict=True))
        return missed


def plant(
    picture: NDArray[np.uint8],
    ground: Ground,
    sheets: NDArray[np.bool_],
    outlines: list[Floats],
    drawn: dict[str, tuple[NDArray[np.float32], Floats]],
) -> Planted | None:
    """A picture (H, W, 3) uint8 BGR with pieces of the usual shape of the outlines (N, 2) px that were counted in it:
    of each colour, by its Lab (3,) in this picture's light and its rings (RINGS, 3) linear BGR, up to `PLANTED` where
    the table's colour is nearest to its own, and no `sheets` (…, …) lie. None where one of the colours finds too little
    room.
    """
    shape, radius = usual_shape(outlines)
    share = ground.difference.shape[1] / picture.shape[1]
    free = _free(ground, sheets, [outline * share for outline in outlines], radius * share)
    breadth = 2 * round(radius * share) + 1
    table = cv2.blur(ground.seen, (breadth, breadth))
    step = max(1, round(STEP * radius * share))
    rows, cols = np.nonzero(free[::step, ::step])
    places = np.stack([cols, rows], axis=1) * float(step)
    gaps = [np.linalg.norm(table[rows * step, cols * step] - lab, axis=1) for lab, _ in drawn.values()]
    order = [np.argsort(gap, kind="stable") for gap in gaps]
    reach = float(np.linalg.norm(shape, axis=1).max())
    most = min(PLANTED, int(MOST_PART * picture.shape[0] * picture.shape[1] / (np.pi * radius**2) / len(drawn)))
    kept: list[Floats] = []
    colours: list[str] = []
    for name, own in zip(drawn, order, strict=True):
        number = 0
        for place in places[own] / share:
            if number < most and all(np.linalg.norm(place - other) >= 2 * ROOM * reach for other in kept):
                kept.append(place)
                colours.append(name)
                number += 1
        if number < LEAST:
            return None
    light = LINEAR[picture].astype(np.float32)
    for k, (place, name) in enumerate(zip(kept, colours, strict=True)):
        _draw(light, shape + place, drawn[name][1], SHADE if k % 2 else 1.0)
    return Planted(_shown(picture, light), np.array(kept), tuple(colours), radius)


def _free(ground: Ground, sheets: NDArray[np.bool_], outlines: list[Floats], radius: float) -> NDArray[np.bool_]:
    """(H, W) around which places a piece of a radius px, in px of the ground, lies on bare table beside all others."""
    size = ground.difference.shape[::-1]
    covered = cv2.resize(sheets.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
    for outline in outlines:
        fill(covered, grown(outline, ROOM), 1)
    breadth = 2 * round(ROOM * radius) + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (breadth, breadth))
    beside = cv2.dilate(covered, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0) == 0
    bare = cv2.blur((ground.difference < LEVEL).astype(np.float32), (breadth, breadth)) >= BARE
    edge = round(ROOM * radius) + 1
    inside = np.zeros_like(bare)
    inside[edge:-edge, edge:-edge] = True
    return np.asarray(beside & bare & inside)


def _draw(light: NDArray[np.float32], outline: Floats, rings: Floats, shade: float) -> None:
    """Draw a piece by its rings (RINGS, 3) into linear light (H, W, 3), all of it in a soft shade."""
    around = grown(outline, SHADE_REACH if shade < 1 else 1.2)
    low = np.maximum(np.floor(around.min(axis=0)).astype(int) - 2, 0)
    high = np.ceil(around.max(axis=0)).astype(int) + 3
    part = light[low[1] : high[1], low[0] : high[0]]
    cover = np.zeros(part.shape[:2], np.float32)
    body = np.zeros(part.shape, np.float32)
    body[:] = rings[-1]
    for k in range(RINGS - 1, -1, -1):
        points = np.rint((grown(outline, 0.1 * (k + 1)) - low) * 16).astype(np.int32)
        cv2.fillPoly(body, [points], tuple(float(v) for v in rings[k]), cv2.LINE_AA, 4)
    cv2.fillPoly(cover, [np.rint((outline - low) * 16).astype(np.int32)], 1.0, cv2.LINE_8, 4)
    cover = cv2.GaussianBlur(cover, (0, 0), SOFT_PX)[..., None]
    part += cover * (body - part)
    if shade < 1:
        dark = np.zeros(part.shape[:2], np.float32)
        cv2.fillPoly(dark, [np.rint(grown(outline, 0.5 * (1 + SHADE_REACH)) - low).astype(np.int32)], 1.0)
        radius = float(np.linalg.norm(outline - outline.mean(axis=0), axis=1).mean())
        part *= 1 - (1 - shade) * cv2.GaussianBlur(dark, (0, 0), 0.3 * radius)[..., None]


def _shown(picture: NDArray[np.uint8], light: NDArray[np.float32]) -> NDArray[np.uint8]:
    """The picture (H, W, 3) uint8 BGR with what differs in its linear light (H, W, 3)."""
    changed = (np.abs(light - LINEAR[picture]) > 1e-6).any(axis=2)
    own = light[changed]
    level = np.where(own <= 0.0031308, 12.92 * own, 1.055 * np.maximum(own, 1e-9) ** (1 / 2.4) - 0.055)
    shown = picture.copy()
    shown[changed] = np.clip(np.rint(255 * level), 0, 255).astype(np.uint8)
    return shown
