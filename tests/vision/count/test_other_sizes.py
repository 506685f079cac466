"""Pieces that a larger round thing of their colour hides from the search are told."""

from __future__ import annotations

import cv2
import numpy as np

from vision.count.other_sizes import much_smaller
from vision.count.table.ground import find_ground, to_lab

RED, BLUE = (40, 40, 190), (170, 80, 40)


def test_small_round_things_of_a_learnt_colour_beside_a_bowl_are_told() -> None:
    picture = np.clip(np.random.default_rng(2).normal(190, 2.0, (330, 440, 3)), 0, 255).astype(np.uint8)
    cv2.circle(picture, (320, 160), 70, RED, -1, cv2.LINE_AA)
    for xy, colour in (((60, 60), RED), ((80, 200), RED), ((150, 270), BLUE)):
        cv2.circle(picture, xy, 11, colour, -1, cv2.LINE_AA)
    cv2.rectangle(picture, (40, 120), (120, 126), RED, -1)  # a line is none
    turn = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    bowl = 70 * np.stack([np.cos(turn), np.sin(turn)], axis=1) + (320, 160)
    red = np.asarray(to_lab(np.full((1, 1, 3), RED, np.uint8))[0])
    ground = find_ground(picture, red)
    assert much_smaller(ground, [bowl], red) == 2
    small = [11 * (bowl - (320, 160)) / 70 + xy for xy in ((60, 60), (80, 200), (150, 270))]
    assert much_smaller(ground, [bowl, *small], red) == 0
