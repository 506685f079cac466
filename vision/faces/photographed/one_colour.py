"""Pieces told by one colour each: all of a photograph together, under one light that may turn hues.

A gain a channel cannot say that red has become what orange was. Here the light is a 3 x 3 matrix on linear values:
gains, and a share of every other channel (cameras mix channels in their own ways; what is grey stays grey), with a
veil. How unusual a light is and how far pieces differ within a photograph are taken from a few levels each, whichever
explain the whole photograph best. What was learnt of the colour of plain pieces may be off, for all of them alike. A
piece's kind is as sure as the photograph becomes unlikely when it is another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.faces.photographed.fields import RIM

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
Ints = NDArray[np.intp]

GAMMA = 2.2
OFF_COLOUR = 0.09  # a fifth of a picture may be further (0..1) from shades of its one colour than this
OFF_SHARE = 80
GROUND = 0.4  # of the colour's brightness: what is darker is black ground, whatever is mirrored in it
PLAIN = 0.08  # chroma from which part of a picture has a colour; paler ones: the brighter half of what is lit tells it
BRIGHTEST = 98  # percentile of brightness that what is lit shows: black ground around a symbol is no part of it
COLOURED = 0.5  # share of the highest chroma from which a pixel is of the piece's colour
# Share of a piece's lit part that must have its colour. Symbols and plain pieces have it on 0.9 of it, cards with ink
# on white paper on 0.2 to 0.5, the more the less sharp the picture is.
MOSTLY = 0.75
# Distance of two pictures' colours, as a share of their usual brightness, from which they are of two inks: pieces of
# one ink, each with its own shade and a strip of the table, come to a quarter.
KINDS_APART = 0.4
APART_PERCENTILE = 75  # of all pairs must be as far apart for colours to be worth asking: one odd picture is no ink

# Errors of an encoded colour within a photograph at level 1: print and sensor, the more the more saturated, the light's
# fall over the table as a share of the colour, and gloss alike on all channels.
NOISE, COLOUR_NOISE, SHADE, GLOSS = 0.02, 0.03, 0.05, 0.04
LEVELS = (0.7, 1.4, 2.8)
# Standard deviation of what of another channel is mixed into one, and of a channel's gain: from the same camera in much
# the same room to a strange one.
LIGHTS = ((0.03, 0.1), (0.1, 0.25), (0.25, 0.4))
EXPOSURE = 0.7  # natural logarithm, linear values: cameras expose pieces to much the same brightness
COMMON_GAIN = 0.1  # what is left of it beside `scale`
VEIL, CHANNEL_VEIL = 0.03, 0.01
TAIL = 8.0  # nats beyond which one piece's error costs ever less: it may show none of the kinds
DARKEST = 0.1  # encoded: below it, errors no longer shrink with the slope of the encoding
SCALES = (0.02, 20.0)
PROPOSALS = 96
ROUNDS, FORCED_ROUNDS = 6, 4
MODES, LIKELY = 5, 8  # assignments looked at in every light, and lights in which a rival is tried
RIVALS = 4  # colours of a piece that are tried instead of its own
AT_ONCE = 256  # lights fitted in one go
SAME_COLOUR = 2.0  # errors by which two kinds' colours may differ to be the same, as other shapes of one ink are
PARAMETERS = 12
GAINS = np.array([0, 5, 10])
ORDINARY = np.eye(3, 4).ravel()


@dataclass(frozen=True, slots=True)
class SeenColour:
    """One piece with M candidates: `colour` (M, 3) encoded BGR 0..1 where a candidate has its colour, and `learnt`
    (M, 3) that colour in the learnt picture; `kinds` (M,)."""

    colour: F64
    learnt: F64
    kinds: Ints


def main_colour(picture: F32) -> tuple[F64, NDArray[np.bool_]]:
    """The colour (3,) of a picture (h, w, 3) in 0..1 and where (h, w) it has it."""
    chroma = picture.max(axis=2) - picture.min(axis=2)
    most = float(np.percentile(chroma, 95))
    if most > PLAIN:
        where = chroma >= COLOURED * most
    else:
        grey = picture.sum(axis=2)
        where = grey >= np.median(grey[grey >= GROUND * np.percentile(grey, BRIGHTEST)])
    return np.median(picture[where], axis=0).astype(np.float64), where


def of_one_colour(pictures: F32) -> bool:
    """Whether `pictures` (T, h, w, 3) in 0..1 each show shades of one colour, and many of them different ones."""
    off, colours, shares = [], [], []
    rim = max(1, round(RIM * float(pictures.shape[1] * pictures.shape[2]) ** 0.5))
    for picture in pictures:
        inner = picture[rim:-rim, rim:-rim]
        colour, where = main_colour(inner)
        lit = inner.max(axis=2) >= GROUND * colour.max()
        shares.append((where & lit).sum() / max(int(lit.sum()), 1))
        flat = picture.reshape(-1, 3).astype(np.float64)
        along = np.clip(flat @ colour / (colour @ colour + 1e-9), 0, None)
        away = np.linalg.norm(flat - along[:, None] * colour, axis=1)
        off.append(np.percentile(np.where(flat.max(axis=1) < GROUND * colour.max(), 0, away), OFF_SHARE))
        colours.append(colour)
    apart = np.linalg.norm(np.array(colours)[:, None] - np.array(colours), axis=2)[np.triu_indices(len(colours), 1)]
    if np.median(off) >= OFF_COLOUR or np.median(shares) < MOSTLY or not len(apart):
        return False
    bright = float(np.median(np.max(colours, axis=1)))
    return bool(np.percentile(apart, APART_PERCENTILE) > KINDS_APART * bright)


def seen_of(crop: F32, pictures: F32, valid: F32, kinds: Ints) -> SeenColour:
    """What a crop (h, w, 3) shows where each of `pictures` (M, h, w, 3), aligned with it, has its colour."""
    colours, learnt = [], []
    usable = valid > 0
    for picture in pictures:
        colour, where = main_colour(picture)
        inside = where & usable
        colours.append(np.median(crop[inside if inside.any() else where], axis=0))
        learnt.append(colour)
    return SeenColour(np.array(colours, np.float64), np.array(learnt), kinds)


@dataclass(frozen=True, slots=True)
class _Photograph:
    """N pieces with up to M candidates: `seen` (N, M, 3) linear, `sure` (N, M, 3, 3) inverse covariance at level 1,
    `design` (N, M, 3, 12) of the learnt colours, `hues` (N, M) numbers of their kinds' colours, -1 where there is
    none; `plain`: the pieces show nothing but their colour."""

    seen: F64
    sure: F64
    design: F64
    hues: Ints
    plain: bool

    @classmethod
    def of(cls, pieces: Sequence[SeenColour], hues: Mapping[int, int], plain: bool) -> _Photograph:
        n, m = len(pieces), max(len(p.kinds) for p in pieces)
        numbers = np.full((n, m), -1, np.intp)
        colour, learnt = np.full((2, n, m, 3), 0.5)
        for k, piece in enumerate(pieces):
            count = len(piece.kinds)
            numbers[k, :count] = [hues[int(kind)] for kind in piece.kinds]
            colour[k, :count], learnt[k, :count] = piece.colour, piece.learnt
        return cls(
            np.asarray(colour**GAMMA, np.float64),
            np.asarray(np.linalg.inv(_covariance(colour)), np.float64),
            _design(learnt**GAMMA),
            numbers,
            plain,
        )


def _covariance(colour: F64) -> F64:
    """(..., 3, 3) covariance of linear values of the encoded `colour` (..., 3) at level 1."""
    chroma = colour.max(axis=-1) - colour.min(axis=-1)
    own = NOISE**2 + (COLOUR_NOISE * chroma) ** 2
    encoded = own[..., None, None] * np.eye(3) + SHADE**2 * colour[..., :, None] * colour[..., None, :] + GLOSS**2
    slope = GAMMA * np.maximum(colour, DARKEST) ** (GAMMA - 1)
    return np.asarray(encoded * slope[..., :, None] * slope[..., None, :])


def _design(learnt: F64) -> F64:
    """(..., 3, 12) what each parameter of the light makes of linear colours (..., 3).

    Of each channel: three entries of the matrix, of which the channel's own is its gain and the others mix in what
    another channel has more than it, so that grey stays grey; and the veil.
    """
    out = np.zeros((*learnt.shape, PARAMETERS))
    for c in range(3):
        out[..., c, 4 * c : 4 * c + 3] = learnt - learnt[..., c : c + 1]
        out[..., c, 4 * c + c] = learnt[..., c]
        out[..., c, 4 * c + 3] = 1
    return out


@dataclass(frozen=True, slots=True)
class _Lights:
    """H lights: `parameters` (H, 12) around ORDINARY, `scale` (H,) exposure; numbers of their level of errors and of
    their belief, each (H,); and what each of K colours is `off` (H, K, 3) what the light makes of the learnt one."""

    parameters: F64
    scale: F64
    level: Ints
    belief: Ints
    off: F64

    def take(self, chosen: Ints) -> _Lights:
        lights = self.parameters[chosen], self.scale[chosen], self.level[chosen], self.belief[chosen]
        return _Lights(*lights, self.off[chosen])


@dataclass(frozen=True, slots=True)
class _Fits:
    """H lights fitted to a photograph: `chosen` (H, N) candidates, `cost` (H,) nats."""

    lights: _Lights
    chosen: Ints
    cost: F64

    def take(self, chosen: Ints) -> _Fits:
        return _Fits(self.lights.take(chosen), self.chosen[chosen], self.cost[chosen])


def _precision(mixed: float, gain: float) -> F64:
    covariance = np.zeros((3, 4, 3, 4))
    for c in range(3):
        covariance[c, :3, c, :3] += np.diag([gain**2 if c == d else mixed**2 for d in range(3)])
        covariance[c, 3, c, 3] += CHANNEL_VEIL**2
        for d in range(3):
            covariance[c, c, d, d] += COMMON_GAIN**2
            covariance[c, 3, d, 3] += VEIL**2
    return np.asarray(np.linalg.inv(covariance.reshape(PARAMETERS, PARAMETERS)))


@dataclass(frozen=True, slots=True)
class Hue:
    """A kind's colour in a photograph: its `number` (kinds of one ink share it), the nats that it is `behind`, and the
    `misfit`, nats by which the piece differs from it in the photograph's likeliest light."""

    number: int
    behind: float
    misfit: float


BELIEFS = np.stack([_precision(*light) for light in LIGHTS])
UNUSUAL = -0.5 * np.linalg.slogdet(BELIEFS)[1]  # half the logarithm of each belief's volume
SIZES = np.array(LEVELS)


def hues_behind(pieces: Sequence[SeenColour], plain: bool = False) -> list[dict[int, Hue]]:
    """Of each piece of one photograph: kind -> its colour, and how much less likely that makes the photograph.

    Of `plain` pieces, that show nothing but their colour, what was learnt of it may be off; an ink of printed pieces is
    known by all of its shapes, and what differs from it is another. The likeliest is 0 behind. Colours that were not
    tried are as far behind as the furthest that was.
    """
    hues = _hues(pieces)
    photograph = _Photograph.of(pieces, hues, plain)
    fits = _likely(photograph)
    best = fits.cost[0]
    own = np.take_along_axis(photograph.hues, fits.chosen[0][:, None], axis=1)[:, 0]
    costs = _costs(photograph, fits.lights.take(np.array([0])))[0]
    behind = [{int(hue): 0.0} for hue in own]
    tried = [(n, hue) for n in range(len(pieces)) for hue in _rivals(costs[n], photograph.hues[n], int(own[n]))]
    step = AT_ONCE // len(fits.cost)
    for first in range(0, len(tried), step):
        some = tried[first : first + step]
        lights = fits.lights.take(np.tile(np.arange(len(fits.cost)), len(some)))
        forced = np.repeat(np.array(some, np.intp), len(fits.cost), axis=0)
        cost = _fitted(photograph, lights, FORCED_ROUNDS, forced).cost.reshape(len(some), -1).min(axis=1)
        for (n, hue), nats in zip(some, cost, strict=True):
            behind[n][hue] = float(nats - best)
    out = []
    for n, (piece, one) in enumerate(zip(pieces, behind, strict=True)):
        least, furthest = min(one.values()), max(one.values())  # a rival may have led to a better light for all
        numbers = {int(kind): hues[int(kind)] for kind in piece.kinds}
        misfits = {hue: float(costs[n][photograph.hues[n] == hue].min()) for hue in set(numbers.values())}
        out.append({k: Hue(hue, one.get(hue, furthest) - least, misfits[hue]) for k, hue in numbers.items()})
    return out


def _hues(pieces: Sequence[SeenColour]) -> dict[int, int]:
    """Kind -> number of its colour: kinds of one colour, in different shapes, are not told apart here."""
    learnt: dict[int, list[F64]] = {}
    for piece in pieces:
        for kind, colour in zip(piece.kinds, piece.learnt, strict=True):
            learnt.setdefault(int(kind), []).append(colour)
    kinds = sorted(learnt)
    mean = np.array([np.mean(learnt[kind], axis=0) for kind in kinds])
    sure = np.linalg.inv(_covariance(mean))
    linear = mean**GAMMA
    numbers: dict[int, int] = {}
    first: list[int] = []  # of each colour
    for k, kind in enumerate(kinds):
        away = linear[first] - linear[k]
        errors = np.einsum("ni,ij,nj->n", away, sure[k], away)
        near = int(errors.argmin()) if first and errors.min() < SAME_COLOUR**2 else len(first)
        if near == len(first):
            first.append(k)
        numbers[kind] = near
    return numbers


def _rivals(cost: F64, hues: Ints, own: int) -> list[int]:
    """The colours (at most RIVALS) beside `own` that cost (M,) least."""
    order = [int(hues[k]) for k in np.argsort(cost) if hues[k] >= 0]
    return [hue for hue in dict.fromkeys(order) if hue != own][:RIVALS]


def _likely(photograph: _Photograph) -> _Fits:
    """The likeliest assignments in the likeliest lights, the best first."""
    n = len(photograph.hues)
    pairs = np.argwhere(photograph.hues >= 0)
    if len(pairs) > PROPOSALS:
        pairs = pairs[np.linspace(0, len(pairs) - 1, PROPOSALS).round().astype(int)]
    count = len(pairs) + 1
    middle = np.full(count, len(LEVELS) // 2), np.full(count, len(LIGHTS) // 2)
    off = np.zeros((count, int(photograph.hues.max()) + 1, 3))
    start = _Lights(np.tile(ORDINARY, (count, 1)), np.ones(count), *middle, off)
    # Each proposed light is that of one piece alone, taken to be of one kind; the first is as when it was learnt.
    trust = np.zeros((count, n))
    trust[np.arange(1, count), pairs[:, 0]] = 1
    chosen = np.zeros((count, n), np.intp)
    chosen[np.arange(1, count), pairs[:, 0]] = pairs[:, 1]
    lights = start
    for _ in range(3):
        lights, _ = _solved(photograph, lights, chosen, trust)
    fits = _distinct(photograph, _fitted(photograph, lights, ROUNDS))
    grid = np.array([(k, s, b) for k in range(len(fits.cost)) for s in range(len(LEVELS)) for b in range(len(LIGHTS))])
    again = fits.lights.take(grid[:, 0])
    again = replace(again, level=grid[:, 1], belief=grid[:, 2])
    fitted = _fitted(photograph, again, ROUNDS)
    return fitted.take(np.argsort(fitted.cost, kind="stable")[:LIKELY])


def _distinct(photograph: _Photograph, fits: _Fits) -> _Fits:
    """The best fits (MODES) that differ in what they assign, which may be one reading in other shapes of its inks; and
    those (as many at most) that differ in the colours."""
    order = np.argsort(fits.cost, kind="stable")
    chosen = fits.chosen[order]
    colours = photograph.hues[np.arange(chosen.shape[1]), chosen]
    firsts = (np.unique(assigned, axis=0, return_index=True)[1] for assigned in (chosen, colours))
    return fits.take(order[np.unique(np.concatenate([np.sort(first)[:MODES] for first in firsts]))])


def _costs(photograph: _Photograph, lights: _Lights) -> F64:
    """(H, N, M) nats of every candidate's error in each light; inf where there is no candidate."""
    n, m = photograph.hues.shape
    shown = (lights.parameters @ photograph.design.reshape(-1, PARAMETERS).T).reshape(-1, n, m, 3)
    error = photograph.seen - lights.scale[:, None, None, None] * shown - lights.off[:, photograph.hues]
    cost = 0.5 * (np.matmul(photograph.sure, error[..., None])[..., 0] * error).sum(axis=-1)
    cost /= SIZES[lights.level, None, None] ** 2
    return np.where(photograph.hues >= 0, cost, np.inf)


def _solved(photograph: _Photograph, lights: _Lights, chosen: Ints, trust: F64) -> tuple[_Lights, F64]:
    """The lights (H) that explain the `chosen` candidates (H, N) best, each piece counting `trust` (H, N); and the
    precision (H, 12, 12) of their parameters."""
    index = np.arange(chosen.shape[1])
    design, seen = photograph.design[index, chosen], photograph.seen[index, chosen]  # (H, N, 3, 12), (H, N, 3)
    seen = seen - lights.off[np.arange(len(chosen))[:, None], photograph.hues[index, chosen]]
    sure = photograph.sure[index, chosen] * (trust / SIZES[lights.level, None] ** 2)[..., None, None]
    weighted = np.matmul(sure, design)
    h = len(chosen)
    flat, flat_weighted = design.reshape(h, -1, PARAMETERS), weighted.reshape(h, -1, PARAMETERS)
    scale = lights.scale[:, None, None]
    normal = BELIEFS[lights.belief] + scale**2 * np.matmul(flat.transpose(0, 2, 1), flat_weighted)
    right = (BELIEFS @ ORDINARY)[lights.belief] + lights.scale[:, None] * np.matmul(
        seen.reshape(h, 1, -1), flat_weighted
    )[:, 0]
    parameters = np.linalg.solve(normal, right[..., None])[..., 0]
    # The gain common to the channels goes over into the scale: exposures differ by factors, not by sums.
    shared = np.maximum(parameters[:, GAINS].mean(axis=1), SCALES[0])
    scale_now = np.clip(lights.scale * shared, *SCALES)
    parameters *= (lights.scale / scale_now)[:, None]
    return replace(lights, parameters=parameters, scale=scale_now), normal


def _off(photograph: _Photograph, lights: _Lights, chosen: Ints, trust: F64) -> tuple[_Lights, F64]:
    """The lights (H) with what each colour is off as the pieces `chosen` (H, N) for it tell, each counting `trust`
    (H, N); and the nats (H,) that this costs.

    What was learnt of a colour was seen once, in a shade and gloss of its own: it errs as any piece does at level 1.
    """
    index = np.arange(chosen.shape[1])
    hues, count = photograph.hues[index, chosen], lights.off.shape[1]
    shown = np.matmul(photograph.design[index, chosen], lights.parameters[:, None, :, None])[..., 0]
    error = photograph.seen[index, chosen] - lights.scale[:, None, None] * shown
    of = (hues[..., None] == np.arange(count)).astype(np.float64)  # (H, N, K)
    sure = photograph.sure[index, chosen]
    pieces = of.sum(axis=1)
    learnt = np.einsum("hnk,hnij->hkij", of, sure) / np.maximum(pieces, 1)[..., None, None]
    learnt += np.eye(3) * (pieces == 0)[..., None, None]
    counted = sure * (trust / SIZES[lights.level, None] ** 2)[..., None, None]
    both = learnt + np.einsum("hnk,hnij->hkij", of, counted)
    right = np.einsum("hnk,hni->hki", of, np.matmul(counted, error[..., None])[..., 0])
    off = np.linalg.solve(both, right[..., None])[..., 0]
    cost = np.einsum("hki,hkij,hkj->hk", off, learnt, off) + np.linalg.slogdet(both)[1] - np.linalg.slogdet(learnt)[1]
    return replace(lights, off=off), 0.5 * cost.sum(axis=1)


def _fitted(photograph: _Photograph, lights: _Lights, rounds: int, forced: Ints | None = None) -> _Fits:
    """The lights with the assignments that suit them, refined in turns. `forced` (H, 2): a piece of each and the colour
    that it must have."""
    h = np.arange(len(lights.scale))
    chosen, normal = np.zeros((len(h), len(photograph.hues)), np.intp), BELIEFS[lights.belief]
    off = np.zeros(len(h))
    for _ in range(rounds):
        cost = _costs(photograph, lights)
        chosen = cost.argmin(axis=2)
        if forced is not None:
            of_hue = photograph.hues[forced[:, 0]] == forced[:, 1:]
            chosen[h, forced[:, 0]] = np.where(of_hue, cost[h, forced[:, 0]], np.inf).argmin(axis=1)
        error = np.take_along_axis(cost, chosen[..., None], axis=2)[..., 0]
        trust = 1 / (1 + error / TAIL)
        lights, normal = _solved(photograph, lights, chosen, trust)
        if photograph.plain:
            lights, off = _off(photograph, lights, chosen, trust)
    error = np.take_along_axis(_costs(photograph, lights), chosen[..., None], axis=2)[..., 0]
    away = lights.parameters - ORDINARY
    cost = (TAIL * np.log1p(error / TAIL)).sum(axis=1) + 3 * chosen.shape[1] * np.log(SIZES[lights.level])
    cost += 0.5 * np.einsum("hi,hij,hj->h", away, BELIEFS[lights.belief], away)
    cost += 0.5 * (np.log(lights.scale) / EXPOSURE) ** 2
    cost += 0.5 * np.linalg.slogdet(normal)[1] + UNUSUAL[lights.belief] + off
    return _Fits(lights, chosen, cost)
