"""Tokens on the corners of a map drawn by hand, where three spaces meet."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import pytest
from drawn_table import THICK_MM, picture_px
from three_spaces import FACES, GOLD_BGR, MIDDLES, SPACES, light, picture, seen_in, standing

from companion.core.types import Slot
from vision.tables.maps.standing.corner_tokens import CornersBefore
from vision.tables.maps.standing.standing_pieces import StandingPieces
from vision.tables.place import PlaceReading, PlaceState
from vision.tables.zone import SpaceOnMap

ALL = frozenset(MIDDLES)


@pytest.fixture(scope="module")
def pieces() -> StandingPieces:
    return standing()


def read_corners(
    pieces: StandingPieces, image: np.ndarray, laid: frozenset[str] = ALL, covered: frozenset[str] = frozenset()
) -> dict[str, PlaceReading]:
    shown = {slot: one for slot, one in SPACES.items() if slot in laid}
    return pieces.on_corners.read(seen_in(image, covered), shown, light(pieces, image))


@pytest.mark.parametrize("token_mm", [(0.0, 0.0), (3.0, -2.0)])
def test_a_token_where_three_spaces_meet_is_seen(pieces: StandingPieces, token_mm: tuple[float, float]) -> None:
    corner = read_corners(pieces, picture(token_mm))["corner"]
    assert corner.pieces == (("gold", 1),)
    assert corner.is_sure


def test_a_corner_that_has_not_changed_is_read_again_only_where_another_tile_has_come_beside_it(
    pieces: StandingPieces,
) -> None:
    image = picture((0.0, 0.0))
    lit = light(pieces, image)
    before = read_corners(pieces, picture())  # of which this picture differs in the token that lies there now

    def again(shown: Mapping[Slot, SpaceOnMap]) -> Mapping[Slot, PlaceReading]:
        return pieces.on_corners.read(seen_in(image), SPACES, lit, CornersBefore(before, shown))

    assert again(SPACES)["corner"] is before["corner"]
    elsewise = {**SPACES, "north": SpaceOnMap(FACES["east"], 0.0)}
    assert again(elsewise)["corner"].pieces == (("gold", 1),)
    del elsewise["north"]
    assert again(elsewise)["corner"].pieces == (("gold", 1),)


def test_a_bare_corner_surely_has_none(pieces: StandingPieces) -> None:
    corner = read_corners(pieces, picture())["corner"]
    assert (corner.state, corner.pieces, corner.is_sure) == (PlaceState.EMPTY, (), True)


def test_where_the_colour_of_a_token_goes_on_around_it_a_person_is_asked(pieces: StandingPieces) -> None:
    assert not read_corners(pieces, picture((0.0, 0.0), 9.5))["corner"].is_sure


@pytest.mark.parametrize("half_mm", [5.5, 2.3])
@pytest.mark.parametrize("turn_deg", [0, 90, 200])
def test_where_the_colour_of_a_token_goes_on_at_one_side_of_it_a_person_is_asked(
    pieces: StandingPieces, turn_deg: int, half_mm: float
) -> None:
    image, along = picture(), np.array([np.cos(np.deg2rad(turn_deg)), np.sin(np.deg2rad(turn_deg))])
    across = half_mm * np.array([-along[1], along[0]])
    strip = np.array([across - 5 * along, across + 20 * along, 20 * along - across, -5 * along - across])
    cv2.fillConvexPoly(image, np.round(picture_px(strip, THICK_MM)).astype(np.int32), GOLD_BGR, cv2.LINE_AA)
    assert not read_corners(pieces, image)["corner"].is_sure


def test_where_no_three_spaces_are_laid_nothing_is_looked_for(pieces: StandingPieces) -> None:
    seen = read_corners(pieces, picture((0.0, 0.0)), laid=frozenset({"north", "east"}))
    assert (seen["corner"].state, seen["corner"].pieces) == (PlaceState.EMPTY, ())
    assert seen["edge"].pieces == ()


def test_a_corner_beside_a_covered_space_is_left_unread_and_one_beyond_the_picture_is_outside(
    pieces: StandingPieces,
) -> None:
    seen = read_corners(pieces, picture((0.0, 0.0)), covered=frozenset({"east"}))
    assert seen["corner"].state is PlaceState.COVERED
    assert seen["corner"].pieces == ()
    assert seen["beyond"].state is PlaceState.OUTSIDE


def test_a_corner_in_a_deep_shadow_is_no_token_of_half_its_colour(pieces: StandingPieces) -> None:
    pale = cv2.circle(picture(), tuple(np.round(picture_px(np.zeros((1, 2)), THICK_MM))[0].astype(int)), 14,
                      (90, 150, 170), -1, cv2.LINE_AA)  # fmt: skip
    assert read_corners(pieces, pale)["corner"].pieces == ()
    assert read_corners(pieces, cv2.convertScaleAbs(pale, alpha=0.3))["corner"].pieces == ()
