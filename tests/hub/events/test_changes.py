"""An event by its changes: what is refused and why, late and leaving players, corrections, the way to JSON and back."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from event_kit import START_MS, PlayedEvent
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import DataError
from companion.hub.events.changes import (
    Entry,
    EventEnded,
    PlayerChanged,
    PlayersAdded,
    ResultGiven,
    RoundLengthened,
    RoundPaired,
    RoundStarted,
    RulesChanged,
    SeatsSwapped,
    event_of,
)
from companion.hub.events.checking import checked_rules
from companion.hub.events.coding import change_from_json, change_to_json
from companion.hub.events.games import contestants, repeats
from companion.hub.events.model import Criterion, EventError, EventRules, Player, Source


def test_an_event_is_the_sum_of_its_changes_also_by_way_of_json() -> None:
    played = PlayedEvent()
    played.play()
    played.give(1, [4, 3, 2, 1], [1, 2, 3, 4], reason="the sheet was read upside down")
    played.play()
    kept = [(e.number, e.at_ms, e.by, json.dumps(change_to_json(e.change))) for e in played.entries]
    read = [Entry(number, at_ms, by, change_from_json(json.loads(text))) for number, at_ms, by, text in kept]
    assert event_of(read) == played.event


@pytest.mark.parametrize(
    "data", [None, {}, {"kind": "Other"}, {"kind": "SeatsSwapped"}, {"kind": "SeatsSwapped", "one": "1", "other": 2},
             {"kind": "RoundStarted", "more": 1}, {"kind": "EventMade", "name": "x", "rules": {"bye_points": "1/0"}}]
)  # fmt: skip
def test_what_is_no_change_is_refused_by_its_field(data: object) -> None:
    with pytest.raises(DataError):
        change_from_json(data)


KEYS = st.sampled_from(["kind", "rules", "players", "tables", "one", "other"])
KINDS = st.sampled_from(["SeatsSwapped", "EventMade", "PlayersAdded"])
ANYTHING = st.recursive(
    st.none() | st.integers() | st.text(max_size=5) | KINDS, lambda each: st.lists(each) | st.dictionaries(KEYS, each)
)


@given(ANYTHING)
def test_no_json_makes_anything_but_a_change_or_a_refusal(data: object) -> None:
    try:
        change = change_from_json(data)
    except DataError:
        return
    assert change_from_json(change_to_json(change)) == change


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"sizes": (5,)}, "2 to 4 players"),
        ({"sizes": ()}, "2 to 4 players"),
        ({"rounds": 0}, "1 to 30 rounds"),
        ({"round_minutes": 0}, "1 to 1440 minutes"),
        ({"delay_s": -1}, "0 to 86400 seconds"),
        ({"points": ((Fraction(1),) * 3, (Fraction(1),) * 3)}, "points for 4 places"),
        ({"points": ((Fraction(3), Fraction(2), Fraction(1), Fraction(2)),)}, "the first place the most"),
        ({"sizes": (4, 3, 2)}, "every size of table needs its points"),
        ({"bye_points": Fraction(-1)}, "points are 0 to 1000"),
        ({"order": (Criterion.WINS,)}, "points first"),
        ({"order": (Criterion.POINTS, Criterion.WINS, Criterion.WINS)}, "once"),
    ],
)
def test_rules_that_cannot_be_are_refused_with_what_is_expected(changed: dict[str, object], expected: str) -> None:
    with pytest.raises(EventError, match=expected):
        checked_rules(replace(EventRules("envyra", "s"), **changed))  # type: ignore[arg-type]


def test_a_round_is_paired_anew_until_it_starts_and_not_before_the_last_is_complete() -> None:
    played = PlayedEvent()
    played.pair()
    played.pair()
    assert len(played.event.rounds) == 1
    played.start()
    with pytest.raises(EventError, match="no result yet"):
        played.pair()
    with pytest.raises(EventError, match="waiting for its start"):
        played.start()
    with pytest.raises(EventError, match="no result yet"):
        played.change(EventEnded())


def test_no_more_rounds_than_the_rules_say() -> None:
    played = PlayedEvent(rounds=2)
    played.play()
    played.play()
    with pytest.raises(EventError, match="all rounds"):
        played.pair()
    with pytest.raises(EventError, match="2 rounds were paired"):
        played.change(RulesChanged(replace(played.event.rules, rounds=1)))
    assert played.change(EventEnded()).over


def test_results_wait_for_the_start_name_everybody_and_follow_on() -> None:
    played = PlayedEvent()
    played.pair()
    with pytest.raises(EventError, match="has not started"):
        played.give(1, [1, 2, 3, 4])
    played.start()
    for places in ([1, 2, 3, 5], [2, 3, 4, 5], [1, 1, 2, 3], [None] * 4, [2, 2, 2, 2]):
        with pytest.raises(EventError):
            played.give(1, places)
    played.give(1, [1, 1, 3, None])
    given_first = played.entries[-1].change
    assert isinstance(given_first, ResultGiven)
    with pytest.raises(EventError, match="no table 9"):
        played.change(replace(given_first, table=9))
    assert played.give(2, [4, 4, 4, 4]).rounds[0].complete  # all lost together


def test_a_correction_says_why_and_the_first_result_stays_to_be_read() -> None:
    played = PlayedEvent()
    played.play()
    with pytest.raises(EventError, match="says why"):
        played.give(1, [4, 3, 2, 1])
    table = played.give(1, [4, 3, 2, 1], reason="read upside down").rounds[0].tables[0]
    assert [given.reason for given in table.given] == ["", "read upside down"]
    assert table.result is table.given[1].result
    assert table.given[0].at_ms < table.given[1].at_ms


def test_a_correction_of_an_earlier_round_counts_in_the_next_pairing() -> None:
    played = PlayedEvent()
    played.play()
    before = {each.number: each.points for each in contestants(played.event)}
    played.give(1, [1, 1, 1, 1], reason="drawn")
    after = {each.number: each.points for each in contestants(played.event)}
    assert {after[number] for number in played.event.rounds[0].tables[0].seats} == {Fraction(3)} != set(before.values())


def test_who_comes_late_or_goes_is_paired_from_the_next_round_on() -> None:
    played = PlayedEvent(8)
    played.play()
    played.change(PlayerChanged(replace(played.event.player(3), here=False)))
    played.change(PlayersAdded((Player(9, "Late"), Player(10, "Later"))))
    last = played.play().rounds[1]
    placed = {player for table in last.tables for player in table.seats}
    assert placed == {1, 2, 4, 5, 6, 7, 8, 9, 10}
    with pytest.raises(EventError, match="same number"):
        played.change(PlayersAdded((Player(9, "Twice"),)))


def test_a_pairing_with_somebody_who_left_or_twice_is_refused() -> None:
    played = PlayedEvent(4)
    last = played.pair().rounds[0]
    with pytest.raises(EventError, match="one place"):
        played.change(RoundPaired(last.tables, (1,), "s", 0, 0))


def test_two_change_places_before_the_start_and_what_repeats_is_counted_anew() -> None:
    played = PlayedEvent(8)
    played.play()
    first, second = played.pair().rounds[1].tables
    assert repeats(played.event, played.event.rounds[1].tables) == played.event.rounds[1].repeats
    played.change(SeatsSwapped(first.seats[0], second.seats[3]))
    now = played.event.rounds[1].tables
    assert now[0].seats == (second.seats[3], *first.seats[1:])
    assert now[1].seats == (*second.seats[:3], first.seats[0])
    with pytest.raises(EventError, match="change places"):
        played.change(SeatsSwapped(1, 1))
    played.start()
    with pytest.raises(EventError, match="waiting"):
        played.change(SeatsSwapped(1, 2))


def test_the_rounds_clock_ends_after_its_minutes_and_can_be_moved() -> None:
    played = PlayedEvent(4, round_minutes=50)
    played.pair()
    ends_ms = played.start().rounds[0].ends_ms
    assert ends_ms == played.entries[-1].at_ms + 50 * 60_000 > START_MS
    assert played.change(RoundLengthened(5)).rounds[0].ends_ms == ends_ms + 5 * 60_000


def test_an_event_begins_with_its_rules() -> None:
    with pytest.raises(EventError, match="begins"):
        event_of([Entry(1, 0, "x", RoundStarted())])
    with pytest.raises(EventError, match="begins"):
        event_of([])


def test_a_result_says_where_it_is_from() -> None:
    played = PlayedEvent(4)
    played.pair()
    played.start()
    result = played.give(1, [1, 2, 3, 4], source=Source.TABLE).rounds[0].tables[0].result
    assert result is not None
    assert result.source is Source.TABLE
