"""What rules of an event and results of a table must be; refused with what is expected."""

from __future__ import annotations

from companion.core.messages import Message
from companion.hub.events.model import (
    POINTS_MOST,
    ROUNDS_MOST,
    Criterion,
    EventError,
    EventRules,
    RoundTable,
    TableResult,
)
from companion.hub.events.seats.sizes import LARGEST, SMALLEST

MINUTES_MOST = 24 * 60
DELAY_MOST_S = 24 * 60 * 60
SCORE_MOST = 1_000_000


def checked_rules(rules: EventRules) -> EventRules:
    """The same rules. Raises EventError for the first that cannot be."""
    sizes = rules.sizes
    if not sizes or len(set(sizes)) != len(sizes) or not all(SMALLEST <= size <= LARGEST for size in sizes):
        raise EventError(Message("tables have {smallest} to {largest} players", smallest=SMALLEST, largest=LARGEST))
    if not 1 <= rules.rounds <= ROUNDS_MOST:
        raise EventError(Message("an event has 1 to {most} rounds", most=ROUNDS_MOST))
    if not 1 <= rules.round_minutes <= MINUTES_MOST:
        raise EventError(Message("a round has 1 to {most} minutes", most=MINUTES_MOST))
    if not 0 <= rules.delay_s <= DELAY_MOST_S:
        raise EventError(Message("the public's delay is 0 to {most} seconds", most=DELAY_MOST_S))
    for size, points in zip(sizes, rules.points, strict=False):
        if len(points) != size or list(points) != sorted(points, reverse=True):
            raise EventError(
                Message("a table of {size} needs points for {size} places, the first place the most", size=size)
            )
    if len(rules.points) != len(sizes):
        raise EventError("every size of table needs its points")
    if not all(0 <= each <= POINTS_MOST for points in (*rules.points, (rules.bye_points,)) for each in points):
        raise EventError(Message("points are 0 to {most}", most=POINTS_MOST))
    if rules.order[:1] != (Criterion.POINTS,) or len(set(rules.order)) != len(rules.order):
        raise EventError("standings compare points first, then each tie-break once")
    return rules


def checked_result(table: RoundTable, result: TableResult) -> TableResult:
    """The same result. Raises EventError unless every player of the table is in it once, and places follow one
    another: 1, then one more for each player ahead (1, 1, 3); or all have the last, who lost together."""
    if sorted(seat.player for seat in result.seats) != sorted(table.seats):
        raise EventError("a result has each player of its table once")
    places = sorted(seat.place for seat in result.seats if seat.place is not None)
    if not places:
        raise EventError("somebody must have played")
    lost_together = places == [len(places)] * len(places)  # as the game's rules say: nobody won
    for place in places:
        if not lost_together and place != 1 + sum(other < place for other in places):
            raise EventError("places begin with 1; who shares one has the same, who follows comes behind all of them")
    if not all(seat.score is None or abs(seat.score) <= SCORE_MOST for seat in result.seats):
        raise EventError(Message("a score is at most {most}", most=SCORE_MOST))
    return result
