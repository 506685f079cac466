"""Mages who are knocked out while hands are filled, and several tokens on one space."""

from __future__ import annotations

import json
import random

import pytest
from contract_kit import sample_draw
from rifts_positions import position, rules_of

from companion.games.rifts.actions import Attack, Cast, End, Join, Move, Refuse
from companion.games.rifts.state import Phase

# m9 is forest, l11 and m10 river; what these tiles are: tests/data/rifts/clauses.toml
FOREST = ["location-01 i11 1", "location-02 j12 1", "location-21 l10 0", "location-05 m9 3"]


STARTING = {  # the starting decks of the sample edition
    "A": ["ember"] * 6 + ["flare"] * 3 + ["blaze"],
    "B": ["pebble"] * 6 + ["root"] * 3 + ["boulder"],
    "C": ["breeze"] * 6 + ["gust"] * 3 + ["gale"],
    "D": ["drop"] * 6 + ["splash"] * 3 + ["wave"],
}


def wounded(seat: str, in_hand: int, in_deck: int) -> dict[str, str]:
    """A mage at m9 with so many Wounds in a hand of five and as the whole deck, the other cards discarded."""
    cards = STARTING[seat]
    rest = 5 - in_hand
    return {
        "at": "m9",
        "hand": " ".join(cards[:rest] + ["wound"] * in_hand),
        "deck": " ".join(["wound"] * in_deck),
        "discard": " ".join(cards[rest:]),
    }


def real_and_wounded(seat: str) -> dict[str, str]:
    """A mage at m9 with six Wounds among the cards of its hand and deck."""
    return {"at": "m9", "deck": " ".join(STARTING[seat] + ["wound"] * 6)}


def after(rules, state, *texts: str):
    for text in texts:
        state = rules.apply(state, rules.parse(text))
    return state


def loads(rules, state) -> bool:
    return rules.problems(state) == () and rules.load(json.loads(json.dumps(rules.dump(state)))) == state


def joint(seats, players: int = 3, enemies: str = "m9"):
    rules = rules_of(players)
    return rules, position(rules, land=FOREST, enemies=enemies, seats=seats)




def test_a_helper_knocked_out_after_agreeing_has_left_the_fight():
    rules, state = joint({"A": {"at": "m9"}, "B": wounded("B", 3, 1), "C": {"at": "m9"}})
    state = after(rules, state, "A fight enemy", "B join", "C join", "B cast pebble", "C cast breeze",
                  "A done", "B done", "C done", "gold 1", "A share A1+token B0 C0", "B agree", "C agree",
                  "hand B wound")  # fmt: skip
    assert state.mages[1].down
    assert state.phase is Phase.HAND  # C is still to draw
    assert loads(rules, state)


def test_who_made_the_last_offer_may_be_knocked_out():
    rules, state = joint({"A": {"at": "m9"}, "B": wounded("B", 3, 1), "C": {"at": "m9"}})
    state = after(rules, state, "A fight enemy", "B join", "C join", "B cast pebble", "C cast breeze",
                  "A done", "B done", "C done", "gold 1", "A share A1+token B0 C0", "B refuse",
                  "B share A0 B1+token C0", "A agree", "C agree", "hand B wound")  # fmt: skip
    assert state.mages[1].down
    assert state.phase is Phase.HAND
    assert state.mages[1].vanquished == 1
    assert loads(rules, state)


@pytest.mark.parametrize("helpers", [("B",), ("B", "C")])
def test_the_others_draw_up_to_five_when_the_mage_whose_turn_it_is_is_knocked_out(helpers):
    """N30: "At the end of the combat round, ... draw up to your hand limit of five cards"."""
    seats = {"A": wounded("A", 3, 1), "B": {"at": "m9"}, "C": {"at": "m9"}}
    rules, state = joint(seats)
    state = after(rules, state, "A fight enemy", *(f"{x} {'join' if x in helpers else 'stay'}" for x in "BC"))
    state = after(rules, state, "A cast ember", *(f"{x} cast {card_of(rules, state, x)}" for x in helpers),
                  *(f"{x} done" for x in ("A", *helpers)), "gold 1")  # fmt: skip
    share = " ".join(["A1+token", *(f"{x}0" for x in helpers)])
    state = after(rules, state, f"A share {share}", *(f"{x} agree" for x in helpers), "hand A wound")
    assert state.mages[0].down
    drawn = []
    while state.phase is Phase.HAND:
        assert loads(rules, state)
        event = rules.chance_outcomes(state)[0].draw
        drawn.append(event.seat.name)
        state = rules.apply(state, event)
    assert drawn == list(helpers)
    assert [m.hand_size for m in state.mages[1:]] == [5, 5]
    assert (state.turn, state.current) == (2, 1)  # and the turn is over
    assert loads(rules, state)


def card_of(rules, state, name: str) -> str:
    seat = "ABCD".index(name)
    return next(rules.tables.cards[kind] for kind, n in enumerate(state.mages[seat].hand) if n)


def test_two_may_be_knocked_out_in_one_drawing_and_the_third_still_draws():
    seats = {"A": wounded("A", 3, 1), "B": wounded("B", 3, 1), "C": {"at": "m9"}}
    rules, state = joint(seats)
    state = after(rules, state, "A fight enemy", "B join", "C join", "A cast ember", "B cast pebble")
    state = after(rules, state, f"C cast {card_of(rules, state, 'C')}", "A done", "B done", "C done", "gold 1",
                  "A share A1+token B0 C0", "B agree", "C agree", "hand A wound", "hand B wound")  # fmt: skip
    assert [m.down for m in state.mages] == [True, True, False]
    assert loads(rules, state)
    assert rules.chance_outcomes(state)[0].draw.seat.name == "C"


def test_the_second_token_of_a_space_may_be_fought_after_the_first_withstood():
    rules, state = joint({"A": {"at": "m9"}}, players=2, enemies="m9 m9")
    state = after(rules, state, "A fight enemy", "A done")
    state = after(rules, state, "A fight enemy", "A done")
    violation = rules.check(state, rules.parse("A fight enemy"))
    assert violation is not None
    assert violation.clause == "R-N13"  # each of the two has withstood
    assert loads(rules, state)


def test_a_token_that_withstood_is_left_when_the_other_one_is_defeated():
    rules, state = joint({"A": {"at": "m9"}}, players=2, enemies="m9 m9")
    state = after(rules, state, "A fight enemy", "A done", "A fight enemy")
    state = after(rules, state, f"A cast {card_of(rules, state, 'A')}", "A done", "gold 1")
    while state.phase is Phase.HAND:
        state = rules.apply(state, rules.chance_outcomes(state)[0].draw)
    violation = rules.check(state, rules.parse("A fight enemy"))
    assert violation is not None
    assert violation.clause == "R-N13"


FIGHTING = {Attack: 8, Join: 6, Refuse: 3, Move: 0.2, Cast: 1, End: 0.2}
EVENTS = 150


@pytest.mark.parametrize("seed", range(24))
def test_every_state_loads_where_wounded_mages_fight_a_crowd(seed):
    """Knock-outs of helpers and of the mage whose turn it is, before and after the round, among many enemies."""
    rng = random.Random(f"wounded {seed}")
    players, real = rng.choice((3, 4)), seed % 3 == 0
    rules = rules_of(players, hands="table" if real else "companion")
    seats = {x: real_and_wounded(x) if real else wounded(x, 2, 4) for x in "ABCD"[:players]}
    state, fallen = position(rules, land=FOREST, enemies="m9 " * 8, seats=seats), 0
    for _ in range(EVENTS):
        if rules.result(state) is not None:
            break
        before, actions = state, rules.legal_actions(state)
        if actions:
            event = rng.choices(actions, [FIGHTING.get(type(a), 2) for a in actions])[0]
        else:
            event = sample_draw(rules.chance_outcomes(state), rng)
        state = rules.apply(state, event)
        fallen += sum(now.down and not then.down for now, then in zip(state.mages, before.mages, strict=True))
        assert loads(rules, state), rules.dump(state)
    assert fallen
