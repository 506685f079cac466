"""Serves the dashboard: waitress on the local network, beside it the same pages over https for phones' cameras."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from waitress import create_server, wasyncore

from companion.app.tls import TlsFront, certificate
from companion.app.web_ports import Host, access_key
from companion.core.errors import DeviceError
from web import create_app
from web.access import Access
from web.stream import MOST_STREAMS

OTHER_THREADS = 12
"""Threads beside those that open streams hold: pages, pictures and changes."""
LOOK_S = 0.25
"""How often the server's thread looks whether it is to end."""
STOP_S = 10.0
CONNECTIONS = 300
"""Browsers open up to six connections each."""


@dataclass(frozen=True, slots=True)
class Serving:
    """Where the pages are, and the referee's PIN."""

    url: str
    lan_url: str
    https_url: str
    pin: str
    port: int


def lan_address() -> str:
    """This machine's address on the local network; the loopback's when there is none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # TEST-NET-1: routed like any address, answers nobody
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


@contextmanager
def serving(
    host: Host, folder: Path, *, bind: str = "0.0.0.0", port: int = 8000, https_port: int | None = None, pin: str = ""
) -> Iterator[Serving]:
    """Serve the pages of `host` while the context is open; port 0 takes a free one. `https_port` None: no https.

    `folder` keeps the key of the tokens and the certificate. Raises DeviceError when the port is taken.
    """
    kept = access_key(folder)
    secret = pin or kept["pin"]
    app = create_app(host, Access(bytes.fromhex(kept["key"]), secret))
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # streams hold threads by design
    sockets: dict[int, Any] = {}
    try:
        server: Any = create_server(
            app, map=sockets, host=bind, port=port, threads=MOST_STREAMS + OTHER_THREADS, connection_limit=CONNECTIONS,
            channel_request_lookahead=1, ident=None, clear_untrusted_proxy_headers=True,
        )
    except OSError as error:
        wasyncore.close_all(sockets)
        raise DeviceError(
            f"port {port} cannot be opened: {error.strerror}", where="--port", remedy="Give another one, or 0."
        ) from error
    port = int(server.effective_port)
    lan = lan_address() if bind == "0.0.0.0" else bind
    front = None
    if https_port is not None:
        front = TlsFront((bind, https_port), ("127.0.0.1", port), certificate(folder, lan))
    lan_url = f"http://{lan}:{port}"
    https_url = "" if front is None else f"https://{lan}:{front.port}"
    host.addresses = [lan_url] + ([https_url] if https_url else [])
    stop = threading.Event()
    thread = threading.Thread(target=_run, args=(server, sockets, stop), name="waitress", daemon=True)
    thread.start()
    try:
        yield Serving(f"http://127.0.0.1:{port}", lan_url, https_url, secret, port)
    finally:
        if front is not None:
            front.close()
        host.close()  # ends the streams, so that their threads come free
        stop.set()
        thread.join(STOP_S)


def _run(server: Any, sockets: dict[int, Any], stop: threading.Event) -> None:
    """Serve until `stop`, then end in order: first the threads that answer, then the connections.

    Like the server's own `run`, which only ends with its process.
    """
    while not stop.is_set():
        wasyncore.loop(timeout=LOOK_S, map=sockets, use_poll=server.adj.asyncore_use_poll, count=1)
    server.task_dispatcher.shutdown(timeout=STOP_S / 2)
    wasyncore.close_all(sockets)
