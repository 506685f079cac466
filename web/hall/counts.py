"""What a process of the hub counts itself; see `web/hall/metrics.py`."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Histogram

BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Counts:
    """What this process counts itself."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.records = Counter("companion_hub_records_received", "Records in deliveries, repeated ones included",
                               registry=self.registry)
        self.requests = Histogram("companion_hub_request_seconds", "Time of requests by route", ["route"],
                                  buckets=BUCKETS_S, registry=self.registry)
        self.failed = Counter("companion_hub_requests_failed", "Answers of 500 and above", registry=self.registry)
        self.streams: Callable[[], int] = lambda: 0
