"""The record looked back at: what happened, the table after any record, and the figures of the charts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from companion.core.types import Seat
from companion.i18n import localize
from companion.table.record.thinking import Span, by_round
from web.ports.tables import OpenTable
from web.roles.access import Client
from web.speaker import Speaker
from web.views import board_json, is_drawn, titled, update_json

MOST_RECORDS = 200
"""Records in one answer; the next ones are asked for with `after`."""


def records_json(table: OpenTable, client: Client, language: str, after: int) -> list[dict[str, Any]]:
    """The records after number `after`, at most a page, for `client`."""
    speaker = Speaker(table, language)
    updates = table.session.subscribe(after).so_far()
    return [update_json(table, update, client, speaker) for update in islice(updates, MOST_RECORDS)]


def state_json(table: OpenTable, client: Client, number: int, language: str) -> dict[str, Any]:
    """The table after record `number` for `client`. Raises ValueError when there is no such record."""
    session, rules = table.session, table.session.rules
    state = session.state_after(number)
    translate = Speaker(table, language).translate
    view = titled(localize(rules.view(state, client.seat), translate), translate)
    return {
        "number": number,
        "last": session.number,
        "view": view,
        "board": None if is_drawn(view) else board_json(rules, state),
    }


def chart_json(table: OpenTable, language: str) -> dict[str, Any]:
    """Score over the game, captures by round and where the points came from, as a spectator may know them.

    `rounds`: whether this game counts rounds; else every "round" is 0 and means the whole game.
    """
    session, rules = table.session, table.session.rules
    speaker = Speaker(table, language)
    points: list[dict[str, Any]] = []
    captures: dict[int, dict[str, int]] = {}
    before: dict[str, int] = {}
    steps = session.line(1)
    rounds = {1: 0}
    views = ((step.number, rules.view(session.state_after(step.number), None)) for step in steps)
    view: Any = rules.view(session.state, None)
    for number, view in views:
        rounds[number] = view.get("round", 0)
        seats = [seat for seat in view.get("seats", ()) if "score" in seat]
        totals = {seat["seat"]: seat["score"]["total"] for seat in seats}
        if totals and (not points or totals != points[-1]["totals"]):
            points.append({"number": number, "round": view.get("round", 0), "totals": totals})
        owned = {seat["seat"]: len(seat["captured"]) for seat in seats if "captured" in seat}
        for name, count in owned.items():
            if count > before.get(name, 0):
                row = captures.setdefault(view.get("round", 0), {})
                row[name] = row.get(name, 0) + count - before.get(name, 0)
        before = owned
    return {
        "rounds": "round" in view,
        "points": points,
        "captures": [{"round": number, "by": by} for number, by in sorted(captures.items())],
        "sources": _sources(speaker, view),
        "times": _times(session.spans(), rounds),
        "seats": [
            {"seat": Seat(i).name, "name": info.name, "colour": info.colour}
            for i, info in enumerate(session.header.setup.seats)
        ],
    }


def _times(spans: Sequence[Span], rounds: dict[int, int]) -> list[dict[str, Any]]:
    """Seconds of each player by round, what was taken back included; `rounds`: record in force -> its round."""
    of_record, latest = [], 0
    for number in range(1, len(spans) + 1):
        latest = rounds.get(number, latest)
        of_record.append(latest)
    return [
        {"round": number, "by": {seat.name: round(ms / 1000) for seat, ms in row.items()}}
        for number, row in sorted(by_round(spans, of_record).items())
    ]


def _sources(speaker: Speaker, view: Any) -> list[dict[str, Any]]:
    """Points by clause of the present score: the tiles' own, and those of sets and cards."""
    rows: dict[str, dict[str, int]] = {}
    for seat in view.get("seats", ()):
        for line in seat.get("score", {}).get("lines", ()):
            by = rows.setdefault(line["clause"], {})
            by[seat["seat"]] = by.get(seat["seat"], 0) + line["points"]
    return [{"clause": clause, "title": speaker.clause(clause)["title"], "by": by} for clause, by in rows.items()]
