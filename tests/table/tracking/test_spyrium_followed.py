"""A table of Spyrium followed picture by picture: what is taken, what is asked, what is an alarm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import log
from random import Random

import pytest
from followed_table import Table, play_texts
from spyrium_positions import position, rules_of

from companion.app.camera.picture_loop import PictureLoop
from companion.core.inputs import BoardObservation, Sight, SlotReading
from companion.core.layout import SlotView
from companion.core.types import Seat
from companion.games.spyrium import GAME
from companion.games.spyrium.state import Phase, Step
from companion.lab.simulators.simulated_following import FollowedCounts, _Followed, follow_game
from companion.lab.simulators.simulated_table import even_noise, random_state
from companion.table.tracking.appearance import board_look
from companion.table.tracking.happenings import Happening, HappeningKind
from companion.table.tracking.judging.reconcile import DEFAULT_DEMANDS, LIVE_DEMANDS
from companion.table.tracking.judging.verdicts import Ambiguous

EMPTY = SlotView()
FIRST = {"A": {"step": "I"}, "B": {"step": "I"}, "C": {"step": "I"}}


def table(outside: frozenset[str] = frozenset(), **words: object) -> Table:
    rules = rules_of()
    return Table(rules, position(rules, **words), outside=outside)


def events(one: Table, happenings: tuple[Happening, ...]) -> list[str]:
    return [one.rules.format(h.event) for h in happenings if h.event is not None]


def glances(one: Table, count: int = 4) -> tuple[Happening, ...]:
    return (*one.look(), *(h for _ in range(count - 1) for h in one.glance()))


def asked(one: Table) -> set[tuple[str, ...]]:
    assert isinstance(one.tracker.asked, Ambiguous)
    return {tuple(map(one.rules.format, chain)) for chain in one.tracker.asked.choices}


def test_a_placed_worker_is_taken_at_once():
    one = table(seats=FIRST)
    one.put("r1c1|r1c2", "blue")
    assert events(one, one.look()) == ["A place r1c1|r1c2"]


def test_a_placed_worker_is_asked_about_while_the_event_allows_to_place_it_in_phase_two():
    one = table(seats=FIRST, event="event-place", future="event-money")
    one.tracker.presumes = False
    one.put("r1c1|r1c2", "blue")
    glances(one)
    assert asked(one) == {("A place r1c1|r1c2",), ("A start", "A event use gap=r1c1|r1c2")}


def test_nobody_waits_for_more_of_a_placement_that_may_be_the_event_and_people_wait_for_the_coins_of_a_worker():
    placed = table(seats=FIRST, event="event-place", future="event-money")
    placed.put("r1c1|r1c2", "blue")
    taken_back = table(gaps={"r1c1|r1c2": "A"}, seats=FIRST)
    taken_back.put("r1c1|r1c2", "blue", -1)
    for one in (placed, taken_back):
        one.tracker.hold_ms, one.tracker.presumes = 4000, False
        glances(one)
    assert placed.tracker.held is None
    assert placed.tracker.asked is not None
    assert taken_back.tracker.held is not None


def test_a_placement_is_offered_before_the_event_that_looks_alike_when_the_next_player_has_placed_too():
    one = table(seats=FIRST, event="event-place", future="event-money")
    one.tracker.presumes = False
    one.put("r1c1|r1c2", "blue")
    one.put("r2c1|r2c2", "red")
    glances(one)
    assert isinstance(one.tracker.asked, Ambiguous)
    told = [tuple(map(one.rules.format, chain)) for chain in one.tracker.asked.choices]
    assert told == [("A place r1c1|r1c2",), ("A start", "A event use gap=r1c1|r1c2")]


def test_a_building_with_two_effects_is_asked_about_when_it_is_inclined():
    one = table(seats={"A": {"step": "II", "buildings": "mine-middle"}})
    one.lay("A-b1", SlotView("mine-middle", 1))
    glances(one)
    assert asked(one) == {("A use b1 1",), ("A use b1 2",)}


def test_a_building_straightened_within_the_turn_is_an_alarm():
    one = table(seats={"A": {"step": "II", "buildings": "mine-left*"}})
    one.lay("A-b1", SlotView("mine-left", 0))
    (alarm,) = glances(one)
    assert (alarm.kind, alarm.violation.clause) == (HappeningKind.ILLEGAL, "S50")


def test_two_players_placing_into_the_same_gap_between_two_pictures_are_two_acts():
    one = table(seats=FIRST)
    one.put("r1c1|r1c2", "blue")
    one.put("r1c1|r1c2", "red")
    assert events(one, glances(one)) == ["A place r1c1|r1c2", "B place r1c1|r1c2"]


def test_an_act_does_not_wait_for_the_doubt_whether_the_next_player_has_acted():
    one = table(seats=FIRST)
    one.put("r1c1|r1c2", "blue")
    one.put("r1c2|r2c2", "red")
    seen = one.eyes.look(one.view)
    slots = tuple(replace(s, pieces_p=0.6) if s.slot == "r1c2|r2c2" else s for s in seen.slots)
    assert events(one, one.tracker.observe(replace(seen, slots=slots))) == ["A place r1c1|r1c2"]
    assert events(one, glances(one)) == ["B place r1c2|r2c2"]


def test_who_took_a_worker_back_is_asked_what_for_though_another_gap_is_in_doubt():
    one = table(gaps={"r1c1|r1c2": "A", "r2c2|r2c3": "B"}, seats={**FIRST, "A": {"step": "II"}, "B": {"step": "II"}})
    one.tracker.presumes = False
    one.put("r1c1|r1c2", "blue", -1)
    one.put("r2c2|r2c3", "red", -1)
    seen = one.eyes.look(one.view)
    slots = tuple(replace(s, pieces_p=0.3) if s.slot == "r2c2|r2c3" else s for s in seen.slots)
    for _ in range(4):
        one.tracker.observe(replace(seen, slots=slots))
    question = one.tracker.asked
    assert isinstance(question, Ambiguous)
    assert (question.seat, question.telling, question.doubted) == (Seat.A, ("r1c1|r1c2",), {"r2c2|r2c3"})
    assert len(question.choices) > 1
    assert {len(chain) for chain in question.choices} == {1}
    # what the answer says of one gap it does not say of the other
    number = next(n for n, chain in enumerate(question.choices) if one.rules.format(chain[0]).startswith("A money"))
    told = question.choices[number]
    one.tracker.answered(told, one.rules.apply(one.tracker.state, told[0]), 9)
    glances(one)
    assert isinstance(one.tracker.asked, Ambiguous)
    assert one.tracker.asked.telling == ("r2c2|r2c3",)


def test_an_act_is_not_made_sure_by_what_the_next_player_may_have_done():
    """One picture may misread both places."""
    one = table(seats=FIRST)
    one.tracker.demands = LIVE_DEMANDS
    one.put("r1c1|r1c2", "blue")
    one.put("r1c2|r2c2", "red")
    assert events(one, one.look()) == []
    assert events(one, tuple(h for _ in range(3) for h in one.glance())) == ["A place r1c1|r1c2", "B place r1c2|r2c2"]


def test_a_worker_taken_back_is_asked_about_with_everything_it_can_have_been_for():
    one = table(gaps={"r1c1|r1c2": "A"}, seats=FIRST)
    one.put("r1c1|r1c2", "blue", -1)
    happenings = glances(one)
    assert [h.kind for h in happenings] == [HappeningKind.ASKED]
    assert asked(one) == {
        ("A start", "A money r1c1|r1c2 r1c1"),
        ("A start", "A money r1c1|r1c2 r1c2"),
        ("A start", "A activate r1c1|r1c2 r1c1 space=new"),
        ("A start", "A activate r1c1|r1c2 r1c2"),
    }


@pytest.mark.parametrize(("workers", "taken_back"), [("AB", True), ("AABB", False)])
def test_a_worker_missing_from_a_crowd_may_stand_behind_the_others(workers: str, taken_back: bool):
    one = table(gaps={"r1c1|r1c2": workers}, seats=FIRST)
    one.tracker.demands, one.tracker.hold_ms = DEFAULT_DEMANDS, 4000
    one.put("r1c1|r1c2", "blue", -1)
    one.look()
    assert (one.tracker.held is not None) is taken_back
    one.lay("r1c1", EMPTY)
    one.lay("A-b1", SlotView("mine-left", 0))
    assert events(one, one.look()) == ["A start", "A activate r1c1|r1c2 r1c1 space=new"]


def test_the_card_that_follows_its_worker_answers_the_question():
    one = table(gaps={"r1c1|r1c2": "A"}, seats=FIRST)
    one.put("r1c1|r1c2", "blue", -1)
    glances(one)
    one.lay("r1c1", EMPTY)
    one.lay("A-b1", SlotView("mine-left", 0))
    happenings = glances(one)
    assert HappeningKind.CLEARED in {h.kind for h in happenings}
    assert events(one, happenings) == ["A start", "A activate r1c1|r1c2 r1c1 space=new"]


def test_a_worker_beside_no_card_any_more_can_have_come_back_for_nothing_only():
    market = "- - geologist workshop-left university-left crane adviser-c residence neighbourhood-left"
    one = table(market=market, gaps={"r1c1|r1c2": "A"}, seats={"A": {"step": "II"}})
    one.put("r1c1|r1c2", "blue", -1)
    assert events(one, one.look()) == ["A money r1c1|r1c2 none"]


def test_where_own_buildings_are_outside_of_the_picture_it_is_asked_which_one_was_replaced():
    rules = rules_of()
    outside = frozenset(o.slot for o in rules.layout().slots if "-b" in o.slot)
    one = table(outside, gaps={"r1c1|r1c2": "A"}, seats={"A": {"step": "II", "buildings": "workshop-left"}})
    one.put("r1c1|r1c2", "blue", -1)
    one.lay("r1c1", EMPTY)
    glances(one)
    assert asked(one) == {(f"A activate r1c1|r1c2 r1c1 space={space}",) for space in ("new", "b1")}


def test_the_first_building_is_taken_though_own_buildings_are_outside_of_the_picture():
    rules = rules_of()
    outside = frozenset(o.slot for o in rules.layout().slots if "-b" in o.slot)
    one = table(outside, gaps={"r1c1|r1c2": "A"}, seats={"A": {"step": "II"}})
    one.put("r1c1|r1c2", "blue", -1)
    one.lay("r1c1", EMPTY)
    assert events(one, one.look()) == ["A activate r1c1|r1c2 r1c1 space=new"]
    assert one.tracker.view == board_look(rules, one.tracker.state)  # nobody waits for what nobody will see


def test_what_lies_outside_of_the_picture_is_never_empty():
    rules = rules_of()
    outside = frozenset(o.slot for o in rules.layout().slots)
    one = table(outside, gaps={"r1c1|r1c2": "AB"}, seats={"A": {"buildings": "mine-left*"}})
    assert glances(one) == ()


def test_an_inclined_building_was_used_in_the_only_way_it_has():
    one = table(seats={"A": {"step": "II", "buildings": "mine-left"}})
    one.lay("A-b1", SlotView("mine-left", 1))
    assert events(one, one.look()) == ["A use b1 1"]


def test_a_player_who_could_only_pass_has_passed_when_the_next_one_acts():
    one = table(gaps={"r2c1|r2c2": "C"}, seats={**FIRST, "A": {"step": "II", "used_event": True}})
    one.put("r1c1|r1c2", "red")
    assert events(one, one.look()) == ["A pass", "B place r1c1|r1c2"]


def test_a_player_who_could_have_placed_another_worker_has_not_passed_unseen():
    one = table(seats={**FIRST, "A": {"step": "I", "used_event": True}})
    one.put("r1c1|r1c2", "red")
    (alarm,) = glances(one)
    assert (alarm.kind, alarm.violation.clause) == (HappeningKind.ILLEGAL, "S24")


def test_a_player_who_could_only_start_phase_two_and_pass_has_done_so_when_the_next_one_acts():
    one = table(seats={**FIRST, "A": {"step": "I", "used_event": True, "inactive": 3}})
    one.put("r1c1|r1c2", "red")
    assert events(one, one.look()) == ["A start", "A pass", "B place r1c1|r1c2"]


def test_a_player_who_could_have_used_the_event_is_waited_for():
    one = table(seats={**FIRST, "A": {"step": "II"}})
    one.put("r1c1|r1c2", "red")
    (alarm,) = glances(one)
    assert (alarm.kind, alarm.violation.clause) == (HappeningKind.ILLEGAL, "S24")
    one.told("A pass")
    assert [h.kind for h in one.glance()] == [HappeningKind.CORRECTED, HappeningKind.EVENT]


def test_a_foreign_worker_taken_is_an_alarm_until_it_is_back():
    one = table(gaps={"r1c1|r1c2": "AB"}, seats=FIRST)
    one.put("r1c1|r1c2", "red", -1)
    (alarm,) = glances(one)
    assert (alarm.kind, alarm.violation.clause) == (HappeningKind.ILLEGAL, "S24")
    one.put("r1c1|r1c2", "red")
    assert [h.kind for h in one.look()] == [HappeningKind.CORRECTED]


def test_two_workers_placed_in_one_turn_are_an_alarm():
    one = table(seats=FIRST)
    one.put("r1c1|r1c2", "blue", 2)
    happenings = glances(one)
    assert {(h.kind, h.violation.clause) for h in happenings} == {(HappeningKind.ILLEGAL, "S24")}


@pytest.mark.parametrize(("p", "clauses"), [(0.8, []), (0.95, ["S22"])])
def test_a_card_accuses_somebody_only_where_it_is_named_surely(p, clauses):
    one = table(seats=FIRST)
    assert clauses_of(one, instead_of("r1c1", "apprentice", p, one, hidden=True)) == clauses


def test_a_card_that_still_lies_elsewhere_has_not_come_to_another_place():
    one = table(seats=FIRST)
    assert clauses_of(one, instead_of("r1c1", "apprentice", 0.95, one, hidden=False)) == []


def instead_of(slot: str, face: str, p: float, one: Table, *, hidden: bool) -> BoardObservation:
    """The market with a slot that reads as a card that lies elsewhere; `hidden`: whether that place is covered."""
    read = ((face, log(p)), *((card, log(0.02)) for card in ("bureaucrat", "financier")))
    lay = {s for s, at in one.view.slots if at.face == face}
    assert lay
    assert slot not in lay
    seen = one.eyes.look(one.view)
    slots = (replace(s, faces=read) if s.slot == slot else s for s in seen.slots)
    covered = (SlotReading(s.slot, Sight.COVERED) if hidden and s.slot in lay else s for s in slots)
    return replace(seen, slots=tuple(covered))


def clauses_of(one: Table, seen: BoardObservation) -> list[str]:
    happenings = one.tracker.observe(seen)
    return [h.violation.clause for h in happenings if h.kind is HappeningKind.ILLEGAL]


@pytest.mark.parametrize(("p", "clauses"), [(0.87, []), (0.95, ["S24"])])
def test_a_worker_accuses_somebody_only_where_it_is_counted_surely(p, clauses):
    one = table(seats=FIRST)
    one.put("r1c1|r1c2", "blue")
    one.put("r1c2|r2c2", "yellow")
    seen = one.eyes.look(one.view)
    slots = tuple(replace(s, pieces_p=p) if s.slot == "r1c2|r2c2" else s for s in seen.slots)
    happenings = one.tracker.observe(replace(seen, slots=slots))
    assert [h.violation.clause for h in happenings if h.kind is HappeningKind.ILLEGAL] == clauses


def test_a_building_that_cannot_be_paid_is_an_alarm_with_its_price():
    one = table(gaps={"r1c1|r1c2": "ABB"}, seats={"A": {"money": 1}})
    one.put("r1c1|r1c2", "blue", -1)
    one.lay("r1c1", EMPTY)
    one.lay("A-b1", SlotView("mine-left", 0))
    alarm = next(h for h in glances(one) if h.kind is HappeningKind.ILLEGAL)
    assert alarm.violation.clause == "S48"
    assert alarm.violation.fact("money") == 1


def test_the_market_is_cleared_after_the_last_pass_and_laid_out_card_by_card_in_any_order():
    one = table(seats={"A": {"step": "II", "used_event": True}, "B": {"step": "passed"}, "C": {"step": "passed"}})
    for slot in one.rules.tables.slots:
        one.lay(slot, EMPTY)
    assert events(one, glances(one)) == ["A pass"]
    one.lay("event", SlotView("event-place"))
    one.lay("future", SlotView("event-money"))
    one.lay("r2c2", SlotView("mine-left"))
    assert events(one, glances(one)) == ["future event-money"]
    one.lay("r1c1", SlotView("apprentice"))
    assert events(one, glances(one)) == ["deal r1c1 apprentice"]


def test_a_table_that_is_laid_out_before_anything_is_told_is_no_mistake():
    rules = rules_of()
    laid = play_texts(rules, rules.initial(), "future event-money", "first A", "future event-points")
    while laid.phase is Phase.DEAL:
        laid = rules.apply(laid, rules.chance_outcomes(laid)[0].draw)
    one = Table(rules, rules.initial())
    one.view = board_look(rules, laid)
    assert {h.kind for h in glances(one)} <= {HappeningKind.LAID}
    one.told("future event-money")
    assert {h.kind for h in glances(one)} <= {HappeningKind.LAID}
    one.told("first A")
    happenings = glances(one, 12)  # a draw a picture
    assert events(one, happenings)[0] == "future event-points"
    assert board_look(rules, one.tracker.state) == one.view


@pytest.mark.parametrize("players", [2, 5])
def test_a_laid_market_is_dealt_from_the_pictures(players):
    rules = rules_of(players)
    start = play_texts(rules, rules.initial(), "future event-money", "first A", "future event-points")
    dealt = start
    while dealt.phase is Phase.DEAL:
        outcomes = rules.chance_outcomes(dealt)
        dealt = rules.apply(dealt, Random(players).choice(outcomes).draw)
    one = Table(rules, start)
    one.view = board_look(rules, dealt)
    happenings = glances(one, 8)
    assert not {h.kind for h in happenings} - {HappeningKind.EVENT, HappeningKind.LAID}
    assert board_look(rules, one.tracker.state) == one.view


def test_a_card_that_is_a_little_unsure_keeps_no_other_from_being_dealt():
    rules = rules_of(2)
    begun = play_texts(rules, rules.initial(), "future event-residence")
    one = Table(rules, begun, LIVE_DEMANDS)
    cards = "mine-middle mine-left university-left automation apprentice apprentice workshop-left neighbourhood-right"
    for slot, card in zip(rules.tables.slots, (*cards.split(), "workshop-right"), strict=True):
        one.lay(slot, SlotView(card))
    one.lay("event", SlotView("event-residence"))
    one.lay("future", SlotView("event-money"))
    unsure = (("workshop-right", log(0.986)), ("workshop-right-b", log(0.014)))
    found: list[Happening] = []
    for picture in range(16):
        if picture == 4:
            one.told("first A")
        seen = one.eyes.look(one.view)
        slots = tuple(replace(s, faces=unsure) if s.slot == "r3c3" else s for s in seen.slots)
        found += one.tracker.observe(replace(seen, slots=slots))
    assert HappeningKind.ASKED not in {h.kind for h in found}
    assert board_look(rules, one.tracker.state) == one.view


def test_a_market_that_was_drawn_digitally_may_be_laid_in_any_order_over_the_old_one():
    rules = rules_of()
    passed = {"step": "passed"}
    state = position(rules, seats={"A": {"step": "II", "used_event": True}, "B": passed, "C": passed})
    one = Table(rules, state)
    state = rules.apply(state, rules.parse("A pass"))
    cleared = frozenset(rules.tables.slots)
    random = Random(2)
    while outcomes := rules.chance_outcomes(state):
        state = rules.apply(state, random.choice(outcomes).draw)
    assert rules.board(state).at("r1c2") == one.view.at("r1c2")  # the same card comes to lie there again
    one.tracker.accept(state, emptied=cleared)
    wanted = board_look(rules, state)
    for slot in ("r3c3", "r1c2", "event"):
        one.lay(slot, EMPTY)
    assert {h.kind for h in glances(one)} == {HappeningKind.LIFTED}
    for slot in ("future", "event", "r3c3", "r1c1", "r1c2", *rules.tables.slots):
        one.lay(slot, wanted.at(slot))
        assert {h.kind for h in glances(one, 2)} <= {HappeningKind.LIFTED, HappeningKind.LAID}
    assert one.tracker.view == wanted


def test_a_game_read_with_one_error_in_a_hundred_is_followed_without_a_wrong_event():
    rules = rules_of(2)
    tally = FollowedCounts(0.01)
    follow_game(GAME, rules, even_noise(0.01), 5, tally)
    assert (tally.games, tally.wrong) == (1, 0)
    assert tally.accepted > 60
    assert tally.asks - tally.alike <= tally.moves // 20


def test_the_camera_alone_leads_from_phase_one_to_phase_two():
    rules = rules_of()
    one = Table(rules, random_state(rules, Random(4)))
    seat = one.tracker.state.current
    colour = rules.setup.seats[seat].colour
    one.put("r1c1|r1c2", colour)
    glances(one)
    assert one.tracker.state.players[seat].step is Step.PLACEMENT
    assert one.tracker.state.current != seat


def market_told(misread: tuple[tuple[str, float], ...]) -> tuple[Table, Callable[[], tuple[Happening, ...]]]:
    """A market that people have told of before a film of it begins, and what the next picture shows: the card in r2c1,
    workshop-right, is `misread` from the first one on."""
    rules = rules_of(2)
    cards = "mine-middle mine-left university-left workshop-right apprentice apprentice workshop-left mine-left"
    dealt = zip(rules.tables.slots, (*cards.split(), "mine-right"), strict=True)
    deals = [f"deal {slot} {card}" for slot, card in dealt]
    state = play_texts(rules, rules.initial(), "future event-money", "first A", "future event-residence", *deals)
    while state.phase is Phase.TOKEN:
        state = rules.apply(state, rules.chance_outcomes(state)[0].draw)
    one = Table(rules, rules.initial(), DEFAULT_DEMANDS)
    one.tracker.stills = True
    one.tracker.accept(state)
    one.view = board_look(rules, state)

    def picture() -> tuple[Happening, ...]:
        seen = one.eyes.look(one.view)
        slots = tuple(replace(s, faces=misread) if s.slot == "r2c1" else s for s in seen.slots)
        return one.tracker.observe(replace(seen, slots=slots))

    assert picture() == ()
    return one, picture


@pytest.mark.parametrize("p", [0.998, 0.7])
def test_acts_do_not_wait_for_a_told_card_that_has_been_misread_since_it_was_laid(p):
    one, picture = market_told((("workshop-right-b", log(p)), ("workshop-left", log(1.0 - p))))
    one.put("r1c1|r1c2", "blue")
    assert events(one, picture()) == ["A place r1c1|r1c2"]
    one.put("r1c2|r1c3", "red")
    assert events(one, picture()) == ["B place r1c2|r1c3"]
    one.put("r1c1|r1c2", "blue", -1)
    assert [h.kind for h in picture()] == [HappeningKind.ASKED]
    assert ("A start", "A money r1c1|r1c2 r1c1") in asked(one)


def test_a_note_about_another_act_than_was_done_is_an_ask_and_nothing_wrong():
    tally = FollowedCounts(0.0)
    one = table(seats=FIRST, event="event-place", future="event-money")
    game = _Followed(one.rules, None, one.tracker, PictureLoop(one.eyes, one.tracker), tally, frozenset())
    one.tracker.patience = 5
    state = one.tracker.state
    for text in ("A start", "A event use gap=r1c1|r1c2", "B place r2c1|r2c2"):
        event = one.rules.parse(text)
        after = one.rules.apply(state, event)
        game.happen(event, state, after)
        state = after
    assert (tally.denied, tally.presumed) == (1, 1)
    assert (tally.asks, tally.on_phones, tally.wrong, tally.missed) == (1, 1, 0, 0)
    assert one.tracker.state == state
