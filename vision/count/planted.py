"""Would a piece of a colour like the table's be seen? Some are copied within the picture to where that is hardest, and
it is counted once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.leftovers import fill, grown, usual_shape
from vision.count.pixels import pixels_at
from vision.count.result import CountedPiece
from vision.count.table.ground import LEVEL, Ground
from vision.srgb import LINEAR, from_linear

Floats = NDArray[np.float64]

ROOM = 1.35  # of a piece's radius around a drawn one: beside others it would be told by them
STEP = 0.5  # of a radius, between the places that are tried
BARE = 0.7  # of such a place that is table by its colours: grain and specks are table, too
# Of the sum of two radii, and around a piece: where others that touch it are tried. Their rims are hidden in part, and
# shade and light of both meet there: half of those that are drawn lie so.
TOUCH, TURNS = 1.02, 24
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
    drawn: dict[str, tuple[NDArray[np.float32], list[Floats]]],
) -> Planted | None:
    """A picture (H, W, 3) uint8 BGR with copies of pieces among the outlines (N, 2) px that were counted in it: of each
    colour, by its Lab (3,) in this picture's light and the outlines of its clear pieces, up to `PLANTED`, half of them
    touching others, where the table's colour is nearest to its own and no `sheets` (…, …) lie. None where one of the
    colours shows no clear piece or finds too little room.
    """
    if not all(likes for _, likes in drawn.values()):
        return None
    shape, radius = usual_shape(outlines)
    share = ground.difference.shape[1] / picture.shape[1]
    free = _free(ground, sheets, [outline * share for outline in outlines], radius * share)
    breadth = 2 * round(radius * share) + 1
    table = cv2.blur(ground.seen, (breadth, breadth))
    step = max(1, round(STEP * radius * share))
    rows, cols = np.nonzero(free[::step, ::step])
    apart = np.stack([cols, rows], axis=1) * float(step) / share
    beside = _touching(ground, sheets, outlines, shape, share)
    reach = float(np.linalg.norm(shape, axis=1).max())
    most = min(PLANTED, int(MOST_PART * picture.shape[0] * picture.shape[1] / (np.pi * radius**2) / len(drawn)))
    kept: list[Floats] = []
    colours: list[str] = []
    for name, (lab, _) in drawn.items():
        number = 0
        for places, enough in ((beside, most // 2), (apart, most)):
            gaps = np.linalg.norm(pixels_at(table, places * share) - lab, axis=1)
            for place in places[np.argsort(gaps, kind="stable")]:
                if number < enough and all(np.linalg.norm(place - other) >= 2 * ROOM * reach for other in kept):
                    kept.append(place)
                    colours.append(name)
                    number += 1
        if number < LEAST:
            return None
    seen = LINEAR[picture].astype(np.float32)
    light = seen.copy()
    for k, (place, name) in enumerate(zip(kept, colours, strict=True)):
        likes = drawn[name][1]
        _draw(light, seen, likes[k // 2 % len(likes)], place, SHADE if k % 2 else 1.0)
    return Planted(_shown(picture, light), np.array(kept), tuple(colours), radius)


def _touching(
    ground: Ground, sheets: NDArray[np.bool_], outlines: list[Floats], shape: Floats, share: float
) -> Floats:
    """(N, 2) px around which a piece of a shape (M, 2) lies on bare table and touches one that was counted."""
    middles = np.array([outline.mean(axis=0) for outline in outlines])
    radii = np.array([np.linalg.norm(o - o.mean(axis=0), axis=1).mean() for o in outlines])
    radius = float(np.linalg.norm(shape, axis=1).mean())
    turn = np.linspace(0, 2 * np.pi, TURNS, endpoint=False)
    away = TOUCH * (radii + radius)[:, None, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    places = (middles[:, None] + away).reshape(-1, 2)
    gaps = np.linalg.norm(places[:, None] - middles[None], axis=2)
    places = places[(gaps >= radii + radius).all(axis=1)]
    size = ground.difference.shape[::-1]
    low, high = ROOM * radius * share, np.array(size) - ROOM * radius * share
    places = places[((places * share > low) & (places * share < high)).all(axis=1)]
    on_sheet = cv2.resize(sheets.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
    bare = (ground.difference < LEVEL) & ~on_sheet
    points = np.concatenate([part * shape for part in (0.3, 0.6, 0.9)])
    table = pixels_at(bare, (places[:, None] + points) * share).mean(axis=1)
    return np.asarray(places[table >= BARE])


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


def _draw(light: NDArray[np.float32], seen: NDArray[np.float32], like: Floats, place: Floats, shade: float) -> None:
    """Copy the piece within an outline (N, 2) px from linear light as it was `seen` (H, W, 3) around a place (2,) of
    another, all of it in a soft shade.
    """
    step = np.rint(place - like.mean(axis=0)).astype(int)
    around = grown(like, SHADE_REACH)
    size = np.array(light.shape[1::-1])
    low = np.maximum.reduce([np.floor(around.min(axis=0)).astype(int), np.zeros(2, int), -step])
    high = np.minimum.reduce([np.ceil(around.max(axis=0)).astype(int) + 1, size, size - step])
    own = seen[low[1] : high[1], low[0] : high[0]]
    part = light[low[1] + step[1] : high[1] + step[1], low[0] + step[0] : high[0] + step[0]]
    cover = np.zeros(part.shape[:2], np.float32)
    cv2.fillPoly(cover, [np.rint((like - low) * 16).astype(np.int32)], 1.0, cv2.LINE_8, 4)
    part += cv2.GaussianBlur(cover, (0, 0), SOFT_PX)[..., None] * (own - part)
    if shade < 1:
        dark = np.zeros(part.shape[:2], np.float32)
        cv2.fillPoly(dark, [np.rint(grown(like, 0.5 * (1 + SHADE_REACH)) - low).astype(np.int32)], 1.0)
        radius = float(np.linalg.norm(like - like.mean(axis=0), axis=1).mean())
        part *= 1 - (1 - shade) * cv2.GaussianBlur(dark, (0, 0), 0.3 * radius)[..., None]


def _shown(picture: NDArray[np.uint8], light: NDArray[np.float32]) -> NDArray[np.uint8]:
    """The picture (H, W, 3) uint8 BGR with what differs in its linear light (H, W, 3)."""
    changed = (np.abs(light - LINEAR[picture]) > 1e-6).any(axis=2)
    shown = picture.copy()
    shown[changed] = np.rint(255 * from_linear(light[changed])).astype(np.uint8)
    return shown
