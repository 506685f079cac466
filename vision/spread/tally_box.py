"""What the box, which holds so many copies of each face, leaves for the tiles of a tally together."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.types import Face
from vision.faces.copies import shared_out, too_many
from vision.tables.place import PlaceReading


def told_by_the_others(tiles: list[PlaceReading], copies: Mapping[Face, int]) -> list[PlaceReading]:
    """The tiles, those that may be one of several as likely as the box, which holds so many `copies`, leaves each for
    all of them together. What was taken back, or looks like no tile, stays as it is."""
    told = [k for k, tile in enumerate(tiles) if tile.alternatives and tile.p >= tile.alternatives[0][1]]
    out = list(tiles)
    for k, chances in zip(told, shared_out([tiles[k].alternatives for k in told], copies), strict=True):
        if chances != tiles[k].alternatives:
            out[k] = tiles[k].named(chances)
    return out


def within_box(likely: list[PlaceReading], copies: Mapping[Face, int]) -> list[PlaceReading]:
    """The likely tiles without those of a face that is likely in more places than the box holds it, unless all are: of
    a cloth's squares as large as tiles all are named as the one face that is most like them."""
    twice = too_many((t.likeliest for t in likely), copies)
    return [t for t in likely if t.likeliest not in twice] or likely
