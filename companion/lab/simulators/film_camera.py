"""A network camera that is a process of its own: it shows the pictures of a film at 30 frames a second, with noise.

The companion opens it as any camera (`http://…`, motion JPEG). What it shows, how bright, and whether it answers at
all is told from outside; when the first frame of a picture was sent is told back, by the machine's monotonic clock.
A table at which nothing changes may be shown faster, so that hours of frames do not take hours.
"""

from __future__ import annotations

import multiprocessing
import socket
import threading
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType

FRAMES_A_SECOND = 30.0
NOISE_LEVELS = 1.5
"""Standard deviation of a pixel's noise, grey levels: no two frames of a camera are the same."""
VARIANTS = 4
QUALITY = 90
ANSWER_S = 10.0
HEAD = b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n"


@dataclass
class FilmCamera:
    """The process, for as long as the context lasts. `url`: where a companion finds it."""

    url: str = ""
    frames: int = 0
    """Sent by the last answer."""
    _pipe: Connection | None = None
    _process: multiprocessing.process.BaseProcess | None = field(default=None, repr=False)

    def __enter__(self) -> FilmCamera:
        self._pipe, there = multiprocessing.Pipe()
        self._process = multiprocessing.get_context("spawn").Process(target=_run, args=(there,), daemon=True)
        self._process.start()
        self.url = f"http://127.0.0.1:{self._pipe.recv()}/"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.join()

    def show(self, picture: Path, gain: float = 1.0) -> float:
        """Show a picture from now on, so much brighter; when its first frame was sent. Raises TimeoutError."""
        return self._ask(("show", str(picture), gain), 0.0)

    def rest(self, frames: int, rate: float) -> float:
        """Show `frames` more of the same picture, at most `rate` a second; when the last one was sent."""
        return self._ask(("rest", frames, rate), frames / FRAMES_A_SECOND)

    def stay_away(self, seconds: float) -> float:
        """Hang up, and answer nobody for so long: a cable that was pulled out. When the frame after it was sent."""
        return self._ask(("away", 0, seconds), seconds)

    def _ask(self, what: tuple[str, str | int, float], takes_s: float) -> float:
        assert self._pipe is not None
        self._pipe.send(what)
        if not self._pipe.poll(ANSWER_S + takes_s):
            raise TimeoutError("nobody has taken a frame of the film's camera")
        sent_s, self.frames = self._pipe.recv()
        return float(sent_s)


@dataclass
class _Showing:
    """What the camera's connections send: the frames and how many a second, how many were sent, after which one that
    is told, until when nobody is answered."""

    frames: list[bytes] = field(default_factory=list)
    rate: float = FRAMES_A_SECOND
    away_until_s: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)
    sent: int = 0
    tell_at: int | None = None


def _run(pipe: Connection) -> None:
    """The process: the pipe's orders here, a thread for the connections."""
    listener = socket.create_server(("127.0.0.1", 0))
    showing = _Showing()
    threading.Thread(target=_serve, args=(listener, showing, pipe), daemon=True).start()
    pipe.send(listener.getsockname()[1])
    while True:
        what, which, value = pipe.recv()
        frames = _frames(Path(which), value) if what == "show" else showing.frames
        with showing.lock:
            showing.frames = frames
            showing.rate = value if what == "rest" else FRAMES_A_SECOND
            showing.tell_at = showing.sent + (which if what == "rest" else 1)
            if what == "away":
                showing.away_until_s = time.monotonic() + value


def _frames(path: Path, gain: float) -> list[bytes]:
    """A picture as JPEG, VARIANTS times with noise of its own."""
    import cv2
    import numpy as np

    cv2.setNumThreads(1)
    picture = cv2.imread(str(path))
    assert picture is not None, path
    random = np.random.default_rng(1)
    lit = picture.astype(np.float32) * np.float32(gain)
    out = []
    for _ in range(VARIANTS):
        noisy = lit + random.normal(0.0, NOISE_LEVELS, lit.shape).astype(np.float32)
        noisy = np.clip(noisy + 0.5, 0, 255).astype(np.uint8)
        out.append(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes())
    return out


def _serve(listener: socket.socket, showing: _Showing, pipe: Connection) -> None:
    """One connection after the other."""
    while True:
        connection, _ = listener.accept()
        try:
            if time.monotonic() >= showing.away_until_s:
                _send(connection, showing, pipe)
        except OSError:
            pass  # whoever looked has gone; the next one is waited for
        finally:
            connection.close()


def _send(connection: socket.socket, showing: _Showing, pipe: Connection) -> None:
    connection.recv(4096)
    connection.sendall(HEAD)
    due = time.monotonic()
    while time.monotonic() >= showing.away_until_s:
        with showing.lock:
            frames, rate = showing.frames, showing.rate
            if frames:
                frame = frames[showing.sent % len(frames)]
                sent_s = time.monotonic()
                showing.sent += 1
        if frames:
            connection.sendall(b"--frame\r\nContent-Type: image/jpeg\r\n\r\n" + frame + b"\r\n")
            _tell(showing, pipe, sent_s)
        due = max(due + 1 / rate, time.monotonic() - 1 / rate)
        time.sleep(max(0.0, due - time.monotonic()))


def _tell(showing: _Showing, pipe: Connection, sent_s: float) -> None:
    """Answer when the frame that was asked for has been sent, and be as slow as any camera from then on."""
    with showing.lock:
        if showing.tell_at is not None and showing.sent >= showing.tell_at:
            showing.tell_at, showing.rate = None, FRAMES_A_SECOND
            pipe.send((sent_s, showing.sent))
