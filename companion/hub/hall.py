"""The hall as its pages and routes see it: one value that holds what the hub's rooms offer."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from companion.core.game import GameSpec, Rules
from companion.hub.delivery.intake import Intake
from companion.hub.delivery.statuses import Statuses
from companion.hub.event_results import EventResults
from companion.hub.live.board import LiveBoard
from companion.hub.live.calls import RefereeCalls
from companion.hub.live.event_delay import EventDelay
from companion.hub.live.notices import Notices
from companion.hub.live.showing import Showing
from companion.hub.store.database import Database
from companion.hub.store.event_store import EventStore
from companion.hub.store.hall_tables import HallTables
from companion.hub.store.migrations import migrate
from companion.hub.store.staff import Staff
from companion.table.record.records import SessionHeader

RulesOf = Callable[[SessionHeader], tuple[GameSpec, Rules]]
"""The game and the rules of a session; the composition root hands them in."""


def wall_ms() -> int:
    """Unix milliseconds of this machine's clock."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Hall:
    """Everything of the hub that pages use. `close` it at the end."""

    database: Database
    notices: Notices
    board: LiveBoard
    tables: HallTables
    staff: Staff
    calls: RefereeCalls
    showing: Showing
    intake: Intake
    statuses: Statuses
    events: EventStore
    results: EventResults
    rules_of: RulesOf
    games: Mapping[str, str]
    """The games that this companion has, by name, each with its title; a new event is of the first, unless another is
    chosen."""
    clock_ms: Callable[[], int] = wall_ms

    def close(self) -> None:
        """End the threads of notices and delay, and give back the database's connections."""
        self.notices.close()
        self.board.close()
        self.database.close()


def open_hall(
    where: str, rules_of: RulesOf, clock_ms: Callable[[], int] = wall_ms, games: Mapping[str, str] | None = None
) -> Hall:
    """The hall that the database `where` keeps, migrated to what this companion knows; its notices are followed.

    Raises StoreError when the database cannot be used, DataError when it is of a later companion.
    """
    database = Database(where)
    try:
        migrate(database, clock_ms())
    except BaseException:
        database.close()
        raise
    notices = Notices(database)
    intake, events = Intake(database, clock_ms), EventStore(database)
    showing = Showing(database)
    EventDelay(notices, events, showing, clock_ms)
    hall = Hall(database, notices, LiveBoard(database, notices, clock_ms), HallTables(database), Staff(database),
                RefereeCalls(database), showing, intake, Statuses(database), events,
                EventResults(database, intake, events, rules_of, showing.under_review), rules_of, games or {}, clock_ms)
    notices.start()
    hall.board.start()
    return hall
