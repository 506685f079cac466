"""What a pixel says for a piece: its gloss is that of all channels, or none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.appearance.canvas import Canvas, Window
from vision.appearance.picture_light import PictureLight, PieceColours
from vision.pieces.likelihood_maps import piece_likelihoods

# The light of a dim, hazy picture: black print is lifted by 40 grey levels.
HAZY = PictureLight((0.35, 0.43, 0.45), (0.016, 0.019, 0.020), (0.0, 0.0), 5.3)
COLOURS = PieceColours.from_rgb({"teal": (20, 140, 140), "black": (34, 34, 38)})
WINDOW = Window(0.0, 0.0, 8, 8)


def tops(bgr: np.ndarray) -> dict[str, float]:
    """What a pixel (3,) says for the top of a piece of each colour, nats."""
    plain = Canvas.without_faces(np.zeros((8, 8, 3), np.uint8), WINDOW, HAZY)
    seen = np.broadcast_to(np.asarray(bgr, np.float32), (8, 8, 3))
    nats, _ = piece_likelihoods(
        replace(plain, seen=seen, face_levels=(0.86,)), COLOURS, (slice(0, 8), slice(0, 8))
    )
    return dict(zip(COLOURS.names, nats[:, 4, 4].tolist(), strict=True))


@pytest.mark.parametrize("gloss", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("name", COLOURS.names)
def test_a_piece_looks_like_its_colour_without_gloss_and_with_it(name: str, gloss: float) -> None:
    veil = HAZY.veil
    light = replace(HAZY, veil=(gloss * veil[0], gloss * veil[1], gloss * veil[2]))
    assert tops(light.expect(COLOURS.only((name,)).array()[0], np.zeros(2), 0.86))[name] > -0.2


def test_a_dim_teal_piece_without_gloss_is_not_taken_for_a_black_one_in_gloss() -> None:
    nats = tops(np.array([43.0, 51.0, 8.0]))
    assert nats["teal"] > nats["black"]
