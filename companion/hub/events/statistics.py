"""What players did across events: games, wins, points, and who met whom. Players of one name are one person."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from companion.hub.events.games import byes, games
from companion.hub.events.model import HallEvent


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Games of two at one table: how many, how often the one was ahead, and how often the other."""

    games: int
    ahead: int
    behind: int


@dataclass(frozen=True, slots=True)
class Career:
    """A player across events. `against`: by the other's key. `anonymous`: asked to be so at any event."""

    key: str
    name: str
    anonymous: bool
    events: int
    games: int
    wins: Fraction
    byes: int
    points: Fraction
    scores: tuple[int, ...]
    against: dict[str, HeadToHead]


def person(name: str) -> str:
    """What makes two names the same person's: letters' case and doubled spaces do not count."""
    return " ".join(name.casefold().split())


def careers(events: Iterable[HallEvent]) -> tuple[Career, ...]:
    """Everybody of the events, who played most first."""
    names: dict[str, str] = {}
    hidden: set[str] = set()
    entered: Counter[str] = Counter()
    count: Counter[str] = Counter()
    free: Counter[str] = Counter()
    wins: defaultdict[str, Fraction] = defaultdict(Fraction)
    points: defaultdict[str, Fraction] = defaultdict(Fraction)
    scores: defaultdict[str, list[int]] = defaultdict(list)
    two: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0, 0]))
    for event in events:
        keys = {player.number: person(player.name) for player in event.players}
        for player in event.players:
            names[keys[player.number]] = player.name
            entered[keys[player.number]] += 1
            if player.anonymous:
                hidden.add(keys[player.number])
        for number, had in byes(event).items():
            free[keys[number]] += had
            points[keys[number]] += had * event.rules.bye_points
        for game in games(event):
            first = sum(part.place == 1 for part in game.parts)
            for part in game.parts:
                key = keys[part.player]
                count[key] += 1
                points[key] += part.points
                wins[key] += Fraction(1, first) if part.place == 1 else 0
                if part.score is not None:
                    scores[key].append(part.score)
                for other in game.parts:
                    if other is not part:
                        met = two[key][keys[other.player]]
                        met[0] += 1
                        met[1] += part.place < other.place
                        met[2] += part.place > other.place
    made = [
        Career(
            key, name, key in hidden, entered[key], count[key], wins[key], free[key], points[key], tuple(scores[key]),
            {other: HeadToHead(*met) for other, met in sorted(two[key].items())},
        )
        for key, name in names.items()
    ]  # fmt: skip
    return tuple(sorted(made, key=lambda each: (-each.games, each.key)))
