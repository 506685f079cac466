"""A lamp that is mirrored in a piece costs certainty where the piece's name rests on its light."""

from __future__ import annotations

import numpy as np

from vision.count.appearance.looks import PieceLook, faces_of
from vision.count.glare import without_veil
from vision.count.naming.names import Names, name_pieces
from vision.count.naming.veiled import unsure_under

RED, GREEN, DARK_GREEN, PINK = (0.02, 0.03, 0.4), (0.05, 0.3, 0.06), (0.02, 0.09, 0.02), (0.17, 0.18, 0.55)
TAUGHT = [PieceLook(bgr, bgr) for bgr in (RED, GREEN, DARK_GREEN, PINK)]
LAMP = 0.15


def name(looks: list[PieceLook]) -> Names:
    return name_pieces(faces_of(TAUGHT), np.arange(4), faces_of(looks), ringed=False, coated=True)


def under_lamp(bgr: tuple[float, float, float]) -> PieceLook:
    shown = tuple(channel + LAMP for channel in bgr)
    return PieceLook(shown, shown)


def test_a_red_piece_that_looks_pink_under_a_lamp_has_no_sure_name() -> None:
    looks = [*TAUGHT, under_lamp(RED)]
    lamps = [0.0] * 4 + [LAMP]
    assert unsure_under(lamps, looks, name(looks), name) == 1


def test_a_piece_that_keeps_its_name_without_the_lamps_light_is_not_doubted() -> None:
    looks = [*TAUGHT, PieceLook(GREEN, GREEN)]
    assert unsure_under([0.0] * 4 + [0.03], looks, name(looks), name) == 0


def test_without_a_lamp_nothing_is_named_twice() -> None:
    def never(_: list[PieceLook]) -> Names:
        raise AssertionError

    assert unsure_under([0.0] * 4, TAUGHT, name(TAUGHT), never) == 0


def test_light_is_taken_off_every_part_of_a_look_and_none_is_below_black() -> None:
    look = PieceLook((0.2, 0.3, 0.4), (0.1, 0.1, 0.1), edge_bgr=(0.5, 0.5, 0.5), rings=((0.2, 0.1, 0.3),))
    bare = without_veil(look, 0.2)
    assert np.allclose(bare.inner_bgr, (0.0, 0.1, 0.2))
    assert bare.ring_bgr == (0.0, 0.0, 0.0)
    assert np.allclose(bare.edge_bgr, (0.3, 0.3, 0.3))
    assert np.allclose(bare.rings[0], (0.0, 0.0, 0.1))
