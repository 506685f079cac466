"""An event for tests: made, filled, paired and played by changes alone."""

from __future__ import annotations

from collections.abc import Sequence

from companion.hub.events.changes import (
    Change,
    Entry,
    EventMade,
    PlayersAdded,
    ResultGiven,
    RoundPaired,
    RoundStarted,
    after,
)
from companion.hub.events.games import next_round
from companion.hub.events.model import EventRules, HallEvent, Player, RoundTable, SeatResult, Source, TableResult

START_MS = 1_790_000_000_000
NAMES = ("Anna", "Bert", "Cyril", "Dana", "Emil", "Fela", "Gusta", "Hana", "Ivan", "Jana", "Karol", "Lena")


class PlayedEvent:
    """An event and its entries; every method makes one change a second later."""

    def __init__(self, players: int = 8, **rules: object) -> None:
        self.entries: list[Entry] = []
        self._event: HallEvent | None = None
        self.change(EventMade("Club evening", EventRules("envyra", "seed", **rules)))  # type: ignore[arg-type]
        names = [NAMES[n] if n < len(NAMES) else f"Player {n + 1}" for n in range(players)]
        self.change(PlayersAdded(tuple(Player(n + 1, name) for n, name in enumerate(names))))

    @property
    def event(self) -> HallEvent:
        """As it stands."""
        assert self._event is not None
        return self._event

    def change(self, change: Change) -> HallEvent:
        """One more change."""
        number = len(self.entries) + 1
        entry = Entry(number, START_MS + 1000 * number, "organiser", change)
        self._event = after(self._event, entry)
        self.entries.append(entry)
        return self._event

    def pair(self) -> HallEvent:
        """Pair the next round."""
        pairing, tables = next_round(self.event)
        made = tuple(RoundTable(n + 1, None, seats) for n, seats in enumerate(tables))
        return self.change(RoundPaired(made, pairing.byes, pairing.seed, pairing.repeats, pairing.bound))

    def start(self) -> HallEvent:
        """Start the round."""
        return self.change(RoundStarted())

    def give(self, table: int, places: Sequence[int | None], scores: Sequence[int | None] = (), *, reason: str = "",
             source: Source = Source.PAPER, in_round: int | None = None) -> HallEvent:
        """A result, place by place in the order of the seats."""
        number = in_round or len(self.event.rounds)
        seats = self.event.rounds[number - 1].tables[table - 1].seats
        scored = list(scores) or [None] * len(seats)
        result = tuple(SeatResult(*each) for each in zip(seats, places, scored, strict=True))
        return self.change(ResultGiven(number, table, TableResult(result, source), reason))

    def play(self) -> HallEvent:
        """Pair, start and finish a round: the lower number wins everywhere."""
        self.pair()
        self.start()
        for table in self.event.rounds[-1].tables:
            self.give(table.number, [1 + sum(other < own for other in table.seats) for own in table.seats])
        return self.event
