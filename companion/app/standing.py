"""How a session stands, as JSON and as text."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from companion.app.terminal_view import board_text, result_text, score_text
from companion.app.wiring import Look
from companion.core.errors import RecordError
from companion.core.types import Seat
from companion.table.prompts import Prompter
from companion.table.store import Store


def standing(look: Look) -> dict[str, Any]:
    """What a spectator may know of a session, as JSON."""
    rules, state = look.rules, look.history.state
    result = rules.result(state)
    return {
        "session": look.header.session,
        "game": look.header.setup.game,
        "number": look.history.head,
        "seats": [
            {"seat": Seat(i).name, "name": s.name, "colour": s.colour} for i, s in enumerate(look.header.setup.seats)
        ],
        "to_act": [seat.name for seat in rules.to_act(state)],
        "draw_due": bool(rules.chance_outcomes(state)),
        "over": result is not None,
        "winners": None if result is None else [seat.name for seat in result.winners],
        "totals": {score.seat.name: score.total for score in rules.scores(state)},
        "view": rules.view(state, None),
    }


def standing_text(look: Look, prompter: Prompter) -> str:
    """The same for people: the table, whose turn it is, the scores."""
    rules, state = look.rules, look.history.state
    head = prompter.text("{session}: {number} records", session=look.header.session, number=look.history.head)
    lines = [head, board_text(rules, state, prompter)]
    result = rules.result(state)
    if result is not None:
        return "\n".join((*lines, result_text(result, prompter)))
    if rules.chance_outcomes(state):
        lines.append(prompter.text("A draw is due."))
    else:
        lines.append(prompter.text("Awaited: {players}", players=rules.to_act(state)))
    return "\n".join((*lines, score_text(rules.scores(state), prompter)))


def session_rows(store: Store) -> list[dict[str, Any]]:
    """All sessions, the newest first; of a damaged one its name and what is wrong with it."""
    rows: list[dict[str, Any]] = []
    for name in store.names():
        try:
            stored = store.session(name)
        except RecordError as error:
            rows.append({"session": name, "damage": str(error)})
            continue
        setup = stored.header.setup
        players = [seat.name for seat in setup.seats]
        created_ms = stored.header.created_ms
        row = {"game": setup.game, "players": players, "created_ms": created_ms, "records": stored.records}
        rows.append({"session": name} | row)
    return rows


def sessions_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """All sessions, one a line, the newest first."""
    if not rows:
        return "There is no session yet: `companion new` begins one."
    lines = []
    for row in rows:
        if "damage" in row:
            lines.append(f"{row['session']:32} damaged: {row['damage']}")
            continue
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(row["created_ms"] / 1000))
        lines.append(f"{row['session']:32} {day}  {row['records']:5} records  {', '.join(row['players'])}")
    return "\n".join(lines)
