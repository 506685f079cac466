"""How an event is seen first is told without working out the table after it: both ways say the same."""

from __future__ import annotations

from random import Random

import pytest

from companion.core.types import SeatInfo, Setup
from companion.games.spyrium import GAME
from companion.games.spyrium.actions import Activate, Deal, Money, Place, Use
from companion.games.spyrium.edition.options import COLOURS
from companion.lab.simulators.simulated_table import play

OF_A_GAME = {Place, Money, Activate, Use, Deal}
"""What every game of some length has."""


@pytest.mark.parametrize(("players", "seed"), [(2, 5), (3, 6), (4, 7)])
def test_what_is_seen_first_is_what_the_table_shows_first(players: int, seed: int) -> None:
    catalogue = GAME.load_catalogue(GAME.default_catalogue)
    seats = tuple(SeatInfo(f"P{n}", COLOURS[n]) for n in range(players))
    rules = GAME.make_rules(Setup(GAME.name, seats, GAME.default_catalogue), catalogue)
    told: set[type] = set()
    for number, (_, before, _) in enumerate(play(rules, rules.initial(), Random(seed))):
        draws = (outcome.draw for outcome in rules.chance_outcomes(before))
        for event in (*rules.legal_actions(before), *draws) if number % 2 == 0 else ():
            first = rules.seen_first(before, event)
            if first is None:
                continue
            now, path = rules.board(before), rules.board_path(before, event)
            assert now.differs(path[0]) == (first.slot,), event
            assert {view.at(first.slot) for view in path} == {first.view}, event
            if first.then is not None:
                begun = now.with_slots({first.slot: first.view})
                assert path == ((begun, begun.with_slots(dict(first.then))) if first.then else (begun,)), event
            told.add(type(event))
    assert told >= OF_A_GAME
