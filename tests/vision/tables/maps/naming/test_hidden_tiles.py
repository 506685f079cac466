"""Facts about tiles that pieces and light hide: which are looked for in what is seen."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from map_plan_kit import PAIR, STEP_MM, hexagon

from vision.appearance.picture_light import PictureLight
from vision.tables.maps.map_plan import MapPlan
from vision.tables.maps.naming.hidden_tiles import HiddenTiles
from vision.tables.maps.naming.space_votes import SpaceVotes
from vision.tables.maps.naming.tile_naming import NamedTiles
from vision.tables.maps.since import SinceThen
from vision.tables.maps.space_pieces import SpacePiece
from vision.tables.place import LOCATION, PlaceReading, PlaceState

TWIN = SpacePiece("twin", ("first-again", "second"), ((0.0, 0.0), (STEP_MM, 0.0)))
SAME = {"first": "first", "second": "second", "first-again": "first"}
LIGHT = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 2.0)


@pytest.mark.parametrize(("pieces", "is_named"), [([PAIR], False), ([PAIR, TWIN], True)])
def test_a_tile_of_which_the_box_has_no_other_is_not_seen_twice(pieces: list[SpacePiece], is_named: bool) -> None:
    plan = MapPlan([hexagon(f"s{k}", k * STEP_MM, 0.0) for k in range(6)], pieces)
    on_spaces = SimpleNamespace(explains=lambda *_, **__: True)
    standing: Any = SimpleNamespace(on_spaces=on_spaces, on_corners=SimpleNamespace(corners_mm={}))
    hidden = HiddenTiles(plan, SpaceVotes(plan, SAME), standing)
    faint = PlaceReading("s4", LOCATION, PlaceState.UNKNOWN, turn=0, alternatives=(("pair", 0.5),))
    lies = PlaceReading("s0", LOCATION, PlaceState.UNKNOWN, turn=0).named((("pair", 0.99),))
    named = NamedTiles({}, {"s0": lies, "s4": faint}, {"s0", "s1"}, plan.shown_by(("s0", "pair", 0)))
    seen: Any = SimpleNamespace(shot=SimpleNamespace(laid=()), middles=plan.middles, window=np.zeros(2))
    found, _ = hidden.under_pieces(seen, named, SinceThen(None, (), frozenset(), None), LIGHT)
    assert (found.slots["s4"].state is PlaceState.FACE) == is_named
