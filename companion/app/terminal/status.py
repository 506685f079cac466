"""How a session stands, as JSON and as text."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from companion.app.files.sessions import ReadSession
from companion.app.terminal.text import board_text, result_text, score_text
from companion.core.types import Seat
from companion.table.prompts import Prompter
from companion.table.turn_flow import Stage, awaited_seats, stage_of


def standing(read: ReadSession) -> dict[str, Any]:
    """What a spectator may know of a session, as JSON."""
    rules, state = read.rules, read.history.state
    result = rules.result(state)
    return {
        "session": read.header.session,
        "game": read.header.setup.game,
        "number": read.history.head,
        "seats": [
            {"seat": Seat(i).name, "name": s.name, "colour": s.colour} for i, s in enumerate(read.header.setup.seats)
        ],
        "to_act": [seat.name for seat in rules.to_act(state)],
        "draw_due": bool(rules.chance_outcomes(state)),
        "over": result is not None,
        "winners": None if result is None else [seat.name for seat in result.winners],
        "totals": {score.seat.name: score.total for score in rules.scores(state)},
        "view": rules.view(state, None),
    }


def standing_text(read: ReadSession, prompter: Prompter) -> str:
    """The same for people: the table, whose turn it is, the scores."""
    rules, state = read.rules, read.history.state
    head = prompter.text("{session}: {number} records", session=read.header.session, number=read.history.head)
    lines = [head, board_text(rules, state, prompter)]
    result = rules.result(state)
    if result is not None:
        return "\n".join((*lines, result_text(result, prompter)))
    if stage_of(rules, state) is Stage.DRAW:
        lines.append(prompter.text("A draw is due."))
    else:
        lines.append(prompter.text("Awaited: {players}", players=awaited_seats(rules, state)))
    return "\n".join((*lines, score_text(rules.scores(state), prompter)))


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
        records = "record " if row["records"] == 1 else "records"
        lines.append(f"{row['session']:32} {day}  {row['records']:5} {records}  {', '.join(row['players'])}")
    return "\n".join(lines)
