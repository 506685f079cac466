"""What is not explained within what is counts as other print; what reaches in from outside does not."""

from __future__ import annotations

import cv2
import numpy as np
from patchwork import patchwork

from vision.faces.photographed.anyhow import clear_of_others, island_share, print_told, softened_difference

ALL = np.ones((100, 80), np.float32)
UNLIKE = np.ones((100, 80), bool)


def without(rows: slice, cols: slice) -> np.ndarray:
    out = ALL.copy()
    out[rows, cols] = 0
    return out


def test_a_region_within_the_piece_is_an_island() -> None:
    assert island_share(ALL, without(slice(20, 40), slice(30, 50)), UNLIKE) == 400 / 8000


def test_what_reaches_in_over_an_edge_is_none() -> None:
    assert island_share(ALL, without(slice(20, 40), slice(0, 50)), UNLIKE) == 0
    assert island_share(ALL, without(slice(90, 98), slice(30, 50)), UNLIKE) == 0


def test_what_reaches_in_over_what_is_not_seen_is_none() -> None:
    valid = without(slice(0, 100), slice(60, 80))
    explained = valid * without(slice(20, 40), slice(30, 58))
    assert island_share(valid, explained, UNLIKE) == 0


def test_a_piece_that_is_explained_has_none() -> None:
    assert island_share(ALL, ALL, UNLIKE) == 0
    assert island_share(0 * ALL, 0 * ALL, UNLIKE) == 0


def test_print_that_looks_alike_in_another_light_is_no_island() -> None:
    assert island_share(ALL, without(slice(20, 40), slice(30, 50)), ~UNLIKE) == 0


def test_a_sharper_crop_of_the_same_print_hardly_differs_from_a_soft_face() -> None:
    sharp = patchwork(1)
    soft = np.asarray(cv2.GaussianBlur(sharp, (0, 0), 1.4), np.float32)
    every = np.ones(sharp.shape[:2], np.float32)
    plain = np.sqrt(((sharp - soft) ** 2).mean(axis=2))
    assert softened_difference(sharp, soft, every, shifted=False).mean() < 0.2 * plain.mean()
    other = softened_difference(sharp, patchwork(2), every, shifted=True)
    assert other.mean() > 0.1


def test_print_that_lies_a_pixel_off_in_one_half_hardly_differs_when_fields_are_shifted() -> None:
    face = patchwork(1)
    bent = face.copy()
    half = len(face) // 2
    bent[half:] = np.roll(face, 1, axis=1)[half:]
    every = np.ones(face.shape[:2], np.float32)
    as_it_is, shifted = (softened_difference(bent, face, every, shifted=s) for s in (False, True))
    assert shifted.mean() < 0.3 * as_it_is.mean()


def test_beside_what_lies_on_the_piece_nothing_is_judged() -> None:
    explained = without(slice(40, 60), slice(0, 80))
    clear = clear_of_others(explained)
    assert (clear[[39, 60], 10:70] == 0).all()
    assert (clear[[0, 99]] == 0).all()
    assert (clear[10:30, 10:70] == 1).all()


def test_bare_paper_tells_nothing_of_a_face_whose_print_is_covered() -> None:
    face = np.full((100, 80, 3), 0.9, np.float32)
    face[10:30, 10:70:4] = 0.1
    assert print_told(face, without(slice(0, 40), slice(0, 80))) == 0
    assert print_told(face, without(slice(60, 100), slice(0, 80))) == 1
    assert print_told(np.full_like(face, 0.9), 0 * ALL) == 1
