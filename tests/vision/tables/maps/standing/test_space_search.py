"""One space of a map drawn by hand is searched for pieces, in this light and that."""

from __future__ import annotations

import numpy as np
import pytest
from drawn_table import bare_cloth, lay, stand
from three_spaces import BLUE_BGR, FACES, MIDDLES, SPACES, SQUARE_MM, TILES, light, picture, seen_in, standing

from vision.tables.maps.standing.standing_pieces import StandingPieces
from vision.tables.zone import SpaceOnMap


@pytest.fixture(scope="module")
def pieces() -> StandingPieces:
    return standing()


def test_a_space_full_of_pieces_lies_where_the_rest_of_its_tile_does(pieces: StandingPieces) -> None:
    off, tile = np.array([1.5, 1.0]), "north"
    image = bare_cloth()
    for slot, face in FACES.items():
        lay(image, TILES[face], MIDDLES[slot] + off, SQUARE_MM)
    for x, y in ((-9.0, -8.0), (4.0, -8.0), (-3.0, 6.0), (10.0, 6.0)):
        stand(image, BLUE_BGR, MIDDLES["east"] + off + (x, y))
    together = {slot: SpaceOnMap(face, 0.0, tile) for slot, face in FACES.items()}
    told = pieces.on_spaces.search.told_by_tile(seen_in(image), together, "east", light(pieces, picture()))
    assert told is not None
    assert told[0].centre_mm == pytest.approx(MIDDLES["east"] + off, abs=0.4)
    assert told[1] == pytest.approx(1.0, abs=0.1)


def test_what_is_searched_in_light_of_its_own_says_so(pieces: StandingPieces) -> None:
    seen = seen_in(picture())
    lit = light(pieces, seen.shot.image)
    assert not pieces.on_spaces.search.in_light(seen, SPACES, "east", lit).in_own_light
    assert pieces.on_spaces.search.in_light(seen, SPACES, "east", None).in_own_light
    assert pieces.on_spaces.search.in_light(seen, SPACES, "east", lit, in_parts=True).in_own_light
