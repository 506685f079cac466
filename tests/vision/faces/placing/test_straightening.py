"""Pictures of one kind tell each other by their print where their pieces lie."""

from __future__ import annotations

import cv2
import numpy as np
from patchwork import as_photograph, spotted

from vision.faces.placing.straightening import Straightened, straightened

WH = (80, 112)
GROUND = (60, 90, 40)


def laid(piece: np.ndarray, angle_deg: float, beside: int = 0) -> np.ndarray:
    """`piece` (h, w, 3) uint8 turned on a plain table, in a box around it and so many px of table on its right."""
    h, w = piece.shape[:2]
    c, s = abs(np.cos(np.radians(angle_deg))), abs(np.sin(np.radians(angle_deg)))
    size = (round(w * c + h * s), round(w * s + h * c))
    move = cv2.getRotationMatrix2D(((w - 1) / 2, (h - 1) / 2), angle_deg, 1)
    move[:, 2] += (np.array(size) - (w, h)) / 2
    return np.asarray(cv2.warpAffine(piece, move, (size[0] + beside, size[1]), borderValue=GROUND))


def rimmed(piece: np.ndarray) -> np.ndarray:
    """The piece with an unprinted rim, as cards have."""
    out = np.full_like(piece, 240)
    out[5:-5, 5:-5] = piece[5:-5, 5:-5]
    return out


def even(seed: int) -> np.ndarray:
    """A piece that is printed alike both ways up, with a border that all have."""
    rows, cols = np.arange(WH[1])[:, None], np.arange(WH[0])[None]
    border = np.minimum(np.minimum(rows, WH[1] - 1 - rows), np.minimum(cols, WH[0] - 1 - cols)) < 18
    picture = np.where(border[..., None], spotted(90, WH), spotted(seed, WH))
    picture[WH[1] // 2 :] = picture[: WH[1] - WH[1] // 2][::-1, ::-1]
    return rimmed(as_photograph(picture))


def difference(piece: np.ndarray, wanted: np.ndarray) -> float:
    """Mean difference in grey levels, whichever way up."""
    sized = cv2.resize(piece, WH, interpolation=cv2.INTER_AREA).astype(np.float64)
    return min(float(np.abs(sized - one).mean()) for one in (wanted, wanted[::-1, ::-1]))


def of(pictures: list[np.ndarray], kinds: list[int]) -> Straightened:
    found = straightened(pictures, kinds)
    assert found is not None
    return found


def test_a_piece_in_too_wide_a_box_is_cut_as_those_of_its_kind() -> None:
    piece, other = (rimmed(as_photograph(spotted(seed, WH))) for seed in (1, 2))
    pictures = [laid(piece, 20), laid(piece, -35), laid(piece, 0), laid(piece, 12, beside=70), laid(other, 30)]
    found = of(pictures, [0, 0, 0, 0, 1])
    far = of(pictures, [0, 1, 2, 3, 4])
    assert difference(found.pictures[3], piece) < 20 < difference(far.pictures[3], piece)


def test_half_of_an_art_that_no_other_picture_shows_is_completed() -> None:
    first, second = even(3), even(4)
    half = np.ascontiguousarray(second[:, 36:])
    pictures = [laid(first, 20), laid(first, -35), laid(first, 28), half, laid(even(5), 40)]
    found = of(pictures, [0, 0, 0, 0, 1])
    assert found.seen[3] == 1.0
    assert difference(found.pictures[3], second) < 20


def test_half_of_an_art_that_is_known_stays_a_half() -> None:
    first = even(3)
    pictures = [
        laid(first, 20),
        laid(first, -35),
        laid(first, 28),
        np.ascontiguousarray(first[:, 36:]),
        laid(even(5), 40),
    ]
    assert of(pictures, [0, 0, 0, 0, 1]).seen[3] < 0.8
