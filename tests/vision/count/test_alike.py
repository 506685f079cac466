"""Where pieces are of one size, a broken rim of another one is looked for as one of them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.discs.alike import as_the_others, of_usual_shape
from vision.count.discs.rims import ANGLES
from vision.count.discs.search import Copies, FoundDiscs
from vision.count.discs.shapes import Shapes, usual_shapes

SIZE, STEP_LAB = (420, 560), 20.0
PLACES = np.array([(80.0, 80.0), (200, 75), (330, 90), (460, 80), (90, 300), (210, 310), (340, 305), (470, 300)])


def radius_at(xy: NDArray[np.float64]) -> NDArray[np.float64]:
    """A camera sees what lies lower in the picture nearer."""
    return np.asarray(28 + 0.03 * xy[..., 1])


def outlines(xy: NDArray[np.float64], radius: NDArray[np.float64], high: float) -> NDArray[np.float64]:
    """(N, ANGLES, 2) ovals `high` times as high as broad."""
    angles = np.arange(ANGLES) * 2 * np.pi / ANGLES
    shape = np.stack([np.cos(angles), high * np.sin(angles)], axis=1)
    return np.asarray(xy[:, None] + radius[:, None, None] * shape)


def steep_picture(high: float) -> Copies:
    """What is no table, of pieces seen aslant, as one channel."""
    picture = np.zeros(SIZE, np.float32)
    for outline in outlines(PLACES, radius_at(PLACES), high):
        cv2.fillPoly(picture, [np.round(outline * 16).astype(np.int32)], STEP_LAB, cv2.LINE_AA, 4)
    return Copies(cv2.GaussianBlur(picture, (0, 0), 0.8))


def found_with(broken_xy: tuple[float, float], broken_radius: float, high: float, support: float = 0.6) -> FoundDiscs:
    """All pieces, the last one as a circle elsewhere."""
    xy, radius = PLACES.copy(), radius_at(PLACES)
    seen = outlines(xy, radius, high)
    xy[-1], radius[-1] = broken_xy, broken_radius
    seen[-1] = outlines(xy[-1:], radius[-1:], 1.0)[0]
    rims = np.full(len(xy), 0.9)
    rims[-1] = support
    return FoundDiscs(seen, rims, radius * np.sqrt(high), xy, np.full(len(xy), 0.02))


def test_a_broken_rim_of_another_size_is_moved_to_the_piece_it_lies_on() -> None:
    high = 0.85
    for xy, radius in (((478.0, 292.0), 22.0), ((470.0, 300.0), 46.0)):
        found = as_the_others(steep_picture(high), found_with(xy, radius, high))
        assert np.linalg.norm(found.xy[-1] - PLACES[-1]) < 1.5
        true = outlines(PLACES[-1:], radius_at(PLACES[-1:]), high)[0]
        assert np.abs(np.ptp(found.outlines[-1], axis=0) / np.ptp(true, axis=0) - 1).max() < 0.06
        assert found.support[-1] > 0.8
        assert np.array_equal(found.xy[:-1], PLACES[:-1])


def test_a_clear_rim_of_another_size_is_another_kind_of_piece() -> None:
    given = found_with((470.0, 300.0), 29.0, 1.0, support=0.95)
    assert as_the_others(steep_picture(1.0), given) is given


def test_a_clear_rim_within_the_rim_of_a_whole_piece_is_its_label() -> None:
    found = as_the_others(steep_picture(1.0), found_with((471.0, 299.0), 20.0, 1.0, support=0.95))
    assert np.linalg.norm(found.xy[-1] - PLACES[-1]) < 1.5
    assert abs(found.radius[-1] / radius_at(PLACES[-1]) - 1) < 0.06


def test_a_small_piece_around_which_nothing_lies_stays_small() -> None:
    given = found_with((280.0, 190.0), 20.0, 1.0, support=0.95)
    assert np.array_equal(as_the_others(steep_picture(1.0), given).outlines, given.outlines)


def test_a_broken_rim_stays_where_no_piece_of_the_size_is_seen() -> None:
    given = found_with((280.0, 190.0), 22.0, 1.0)
    assert np.array_equal(as_the_others(steep_picture(1.0), given).outlines, given.outlines)


def test_coins_of_many_sizes_have_no_usual_shape() -> None:
    sizes = np.array([16.25, 18.75, 21.25, 19.75, 22.25, 24.25, 23.25, 25.75])  # 1 cent to 2 euros, mm
    seen = Shapes.of(outlines(PLACES, 1.5 * sizes[[3, 7, 0, 5, 6, 1, 4, 2]], 1.0))
    assert usual_shapes(seen, np.full(len(PLACES), 0.9), np.full(len(PLACES), True)) is None


def test_few_pieces_have_no_usual_shape() -> None:
    seen = Shapes.of(outlines(PLACES[:4], radius_at(PLACES[:4]), 1.0))
    assert usual_shapes(seen, np.full(4, 0.9), np.full(4, True)) is None


def test_clear_rims_of_the_usual_shape_are_pieces() -> None:
    """A broken rim there, or a clear one of another size, may be print on the table."""
    usual = (float(PLACES[-1, 0]), float(PLACES[-1, 1]))
    for radius, support, piece in ((float(radius_at(PLACES[-1])), 0.95, True), (22.0, 0.95, False), (37.0, 0.6, False)):
        found = found_with(usual, radius, 1.0, support)
        assert of_usual_shape(found).tolist() == [True] * 7 + [piece]


def test_fewer_than_five_rims_tell_no_shape() -> None:
    assert not of_usual_shape(found_with((470.0, 300.0), 37.0, 1.0).take(np.arange(8) < 4)).any()
