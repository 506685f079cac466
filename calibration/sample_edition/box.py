"""The sample edition as a box: its catalogue's tiles in the form that the art is drawn from."""

from __future__ import annotations

from calibration.sample_edition.art import TileFacts
from companion.games.envyra.edition.catalogue import load_catalogue
from companion.games.envyra.edition.components import Catalogue

EDITION = "sample"


def catalogue_tiles(catalogue: Catalogue) -> tuple[TileFacts, ...]:
    """The tiles of any Envyra catalogue, in its order; symbols counted from 0 within their theme."""
    return tuple(
        TileFacts(
            id=tile.id,
            theme=tile.theme.value,
            symbol=max(0, tile.symbol - 1),
            vp=tile.vp,
            cubes=tile.cubes,
            requires=tuple(theme.value for theme in tile.requires),
            start=tile.start,
            min34=tile.players_3_4,
            alternative=tile.alternative,
        )
        for tile in catalogue.tiles
    )


def sample_tiles() -> tuple[TileFacts, ...]:
    """The 38 tiles and the alternative End tile of the sample edition; their values are invented."""
    return catalogue_tiles(load_catalogue(EDITION))
