"""Standings of an event: points, then what the event's rules compare between equal ones, each told in words.

Tie-breaks: wins (first places, a shared one by its share); opponents' points (the mean of the points of everybody met,
so that tables of different sizes compare; games without the worst of them when cut); score share (the part of a table's
scores that was one's own, summed over games); the game's own score; direct encounter (of those still equal, who was
ahead more often where all of them have met); a lot drawn from the event's seed.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from companion.core.messages import Message
from companion.hub.events.games import Part, Played, byes, games
from companion.hub.events.model import Criterion, HallEvent, Player

TITLES: dict[Criterion, str] = {
    Criterion.POINTS: "Points",
    Criterion.WINS: "Wins",
    Criterion.OPPONENTS: "Opponents' points",
    Criterion.OPPONENTS_CUT: "Opponents' points, one game left out",
    Criterion.SHARE: "Share of the scores",
    Criterion.SCORE: "Game score",
    Criterion.DIRECT: "Direct encounter",
    Criterion.LOT: "Lot",
}
EXPLAINED: dict[Criterion, str] = {
    Criterion.POINTS: "The points of the places of all games, and of byes.",
    Criterion.WINS: "How many games were won; a win that two share counts a half for each.",
    Criterion.OPPONENTS: "The mean of the points of everybody met: who met stronger players is ahead.",
    Criterion.OPPONENTS_CUT: "The same without the game against the weakest table.",
    Criterion.SHARE: "In each game the player's part of all scores at the table, added up over the games.",
    Criterion.SCORE: "The game's own scores, added up.",
    Criterion.DIRECT: "Of those still equal, if all of them have met: how often one was ahead of another.",
    Criterion.LOT: "A lot drawn from the event's seed.",
}
EQUAL = "Equal in everything that is compared."
AHEAD = "Ahead of {player}: {what} {own} to {other}."
LAST = "The last of the standings."


@dataclass(frozen=True, slots=True)
class Row:
    """A player's line. `values`: in the order of the event's rules; a direct encounter is None where it was not asked
    or not all have met. `why`: what puts the player before the next line."""

    rank: int
    player: Player
    games: int
    byes: int
    values: tuple[Fraction | None, ...]
    why: Message


def standings(event: HallEvent, through: int | None = None) -> tuple[Row, ...]:
    """The standings after the rounds up to `through`, with the results there are; players with none included."""
    played, had = games(event, through), byes(event, through)
    by_player: dict[int, list[Played]] = defaultdict(list)
    for game in played:
        for part in game.parts:
            by_player[part.player].append(game)
    points = {
        player.number: sum((_part(game, player.number).points for game in by_player[player.number]), Fraction(0))
        + had[player.number] * event.rules.bye_points
        for player in event.players
    }
    order = event.rules.order
    values: dict[int, list[Fraction | None]] = {
        player.number: [
            None if kind is Criterion.DIRECT else _value(kind, player.number, by_player[player.number], points, event)
            for kind in order
        ]
        for player in event.players
    }
    groups: list[list[int]] = [[player.number for player in event.players]]
    for index, kind in enumerate(order):
        finer: list[list[int]] = []
        for group in groups:
            if kind is Criterion.DIRECT:
                for player, value in _direct(group, played).items():
                    values[player][index] = value
            finer += _split(group, [values[player][index] for player in group])
        groups = finer
    rows, ahead = [], 0
    lines = [(player, place) for place, group in enumerate(groups) for player in sorted(group)]
    ranks = []
    for group in groups:
        ranks += [ahead + 1] * len(group)
        ahead += len(group)
    for line, (number, _) in enumerate(lines):
        following = lines[line + 1][0] if line + 1 < len(lines) else None
        rows.append(Row(
            ranks[line], event.player(number), len(by_player[number]), had[number], tuple(values[number]),
            _why(event, order, values, number, following),
        ))  # fmt: skip
    return tuple(rows)


def _part(game: Played, player: int) -> Part:
    return next(part for part in game.parts if part.player == player)


def _value(
    kind: Criterion, player: int, own: Sequence[Played], points: dict[int, Fraction], event: HallEvent
) -> Fraction:
    match kind:
        case Criterion.POINTS:
            return points[player]
        case Criterion.WINS:
            return sum((_won(game, player) for game in own), Fraction(0))
        case Criterion.OPPONENTS | Criterion.OPPONENTS_CUT:
            met = sorted(
                ([points[part.player] for part in game.parts if part.player != player] for game in own),
                key=lambda each: sum(each, Fraction(0)) / max(1, len(each)),
            )
            if kind is Criterion.OPPONENTS_CUT and len(met) > 1:
                met = met[1:]
            everybody = [each for game in met for each in game]
            return sum(everybody, Fraction(0)) / len(everybody) if everybody else Fraction(0)
        case Criterion.SHARE:
            return sum((_share(game, player) for game in own), Fraction(0))
        case Criterion.SCORE:
            return Fraction(sum(_part(game, player).score or 0 for game in own))
        case Criterion.LOT:
            return Fraction(random.Random(f"{event.rules.seed}/lot/{player}").randrange(10**6))
        case Criterion.DIRECT:
            raise ValueError("a direct encounter is asked of those who are equal")


def _won(game: Played, player: int) -> Fraction:
    first = [part.player for part in game.parts if part.place == 1]
    return Fraction(1, len(first)) if player in first else Fraction(0)


def _share(game: Played, player: int) -> Fraction:
    """Scores below nothing count nothing; a game whose scores are not known, or all nothing, is shared evenly."""
    scores = {part.player: max(0, part.score) for part in game.parts if part.score is not None}
    total = sum(scores.values())
    if len(scores) < len(game.parts) or not total:
        return Fraction(1, len(game.parts))
    return Fraction(scores[player], total)


def _direct(group: Sequence[int], played: Sequence[Played]) -> dict[int, Fraction]:
    """How often each was ahead of another of the group, equal places a half; empty unless all of them have met."""
    if len(group) < 2:
        return {}
    ahead: Counter[tuple[int, int]] = Counter()
    met = set()
    for game in played:
        places = {part.player: part.place for part in game.parts if part.player in group}
        for one, place in places.items():
            for other, its in places.items():
                if one != other:
                    met.add((one, other))
                    ahead[one, other] += 2 if place < its else 1 if place == its else 0
    if len(met) < len(group) * (len(group) - 1):
        return {}
    return {one: Fraction(sum(ahead[one, other] for other in group if other != one), 2) for one in group}


def _split(group: list[int], values: list[Fraction | None]) -> list[list[int]]:
    """The group in smaller ones, larger values first; values that are not known leave it whole."""
    known = {player: value for player, value in zip(group, values, strict=True) if value is not None}
    if len(known) < len(group):
        return [group]
    return [
        [player for player in group if known[player] == value] for value in sorted(set(known.values()), reverse=True)
    ]


def _why(
    event: HallEvent, order: Sequence[Criterion], values: dict[int, list[Fraction | None]], player: int,
    following: int | None,
) -> Message:  # fmt: skip
    if following is None:
        return Message(LAST)
    for kind, own, other in zip(order, values[player], values[following], strict=True):
        if own != other and own is not None and other is not None:
            return Message(AHEAD, player=event.player(following).name, what=Message(TITLES[kind]),
                           own=spoken(own), other=spoken(other))  # fmt: skip
    return Message(EQUAL)


def decimal(value: Fraction | None) -> str:
    """As people write it: whole, or with two digits at most; "" for what is not known."""
    if value is None:
        return ""
    return str(value) if value.denominator == 1 else f"{float(value):.2f}".rstrip("0")


def spoken(value: Fraction | None) -> Message | str:
    """The same in a sentence or on a page, with the decimal mark of the reader's language."""
    whole, mark, digits = decimal(value).partition(".")
    return Message("{whole}.{digits}", whole=whole, digits=digits) if mark else whole
