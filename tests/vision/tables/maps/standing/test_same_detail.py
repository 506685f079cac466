"""Other light on print is told from a piece that has come to it, been taken away, or stands there still."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from drawn_faces import drawn_tiles

from vision.appearance.canvas import Window
from vision.pieces.finder import FoundPiece
from vision.tables.maps.standing.same_detail import only_light_differs

SIDE_MM = 40.0
WINDOW = Window.around(np.array([[-SIDE_MM / 2, -SIDE_MM / 2], [SIDE_MM / 2, SIDE_MM / 2]]), 0.0)
AT_MM, PIECE_MM = (4.0, 3.0), 14.0
BLUE = FoundPiece("blue", AT_MM, 0.0, 50.0, 20.0)


BLACK, MAGENTA, DARK_BLUE = (28.0, 26.0, 26.0), (90.0, 30.0, 130.0), (180.0, 80.0, 30.0)


def printed(
    seed: int, shadow: float = 1.0, piece: bool = False, colour: tuple[float, float, float] = DARK_BLUE, px: int = 21
) -> np.ndarray:
    """A printed space; `shadow`: what light is left on its right part, beyond a hard edge; and a piece on it."""
    face = drawn_tiles(3, 36, every=12)["fire-2-c"]
    image = cv2.resize(face, (WINDOW.width_px, WINDOW.height_px), interpolation=cv2.INTER_AREA).astype(np.float32)
    if piece:
        centre = np.round(WINDOW.to_px(np.array(AT_MM))).astype(int)
        cv2.circle(image, tuple(centre.tolist()), px, colour, -1, cv2.LINE_AA)
    image[:, round(WINDOW.to_px(np.array([-6.0, 0.0]))[0]) :] *= shadow
    return np.clip(image + np.random.default_rng(seed).normal(0, 1.5, image.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("shadow", [0.35, 0.6, 1.0])
def test_a_shadow_in_which_a_piece_seemed_to_come_or_go_is_only_light(shadow: float) -> None:
    before, now = printed(1), printed(2, shadow)
    assert only_light_differs(before, now, WINDOW, [], [BLUE], PIECE_MM)
    assert only_light_differs(now, before, WINDOW, [BLUE], [], PIECE_MM)


@pytest.mark.parametrize("shadow", [0.35, 1.0])
def test_a_piece_that_has_come_or_gone_is_no_light(shadow: float) -> None:
    before, now = printed(1), printed(2, shadow, piece=True)
    assert not only_light_differs(before, now, WINDOW, [], [BLUE], PIECE_MM)
    assert not only_light_differs(now, before, WINDOW, [BLUE], [], PIECE_MM)


def crowned(seed: int, light: float, *, figure: bool = False) -> np.ndarray:
    """A white crown on a darker print, at its edge a dark piece, and a white figure on the crown."""
    white, image = (215.0, 220.0, 225.0), np.full((WINDOW.height_px, WINDOW.width_px, 3), (110.0, 85.0, 95.0))

    def px(x: float, y: float) -> tuple[int, int]:
        column, row = np.round(WINDOW.to_px(np.array([x, y]))).astype(int).tolist()
        return column, row

    for spike in (-6.0, 0.0, 6.0):
        cv2.fillPoly(image, [np.array([px(spike, 6.0), px(spike + 4.0, 6.0), px(spike + 1.0, -6.0)])], white)
    cv2.rectangle(image, px(-8.0, 1.0), px(12.0, 6.0), white, -1)
    if figure:
        cv2.circle(image, px(0.0, 0.0), 10, white, -1, cv2.LINE_AA)
    cv2.circle(image, px(0.0, 13.0), 11, (30.0, 60.0, 20.0), -1, cv2.LINE_AA)
    return np.clip(image * light + np.random.default_rng(seed).normal(0, 1.5, image.shape), 0, 255).astype(np.uint8)


def test_a_figure_that_has_come_to_print_of_its_colour_beside_another_piece_is_no_light() -> None:
    white = FoundPiece("white", (0.0, 0.0), 0.0, 200.0, 200.0)
    before = crowned(1, 0.4)
    assert not only_light_differs(before, crowned(2, 1.0, figure=True), WINDOW, [], [white], PIECE_MM)
    assert only_light_differs(before, crowned(3, 1.0), WINDOW, [], [white], PIECE_MM)


def test_where_both_show_the_same_pieces_nothing_is_in_question() -> None:
    assert not only_light_differs(printed(1, piece=True), printed(2, piece=True), WINDOW, [BLUE], [BLUE], PIECE_MM)


@pytest.mark.parametrize("shadow", [0.4, 0.6, 1.0])
def test_a_token_turned_over_in_its_place_is_no_light(shadow: float) -> None:
    on, off = (FoundPiece(name, AT_MM, 0.0, 50.0, 20.0) for name in ("on", "off"))
    before, now = printed(1, 1.0, True, MAGENTA, 7), printed(2, shadow, True, BLACK, 7)
    assert not only_light_differs(before, now, WINDOW, [on], [off], PIECE_MM)
    shaded = printed(3, shadow, True, MAGENTA, 7)
    assert only_light_differs(before, shaded, WINDOW, [on], [off], PIECE_MM)
