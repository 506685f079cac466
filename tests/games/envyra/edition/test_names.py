"""What people call tiles: those of one name are captured alike."""

from __future__ import annotations

from itertools import combinations

import pytest

from companion.games.envyra import GAME
from companion.games.envyra.edition.components import Tile
from companion.games.envyra.edition.names import tile_name
from companion.i18n import localize, translations

SAMPLE = GAME.load_catalogue("sample")


def named(tile: Tile, language: str = "en") -> str:
    return str(localize(tile_name(SAMPLE, tile), translations(language, GAME.locale_dir).gettext))


@pytest.mark.parametrize("language", ["en", "sk", "cs"])
def test_tiles_of_one_name_have_the_same_points_cubes_and_restriction(language: str) -> None:
    """A draw is told by the name where there is no picture: in the terminal, and to a screen reader."""
    for one, other in combinations(SAMPLE.tiles, 2):
        if named(one, language) == named(other, language):
            assert (one.vp, one.cubes, one.requires) == (other.vp, other.cubes, other.requires)


def test_a_name_says_no_more_than_what_tells_the_tile_from_others() -> None:
    tiles = {tile.id: tile for tile in SAMPLE.tiles}
    assert named(tiles["water-1-a"]) == "sea (1 VP, cubes: 2)"
    assert named(tiles["bonus-3-b"]) == "bonus tile (3 VP, requires: water, fire)"
    assert named(tiles["flora-2-a"]) == named(tiles["flora-2-b"]) == "blossom (2 VP)"
    assert named(tiles["flora-1-c"]) == "leaf (4 VP)"
