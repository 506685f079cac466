"""What changes an event, and the event after it: a pure function of the changes in their order.

The changes are what is kept; so who changed what, when and why is kept with them, and an event is never overwritten.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from companion.core.messages import Message
from companion.hub.events.checking import checked_result, checked_rules
from companion.hub.events.model import (
    NAME_MOST,
    PLAYERS_MOST,
    EventError,
    EventRules,
    Given,
    HallEvent,
    Player,
    Round,
    RoundTable,
    TableResult,
)

MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True)
class EventMade:
    """The first change of every event."""

    name: str
    rules: EventRules


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """Before the first round anything; later what does not touch games that were played."""

    rules: EventRules


@dataclass(frozen=True, slots=True)
class PlayersAdded:
    """New players, also late ones: they are paired from the next round on."""

    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class PlayerChanged:
    """Another name or club, shown to the public or not, here or gone; gone players keep their games."""

    player: Player


@dataclass(frozen=True, slots=True)
class RoundPaired:
    """The next round, or the last one anew as long as it has not started."""

    tables: tuple[RoundTable, ...]
    byes: tuple[int, ...]
    seed: str
    repeats: int
    bound: int


@dataclass(frozen=True, slots=True)
class SeatsSwapped:
    """Two players of a round that has not started change places; a bye counts as a place."""

    one: int
    other: int


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """The round's clock begins."""


@dataclass(frozen=True, slots=True)
class RoundLengthened:
    """The round's clock ends so much later (earlier when negative)."""

    minutes: int


@dataclass(frozen=True, slots=True)
class ResultGiven:
    """A table's result: the first without a reason, each later one corrects it and says why."""

    round: int
    table: int
    result: TableResult
    reason: str = ""


@dataclass(frozen=True, slots=True)
class EventEnded:
    """No further round; results can still be corrected."""


Change = (
    EventMade | RulesChanged | PlayersAdded | PlayerChanged | RoundPaired | SeatsSwapped | RoundStarted
    | RoundLengthened | ResultGiven | EventEnded
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """A change as it is kept: its number from 1, when and by whom."""

    number: int
    at_ms: int
    by: str
    change: Change


def event_of(entries: Iterable[Entry]) -> HallEvent:
    """The event after all its changes. Raises EventError for changes that do not follow from one another."""
    event: HallEvent | None = None
    for entry in entries:
        event = after(event, entry)
    if event is None:
        raise EventError("an event begins with its name and rules")
    return event


def after(event: HallEvent | None, entry: Entry) -> HallEvent:
    """The event after one more change. Raises EventError, saying why, when it cannot be made now."""
    if event is None:
        if not isinstance(entry.change, EventMade):
            raise EventError("an event begins with its name and rules")
        return HallEvent(_name(entry.change.name), checked_rules(entry.change.rules), changes=entry.number)
    return replace(_changed(event, entry), changes=entry.number)


def _changed(event: HallEvent, entry: Entry) -> HallEvent:
    match entry.change:
        case EventMade():
            raise EventError("the event was made already")
        case RulesChanged(rules):
            return _with_rules(event, rules)
        case PlayersAdded(players):
            return _with_players(event, players)
        case PlayerChanged(player):
            event.player(player.number)
            changed = replace(player, name=_name(player.name))
            return replace(event, players=tuple(changed if p.number == player.number else p for p in event.players))
        case RoundPaired():
            return _paired(event, entry.change, entry.at_ms)
        case SeatsSwapped(one, other):
            return _with_round(event, _swapped(_waiting(event), one, other))
        case RoundStarted():
            ends_ms = entry.at_ms + event.rules.round_minutes * MINUTE_MS
            return _with_round(event, replace(_waiting(event), started_ms=entry.at_ms, ends_ms=ends_ms))
        case RoundLengthened(minutes):
            last = event.round
            if last is None or last.ends_ms is None:
                raise EventError("no round has started")
            return _with_round(event, replace(last, ends_ms=last.ends_ms + minutes * MINUTE_MS))
        case ResultGiven():
            return _with_result(event, entry.change, entry)
        case EventEnded():
            if event.round is not None and not event.round.complete:
                raise EventError("tables of the last round have no result yet")
            return replace(event, over=True)


def _name(name: str) -> str:
    if not 1 <= len(name.strip()) <= NAME_MOST:
        raise EventError(Message("a name has 1 to {most} letters", most=NAME_MOST))
    return name.strip()


def _with_rules(event: HallEvent, rules: EventRules) -> HallEvent:
    checked_rules(rules)
    was = event.rules
    if event.rounds and (rules.game, rules.seed) != (was.game, was.seed):
        raise EventError("the game and the seed stay as they are once a round is paired")
    if rules.rounds < len(event.rounds):
        raise EventError(Message("{rounds} rounds were paired already", rounds=len(event.rounds)))
    return replace(event, rules=rules)


def _with_players(event: HallEvent, players: tuple[Player, ...]) -> HallEvent:
    if event.over:
        raise EventError("the event is over")
    everybody = (*event.players, *(replace(player, name=_name(player.name)) for player in players))
    if len(everybody) > PLAYERS_MOST:
        raise EventError(Message("an event has at most {most} players", most=PLAYERS_MOST))
    if len({player.number for player in everybody}) < len(everybody):
        raise EventError("two players have the same number")
    return replace(event, players=everybody)


def _paired(event: HallEvent, change: RoundPaired, at_ms: int) -> HallEvent:
    if event.over:
        raise EventError("the event is over")
    before = event.rounds
    if before and before[-1].started_ms is None:
        before = before[:-1]
    if before and not before[-1].complete:
        raise EventError("tables of the last round have no result yet")
    if len(before) >= event.rules.rounds:
        raise EventError("all rounds of this event were played")
    placed = sorted([*(player for table in change.tables for player in table.seats), *change.byes])
    if placed != sorted(player.number for player in event.players if player.here):
        raise EventError("everybody who is here has one place in a round")
    made = Round(len(before) + 1, change.tables, change.byes, change.seed, change.repeats, change.bound, at_ms)
    return replace(event, rounds=(*before, made))


def _waiting(event: HallEvent) -> Round:
    last = event.round
    if last is None or last.started_ms is not None:
        raise EventError("no round is waiting for its start")
    return last


def _swapped(waiting: Round, one: int, other: int) -> Round:
    places = {player for table in waiting.tables for player in table.seats} | set(waiting.byes)
    if one == other or not {one, other} <= places:
        raise EventError("two players of the round can change places")
    change = {one: other, other: one}

    def moved(players: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(change.get(player, player) for player in players)

    tables = tuple(replace(table, seats=moved(table.seats)) for table in waiting.tables)
    return replace(waiting, tables=tables, byes=moved(waiting.byes))


def _with_round(event: HallEvent, last: Round) -> HallEvent:
    return replace(event, rounds=(*event.rounds[:-1], last))


def _with_result(event: HallEvent, change: ResultGiven, entry: Entry) -> HallEvent:
    if not 1 <= change.round <= len(event.rounds):
        raise EventError(Message("there is no round {round}", round=change.round))
    its_round = event.rounds[change.round - 1]
    if its_round.started_ms is None:
        raise EventError("the round has not started")
    found = [table for table in its_round.tables if table.number == change.table]
    if not found:
        raise EventError(Message("round {round} has no table {table}", round=change.round, table=change.table))
    table = found[0]
    if table.given and not change.reason.strip():
        raise EventError("a correction says why")
    given = Given(checked_result(table, change.result), entry.by, entry.at_ms, change.reason.strip())
    done = replace(table, given=(*table.given, given))
    tables = tuple(done if each.number == done.number else each for each in its_round.tables)
    rounds = tuple(replace(each, tables=tables) if each is its_round else each for each in event.rounds)
    return replace(event, rounds=rounds)
