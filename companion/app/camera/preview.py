"""What every camera of the pages shares: its states in their words, the rate of its pictures, their size."""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np

from companion.core.errors import DeviceError
from vision.sources import BrowserSource, FrameSource
from vision.sources.base import Health as SourceHealth
from web.ports.devices import Picture

RATE_S = 3.0
"""The rate of pictures is measured over this time."""
LEAST_SPAN_S = 0.2
PAGE_WIDTH_PX = 960
"""Pictures on the pages: enough to see every slot, and small enough for a slow network."""
QUALITY = 78

CAMERA_STATES = {
    SourceHealth.LIVE: "ok", SourceHealth.ENDED: "ok", SourceHealth.OPENING: "wait", SourceHealth.STALE: "bad",
    SourceHealth.GONE: "bad", SourceHealth.STOPPED: "off",
}


class Rate:
    """Pictures a second, from their number at each look."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque(maxlen=64)

    def seen(self, frames: int, now_s: float) -> float:
        """The rate at `now_s`, when `frames` have come in all."""
        self._seen.append((now_s, frames))
        while len(self._seen) > 2 and now_s - self._seen[0][0] > RATE_S:
            self._seen.popleft()
        before_s, before = self._seen[0]
        return (frames - before) / (now_s - before_s) if now_s - before_s > LEAST_SPAN_S else 0.0


def page_wide(image: np.ndarray) -> tuple[np.ndarray, float]:
    """A copy of `image` (H, W, 3), PAGE_WIDTH_PX wide, and by how much it was scaled."""
    scale = PAGE_WIDTH_PX / image.shape[1]
    smaller = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return cv2.resize(image, (PAGE_WIDTH_PX, round(image.shape[0] * scale)), interpolation=smaller), scale


def page_jpeg(number: int, image: np.ndarray) -> Picture | None:
    """`image` (H, W, 3) uint8 BGR as the pages get it; None when it cannot be encoded."""
    if image.shape[1] != PAGE_WIDTH_PX:
        image, _ = page_wide(image)
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return Picture(number, data.tobytes()) if done else None


def pushed(source: FrameSource, jpeg: bytes) -> None:
    """Give a phone's picture to its source. Raises DeviceError when the camera is no phone, or that is no picture."""
    if not isinstance(source, BrowserSource):
        raise DeviceError("the camera is not a phone", where="camera", remedy="Choose the phone in the set-up.")
    source.push(jpeg)
