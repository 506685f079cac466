"""What a person reads on the tiles of an edition of the map, as the form of the game writes it."""

from __future__ import annotations

from companion.games.rifts.edition.catalogue import Tile
from companion.games.rifts.edition.form import NOTHING


def values_of(tile: Tile) -> dict[str, str]:
    """The values of an upright tile; of a tile that lies in another of its turns they belong to other spaces."""
    out = {"shape": " ".join(f"{q},{r}" for q, r in tile.shape)}
    for number, space in enumerate(tile.spaces, 1):
        out[f"land_{number}"] = space.terrain.value
        out[f"enemy_{number}"] = "yes" if space.enemy else "no"
        out[f"rift_{number}"] = "yes" if space.rift else "no"
        out[f"sells_{number}"] = NOTHING if space.sells is None else space.sells.value
        out[f"gold_{number}"] = str(space.gold)
    return out
