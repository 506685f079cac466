"""The lights that are weighed for a picture, and what the pieces that taught are expected to show in each of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.count.appearance.looks import SPREADS, SPREADS_OF_METAL, features, uncertainty

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

# Directions of light in natural logs of red and of blue against green. Lamps and daylight differ along black-body light
# (from 6500 K to 2900 K red gains about 0.3 while blue loses 0.45 of it, after a camera's own balance); across it lie
# green and magenta casts: rare, but one table in five throws its own colour back on what lies there.
WARM = np.array([0.3, -0.45]) / np.hypot(0.3, 0.45)
TINT = np.array([WARM[1], -WARM[0]])
WARM_SPREAD, BRIGHT_SPREAD = 0.5, 0.5
TINT_SPREADS, TINT_PARTS = (0.15, 0.4), (0.8, 0.2)
WARM_STEPS, TINT_STEPS, BRIGHT_STEPS = (
    np.linspace(-1.2, 1.2, 17),
    np.array([-0.6, -0.4, -0.25, -0.12, 0.0, 0.12, 0.25, 0.4, 0.6]),
    np.linspace(-2.4, 2.4, 17),
)
# Between two photographs that taught, as cameras balance light in ordinary rooms: casts, and brightness.
BETWEEN_PHOTOGRAPHS = np.array([0.1, 0.1, 0.2, 0.0, 0.0])
# Metal mirrors another part of the room in each: casts of coins of one metal differ by 0.2 to 0.225 between photographs
# of one pale table, those of one photograph by 0.1 to 0.16.
BETWEEN_PHOTOGRAPHS_OF_METAL = np.array([0.22, 0.22, 0.3, 0.0, 0.0])
BARE = (np.zeros(1), np.ones(1))
# What a coat mirrors of a room lies on every colour like a veil: linear light, beside white paper's, that is added to
# all pieces beyond what those that taught have (plastic mirrors 0.04 of a white room), and its chances.
HAZES = (np.array([0.0, 0.015, 0.04]), np.array([0.6, 0.15, 0.05]))
# Or less than those that taught: a white table or a bright room lay on them all, and does not here. It is so much of
# the weakest channel of all of them.
CLEARED = (np.array([0.5, 0.9]), np.array([0.1, 0.1]))


@dataclass(frozen=True, slots=True, eq=False)
class RoomLights:
    """L lights: `gains` (L, 3) of linear BGR, white light `haze` (L,) that is added before, and `prior` (L,) their log
    chances; `expected` (L, M, F) features of M looks in them, their spreads `spread` (L, M, F), and `narrow` (L, M)
    natural log of these beside the usual ones; `between` (5,): spreads between the photographs that taught.
    """

    gains: Floats
    haze: Floats
    prior: Floats
    expected: Singles
    spread: Singles
    narrow: Singles
    between: Floats

    def take(self, some: NDArray[np.bool_]) -> RoomLights:
        """Some of them."""
        features_of = self.expected[some], self.spread[some], self.narrow[some]
        return RoomLights(self.gains[some], self.haze[some], self.prior[some], *features_of, self.between)

    def lit(self, looks: Floats, some: NDArray[np.int64]) -> Floats:
        """(S, M, 2, 3) linear BGR of looks (M, 2, 3) in some of them (S,)."""
        return lit_by(looks, self.gains[some], self.haze[some])


def lit_by(looks: Floats, gains: Floats, haze: Floats) -> Floats:
    """(L, M, 2, 3) linear BGR of looks (M, 2, 3) in lights of gains (L, 3) and haze (L,)."""
    return np.asarray((looks[None] + haze[:, None, None, None]) * gains[:, None, None])


# Kept, as the pieces of one picture are named four times, in two ways: of two dozen looks it takes a tenth of a second.
@lru_cache(maxsize=2)
def lights_of(
    looks_bytes: bytes, number: int, used: int, one_photograph: bool, printed: bool, metal: bool
) -> RoomLights:
    """The lights in which looks (number, 2, 3), the bytes of their float64, are compared by their first `used`
    features; the others as in `names.name_pieces`.
    """
    looks = np.frombuffer(looks_bytes, np.float64).reshape(number, 2, 3)
    gains, prior = _lattice()
    hazes, haze_parts = HAZES if printed else BARE
    if printed:
        hazes = np.concatenate([hazes, -CLEARED[0] * looks.min()])
        haze_parts = np.concatenate([haze_parts, CLEARED[1]])
    gains = np.tile(gains, (len(hazes), 1))
    haze = np.repeat(hazes, len(prior))
    lit = lit_by(looks, gains, haze)
    between = BETWEEN_PHOTOGRAPHS_OF_METAL if metal else BETWEEN_PHOTOGRAPHS
    more = np.zeros(len(SPREADS)) if one_photograph else between
    spread = np.sqrt(spreads_of(lit, metal) ** 2 + more**2)[..., :used].astype(np.float32)
    usual = SPREADS_OF_METAL if metal else SPREADS
    narrow = np.log(spread / usual[:used]).sum(axis=-1).astype(np.float32)
    expected = features(lit)[..., :used].astype(np.float32)
    return RoomLights(gains, haze, (np.log(haze_parts)[:, None] + prior).ravel(), expected, spread, narrow, more)


def _lattice() -> tuple[Floats, Floats]:
    """(L, 3) gains of linear BGR, and (L,) log chances of them."""
    warm, tint, bright = (v.ravel() for v in np.meshgrid(WARM_STEPS, TINT_STEPS, BRIGHT_STEPS, indexing="ij"))
    casts = warm[:, None] * WARM + tint[:, None] * TINT
    gains = np.exp(np.stack([bright + casts[:, 1], bright, bright + casts[:, 0]], axis=1))
    rare = sum(
        part * np.exp(-0.5 * (tint / spread) ** 2) / spread
        for part, spread in zip(TINT_PARTS, TINT_SPREADS, strict=True)
    )
    return gains, np.log(rare) - 0.5 * (warm / WARM_SPREAD) ** 2 - 0.5 * (bright / BRIGHT_SPREAD) ** 2


def spreads_of(linear_bgr: Floats, metal: bool = False) -> Floats:
    """(…, 5) spreads of the features of looks (…, 2, 3) among pieces of one colour."""
    usual = SPREADS_OF_METAL if metal else SPREADS
    return np.sqrt(usual**2 + uncertainty(linear_bgr, metal) ** 2)
