"""Events in the store, and results that come from tables: once, only from those who sit there, as the record says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest
from hall_kit import Clock, browser
from hall_table import HallTable, a_table, toy_rules_of
from table_kit import play

from companion.hub.event_results import EventResults, result_of
from companion.hub.events.changes import PlayersAdded, ResultGiven, RoundPaired, RoundStarted
from companion.hub.events.games import next_round
from companion.hub.events.model import (
    EventError,
    EventRules,
    HallEvent,
    Player,
    RoundTable,
    SeatResult,
    Source,
    TableResult,
    default_points,
)
from companion.hub.events.standings import standings
from companion.hub.hall import Hall
from companion.hub.store.event_store import EventStore
from companion.table.record.records import SessionHeader

pytestmark = pytest.mark.system("postgresql")
RULES = EventRules("toy", "seed", sizes=(2,), points=(default_points(2),), rounds=3)
GAME = ("A hide 1", "B hide 2", "token red", "A hide 3", "B hide 1", "token red", "A hide 1", "B hide 2", "token red")


def toy(header: SessionHeader) -> Any:
    return SimpleNamespace(together=False), toy_rules_of(header)


@pytest.fixture
def table(hall: Hall, tmp_path: Path) -> Iterator[HallTable]:
    """A table that has joined."""
    with a_table(tmp_path / "seven", hall, browser(hall)) as found:
        yield found


def an_event(hall: Hall, *names: str) -> int:
    event = hall.events.make("Evening", RULES, "organiser", hall.clock_ms())
    hall.events.change(event, PlayersAdded(tuple(Player(n + 1, name) for n, name in enumerate(names))), "organiser",
                       hall.clock_ms())
    return event


def started(hall: Hall, event: int, hall_table: int | None) -> HallEvent:
    pairing, tables = next_round(hall.events.event(event))
    made = tuple(RoundTable(n + 1, hall_table, seats) for n, seats in enumerate(tables))
    hall.events.change(event, RoundPaired(made, pairing.byes, pairing.seed, 0, 0), "organiser", hall.clock_ms())
    return hall.events.change(event, RoundStarted(), "organiser", hall.clock_ms())


def test_an_event_is_the_same_for_every_process_and_after_a_restart(hall: Hall) -> None:
    event = an_event(hall, "Anna", "Bert")
    other = EventStore(hall.database)
    assert other.event(event) == hall.events.event(event)
    hall.events.change(event, PlayersAdded((Player(3, "Cyril"),)), "organiser", hall.clock_ms())
    assert other.event(event) == hall.events.event(event)
    assert [entry.number for entry in other.entries(event)] == [1, 2, 3]
    assert other.all() == (event,)


def test_who_has_not_seen_the_last_change_makes_none(hall: Hall) -> None:
    event = an_event(hall, "Anna", "Bert")
    with pytest.raises(EventError, match="somebody else"):
        hall.events.change(event, RoundStarted(), "x", 0, seen=1)


def test_changes_of_two_at_once_are_both_kept_in_some_order(hall: Hall) -> None:
    event = an_event(hall, "Anna", "Bert")
    stores = [EventStore(hall.database) for _ in range(4)]

    def add(number: int) -> None:
        stores[number].change(event, PlayersAdded((Player(10 + number, f"P{number}"),)), "x", 0)

    threads = [Thread(target=add, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {player.number for player in hall.events.event(event).players} == {1, 2, 10, 11, 12, 13}
    assert [entry.number for entry in hall.events.entries(event)] == [1, 2, 3, 4, 5, 6]


def test_the_public_sees_an_event_as_it_stood(hall_and_clock: tuple[Hall, Clock]) -> None:
    hall, clock = hall_and_clock
    event = an_event(hall, "Anna", "Bert")
    before_ms = clock.now_ms
    clock.now_ms += 60_000
    hall.events.change(event, PlayersAdded((Player(3, "Cyril"),)), "organiser", clock.now_ms)
    assert len(hall.events.event(event, before_ms).players) == 2
    assert len(hall.events.event(event, clock.now_ms).players) == 3
    assert hall.events.event(event, 0).players == ()


def test_a_game_that_ended_at_the_table_is_its_result_once_and_equals_a_recount(hall: Hall, table: HallTable) -> None:
    results = EventResults(hall.database, hall.intake, hall.events, toy)
    session = table.begin()
    names = [seat.name for seat in session.header.setup.seats]
    event = an_event(hall, *names)
    started(hall, event, table.joined.table)
    play(session, *GAME[:6])
    assert table.step() == ""
    assert results.collect(event, hall.clock_ms()).rounds[0].tables[0].result is None
    play(session, *GAME[6:])
    assert table.step() == ""
    found = results.collect(event, hall.clock_ms())
    result = found.rounds[0].tables[0].result
    assert result is not None
    assert (result.source, result.session, result.record) == (Source.TABLE, "toy-1", 1 + len(GAME))
    assert results.collect(event, hall.clock_ms()).changes == found.changes
    # The recount: the table's own export, replayed by itself.
    lines = [json.dumps(json.loads(line)) for line in hall.intake.lines(hall.intake.deliveries()[0].id)]
    seats = {n: next(p.number for p in found.players if p.name == name) for n, name in enumerate(names)}
    again = result_of(session.header, lines, toy, seats)
    assert again is not None
    first = found.rounds[0].tables[0]
    recounted = replace(found, rounds=(replace(found.rounds[0], tables=(
        replace(first, given=(replace(first.given[0], result=again),)),)),))  # fmt: skip
    assert standings(recounted) == standings(found)
    assert {seat.player: seat.score for seat in again.seats} == {seats[0]: 3, seats[1]: 4}


def test_a_game_of_others_or_of_before_the_pairing_is_no_result(
    hall_and_clock: tuple[Hall, Clock], table: HallTable
) -> None:
    hall, clock = hall_and_clock
    results = EventResults(hall.database, hall.intake, hall.events, toy)
    session = table.begin()
    play(session, *GAME)
    assert table.step() == ""
    strangers = an_event(hall, "Nobody", "Somebody")
    started(hall, strangers, table.joined.table)
    assert results.collect(strangers, hall.clock_ms()).rounds[0].tables[0].result is None
    clock.now_ms += 1000
    event = an_event(hall, *(seat.name for seat in session.header.setup.seats))
    started(hall, event, table.joined.table)
    assert results.collect(event, hall.clock_ms()).rounds[0].tables[0].result is None


def test_what_was_entered_from_paper_stays_when_the_table_delivers_later(hall: Hall, table: HallTable) -> None:
    results = EventResults(hall.database, hall.intake, hall.events, toy)
    session = table.begin()
    event = an_event(hall, *(seat.name for seat in session.header.setup.seats))
    seats = started(hall, event, table.joined.table).rounds[0].tables[0].seats
    paper = TableResult((SeatResult(seats[0], 1), SeatResult(seats[1], 2)), Source.PAPER)
    hall.events.change(event, ResultGiven(1, 1, paper), "organiser", hall.clock_ms())
    play(session, *GAME)
    assert table.step() == ""
    assert results.collect(event, hall.clock_ms()).rounds[0].tables[0].result == paper


def test_a_table_under_review_gives_no_result_until_its_score_is_released(hall: Hall, table: HallTable) -> None:
    results = EventResults(hall.database, hall.intake, hall.events, toy, hall.showing.under_review)
    session = table.begin()
    event = an_event(hall, *(seat.name for seat in session.header.setup.seats))
    started(hall, event, table.joined.table)
    hall.showing.begin_review(table.joined.table, "Eva", "", hall.clock_ms(), None)
    play(session, *GAME)
    assert table.step() == ""
    assert results.collect(event, hall.clock_ms()).rounds[0].tables[0].result is None
    hall.showing.end_review(table.joined.table)
    assert results.collect(event, hall.clock_ms()).rounds[0].tables[0].result is not None
