"""The hub in numbers, in the format of Prometheus."""

from __future__ import annotations

import time

from flask import Blueprint, Flask, Response, g, request
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest

from web.hall.counts import Counts
from web.hall.desk import Desk

BEHIND_MS = 15_000
"""Three times the heartbeat of a table (`companion/app/hall/sender.py`): it is not there any more."""

QUERY = """
    SELECT count(*) FILTER (WHERE key_hash IS NOT NULL) AS joined,
           count(*) FILTER (WHERE key_hash IS NOT NULL AND coalesce(seen_ms, 0) < :late) AS away,
           (SELECT coalesce(sum(number), 0) FROM hall_sessions WHERE put_aside_ms IS NULL) AS records,
           (SELECT coalesce(sum(opened), 0) FROM hall_sessions WHERE put_aside_ms IS NULL) AS opened,
           (SELECT count(*) FROM hall_sessions WHERE fork <> '' AND put_aside_ms IS NULL) AS forked,
           (SELECT coalesce(sum(((status::json)->'backlog'->>'waiting')::bigint), 0) FROM hall_statuses) AS waiting
    FROM hall_tables
"""


GAUGES = {
    "joined": ("companion_hub_tables_joined", "Tables with a key"),
    "away": ("companion_hub_tables_away", "Joined tables that were not heard of for 15 seconds"),
    "records": ("companion_hub_records", "Records that the hall has"),
    "opened": ("companion_hub_records_opened", "Records whose line may be known"),
    "forked": ("companion_hub_sessions_forked", "Sessions of which nothing is taken until the organiser decides"),
    "waiting": ("companion_hub_backlog_records", "Records that wait at tables, as they last said"),
}


def blueprint(desk: Desk) -> Blueprint:
    """The address of the metrics: counts only, no names."""
    found = Blueprint("metrics", __name__)

    @found.get("/metrics")
    def metrics() -> Response:
        now = CollectorRegistry()
        row = desk.hall.database.rows(QUERY, late=desk.hall.clock_ms() - BEHIND_MS)[0]
        for key, (name, text) in GAUGES.items():
            Gauge(name, text, registry=now).set(row[key])
        streams = Gauge("companion_hub_streams", "Open live streams of this process", registry=now)
        streams.set(desk.counts.streams())
        return Response(generate_latest(now) + generate_latest(desk.counts.registry), content_type=CONTENT_TYPE_LATEST)

    return found


def count_requests(app: Flask, counts: Counts) -> None:
    """Count every request of `app`."""

    @app.before_request
    def _begun() -> None:
        g.begun_s = time.perf_counter()

    @app.after_request
    def _ended(answer: Response) -> Response:
        route = request.url_rule.rule if request.url_rule is not None else "none"
        counts.requests.labels(route).observe(time.perf_counter() - g.begun_s)
        if answer.status_code >= 500:
            counts.failed.inc()
        return answer
