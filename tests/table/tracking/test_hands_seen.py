"""What hands have done between two views, in the order in which hands do it."""

from random import Random

from followed_table import play_texts, sample_rules

from companion.core.layout import BoardView, SlotView
from companion.lab.simulators.simulated_table import random_state
from companion.table.tracking.appearance import board_look
from companion.table.tracking.hands_seen import done, explained
from companion.table.tracking.happenings import HappeningKind
from companion.table.tracking.judging.verdicts import Explained


def test_a_face_in_place_of_another_is_said_to_be_lifted() -> None:
    before = BoardView((("a", SlotView("x")), ("b", SlotView())))
    after = BoardView((("a", SlotView("y")), ("b", SlotView("z"))))
    assert [(h.kind, h.slots) for h in done(None, before, after, 4)] == [
        (HappeningKind.LIFTED, ("a",)), (HappeningKind.LAID, ("b",)),
    ]


def test_pieces_are_taken_back_before_others_are_put_down() -> None:
    before = BoardView((("a", SlotView("x", None, (("red", 2),))), ("b", SlotView("y"))))
    after = BoardView((("a", SlotView("x", None, (("red", 1),))), ("b", SlotView("y", None, (("red", 1),)))))
    assert [(h.kind, h.slots) for h in done(None, before, after, 4)] == [
        (HappeningKind.RETURNED, ("a",)), (HappeningKind.PLACED, ("b",)),
    ]


def test_an_event_carries_the_states_before_and_after_it() -> None:
    rules = sample_rules()
    state = random_state(rules, Random(3))
    event = rules.legal_actions(state)[0]
    after = rules.apply(state, event)
    view = board_look(rules, state)
    told = list(explained(rules, state, view, Explained((event,), after, board_look(rules, after), 5.0), 7))
    assert [(h.kind, h.before, h.state, h.frame) for h in told] == [(HappeningKind.EVENT, state, after, 7)]
    assert play_texts(rules, state, rules.format(event)) == after
