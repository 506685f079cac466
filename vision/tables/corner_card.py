"""Finds the red corner card: under which corner tile of the grid it sticks out."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.appearance.background import CardUnderTile
from vision.appearance.canvas import Window
from vision.median import medians
from vision.tables.changes import NEAR_MM, Changes

CORNERS = ("tl", "tr", "br", "bl")
OUTWARD = {"tl": (-1, -1), "tr": (1, -1), "br": (1, 1), "bl": (-1, 1)}

# The card is a square as large as a tile, and sticks out so far.
STICKS_OUT_MM = 14.0

# Where the card is looked for outside the corner tile: tiles stray by some mm.
CARD_FROM_MM, CARD_TO_MM = 5.0, 12.0

# The table beside it that it is compared with.
TABLE_FROM_MM, TABLE_TO_MM = 18.0, 28.0

# Samples along an arm of the card, and across it.
ALONG, ACROSS = 16, 5

# Samples are smoothed by so much (canvas px), by what lies so near.
SMOOTH_PX, SMOOTHED_PX = 1.5, 6

# Part of red in blue + green + red from which a colour is called red: gray has 1/3, wood 0.4 to 0.48, the card 0.5.
RED_SHARE = 0.43
RED_SHARE_WIDTH = 0.03

# Difference to the table (grey levels, per unit of evidence), and from where more of it says no more.
CONTRAST = 8.0
ENOUGH_CONTRAST = 60.0

# Light on the card and on the table beside it differs by a factor of so much at most: the edge of the sun on a red
# cloth stands out as a card does, but for its hue, which counts as much.
UNLIKE_LIGHT = (0.5, 2.0)

# Evidence that a card of which only one arm looks like it is worth less.
HALF_CARD = 1.5

# Mean deviation within the card (grey levels) that costs one unit of evidence: the card is plain, a cloth is not.
UNEVENNESS = 4.0


# The card is looked for again when anything has changed so near to a corner: it sticks out 14 mm.
CARD_MM = 30.0


@dataclass(frozen=True, slots=True)
class CornerReading:
    """Where the card lies (tl, tr, br or bl; None when no corner stands out) and the probability of the best corner.

    `colour_bgr`: what the card looks like in this picture; None without a card.
    """

    corner: str | None
    p: float
    colour_bgr: tuple[float, float, float] | None = None


def read_corner(seen_bgr: np.ndarray, window: Window, places_mm: list[np.ndarray], cols: int) -> CornerReading:
    """The card's corner from the window (H, W, 3) around a grid whose places (4, 2) mm are listed row by row."""
    places = _corner_places(places_mm, cols)
    arms = np.stack([_arms_mm(places[name], OUTWARD[name]) for name in CORNERS])
    at = window.to_px(arms).astype(np.float32)
    seen = np.stack([_smooth_at(seen_bgr, points) for points in at])
    evidence, colours = _evidence(seen[:, 0], seen[:, 1])
    chance = np.exp(evidence - evidence.max())
    chance /= chance.sum() + np.exp(1.0 - evidence.max())  # the last: nothing that looks like the card
    best = int(chance.argmax())
    if chance[best] < 0.5:
        return CornerReading(None, float(chance[best]))
    b, g, r = colours[best].tolist()
    return CornerReading(CORNERS[best], float(chance[best]), (b, g, r))


def card_of(reading: CornerReading | None, places_mm: list[np.ndarray], cols: int) -> CardUnderTile | None:
    """The card that was read in a grid whose places (4, 2) mm are listed row by row; None without one."""
    if reading is None or reading.corner is None or reading.colour_bgr is None:
        return None
    place = _corner_places(places_mm, cols)[reading.corner]
    return CardUnderTile(reading.colour_bgr, place + STICKS_OUT_MM * np.array(OUTWARD[reading.corner]), place)


def is_card_kept(changes: Changes, window: Window, places_mm: list[np.ndarray], cols: int) -> bool:
    """Whether nothing has changed beside the corners of a grid, whose places (4, 2) mm are listed row by row: the card
    lies where it lay."""
    beside = changes.outside([window.box(place, NEAR_MM) for place in places_mm])
    corners = _corner_places(places_mm, cols).values()
    return not any(beside.within(window.box(place, CARD_MM)) for place in corners)


def _corner_places(places_mm: list[np.ndarray], cols: int) -> dict[str, np.ndarray]:
    """The corner places of a grid of so many columns, whose places are listed row by row."""
    return {"tl": places_mm[0], "tr": places_mm[cols - 1], "br": places_mm[-1], "bl": places_mm[-cols]}


def _smooth_at(seen_bgr: np.ndarray, at_px: np.ndarray) -> np.ndarray:
    """(..., 3) float32: a picture (H, W, 3) uint8 smoothed, at places (..., 2) float32 px x, y."""
    x0, y0 = np.maximum(np.floor(at_px.reshape(-1, 2).min(0)).astype(int) - SMOOTHED_PX, 0).tolist()
    x1, y1 = (np.ceil(at_px.reshape(-1, 2).max(0)).astype(int) + SMOOTHED_PX + 1).tolist()
    smooth = cv2.GaussianBlur(seen_bgr[y0:y1, x0:x1], (0, 0), SMOOTH_PX).astype(np.float32)
    inside = at_px.reshape(1, -1, 2) - np.array([x0, y0], np.float32)
    return np.asarray(cv2.remap(smooth, inside, None, cv2.INTER_LINEAR)).reshape(*at_px.shape[:-1], 3)


def _arms_mm(place_mm: np.ndarray, outward: tuple[int, int]) -> np.ndarray:
    """(2, 2, 80, 2) table mm: where the card would lie and the table beside it, each upright and across."""
    half = float(np.ptp(place_mm[:, 0])) / 2
    around = ((CARD_FROM_MM, CARD_TO_MM), (TABLE_FROM_MM, TABLE_TO_MM))
    upright = np.empty((len(around), ALONG, ACROSS, 2))
    for xy, (near, far) in zip(upright, around, strict=True):
        xy[..., 0] = np.linspace(half + near, half + far, ACROSS)
        xy[..., 1] = np.linspace(-0.3 * half, half + near, ALONG)[:, None]
    both = np.stack([upright, upright[..., ::-1]], axis=1)
    return np.asarray(both.reshape(len(around), 2, -1, 2) * outward + place_mm.mean(0))


def _evidence(cards: np.ndarray, tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of samples (M, 2, N, 3) of both arms of a card at each of M corners, and of the table beside them: how much they
    look like the card (M,), and their colour (M, 3)."""
    whole, colours = _likeness(cards, tables)
    one_arm = (-1, 1, *cards.shape[2:])
    # a hand may lie over one arm of the card: then the other alone speaks, for less
    each, each_colour = _likeness(cards.reshape(one_arm), tables.reshape(one_arm))
    better = each.reshape(-1, 2).argmax(1) + 2 * np.arange(len(cards))
    half = each[better] - HALF_CARD
    return np.maximum(whole, half), np.where((whole >= half)[:, None], colours, each_colour[better])


def _likeness(arms: np.ndarray, tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How much each of M sets of samples (M, A, N, 3) of the card's A arms looks like the card beside the table (M,),
    and its colour (M, 3)."""
    card, table = (each.reshape(len(each), -1, 3) for each in (arms, tables))
    colour, beside = medians(card, 1)[:, 0], medians(table, 1)[:, 0]
    red = colour[:, 2] / (colour.sum(1) + 15.0)
    lit = np.clip((colour * beside).sum(1) / np.maximum((beside * beside).sum(1), 1e-6), *UNLIKE_LIGHT)
    off = (np.abs(colour - level * beside).max(1) for level in (1.0, lit[:, None]))
    contrast = np.mean([np.minimum(each, ENOUGH_CONTRAST) for each in off], axis=0)
    ends = medians(arms[:, 0], 1) - medians(arms[:, -1], 1)
    uneven = np.abs(card - colour[:, None]).mean((1, 2)) + np.abs(ends).mean((1, 2))
    redness = 1.0 / (1.0 + np.exp(-(red - RED_SHARE) / RED_SHARE_WIDTH))
    return contrast / CONTRAST * redness - uneven / UNEVENNESS, colour
