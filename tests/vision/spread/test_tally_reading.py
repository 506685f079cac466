"""Which things beside captured tiles may hide another one, and cost the tally its certainty."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.core.messages import Message
from vision.spread.tally_reading import LIKE_TABLE, MAY_HIDE, PX_A_SIDE, TallyReading, TallyTile, hidden_place

# Two rows of three tiles, a third of a side apart; the table around them is ten sides wide.
MIDDLES = np.array([[3.0 + 1.33 * column, 4.0 + 1.33 * row] for row in range(2) for column in range(3)])


NOWHERE = np.zeros((10 * PX_A_SIDE,) * 2, bool)


def with_thing(x: float, y: float, width: float, height: float, turn_deg: float = 0.0) -> np.ndarray:
    """(H, W) bool: a rectangle around (x, y), all in sides, lies on the table."""
    out = np.zeros((10 * PX_A_SIDE,) * 2, np.uint8)
    corners = cv2.boxPoints(((x * PX_A_SIDE, y * PX_A_SIDE), (width * PX_A_SIDE, height * PX_A_SIDE), turn_deg))
    cv2.fillConvexPoly(out, np.round(corners).astype(np.int32), 1)
    return out > 0


@pytest.mark.parametrize(
    ("thing", "hides"),
    [
        ((7.0, 4.0, 1.0, 1.0, 0.0), True),  # as a tile that was not recognised
        ((7.0, 4.0, 1.0, 1.0, 30.0), True),
        ((7.2, 5.0, 1.3, 2.7, 0.0), True),  # a phone where the next tile would lie
        ((7.75, 5.0, 1.3, 2.7, 0.0), False),  # the same a little further off than each lies from the next
        ((7.0, 3.4, 1.3, 1.0, 0.0), True),  # a note of which a tile's width lies within their reach
        ((6.9, 2.8, 0.8, 2.0, 45.0), False),  # a corner of it: a tile would stand out beside it
        ((8.5, 5.0, 1.3, 2.7, 0.0), False),  # the same further off than tiles of this spread lie
        ((6.9, 5.0, 0.15, 2.6, 10.0), False),  # a pen
        ((7.0, 4.5, 0.4, 0.4, 0.0), False),  # coins
        ((0.0, 0.0, 0.0, 0.0, 0.0), False),
    ],
    ids=[
        "tile",
        "turned tile",
        "phone beside",
        "phone a little apart",
        "note",
        "note's corner",
        "phone apart",
        "pen",
        "coins",
        "bare table",
    ],
)
def test_a_thing_hides_a_tile_where_one_of_the_spread_may_lie(thing: tuple[float, ...], hides: bool) -> None:
    found = hidden_place(with_thing(*thing), NOWHERE, MIDDLES)
    assert (found is not None) is hides


def test_what_is_not_told_along_the_tiles_may_hide_a_tile_and_seen_table_does_not() -> None:
    thing = with_thing(7.0, 4.0, 0.7, 1.0)
    beside = with_thing(6.6, 4.0, 0.3, 1.0)
    assert hidden_place(thing, NOWHERE, MIDDLES) is None  # a strip of table beside it is seen
    assert hidden_place(thing, beside, MIDDLES) is not None


def test_tiles_that_touch_have_none_hidden_away_from_them() -> None:
    touching = np.array([[3.0, 4.0], [4.01, 4.0], [5.02, 4.0]])
    assert hidden_place(with_thing(6.1, 4.0, 1.0, 1.0), NOWHERE, touching) is not None
    assert hidden_place(with_thing(7.1, 4.0, 1.3, 2.7), NOWHERE, touching) is None


def test_of_a_tile_alone_nothing_tells_how_far_the_next_one_lies() -> None:
    alone = np.array([[3.0, 4.0]])
    place = hidden_place(with_thing(5.0, 4.0, 1.0, 1.0), NOWHERE, alone)
    assert place is not None
    assert np.abs(place.mean(0) - (5.0, 4.0)).max() < 0.15  # there a person is to look
    assert hidden_place(with_thing(6.5, 4.0, 1.0, 1.0), NOWHERE, alone) is None


def test_the_least_sure_tiles_are_asked_about_until_the_others_are_sure_together() -> None:
    corners = np.zeros((4, 2))
    chances = (("a", 0.999), ("b", 0.9), (None, 0.6), ("d", 0.97), ("e", 0.995))
    tiles = tuple(TallyTile(face, p, (), corners) for face, p in chances)
    # 0.999 * 0.97 * 0.995 is 0.964: below SURE_OF_ALL as long as the tile of 0.97 is among them
    assert TallyReading(tiles, False, (), "tiles").asked == (False, True, True, True, False)
    assert TallyReading(tiles[:1], True, (), "tiles").asked == (False,)


UNNAMED = Message("{unknown} of {all} tiles were not recognised.", unknown=1, all=2)


@pytest.mark.parametrize(
    ("doubts", "number", "left"),
    [
        ((MAY_HIDE, LIKE_TABLE), 2, 0),  # all that were captured are seen
        ((), 2, 0),
        ((UNNAMED, MAY_HIDE), 2, 1),  # what was found has still to be named
        ((MAY_HIDE,), 3, 2),  # one is hidden indeed, or was missed
        ((), 3, 1),
        ((), 1, 1),  # something else was read as a tile, or the record misses one
    ],
)
def test_the_number_that_was_captured_tells_whether_another_tile_is_hidden(
    doubts: tuple[Message, ...], number: int, left: int
) -> None:
    corners = np.zeros((4, 2))
    tiles = tuple(TallyTile(face, 0.999, (), corners) for face in ("a", "b"))
    reading = TallyReading(tiles, not doubts, doubts, "tiles", doubts, corners).counted(number)
    assert len(reading.doubts) == left
    assert reading.sure is (left == 0)
    assert (reading.hidden_px is None) is (number == 2)
    nothing = TallyReading((), False, (MAY_HIDE,), "nothing", (MAY_HIDE,))
    assert nothing.counted(0) == nothing  # a picture in which nothing was found says nothing
