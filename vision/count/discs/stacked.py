"""Which round pieces lie on others: beyond such a rim the sides of more pieces are seen, and a longer shadow."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.discs.search import ROUND_SUPPORT, FoundDiscs

Floats = NDArray[np.float64]

BESIDE = np.arange(0, 0.66, 0.04)  # of the radius: how far from the rim it is looked
BLUR_PX = 1.5  # so much nearer the rim its own edge is seen
FAR = 4  # of these distances, the last: there the table lies bare
OFF_LAB = 7.0  # from the table's colour there, and twice its grain, from which something lies or throws a shadow
# So many times as far off the table, and the least part of what is more at the usual level that still is more there,
# by quarters and by breadths: sides have hard ends, and the soft end of a shadow, or of two that meet, lies elsewhere
# by any change of level. Each of 14 rendered chips on others had at least 0.59 by quarters or 0.75 by breadths left; in
# 7 of 15 pictures with soft shadows that had seemed to be such nothing had so much.
FARTHER, HARD, HARD_BREADTH = 1.5, 0.5, 0.7
# Of a neighbour's radius from its middle: nearer, it is that neighbour, or what is seen beside its own rim.
NEIGHBOUR = 1.3
QUARTER = 0.25  # of the rim: sides are seen on the side of the camera, shadows on that away from the light
SEEN = 0.6  # of a quarter that no neighbour hides
ENOUGH = 4  # pieces that show together how much is seen beside one that lies on the table
# Of the radius, px, and of what is seen beside the others, by which more is seen in some quarter: a piece on another
# has twice the sides and shadow of one. Rendered chips beside each other have up to 0.03 and 1.3 px more where little
# is seen beside them, and up to 0.07 in long shadows; in 15 pictures with stacks of two to five one of these at least
# has 0.037 and 1.5 px.
MORE, MORE_PX, MORE_SHARE = 0.035, 1.4, 0.7
# The same of its breadth with all that is seen beside it, by the radius that a piece has at its place, where so many
# show how pieces grow towards the camera: a rim may be drawn around the whole stack. Chips beside each other have up
# to 0.1 more, most stacks of three and more 0.12 to 0.5.
BROADER, PERSPECTIVE = 0.1, 8
# Lying on others makes pieces only broader; where they are uneven by themselves as many are narrower by as much. The
# broadest of 45 whose breadths are spread normally has 1.7 times the excess of one in ten, by which others fall short.
NARROW, UNEVEN = 90, 1.75
# Grain and print beside pieces: so many times what a third of them show at most; more than half may lie on others.
SPREADS, CALM = 5.0, 33
ROUNDS, LEAST_SPREAD = 10, 0.003  # of the fit of radii over the table; of the radius, how well rims are measured


def on_others(found: FoundDiscs, lab: NDArray[np.float32]) -> NDArray[np.bool_]:
    """(N,) beside which clear rims of a picture (H, W, 3) Lab more is seen than beside most."""
    clear = found.support >= ROUND_SUPPORT
    if clear.sum() < ENOUGH:
        return np.zeros(len(found), bool)
    beside, farther = np.where(clear[:, None], seen_beside(found, lab, (1.0, FARTHER)), np.nan)
    usual = _usual(beside)
    least = max(MORE, MORE_SHARE * float(_largest_quarter(usual[None])[0]))
    more = _largest_quarter(beside - usual)
    hard = _largest_quarter(farther - _usual(farther)) >= HARD * more
    standing = hard & _stands_out(more, clear, np.maximum(least, MORE_PX / found.radius))
    if clear.sum() < PERSPECTIVE:
        return np.asarray(standing)
    radii = _radii_there(found, clear)
    broad, hard_broad = (_breadths(found, seen, radii) for seen in (beside, farther))
    usual = _usual(broad)
    least = max(BROADER, MORE_SHARE * float(np.max(usual, initial=2.0) - 2))
    broader = _largest_quarter(broad - usual)
    hard = _largest_quarter(hard_broad - _usual(hard_broad)) >= HARD_BREADTH * broader
    least = max(least, UNEVEN * float(np.percentile(_largest_quarter(usual - broad)[clear], NARROW)))
    return standing | (hard & _stands_out(broader, clear, np.maximum(least, 2 * MORE_PX / found.radius)))


def _stands_out(more: Floats, clear: NDArray[np.bool_], least: Floats) -> NDArray[np.bool_]:
    """(N,) which show so much `more` (N,) than `least` (N,) and than what the calmest of the `clear` (N,) do."""
    return np.asarray(more > np.maximum(least, SPREADS * float(np.percentile(more[clear], CALM))))


def seen_beside(found: FoundDiscs, lab: NDArray[np.float32], times: tuple[float, ...] = (1.0,)) -> Floats:
    """(T, N, ANGLES) how far what is so many `times` as far off the table as its grain reaches beyond each rim, of the
    radius; NaN where a neighbour or the picture's end hides the table."""
    high, wide = lab.shape[:2]
    rays = found.outlines - found.xy[:, None]
    unit = rays / np.linalg.norm(rays, axis=2, keepdims=True)
    places = found.xy[:, None, None] + rays[:, None] * (1 + BESIDE[:, None, None]) + BLUR_PX * unit[:, None]
    flat = places.reshape(len(found), -1, 2).astype(np.float32)
    seen = cv2.remap(lab, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR).reshape(*places.shape[:3], 3)
    table = np.median(seen[:, -FAR:], axis=1)
    grain = np.linalg.norm(seen[:, -FAR:] - table[:, None], axis=-1).max(axis=1)
    level = np.maximum(OFF_LAB, 2 * np.median(grain, axis=1))
    usual = np.median(table, axis=1)[:, None, None]  # where a hand or a sheet lies farther off, the table is nearer
    away = np.minimum(*(np.linalg.norm(seen - bare, axis=-1) for bare in (table[:, None], usual)))
    off = np.array([away > factor * level[:, None, None] for factor in times])
    reach = np.cumprod(off, axis=2).sum(axis=2) * (BESIDE[1] - BESIDE[0])
    free = ((places >= 1) & (places < np.array([wide, high]) - 2)).all(axis=(1, 3))
    for k, xy in enumerate(found.xy):
        near = np.linalg.norm(found.xy - xy, axis=1) < 2 * (1 + BESIDE[-1]) * found.radius[k] + found.radius
        near[k] = False
        apart = np.linalg.norm(places[k][:, :, None] - found.xy[near], axis=3)
        free[k] &= (apart > NEIGHBOUR * found.radius[near]).all(axis=(0, 2))
    return np.where(free, reach, np.nan)


def _breadths(found: FoundDiscs, beside: Floats, radii: Floats) -> Floats:
    """(N, ANGLES / 2) how broad each piece is with what is seen `beside` it (N, ANGLES), by `radii` (N,)."""
    reach = np.linalg.norm(found.outlines - found.xy[:, None], axis=2) * (1 + beside) + BLUR_PX * (beside > 0)
    half = reach.shape[1] // 2
    return np.asarray((reach[:, :half] + reach[:, half:]) / radii[:, None])


def _radii_there(found: FoundDiscs, clear: NDArray[np.bool_]) -> Floats:
    """(N,) the radius that most of the `clear` pieces would have at each place: on a plane it changes linearly."""
    places = np.column_stack([np.ones(len(found)), (found.xy - found.xy.mean(axis=0)) / max(1.0, np.ptp(found.xy))])
    design, radius, trust = places[clear], found.radius[clear], np.ones(int(clear.sum()))
    fitted: Floats = np.zeros(3)
    for _ in range(ROUNDS):
        fitted = np.asarray(np.linalg.lstsq(design * trust[:, None], radius * trust, rcond=None)[0], np.float64)
        off = 1 - design @ fitted / radius
        trust = 1 / (1 + (off / max(3 * float(np.median(np.abs(off))), 2 * LEAST_SPREAD)) ** 2)
    return np.maximum(places @ fitted, 0.5 * found.radius)


def _usual(beside: Floats) -> Floats:
    """(A,) what most of the pieces show at each angle of `beside` (N, A); as in all directions where few show it."""
    every = np.isfinite(beside).any()
    rows = [row[np.isfinite(row)] for row in beside.T]
    whole = float(np.median(beside[np.isfinite(beside)])) if every else 0.0
    return np.array([np.median(row) if len(row) >= ENOUGH else whole for row in rows])


def _largest_quarter(more: Floats) -> Floats:
    """(N,) the largest mean of `more` (N, A) over a quarter of all angles most of which is seen; 0 where none is."""
    wide = round(QUARTER * more.shape[1])
    known = np.isfinite(more)
    around = np.concatenate([np.where(known, more, 0), np.where(known, more, 0)[:, : wide - 1]], axis=1)
    there = np.concatenate([known, known[:, : wide - 1]], axis=1).astype(float)
    window = np.ones(wide)
    total = np.array([np.convolve(row, window, "valid") for row in around]).reshape(len(more), -1)
    count = np.array([np.convolve(row, window, "valid") for row in there]).reshape(len(more), -1)
    means = np.where(count >= SEEN * wide, total / np.maximum(count, 1), 0)
    return np.asarray(means.max(axis=1, initial=0.0))
