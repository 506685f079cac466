"""The one way of a picture, of a camera, a film and a simulated table: from its source past the eyes to the watch."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from companion.app.camera.picture_eyes import PictureEyes
from companion.core.inputs import BoardObservation
from companion.table.tracking.happenings import Happening, HappeningKind
from vision.sources import FrameSource, SourceStatus
from vision.sources.base import Health

WAIT_S = 0.1
"""How long the loop waits for a picture before it checks the source's health."""


class Eyes(Protocol):
    """What turns a picture into observations: `PictureEyes` an image, a simulated table whatever lies on it."""

    def observe(self, number: int, picture: Any, now_s: float) -> Iterator[BoardObservation]:
        """What the watch must know of `picture`, in order."""


class Watch(Protocol):
    """What is done about observations: by `TableWatch` at a session, or by a bare `TableTracker`."""

    def observe(self, observation: BoardObservation) -> tuple[Happening, ...]:
        """What `observation` shows that was not known before."""


@dataclass(frozen=True, slots=True, eq=False)
class PictureStep:
    """What one picture (H, W, 3) uint8 BGR, or its absence, came to; `took_s`: from the picture to what was done.

    `observations`: what the watch was given; `happenings`: what it made of them.
    """

    number: int
    picture: np.ndarray | None
    status: SourceStatus
    observations: tuple[BoardObservation, ...]
    happenings: tuple[Happening, ...]
    took_s: float


@dataclass
class PictureLoop:
    """Shows picture after picture to the eyes, and what they observe to the watch; one thread drives it."""

    eyes: Eyes
    watch: Watch

    def step(self, number: int, picture: Any, now_s: float) -> tuple[Happening, ...]:
        """One picture, taken at `now_s`."""
        return self.watch_all(self.eyes.observe(number, picture, now_s))[1]

    def watch_all(
        self, observations: Iterator[BoardObservation]
    ) -> tuple[tuple[BoardObservation, ...], tuple[Happening, ...]]:
        """Show `observations` to the watch: what it was given, and what it made of them."""
        given: list[BoardObservation] = []
        happenings: list[Happening] = []
        for observation in observations:  # one at a time: the next may depend on what was done about this one
            given.append(observation)
            happenings += self.watch.observe(observation)
        return tuple(given), tuple(happenings)


@dataclass
class SourceLoop:
    """The loop over a source of pictures.

    `make_eyes`: learns the tiles, which takes seconds; `eyes`: what it made, None before `open_eyes` or `run`.
    `before_picture` is called with the index of a picture (from 0) before it is judged: the people of a film act
    there, and the answers of people at the table arrive there.
    """

    make_eyes: Callable[[], PictureEyes]
    watch: Watch
    source: FrameSource
    clock: Callable[[], float] = time.monotonic
    before_picture: Callable[[int], None] | None = None
    eyes: PictureEyes | None = None

    def open_eyes(self) -> PictureEyes:
        """The eyes, made when they are not yet."""
        if self.eyes is None:
            self.eyes = self.make_eyes()
        return self.eyes

    def run(self) -> Iterator[PictureStep]:
        """Each picture's step, and one for each time that none came, until the material has ended."""
        number, eyes = 0, self.open_eyes()
        loop = PictureLoop(eyes, self.watch)
        while True:
            frame, status = self.source.newest(number, WAIT_S, eyes.alike_s), self.source.status()
            start_s = time.perf_counter()
            if frame is None:
                given, happenings = loop.watch_all(eyes.without_picture(number, status, self.clock()))
            else:
                number = frame.number
                if self.before_picture is not None:
                    self.before_picture(number - 1)
                    start_s = time.perf_counter()
                given, happenings = loop.watch_all(eyes.observe(number, frame.image, self.clock()))
            if any(happening.kind is HappeningKind.EVENT for happening in happenings):
                eyes.happened()
            image = None if frame is None else frame.image
            yield PictureStep(number, image, status, given, happenings, time.perf_counter() - start_s)
            if frame is None and status.health is Health.ENDED:
                return
