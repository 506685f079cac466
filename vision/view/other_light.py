"""Where a view shows what an earlier picture showed in other light, and surely no hand: a shadow over a plain table."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from vision.view.skin import BLACK_LIGHTNESS, may_be_skin

# Colours are means over so much (mm): a camera's noise in a shadow is as large as what is asked, a finger is wider.
SOFT_MM = 5.0

# In other light CIELAB's lightness, from full darkness on, a* and b* change by one factor: down to an eighth of the
# light, as in the deepest shadow of a room, and back.
LEAST, MOST = 0.5, 2.0

# Skin of all tones has hues around this one, and a hand over a table brings more of it than other light does; what is
# left of the light in a shadow, the sky's or another lamp's, may have another hue by so much.
SKIN_DEG = 50.0
TOWARDS_SKIN, TINT = 3.0, 9.0

# Chroma over lightness, which no light changes. Brown skin, the least unlike grey, has 14 where a middle grey has a
# lightness of 50: 0.21. Less than two thirds of it, or a hue that skin has in no light, is no hand.
GREYER_THAN_SKIN = 0.14


def in_other_light(
    earlier_bgr: Iterable[np.ndarray], now_bgr: np.ndarray, px_per_mm: float, *, hands_rest: bool = False
) -> np.ndarray:
    """(H, W) bool: where `now` has the colour that one of the `earlier` had, in more or less light, and no hand has it.

    All (H, W, 3) uint8 views of one place with so many px a mm. Nothing is told of what has the colours of skin, unless
    `hands_rest`: the table has none of them, so that what had them before was a hand, and where it has them still it
    rests."""
    now = _soft_lab(now_bgr, px_per_mm)
    alike = np.zeros(now.shape[:2], bool)
    for before_bgr in earlier_bgr:
        alike |= _is_alike(_soft_lab(before_bgr, px_per_mm), now)
    if hands_rest:
        return alike
    lightness, a, b = (now[..., k] for k in range(3))
    grey = np.hypot(a, b) < GREYER_THAN_SKIN * (lightness + BLACK_LIGHTNESS)
    return np.asarray(alike & (grey | ~may_be_skin(lightness, a, b)))


def is_of_no_skin(colour_bgr: np.ndarray) -> bool:
    """Whether a hand has a colour (3,) BGR in no light: it is no grey, and of a hue that skin has not."""
    lightness, a, b = cv2.cvtColor((colour_bgr / 255).astype(np.float32)[None, None], cv2.COLOR_BGR2LAB)[0, 0].tolist()
    grey = np.hypot(a, b) < GREYER_THAN_SKIN * (lightness + BLACK_LIGHTNESS)
    return not grey and not may_be_skin(lightness, a, b)


def _is_alike(before: np.ndarray, now: np.ndarray) -> np.ndarray:
    """(H, W) bool: where two views (H, W, 3) Lab show one colour in more or less light."""
    lit = (now[..., 0] + BLACK_LIGHTNESS) / (before[..., 0] + BLACK_LIGHTNESS)
    a, b = (now[..., k] - lit * before[..., k] for k in (1, 2))
    skin = np.deg2rad(SKIN_DEG)
    same = (lit >= LEAST) & (lit <= MOST) & (np.hypot(a, b) <= TINT)
    return np.asarray(same & (np.cos(skin) * a + np.sin(skin) * b <= TOWARDS_SKIN))


def _soft_lab(view_bgr: np.ndarray, px_per_mm: float) -> np.ndarray:
    side = max(1, round(SOFT_MM * px_per_mm)) | 1
    return np.asarray(cv2.cvtColor(cv2.blur(view_bgr, (side, side)).astype(np.float32) / 255, cv2.COLOR_BGR2LAB))
