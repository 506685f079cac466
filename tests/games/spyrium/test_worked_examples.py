"""The worked examples of the rulebook, with its own numbers."""

from __future__ import annotations

import pytest
from clause_examples import play
from spyrium_positions import position, rules_of

from companion.i18n import fill

A, B, C, D, E = range(5)
# the Apprentice in the lower left corner: two gaps beside it, the other two sides are outside the market
CORNER = "mine-left geologist geologist workshop-left university-left crane apprentice residence neighbourhood-left"


def player(rules, state, seat):
    return rules.view(state, None)["seats"][seat]


def refusal(rules, state, text):
    return rules.check(state, rules.parse(text))


def says(rules, state, text):
    violation = refusal(rules, state, text)
    return violation.clause, fill(violation.message, violation.facts, str, lambda seat: seat.name)


def test_setting_up_turn_1_puts_a_token_on_the_university_and_gives_2_pounds():
    rules = rules_of(2)
    state = play(rules, rules.initial(), ["future event-money", "first A", "future event-points"])
    cards = "mine-left mine-left workshop-left apprentice university-left geologist crane residence geologist"
    state = play(
        rules, state, [f"deal {slot} {card}" for slot, card in zip(rules.tables.slots, cards.split(), strict=True)]
    )
    assert {outcome.draw.slot for outcome in rules.chance_outcomes(state)} == {"r2c2"}
    state = play(rules, state, ["token r2c2 2"])
    assert rules.view(state, None)["cells"][4]["tokens"] == [2]
    assert [seat["money"] for seat in rules.view(state, None)["seats"]] == [10, 10]  # £8 and a revenue of £2
    assert rules.view(state, None)["event"]["id"] == "event-money"


@pytest.mark.parametrize("gap", ["r2c1|r3c1", "r3c1|r3c2"])
def test_a_worker_beside_the_corner_apprentice_stands_in_one_of_two_gaps(gap):
    rules = rules_of()
    state = position(rules, market=CORNER, seats={"A": {"step": "I"}})
    assert refusal(rules, state, f"A place {gap}") is None


@pytest.mark.parametrize("gap", ["r3c1|r4c1", "r3c0|r3c1", "r2c0|r2c1", "r0c1|r1c1"])
def test_outside_the_market_no_worker_may_stand(gap):
    rules = rules_of()
    state = position(rules, market=CORNER, seats={"A": {"step": "I"}})
    assert refusal(rules, state, f"A place {gap}").clause == "S30"


def test_the_event_gives_3_pounds_for_1_spyrium_once_a_turn():
    rules = rules_of()
    seats = {"B": {"step": "I", "spyrium": 1, "money": 4}}
    state = position(rules, event="event-money", current="B", seats=seats)
    state = play(rules, state, ["B event 1"])
    assert (player(rules, state, B)["money"], player(rules, state, B)["spyrium"]) == (7, 0)
    state = play(rules, state, ["C pass", "A pass"])
    assert refusal(rules, state, "B event 1").clause == "S31"


def test_gaining_money_beside_five_other_workers_gives_5_pounds():
    rules = rules_of(5)
    gaps = {"r1c1|r1c2": "ABC", "r1c1|r2c1": "CDE"}
    state = position(rules, current="C", gaps=gaps, seats={"C": {"money": 1}})
    state = play(rules, state, ["C money r1c1|r1c2 r1c1"])
    assert player(rules, state, C)["money"] == 1 + 5
    assert player(rules, state, C)["workers"]["inactive"] == 1
    assert rules.view(state, None)["cells"][0]["workers"] == 5


def test_calling_the_apprentice_beside_four_others_costs_0_and_4_and_1_spyrium_for_3_points():
    rules = rules_of(5)
    gaps = {"r1c1|r1c2": "EA", "r1c2|r1c3": "B", "r1c2|r2c2": "CD"}
    state = position(rules, current="E", gaps=gaps, seats={"E": {"step": "I", "money": 4, "spyrium": 1}})
    state = play(rules, state, ["E start", "E activate r1c1|r1c2 r1c2"])
    black = player(rules, state, E)
    assert (black["money"], black["spyrium"], black["points"]) == (0, 0, 3)
    assert rules.view(state, None)["cells"][1]["card"]["id"] == "apprentice"  # the card stays
    poor = position(rules, current="E", gaps=gaps, seats={"E": {"money": 3, "spyrium": 1}})
    assert says(rules, poor, "E activate r1c1|r1c2 r1c2") == (
        "S48",
        "Apprentice costs £4 (price £0, other workers £4); E has £3.",
    )


FACTORY = "factory-left apprentice geologist workshop-left university-left crane adviser residence mine-left"
OWNED = {"step": "II", "buildings": "neighbourhood-left laboratory-left"}


@pytest.mark.parametrize(("space", "cost"), [("new", 6 + 2 + 2), ("b1", 6 + 2), ("b2", 6 - 3 + 2)])
def test_the_factory_is_paid_in_three_ways(space, cost):
    """£6 and £2 for two workers; a third space is £2, the neighbourhood saves that, the laboratory £3 more."""
    rules = rules_of()
    gaps = {"r1c1|r1c2": "AB", "r1c1|r2c1": "C"}
    state = position(rules, turn=4, market=FACTORY, gaps=gaps, seats={"A": {**OWNED, "money": 12}})
    after = play(rules, state, [f"A activate r1c1|r1c2 r1c1 space={space}"])
    assert player(rules, after, A)["money"] == 12 - cost
    buildings = [b["design"] for b in player(rules, after, A)["buildings"]]
    assert buildings.count("factory-left") == 1
    assert len(buildings) == (3 if space == "new" else 2)


def test_a_refused_factory_names_its_price_its_workers_and_the_purse():
    rules = rules_of()
    gaps = {"r1c1|r1c2": "AB", "r1c1|r2c1": "C"}
    state = position(rules, turn=4, market=FACTORY, gaps=gaps, seats={"A": {**OWNED, "money": 7}})
    assert says(rules, state, "A activate r1c1|r1c2 r1c1 space=b1") == (
        "S48",
        "Factory (left) costs £8 (price £6, other workers £2); A has £7.",
    )
    assert says(rules, state, "A activate r1c1|r1c2 r1c1 space=new") == (
        "S48",
        "Factory (left) costs £10 (price £6, other workers £2, new space £2); A has £7.",
    )


@pytest.mark.parametrize(("way", "active", "spyrium"), [(1, 3, 1), (2, 2, 2)])
def test_the_mine_gives_1_spyrium_or_2_with_a_worker_and_is_inclined(way, active, spyrium):
    rules = rules_of()
    state = position(rules, current="B", seats={"B": {"spyrium": 0, "buildings": "mine-middle"}})
    state = play(rules, state, [f"B use b1 {way}"])
    green = player(rules, state, B)
    assert (green["workers"]["active"], green["spyrium"]) == (active, spyrium)
    assert green["buildings"][0]["inclined"]
    state = play(rules, state, ["C pass", "A pass"])
    assert refusal(rules, state, "B use b1 1").clause == "S45"


@pytest.mark.parametrize(("choice", "residence", "points"), [("move", 4, 0), ("score", 3, 3)])
def test_the_architect_with_token_1_costs_1_and_moves_to_4_or_scores_3(choice, residence, points):
    rules = rules_of()
    market = "architect apprentice geologist workshop-left university-left crane adviser residence mine-left"
    seats = {"B": {"money": 2, "residence": 1}, "C": {"money": 9}}
    gaps = {"r1c1|r1c2": "B", "r1c1|r2c1": "CC"}
    tokens = {"r1c1": [1, 2], "r2c2": [3]}
    state = position(rules, current="B", market=market, tokens=tokens, gaps=gaps, seats=seats)
    price = 1 + 2  # the sample edition's Architect costs 1, and two other workers stand there
    poor = says(rules, state, f"B activate r1c1|r1c2 r1c1 token=1 residence={choice}")
    assert poor == ("S48", "Architect costs £4 (price £1, other workers £2, token £1); B has £2.")
    rich = position(
        rules, current="B", market=market, tokens=tokens, gaps=gaps, seats={**seats, "B": {"money": 9, "residence": 1}}
    )
    state = play(rules, rich, [f"B activate r1c1|r1c2 r1c1 token=1 residence={choice}"])
    red = player(rules, state, B)
    assert (red["money"], red["residence"], red["points"]) == (9 - price - 1, residence, points)
    # the next one pays the token of 2, and then the Architect cannot be called any more
    assert refusal(rules, state, "C activate r1c1|r2c1 r1c1 token=1 residence=move").clause == "S42"
    state = play(rules, state, ["C activate r1c1|r2c1 r1c1 token=2 residence=move"])
    assert player(rules, state, C)["money"] == 9 - 1 - 1 - 2
    state = play(rules, state, ["A pass", "B pass"])
    assert says(rules, state, "C activate r1c1|r2c1 r1c1 token=2 residence=move") == (
        "S42",
        "No token is left on Architect: it cannot be called upon.",
    )


def test_at_the_end_13_points_of_buildings_and_7_for_automation_are_added():
    """Eight Spyrium, but a technique gives no more than 7."""
    rules = rules_of()
    blue = {"spyrium": 8, "points": 10, "buildings": "mansion workshop-left residence", "techniques": "automation"}
    score = rules.scores(position(rules, turn=6, seats={"A": blue}))[0]
    assert [(line.clause, line.points) for line in score.lines] == [("S51", 10), ("S51", 13), ("S90", 7)]
    assert score.total == 10 + 13 + 7
