"""Tells by how much a purse has changed where rims are no sharp edges: in noise, out of focus, in changing light.

What differs between two looks is searched for discs as large as coins. Of a coin that came or went all of the disc
differs, from the table's look to the coin's, right up to its rim and no farther; it lies there in the look in which the
disc stands out from what is around. A disc that may be a coin or noise leaves several changes open, each with its
chance. Where anything else differs nothing is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.core.layout import Coin
from vision.tables.purses.chances import Chances, added, surely
from vision.tables.purses.coins import AROUND_MM, EDGE_MM, WIDER_MM, only_coin_of
from vision.tables.purses.compared_looks import Compared, compare_looks
from vision.tables.purses.half_size import SCALE

# A coin differs from the table by so many deviations of the noise all over, and so much more or less in its parts.
DIFFERS, PARTS_DIFFER = (1.0, 3.0, 10.0, 30.0), (0.5, 1.0, 3.0, 10.0, 30.0)

# Log-odds for a disc that has changed against noise: from the first on it is looked at, from the second on it may be a
# coin. Of the coins of nine rough films silver ones on a pale cloth in the dusk had 15 to 80, nearly all others 150 and
# more; noise and what is left of the light have 40 at most on most tables.
LOOKED_AT, COIN = 15.0, 60.0
# With more than this it is something, a coin or not.
SOMETHING = 100.0
MOST_DISCS = 16
# A disc so many times as wide as the widest coin is no coin, nor two that touch.
TOO_WIDE = 1.3
# Coins of one look on one table show up to so different parts of what the clearest does: what shows as much may be one.
WEAK_PART = 0.15
# What lies beside a disc that is so many times as sure is part of it.
CRUMB_TIMES = 10.0
# Coins of one look have their middles so far apart at least, as a part of the sum of their radii, with what errs.
APART = 0.7

# Places around a disc that are compared; of so many at least something is seen beside other discs.
SECTORS, LEAST_SECTORS = 12, 5
# Parts of the radius: the disc's own colour, and the table just outside.
OWN, OUTSIDE = (0.45, 0.95), (1.15, 1.6)
WITHIN_RIM, BEYOND_RIM, LEAST_SEEN_PX = (0.68, 0.93), (1.1, 1.35), 3
# A disc stands out so many times as much where the coin lies; where it does as much in both looks, nothing has come.
STANDS_OUT, ALIKE = 2.2, 1.6

# The rim is looked for up to so far beside the likeliest middle, px, and in such steps of the radius.
ASTRAY_PX, STEP_PX = 4, 0.4
SHIFTS = np.stack(np.meshgrid(*[np.arange(-ASTRAY_PX, ASTRAY_PX + 1.0)] * 2), axis=-1).reshape(-1, 2)
MOST_PART = 1.5  # of the widest coin's radius
# Of what has changed around, the disc explains so much; and in all but a sixth of the sectors so much of the way from
# the table's colour to the coin's has been gone.
EXPLAINED, GONE, SECTORS_GONE = 0.5, 0.55, 0.15
# Of what perhaps is a coin each is so large a part of that at least.
PERHAPS = 0.85
# The radius may be off by so much, as a part of it: coins of 18 and 25 mm differ by 37 %.
RADIUS_SHARE = 0.115

# Of a disc that looks like a coin, but is not sure, the log-odds at which it is one as often as noise, and by how much
# more it is one e times as likely: of 176 such discs of seven rough films 7 of 13 below 30 were coins, 50 of 55 up to
# 50, all above. What looks like none is one in one of twenty, but beside a far surer coin as often as not.
EVEN_ODDS, ODDS_SCALE, ODD_COIN, BESIDE_COIN = 25.0, 6.0, 0.05, 0.5
# A camera's noise goes together over a few px, 37 at most in seven rough films; a narrow coin has 180. What goes
# together over such a part of that is no noise: a hand lies over everything.
TOGETHER_SHARE = 0.3
# Where one is so weak another one may be missed: in 6 of 48 such looks.
MISSED = 0.12
# Of two coins in one place, one after the other, neither is seen whole: so often one of them is none.
HALF_SEEN = 0.1
# The radius of a coin errs by such a part of it (deviation), and in so many by more.
RADIUS_NOISE, ASTRAY_KIND = 0.07, 0.02

# Purses lie far from the markers by which the camera is told: what lies in them is seen so far beside its place, mm.
ASTRAY_MM = 7.0

# What no coin explains is so wide (mm) at least if it is a thing; a window differs by so much (square, three colours).
LEFT_MM, LEFT_PX, LEFT_CHI = 6.0, 5, 30.0


@dataclass(frozen=True, slots=True, eq=False)
class _Disc:
    """A disc that has changed: its middle (2,) and radius, px, the log-odds for it, how much it explains, how far the
    change has gone there, how much it stands out in the earlier and in the later look, and whether there is more of an
    edge at its rim in the look in which it does."""

    xy: np.ndarray
    radius: float
    log_odds: float
    explained: float
    gone: float
    before: float
    now: float
    has_edge: bool

    @property
    def came(self) -> bool:
        return self.now > self.before

    @property
    def stands_out(self) -> float:
        """How many times as much it stands out in one look as in the other."""
        return max(self.before, self.now) / max(1.0, min(self.before, self.now))


def changes_in_noise(before: np.ndarray, now: np.ndarray, coins: Sequence[Coin]) -> Chances:
    """By how much the sum of the coins differs between two looks (H, W, 3) float32 BGR at a purse from above, with the
    bare table around it, half as large: one change where that is sure, several where discs may be coins or noise. Empty
    where something is no coin, or nobody knows whose it is."""
    compared = compare_looks(before, now)
    kinds = sorted(coins, key=lambda coin: coin.width_mm)
    radii = _radii(kinds)
    discs = _discs(compared, radii) if compared.together <= TOGETHER_SHARE * np.pi * radii[0] ** 2 else None
    if discs is None:
        return {}
    found, left = discs
    window = cv2.blur(left, (LEFT_PX, LEFT_PX)) * (LEFT_PX / np.sqrt(compared.together))
    things = ((window**2).sum(axis=2) > LEFT_CHI).astype(np.uint8)
    if cv2.distanceTransform(things, cv2.DIST_L2, cv2.DIST_MASK_PRECISE).max() >= LEFT_MM / 2 * SCALE:
        return {}
    inset, size = (AROUND_MM - ASTRAY_MM) * SCALE, np.array(left.shape[1::-1])
    told = [(one, _coin(one, kinds)) for one in found if not _is_glow(one, found)]
    sure = [one for one, coin in told if coin is not None]
    parts: list[Chances] = []
    for one, coin in told:
        if coin is None:
            part = _of_no_sure_coin(one, found, sure, kinds)
            if not part:
                return {}
            parts.append(part)
            continue
        beside = [other for other in sure if other is not one and _overlap(one, other)]
        if any(other.came == one.came for other in beside):
            return {}  # coins of one look lie side by side
        if not ((one.xy >= inset).all() and (one.xy < size - inset).all()):
            return {}  # nobody knows whose it is
        value = coin.value if one.came else -coin.value
        parts.append({value: 1.0 - HALF_SEEN, 0: HALF_SEEN} if beside else surely(value))
    weak = [one for one, coin in told if coin is None and one.log_odds < COIN and _is_perhaps(one, radii)]
    return added([*parts, *(_either_way(one, kinds, MISSED) for one in weak[-1:])])


def _of_no_sure_coin(
    one: _Disc, found: Sequence[_Disc], sure: Sequence[_Disc], kinds: Sequence[Coin]
) -> Chances:
    """What a disc comes to that is no sure coin, beside those `sure` to be one; empty where nobody knows."""
    radii = _radii(kinds)
    if _is_crumb(one, found, radii):
        return _either_way(one, kinds, BESIDE_COIN) if one.log_odds >= COIN else surely(0)
    if _is_perhaps(one, radii):
        if any(_overlap(one, other) and other.came == one.came for other in sure):
            return surely(0)  # part of that coin
        return _perhaps(one, kinds) if one.log_odds < SOMETHING else {}
    weakest = min((other.log_odds for other in sure), default=np.inf)
    if one.log_odds < min(SOMETHING, WEAK_PART * weakest):
        return surely(0)
    return _either_way(one, kinds, ODD_COIN) if one.log_odds < COIN else {}


def _radii(kinds: Sequence[Coin]) -> list[float]:
    """How wide the coins are seen, px from the middle."""
    return [(coin.width_mm + WIDER_MM) / 2 * SCALE for coin in kinds]


def _coin(one: _Disc, kinds: Sequence[Coin]) -> Coin | None:
    """The coin that came or went there; None where it is none, or nobody knows which."""
    return only_coin_of(2 * one.radius / SCALE, kinds, RADIUS_SHARE) if _is_coin(one) else None


def _is_coin(one: _Disc) -> bool:
    """Whether a coin came or went there, whichever it is."""
    fits = one.explained >= EXPLAINED and one.gone >= GONE
    return fits and one.has_edge and one.log_odds >= COIN and one.stands_out >= STANDS_OUT


def _perhaps(one: _Disc, kinds: Sequence[Coin]) -> Chances:
    """What a disc comes to that looks like a coin, but may be noise."""
    is_coin = 1.0 / (1.0 + float(np.exp((EVEN_ODDS - one.log_odds) / ODDS_SCALE)))
    way = 1 if one.came else -1
    return {0: 1.0 - is_coin} | {way * value: is_coin * p for value, p in _kinds_of(one, kinds).items()}


def _either_way(one: _Disc, kinds: Sequence[Coin], is_coin: float) -> Chances:
    """What a disc comes to that looks like no coin, and is one all the same with the chance `is_coin`."""
    return {0: 1.0 - is_coin} | {
        way * value: is_coin / 2.0 * p for value, p in _kinds_of(one, kinds).items() for way in (-1, 1)
    }


def _kinds_of(one: _Disc, kinds: Sequence[Coin]) -> dict[int, float]:
    """The chances of the values of a coin by its radius."""
    off = [2.0 * one.radius / SCALE / (coin.width_mm + WIDER_MM) - 1.0 for coin in kinds]
    likely = [np.exp(-0.5 * (share / RADIUS_NOISE) ** 2) + ASTRAY_KIND for share in off]
    return {coin.value: float(p / sum(likely)) for coin, p in zip(kinds, likely, strict=True)}


def _is_perhaps(one: _Disc, radii: Sequence[float]) -> bool:
    """Whether a coin may have come or gone there, though it is not sure."""
    is_like = one.explained >= PERHAPS * EXPLAINED and one.gone >= PERHAPS * GONE and one.stands_out >= ALIKE
    return is_like and any(abs(one.radius / radius - 1.0) <= 2.0 * RADIUS_SHARE for radius in radii)


def _is_glow(one: _Disc, found: Sequence[_Disc]) -> bool:
    """Whether it lies within a far surer disc: coins lie side by side."""
    return any(_overlap(one, other) for other in found if other.log_odds >= CRUMB_TIMES**2 * one.log_odds)


def _overlap(one: _Disc, other: _Disc) -> bool:
    return bool(np.linalg.norm(other.xy - one.xy) < APART * (one.radius + other.radius))


def _is_crumb(one: _Disc, found: Sequence[_Disc], radii: Sequence[float]) -> bool:
    """Whether it is what a far surer disc beside it leaves: its shadow, or the glow of a coin that is burnt out."""
    beside = (other for other in found if other.log_odds >= CRUMB_TIMES * one.log_odds)
    return not _is_perhaps(one, radii) and any(
        np.linalg.norm(other.xy - one.xy) <= other.radius + max(radii) for other in beside
    )


def _discs(compared: Compared, radii: Sequence[float]) -> tuple[list[_Disc], np.ndarray] | None:
    """The discs that have changed, the surest first, and what they leave of the difference (H, W, 3); None where
    something wider than a coin has, or too many."""
    left, taken = compared.off.copy(), np.zeros(compared.off.shape[:2], bool)
    shape, reach = taken.shape, 2 * int(np.ceil(max(radii))) + 2
    odds = [_log_odds(left, radius, compared.together) for radius in radii]
    found: list[_Disc] = []
    while True:
        highest = [float(of_kind.max()) for of_kind in odds]
        number = int(np.argmax(highest))
        if highest[number] < LOOKED_AT:
            break
        row, column = np.unravel_index(int(np.argmax(odds[number])), shape)
        middle = np.array([column, row], float)
        one = _fitted(compared, middle, radii, number, highest[number], taken)
        is_wide = one.log_odds >= SOMETHING and one.radius >= TOO_WIDE * max(radii)
        if len(found) == MOST_DISCS or (is_wide and not _is_crumb(one, found, radii)):
            return None
        found.append(one)
        nearest = min(radii, key=lambda radius: abs(one.radius - radius))
        gone = (_away(shape, one.xy) <= nearest + EDGE_MM * SCALE) | (_away(shape, middle) <= radii[0] / 2)
        taken |= gone
        left[gone] = 0.0
        x, y, width, height = cv2.boundingRect(gone.astype(np.uint8))
        # only there the odds have changed; around that there is as much as they are made of
        inner, outer = (
            (slice(max(0, y - far), y + height + far), slice(max(0, x - far), x + width + far))
            for far in (reach, 2 * reach)
        )
        corner = (inner[0].start - outer[0].start, inner[1].start - outer[1].start)
        for of_kind, radius in zip(odds, radii, strict=True):
            here = _log_odds(left[outer], radius, compared.together)
            part = of_kind[inner]
            part[:] = here[corner[0] : corner[0] + part.shape[0], corner[1] : corner[1] + part.shape[1]]
    return [one if _is_coin(one) else _beside_others(compared, one, found, radii) for one in found], left


def _beside_others(compared: Compared, one: _Disc, found: Sequence[_Disc], radii: Sequence[float]) -> _Disc:
    """A disc fitted once more where others lie near it, without what these cover."""
    taken = np.zeros(compared.off.shape[:2], bool)
    near = [other for other in found if other is not one and np.linalg.norm(other.xy - one.xy) < 4.0 * max(radii)]
    near = [other for other in near if other.log_odds >= max(SOMETHING, one.log_odds / CRUMB_TIMES)]
    for other in near:
        taken |= _away(taken.shape, other.xy) <= min(max(radii), other.radius) + 1.0
    number = int(np.argmin([abs(one.radius - radius) for radius in radii]))
    return _fitted(compared, one.xy, radii, number, one.log_odds, taken) if near else one


def _log_odds(off: np.ndarray, radius: float, together: float) -> np.ndarray:
    """(H, W): log-odds that a disc around each place has changed, against noise, from a difference (H, W, 3) in
    deviations of which so many px go `together`."""
    reach = int(np.ceil(radius + 1))
    disc = np.clip(radius + 0.5 - _away((2 * reach + 1,) * 2, np.array([reach, reach])), 0.0, 1.0).astype(np.float32)
    number = float(disc.sum())
    count = number / together
    sums = cv2.filter2D(off, -1, disc, borderType=cv2.BORDER_CONSTANT)
    squares = cv2.filter2D((off**2).sum(axis=2), -1, disc, borderType=cv2.BORDER_CONSTANT)
    means = (sums**2).sum(axis=2) / number / together  # so many squared deviations the common difference has
    parts = np.maximum(squares / together - means, 0.0)
    common = np.full_like(means, -np.inf)
    for size in DIFFERS:
        more = size**2 * count
        common = np.maximum(common, 0.5 * means * (more / (1.0 + more)) - 1.5 * np.log1p(more))
    varied = np.zeros_like(parts)
    for size in PARTS_DIFFER:
        spread = 1.0 + size**2
        varied = np.maximum(varied, 0.5 * parts * (1.0 - 1.0 / spread) - 1.5 * max(count - 1.0, 1.0) * np.log(spread))
    return np.asarray(common + varied)


def _fitted(
    compared: Compared, middle: np.ndarray, radii: Sequence[float], number: int, log_odds: float, taken: np.ndarray
) -> _Disc:
    """The disc about a `middle` (2,), px, as what has changed there fits best, beside what is `taken` (H, W) bool."""
    reach = int(np.ceil(MOST_PART * max(radii))) + ASTRAY_PX + 1
    x, y = np.round(middle).astype(int).tolist()
    box = (slice(max(0, y - reach), y + reach + 1), slice(max(0, x - reach), x + reach + 1))
    corner = np.array([box[1].start, box[0].start], float)
    before, now, free = compared.before[box], compared.now[box], ~taken[box]
    at = middle - corner
    looks = [look @ compared.whiten.T for look in (before, now)]
    stands = [_contrast(look, at, radii[number], free) for look in looks]
    edges = [_edge(look, at, radii[number], free) for look in looks]
    bare, laid = (before, now) if stands[1] > stands[0] else (now, before)
    core = _away(free.shape, at) < 0.75 * radii[0]
    colour = np.median(laid[core & free] if (core & free).any() else laid[core], axis=0)
    way = colour - bare
    length = (way**2).sum(axis=2)
    gone = np.clip(((laid - bare) * way).sum(axis=2) / (length + 1e-6), -1.0, 2.0)
    weight = np.minimum(length, 4.0 * np.median(length)) * free
    limit, best = MOST_PART * max(radii), (np.inf, np.inf, at, 0.0)
    bins = int(np.ceil(limit / STEP_PX))
    squared, gained = (weight * gone**2).ravel(), (weight * (2.0 * gone - 1.0)).ravel()
    for shift in SHIFTS:
        ring = np.minimum(_away(free.shape, at + shift) / STEP_PX, bins).astype(int).ravel()
        squares, gains = (np.bincount(ring, values, bins + 1)[:bins] for values in (squared, gained))
        whole = float(squares.sum())
        open_after = whole - np.cumsum(gains)
        here = int(np.argmin(open_after))
        if open_after[here] < best[0]:
            best = (float(open_after[here]), whole, at + shift, (here + 1) * STEP_PX)
    still_open, whole, xy, radius = best
    sectors = _sectors(free.shape, xy)
    within = (_away(free.shape, xy) < OWN[1] * radius) & (_away(free.shape, xy) > 0.3 * radius) & free
    total = np.bincount(sectors[within], weight[within], SECTORS)
    moved = np.bincount(sectors[within], (weight * gone)[within], SECTORS)[total > 0] / total[total > 0]
    return _Disc(
        xy + corner, radius, log_odds, 1.0 - still_open / (whole + 1e-6),
        float(np.quantile(moved, SECTORS_GONE)) if len(moved) else 0.0, stands[0], stands[1],
        (edges[1] > edges[0]) == (stands[1] > stands[0]),
    )  # fmt: skip


def _contrast(look: np.ndarray, xy: np.ndarray, radius: float, free: np.ndarray) -> float:
    """How much a disc stands out from what is around it in a look (H, W, 3), by the same in most sectors that are
    `free` (H, W) bool: a pattern stands out here and there. 0 where too few are."""
    apart = _apart(look, xy, radius, free, OWN, OUTSIDE)
    return float(np.linalg.norm(np.median(apart, axis=1))) if apart.shape[1] >= LEAST_SECTORS else 0.0


def _edge(look: np.ndarray, xy: np.ndarray, radius: float, free: np.ndarray) -> float:
    """How much of an edge there is at the rim of a disc in most sectors, as for `_contrast`: a pattern goes on."""
    apart = _apart(look, xy, radius, free, WITHIN_RIM, BEYOND_RIM)
    return float(np.median(np.linalg.norm(apart, axis=0))) if apart.shape[1] >= LEAST_SECTORS else 0.0


def _apart(
    look: np.ndarray, xy: np.ndarray, radius: float, free: np.ndarray, inner: tuple[float, float],
    outer: tuple[float, float],
) -> np.ndarray:
    """(3, N): by what two rings around a place differ in the sectors in which both are free; see `_contrast`."""
    away, sectors, means = _away(free.shape, xy) / radius, _sectors(free.shape, xy), []
    for low, high in (inner, outer):
        ring = (away > low) & (away < high) & free
        count = np.bincount(sectors[ring], minlength=SECTORS)
        sums = [np.bincount(sectors[ring], look[ring, channel], SECTORS) for channel in range(look.shape[2])]
        means.append(np.where(count >= LEAST_SEEN_PX, np.stack(sums) / np.maximum(count, 1), np.nan))
    apart = means[0] - means[1]
    return np.asarray(apart[:, np.isfinite(apart).all(axis=0)])


def _away(shape: tuple[int, ...], xy: np.ndarray) -> np.ndarray:
    """(H, W): how far each px is from a place (2,)."""
    rows, columns = np.ogrid[: shape[0], : shape[1]]
    return np.asarray(np.hypot(columns - xy[0], rows - xy[1]))


def _sectors(shape: tuple[int, ...], xy: np.ndarray) -> np.ndarray:
    """(H, W): in which of the sectors around a place (2,) each px lies."""
    rows, columns = np.ogrid[: shape[0], : shape[1]]
    angle = np.arctan2(rows - xy[1], columns - xy[0]) / (2.0 * np.pi) + 0.5
    return np.asarray((angle * SECTORS).astype(int) % SECTORS)
