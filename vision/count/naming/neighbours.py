"""Names pieces by each other: pieces of one colour differ alike from what was taught, and neighbours are lit alike."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.count.appearance.looks import SPREADS, SPREADS_OF_METAL

Floats = NDArray[np.float64]

# How features (`looks.features`) deviate from what is expected of a look in the light of a picture, in three parts.
# What is mirrored and thrown on pieces where they lie: the casts of coins that touch are correlated by 0.5, of those
# three radii further by 0.3, and at ten not at all. It lies on face and ring alike.
FIELD, FIELD_RADII = np.array([0.12, 0.12, 0.6, 0.0, 0.0]), 6.0
ALIKE = np.array([0.06, 0.06, 0.25, 0.05, 0.05])  # wear and gloss of all pieces of a colour together
# The same where pieces are left without a name: what a ring shows of spots at its edge and of its gloss differs from
# picture to picture. Coins, which have no spots, are named worse by it in one photograph of twenty.
ALIKE_BUT_RINGS = np.array([0.06, 0.06, 0.25, 0.15, 0.15])
ALONE = np.array([0.09, 0.09, 0.4, 0.09, 0.11])  # of each piece by itself
# Of metal: what coins mirror lies on face and ring alike, so that these differ in blue by half as much (looks.py). The
# redder a metal, the more its coins differ in red, as tarnish and what they mirror thin their cast: in 22 photographs
# gold ones by 0.04 to 0.1, copper ones by 0.1 to 0.14; so much of a colour's red against green comes to its spread.
ALONE_OF_METAL, REDDER = np.array([0.07, 0.09, 0.4, 0.09, 0.055]), 0.1
FREEDOM = 5.0  # degrees of freedom of the t distribution: dirt, stickers and glare are commoner than a normal one says
ROUNDS, SETTLED = 8, 0.02  # at most, and the change of a chance below which there is nothing to do
LEAST_WEIGHT = 1e-3  # of a piece that is none of the colours: it says nothing of the light


@dataclass(frozen=True, slots=True, eq=False)
class Lights:
    """L lights that are weighed for one picture: `expected` (L, M, F) features of M looks in them, `prior` (L,) their
    log chances, `chances` (L, N, M) log chances of N pieces as these looks, by everything, and `others` (L, N, M) of
    those that by what is no feature; `wider` (M, F): how much more than others pieces of a look differ.
    """

    expected: Floats
    prior: Floats
    chances: Floats
    others: Floats
    wider: Floats | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Differences:
    """How pieces of one colour differ, in spreads (5,) of their features: in all, each by itself, and all of them
    together from what was taught.
    """

    usual: Floats
    alone: Floats
    alike: Floats


COATED = Differences(SPREADS, ALONE, ALIKE)
METAL = Differences(SPREADS_OF_METAL, ALONE_OF_METAL, ALIKE)


def lit_alike(places: Floats | None, count: int) -> Floats:
    """(N, N) how much the light of pieces is the same, 0..1, by their places (N, 2) in radii; nothing without them."""
    if places is None:
        return np.zeros((count, count))
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2)
    return np.asarray(np.exp(-0.5 * (gaps / FIELD_RADII) ** 2))


def name_by_neighbours(
    found: Floats,
    noise: Floats,
    lights: Lights,
    colour_of: NDArray[np.int64],
    alike: Floats,
    unknown: float,
    differences: Differences = COATED,
) -> tuple[Floats, Floats]:
    """(L, N, K + 1) chances of each colour for each piece in each light, and last of none of them; and (L,) log
    chances of the lights.

    `found` (N, F) features and `noise` (N, F) their spreads by camera and teaching; `colour_of` (M,) 0..K-1; `unknown`
    the log chance of a piece of no colour. A piece is judged by what all others show: the Gaussian process of field and
    colours is fitted without it (C. Rasmussen and C. Williams, "Gaussian Processes for Machine Learning", 2006, 5.4.2),
    names and process in turn.
    """
    used, looks = found.shape[1], len(colour_of)
    alone, shift = differences.alone, differences.alike
    own = (colour_of[:, None] == np.arange(int(colour_of.max()) + 1)).astype(float)
    one_of = -np.log(own.sum(axis=0))[colour_of]  # every colour is as likely, however many looks it has
    off = found[None, :, None] - lights.expected[:, None]
    by_itself = (alone[:used] ** 2 + noise**2).T
    field = FIELD[:used, None, None] ** 2 * alike
    shares = _shares(lights.chances + one_of, unknown)
    usual = np.ones(shares.shape[:2])
    for _ in range(ROUNDS):
        known = np.maximum(shares[..., :looks].sum(axis=2), LEAST_WEIGHT)
        members = shares[..., :looks] @ own / known[..., None]
        mean_off = np.einsum("lnm,lnmf->lfn", shares[..., :looks], off) / known[:, None]
        shared = field + shift[:used, None, None] ** 2 * (members @ members.transpose(0, 2, 1))[:, None]
        own_noise = by_itself / np.maximum(known * usual, LEAST_WEIGHT)[:, None]
        inverse = np.linalg.inv(shared + own_noise[..., None] * np.eye(len(found)))
        weight = (inverse @ mean_off[..., None])[..., 0]
        precision = np.diagonal(inverse, axis1=2, axis2=3)
        without = weight[..., :, None] - inverse * (weight / precision)[..., None, :]  # (L, F, j, i): of j without i
        by_place = np.einsum("fij,lfji->lif", field, without)
        by_colour = shift[:used] ** 2 * np.einsum("ljk,lfji->likf", members, without)
        spread = (np.maximum(1 / precision - own_noise, 0) + by_itself).transpose(0, 2, 1)
        rest = off - by_place[:, :, None] - by_colour[:, :, colour_of]
        wide = spread[:, :, None] if lights.wider is None else spread[:, :, None] + lights.wider**2
        squares = (rest**2 / wide).sum(axis=3)
        likely = log_chance(squares) + lights.others + one_of
        likely = likely - 0.5 * np.log(wide / differences.usual[:used] ** 2).sum(axis=3)
        before, shares = shares, _shares(likely, unknown)
        known = np.maximum(shares[..., :looks].sum(axis=2), LEAST_WEIGHT)
        usual = (FREEDOM + used) / (FREEDOM + (shares[..., :looks] * squares).sum(axis=2) / known)
        if np.abs(shares - before).max() < SETTLED:
            break
    none = np.full((*likely.shape[:2], 1), unknown)
    fit = np.logaddexp.reduce(np.concatenate([likely, none], axis=2), axis=2).sum(axis=1)
    bent = 0.5 * np.einsum("lfi,lfij,lfj->l", weight, shared, weight)
    p = np.concatenate([shares[..., :looks] @ own, shares[..., looks:]], axis=2)
    return p, lights.prior + fit - bent + np.array([_mixed(counts) for counts in p[..., :-1].sum(axis=1)])


def log_chance(squares: NDArray[np.floating]) -> NDArray[np.floating]:
    """Log density, up to a constant, of a t distribution at a squared distance in spreads."""
    return np.asarray(-(FREEDOM + len(SPREADS)) / 2 * np.log1p(squares / FREEDOM))


def _shares(likely: Floats, unknown: float) -> Floats:
    """(L, N, M + 1) chances of looks (L, N, M) by their logs, and last of none of them."""
    top = np.maximum(likely.max(axis=2), unknown)[..., None]
    parts = np.concatenate([np.exp(likely - top), np.exp(unknown - top)], axis=2)
    return np.asarray(parts / parts.sum(axis=2, keepdims=True))


def _mixed(counts: Floats) -> float:
    """Log chance of names that give so many pieces (K,) to each colour, beside names that are drawn one by one: any
    mixture of the colours, also of one alone, is as likely as another.
    """
    some = math.lgamma(len(counts)) - math.lgamma(float(counts.sum()) + len(counts))
    return some + sum(math.lgamma(float(n) + 1) for n in counts) + float(counts.sum()) * math.log(len(counts))
