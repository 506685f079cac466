"""The colours of the pieces: learnt from reference pictures, and fitted to the light of another picture."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from vision.count.appearance.looks import PieceLook
from vision.srgb import linear_to_lab, to_linear

Picture = NDArray[np.uint8]

LEAST_SPREAD_LAB = np.array([9.0, 4.5, 4.5])  # a piece's colour in another picture: light moves L more than a and b
UNKNOWN_AT = 4.2  # spreads from every learnt colour at which a piece has none of them
LIGHT_PRIOR = np.array([0.30, 0.10, 0.10])  # natural log: brightness, red against green, blue against green
_BLACK = 0.006  # linear light below which a camera's channels say nothing
_FIT_ROUNDS = 12
_STARTS = (-0.9, -0.45, 0.0, 0.45)  # natural log of brightness from which the fit is tried


@dataclass(frozen=True, slots=True)
class PieceColour:
    """One learnt colour: linear BGR as the reference pictures show it, its spread in Lab (3,), and its single pieces.

    Without `looks` it is a plain colour that no piece was seen of.
    """

    name: str
    linear_bgr: tuple[float, float, float]
    spread_lab: tuple[float, float, float]
    looks: tuple[PieceLook, ...] = ()

    def pieces(self) -> tuple[PieceLook, ...]:
        """At least one look: of a plain colour one without a ring."""
        return self.looks or (PieceLook(self.linear_bgr, self.linear_bgr),)

    def lab(self) -> NDArray[np.float64]:
        """(3,) CIE Lab of the colour."""
        return np.asarray(linear_to_lab(np.array([self.linear_bgr]))[0])


def every_look(colours: Sequence[PieceColour]) -> list[PieceLook]:
    """The looks of all pieces that taught some colours."""
    return [look for colour in colours for look in colour.pieces()]


@dataclass(frozen=True, slots=True, eq=False)
class FittedColours:
    """The learnt colours as they look in the light of one picture: centres and spreads (K, 3) in Lab."""

    names: tuple[str, ...]
    centres_lab: NDArray[np.float64]
    spreads_lab: NDArray[np.float64]

    def distances(self, lab: NDArray[np.float64]) -> NDArray[np.float64]:
        """(N, K) distances of Lab colours (N, 3) from every learnt colour, in its spreads.

        Shade moves a colour towards black, which is no difference: the nearest point of the learnt colour's own
        shades (50 to 125 % of its lightness) counts.
        """
        return np.stack([self._to_one(lab, k) for k in range(len(self.names))], axis=1)

    def _to_one(self, lab: NDArray[np.float64], k: int) -> NDArray[np.float64]:
        centre, spread = self.centres_lab[k], self.spreads_lab[k]
        ray = centre / spread
        share = np.clip((lab / spread @ ray) / (ray @ ray), 0.6, 1.2)
        off = np.linalg.norm((lab - share[:, None] * centre) / spread, axis=1)
        return np.asarray(off + 2.0 * np.abs(np.log(share)))

    def probabilities(self, lab: NDArray[np.float64]) -> NDArray[np.float64]:
        """(N, K + 1): how probable each learnt colour is, and last that it is none of them."""
        distance = np.column_stack([self.distances(lab), np.full(len(lab), UNKNOWN_AT)])
        weight = np.exp(-0.5 * (distance**2 - distance.min(axis=1, keepdims=True) ** 2))
        return np.asarray(weight / weight.sum(axis=1, keepdims=True))


def fit_light(colours: Sequence[PieceColour], samples_bgr: Picture) -> FittedColours:
    """The learnt colours under the light in which `samples_bgr` (N, 3) uint8, one colour a piece, was taken.

    Brightness and cast are found by matching the samples to their nearest learnt colours, back and forth; strong
    casts are thought improbable, so a few pieces cannot turn purple into red.
    """
    learnt = np.log(np.array([c.linear_bgr for c in colours]) + _BLACK)
    seen = np.log(to_linear(samples_bgr) + _BLACK)
    best_cost, best_light = np.inf, np.zeros(3)
    for start in _STARTS if len(seen) else ():
        cost, light = _match(learnt, seen, np.full(3, start))
        if cost < best_cost:
            best_cost, best_light = cost, light
    centres = linear_to_lab(np.maximum(np.exp(learnt + best_light) - _BLACK, 0))
    spreads = np.maximum([c.spread_lab for c in colours], LEAST_SPREAD_LAB)
    return FittedColours(tuple(c.name for c in colours), centres, spreads)


def _match(
    learnt: NDArray[np.float64], seen: NDArray[np.float64], light: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]:
    """Cost and light (3,) after matching back and forth from a first guess."""
    basis = np.array([[1, 1, 1], [0, 0, 1], [1, 0, 0]], float)  # brightness; red; blue (rows of BGR gains)
    scale = 0.35  # natural log by which pieces of one colour differ among themselves
    cost = np.inf
    for _ in range(_FIT_ROUNDS):
        gaps = seen[:, None] - (learnt + light)[None]
        off = np.minimum((gaps**2).sum(axis=2), 9 * scale**2)
        nearest = off.argmin(axis=1)
        matched = off[np.arange(len(seen)), nearest] < 9 * scale**2
        target = (seen - learnt[nearest])[matched]
        left = np.tile(basis.T, (len(target), 1)) / scale
        system = np.vstack([left, np.diag(1 / LIGHT_PRIOR)])
        values = np.concatenate([target.ravel() / scale, np.zeros(3)])
        amounts = np.linalg.lstsq(system, values, rcond=None)[0]
        light = basis.T @ amounts
        cost = float(off.min(axis=1).sum() / scale**2 + ((amounts / LIGHT_PRIOR) ** 2).sum())
    return cost, light


def close_pairs(colours: Sequence[PieceColour]) -> list[tuple[str, str, float]]:
    """Pairs of learnt colours closer than twice the unknown level, with their distance in spreads, closest first."""
    fitted = fit_light(colours, np.zeros((0, 3), np.uint8))
    apart = fitted.distances(fitted.centres_lab)
    pairs = [
        (colours[i].name, colours[k].name, float(min(apart[i, k], apart[k, i])))
        for i in range(len(colours))
        for k in range(i)
    ]
    return sorted((p for p in pairs if p[2] < UNKNOWN_AT), key=lambda pair: pair[2])


def without_rim(colours: Sequence[PieceColour]) -> list[str]:
    """The colours that pieces taught of which none shows its rim: where a piece ends in its picture is a guess."""
    return [c.name for c in colours if c.looks and not any(look.support > 0 for look in c.looks)]


def as_document(colours: Sequence[PieceColour]) -> dict[str, Mapping[str, object]]:
    """The learnt colours as JSON, for a file that needs no pictures any more."""
    return {
        c.name: {
            "linear_bgr": list(c.linear_bgr),
            "spread_lab": list(c.spread_lab),
            "looks": [asdict(look) | {"unrolled": base64.b64encode(look.unrolled).decode()} for look in c.looks],
        }
        for c in colours
    }
