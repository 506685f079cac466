"""What people are told of what came of itself on the map."""

from __future__ import annotations

from rifts_positions import position, rules_of

from companion.core.types import Seat
from companion.games.rifts import GAME
from companion.games.rifts.actions import End
from companion.table.prompts import Prompter

FOREST = ["location-01 i11 1", "location-02 j12 1", "location-21 l10 0", "location-05 m9 3"]


def test_two_enemies_on_one_space_are_told_with_the_place_once() -> None:
    rules = rules_of()
    assert GAME.what_followed is not None
    before, after = position(rules, land=FOREST), position(rules, land=FOREST, enemies="m9 m9")
    told = GAME.what_followed(rules, before, End(Seat.A), after)
    said = {
        language: [Prompter(GAME, rules.setup, language).text_of(*one) for one in told] for language in ("en", "sk")
    }
    assert "An enemy appears at m9 (2×)." in said["en"]
    assert "Objavuje sa nepriateľ: m9 (2×)." in said["sk"]
