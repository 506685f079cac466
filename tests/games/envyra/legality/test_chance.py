"""Chance in numbers: exact probabilities of what is unseen, known to be in the bag, or put aside."""

from __future__ import annotations

from fractions import Fraction

from clause_examples import play
from envyra_positions import position, rules_of

GAP = "- flora-1-b flora-2-a water-1-a water-1-b water-2-a fire-1-a fire-1-b fire-2-a"


def odds(rules, state) -> dict[str, Fraction]:
    return {outcome.draw.tile: outcome.probability for outcome in rules.chance_outcomes(state)}


def test_every_starting_tile_is_as_likely_to_be_dealt():
    rules = rules_of(3)
    assert set(odds(rules, rules.initial()).values()) == {Fraction(1, 15)}


def test_unseen_tiles_share_the_chance_of_their_kind():
    rules = rules_of(3)
    # 8 Starting tiles seen of 13 in the game: 5 of the 7 unseen ones are in the bag, with 16 of 22 Basic ones and End
    chances = odds(rules, position(rules, phase="refill", slot="r1c1", grid=GAP))
    assert chances["flora-1-a"] == Fraction(5, 22) / 7
    assert chances["flora-4-a"] == Fraction(16, 22) / 22
    assert chances["end"] == Fraction(1, 22)
    assert len(chances) == 7 + 22 + 1


def test_with_the_removal_drawn_every_tile_in_the_bag_is_as_likely():
    rules = rules_of(2, removed_tiles="drawn")
    state = rules.initial()
    boxed = 0
    while rules.format(rules.chance_outcomes(state)[0].draw).startswith("box"):
        state = rules.apply(state, rules.chance_outcomes(state)[0].draw)
        boxed += 1
    # E10: 4 Starting tiles, and of 22 Basic ones 14, among them the 6 with 3/4 that need no draw
    assert boxed == 4 + (14 - 6)
    while rules.chance_outcomes(state):
        state = rules.apply(state, rules.chance_outcomes(state)[0].draw)
    # a tile of two cubes lies at r1c2
    state = play(rules, state, ["A choose r1c2", "B choose r1c2", "A move r1c2", "B move r1c2"])
    assert set(odds(rules, state).values()) == {Fraction(1, 14)}


def test_a_tile_put_aside_cannot_come_and_then_is_known_to_be_in_the_bag():
    rules = rules_of(3)
    gaps = "- - flora-2-a water-1-a water-1-b water-2-a fire-1-a fire-1-b fire-2-a"
    state = position(rules, phase="refill", slot="r1c1", grid=gaps)
    state = play(rules, state, ["refill r1c1 end"])
    assert "end" not in odds(rules, state)
    assert sum(odds(rules, state).values()) == 1
    state = play(rules, state, ["refill r1c1 flora-4-a"])
    assert odds(rules, state)["end"] == Fraction(1, 22)


def test_replacements_that_went_back_are_known_to_be_in_the_bag():
    rules = rules_of(3)
    grid = "flora-1-c flora-3-b flora-4-b water-3-b fire-3-b bonus-2-b bonus-3-b flora-2-c fire-4-b"
    owned = {"B": "water-1-a fire-1-a", "C": "water-1-b fire-2-a"}
    state = position(rules, phase="remove", grid=grid, owned=owned)
    state = play(rules, state, ["A remove r1c2", "replace r1c2 fire-2-c"])
    total = state.supply.in_bag
    state = play(rules, state, ["replace r1c2 flora-4-a"])
    assert state.supply.in_bag == total  # one more drawn, the one put aside is back
    view = rules.view(state, None)["supply"]
    assert view["themes"]["fire"]["known"] == 1


def test_a_physical_bag_gives_as_many_tiles_as_the_rulebook_says():
    for players, count in ((2, 14), (3, 21), (4, 24)):  # E13
        rules = rules_of(players)
        state = rules.initial()
        while rules.chance_outcomes(state):
            state = rules.apply(state, rules.chance_outcomes(state)[-1].draw)
        assert rules.view(state, None)["supply"]["count"] == count


def test_secret_cards_are_dealt_clockwise_from_the_starting_figure_each_as_likely():
    rules = rules_of(3, equilibrium="b")
    state = rules.initial()
    while rules.chance_outcomes(state)[0].draw.__class__.__name__ != "StartingFigure":
        state = rules.apply(state, rules.chance_outcomes(state)[0].draw)
    state = play(rules, state, ["start B"])
    outcomes = rules.chance_outcomes(state)
    assert {rules.format(o.draw)[:6] for o in outcomes} == {"hand B"}
    assert {o.probability for o in outcomes} == {Fraction(1, 6)}  # E73: three of nine cards are for four players
