"""A network between a phone and the companion whose open connections can fall silent, as when a phone changes it."""

from __future__ import annotations

import socket
import threading
from types import TracebackType

CHUNK = 65536


class SilentNetwork:
    """Forwards the connections to 127.0.0.1:`port`. After `fall_silent` nothing comes over those that are open, and
    neither end is told; later ones go through."""

    def __init__(self, port: int) -> None:
        self._port, self._age = port, 0
        self._server = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = [self._server]
        self.url = f"http://127.0.0.1:{self._server.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def fall_silent(self) -> None:
        """What is open now carries nothing any more."""
        self._age += 1

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._server.accept()
            except OSError:
                return  # closed: the test is over
            far = socket.create_connection(("127.0.0.1", self._port))
            self._open += [near, far]
            for start, end in ((near, far), (far, near)):
                threading.Thread(target=self._forward, args=(start, end, self._age), daemon=True).start()

    def _forward(self, start: socket.socket, end: socket.socket, age: int) -> None:
        try:
            while data := start.recv(CHUNK):
                if age == self._age:
                    end.sendall(data)
            if age == self._age:
                end.shutdown(socket.SHUT_WR)
        except OSError:
            return  # one of the ends is gone, and with it what it would have said

    def __enter__(self) -> SilentNetwork:
        return self

    def __exit__(self, sort: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for one in self._open:
            one.close()
