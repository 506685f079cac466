"""Positions of Spyrium: stored and refused ones, what the table shows, chances, and texts of events."""

from __future__ import annotations

import copy
from fractions import Fraction

import pytest
from clause_examples import play
from spyrium_positions import position, rules_of

from companion.core.errors import DataError, NotationError
from companion.core.layout import SlotView

GAPS = {"r1c1|r1c2": "ABB", "r2c2|r3c2": "C"}


def corners(rules, slot):
    return next(o.corners_mm for o in rules.layout().slots if o.slot == slot)


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (("turn",), 7, "turn: expected a whole number from 0 to 6"),
        (("players", 0, "active"), 4, "A has 8 workers, not 7"),
        (("players", 1, "money"), 9, "the players have 25 money, not 24"),
        (("players", 2, "spyrium"), 0, "the players have 4 Spyrium, not 6"),
        (("stock",), [8, 8, 7], "7 tokens of 3, not 8"),
        (("market", 0), "palace", "cards: "),
        (("market", 1), "dragon", "market[1]: expected one of"),
        (("event",), "event-place", "an event lies in two places"),
        (("players", 0, "worker_bonus"), False, "A has not the bonus tokens that its points leave"),
        (("players", 0, "step"), [], "players[0].step: expected one of"),
        (("players", 0, "residence"), 6, "A is beyond the track"),
        (("phase",), "over", "over does not fit what lies open"),
        (("weather",), "rain", "weather: unknown key"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_its_key(path, value, expected):
    rules = rules_of()
    data = copy.deepcopy(rules.dump(position(rules)))
    where = data
    for key in path[:-1]:
        where = where[key]
    where[path[-1]] = value
    with pytest.raises(DataError) as caught:
        rules.load(data)
    assert expected in caught.value.message


def test_every_wrong_key_is_told_at_once():
    rules = rules_of()
    data = {**rules.dump(position(rules)), "turn": -1, "first": "Z", "stock": "many"}
    with pytest.raises(DataError) as caught:
        rules.load(data)
    assert all(f"{key}: expected" in caught.value.message for key in ("turn", "first", "stock"))


def test_the_market_lies_in_the_middle_with_twelve_gaps_between_its_cards():
    rules = rules_of()
    outlines = rules.layout().slots
    assert [o.slot for o in outlines if o.holds == "gap"] == list(rules.tables.gaps)
    assert len(rules.tables.gaps) == 12
    # cards of 44 x 68 mm, 26 mm apart, the middle one on the origin
    assert corners(rules, "r2c2") == ((-22, -34), (22, -34), (22, 34), (-22, 34))
    assert corners(rules, "r1c1")[0] == (-92, -128)
    assert corners(rules, "r2c2|r2c3") == ((22, -34), (48, -34), (48, 34), (22, 34))
    assert corners(rules, "r1c2|r2c2") == ((-22, -60), (22, -60), (22, -34), (-22, -34))


@pytest.mark.parametrize("players", [2, 5])
def test_no_two_places_of_the_table_overlap_even_when_own_cards_are_inclined(players):
    boxes = []
    for outline in rules_of(players).layout().slots:
        xs, ys = zip(*outline.corners_mm, strict=True)
        half = max(max(xs) - min(xs), max(ys) - min(ys)) / 2 if "-b" in outline.slot else None
        x, y = sum(xs) / 4, sum(ys) / 4
        box = (min(xs), max(xs), min(ys), max(ys)) if half is None else (x - half, x + half, y - half, y + half)
        boxes.append((outline.slot, box))
    for i, (one, (left, right, top, bottom)) in enumerate(boxes):
        for other, (left_2, right_2, top_2, bottom_2) in boxes[i + 1 :]:
            apart = right <= left_2 or right_2 <= left or bottom <= top_2 or bottom_2 <= top
            assert apart, (one, other)


def test_workers_are_seen_by_colour_and_inclined_buildings_as_inclined():
    rules = rules_of()
    state = position(rules, gaps=GAPS, seats={"B": {"buildings": "mine-left mine-middle*"}})
    board = rules.board(state)
    assert board.at("r1c1|r1c2") == SlotView(pieces=(("blue", 1), ("red", 2)))
    assert board.at("r1c1") == SlotView("mine-left")
    assert (board.at("B-b1"), board.at("B-b2")) == (SlotView("mine-left", 0), SlotView("mine-middle", 1))
    assert (board.at("event").face, board.at("future").face) == ("event-points", "event-place")
    assert board.at("r1c2|r1c3") == SlotView()


def test_a_worker_comes_back_and_then_its_building_moves_from_the_market_to_the_neighbourhood():
    rules = rules_of()
    state = position(rules, gaps=GAPS)
    first, board = rules.board_path(state, rules.parse("A activate r1c1|r1c2 r1c1 space=new"))
    assert first.differs(rules.board(state)) == ("r1c1|r1c2",)
    assert board.at("r1c1") == SlotView()
    assert board.at("A-b1") == SlotView("mine-left", 0)
    assert board.at("r1c1|r1c2").pieces == (("red", 2),)


def test_equal_fronts_of_different_periods_are_one_face():
    rules = rules_of()
    assert rules.same_face("miner-b") == "miner"
    assert rules.same_face("mine-right-b") == "mine-right"
    assert rules.same_face("adviser-c") == "adviser-c"  # it costs more than the one of period B
    assert rules.same_face("no-such-face") == "no-such-face"


def test_a_kind_comes_as_often_as_copies_of_it_are_left_in_the_deck():
    rules = rules_of()
    state = play(
        rules, rules.initial(), ["future event-money", "first A", "future event-points", "deal r1c1 mine-left"]
    )
    chances = {o.draw.card: o.probability for o in rules.chance_outcomes(state)}
    assert chances["mine-left"] == Fraction(2, 29)
    assert chances["workshop-left"] == Fraction(3, 29)
    assert chances["crane"] == Fraction(1, 29)
    assert "palace" not in chances


def test_a_token_comes_from_the_stock_and_then_from_the_discard_pile():
    rules = rules_of()
    state = position(rules, phase="token", stock=[1, 0, 2])
    assert {o.draw.value: o.probability for o in rules.chance_outcomes(state)} == {1: Fraction(1, 3), 3: Fraction(2, 3)}
    state = position(rules, phase="token", stock=[0, 0, 0])
    assert {o.draw.value: o.probability for o in rules.chance_outcomes(state)} == dict.fromkeys(
        (1, 2, 3), Fraction(1, 3)
    )


def test_without_any_token_left_the_market_is_ready_at_once():
    """Five players, and all 24 tokens lie kept or on cards: R-S5."""
    rules = rules_of(5)
    kept = {seat: {"kept": [1, 1, 2, 2, 3, 3], "step": "I"} for seat in "ABCD"}
    market = "miner apprentice geologist workshop-left university-left crane adviser-c residence -"
    state = position(rules, phase="deal", market=market, seats={**kept, "E": {"step": "I"}}, future="event-money")
    assert rules.view(state, None)["supply"]["stock"] == [0, 0, 0]
    state = play(rules, state, ["deal r3c3 mine-left"])
    assert rules.view(state, None)["phase"] == "play"
    assert rules.view(state, None)["cells"][0]["tokens"] == []


@pytest.mark.parametrize(
    "text",
    [
        "", "A", "A dance", "Z pass", "A place", "A pass now", "A use b1 one", "A use b1 01", "first Z", "first 1",
        "A activate r1c1|r1c2", "A activate r1c1|r1c2 r1c1 value=", "A activate r1c1|r1c2 r1c1 token=2 space=new",
        "deal r1c1", "Å pass",
    ],
)  # fmt: skip
def test_what_is_no_event_is_refused_with_the_forms(text):
    with pytest.raises(NotationError, match="expected"):
        rules_of().parse(text)


def test_a_wrong_event_is_told_its_own_form():
    with pytest.raises(NotationError, match=r"expected `A use SPACE WAY \[again=AGAIN\] .*`, got 'A use b1'"):
        rules_of().parse("A use b1")
    with pytest.raises(NotationError, match=r"expected `A activate GAP CARD \[space=SPACE\]"):
        rules_of().parse("A activate r1c1|r1c2")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_player_has_a_purse_of_ones_own_away_from_where_arms_are_looked_for(players):
    rules = rules_of(players)
    layout = rules.layout()
    assert [purse.slot for purse in layout.purses] == list(rules.purses(rules.initial()))
    boxes = [(min(c), max(c)) for c in (o.corners_mm for o in (*layout.purses, *layout.slots))]
    for number, (low, high) in enumerate(boxes[:players]):
        apart = [
            max(a[0] - high[0], low[0] - b[0], a[1] - high[1], low[1] - b[1])
            for a, b in (*boxes[:number], *boxes[number + 1 :])
        ]
        assert min(apart) > 35.0


def test_a_purse_holds_the_players_money():
    rules = rules_of()
    state = position(rules, seats={"A": {"money": 3}, "B": {"money": 0}, "C": {"money": 21}})
    assert rules.purses(state) == {"A-purse": 3, "B-purse": 0, "C-purse": 21}
