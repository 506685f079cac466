"""What may happen next so that it can be seen: draws and acts that change the table, after what was hidden."""

from __future__ import annotations

from dataclasses import replace
from math import exp

import pytest
from toy_game import TOY_SETUP, Hide, Token, ToyRules, ToyState

from companion.core.game import UnseenAct
from companion.core.layout import BoardView, SlotView
from companion.core.types import Action, Seat
from companion.table.tracking.doings import EVENT_PRIOR, doings, doings_in_one_go, lookalikes, unseen_chains
from companion.table.tracking.hypotheses import MAX_NODES

PEARLS = {"rounds": 3, "red": 3, "blue": 1}


class Pearls(ToyRules):
    """The toy, which can be told apart from others of its kind only by itself."""

    __hash__ = object.__hash__


class OnePearl(Pearls):
    """The toy as it is played by two who can afford but one pearl: their secret acts could not have been others."""

    def unseen_before(self, state: ToyState) -> UnseenAct | None:
        for seat in self.to_act(state):
            if state.hidden[seat] is None:
                return UnseenAct(Hide(seat, 1), forced=True)
        return None


def hidden(rules: ToyRules, a: int = 3, b: int = 2) -> ToyState:
    """A state in which a token is drawn next."""
    return rules.apply(rules.apply(rules.initial(), Hide(Seat.A, a)), Hide(Seat.B, b))


def shown(token: str, a: int = 3, b: int = 2) -> BoardView:
    """The table after the token was drawn."""
    return BoardView(
        (("a", SlotView(pieces=(("pink", a),))), ("b", SlotView(pieces=(("gray", b),))), ("token", SlotView(token)))
    )


@pytest.fixture(scope="module")
def rules() -> Pearls:
    return Pearls(TOY_SETUP, PEARLS)


def test_secret_acts_leave_nothing_to_be_seen(rules: Pearls) -> None:
    assert rules.legal_actions(rules.initial())
    assert doings(rules, rules.initial()) == ()


def test_each_token_that_may_be_drawn_is_a_doing_with_the_table_it_leads_to(rules: Pearls) -> None:
    found = {doing.event: doing for doing in doings(rules, hidden(rules))}
    assert set(found) == {Token("red"), Token("blue")}
    red = found[Token("red")]
    assert red.path == (shown("red"),)
    assert red.touched == ("a", "b", "token")
    assert red.changed == {"a", "b", "token"}
    assert red.done == {"token"}  # only there a face lies


def test_the_odds_of_a_draw_count_for_a_quarter_and_each_event_must_pay_for_itself(rules: Pearls) -> None:
    red, blue = doings(rules, hidden(rules))  # three red, one blue
    assert exp(red.log_prior - blue.log_prior) == pytest.approx(3**0.25)
    assert blue.log_prior < red.log_prior < EVENT_PRIOR < 0


def test_a_token_that_is_not_in_the_bag_cannot_be_drawn() -> None:
    rules = Pearls(TOY_SETUP, PEARLS | {"blue": 0})
    assert [doing.event for doing in doings(rules, hidden(rules))] == [Token("red")]


def test_what_was_certainly_done_unseen_goes_before_what_is_seen() -> None:
    rules = OnePearl(TOY_SETUP, PEARLS)
    ways = {doing.events: doing.path for doing in doings(rules, rules.initial())}
    both = (Hide(Seat.A, 1), Hide(Seat.B, 1))
    assert ways == {(*both, Token(colour)): (shown(colour, 1, 1),) for colour in ("red", "blue")}


def test_unseen_acts_are_added_one_by_one_until_nothing_is_certain() -> None:
    rules = OnePearl(TOY_SETUP, PEARLS)
    chains = list(unseen_chains(rules, rules.initial()))
    assert [len(acts) for acts, _, _ in chains] == [0, 1, 2]
    assert [state.hidden for _, state, _ in chains] == [(None, None), (1, None), (1, 1)]


def test_rules_that_tell_of_nothing_unseen_have_the_empty_chain_alone(rules: Pearls) -> None:
    assert list(unseen_chains(rules, rules.initial())) == [((), rules.initial(), None)]


def test_a_table_is_explained_by_the_events_that_lead_to_it_and_by_no_others(rules: Pearls) -> None:
    before = hidden(rules)
    assert lookalikes(rules, before, shown("blue")) == ((Token("blue"),),)
    assert lookalikes(rules, before, shown("blue", a=1)) == ()
    assert lookalikes(rules, before, BoardView()) == ()


def test_without_the_slot_that_tells_them_apart_two_draws_look_alike(rules: Pearls) -> None:
    found = lookalikes(rules, hidden(rules), shown("red"), outside=frozenset({"token"}))
    assert set(found) == {(Token("red"),), (Token("blue"),)}


def test_rules_without_acts_in_one_go_have_none(rules: Pearls) -> None:
    seen = frozenset({("token", SlotView("red"))})
    assert doings_in_one_go(rules, hidden(rules), seen) == ()


def test_what_may_follow_the_states_of_a_whole_search_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = OnePearl(TOY_SETUP, PEARLS)
    asked: list[ToyState] = []
    legal = ToyRules.legal_actions

    def counted(self: ToyRules, state: ToyState) -> tuple[Action, ...]:
        asked.append(state)
        return legal(self, state)

    monkeypatch.setattr(ToyRules, "legal_actions", counted)
    states = [replace(hidden(rules), points=(n, 0)) for n in range(MAX_NODES)]
    first = [doings(rules, state) for state in states]
    assert len(asked) >= MAX_NODES
    asked.clear()
    assert [doings(rules, state) for state in states] == first  # as in the next picture of the same scene
    assert asked == []
