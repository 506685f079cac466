"""Serves the hub's pages and streams: by the dashboard's server, over https unless a proxy before it has that."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.app.dashboard.server.door import Door, Limits
from companion.app.dashboard.server.listening import Callers, listen
from companion.app.dashboard.server.serve import Server, lan_address
from companion.app.dashboard.server.tls import certificate
from companion.app.hub.streams import PATH, LiveStreams, Receive, Send
from companion.hub.hall import Hall
from web.hall import create_hall_app
from web.hall.app import BODY_MOST_BYTES

CONNECTIONS = 2000
"""Screens, phones and tables of a large hall; each connection is a descriptor and some 20 kB."""
THREADS = 16
"""For pages and deliveries, which wait for the database; streams need none."""
AT_ONCE = 16
"""Requests of one sender at the same time: a proxy, or a hall behind one address, is one sender."""


@dataclass(frozen=True, slots=True)
class HubServing:
    """Where the hub is."""

    url: str
    lan_url: str
    port: int


class _Pages:
    """The ASGI application: live streams in the loop, everything else by a thread."""

    def __init__(self, door: Door, streams: LiveStreams) -> None:
        self._door, self._streams = door, streams

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request."""
        live = scope["type"] == "http" and scope["path"] == PATH and scope["method"] == "GET"
        await (self._streams if live else self._door)(scope, receive, send)


@contextmanager
def serving_hub(hall: Hall, *, bind: str, port: int, tls_folder: Path | None) -> Iterator[HubServing]:
    """Serve the hub while the context is open; port 0 takes a free one. `tls_folder`: where the certificate of https
    is kept; None: plain http, for a proxy before it or this machine alone. Raises DeviceError when the port is taken.
    """
    app = create_hall_app(hall)
    desk = app.extensions["hall_desk"]
    streams = LiveStreams(hall, desk.access)
    desk.counts.streams = lambda: streams.open
    lan = lan_address() if bind == "0.0.0.0" else bind
    pem = certificate(tls_folder, lan) if tls_folder is not None else None
    listener = listen(bind, port, Callers(CONNECTIONS), where="--port")
    taken = int(listener.getsockname()[1])
    limits = Limits(body_most_bytes=BODY_MOST_BYTES, at_once=AT_ONCE)
    server = Server(lambda: _Pages(Door(app, THREADS, limits), streams), [(listener, pem)])
    server.start()
    scheme = "http" if pem is None else "https"
    try:
        yield HubServing(f"{scheme}://127.0.0.1:{taken}", f"{scheme}://{lan}:{taken}", taken)
    finally:
        streams.close()
        server.stop()
