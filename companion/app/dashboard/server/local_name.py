"""The companion's name on the local network (multicast DNS), beside its number address."""

from __future__ import annotations

import re
import socket
import threading
import unicodedata
from collections.abc import Callable

from zeroconf import Error, IPVersion, ServiceInfo, Zeroconf

KIND = "_http._tcp.local."
MOST_LETTERS = 40
"""Of the name; one label may have 63 (RFC 1035, 2.3.4), and the service's has words before it."""


def label(host_name: str) -> str:
    """This machine's own name as a label: letters, digits and hyphens; "companion" when nothing is left of it."""
    plain = unicodedata.normalize("NFKD", host_name.partition(".")[0].lower()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:MOST_LETTERS].strip("-") or "companion"


class LocalName:
    """Announces the pages under this machine's name until it is closed.

    Probing the network takes some two seconds, so it is done in a thread; `told` gets the name once it holds. It is
    never told when the network takes no multicast: phones then use the number.
    """

    def __init__(self, address: str, port: int, host_name: str, told: Callable[[str], None]) -> None:
        """`address`: this machine's IPv4 on the network that the name is announced on."""
        self._name = f"{label(host_name)}.local"
        self._info = ServiceInfo(
            KIND, f"Tabletop companion {label(host_name)}.{KIND}", addresses=[socket.inet_aton(address)], port=port,
            server=f"{self._name}.", properties={"path": "/"},
        )
        self._address, self._told = address, told
        self._responder: Zeroconf | None = None
        self._thread = threading.Thread(target=self._announce, name="local-name", daemon=True)
        self._thread.start()

    def _announce(self) -> None:
        try:
            self._responder = Zeroconf(interfaces=[self._address], ip_version=IPVersion.V4Only)
            self._responder.register_service(self._info, allow_name_change=True)
        except (Error, OSError):
            return  # see the class: the number goes on to work
        self._told(self._name)

    def close(self) -> None:
        """Withdraw the name."""
        self._thread.join()
        if self._responder is not None:
            self._responder.close()
