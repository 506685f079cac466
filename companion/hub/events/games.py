"""The games that an event's results say were played, with each player's points; and who may meet whom next."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from companion.hub.events.model import EventRules, HallEvent, Round, RoundTable, Shared, TableResult
from companion.hub.events.seats.pairing import Contestant, Pairing, pair
from companion.hub.events.seats.seating import seated


@dataclass(frozen=True, slots=True)
class Part:
    """A player's part in a game: place, points of the event, the game's own score (None: not known)."""

    player: int
    place: int
    points: Fraction
    score: int | None


@dataclass(frozen=True, slots=True)
class Played:
    """A game of a round that has a result: those who played."""

    round: int
    table: int
    parts: tuple[Part, ...]


def points_of(rules: EventRules, result: TableResult) -> tuple[Part, ...]:
    """What everybody who played gets. Who shares a place gets the mean, or the best, of what its places give."""
    played = result.played
    table = rules.points_at(len(played))
    parts = []
    for seat in played:
        place = seat.place or 0
        same = sum(each.place == place for each in played)
        shared = table[place - 1 : place - 1 + same]
        points = shared[0] if rules.shared is Shared.BEST else sum(shared, Fraction(0)) / len(shared)
        parts.append(Part(seat.player, place, points, seat.score))
    return tuple(parts)


def games(event: HallEvent, through: int | None = None) -> tuple[Played, ...]:
    """All games with a result, of the rounds up to `through`."""
    return tuple(
        Played(each.number, table.number, points_of(event.rules, table.result))
        for each in event.rounds[:through]
        for table in each.tables
        if table.result is not None
    )


def byes(event: HallEvent, through: int | None = None) -> Counter[int]:
    """How many byes each player had, in rounds that have started."""
    return Counter(player for each in event.rounds[:through] if each.started_ms is not None for player in each.byes)


def contestants(event: HallEvent) -> tuple[Contestant, ...]:
    """Who is to be paired for the next round, by the results there are."""
    played, had = games(event), byes(event)
    points: defaultdict[int, Fraction] = defaultdict(Fraction)
    met: dict[int, Counter[int]] = {player.number: Counter() for player in event.players}
    for game in played:
        for part in game.parts:
            points[part.player] += part.points
            met[part.player].update(other.player for other in game.parts if other is not part)
    small: Counter[int] = Counter()
    for each in _begun(event.rounds):
        largest = max((len(table.seats) for table in each.tables), default=0)
        small.update(player for table in each.tables if len(table.seats) < largest for player in table.seats)
    return tuple(
        Contestant(
            player.number, points[player.number] + had[player.number] * event.rules.bye_points,
            met[player.number], small[player.number], had[player.number],
        )
        for player in event.players
        if player.here
    )  # fmt: skip


def next_round(event: HallEvent, again: int = 0) -> tuple[Pairing, tuple[tuple[int, ...], ...]]:
    """The pairing of the next round, and its tables in the order of their seats. `again`: other lots, 0 the first."""
    number = len(_begun(event.rounds)) + 1
    seed = f"{event.rules.seed}/{number}/{again}"
    pairing = pair(contestants(event), event.rules.sizes, seed)
    sat: dict[int, Counter[tuple[int, int]]] = {player.number: Counter() for player in event.players}
    for each in _begun(event.rounds):
        for table in each.tables:
            for seat, player in enumerate(table.seats):
                sat[player][len(table.seats), seat] += 1
    drawn = random.Random(f"{seed}/seats")
    return pairing, tuple(seated(table, sat, drawn) for table in pairing.tables)


def repeats(event: HallEvent, tables: Iterable[RoundTable]) -> int:
    """How many pairs of players of these tables have met before."""
    met = {each.number: each.met for each in contestants(event)}
    return sum(
        other in met.get(player, {})
        for table in tables
        for index, player in enumerate(table.seats)
        for other in table.seats[:index]
    )


def _begun(rounds: Iterable[Round]) -> tuple[Round, ...]:
    return tuple(each for each in rounds if each.started_ms is not None)
