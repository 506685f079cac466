"""What of a view may be a part of an arm."""

from __future__ import annotations

import numpy as np

from vision.view.arms.extent import goes_on_from_light
from vision.view.arms.rim import soft_lab


def lab_of(bgr):
    return soft_lab(np.full((5, 5, 3), bgr, np.uint8))


def test_what_may_be_a_shadow_goes_on_over_its_own_hue_and_skin_and_over_no_other_print():
    shaded_table = lab_of((62, 55, 52))[2]

    def goes_on(bgr):
        return bool(goes_on_from_light(lab_of(bgr), shaded_table)[2, 2])

    assert goes_on((60, 54, 52))
    for skin in ((140, 172, 224), (78, 110, 168), (40, 56, 88)):
        assert goes_on(skin)
        assert goes_on(tuple(round(0.5 * channel) for channel in skin))
    assert not goes_on((95, 85, 40))  # teal print in the shadow
    assert not goes_on((40, 30, 220))  # a red card
