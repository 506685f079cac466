"""Which colours a hand may have."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.view.skin import may_be_skin

SKINS_BGR = ((140, 172, 224), (112, 146, 204), (78, 110, 168), (54, 78, 122), (40, 56, 88))
WARM_LAMP, COLD_SKY = (0.5, 1.0, 1.5), (1.4, 1.0, 0.7)


def lab(bgr, light=(1.0, 1.0, 1.0)):
    linear = (np.array(bgr) / 255) ** 2.2 * light
    lightness, a, b = cv2.cvtColor((linear ** (1 / 2.2)).reshape(1, 1, 3).astype(np.float32), cv2.COLOR_BGR2LAB)[0, 0]
    return float(lightness), float(a), float(b)


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.2, 0.2, 0.2), WARM_LAMP, COLD_SKY])
def test_skin_of_any_tone_may_be_skin_in_any_light_of_a_room(light):
    assert all(may_be_skin(*lab(skin, light)) for skin in SKINS_BGR)


@pytest.mark.parametrize("cloth_bgr", [(72, 38, 205), (40, 30, 190), (60, 140, 40), (170, 60, 50)])
def test_a_crimson_a_red_a_green_and_a_blue_cloth_are_no_skin_in_light_and_shade(cloth_bgr):
    assert not any(may_be_skin(*lab(cloth_bgr, (part,) * 3)) for part in (1.0, 0.3))


def test_colours_are_told_one_by_one_in_an_array():
    skin, cloth = lab(SKINS_BGR[0]), lab((72, 38, 205))
    assert may_be_skin(*(np.array(pair) for pair in zip(skin, cloth, strict=True))).tolist() == [True, False]
