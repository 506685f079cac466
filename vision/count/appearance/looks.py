"""What one piece looks like: the linear light of its inner part and of its ring, and what of it stays in any light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.appearance.prints import is_smooth, unroll
from vision.count.table.ground import to_lab
from vision.srgb import LINEAR

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]

# Of a piece's radius: face and ring. What is printed or stamped on a piece, and a lamp's glint on a round one, lie in
# the middle; the rim itself is shade and glint.
INNER, RING = (0.35, 0.62), (0.76, 0.92)
EDGE = (0.64, 0.9)  # between the largest labels and the shade of the rim: spots cover less than half of it
BODY_PERCENTILES = (25, 80)  # of the light in a zone: below lies what is engraved or shaded, above the glints
# A piece by rings of a tenth of its radius, without the shade of its rim; what of a ring is farther from its usual
# colour is of another one: print, not wear.
RINGS, OTHER_COLOUR_LAB = 9, 30.0
SPOTS = 6  # of these rings, from which on spots lie
PRINTED = 0.15  # of a ring that has another colour than most of it: spots or figures; of wear and glints it is less
SOME_OTHER = 0.5  # of a ring that has another colour: such a one has none of its own
# What a gloss reflects is part of any colour a camera sees: about a tenth of its light. It also bounds what the weak
# channels of a saturated colour, which are mostly noise, can say.
HAZE = 0.1
DARK = 0.004  # linear light of one step of an 8-bit channel near black
# What a camera adds to any channel: stray light in the lens and JPEG, and colours spilling over from their neighbours.
STRAY, SPILL = 0.002, 0.01
# The strongest channel of a vivid colour is blown out before the others: what it lost is not known, up to a third.
BLOWN, LOST, VIVID = (0.8, 0.95), 0.3, 4.0  # from and to which light; natural log; power of how pure the colour is
# Print on a piece is of another colour: what shade, wear and engraving do to one colour is nearer together.
TWO_COLOURS_LAB, SAME_COLOUR_LAB = 40.0, 25.0
UNCLEAR = 0.5  # of a piece that is blown out: its stamp may be lost
MOST_PIXELS, CUTS = 400, 5  # of a zone that are compared, and how often the line between two colours is drawn anew
# How one piece differs from another of its colour under one light, by feature: casts by what it mirrors, brightness by
# shade and gloss (a coin in a window's glare is three times as bright as its neighbour), and how face and ring differ.
SPREADS = np.array([0.13, 0.13, 0.6, 0.10, 0.12])
# What metal mirrors lies on face and ring alike: of 480 coins in 42 photographs these differ in blue against green by
# 0.03 to 0.06 from kind to kind, by 0.05 to 0.1 where two metals do that are 0.35 apart; blown-out ones show nothing.
SPREADS_OF_METAL, TWO_METALS = np.array([0.13, 0.13, 0.6, 0.10, 0.06]), 0.2


@dataclass(frozen=True, slots=True)
class PieceLook:
    """One piece in one picture: linear BGR 0..1 of its inner part and of its ring; the same where it has no ring.

    `support`: the part of its rim that was a sharp edge, 0 where no rim was looked for; `clipped`: the part of it that
    is blown out. `photograph`: a number that looks taught by one picture share; 0 when it is not known. `radius`: in
    that picture's px, 0 when it is not known. `edge_bgr`: the commonest colour of its ring where that is another one,
    as on a chip whose label and spots are of one colour. `rings`: the usual light of each of `RINGS` rings from the
    middle on, and `mixed` the part of each that has another colour; none where no outline was looked into.
    `unrolled`: its print (`prints.unroll`), empty where no outline was looked into.
    """

    inner_bgr: tuple[float, float, float]
    ring_bgr: tuple[float, float, float]
    support: float = 0.0
    clipped: float = 0.0
    photograph: int = 0
    radius: float = 0.0
    edge_bgr: tuple[float, float, float] | None = None
    rings: tuple[tuple[float, float, float], ...] = ()
    mixed: tuple[float, ...] = ()
    unrolled: bytes = b""


def look_in_outline(picture: Picture, outline: Floats, support: float = 0.0, stamped: bool = True) -> PieceLook:
    """The look of a piece in a picture (H, W, 3) uint8 BGR, by its outline (N, 2) px; its print only of `stamped`
    ones.
    """
    low = np.maximum(np.floor(outline.min(axis=0)).astype(int) - 1, 0)
    high = np.ceil(outline.max(axis=0)).astype(int) + 2
    crop = picture[low[1] : high[1], low[0] : high[0]]
    inner = _zone(crop, outline - low, INNER)
    ring = _zone(crop, outline - low, RING)
    brightest = np.maximum(np.maximum(crop[..., 0], crop[..., 1]), crop[..., 2])
    blown = float((brightest[inner | ring] >= 250).mean()) if inner.any() else 0.0
    of_face, of_ring = _of_one_colour(crop[inner], crop[ring])
    face = _usual_light(of_face)
    commonest = _colours_of(crop[_zone(crop, outline - low, EDGE)])[0]
    edge = None
    if (
        len(of_ring)
        and len(commonest)
        and np.linalg.norm(_usual_lab(commonest) - _usual_lab(of_ring)) >= SAME_COLOUR_LAB
    ):
        edge = _usual_light(commonest)
    rings, mixed = _by_rings(crop, outline - low)
    ring_light = _usual_light(of_ring) if len(of_ring) else face
    told = unroll(picture, outline) if stamped else b""
    return PieceLook(face, ring_light, support, blown, edge_bgr=edge, rings=rings, mixed=mixed, unrolled=told)


def _by_rings(crop: Picture, outline: Floats) -> tuple[tuple[tuple[float, float, float], ...], tuple[float, ...]]:
    """The usual linear BGR of each ring within an outline (N, 2) px of a crop, and the part of it of another colour."""
    middle = outline.mean(axis=0)
    level = np.zeros(crop.shape[:2], np.uint8)
    for k in range(RINGS, 0, -1):
        points = np.rint((middle + 0.1 * k * (outline - middle)) * 16).astype(np.int32)
        cv2.fillPoly(level, [points], k, lineType=cv2.LINE_8, shift=4)
    order = np.argsort(level.ravel(), kind="stable")
    ends = np.bincount(level.ravel(), minlength=RINGS + 1).cumsum()
    own = crop.reshape(-1, 3)[order[ends[0] :]]
    lab = to_lab(own[None])[0]
    rings: list[tuple[float, float, float]] = []
    mixed: list[float] = []
    pixels, colours = own, lab
    for first, last in pairwise(ends - ends[0]):
        if last > first:  # a ring of a very small piece may hold no pixel: it is as the one within
            pixels, colours = own[first:last], lab[first:last]
        usual = usual_light(pixels)
        away = ((colours - _middle(colours).mean(axis=0)) ** 2).sum(axis=1) if len(pixels) else np.zeros(1)
        rings.append((float(usual[0]), float(usual[1]), float(usual[2])))
        mixed.append(float((away > OTHER_COLOUR_LAB**2).mean()))
    return tuple(rings), tuple(mixed)


def usual_light(pixels: Picture) -> Floats:
    """(3,) median of the linear BGR of pixels (N, 3) uint8; 0 of none."""
    return np.asarray(LINEAR[_middle(pixels)].mean(axis=0)) if len(pixels) else np.zeros(3)


def _middle(values: NDArray[Any]) -> NDArray[Any]:
    """(2, 3) the two middle ones of (N, 3) values by each column, of which the mean is the median."""
    upper = len(values) // 2
    lower = (len(values) - 1) // 2
    return np.partition(np.ascontiguousarray(values.T), (lower, upper), axis=1)[:, [lower, upper]].T


def _zone(crop: Picture, outline: Floats, reach: tuple[float, float]) -> NDArray[np.bool_]:
    """(H, W) bool: between two shares of an outline's size."""
    middle = outline.mean(axis=0)
    zone = np.zeros(crop.shape[:2], np.uint8)
    for share, value in ((reach[1], 1), (reach[0], 0)):
        if share:
            points = np.rint((middle + share * (outline - middle)) * 16).astype(np.int32)
            cv2.fillPoly(zone, [points], value, lineType=cv2.LINE_8, shift=4)
    return zone.astype(bool)


def body_light(pixels: Picture) -> tuple[float, float, float]:
    """Linear BGR of the usual pixels (N, 3) uint8 of a surface; spots, glints and what is engraved left out."""
    return _usual_light(_colours_of(pixels)[0])


def _usual_light(pixels: Picture) -> tuple[float, float, float]:
    """Linear BGR of the usual pixels (N, 3) uint8 of one colour."""
    if not len(pixels):
        return 0.0, 0.0, 0.0
    light = LINEAR[pixels].sum(axis=1)
    low, high = np.percentile(light, BODY_PERCENTILES)
    blue, green, red = usual_light(pixels[(light >= low) & (light <= high)])
    return float(blue), float(green), float(red)


def _of_one_colour(face: Picture, ring: Picture) -> tuple[Picture, Picture]:
    """The pixels (N, 3) of a face and of its ring that have the colour of the piece, not of its label or its spots.

    Of two colours in one of them that is the one which the other has as well, else the commoner one.
    """
    of_face, of_ring = _colours_of(face), _colours_of(ring)
    labs = [[_usual_lab(part) if len(part) else None for part in parts] for parts in (of_face, of_ring)]
    pairs = [(a, b) for a in zip(of_face, labs[0], strict=True) for b in zip(of_ring, labs[1], strict=True)]
    alike = [
        (a, b)
        for (a, a_lab), (b, b_lab) in pairs
        if a_lab is not None and b_lab is not None and np.linalg.norm(a_lab - b_lab) < SAME_COLOUR_LAB
    ]
    if not alike:
        return of_face[0], of_ring[0]
    return max(alike, key=lambda pair: len(pair[0]) / len(face) + len(pair[1]) / len(ring))


def _usual_lab(pixels: Picture) -> Floats:
    return np.asarray(_middle(to_lab(pixels[None])[0]).mean(axis=0), np.float64)


def _colours_of(pixels: Picture) -> list[Picture]:
    """The pixels (N, 3) uint8 of a surface, or those of either of its two colours, the commoner first."""
    if not len(pixels):
        return [pixels]
    some = pixels[:: -(-len(pixels) // MOST_PIXELS)]
    lab = to_lab(some[None])[0]
    spread = lab - lab.mean(axis=0)
    along = spread @ np.linalg.eigh(spread.T @ spread)[1][:, -1]
    above = along > 0
    for _ in range(CUTS):
        if above.all() or not above.any():
            return [pixels]
        above = along > (along[above].mean() + along[~above].mean()) / 2
    if above.all() or not above.any():
        return [pixels]
    if np.linalg.norm(lab[above].mean(axis=0) - lab[~above].mean(axis=0)) < TWO_COLOURS_LAB:
        return [pixels]
    return sorted((some[above], some[~above]), key=len, reverse=True)


def features(linear_bgr: Floats) -> Floats:
    """(…, 2, 3) linear BGR of inner part and ring to (…, 5): red against green, blue against green and brightness of
    both together, all natural logs, and how the inner part's two casts differ from the ring's.
    """
    light = np.clip(linear_bgr, 0, 1)
    grey = _mean(light)[..., None]
    logs = np.log(light + HAZE * grey + DARK)
    red, blue = logs[..., 2] - logs[..., 1], logs[..., 0] - logs[..., 1]
    bright = np.log(grey[..., 0] + DARK)
    both = [_mean(part) for part in (red, blue, bright)]
    return np.stack([*both, red[..., 0] - red[..., 1], blue[..., 0] - blue[..., 1]], axis=-1)


def uncertainty(linear_bgr: Floats, metal: bool = False) -> Floats:
    """(…, 2, 3) linear BGR to (…, 5) spreads of its features: by stray light, of which weak channels say little, and by
    what is blown out; how face and ring of `metal` differ is the less certain the more they do, and if both are white.
    """
    light = np.clip(linear_bgr, 0, 1)
    grey = _mean(light)[..., None]
    blue, green, red = (light[..., k : k + 1] for k in range(3))
    weakest, strongest = np.minimum(np.minimum(blue, green), red), np.maximum(np.maximum(blue, green), red)
    pure = 1 - weakest / np.maximum(strongest, DARK)
    lost = LOST * pure**VIVID * np.clip((light - BLOWN[0]) / (BLOWN[1] - BLOWN[0]), 0, 1)
    off = ((STRAY + SPILL * grey) / (light + HAZE * grey + DARK)) ** 2 + lost**2
    red, blue = (_mean(off[..., k] + off[..., 1]) for k in (2, 0))
    bright = _mean((STRAY / (grey[..., 0] + DARK)) ** 2)
    told = np.sqrt(np.stack([red, blue, bright, red, blue], axis=-1))
    if metal:
        white = np.clip((light.min(axis=(-2, -1)) - BLOWN[0]) / (BLOWN[1] - BLOWN[0]), 0, 1)[..., None]
        told[..., 3:] = np.hypot(told[..., 3:], TWO_METALS * features(linear_bgr)[..., 3:] + LOST * white)
    return np.asarray(told)


def _mean(values: Floats) -> Floats:
    """(…) the mean over a last axis of a few values, along which numpy's own is slow."""
    total = values[..., 0]
    for k in range(1, values.shape[-1]):
        total = total + values[..., k]
    return np.asarray(total / values.shape[-1])


def light_of(looks: list[PieceLook]) -> Floats:
    """(N, 2, 3) linear BGR of looks."""
    return np.array([(look.inner_bgr, look.ring_bgr) for look in looks], float).reshape(-1, 2, 3)


def rings_of(looks: list[PieceLook]) -> Floats:
    """(N, 3) linear BGR of the rings of looks that show most of one colour, without the piece's rim and middle."""
    some = [look.rings[k] for look in looks for k in range(1, len(look.rings) - 1) if look.mixed[k] < SOME_OTHER]
    return np.array(some, float).reshape(-1, 3)


def edges_of(looks: list[PieceLook]) -> Floats:
    """(N, 2, 3) linear BGR of the commonest colour of the rings of looks, twice."""
    return np.array([[look.edge_bgr or look.ring_bgr] * 2 for look in looks], float).reshape(-1, 2, 3)


def faces_of(looks: list[PieceLook]) -> Floats:
    """(N, 2, 3) linear BGR of the inner parts of looks, twice."""
    return np.array([[look.inner_bgr] * 2 for look in looks], float).reshape(-1, 2, 3)


def has_smooth_kind(taught: Sequence[Sequence[PieceLook]]) -> bool:
    """Whether the pieces of some colour all bear no stamp, as no metal's: white and black chips, stones of a game. What
    is mostly blown out shows none.
    """
    return any(all(look.clipped < UNCLEAR and is_smooth(look.unrolled) for look in own) for own in taught)
