"""Serves the dashboard on the local network: http, and beside it https for phones' cameras, by one server."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn

from companion.app.dashboard.access_file import AccessFile
from companion.app.dashboard.host import Host
from companion.app.dashboard.server.door import Door, PatientProtocol
from companion.app.dashboard.server.listening import Callers, Listener, listen
from companion.app.dashboard.server.local_name import LocalName
from companion.app.dashboard.server.tls import certificate
from web import create_app
from web.roles.access import Access
from web.stream import MOST_STREAMS

LOG = logging.getLogger("companion.web")
OTHER_THREADS = 16
"""Threads beside those that open streams hold: pages, pictures and changes."""
KEEP_ALIVE_S = 15
"""A browser that asks for nothing keeps its connection for so long."""
HEAD_MOST_BYTES = 16 * 1024
"""Of a request's head: cookies of all roles and a long address."""
STOP_S = 10.0
NO_DESCRIPTORS = "no descriptors are left: new pages must wait, the open ones live on"


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

    `folder` keeps the key of the tokens, who is joined, and the certificate. Raises DeviceError when a port is taken.
    """
    kept = AccessFile(folder)
    secret = pin or kept.pin
    app = create_app(host, Access(kept.key, secret, keeper=kept))
    lan = lan_address() if bind == "0.0.0.0" else bind
    callers = Callers()
    listeners: list[tuple[Listener, Path | None]] = []
    try:
        listeners.append((listen(bind, port, callers, where="--port"), None))
        if https_port is not None:
            listeners.append((listen(bind, https_port, callers, where="--https-port"), certificate(folder, lan)))
    except BaseException:
        for listener, _ in listeners:
            listener.close()
        host.close()  # its camera and its box else keep the program alive
        raise
    ports = [int(listener.getsockname()[1]) for listener, _ in listeners]
    lan_url = f"http://{lan}:{ports[0]}"
    https_url = f"https://{lan}:{ports[1]}" if https_port is not None else ""
    host.addresses = [lan_url] + ([https_url] if https_url else [])
    server = Server(lambda: Door(app, MOST_STREAMS + OTHER_THREADS), listeners)
    server.start()
    name = LocalName(lan, ports[0], socket.gethostname(), host.be_named) if bind == "0.0.0.0" else None
    try:
        yield Serving(f"http://127.0.0.1:{ports[0]}", lan_url, https_url, secret, ports[0])
    finally:
        if name is not None:
            name.close()
        host.close()  # ends the streams, so that their threads come free
        server.stop()


class Server:
    """One uvicorn for each listening socket, all in one thread of this program, over one application."""

    def __init__(self, make: Callable[[], Any], listeners: list[tuple[Listener, Path | None]]) -> None:
        """`make` gives the ASGI application and is called in the server's loop; a listener with a certificate's file
        speaks https."""
        self._make, self._listeners = make, listeners
        self._servers: list[uvicorn.Server] = []
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="pages", daemon=True)

    def start(self) -> None:
        """Serve from now on."""
        self._thread.start()
        self._ready.wait(STOP_S)

    def stop(self) -> None:
        """End in order: no new requests, those under way are answered, then the connections are closed."""
        for server in self._servers:
            server.should_exit = True
        self._thread.join(STOP_S)

    async def _serve(self) -> None:
        asyncio.get_running_loop().set_exception_handler(_one_warning())
        application = self._make()
        self._servers = [uvicorn.Server(_config(application, pem)) for _, pem in self._listeners]
        self._ready.set()
        await asyncio.gather(
            *(server.serve(sockets=[listener]) for server, (listener, _) in
              zip(self._servers, self._listeners, strict=True))
        )
        for listener, _ in self._listeners:
            listener.close()


def _config(application: Any, pem: Path | None) -> uvicorn.Config:
    config = uvicorn.Config(
        application, http=PatientProtocol, ws="none", lifespan="off", loop="asyncio", interface="asgi3",
        log_config=None, access_log=False, proxy_headers=False, server_header=False, timeout_keep_alive=KEEP_ALIVE_S,
        h11_max_incomplete_event_size=HEAD_MOST_BYTES, timeout_graceful_shutdown=int(STOP_S / 2),
        ssl_certfile=pem, ssl_keyfile=pem,
    )
    config.load()
    if config.ssl is not None:
        config.ssl.minimum_version = ssl.TLSVersion.TLSv1_2
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # what strangers send is no news of ours
    return config


def _one_warning() -> Any:
    """What the loop does with trouble that no request has: of missing descriptors it warns once, not every second."""
    warned = False

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal warned
        if "accept" in str(context.get("message", "")):
            if not warned:
                LOG.warning(NO_DESCRIPTORS)
            warned = True
        elif not isinstance(context.get("exception"), (OSError, ssl.SSLError)):  # a caller who went away is no trouble
            loop.default_exception_handler(context)

    return handle
