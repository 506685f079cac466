"""A film that waits: its next picture is not judged while an alert is open that a test wants to look at."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

from companion.app.dashboard.host import Host


@contextmanager
def held_while_alarmed(host: Host, clause: str) -> Iterator[Event]:
    """The film of `host` stands still as soon as an alert cites `clause`, until the event is set or the context ends.

    However fast pictures are read and pages are drawn, the page then has the time to show what is wrong.
    """
    assert host.table is not None
    session, loop, go_on = host.table.session, host.camera._live.loop, Event()  # type: ignore[union-attr]
    people = loop.before_picture

    def before_picture(index: int) -> None:
        if any(data.get("clause") == clause for _, data in session.moment.mood.alerts):
            go_on.wait()
        people(index)

    loop.before_picture = before_picture
    try:
        yield go_on
    finally:
        go_on.set()
