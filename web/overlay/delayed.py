"""The table as it was some time ago, as a spectator could see it then: all that an overlay is ever sent."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Any

from companion.table.record.thinking import Thinking
from companion.table.session import clock_json
from web.ports.tables import OpenTable
from web.speaker import Speaker
from web.stream import HEARTBEAT_TURNS, RETRY_MS, WAIT_S, message
from web.views import picture_of

SECOND_MS = 1000


def number_at(table: OpenTable, now_ms: int, delay_s: int) -> int:
    """The latest record that is `delay_s` old; 0 while not even the set-up is."""
    times = [start for start, _ in table.session.spans()]
    return bisect_right(times, now_ms - delay_s * SECOND_MS) if delay_s else len(times)


def delayed_state(table: OpenTable, number: int, language: str, delay_s: int) -> dict[str, Any]:
    """What a spectator knew after record `number`: names, scores, turn, clocks, board. No alerts, acts or devices; and
    nothing at all after record 0."""
    session = table.session
    if number == 0:
        return {"session": None}
    state = picture_of(table, number, Speaker(table, language))
    thinking = Thinking()
    for span in session.spans()[:number]:
        thinking = thinking.after(span)
    clock = clock_json(session.moment.mood.clock, thinking)
    if clock is not None:
        clock["since_ms"] += delay_s * SECOND_MS  # the overlay's clock runs as late as its picture
    return state | {"clock": clock}


def overlay_events(
    table: OpenTable, language: str, delay_s: int, now_ms: Callable[[], int], still: Callable[[], bool],
    wait: Callable[[float], object],
) -> Iterator[str]:
    """Server-sent events: the delayed state whenever it has become another, until `still` says no more."""
    yield f"retry: {RETRY_MS}\n\n"
    sent, silent = -1, 0
    while still():
        number = number_at(table, now_ms(), delay_s)
        if number != sent:
            sent, silent = number, 0
            data = delayed_state(table, number, language, delay_s)
            yield message("state", json.dumps(data, ensure_ascii=False))
        silent += 1
        if silent >= HEARTBEAT_TURNS:
            silent = 0
            yield message("here", "{}")
        wait(WAIT_S)
    yield message("moved", "{}")
