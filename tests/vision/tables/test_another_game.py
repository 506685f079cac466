"""What a layout says of its pieces holds for its grid: pieces of another shape and size than cubes are counted."""

from __future__ import annotations

from collections import Counter

import cv2
import pytest
from rendered_tables import PEG_HIGH_MM, PEG_RGB, PEG_WIDE_MM, Peg, pegs_on_tiles

from companion.core.layout import PieceShape
from companion.lab.render.edition import sample_edition
from vision.appearance.picture_light import PieceColours
from vision.faces.learning import learn_faces
from vision.tables.grid import GridPlan, slot_name
from vision.tables.table_reader import TableReader

PEGS: list[Peg] = [
    ("red", 0, 0, -12.0, 6.0), ("red", 0, 0, 8.2, 6.0), ("blue", 0, 1, 10.0, -8.0), ("blue", 0, 2, -8.0, -2.0),
    ("red", 0, 2, 12.5, 2.0), ("blue", 1, 0, -10.0, -10.0), ("red", 1, 2, 8.0, 12.0), ("blue", 1, 2, -12.0, 8.0),
]  # fmt: skip


@pytest.fixture(scope="module")
def reader() -> TableReader:
    cv2.setNumThreads(1)
    faces = {tile.id: sample_edition().face(tile.id) for tile in sample_edition().tiles[:12]}
    book = learn_faces({face: [scan] for face, scan in faces.items()})
    layout = GridPlan(2, 3).layout(PEG_HIGH_MM, PEG_WIDE_MM, PieceShape.ROUND)
    return TableReader(layout, book, faces, PieceColours.from_rgb(PEG_RGB))


def test_round_pegs_on_the_tiles_of_a_grid_are_counted_by_colour(reader: TableReader) -> None:
    standing: dict[str, Counter[str]] = {slot_name(r, c): Counter() for r in range(2) for c in range(3)}
    for colour, row, col, *_ in PEGS:
        standing[slot_name(row, col)][colour] += 1
    reading = reader.read(pegs_on_tiles(PEGS))
    assert {one.slot: Counter(dict(one.pieces)) for one in reading.places} == standing
    assert all(one.pieces_p > 0.5 for one in reading.places)


def test_a_layout_becomes_a_grid_and_back() -> None:
    plan = GridPlan(2, 3, 70.0, 48.0, 3.0, (20.0, -15.0))
    assert GridPlan.of(plan.layout()) == plan
    assert plan.layout(PEG_HIGH_MM, PEG_WIDE_MM, PieceShape.ROUND).piece_shape is PieceShape.ROUND
