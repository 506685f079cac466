"""What a reading that stays the same says of a slot: nothing where the difference might not show anyhow."""

from __future__ import annotations

import pytest

from companion.core.inputs import BoardObservation, PieceReading, Sight, SlotReading, ViewState
from companion.core.layout import BoardView, SlotView
from companion.table.tracking.reading.evidence import TableEvidence
from companion.table.tracking.reading.misreadings import Misreadings
from companion.table.tracking.reading.still_scene import StillScene

SLOT = "gap"


def seen_red(blue_p: float) -> TableEvidence:
    """A gap in which one red piece is counted and no blue one, of which that is right with probability `blue_p`."""
    one = SlotReading(
        SLOT, Sight.SEEN, ((None, 0.0),), None, (PieceReading("red", 1, 0.98 * blue_p),), 0.98 * blue_p,
        (("blue", blue_p),),
    )  # fmt: skip
    return StillScene(lambda face: face).add(BoardObservation(1, 1, ViewState.SETTLED, (one,)))


@pytest.mark.parametrize(("blue_p", "silent"), [(0.48, False), (0.6, True)])
def test_a_piece_of_a_colour_that_hardly_shows_is_no_misreading_that_repeats_itself(
    blue_p: float, *, silent: bool
) -> None:
    misreadings, evidence = Misreadings(), seen_red(blue_p)
    believed = BoardView(((SLOT, SlotView(pieces=(("blue", 1), ("red", 1)))),))
    misreadings.remember(evidence, believed, (SLOT,), ())
    assert (SLOT in misreadings.in_force(evidence, believed)) == silent


def test_a_colour_that_shows_is_still_known_to_be_misread() -> None:
    misreadings, evidence = Misreadings(), seen_red(0.48)
    believed = BoardView(((SLOT, SlotView()),))  # the red piece is a shadow
    misreadings.said({SLOT: evidence.of(SLOT).most_likely()})
    misreadings.remember(evidence, believed, (SLOT,), ())
    assert SLOT in misreadings.in_force(evidence, believed)
