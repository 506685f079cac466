"""Material read picture by picture as it is asked for: nothing is dropped, no clock runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from threading import Lock

from vision.sources.base import Frame, Health, SourceStatus
from vision.sources.grabbers import Grabber, Opener


class PulledSource:
    """Gives every picture once, in order: `newest(after)` is the next one after the one last given."""

    def __init__(self, name: str, opener: Opener, clock: Callable[[], float] = time.monotonic) -> None:
        self._opener, self._clock = opener, clock
        self._lock = Lock()
        self._grabber: Grabber | None = None
        self._frame: Frame | None = None
        self._status = SourceStatus(name, Health.OPENING)

    def start(self) -> None:
        """See FrameSource. Raises DeviceError when there is nothing to read."""
        self._grabber = self._opener()
        self._status = replace(self._status, health=Health.LIVE, details=self._grabber.details, since_s=self._clock())

    def stop(self) -> None:
        """See FrameSource."""
        with self._lock:
            if self._grabber is not None:
                self._grabber.close()
            self._grabber = None
            self._status = replace(self._status, health=Health.STOPPED)

    def newest(
        self, after: int = 0, timeout_s: float = 0.0, alike_s: float = 0.0  # noqa: ARG002 - it gives all at once
    ) -> Frame | None:
        """See FrameSource."""
        with self._lock:
            if self._frame is not None and self._frame.number > after:
                return self._frame
            if self._grabber is None:
                return None
            if not self._grabber.advance():
                self._status = replace(self._status, health=Health.ENDED)
                return None
            number = self._status.frames + 1
            self._frame = Frame(number, self._clock(), *self._grabber.decode())
            self._status = replace(self._status, frames=number)
            return self._frame

    def status(self) -> SourceStatus:
        """See FrameSource."""
        return self._status
