"""How a table stands, as the messages that screens get: for the hall's people or the public, whole or brief. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

OF_STAFF_ONLY = ("health", "backlog")
"""What of a status is for the hall's people: the public sees the game, not the machine."""

BRIEF = ("session", "title", "number", "seats", "to_act", "draw_due", "over", "paused", "expected", "scores", "clock",
         "result", "trouble")
"""The keys of a page that say how a game stands; the others are the picture of the table."""
BRIEF_VIEW = ("awaited", "round", "last_round", "period")


@dataclass(frozen=True, slots=True)
class Waiting:
    """A status and when the hub received it."""

    received_ms: int
    status: str


@dataclass(frozen=True, slots=True)
class Texts:
    """A table's messages, as JSON. `public_what` is what the public's say without their times: a table that says every
    few seconds that it is there is no news for hundreds of screens."""

    staff: str
    public: str
    staff_brief: str
    public_brief: str
    public_what: str


def texts(row: Mapping[str, Any], shown: Waiting | None) -> Texts:
    """The messages of a row of the board's QUERY; the public sees the status `shown` (None: none yet)."""
    about = {"table": row["id"], "name": row["name"]}
    newest = None if row["status"] is None else Waiting(row["received_ms"], row["status"])
    call = None if row["call_ms"] is None else {
        "since_ms": row["call_ms"], "who": row["call_who"], "person": row["call_person"],
        "taken_ms": row["call_taken_ms"],
    }
    review = None if row["review_ms"] is None else {
        "since_ms": row["review_ms"], "person": row["review_person"], "why": row["review_why"],
    }
    told = told_of(newest, 0, standing=False)
    staff = {**about, **told, "joined": row["joined"], "seen_ms": row["seen_ms"], "call": call, "review": review}
    standing = {"call": row["call_due"], "review": review is not None, "delay_s": row["delay_ms"] // 1000}
    public = about | standing | {
        key: value for key, value in told_of(shown, row["delay_ms"], standing=review is not None).items()
        if key not in OF_STAFF_ONLY
    }
    what = {} if shown is None else {
        key: value for key, value in json.loads(shown.status).items() if key not in (*OF_STAFF_ONLY, "taken_ms")
    }
    return Texts(_json(staff), _json(public), _json(_brief(staff)), _json(_brief(public)),
                 _json([about, standing, what]))


def told_of(status: Waiting | None, delay_ms: int, *, standing: bool) -> dict[str, Any]:
    """A status with the times of its page as the hub's clock has them, so late as its picture is. `standing`: nothing
    of it goes on."""
    if status is None:
        return {"received_ms": None}
    told: dict[str, Any] = {"received_ms": status.received_ms, **json.loads(status.status)}
    page = told.get("page")
    if page and page.get("clock"):
        apart_ms = status.received_ms - told.get("taken_ms", status.received_ms)
        clock = {**page["clock"], "since_ms": page["clock"]["since_ms"] + apart_ms + delay_ms}
        told["page"] = {**page, "clock": {**clock, "running": []} if standing else clock}
    return told


def _brief(told: Mapping[str, Any]) -> dict[str, Any]:
    page = told.get("page")
    if not page:
        return dict(told)
    view = page.get("view") or {}
    scores = [{"seat": one["seat"], "total": one["total"]} for one in page.get("scores", ())]
    brief = {key: page[key] for key in BRIEF if key in page}
    return {**told, "page": brief | {
        "scores": scores,
        "alerts": [alert.get("text", "") for alert in page.get("alerts", ())],
        "view": {key: view[key] for key in BRIEF_VIEW if key in view},
    }}


def _json(told: Any) -> str:
    return json.dumps(told, ensure_ascii=False)
