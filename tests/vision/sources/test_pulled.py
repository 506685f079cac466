"""Material read picture by picture: each is given once, in order, and asked for again it is the same."""

from __future__ import annotations

import numpy as np

from vision.sources.base import Health
from vision.sources.pulled import PulledSource


class Three:
    """Three pictures, each of its own grey."""

    details = "three"

    def __init__(self) -> None:
        self.left, self.closed = [10, 20, 30], False

    def advance(self) -> bool:
        return bool(self.left)

    def decode(self) -> tuple[np.ndarray, str]:
        grey = self.left.pop(0)
        return np.full((2, 2, 3), grey, np.uint8), str(grey)

    def close(self) -> None:
        self.closed = True


def test_every_picture_is_given_once_and_then_the_material_has_ended() -> None:
    three = Three()
    source = PulledSource("three", lambda: three, clock=lambda: 0.0)
    source.start()
    first = source.newest()
    assert first is not None
    assert source.newest(0) is first, "who has not seen it gets it again"
    numbers = []
    after = 0
    while (frame := source.newest(after)) is not None:
        after = frame.number
        numbers.append((frame.number, int(frame.image[0, 0, 0])))
    assert numbers == [(1, 10), (2, 20), (3, 30)]
    assert (source.status().health, source.status().frames) == (Health.ENDED, 3)
    source.stop()
    assert three.closed
    assert source.status().health is Health.STOPPED
    assert source.newest(3) is None
