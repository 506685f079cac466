"""What is seen laid onto a face's print in perspective: the pose of a table is never quite right."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.appearance.face_fit import lay_onto
from vision.appearance.print_detail import same_print

SIZE = (84, 84)
ALL = np.ones(SIZE[::-1], bool)
CORNERS = np.array([[0, 0], [84, 0], [84, 84], [0, 84]], np.float32)


def printed(seed: int = 4) -> np.ndarray:
    picture = np.random.default_rng(seed).uniform(60, 200, (21, 21, 3)).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(cv2.resize(picture, SIZE, interpolation=cv2.INTER_CUBIC), (0, 0), 1.0))


@pytest.mark.parametrize("off", [((0, 0), (2, 0), (0, 0), (-2, 0)), ((1, 1), (1, 1), (1, 1), (1, 1))])
def test_a_face_seen_a_little_askew_lies_on_its_print_afterwards(off: tuple[tuple[float, float], ...]) -> None:
    moved = CORNERS + np.array(off, np.float32)
    truth = cv2.getPerspectiveTransform(CORNERS, moved)
    seen = cv2.warpPerspective(printed(), truth, SIZE, borderMode=cv2.BORDER_REPLICATE) * 0.4 + 10
    found = lay_onto(printed(), seen, ALL)
    assert found is not None
    corners = cv2.perspectiveTransform(CORNERS[None], found)[0]
    assert np.abs(corners - moved).max() < 0.4  # a stroke is two px wide
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    laid = cv2.warpPerspective(seen, found, SIZE, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    assert same_print(laid, printed(), ALL) > max(same_print(seen, printed(), ALL), 0.97)


def test_what_a_piece_hides_does_not_draw_the_print_away() -> None:
    seen, visible = printed(), ALL.copy()
    seen[20:50, 20:50], visible[18:52, 18:52] = 230.0, False
    found = lay_onto(printed(), seen, visible)
    assert found is not None
    assert np.abs(cv2.perspectiveTransform(CORNERS[None], found)[0] - CORNERS).max() < 0.3


@pytest.mark.parametrize("seen", [np.full((84, 84, 3), 90.0, np.float32), printed(seed=9)], ids=["bare", "another"])
def test_nothing_is_laid_onto_what_shows_no_such_print(seen: np.ndarray) -> None:
    found = lay_onto(printed(), seen, ALL)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    assert found is None or same_print(cv2.warpPerspective(seen, found, SIZE, flags=flags), printed(), ALL) < 0.5
