"""A simulated event, paired round by round: how long each pairing takes, what repeats, and whether that is proved."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import combinations
from typing import Any

from companion.hub.events.changes import (
    Entry,
    EventMade,
    PlayerChanged,
    PlayersAdded,
    ResultGiven,
    RoundPaired,
    RoundStarted,
    after,
)
from companion.hub.events.games import contestants, next_round
from companion.hub.events.model import (
    EventRules,
    HallEvent,
    Player,
    RoundTable,
    SeatResult,
    Source,
    TableResult,
    default_points,
)

SPREAD = 2.0
"""Players' strengths are drawn from a normal distribution of 1; a game adds so much luck."""


def pairing_bench(
    players: int, rounds: int, sizes: tuple[int, ...], seed: int, leaving: float = 0.0,
    progress: Callable[[], None] = lambda: None,
) -> dict[str, Any]:  # fmt: skip
    """Figures of each round. `leaving`: the part of the players who leave before each later round, as many come new.

    `cpu_s` is process time of the whole pairing, contestants and seats included. `apart`: the sum of squares of the
    differences in points over every two at a table. `begins`: the most and the fewest times anybody began.
    """
    drawn = random.Random(seed)
    strength = {number: drawn.gauss(0, 1) for number in range(1, players + 1)}
    rules = EventRules("envyra", str(seed), sizes, rounds, points=tuple(map(default_points, sizes)))
    event = _after(None, EventMade("bench", rules))
    event = _after(event, PlayersAdded(tuple(Player(number, str(number)) for number in strength)))
    rows = []
    for number in range(1, rounds + 1):
        if number > 1:
            event = _changed_players(event, strength, leaving, drawn)
        points = {each.number: each.points for each in contestants(event)}
        begin_s = time.process_time()
        pairing, tables = next_round(event)
        cpu_s = time.process_time() - begin_s
        made = tuple(RoundTable(index + 1, None, seats) for index, seats in enumerate(tables))
        event = _after(event, RoundPaired(made, pairing.byes, pairing.seed, pairing.repeats, pairing.bound))
        event = _after(event, RoundStarted())
        rows.append({
            "round": number, "players": len(points), "cpu_s": round(cpu_s, 3), "repeats": pairing.repeats,
            "bound": pairing.bound, "proved": pairing.proved, "byes": len(pairing.byes),
            "apart": float(sum((points[a] - points[b]) ** 2 for table in tables for a, b in combinations(table, 2))),
        })  # fmt: skip
        for table in made:
            ranked = sorted(table.seats, key=lambda player: -strength[player] - drawn.gauss(0, SPREAD))
            result = tuple(SeatResult(player, ranked.index(player) + 1) for player in table.seats)
            event = _after(event, ResultGiven(number, table.number, TableResult(result, Source.PAPER)))
        progress()
    began = [sum(table.seats[0] == player.number for each in event.rounds for table in each.tables)
             for player in event.players if player.here]  # fmt: skip
    return {
        "players": players, "rounds": rounds, "sizes": list(sizes), "seed": seed, "leaving": leaving,
        "cpu_s_most": max(row["cpu_s"] for row in rows), "repeats": sum(int(row["repeats"]) for row in rows),
        "all_proved": all(row["proved"] for row in rows), "begins_most": max(began), "begins_fewest": min(began),
        "of_each_round": rows,
    }  # fmt: skip


def _changed_players(
    event: HallEvent, strength: dict[int, float], leaving: float, drawn: random.Random
) -> HallEvent:
    here = [player for player in event.players if player.here]
    gone = drawn.sample(here, int(len(here) * leaving))
    for player in gone:
        event = _after(event, PlayerChanged(Player(player.number, player.name, here=False)))
    new = range(len(event.players) + 1, len(event.players) + 1 + len(gone))
    strength.update((number, drawn.gauss(0, 1)) for number in new)
    return _after(event, PlayersAdded(tuple(Player(number, str(number)) for number in new)))


def _after(event: HallEvent | None, change: Any) -> HallEvent:
    return after(event, Entry(0 if event is None else event.changes + 1, 0, "bench", change))

