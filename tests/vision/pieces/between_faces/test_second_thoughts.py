"""A count of pieces on bare table is doubted where the table explains one, or a piece explains what was left bare."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.pieces.between_faces.test_gaps import read
from vision.pieces.finder import Examined, FoundPiece, PieceFinder, PieceSearch

GREY = (150, 155, 152)
SURE = 0.9


@pytest.fixture
def counted_otherwise(monkeypatch: pytest.MonkeyPatch) -> list[FoundPiece]:
    """The pieces that the search says it has found, whatever is seen."""
    said: list[FoundPiece] = []
    search = PieceFinder.search_examined

    def instead(self: PieceFinder, examined: Examined, *others: object, **how: object) -> PieceSearch:
        found = search(self, examined, *others, **how)  # type: ignore[arg-type]
        nothing = np.zeros(len(found.unexplained_mm2))
        return replace(
            found, pieces=tuple(said), covered=np.zeros_like(found.covered), unexplained_mm2=nothing,
            refused_of=tuple({} for _ in found.refused_of),
        )  # fmt: skip

    monkeypatch.setattr(PieceFinder, "search_examined", instead)
    return said


@pytest.mark.usefixtures("counted_otherwise")
def test_a_piece_that_was_not_found_leaves_its_gap_unsure_and_the_other_sure() -> None:
    left, right = read(GREY, [("blue", -15, 0)]).readings

    assert left.counts == right.counts == ()
    assert left.p < SURE < right.p


def test_a_piece_where_only_table_is_seen_leaves_its_gap_unsure(counted_otherwise: list[FoundPiece]) -> None:
    counted_otherwise += [FoundPiece("blue", (x, 0.0), 0.0, 150.0, 150.0) for x in (-15.0, 15.0)]

    left, right = read(GREY, [("blue", 15, 0)]).readings

    assert left.counts == right.counts == (("blue", 1),)
    assert left.p < SURE
