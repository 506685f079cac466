"""What the events' pages show, made of an event: names as the public may read them, tables, a player's own games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from companion.core.messages import Message
from companion.hub.events.games import byes, games, repeats
from companion.hub.events.model import HallEvent, Player, Round, RoundTable
from companion.hub.events.standings import spoken

ANONYMOUS = "Player {number}"


def for_public(event: HallEvent, translate: Callable[[str], str], but: int = 0) -> HallEvent:
    """The event with the names left out of players who wish it; `but`: whose own page it is."""

    def shown(player: Player) -> Player:
        if not player.anonymous or player.number == but:
            return player
        return replace(player, name=translate(ANONYMOUS).format(number=player.number), club="")

    return replace(event, players=tuple(shown(player) for player in event.players))


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat of a table as a page shows it; place and points are "" without a result."""

    player: Player
    seat: int
    place: str
    points: Message | str
    score: str


@dataclass(frozen=True, slots=True)
class TableView:
    """A table of a round as a page shows it. `name`: of the hall's table, else the number in the plan; `lost`: all
    together, so that nobody has a place."""

    table: RoundTable
    name: str
    seats: tuple[SeatView, ...]
    lost: bool = False


def tables_of(event: HallEvent, shown: Round, names: Mapping[int, str], results: bool = True) -> tuple[TableView, ...]:
    """The tables of a round, with their results or without."""
    parts = {(game.table, part.player): part for game in games(event) if game.round == shown.number
             for part in game.parts} if results else {}  # fmt: skip
    found = []
    for table in shown.tables:
        seats = []
        for seat, number in enumerate(table.seats):
            part = parts.get((table.number, number))
            seats.append(SeatView(
                event.player(number), seat + 1, "" if part is None else str(part.place),
                "" if part is None else spoken(part.points),
                "" if part is None or part.score is None else str(part.score),
            ))  # fmt: skip
        found.append(TableView(table, names.get(table.hall_table or 0, str(table.number)), tuple(seats),
                               results and table.result is not None and table.result.lost))  # fmt: skip
    return tuple(found)


def pairing_told(event: HallEvent, shown: Round) -> Message:
    """How many meet again, and whether that could be less."""
    again = shown.repeats
    if shown is event.round and shown.started_ms is None:
        again = repeats(event, shown.tables)  # two may have been swapped by hand
    if not again:
        return Message("Nobody meets anybody again.")
    if again == shown.bound:
        return Message("{pairs} pairs meet again; no pairing has fewer (proved).", pairs=again)
    return Message("{pairs} pairs meet again; it is proved only that no pairing has fewer than {bound}.", pairs=again,
                   bound=shown.bound)


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A player's round: the table's name ("" for a bye), the seat, who else sits there, and what came of it."""

    round: int
    table: str
    seat: int
    others: tuple[Player, ...]
    place: str
    points: Message | str
    score: str
    lost: bool = False


def own_games(event: HallEvent, player: int, names: Mapping[int, str]) -> tuple[OwnGame, ...]:
    """A player's rounds, the newest first."""
    found = []
    had = byes(event)
    for each in reversed(event.rounds):
        if player in each.byes:
            points = spoken(event.rules.bye_points) if had and each.started_ms is not None else ""
            found.append(OwnGame(each.number, "", 0, (), "", points, ""))
        for view in tables_of(event, each, names):
            for seat in view.seats:
                if seat.player.number == player:
                    others = tuple(other.player for other in view.seats if other is not seat)
                    found.append(OwnGame(each.number, view.name, seat.seat, others, seat.place, seat.points,
                                         seat.score, view.lost))  # fmt: skip
    return tuple(found)


def total(event: HallEvent, player: int) -> Fraction:
    """A player's points."""
    won = sum((part.points for game in games(event) for part in game.parts if part.player == player), Fraction(0))
    return won + byes(event)[player] * event.rules.bye_points
