"""A map of Rifts of N'Norya followed picture by picture: what is taken, what is asked, what is an alarm."""

from __future__ import annotations

from dataclasses import replace
from math import log

import pytest
from followed_table import Table
from rifts_positions import position, rules_of

from companion.core.inputs import BoardObservation, PieceReading, Sight, SlotReading, ViewState
from companion.core.layout import SlotView
from companion.games.rifts.board import ENEMY, RIFT_OFF, RIFT_ON
from companion.table.tracking.happenings import Happening, HappeningKind
from companion.table.tracking.judging.verdicts import Ambiguous
from companion.table.tracking.table_tracker import PATIENCE_PICTURES

LAND = ["location-01 i11 1", "location-10 h9 4"]
CORNER = "i11|i12|j11"
AT = {"A": {"at": "i9"}, "B": {"at": "j9"}}


def table(**words: object) -> Table:
    rules = rules_of()
    state = position(rules, **{"land": LAND, "seats": AT} | words)
    unread = frozenset(o.slot for o in rules.layout().slots if o.slot == "drawn" or o.holds == "card")
    return Table(rules, state, outside=unread)


def shown(one: Table, count: int = 4) -> tuple[Happening, ...]:
    return (*one.look(), *(h for _ in range(count - 1) for h in one.glance()))


def events(one: Table, happenings: tuple[Happening, ...]) -> list[str]:
    return [one.rules.format(h.event) for h in happenings if h.event is not None]


def clauses(happenings: tuple[Happening, ...]) -> list[str]:
    return [h.violation.clause for h in happenings if h.kind is HappeningKind.ILLEGAL and h.violation is not None]


def moved(one: Table, colour: str, source: str, slot: str) -> None:
    one.put(source, colour, -1)
    one.put(slot, colour)


def test_a_mage_that_is_moved_is_taken_at_once():
    one = table()
    moved(one, "yellow", "i9", "i10")
    assert events(one, one.look()) == ["A move i10"]


def test_a_mage_that_is_moved_by_two_movements_went_the_only_way_there_is():
    one = table()
    moved(one, "yellow", "i9", "i11")
    assert events(one, shown(one)) == ["A move i10", "A move i11"]


def test_of_two_ways_that_come_to_the_same_nobody_is_asked():
    one = table()
    moved(one, "yellow", "i9", "j10")  # over the starting tile, this way or that
    assert len(events(one, shown(one))) == 2
    assert one.tracker.asked is None


def test_a_figure_moved_at_once_went_the_way_that_gains_more():
    one = table(land=[*LAND, "location-03 k8 0"], seats={"A": {"at": "i10"}, "B": {"at": "i9"}})
    moved(one, "yellow", "i10", "k9")
    assert events(one, shown(one)) == ["A move j10", "A move k9"]  # R-N24: j10 gives air (N21), j9 gives nothing
    assert one.tracker.asked is None


def test_a_figure_moved_by_one_space_went_no_longer_way():
    one = table(land=[*LAND, "location-03 k8 0"], seats={"A": {"at": "i10"}, "B": {"at": "i9"}})
    moved(one, "yellow", "i10", "j9")
    assert events(one, shown(one)) == ["A move j9"]  # R-N24: over j10 it would have gained air
    assert one.tracker.asked is None


def test_the_way_is_asked_about_where_each_of_two_gains_something_else():
    one = table(land=["location-11 h8 2", "location-13 g8 0"], seats={"A": {"at": "i9"}, "B": {"at": "j9"}})
    moved(one, "yellow", "i9", "g8")
    shown(one)
    assert isinstance(one.tracker.asked, Ambiguous)
    ways = {tuple(map(one.rules.format, chain)) for chain in one.tracker.asked.choices}
    assert ways == {("A move h8", "A move g8"), ("A move h9", "A move g8")}  # desert gives fire, forest earth (N21)


def test_a_question_that_is_out_of_date_gives_way_to_what_is_in_doubt_now():
    one = table(land=["location-11 h8 2", "location-13 g8 0"], seats={"A": {"at": "g9"}, "B": {"at": "j9"}})
    for source, slot in (("g9", "h8"), ("h8", "i8")):
        moved(one, "yellow", source, slot)
        kinds = [h.kind for h in shown(one)]
        assert kinds == [HappeningKind.ASKED]
        assert isinstance(one.tracker.asked, Ambiguous)
        assert {one.rules.format(chain[-1]) for chain in one.tracker.asked.choices} == {f"A move {slot}"}


def test_a_mage_that_was_badly_seen_where_it_stood_and_has_then_gone_is_taken_as_moved():
    one = table(seats={"A": {"at": "j9"}, "B": {"at": "i9"}})
    under_a_hand = SlotReading("j9", Sight.SEEN, ((None, log(0.5)),), None, (), 0.0)
    badly = tuple(under_a_hand if s.slot == "j9" else s for s in one.eyes.look(one.view).slots)
    one.tracker.scene_changed()
    assert one.tracker.observe(BoardObservation(1, 1, ViewState.SETTLED, badly)) == ()
    moved(one, "yellow", "j9", "i10")
    assert events(one, one.look()) == ["A move i10"]


def test_a_figure_that_is_seen_has_not_gone_where_next_to_nothing_can_be_told():
    one = table(land=[*LAND, "location-03 k8 0"], seats={"A": {"at": "i10"}, "B": {"at": "i9"}})
    moved(one, "yellow", "i10", "j9")
    readings = {s.slot: s for s in one.eyes.look(one.view).slots}
    readings["j10"] = replace(readings["j10"], pieces_p=0.0)  # where it might have gone as well, had it not been seen
    one.tracker.scene_changed()
    still = BoardObservation(2, 2, ViewState.SETTLED, tuple(readings.values()))
    assert events(one, one.tracker.observe(still)) == ["A move j9"]


def test_a_figure_that_is_seen_where_it_stands_is_no_alarm_elsewhere():
    one = table()
    one.put("i10", "yellow")  # print that looks like the mage, which is seen at i9
    assert clauses(shown(one)) == []


def test_what_follows_a_move_back_that_nobody_saw_is_no_alarm():
    land = [*LAND, "location-11 h8 2"]
    rules = rules_of()
    (due,) = rules.board(position(rules, land=land, seats=AT)).differs(
        rules.board(rules.apply(position(rules, land=land, seats=AT), rules.parse("A end")))
    )
    one = table(land=land, seats={"A": {"at": due}, "B": {"at": "j9"}})
    away = next(a for a in one.rules.legal_actions(one.tracker.state) if one.rules.format(a).startswith("A move"))
    one.told(one.rules.format(away))  # no still picture showed it there
    one.put(due, ENEMY)  # N32: its turn has ended
    happenings = shown(one)
    assert clauses(happenings) == []
    back = f"A move {due}"
    asked = one.tracker.asked
    offered = [tuple(map(one.rules.format, chain)) for chain in asked.choices] if isinstance(asked, Ambiguous) else []
    assert (back, "A end") in offered or events(one, happenings) == [back, "A end"]


def test_a_longer_way_is_shown_or_told():
    one = table()
    direct, round_about = (way(one, *texts) for texts in (("A move i10",), ("A move j9", "A move i10")))
    assert one.rules.goes_without_saying(direct, round_about)
    assert not one.rules.goes_without_saying(round_about, direct)


def test_of_ways_as_long_the_one_that_gains_less_is_shown_or_told():
    one = table(land=[*LAND, "location-03 k8 0"], seats={"A": {"at": "i10"}, "B": {"at": "i9"}})
    over_air, other = (way(one, f"A move {middle}", "A move k9") for middle in ("j10", "j9"))  # j10 gives air (N21)
    assert one.rules.goes_without_saying(over_air, other)
    assert not one.rules.goes_without_saying(other, over_air)


def way(one: Table, *texts: str) -> object:
    state = one.tracker.state
    for text in texts:
        state = one.rules.apply(state, one.rules.parse(text))
    return state


def test_a_tile_that_is_laid_tells_the_end_of_the_turn_before_and_the_draw():
    one = table()
    lay = one.rules.parse("B place k8 0")
    state = one.rules.apply(one.tracker.state, one.rules.parse("A end"))
    state = one.rules.apply(state, one.rules.parse("location location-03"))
    assert one.rules.check(state, lay) is None
    one.lay("k8", SlotView("location-03", 0))
    assert events(one, shown(one)) == ["A end", "location location-03", "B place k8 0"]


def test_what_comes_with_a_tile_is_put_afterwards():
    one = table()
    one.lay("k8", SlotView("location-03", 0))
    shown(one)
    rift = next(slot for slot, at in one.rules.board(one.tracker.state).slots if dict(at.pieces).get(RIFT_ON))
    one.put(rift, RIFT_ON)
    assert {h.kind for h in shown(one)} <= {HappeningKind.PLACED}
    assert one.tracker.view == one.view


@pytest.mark.parametrize(
    ("words", "change", "clause"),
    [
        ({}, ("green", "j9", "i10"), "N20"),  # not its turn
        ({"moves": 1}, ("yellow", "i9", "i11"), "N20"),  # too far
        ({}, ("yellow", "i9", "l9"), "N20"),  # no tile there
        ({"enemies": "i10"}, (ENEMY, "i10", "i11"), "N32"),  # an enemy moved
        ({"enemies": "i10"}, (ENEMY, "i10", None), "N22"),  # an enemy taken from afar
        ({"enemies": "i9"}, (ENEMY, "i9", None), "N30"),  # an enemy taken without a fight
        ({}, (ENEMY, None, "i10"), "N32"),  # an enemy that nothing spawned
        ({}, ("temple of air", None, CORNER), "N13"),
        ({}, ("yellow", "i9", None), "N20"),  # a mage taken away
    ],
)
def test_what_is_against_the_rules_is_named_with_its_clause(words, change, clause):
    one = table(**words)
    colour, source, slot = change
    if source is not None:
        one.put(source, colour, -1)
    if slot is not None:
        one.put(slot, colour)
    assert clauses(shown(one)) == [clause]


@pytest.mark.parametrize(("enemies", "clause"), [("i10", "N22"), ("i9", "N30")])
def test_a_single_still_picture_names_an_enemy_that_is_gone(enemies, clause):
    one = table(enemies=enemies)
    one.put(enemies, ENEMY, -1)
    assert clauses(one.look()) == [clause]


def test_a_single_still_picture_in_which_a_mage_is_not_seen_is_no_alarm():
    one = table()
    one.put("i9", "yellow", -1)
    assert clauses(one.look()) == []


def clauses_with_something_at(one: Table, *slots: str) -> list[str]:
    """What a single still picture names in which the eyes cannot tell what lies in `slots`."""
    strange = {slot: SlotReading(slot, Sight.SEEN, (), None, (), 0.0) for slot in slots}
    seen = tuple(strange.get(s.slot, s) for s in one.eyes.look(one.view).slots)
    one.tracker.scene_changed()
    return clauses(one.tracker.observe(BoardObservation(2, 2, ViewState.SETTLED, seen)))


@pytest.mark.parametrize(("slots", "named"), [(("l9",), ["N20"]), (("k9", "l8", "l9", "m8"), [])])
def test_a_mage_that_is_gone_while_something_strange_lies_elsewhere_is_named_at_once(slots, named):
    one = table()
    one.look()
    one.put("i9", "yellow", -1)
    assert clauses_with_something_at(one, *slots) == named


def test_a_place_that_was_strange_before_is_no_sign_that_a_mage_was_set_there():
    one = table()
    assert clauses_with_something_at(one, "l9") == []
    one.put("i9", "yellow", -1)
    assert clauses_with_something_at(one, "l9") == []


def test_an_enemy_moved_to_where_the_next_turn_would_put_one_is_named_as_moved():
    one = table(land=[*LAND, "location-11 h8 2"], enemies="i10")
    after = one.rules.board(one.rules.apply(one.tracker.state, one.rules.parse("A end")))
    (due,) = one.rules.board(one.tracker.state).differs(after)  # N32: what the rift at h8 spawns
    moved(one, ENEMY, "i10", due)
    happenings = one.look()
    assert clauses(happenings) == ["N32"]
    assert [h.violation.slots for h in happenings if h.violation is not None] == [("i10", due)]


def test_an_enemy_that_may_show_elsewhere_is_named_as_moved_and_its_alarm_is_over_when_it_is_back():
    one = table(enemies="i10")
    one.tracker.stills = True
    one.look()
    moved(one, ENEMY, "i10", "i11")
    happenings = doubted(one, "i11", as_well=((ENEMY, 1),))
    assert clauses(happenings) == ["N32"]
    assert [h.violation.slots for h in happenings if h.violation is not None] == [("i10", "i11")]
    moved(one, ENEMY, "i11", "i10")
    assert {h.kind for h in one.look()} == {HappeningKind.CORRECTED}


def test_an_enemy_that_may_show_in_either_of_two_slots_is_named_as_gone():
    one = table(enemies="i10")
    one.tracker.stills = True
    one.look()
    one.put("i10", ENEMY, -1)
    assert clauses(doubted(one, "i11", "i12", as_well=((ENEMY, 1),))) == ["N22"]


def test_the_first_picture_of_a_film_is_no_alarm():
    one = table()
    one.tracker.stills = True
    one.put("i10", ENEMY)  # or an arm, that nothing before tells from the table
    assert clauses(one.look()) == []
    assert clauses(one.look()) == ["N32"]


@pytest.mark.parametrize(
    ("slot", "view", "clause"),
    [
        ("l4", SlotView("location-03", 0), "N10"),  # touches nothing
        ("i11", SlotView(), "N10"),  # taken away
        ("i11", SlotView("location-01", 3), "N10"),  # turned
        ("k8", SlotView("location-01", 0), "N10"),  # drawn already
    ],
)
def test_a_tile_against_the_rules_is_named(slot, view, clause):
    one = table()
    one.lay(slot, view)
    assert clauses(shown(one))[:1] == [clause]


def test_a_rift_that_is_turned_over_without_a_fight_is_named():
    one = table(land=[*LAND, "location-03 k8 0"])
    rift = next(slot for slot, at in one.view.slots if dict(at.pieces).get(RIFT_ON))
    one.put(rift, RIFT_ON, -1)
    one.put(rift, RIFT_OFF)
    assert clauses(shown(one)) == ["N31"]


def test_a_mage_has_not_surely_gone_where_it_may_not_show_while_something_strange_lies_elsewhere():
    one = table(land=[*LAND, "location-03 k8 0"], seats={"A": {"at": "i9"}, "B": {"at": "i10"}})
    one.look()
    one.put("i9", "yellow", -1)
    readings = {s.slot: s for s in one.eyes.look(one.view).slots}
    readings["j9"] = replace(readings["j9"], pieces_p=0.3, doubted=(("yellow", 0.3),))
    readings["l9"] = SlotReading("l9", Sight.SEEN, (), None, (), 0.0)
    one.tracker.scene_changed()
    assert events(one, one.tracker.observe(BoardObservation(2, 2, ViewState.SETTLED, tuple(readings.values())))) == []


def doubted(one: Table, *slots: str, as_well: tuple[tuple[str, int], ...]) -> tuple[Happening, ...]:
    """A single still picture that counts pieces in `slots` that may as well be none, beside what lies there."""
    readings = {s.slot: s for s in one.eyes.look(one.view).slots}
    for slot in slots:
        counts = dict(one.view.at(slot).pieces) | dict(as_well)
        sure = 0.5 if any(count > 1 for _, count in as_well) else 1.0  # of what else is counted beside a figure twice
        readings[slot] = replace(
            readings[slot], pieces=tuple(PieceReading(colour, count, 0.5) for colour, count in sorted(counts.items())),
            pieces_p=0.5 * sure, doubted=tuple((colour, 0.5) for colour, _ in as_well),
        )  # fmt: skip
    return one.tracker.observe(BoardObservation(2, 2, ViewState.SETTLED, tuple(readings.values())))


def starting(placed: dict[str, str], current: str) -> tuple[Table, list[str]]:
    """A film of four mages, of which some are placed and the next one is `current`; and their colours."""
    rules = rules_of(4)
    seats = {seat: {"at": placed.get(seat, "")} for seat in "ABCD"}
    state = position(rules, phase="start", current=current, moves="none", turn=0, seats=seats)
    unread = frozenset(o.slot for o in rules.layout().slots if o.slot == "drawn" or o.holds == "card")
    one = Table(rules, state, outside=unread)
    one.tracker.stills = True
    return one, [seat.colour for seat in rules.setup.seats]


def test_an_act_that_was_hinted_at_is_not_ruled_out_by_reading_the_same_again():
    one, colours = starting({}, "A")
    one.put("j9", colours[0])
    print_in_the_sun = ((colours[2], 2),)
    assert events(one, doubted(one, "j9", as_well=print_in_the_sun)) == []
    one.put("i10", colours[1])
    happenings = [h for _ in range(2) for h in doubted(one, "j9", as_well=print_in_the_sun)]
    assert clauses(happenings) == []
    assert events(one, happenings)[:1] == ["A start j9"]


def test_a_hint_alone_does_not_tell_where_a_figure_stands_that_may_as_well_stand_elsewhere():
    one, colours = starting({"A": "i9", "B": "i9"}, "C")
    may_be_print = ((colours[2], 1),)
    assert events(one, doubted(one, "i10", as_well=may_be_print)) == []
    one.put("j9", colours[3])
    for _ in range(PATIENCE_PICTURES):
        assert events(one, doubted(one, "i9", "i10", as_well=may_be_print)) == []
    assert isinstance(one.tracker.asked, Ambiguous)
    offered = {tuple(map(one.rules.format, chain)) for chain in one.tracker.asked.choices}
    assert offered == {("C start i10", "D start j9"), ("C start i9", "D start j9")}


def test_a_tile_against_the_rules_is_named_though_print_on_it_is_taken_for_a_figure_that_stands_elsewhere():
    one = table()
    one.tracker.stills = True
    assert clauses(one.look()) == []
    one.lay("l4", SlotView("location-03", 0))  # N10: touches nothing
    happenings = doubted(one, "l4", as_well=(("yellow", 2),))
    assert clauses(happenings) == ["N10"]
    (alarm,) = [h for h in happenings if h.kind is HappeningKind.ILLEGAL]
    assert alarm.slots == ("l4",)
