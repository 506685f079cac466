"""The small rendered pictures of loose pieces under tests/vision/fixtures: their colours, and what is counted."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from vision.count.counting import count_pieces
from vision.count.result import Count
from vision.count.teaching.colour_file import read_colours, read_picture
from vision.count.teaching.colours import PieceColour

LOOSE = Path(__file__).parents[2] / "vision" / "fixtures" / "loose"


@cache
def colours_of(kind: str) -> tuple[PieceColour, ...]:
    """The colours of a kind ("candies", "chips" or "cubes"), learnt from one picture of four pieces each."""
    return tuple(read_colours(LOOSE / kind / "references"))


@cache
def counted_in(kind: str, name: str) -> Count:
    """The count of the picture of that name by the colours of its kind."""
    return count_pieces(read_picture(LOOSE / kind / name), colours_of(kind))
