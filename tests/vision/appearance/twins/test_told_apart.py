"""What differs between two faces is weighed against noise as it hangs together on the same face."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.appearance.twins.told_apart import told_apart

SIDE = 82
SHOWN = np.ones((SIDE, SIDE), bool)


def face(icon_bgr: tuple[int, int, int]) -> np.ndarray:
    """A dark mottled face with an icon of a colour, (SIDE, SIDE, 3) float32."""
    rough = np.random.default_rng(3).normal(0, 1, (SIDE, SIDE, 3))
    out = 60 + 50 * cv2.GaussianBlur(rough, (0, 0), 2.0)
    cv2.circle(out, (60, 30), 5, icon_bgr, -1, cv2.LINE_AA)
    return np.asarray(np.clip(cv2.GaussianBlur(out, (0, 0), 1.0), 0, 255), np.float32)


GREEN, BLUE = face((52, 68, 48)), face((68, 56, 48))


def noisy(picture: np.ndarray, noise: float, seed: int = 7) -> np.ndarray:
    coarse = cv2.GaussianBlur(np.random.default_rng(seed).normal(0, 1, picture.shape), (0, 0), 1.5)
    return np.asarray(np.clip(picture + noise * coarse / coarse.std(), 0, 255), np.float32)


@pytest.mark.parametrize(("shown", "sign"), [(GREEN, -1), (BLUE, 1)], ids=["green", "blue"])
def test_an_icon_of_another_colour_is_told_in_noise(shown: np.ndarray, sign: int) -> None:
    first, other = told_apart(noisy(shown, 3.0), SHOWN, [GREEN, BLUE])
    assert first == 0.0
    assert sign * other > 2.0


def test_light_that_falls_on_a_half_of_the_face_tells_nothing() -> None:
    lit = GREEN.copy()
    lit[:, 41:] *= 1.3
    assert told_apart(noisy(lit, 3.0), SHOWN, [GREEN, BLUE])[1] < 0.0


def test_where_noise_is_as_loud_as_the_difference_little_is_said() -> None:
    loud, clear = (abs(told_apart(noisy(GREEN, noise), SHOWN, [GREEN, BLUE])[1]) for noise in (25.0, 2.0))
    assert loud < 0.3 * clear


def dark_face(icon_bgr: tuple[int, int, int]) -> np.ndarray:
    """A face of which most is nearly black, with a bright icon of a colour, (SIDE, SIDE, 3) float32."""
    rough = np.random.default_rng(3).normal(0, 1, (SIDE, SIDE, 3))
    out = np.clip(14 + 25 * cv2.GaussianBlur(rough, (0, 0), 2.0), 2, 255).astype(np.float32)
    cv2.rectangle(out, (5, 5), (25, 60), (150, 150, 150), -1)
    cv2.circle(out, (60, 30), 5, icon_bgr, -1, cv2.LINE_AA)
    return np.asarray(np.clip(cv2.GaussianBlur(out, (0, 0), 1.0), 0, 255), np.float32)


@pytest.mark.parametrize("shown", [0, 1], ids=["green", "pale"])
def test_the_noise_of_a_dark_ground_is_not_that_of_a_bright_icon_on_it(shown: int) -> None:
    faces = [dark_face((120, 150, 110)), dark_face((135, 138, 125))]
    own, rival = faces[shown], faces[1 - shown]
    told = [told_apart(noisy(own, 8.0, seed), SHOWN, [own, rival])[1] for seed in range(8)]
    assert np.mean(told) < -2.5  # the spread of the whole face leaves 1.6 at most


def test_noise_that_hangs_together_tells_less_than_as_much_of_each_pixel_alone() -> None:
    rough = np.random.default_rng(7).normal(0, 1, GREEN.shape)
    wide = cv2.GaussianBlur(rough, (0, 0), 2.0)
    alone, together = (
        told_apart(np.clip(GREEN + 4.0 * each / each.std(), 0, 255).astype(np.float32), SHOWN, [GREEN, BLUE])[1]
        for each in (rough, wide)
    )
    assert alone < 5.0 * together < 0.0


@pytest.mark.parametrize(("shown", "sign"), [(GREEN, -1), (BLUE, 1)], ids=["green", "blue"])
def test_an_icon_in_a_haze_of_light_is_told_by_what_is_left_of_its_colour(shown: np.ndarray, sign: int) -> None:
    haze = np.zeros((SIDE, SIDE), np.float32)
    cv2.circle(haze, (60, 30), 10, 0.3, -1)
    haze = cv2.GaussianBlur(haze, (0, 0), 3.0)[..., None]
    hazy = (1 - haze) * shown + 150.0 * haze
    assert sign * told_apart(noisy(hazy, 1.0), SHOWN, [GREEN, BLUE])[1] > 2.0


@pytest.mark.parametrize("aside", [(0.4, 0.0), (0.0, -0.4)])
@pytest.mark.parametrize(("shown", "sign"), [(GREEN, -1), (BLUE, 1)], ids=["green", "blue"])
def test_a_face_that_lies_a_little_beside_its_place_is_told(
    shown: np.ndarray, sign: int, aside: tuple[float, float]
) -> None:
    moved = cv2.warpAffine(shown, np.float32([[1, 0, aside[0]], [0, 1, aside[1]]]), (SIDE, SIDE), borderMode=1)
    assert sign * told_apart(noisy(moved, 2.0), SHOWN, [GREEN, BLUE])[1] > 2.0


@pytest.mark.parametrize(("shown", "sign"), [(GREEN, -1), (BLUE, 1)], ids=["green", "blue"])
def test_faces_that_are_overexposed_in_one_colour_are_told_by_the_others(shown: np.ndarray, sign: int) -> None:
    red = np.full((SIDE, SIDE), 255, np.float32)
    seen, green, blue = (np.dstack([each[..., :2], red]) for each in (shown, GREEN, BLUE))
    assert sign * told_apart(noisy(seen, 2.0), SHOWN, [green, blue])[1] > 2.0


def test_of_a_face_that_is_overexposed_in_all_colours_nothing_is_told() -> None:
    white = np.full_like(GREEN, 255.0)
    assert told_apart(white, SHOWN, [GREEN, BLUE]).tolist() == [0.0, 0.0]


def test_a_face_of_which_hardly_any_difference_is_shown_is_not_told() -> None:
    shown = SHOWN.copy()
    shown[20:42, 52:64] = False
    assert told_apart(GREEN, shown, [GREEN, BLUE]).tolist() == [0.0, 0.0]


def test_faces_that_look_the_same_are_not_told_apart() -> None:
    assert told_apart(noisy(GREEN, 3.0), SHOWN, [GREEN, GREEN]).tolist() == [0.0, 0.0]


def test_where_steep_print_is_fringed_its_dots_tell_little() -> None:
    def ringed(dot_bgr: tuple[int, int, int]) -> np.ndarray:
        out = cv2.circle(GREEN.copy(), (60, 30), 8, (230, 230, 230), -1, cv2.LINE_AA)
        return cv2.GaussianBlur(cv2.circle(out, (60, 30), 5, dot_bgr, -1, cv2.LINE_AA), (0, 0), 1.0)

    own, rival = ringed((110, 120, 95)), ringed((120, 112, 105))
    fringed = own.copy()
    for band, aside in ((0, 0.7), (2, -0.7)):  # blue and red lie beside green, as a mosaic shows them
        to = np.array([[1, 0, aside], [0, 1, 0]], np.float32)
        fringed[..., band] = cv2.warpAffine(own[..., band], to, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE)
    clear, told = (told_apart(noisy(each, 2.0), SHOWN, [own, rival])[1] for each in (own, fringed))
    assert 0.1 * clear < told < 0.0
