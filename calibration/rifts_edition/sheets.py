"""Printable sheets of the location tiles of Rifts of N'Norya, true to size."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from calibration.drawing import Picture
from calibration.rifts_edition.art import draw_tile, tile_size_mm
from calibration.sample_edition.sheets import PRINT_DPI, Paper, Sheets
from companion.games.rifts.edition.catalogue import Catalogue

_MM_PER_INCH = 25.4
ROOM_MM = 60.0  # of a page for its notice, ruler and cut marks


def rifts_sheets(catalogue: Catalogue, paper: Paper) -> bytes:
    """The PDF of the starting tile and every location tile, in sheets of tiles of one size; true to size at 100 %."""
    px_per_mm = PRINT_DPI / _MM_PER_INCH
    by_size: dict[tuple[float, float], list[Callable[[], Picture]]] = {}
    for tile in (catalogue.start, *catalogue.tiles):
        by_size.setdefault(tile_size_mm(tile), []).append(partial(draw_tile, tile, px_per_mm))
    pdf = Sheets(paper)
    width, height = paper.value
    for size, tiles in by_size.items():
        rows_cols = (max(1, int((height - ROOM_MM) // size[1])), max(1, int((width - 20) // size[0])))
        pdf.grid(size, rows_cols, tiles)
    return pdf.output()
