"""Pictures that a phone's browser pushes: the page sends JPEGs, the newest one waits for the reader."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

from companion.core.errors import DeviceError
from companion.core.messages import NO_MESSAGE, Message
from vision.sources.base import Frame, Health, SourceStatus
from vision.sources.grabbers import decode_jpeg
from vision.sources.watch import SourceWatch, fingerprint

MAX_BYTES = 8 * 1024 * 1024  # a 4K photograph of a phone has 2 to 5 MB
MAX_SIDE_PX = 4096


class BrowserSource:
    """Frames pushed from outside, one newest kept. A phone that goes to sleep is stale within a second."""

    def __init__(self, name: str = "browser", clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._frame: Frame | None = None
        self._last_taken = 0
        self._taken = 0
        self._watch = SourceWatch(True, clock())
        self._status = SourceStatus(name, Health.OPENING, Message("no phone has sent a picture yet"), self._clock())

    def start(self) -> None:
        """Nothing to begin: the phone begins."""

    def stop(self) -> None:
        """See FrameSource; later pushes are refused."""
        with self._changed:
            self._status = replace(self._status, health=Health.STOPPED, reason=NO_MESSAGE)
            self._changed.notify_all()

    def push(self, jpeg: bytes) -> Frame:
        """Take a picture from the page. Raises DeviceError for what is no JPEG, too large, or after `stop`."""
        if len(jpeg) > MAX_BYTES:
            raise DeviceError(f"a picture of {len(jpeg)} bytes; at most {MAX_BYTES}", remedy="send smaller pictures")
        image = decode_jpeg(jpeg)
        if max(image.shape[:2]) > MAX_SIDE_PX:
            raise DeviceError(f"a picture of {image.shape[1]} x {image.shape[0]}; at most {MAX_SIDE_PX} px a side")
        mark = fingerprint(image)
        with self._changed:
            if self._status.health is Health.STOPPED:
                raise DeviceError("the camera page is closed", remedy="open the table again")
            now = self._clock()
            self._watch.frame(now, mark)
            number = 1 if self._frame is None else self._frame.number + 1
            self._frame = Frame(number, now, image)
            details = f"{image.shape[1]} x {image.shape[0]}"
            self._status = replace(self._status, frames=number, details=details)
            self._changed.notify_all()
            return self._frame

    def newest(
        self, after: int = 0, timeout_s: float = 0.0, alike_s: float = 0.0  # noqa: ARG002 - all come decoded
    ) -> Frame | None:
        """See FrameSource."""
        with self._changed:
            self._changed.wait_for(self._over_or(after), timeout_s)
            if self._frame is None or self._frame.number <= after:
                return None
            self._taken += self._frame.number > self._last_taken
            self._last_taken = max(self._last_taken, self._frame.number)
            return self._frame

    def _over_or(self, after: int) -> Callable[[], bool]:
        return lambda: self._status.health is Health.STOPPED or (self._frame is not None and self._frame.number > after)

    def status(self) -> SourceStatus:
        """See FrameSource."""
        with self._changed:
            now = self._clock()
            if self._status.health is not Health.STOPPED and self._frame is not None:
                health, reason = self._watch.health(now)
                since = self._status.since_s if health is self._status.health else now
                dropped = self._frame.number - self._taken
                self._status = replace(self._status, health=health, reason=reason, since_s=since, dropped=dropped)
            return self._status
