"""A source that runs by itself: a thread reads, the newest frame wins, failures are noticed and mended."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from companion.core.errors import CompanionError
from companion.core.messages import NO_MESSAGE, Message
from vision.sources.base import Frame, Health, SourceStatus
from vision.sources.glance import look_alike
from vision.sources.grabbers import Grabber, Opener
from vision.sources.watch import SourceWatch, backoff_s, fingerprint

# A read that never comes back cannot be stopped from outside, only abandoned. So many may hang before no more are
# started: a driver that hangs every time must not eat the memory.
MAX_HANGING = 4
SUPERVISE_S = 0.1

UNWANTED_S = 0.2
"""While nobody waits for a camera's frame, one is decoded this often: decoding 30 a second takes a third of a core."""

GLANCE_S = 0.15
"""While frames that look alike are not wanted, an eighth of one is decoded this often: by so much more often than whole
ones were that a hand is seen no later, though its frame is decoded twice."""


class LiveSource:
    """Reads from what `opener` opens; memory is bounded by the one newest frame. Of a camera's frames those for which
    nobody waits are let go by undecoded while the newest one is young.

    `live`: a camera (frozen pictures are suspicious, the end is a failure); otherwise material that ends.
    `pace_s`: seconds between pictures of material, 0 for as fast as they are read.
    """

    def __init__(
        self,
        name: str,
        opener: Opener,
        *,
        live: bool,
        pace_s: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name, self._opener, self._live, self._pace_s, self._clock = name, opener, live, pace_s, clock
        self._changed = threading.Condition()
        self._stopped = threading.Event()
        self._frame: Frame | None = None
        self._received = 0
        self._wanted = True
        self._alike_s = 0.0
        self._resting: np.ndarray | None = None  # how the frame looked from which on all looked alike
        self._glanced_s = 0.0
        self._taken = 0
        self._last_taken = 0
        self._watch: SourceWatch | None = None
        self._generation = 0
        self._hanging = 0
        self._attempt = 0
        self._failure = NO_MESSAGE
        self._retry_s = 0.0
        self._status = SourceStatus(name, Health.OPENING)
        self._supervisor = threading.Thread(target=self._supervise, name=f"source {name}", daemon=True)

    def start(self) -> None:
        """See FrameSource."""
        self._status = replace(self._status, since_s=self._clock())
        self._supervisor.start()

    def stop(self) -> None:
        """See FrameSource. A thread that hangs in a driver's read is left behind; it ends with its read."""
        self._stopped.set()
        with self._changed:
            self._generation += 1
            self._changed.notify_all()
        if self._supervisor.is_alive():
            self._supervisor.join()

    def newest(self, after: int = 0, timeout_s: float = 0.0, alike_s: float = 0.0) -> Frame | None:
        """See FrameSource."""
        with self._changed:
            self._alike_s = alike_s
            self._wanted = self._wanted or self._number <= after
            self._changed.wait_for(lambda: self._stopped.is_set() or self._number > after, timeout_s)
            if self._frame is None or self._frame.number <= after:
                return None
            self._taken += self._frame.number > self._last_taken
            self._last_taken = max(self._last_taken, self._frame.number)
            return self._frame

    @property
    def _number(self) -> int:
        return 0 if self._frame is None else self._frame.number

    def status(self) -> SourceStatus:
        """See FrameSource."""
        with self._changed:
            return self._judge(self._clock())

    def _judge(self, now_s: float) -> SourceStatus:
        if self._stopped.is_set():
            health, reason = Health.STOPPED, NO_MESSAGE
        elif self._status.health is Health.ENDED:
            health, reason = Health.ENDED, NO_MESSAGE
        elif self._watch is not None:
            health, reason = self._watch.health(now_s)
            if health is Health.OPENING and self._failure:
                health, reason = Health.GONE, self._failure
        elif self._failure:
            health, reason = Health.GONE, self._failure
        else:
            health, reason = Health.OPENING, NO_MESSAGE
        since = self._status.since_s if health is self._status.health else now_s
        dropped = max(self._received - self._taken, 0)
        self._status = replace(
            self._status, health=health, reason=reason, since_s=since, frames=self._received, dropped=dropped
        )
        return self._status

    def _supervise(self) -> None:
        while not self._stopped.is_set():
            with self._changed:
                now = self._clock()
                ended = self._status.health is Health.ENDED
                if self._watch is not None and self._watch.hopeless(now):
                    self._give_up(self._watch.health(now)[1] or Message("it does not answer"), hanging=True)
                due = self._watch is None and not ended and now >= self._retry_s and self._hanging < MAX_HANGING
                if due:
                    self._begin(now)
                self._judge(now)
            self._stopped.wait(SUPERVISE_S)

    def _begin(self, now_s: float) -> None:
        """Start an attempt; holds the lock."""
        self._generation += 1
        self._watch = SourceWatch(self._live, now_s)
        if self._attempt:
            self._status = replace(self._status, reopened=self._status.reopened + 1)
        generation = self._generation
        threading.Thread(target=self._read, args=(generation,), name=f"reader {self._name}", daemon=True).start()

    def _give_up(self, reason: Message, hanging: bool) -> None:
        """End the present attempt; holds the lock."""
        self._generation += 1
        self._watch = None
        self._failure = reason
        self._hanging += hanging
        # material that is broken stays broken; a camera comes back
        self._retry_s = self._clock() + backoff_s(self._attempt) if self._live else float("inf")
        self._attempt += 1
        self._changed.notify_all()

    def _read(self, generation: int) -> None:
        """One attempt in its own thread: open, then frame after frame until it fails or is given up."""
        grabber: Grabber | None = None
        try:
            grabber = self._opener()
            self._granted(generation, grabber)
            due = self._clock()
            pace = getattr(grabber, "fps", 0.0) if self._pace_s is None else self._pace_s
            pace = 1 / pace if self._pace_s is None and pace else pace
            while grabber.advance():
                self._overtook(generation, getattr(grabber, "overtaken", 0))
                if self._unwanted() or self._seen_already(grabber):
                    goes_on = self._skipped(generation)
                else:
                    goes_on = self._publish(generation, *grabber.decode(), grabber.mark)
                if not goes_on:
                    break
                if not self._live and pace:
                    due += pace
                    self._stopped.wait(max(0.0, due - self._clock()))
            self._finish(generation, Message("the stream has ended") if self._live else NO_MESSAGE)
        except CompanionError as error:
            self._finish(generation, error.said)
        finally:
            if grabber is not None:
                grabber.close()

    def _granted(self, generation: int, grabber: Grabber) -> None:
        with self._changed:
            if generation == self._generation:
                self._status = replace(self._status, details=grabber.details)

    def _publish(self, generation: int, image: np.ndarray, name: str, mark: int | None) -> bool:
        if mark is None:
            mark = fingerprint(image) if self._live else self._number
        with self._changed:
            if generation != self._generation or self._watch is None:
                return False
            now = self._clock()
            self._watch.frame(now, mark)
            self._failure = NO_MESSAGE
            if self._watch.same == 1:
                self._attempt = 0
            self._received += 1
            self._wanted = False
            self._frame = Frame(self._received, now, image, name)
            self._changed.notify_all()
        return True

    def _unwanted(self) -> bool:
        """Whether this frame need not be looked at: nobody waits for it, and the newest one is young."""
        with self._changed:
            if not self._live or self._frame is None or (self._wanted and not self._alike_s):
                return False
            now = self._clock()
            age_s = now - self._frame.time_s
            glanced = age_s < self._alike_s and now - self._glanced_s < GLANCE_S
            return age_s < UNWANTED_S or glanced

    def _seen_already(self, grabber: Grabber) -> bool:
        """Whether this frame need not be decoded: it looks as all since the one that was `_resting` first."""
        with self._changed:
            if not self._live or not self._alike_s or self._frame is None:
                self._resting = None
                return False
            now = self._clock()
            if now - self._frame.time_s >= self._alike_s:
                return False
        glance = grabber.glance()
        if glance is None:
            return False
        if self._resting is None or not look_alike(self._resting, glance):
            self._resting = glance
            return False
        with self._changed:
            self._glanced_s = now
            if self._watch is not None and (mark := grabber.mark) is not None:
                self._watch.frame(now, mark)
        return True

    def _overtook(self, generation: int, frames: int) -> None:
        """Frames came that were old already."""
        with self._changed:
            if generation == self._generation:
                self._received += frames

    def _skipped(self, generation: int) -> bool:
        """A frame came and was not decoded; whether its reader goes on."""
        with self._changed:
            if generation != self._generation or self._watch is None:
                return False
            self._watch.skipped(self._clock())
            self._received += 1
        return True

    def _finish(self, generation: int, failure: Message) -> None:
        with self._changed:
            if generation != self._generation:
                self._hanging -= 1  # an abandoned read came back after all
                return
            if failure or self._live:
                self._give_up(failure, hanging=False)
            else:
                self._watch = None
                self._status = replace(self._status, health=Health.ENDED)
                self._changed.notify_all()
