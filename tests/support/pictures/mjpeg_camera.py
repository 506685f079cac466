"""A network camera on loopback that sends motion JPEG and can be told to misbehave."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np


def jpeg(number: int, size_wh: tuple[int, int] = (64, 48)) -> bytes:
    """A picture that differs from that of any other number."""
    rng = np.random.default_rng(number)
    image = rng.integers(0, 255, (size_wh[1], size_wh[0], 3), np.uint8)
    return cv2.imencode(".jpg", image)[1].tobytes()


class MjpegCamera:
    """`send(n)` lets it send n more pictures; `show` sends this one,
    `repeat` the last one again; `hang_up` closes the connection."""

    def __init__(self) -> None:
        self._turn = threading.Condition()
        self._waiting: list[bytes | None] = []
        self._sent = 0
        self.connections = 0
        camera = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                camera.connections += 1
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                while (picture := camera._next()) is not None:
                    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
                    self.wfile.write(head.encode() + picture + b"\r\n")
                    self.wfile.flush()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/video"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def _next(self) -> bytes | None:
        with self._turn:
            self._turn.wait_for(lambda: bool(self._waiting))
            return self._waiting.pop(0)

    def send(self, count: int = 1) -> None:
        with self._turn:
            for _ in range(count):
                self._sent += 1
                self._waiting.append(jpeg(self._sent))
            self._turn.notify_all()

    def show(self, picture: bytes) -> None:
        with self._turn:
            self._waiting.append(picture)
            self._turn.notify_all()

    def repeat(self, count: int) -> None:
        with self._turn:
            self._waiting += [jpeg(self._sent)] * count
            self._turn.notify_all()

    def hang_up(self) -> None:
        with self._turn:
            self._waiting.append(None)
            self._turn.notify_all()

    def close(self) -> None:
        self.hang_up()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class HandClock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s
