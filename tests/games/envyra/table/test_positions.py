"""Positions as JSON: what is wrong in one is named key by key, and broken invariants are seen."""

from __future__ import annotations

import json

import pytest
from clause_examples import play
from envyra_positions import position, rules_of
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import DataError, NotationError
from companion.core.types import Seat, SeatInfo, Setup
from companion.games.envyra import GAME
from companion.games.envyra.actions import Choose

RULES = rules_of(3, equilibrium="c")
STATE = position(
    RULES,
    cubes={"r2c3": "BA"},
    open_cards=[["eq-1", ""], ["eq-2", "A"]],
    hands=["eq-3", "eq-4", "eq-5"],
    owned={"A": "fire-2-b"},
)
DUMP = json.loads(json.dumps(RULES.dump(STATE)))


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("phase", "tea", "phase: expected one of"),
        ("round", -1, "round: expected a whole number"),
        ("round", True, "round: expected a whole number"),
        ("first", "Z", "first: expected one of A, B, C"),
        ("grid", [], "grid: expected 9 entries, got 0"),
        ("cubes", ["X"] + [""] * 8, "cubes[0]: expected one of A, B, C"),
        ("reserve", [5, 5, 5], "cubes: A has 6 cubes, not 5"),
        ("owned", [["fire-2-b"], ["fire-2-b"], []], "tiles: fire-2-b lies in 2 places"),
        ("supply", {}, "supply.pool_start: expected a list"),
        ("open_cards", [{}], "open_cards[0]: expected an object of card and taken"),
        ("hands", ["eq-2", "eq-3", "eq-5"], "cards: an Equilibrium card lies in two places"),
        ("over", "E60", "over: does not fit the phase"),
        ("luck", 7, "luck: unknown key"),
    ],
)
def test_a_wrong_key_is_named(key, value, expected):
    with pytest.raises(DataError) as error:
        RULES.load({**DUMP, key: value})
    assert expected in str(error.value)


def test_several_wrong_keys_are_named_at_once():
    with pytest.raises(DataError) as error:
        RULES.load({**DUMP, "round": "x", "turn": None, "first": 3})
    assert all(f"{key}: expected" in str(error.value) for key in ("round", "turn", "first"))


@pytest.mark.parametrize("data", [None, [], "x", 7, {}])
def test_what_is_no_position_is_refused(data):
    with pytest.raises(DataError):
        RULES.load(data)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 99)
    | st.sampled_from(["A", "r1c1", "end", "eq-1", "choose", "E60", ""]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["card", "taken", "known"]), inner),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(DUMP)), JSON, min_size=1, max_size=3))
def test_any_alteration_gives_a_position_without_problems_or_a_clear_error(changes):
    try:
        state = RULES.load({**DUMP, **changes})
    except DataError:
        return  # anything else would fail the test
    assert RULES.problems(state) == ()


def test_lost_and_doubled_pieces_are_problems():
    assert RULES.problems(STATE) == ()
    assert {p.clause for p in RULES.problems(STATE._replace(reserve=(5, 4, 5)))} == {"E4"}
    assert {p.clause for p in RULES.problems(STATE._replace(grid=(-1, *STATE.grid[1:])))} >= {"E1", "E10"}
    full = STATE._replace(cubes=((0,), *STATE.cubes[1:]), reserve=(3, 4, 5))
    assert {p.clause for p in RULES.problems(full)} == {"E40"}  # flora-1-a is captured by one cube


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "got nothing"),
        ("A", "expected a seat or a draw"),
        ("A dance", "expected what A does, got 'dance'"),
        ("A choose", "expected `A choose SLOTS...`"),
        ("A move r1c1 r1c2", "expected `A move SLOT`"),
        ("refill r1c1", "expected `refill SLOT TILE`"),
        ("start Q", "expected a seat (A, B, C, D, E), got 'Q'"),
        ("A move r1č1", "expected plain letters"),
    ],
)
def test_a_text_that_is_no_event_says_what_was_expected(text, expected):
    with pytest.raises(NotationError) as error:
        RULES.parse(text)
    assert expected in str(error.value)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=30))
def test_any_text_is_an_event_or_a_notation_error(text):
    try:
        event = RULES.parse(text)
    except NotationError:
        return
    assert RULES.parse(RULES.format(event)) == event


def test_the_order_in_which_places_are_named_does_not_matter():
    assert Choose(Seat.A, ("r2c1", "r1c3")) == RULES.parse("A choose r1c3 r2c1")


@pytest.mark.parametrize(
    ("players", "options", "expected"),
    [
        (1, {}, "expected 2 to 4 players, got 1"),
        (5, {}, "expected 2 to 4 players, got 5"),
        (3, {"variant": "silly"}, "option 'variant': expected one of standard, basic"),
        (3, {"moon": "full"}, "option 'moon': unknown"),
    ],
)
def test_a_setup_that_cannot_be_played_is_refused(players, options, expected):
    seats = tuple(SeatInfo(str(n), f"colour {n}") for n in range(players))
    with pytest.raises(DataError) as error:
        GAME.make_rules(Setup("envyra", seats, "sample", tuple(options.items())), GAME.load_catalogue("sample"))
    assert expected in str(error.value)


def test_a_catalogue_without_cards_or_alternative_end_tile_refuses_what_needs_them():
    text = GAME.load_catalogue("sample").text
    bare = GAME.load_catalogue(text[: text.index('[[tile]]\nid = "end-k"')])
    seats = (SeatInfo("Ľubo", "purple"), SeatInfo("Ema", "gray"))
    options = (("end_tile", "alternative"), ("equilibrium", "a"))
    with pytest.raises(DataError, match=r"no alternative End tile \(R-01\); .*no Equilibrium cards \(E71\)"):
        GAME.make_rules(Setup("envyra", seats, "bare", options), bare)


def test_a_choice_told_or_only_confirmed_leads_to_the_same_phase_two():
    rules = rules_of(2)
    start = position(rules)
    told = play(rules, start, ["A choose r1c1 r1c2", "B choose r2c1"])
    read = play(rules, start, ["B confirm", "A confirm", "B choose r2c1", "A choose r1c1 r1c2"])
    assert told == read
    assert rules.is_reveal(play(rules, start, ["A choose r1c1 r1c2"]), rules.parse("B choose r2c1"))
    assert not rules.is_reveal(start, rules.parse("A choose r1c1 r1c2"))
    assert rules.is_reveal(play(rules, start, ["A confirm"]), rules.parse("B confirm"))


def test_a_refusal_says_what_would_make_it_right():
    rules = rules_of(3)
    grid = "bonus-4-b flora-1-b flora-2-a water-1-a water-1-b water-2-a fire-1-b fire-2-a fire-2-b"
    state = position(rules, phase="move", grid=grid, owned={"A": "fire-1-a"}, boards={"A": "r1c1 r1c2"})
    violation = rules.check(state, rules.parse("A move r1c1"))
    assert violation.fact("required") == ("flora (green)", "fire (orange)", "fire (orange)")
    assert violation.fact("lacking") == ("flora (green)", "fire (orange)")
    assert (violation.fact("owned_flora"), violation.fact("required_flora")) == (0, 1)
    assert (violation.fact("owned_fire"), violation.fact("required_fire")) == (1, 2)
    assert violation.slots == ("r1c1",)


def test_secrets_are_in_no_view_but_their_seats():
    rules = rules_of(3, equilibrium="b")
    state = play(rules, position(rules, hands=["eq-1", "eq-2", "eq-3"]), ["A choose r1c1 r3c3"])
    for viewer in (None, Seat.B):
        view = rules.view(state, viewer)["seats"][0]
        assert (view["board"], view["reserve"], view["ready"]) == (None, 5, True)
        assert view["secret_card"] is None
        assert "eq-1" not in json.dumps(rules.view(state, viewer))
    assert rules.view(state, Seat.A)["seats"][0]["board"] == ["r1c1", "r3c3"]
    assert rules.view(state, Seat.A)["seats"][0]["secret_card"]["id"] == "eq-1"


def test_two_seats_may_have_been_told_the_same_secret_card():
    """E72: refusing the second would tell its seat what the first holds."""
    twice = {**DUMP, "hands": ["eq-3", "eq-3", "eq-5"]}
    assert RULES.problems(RULES.load(twice)) == ()
