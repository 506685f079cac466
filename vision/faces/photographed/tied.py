"""One light for the crops of one photograph, found from all of them together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.faces.photographed.compare import CropExplained
from vision.faces.photographed.light import SHARED_TAIL, Light, unknown_light

F64 = NDArray[np.float64]

# Within one photograph the light of two pieces differs by so much: brightness falls off and pieces lie in shade, but
# the colour of the light hardly changes (natural logarithms). What is measured in the group may widen it.
EXPOSURE_WITHIN = 0.15
CHANNEL_WITHIN = 0.06
# Photographs as a whole differ by more than one crop is taken to: a lamp at night, a phone that corrects it away.
CHANNEL_BETWEEN = 0.15
HYPOTHESES = 64  # lights that are tried for a group
RIVALS = 4  # candidates of a crop that each propose a light
MOST_PER_CROP = 12.0  # nats that one crop may count against a light: it may show none of the kinds
ROUNDS = 4
LEFT_OUT = 3.0  # a crop this many sigmas from the group's light counts a quarter in it


@dataclass(frozen=True, slots=True)
class _Group:
    """N crops with M candidates each: `cost` (N, M) without what the light was charged, `at` (N, M, 3) natural
    logarithms of the gains, `spread` (N, M, 3, 3) their covariance."""

    cost: F64
    at: F64
    spread: F64


def shared_lights(explained: Sequence[CropExplained]) -> tuple[Light, ...]:
    """What the others of one photograph tell of the light of each crop. `explained`: under an unknown light.

    The light is the one under which all crops together are explained best; each crop is then given what the others
    say of it, so that no crop confirms itself. A crop by itself is given the unknown light.
    """
    broad = unknown_light()
    if len(explained) < 2:
        return tuple(broad for _ in explained)
    group = _gathered(explained)
    within = _within(EXPOSURE_WITHIN, CHANNEL_WITHIN)
    light = _best(group, within)
    own, precision = group.at[:, 0], np.linalg.inv(group.spread[:, 0])
    for _ in range(ROUNDS):
        chosen, distance = _chosen(group, light, within)
        index = np.arange(len(chosen))
        own = group.at[index, chosen]
        trust = 1 / (1 + distance / LEFT_OUT**2) ** 2
        precision = np.linalg.inv(group.spread[index, chosen] + within) * trust[:, None, None]
        light = np.linalg.solve(precision.sum(axis=0) + _between(), np.einsum("nij,nj->i", precision, own))
    within = _measured(own - light)
    out = []
    for k in range(len(own)):
        rest = precision.sum(axis=0) - precision[k] + _between()
        right = np.einsum("nij,nj->i", precision, own) - precision[k] @ own[k]
        covariance = np.linalg.inv(rest) + within
        common = float(covariance.mean())
        channel = float(np.trace(covariance) / 3 - common) * 3 / 2
        out.append(
            Light(
                np.exp(np.linalg.solve(rest, right)),
                min(max(common, 0.0) ** 0.5, broad.exposure),
                min(max(channel, 0.0) ** 0.5, broad.channel),
                SHARED_TAIL,
            )
        )
    return tuple(out)


def _within(exposure: float, channel: float) -> F64:
    """(3, 3) covariance of logarithms of gains: common part and channels."""
    return np.asarray(np.full((3, 3), exposure**2) + np.eye(3) * channel**2)


def _between() -> F64:
    """(3, 3) precision of the light of a photograph around none."""
    return np.asarray(np.linalg.inv(_within(unknown_light().exposure, CHANNEL_BETWEEN)))


def _gathered(explained: Sequence[CropExplained]) -> _Group:
    """The crops as arrays; those with fewer candidates are filled up by ones that cost too much to matter."""
    most = max(len(e.cost) for e in explained)
    cost = np.full((len(explained), most), np.inf)
    at, spread = np.zeros((len(explained), most, 3)), np.tile(np.eye(3), (len(explained), most, 1, 1))
    for n, e in enumerate(explained):
        m = len(e.cost)
        cost[n, :m] = e.cost - e.light_cost
        at[n, :m], spread[n, :m] = np.log(e.gain), e.spread
    return _Group(cost - cost.min(axis=1, keepdims=True), at, spread)


def _distance(group: _Group, light: F64, within: F64) -> F64:
    """(N, M) squared sigmas by which each candidate's light differs from `light`."""
    away = group.at - light
    return np.asarray(np.einsum("nmi,nmi->nm", away, np.linalg.solve(group.spread + within, away[..., None])[..., 0]))


def _chosen(group: _Group, light: F64, within: F64) -> tuple[NDArray[np.intp], F64]:
    """The candidate (N,) of each crop under `light`, and its squared distance from it."""
    distance = _distance(group, light, within)
    best = (group.cost + 0.5 * distance).argmin(axis=1)
    return best, distance[np.arange(len(best)), best]


def _best(group: _Group, within: F64) -> F64:
    """The light, among those that single candidates propose, under which all crops cost least."""
    order = np.argsort(group.cost, axis=1)[:, :RIVALS]
    proposed = np.take_along_axis(group.at, order[..., None], axis=1).reshape(-1, 3)
    if len(proposed) > HYPOTHESES:
        proposed = proposed[np.linspace(0, len(proposed) - 1, HYPOTHESES).round().astype(int)]
    inverse = np.linalg.inv(group.spread + within)
    between = _between()
    costs = []
    for light in proposed:
        away = group.at - light
        total = group.cost + 0.5 * np.einsum("nmi,nmij,nmj->nm", away, inverse, away)
        costs.append(np.minimum(total.min(axis=1), MOST_PER_CROP).sum() + 0.5 * light @ between @ light)
    return np.asarray(proposed[int(np.argmin(costs))])


def _measured(away: F64) -> F64:
    """(3, 3) covariance within the group, by its own scatter (robust) but no less than is ordinary."""
    common = away.mean(axis=1)
    apart = away - common[:, None]
    exposure = 1.48 * float(np.median(np.abs(common)))
    channel = 1.48 * float(np.median(np.abs(apart))) * (3 / 2) ** 0.5
    return _within(max(exposure, EXPOSURE_WITHIN), max(channel, CHANNEL_WITHIN))
