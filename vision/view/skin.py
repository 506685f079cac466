"""What colour a hand may have."""

from __future__ import annotations

from typing import overload

import numpy as np

# CIELAB: L* = 116 f - 16, a* and b* are differences of such f, which goes with the cube root of light: from full
# darkness on, lightness has so much more.
BLACK_LIGHTNESS = 16.0

# Skin of any tone in warm to cold light has a hue (CIELAB, degrees) between these angles.
SKIN_HUE_DEG = (-30.0, 110.0)

# CIELAB's a* over L* + 16 is 4.31 ((X / Y)^(1/3) - 1), which more or less light leaves as it is. Pale to dark brown
# skin has 0.15 to 0.3 of it in white light, and 0.45 at most under a warm lamp that the camera leaves warm (half as
# much red again, half the blue), lips 0.35. What is much redder, as a crimson cloth (1.0), is no hand in any light of
# a room.
REDDER_THAN_SKIN = 0.6


@overload
def may_be_skin(lightness: float, a: float, b: float, black: float = ...) -> bool: ...
@overload
def may_be_skin(lightness: np.ndarray, a: np.ndarray, b: np.ndarray, black: float = ...) -> np.ndarray: ...
def may_be_skin(
    lightness: float | np.ndarray, a: float | np.ndarray, b: float | np.ndarray, black: float = BLACK_LIGHTNESS
) -> bool | np.ndarray:
    """Whether a hand may have a colour, by its hue: CIELAB's L*, a* and b*, the first weighted like `black`, what it
    has more from full darkness on."""
    light = (lightness + black) * BLACK_LIGHTNESS / black
    hue_deg = np.degrees(np.arctan2(b, a))
    may = (hue_deg >= SKIN_HUE_DEG[0]) & (hue_deg <= SKIN_HUE_DEG[1]) & (a <= REDDER_THAN_SKIN * light)
    return np.asarray(may) if isinstance(light, np.ndarray) else bool(may)
