"""Listening sockets that know their callers: so many connections at once in all and for one sender, the rest is closed.

Whatever a connection is for (https that is never shaken, a request that is never ended, a page), it counts from when it
is accepted until it is closed, so one sender cannot take the place of the others.
"""

from __future__ import annotations

import errno
import socket
import threading
from collections import Counter

try:
    import resource
except ImportError:  # a system without limits of this kind
    _LIMITS = False
else:
    _LIMITS = True

from companion.core.errors import DeviceError

CONNECTIONS = 400
"""Connections at once: a browser has six to one server, and everybody at a table a phone and a tablet."""
OF_A_SENDER, FREE_FOR_OTHERS = 24, 100
"""While no more than FREE_FOR_OTHERS are free, a sender that has OF_A_SENDER gets no other."""
OTHER_FILES = 160
"""Descriptors that everything but connections may need: the record, the camera, the pages' own files."""
BACKLOG = 64


class Callers:
    """Counts the open connections of every sender, over all listening sockets. For any thread."""

    def __init__(self, most: int = CONNECTIONS) -> None:
        """`most`: connections at once, if the system allows so many."""
        self._lock = threading.Lock()
        self._open: Counter[str] = Counter()
        self._most = min(most, max(OF_A_SENDER, _descriptors(most) - OTHER_FILES))

    def enter(self, sender: str) -> bool:
        """Count one more connection of `sender`; False when it must not have one."""
        with self._lock:
            free = self._most - self._open.total()
            if free <= 0 or (free <= min(FREE_FOR_OTHERS, self._most // 2) and self._open[sender] >= OF_A_SENDER):
                return False
            self._open[sender] += 1
            return True

    def leave(self, sender: str) -> None:
        """A connection is closed."""
        with self._lock:
            self._open[sender] -= 1
            self._open += Counter()  # forgets who has none


def _descriptors(most: int) -> int:
    """How many files this process may have open; raised to what `most` connections need and the system allows."""
    wanted = most + OTHER_FILES
    if not _LIMITS:
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return soft


class _Connection(socket.socket):
    """An accepted connection, which is counted until it is closed."""

    callers: Callers | None = None
    sender = ""

    def close(self) -> None:
        super().close()
        if self.callers is not None:
            self.callers.leave(self.sender)
            self.callers = None


class Listener(socket.socket):
    """A listening socket that closes at once what its callers may not open. Made by `listen`."""

    callers: Callers

    def accept(self) -> tuple[socket.socket, tuple[str, int]]:
        """The next connection that may be open. Raises BlockingIOError when none waits."""
        while True:
            descriptor, address = self._accept()  # type: ignore[attr-defined]
            connection = _Connection(self.family, self.type, self.proto, fileno=descriptor)
            if self.callers.enter(address[0]):
                connection.callers, connection.sender = self.callers, address[0]
                return connection, address
            connection.close()


def listen(bind: str, port: int, callers: Callers, *, where: str) -> Listener:
    """Listen at a port (0: a free one), counting in `callers`. Raises DeviceError, naming `where`, when it is taken."""
    listener = Listener(socket.AF_INET, socket.SOCK_STREAM)
    listener.callers = callers
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((bind, port))
        listener.listen(BACKLOG)
        listener.setblocking(False)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRNOTAVAIL:
            raise DeviceError(f"this machine has no address {bind}", where="--bind",
                              remedy="Leave it out, or give one that `ip address` lists.") from error
        remedy = "Give another one, or 0 for one that is free."
        if error.errno == errno.EADDRINUSE:
            remedy = f"Perhaps the companion runs already: then use its pages, or end it first. {remedy}"
        raise DeviceError(f"port {port} cannot be opened: {error.strerror}", where=where, remedy=remedy) from error
    return listener
