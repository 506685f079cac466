"""An event as it stands: its rules, players, rounds, tables and results. Frozen; `changes.py` says how it changes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from companion.core.errors import CompanionError
from companion.core.messages import Message

PLAYERS_MOST = 1000
ROUNDS_MOST = 30
NAME_MOST = 60
POINTS_MOST = 1000


class EventError(CompanionError):
    """What cannot be done with an event now, or what its rules cannot be; says what is expected."""

    exit_code = 3


class Source(Enum):
    """Where a result comes from."""

    TABLE = "table"
    PAPER = "paper"


class Criterion(Enum):
    """What standings compare, each larger first; `standings.py` says how each is counted."""

    POINTS = "points"
    WINS = "wins"
    OPPONENTS = "opponents"
    OPPONENTS_CUT = "opponents_cut"
    SHARE = "share"
    SCORE = "score"
    DIRECT = "direct"
    LOT = "lot"


class Shared(Enum):
    """What those get who share a place: the mean of the points of their places, or the best of them each."""

    MEAN = "mean"
    BEST = "best"


def default_points(size: int) -> tuple[Fraction, ...]:
    """Six for the first, none for the last, even steps between: three on average at tables of every size, so that a
    small table is neither a gift nor a loss."""
    return tuple(Fraction(6 * (size - 1 - place), size - 1) for place in range(size))


@dataclass(frozen=True, slots=True)
class EventRules:
    """What an event's organiser chose.

    `sizes`: of tables, the best liked first. `points`: for each of the sizes, place by place. `bye_points`: as much as
    a win unless chosen otherwise (as in chess, FIDE Handbook C.04.1). `order`: what decides, the first first.
    `delay_s`: how much later the public sees what happens. `seed`: of every lot of the event.
    """

    game: str
    seed: str
    sizes: tuple[int, ...] = (4, 3)
    rounds: int = 4
    round_minutes: int = 60
    delay_s: int = 0
    points: tuple[tuple[Fraction, ...], ...] = (default_points(4), default_points(3))
    bye_points: Fraction = Fraction(6)
    shared: Shared = Shared.MEAN
    order: tuple[Criterion, ...] = (
        Criterion.POINTS, Criterion.WINS, Criterion.OPPONENTS, Criterion.SHARE, Criterion.DIRECT,
    )  # fmt: skip

    def points_at(self, size: int) -> tuple[Fraction, ...]:
        """Place by place at a table of so many who played (fewer than it seats when somebody did not come)."""
        if size == 1:  # nobody else came
            return (self.bye_points,)
        return self.points[self.sizes.index(size)] if size in self.sizes else default_points(size)


@dataclass(frozen=True, slots=True)
class Player:
    """`number` stays; `secret` opens the player's own page; `anonymous`: shown to the public by number alone."""

    number: int
    name: str
    club: str = ""
    anonymous: bool = False
    secret: str = ""
    here: bool = True


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How a player's game ended: the place (shared by several: the same number), None for who did not play; the
    game's own score when it is known."""

    player: int
    place: int | None
    score: int | None = None


@dataclass(frozen=True, slots=True)
class TableResult:
    """How a table's game ended. `session` and `record` say where a table's own record shows it."""

    seats: tuple[SeatResult, ...]
    source: Source
    session: str = ""
    record: int = 0

    @property
    def played(self) -> tuple[SeatResult, ...]:
        """Those who played."""
        return tuple(seat for seat in self.seats if seat.place is not None)

    @property
    def lost(self) -> bool:
        """Whether all lost together: everybody has the last place."""
        return len(self.played) > 1 and all(seat.place == len(self.played) for seat in self.played)


@dataclass(frozen=True, slots=True)
class Given:
    """A result as it was given, by whom and when; a correction has a reason."""

    result: TableResult
    by: str
    at_ms: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RoundTable:
    """A table of a round: its number in the plan, the hall's table it is played at (None: without a companion), the
    players in the order of their seats, and every result given, the last of which holds."""

    number: int
    hall_table: int | None
    seats: tuple[int, ...]
    given: tuple[Given, ...] = ()

    @property
    def result(self) -> TableResult | None:
        """The result that holds."""
        return self.given[-1].result if self.given else None


@dataclass(frozen=True, slots=True)
class Round:
    """A round. `repeats`, `bound`: how many meet again, and how few any pairing had (`pairing.py`); swapping players by
    hand may make more. `ends_ms` is set when it has started."""

    number: int
    tables: tuple[RoundTable, ...]
    byes: tuple[int, ...]
    seed: str
    repeats: int
    bound: int
    paired_ms: int
    started_ms: int | None = None
    ends_ms: int | None = None

    @property
    def complete(self) -> bool:
        """Whether every table has a result."""
        return all(table.given for table in self.tables)


@dataclass(frozen=True, slots=True)
class HallEvent:
    """An event after its changes; `changes` counts them."""

    name: str
    rules: EventRules
    players: tuple[Player, ...] = ()
    rounds: tuple[Round, ...] = ()
    over: bool = False
    changes: int = 0

    def player(self, number: int) -> Player:
        """The player of this number. Raises EventError when there is none."""
        for player in self.players:
            if player.number == number:
                return player
        raise EventError(Message("no player has the number {number}", number=number))

    @property
    def round(self) -> Round | None:
        """The round that was paired last."""
        return self.rounds[-1] if self.rounds else None
