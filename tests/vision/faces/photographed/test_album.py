"""An album holds pictures of one shape, and trusts their rims less than their middles."""

from __future__ import annotations

import numpy as np
import pytest
from patchwork import patchwork

from vision.faces.photographed.album import RIM_WORTH, Album, rim_weight
from vision.faces.placing.outline import Cut


@pytest.fixture(scope="module")
def cards() -> Album:
    """Of two cards, half as wide as they are high."""
    return Album.of(np.stack([patchwork(1, (32, 64)), patchwork(2, (32, 64))]), (0, 2))


def test_a_place_is_worth_all_in_the_middle_and_ever_less_towards_the_rim() -> None:
    weight = rim_weight((40, 60))
    assert weight.shape == (40, 60)
    assert weight[20, 30] == 1.0
    assert (np.diff(weight[20, :30]) >= 0).all()
    assert (np.diff(weight[:20, 30]) >= 0).all()
    assert RIM_WORTH <= weight.min() < 0.5
    np.testing.assert_allclose(weight, weight[::-1, ::-1])


@pytest.mark.parametrize(
    ("wh", "alike"), [((100, 200), True), ((50, 104), True), ((100, 130), False), ((200, 100), False)]
)
def test_a_crop_is_cut_alike_when_it_has_the_shape_of_the_pictures(
    cards: Album, wh: tuple[int, int], alike: bool
) -> None:
    assert cards.cut_alike(wh) is alike


def test_nothing_is_cut_as_pictures_are_in_which_the_pieces_lay_askew() -> None:
    album = Album.of(np.stack([patchwork(1, (32, 64))]), (0, 2), askew=True)
    assert not album.cut_alike((32, 64))


def test_an_album_without_its_cut_keeps_everything_else() -> None:
    pictures = np.stack([patchwork(1)])
    album = Album.of(pictures, (0,), Cut(0.9, 0.9))
    plain = album.without_cut()
    assert album.cut is not None
    assert plain.cut is None
    assert plain.pictures is pictures
    assert plain.index is album.index
