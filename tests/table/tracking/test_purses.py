"""Coins in the players' purses tell acts of Spyrium apart that leave the same market behind, and accuse nobody."""

from __future__ import annotations

from dataclasses import replace
from math import log

import pytest
from followed_table import Table
from spyrium_positions import position, rules_of

from companion.core.inputs import PurseChange, PurseReading
from companion.core.types import Seat
from companion.table.tracking.happenings import Happening, HappeningKind
from companion.table.tracking.judging.presumed import sensible
from companion.table.tracking.judging.reconcile import LIVE_DEMANDS
from companion.table.tracking.judging.verdicts import Ambiguous, Explained
from companion.table.tracking.purses import PurseWitness

GAPS = {"r1c1|r1c2": "AB", "r1c2|r1c3": "B"}
SEATS = {"A": {"step": "II", "money": 8}, "B": {"step": "II", "money": 8}, "C": {"step": "passed"}}


def table() -> Table:
    rules = rules_of()
    return Table(rules, position(rules, gaps=GAPS, seats=SEATS))


def look(one: Table, count: int = 4, **pounds: int) -> tuple[Happening, ...]:
    """Pictures of a new scene in which the purses of these seats are told."""
    purses = tuple(PurseReading(f"{seat}-purse", total, 0.98) for seat, total in pounds.items())
    one.tracker.scene_changed()
    return tuple(
        h for _ in range(count) for h in one.tracker.observe(replace(one.eyes.look(one.view), purses=purses))
    )


def events(one: Table, happenings: tuple[Happening, ...]) -> list[str]:
    return [one.rules.format(h.event) for h in happenings if h.event is not None]


@pytest.mark.parametrize(
    ("pounds", "act"),
    [
        (9, "A money r1c1|r1c2 r1c1"),  # S40: one other worker beside the mine
        (10, "A money r1c1|r1c2 r1c2"),  # two beside the apprentice
        (6, "A activate r1c1|r1c2 r1c2"),  # S41: nothing for the apprentice (S2), 2 for the others
    ],
)
def test_what_a_worker_came_back_for_is_told_by_the_coins(pounds: int, act: str) -> None:
    one = table()
    assert look(one, A=8, B=8, C=8) == ()
    one.put("r1c1|r1c2", "blue", -1)
    assert events(one, look(one, A=pounds, B=8, C=8)) == [act]
    assert one.rules.purses(one.tracker.state)["A-purse"] == pounds


@pytest.mark.parametrize("first", [{}, {"A": 7}], ids=["not seen", "not as the record says"])
def test_a_purse_that_was_not_right_before_says_nothing(first: dict[str, int]) -> None:
    one = table()
    look(one, **first)
    one.put("r1c1|r1c2", "blue", -1)
    assert [h.kind for h in look(one, A=9)] == [HappeningKind.ASKED]


def test_coins_that_are_not_yet_paid_leave_the_question_open_until_they_are() -> None:
    one = table()
    look(one, A=8)
    one.put("r1c1|r1c2", "blue", -1)
    assert [h.kind for h in look(one, A=8)] == [HappeningKind.ASKED]
    paid = look(one, A=9)
    assert HappeningKind.CLEARED in {h.kind for h in paid}
    assert events(one, paid) == ["A money r1c1|r1c2 r1c1"]


def test_coins_that_fit_no_act_accuse_nobody() -> None:
    one = table()
    look(one, A=8, B=8)
    assert look(one, A=3, B=30) == ()
    one.put("r1c1|r1c2", "blue", -1)
    assert [h.kind for h in look(one, A=40)] == [HappeningKind.ASKED]


def test_pictures_of_one_scene_that_differ_say_nothing_of_the_purse() -> None:
    one = table()
    witness, seen = PurseWitness(one.rules), one.eyes.look(one.view)
    witness.look(replace(seen, purses=(PurseReading("A-purse", 8, 0.98),)))
    witness.as_believed(one.tracker.state)
    witness.scene_changed()
    witness.look(replace(seen, purses=(PurseReading("A-purse", 9, 0.98),)))
    assert witness.of(one.tracker.state) is not None
    witness.look(replace(seen, purses=(PurseReading("A-purse", 10, 0.98),)))
    assert witness.of(one.tracker.state) is None


def followed(*held_and_tally: tuple[int, int], since: int = 1) -> tuple[PurseWitness, Table]:
    """A witness that saw the purse of A change so, each time the record said that it held so much."""
    one = table()
    witness, seen = PurseWitness(one.rules), one.eyes.look(one.view)
    for held, tally in held_and_tally:
        witness.scene_changed()
        witness.look(replace(seen, purses=(PurseReading("A-purse", None, 0.98, since, tally),)))
        seats = SEATS | {"A": {"step": "II", "money": held}}
        witness.as_believed(position(one.rules, gaps=GAPS, seats=seats))
    witness.scene_changed()
    witness.look(replace(seen, purses=(PurseReading("A-purse", None, 0.98, 1, 1),)))
    return witness, one


def test_a_purse_whose_coins_cannot_be_counted_is_heard_once_its_changes_have_gone_with_the_record() -> None:
    witness, one = followed((11, 3), (7, -1), (8, 0))
    heard = witness.of(one.tracker.state)
    assert heard is not None
    nine, ten = (position(one.rules, gaps=GAPS, seats=SEATS | {"A": {"step": "II", "money": n}}) for n in (9, 10))
    assert heard((), nine) > heard((), ten) + 3


@pytest.mark.parametrize(
    "changes",
    [
        [(7, -1), (8, 0)],  # too few
        [(8, 0), (8, 0), (8, 0)],  # the record has not changed either
        [(11, 3), (7, -1), (9, 0), (6, -3), (8, 0)],  # paid one act late as often as in time
        [(11, 3), (7, -1), (8, 1)],  # not as the record says when the table was last as believed
    ],
)
def test_a_purse_that_has_not_gone_with_the_record_says_nothing(changes: list[tuple[int, int]]) -> None:
    witness, one = followed(*changes)
    assert witness.of(one.tracker.state) is None


def from_start(*held_and_tally: tuple[int, int], last: int) -> tuple[PurseWitness, Table]:
    """A witness of a game's purses since its beginning, when each held £10: eight and the first revenue (S20)."""
    one = table()
    witness, seen = PurseWitness(one.rules), one.eyes.look(one.view)
    others = {seat: {"money": 10} for seat in "ABC"}
    for held, tally in ((10, 0), *held_and_tally):
        witness.scene_changed()
        witness.look(replace(seen, purses=(PurseReading("A-purse", None, 0.98, 1, tally),)))
        witness.as_believed(position(one.rules, gaps=GAPS, seats=others | {"A": {"step": "II", "money": held}}))
    witness.scene_changed()
    witness.look(replace(seen, purses=(PurseReading("A-purse", None, 0.98, 1, last),)))
    return witness, one


def test_the_first_change_of_a_purse_in_a_game_tells_though_its_coins_cannot_be_counted() -> None:
    witness, one = from_start(last=3)
    heard = witness.of(position(one.rules, gaps=GAPS, seats={seat: {"money": 10} for seat in "ABC"}))
    assert heard is not None
    twelve, thirteen = (position(one.rules, gaps=GAPS, seats={"A": {"step": "II", "money": n}}) for n in (12, 13))
    assert heard((), thirteen) > heard((), twelve) + 3


def test_a_purse_that_has_never_changed_says_nothing() -> None:
    """Where coins cannot be counted nobody knows whether any lie there."""
    witness, one = from_start(last=0)
    assert witness.of(position(one.rules, gaps=GAPS, seats={seat: {"money": 10} for seat in "ABC"})) is None


def test_a_purse_that_has_gone_with_the_record_since_the_start_says_that_nothing_was_paid() -> None:
    witness, one = from_start((13, 3), last=3)
    assert witness.of(position(one.rules, gaps=GAPS, seats={"A": {"step": "II", "money": 13}})) is not None


def test_changes_since_another_look_say_nothing() -> None:
    witness, one = followed((11, 3), (7, -1), (8, 0), since=2)
    assert witness.of(one.tracker.state) is None


def test_money_at_either_card_is_one_act_where_it_brings_the_same() -> None:
    rules = rules_of()
    market = "mine-left adviser-c - - - - - - -"
    seats = {"A": {"step": "II", "money": 0}, "B": {"step": "passed"}, "C": {"step": "passed"}}
    one = Table(rules, position(rules, market=market, gaps={"r1c1|r1c2": "AA"}, seats=seats))
    one.put("r1c1|r1c2", "blue", -1)
    (act,) = events(one, look(one))
    assert act.startswith("A money r1c1|r1c2 ")


def after_the_next_act(**pounds: int) -> tuple[Table, tuple[Happening, ...]]:
    """A takes a worker back for money or a card, at once B places one; the purses of these seats are told."""
    rules = rules_of()
    seats = SEATS | {"B": {"step": "I", "money": 8}}
    one = Table(rules, position(rules, gaps={"r1c1|r1c2": "A", "r1c2|r1c3": "B"}, seats=seats))
    look(one, **dict.fromkeys(pounds, 8))
    one.put("r1c1|r1c2", "blue", -1)
    one.put("r2c1|r2c2", "red")
    return one, look(one, **pounds)


@pytest.mark.parametrize(
    ("pounds", "act"),
    [
        (8, "A money r1c1|r1c2 r1c1"),  # S40: no other worker is beside the mine
        (9, "A money r1c1|r1c2 r1c2"),  # one beside the apprentice
    ],
)
def test_a_purse_says_that_nothing_was_paid_once_another_player_acts(pounds: int, act: str) -> None:
    one, happenings = after_the_next_act(A=pounds)
    assert events(one, happenings) == [act, "B place r2c1|r2c2"]


def test_what_a_player_did_is_asked_of_that_player_though_another_one_has_acted_since() -> None:
    one, happenings = after_the_next_act()
    assert [h.kind for h in happenings] == [HappeningKind.ASKED]
    asked = one.tracker.asked
    assert isinstance(asked, Ambiguous)
    assert asked.seat is Seat.A
    texts = {tuple(map(one.rules.format, chain)) for chain in asked.choices}
    assert {("A money r1c1|r1c2 r1c1",), ("A money r1c1|r1c2 r1c2",)} < texts


def test_the_answer_leaves_what_another_player_has_done_since_to_be_taken() -> None:
    one, _ = after_the_next_act()
    answer = (one.rules.parse("A money r1c1|r1c2 r1c2"),)
    happenings = one.tracker.answered(answer, one.rules.apply(one.tracker.state, *answer), 0)
    assert events(one, happenings) == ["A money r1c1|r1c2 r1c2", "B place r2c1|r2c2"]


def test_the_purse_of_who_goes_on_is_still_heard_when_the_act_before_is_taken() -> None:
    """B's coins lie there before B's act is recorded: that A's act is taken alone does not make B's purse wrong."""
    one, witness = table(), PurseWitness(rules_of())
    seen = one.eyes.look(one.view)
    witness.look(replace(seen, purses=(PurseReading("B-purse", 8, 0.98),)))
    witness.as_believed(one.tracker.state)
    witness.scene_changed()
    witness.look(replace(seen, purses=(PurseReading("B-purse", 9, 0.98),)))
    witness.as_believed(one.tracker.state, play_goes_on=True)
    assert witness.of(one.tracker.state) is not None
    witness.as_believed(one.tracker.state)
    assert witness.of(one.tracker.state) is None


def perhaps(*tallies: tuple[int, float], since: int = 2) -> PurseReading:
    """The purse of A in a look that may differ so from the one with which counting began before."""
    return PurseReading("A-purse", None, 0.98, since, 0, PurseChange(1, tallies))


def after_a_look_that_leaves_sums_open(*tallies: tuple[int, float]) -> tuple[Table, tuple[Happening, ...]]:
    """A takes a worker back for money, 1 or 2, or the apprentice, for 2, and its purse may have changed so."""
    one = table()
    seen = PurseReading("A-purse", 8, 0.98, 1, 0)
    one.tracker.observe(replace(one.eyes.look(one.view), purses=(seen,)))
    one.put("r1c1|r1c2", "blue", -1)
    one.tracker.scene_changed()
    looks = [replace(one.eyes.look(one.view), purses=(perhaps(*tallies),)) for _ in range(4)]
    return one, tuple(h for picture in looks for h in one.tracker.observe(picture))


def test_of_sums_that_are_possible_the_rules_leave_the_one_that_an_act_comes_to() -> None:
    one, happenings = after_a_look_that_leaves_sums_open((1, 0.7), (0, 0.02), (5, 0.26))
    assert events(one, happenings) == ["A money r1c1|r1c2 r1c1"]


def test_sums_that_two_acts_come_to_are_asked_about() -> None:
    _, happenings = after_a_look_that_leaves_sums_open((1, 0.8), (2, 0.18))
    assert [h.kind for h in happenings] == [HappeningKind.ASKED]


def test_what_the_record_says_later_tells_which_of_the_sums_it_was() -> None:
    one, witness = table(), PurseWitness(rules_of())
    seen = one.eyes.look(one.view)
    witness.look(replace(seen, purses=(PurseReading("A-purse", 10, 0.98, 1, 0),)))
    witness.scene_changed()
    witness.look(replace(seen, purses=(perhaps((-2, 0.5), (-3, 0.48)),)))
    witness.as_believed(one.tracker.state)  # £8 by the record
    witness.scene_changed()
    witness.look(replace(seen, purses=(replace(perhaps((-2, 0.5), (-3, 0.48)), tally=2),)))
    heard = witness.of(one.tracker.state)
    assert heard is not None
    nine, ten = (position(one.rules, gaps=GAPS, seats=SEATS | {"A": {"step": "II", "money": n}}) for n in (9, 10))
    assert heard((), ten) > heard((), nine) + 3


def test_what_the_purse_speaks_against_is_not_presumed_on_sense_alone() -> None:
    """Money at the card where it brings more makes sense, but the purse rather shows the other sum."""
    one = table()
    state = one.tracker.state
    acts = tuple((one.rules.parse(f"A money r1c1|r1c2 {card}"),) for card in ("r1c1", "r1c2"))
    ends = tuple(Explained(act, one.rules.apply(state, *act), one.view, 0.0) for act in acts)
    asked = Ambiguous(acts, ("r1c1|r1c2",), alike=True, ends=ends)
    for odds, presumed in ((2.0, 1), (10.0, None), (50.0, 0)):
        told = {act: log(odds) if number == 0 else 0.0 for number, act in enumerate(acts)}
        found = sensible(one.rules, state, asked, lambda events, _, told=told: told[events], gone_on=False)
        assert (None if found is None else acts.index(found.events)) == presumed


def test_at_a_camera_the_purse_tells_when_hands_have_had_their_time_and_a_note_says_so() -> None:
    rules = rules_of()
    one = Table(rules, position(rules, gaps=GAPS, seats=SEATS), LIVE_DEMANDS)
    one.tracker.hold_ms = 2500
    look(one, A=8)
    one.put("r1c1|r1c2", "blue", -1)
    assert look(one, A=9) == ()  # coins may still be on their way
    assert one.tracker.held is not None
    happenings = one.tracker.ask_now(0, gone_on=False)
    assert events(one, happenings) == ["A money r1c1|r1c2 r1c1"]
    assert happenings[-1].kind is HappeningKind.PRESUMED
