"""The light told by printed faces alone: their paper and their darkest ink, whatever else is printed."""

from __future__ import annotations

import numpy as np
import pytest

from vision.appearance.picture_light import PictureLight
from vision.appearance.print_light import light_of_print

SIDE_PX, SIDE_MM, PITCH_MM = 96, 55.0, 60.0


def face(ground: tuple[int, int, int], paper: bool) -> np.ndarray:
    """A coloured face with dark lines, and a badge of paper where asked."""
    out = np.full((SIDE_PX, SIDE_PX, 3), ground, np.uint8)
    out[40:56, 8:88] = (200, 90, 22)  # blue ink is dark in red
    if paper:
        out[10:30, 10:40] = 236
    return out


def laid_out(papers: list[bool]) -> tuple[list[np.ndarray], list[np.ndarray]]:
    grounds = [(40, 60, 200), (200, 120, 40), (60, 160, 90), (30, 190, 220)]
    steps = (np.arange(SIDE_PX) + 0.5) / SIDE_PX * SIDE_MM
    faces, places = [], []
    for k, paper in enumerate(papers):
        left, top = PITCH_MM * (k % 3), PITCH_MM * (k // 3)
        faces.append(face(grounds[k % len(grounds)], paper))
        places.append(np.stack(np.meshgrid(left + steps, top + steps), axis=-1))
    return faces, places


@pytest.mark.parametrize("papers", [[True] * 6, [True, True, False, True, True, True, False]], ids=["all", "most"])
@pytest.mark.parametrize(
    "light",
    [
        PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 1.0),
        PictureLight((0.55, 0.65, 0.7), (0.02, 0.02, 0.02), (0.04, -0.05), 1.0),
        PictureLight((0.9, 0.95, 0.98), (0.05, 0.05, 0.05), (-0.03, 0.02), 1.0),
    ],
    ids=["a scan's", "dim and warm", "hazy"],
)
def test_faces_are_brought_back_to_what_a_scan_shows(light: PictureLight, papers: list[bool]) -> None:
    faces, places = laid_out(papers)
    seen = [np.round(light.expect(one, at)).astype(np.uint8) for one, at in zip(faces, places, strict=True)]
    told = light_of_print(seen, places)
    assert told is not None
    for one, shown, at in zip(faces, seen, places, strict=True):
        off = np.abs(told.as_scan(shown, at).astype(int) - one)
        assert np.percentile(off, 95) <= 15  # a light that is a tenth off is 13 grey levels at white


def test_faces_without_paper_tell_no_light() -> None:
    faces, places = laid_out([False] * 6)
    assert light_of_print(faces, places) is None
    dark = [np.round(0.4 * one).astype(np.uint8) for one in laid_out([True] * 6)[0]]
    assert light_of_print(dark, places) is None  # a camera would have shown paper brighter


def test_plain_faces_and_none_tell_no_light() -> None:
    _, places = laid_out([True, True])
    assert light_of_print([np.full((SIDE_PX, SIDE_PX, 3), 130, np.uint8)] * 2, places) is None
    assert light_of_print([], []) is None
