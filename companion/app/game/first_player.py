"""The starting player that was chosen in the set-up: entered in the session as soon as the game asks who begins."""

from __future__ import annotations

import logging
import threading
from dataclasses import fields
from typing import get_type_hints

from companion.app.game.open_table import Table
from companion.core.events import Cause, CauseKind
from companion.core.game import GameSpec, Rules, State
from companion.core.types import Draw, Seat
from companion.table.commands import Play
from companion.table.record.trouble import StoreError

LOG = logging.getLogger("companion.app")
WAIT_S = 0.5
"""How long the thread waits for news before it looks whether the session has ended."""

CAUSE = Cause(CauseKind.OPERATOR, (("chosen", "set-up"),))


def asks_who_begins(spec: GameSpec) -> bool:
    """Whether the game has a draw that says nothing but whose seat it is."""
    return any(_names_a_seat_only(kind) for kind in spec.draw_types)


def _names_a_seat_only(kind: type[Draw]) -> bool:
    return list(get_type_hints(kind).values()) == [Seat]


def who_begins(rules: Rules, state: State) -> dict[Seat, str]:
    """Seat -> the text of the draw that makes it begin, while exactly that is due, for every seat."""
    draws = [outcome.draw for outcome in rules.chance_outcomes(state)]
    found = {getattr(draw, fields(draw)[0].name): draw for draw in draws if _names_a_seat_only(type(draw))}
    seats = [Seat(i) for i in range(len(rules.setup.seats))]
    whole = len(found) == len(draws) and set(found) == set(seats)
    return {seat: rules.format(found[seat]) for seat in seats} if whole else {}


def begins(table: Table, seat: Seat) -> None:
    """Let `seat` begin: at once when that is due, else as soon as it is. The waiting ends with the session."""
    ending = threading.Event()
    table.on_close.append(ending.set)
    threading.Thread(target=_wait, args=(table, seat, ending), name="first-player", daemon=True).start()


def _wait(table: Table, seat: Seat, ending: threading.Event) -> None:
    session = table.session
    news = session.subscribe(session.number)
    while not (ending.is_set() or news.ended):
        text = who_begins(session.rules, session.state).get(seat)
        if text is None:
            news.get(WAIT_S)
            continue
        try:
            session.ask(Play(texts=(text,), cause=CAUSE))
        except StoreError as error:  # it ended, or cannot write: the pages say so, and who resumes it is asked
            LOG.warning("the starting player was not recorded: %s", error)
        return
