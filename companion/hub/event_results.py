"""How a game that a hall's table delivered becomes the result of a table of the round."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from companion.core.errors import CompanionError, RecordError
from companion.core.game import GameSpec, Rules
from companion.core.types import Result
from companion.hub.delivery.intake import Delivery, Intake
from companion.hub.events.changes import ResultGiven
from companion.hub.events.model import EventError, HallEvent, RoundTable, SeatResult, Source, TableResult
from companion.hub.events.statistics import person
from companion.hub.store.database import Database
from companion.hub.store.event_store import EventStore
from companion.table.outcome import places
from companion.table.record.history import History
from companion.table.record.records import SessionHeader, check_chain, record_from_json
from companion.table.record.store_tables import read_header

RulesOf = Callable[[SessionHeader], tuple[GameSpec, Rules]]
BY_TABLE = "table"
"""Who gave a result that came from a table's record."""


class EventResults:
    """Looks for games that have ended at the tables of rounds that are played. For any thread."""

    def __init__(
        self, database: Database, intake: Intake, events: EventStore, rules_of: RulesOf,
        under_review: Callable[[], frozenset[int]] = frozenset,
    ) -> None:
        """`under_review`: tables whose result is not to be entered now."""
        self._database, self._intake, self._events, self._rules_of = database, intake, events, rules_of
        self._under_review = under_review
        self._unusable: set[tuple[int, int]] = set()

    def collect(self, event: int, now_ms: int) -> HallEvent:
        """Give every result that has come and is not entered; the event after it. A session counts for the table it was
        delivered by, when its players have the names of those who sit there; it counts once."""
        found = self._events.event(event)
        held = self._under_review()
        used = {
            (t.hall_table, given.result.session) for each in found.rounds for t in each.tables for given in t.given
        }
        for each in found.rounds:
            if each.started_ms is None:
                continue
            for table in each.tables:
                if table.given or table.hall_table is None or table.hall_table in held:
                    continue
                for delivery in self._intake.deliveries(table.hall_table):
                    key = (table.hall_table, delivery.session)
                    if key in used or delivery.changed_ms < each.paired_ms or not delivery.over:
                        continue
                    result = self._result(found, table, delivery)
                    if result is None:
                        continue
                    try:
                        found = self._events.change(
                            event, ResultGiven(each.number, table.number, result), BY_TABLE, now_ms)
                    except EventError:
                        found = self._events.event(event)  # another process was first
                    used.add(key)
                    break
        return found

    def _result(self, event: HallEvent, table: RoundTable, delivery: Delivery) -> TableResult | None:
        """None when the game is not this table's, is not wholly opened, or cannot be read."""
        if delivery.put_aside or delivery.fork or delivery.opened < delivery.number:
            return None
        if (delivery.id, delivery.number) in self._unusable:
            return None
        players = {person(event.player(number).name): number for number in table.seats}
        try:
            header = self._header(delivery)
            names = [person(seat.name) for seat in header.setup.seats]
            if header.setup.game != event.rules.game or sorted(names) != sorted(players):
                return None
            return result_of(header, self._intake.lines(delivery.id), self._rules_of,
                             {seat: players[name] for seat, name in enumerate(names)})
        except CompanionError:
            # What this companion cannot read is shown at the tables; the result is then entered by hand.
            self._unusable.add((delivery.id, delivery.number))
            return None

    def _header(self, delivery: Delivery) -> SessionHeader:
        row = self._database.rows("SELECT header, made_ms FROM hall_sessions WHERE id = :id", id=delivery.id)[0]
        return read_header(delivery.session, row["header"], row["made_ms"])


def result_of(
    header: SessionHeader, lines: list[str], rules_of: RulesOf, players: Mapping[int, int]
) -> TableResult | None:
    """The result that a session's lines tell; None while its game goes on. `players`: of each seat. Raises RecordError
    when the lines do not replay."""
    spec, rules = rules_of(header)
    history = History(rules)
    number = 0
    for record in check_chain(header, map(record_from_json, map(json.loads, lines))):
        number = record.number
        if number > 1:
            try:
                history.follow(record)
            except (ValueError, KeyError, TypeError) as error:
                raise RecordError(f"record {number} does not fit the rules: {error}", where=header.session) from error
    result = rules.result(history.state)
    if result is None:
        return None
    return TableResult(_seats(spec, result, players), Source.TABLE, header.session, number)


def _seats(spec: GameSpec, result: Result, players: Mapping[int, int]) -> tuple[SeatResult, ...]:
    ranked = {score.seat: (place, score.total) for place, score in places(result)}
    if not result.winners:  # all lost together
        ranked = {seat: (len(ranked), total) for seat, (_, total) in ranked.items()}
    elif spec.together:
        ranked = {seat: (1, total) for seat, (_, total) in ranked.items()}
    return tuple(SeatResult(players[seat], place, total) for seat, (place, total) in sorted(ranked.items()))
