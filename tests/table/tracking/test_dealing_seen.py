"""A table that was laid before the camera looked: the deal is found from one picture."""

from __future__ import annotations

from random import Random

import pytest
from followed_table import Table, sample_rules

from companion.games.envyra.state import Phase
from companion.lab.simulators.simulated_table import random_state
from companion.table.tracking.appearance import board_look
from companion.table.tracking.happenings import HappeningKind


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_laid_grid_is_dealt_from_the_pictures(players: int) -> None:
    rules = sample_rules(players)
    dealt = random_state(rules, Random(players))
    one = Table(rules, rules.initial())
    one.view = board_look(rules, dealt)
    happenings = [h for _ in range(8) for h in one.glance()]
    assert not {h.kind for h in happenings} - {HappeningKind.EVENT, HappeningKind.LAID}
    assert board_look(rules, one.tracker.state) == one.view
    assert one.tracker.state.phase is Phase.START
