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


def test_why_the_game_ends_is_told_with_the_act_that_ends_it() -> None:
    rules = rules_of()
    assert GAME.what_followed is not None
    before = position(rules, land=["location-03 i8 1"])
    rift = before.rifts[0].cell
    said = {}
    for clause in ("N5", "N6", "N7"):
        after = before._replace(ended=clause, spawning=(0,) if clause == "N6" else ())
        told = GAME.what_followed(rules, before, End(Seat.A), after)
        said[clause] = " ".join(Prompter(GAME, rules.setup, "en").text_of(*one) for one in told)
        assert GAME.what_followed(rules, after, End(Seat.A), after) == ()
    assert said["N5"] == "All three relics are destroyed: everybody has won (N5)."
    where = rules.tables.grid.names[rift]
    assert said["N6"] == f"No enemy can be placed for the rift at {where}: everybody has lost (N6)."
    assert said["N7"] == "The last Rift card is in the market: everybody has lost (N7)."
