"""The camera while no game is followed: its newest picture for set-up and calibration, with the markers it shows."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import cv2
import numpy as np

from companion.app.camera.preview import CAMERA_STATES, Rate, page_jpeg, pushed
from companion.core.layout import BoardView
from companion.core.messages import NO_MESSAGE, Message
from companion.table.steps import HandStep
from vision.locate.markers import MarkerLayout, find_markers
from vision.sources import open_source
from web.ports.devices import CameraLook, DeviceHealth, Picture, Question

MARKER_BGR = (60, 200, 60)


class IdleCamera:
    """See `web.ports.CameraPort`: nothing is read, so there is no question and no evidence."""

    def __init__(self, source: str, markers: MarkerLayout) -> None:
        """Opens the camera. Raises DeviceError for a source that names nothing."""
        self.note: Message = NO_MESSAGE
        """Why the table that is being played is not followed."""
        self._name, self._markers = source, markers
        self._source = open_source(source)
        self._lock = threading.Lock()
        self._number, self._image = 0, None  # type: int, np.ndarray | None
        self._rate = Rate()
        self._source.start()

    def frame(self) -> np.ndarray | None:
        """The newest picture (H, W, 3) uint8 BGR; None before the first."""
        with self._lock:
            newest = self._source.newest(self._number)
            if newest is not None:
                self._number, self._image = newest.number, newest.image
            return self._image

    def health(self) -> DeviceHealth:
        """Whether pictures come in."""
        status = self._source.status()
        virtual = self._name.startswith("replay:")
        return DeviceHealth(CAMERA_STATES[status.health], status.health.value, status.reason, {}, virtual)

    def granted(self) -> str:
        """What the driver granted."""
        return self._source.status().details

    def look(self) -> CameraLook:
        """Rate and size of the pictures."""
        image = self.frame()
        fps = self._rate.seen(self._source.status().frames, time.monotonic())
        size = (0, 0) if image is None else (image.shape[1], image.shape[0])
        return CameraLook("", self.note, self._number, fps, size)

    def picture(self, overlay: bool, called: Callable[[str], str] = str) -> Picture | None:  # noqa: ARG002 - markers: no names
        """The newest picture, with the markers that are seen in it or as it came."""
        image = self.frame()
        if image is None:
            return None
        if overlay:
            image = image.copy()
            for marker in find_markers(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), self._markers):
                outline = np.round(marker.corners_px).astype(np.int32)
                cv2.polylines(image, [outline], True, MARKER_BGR, max(2, image.shape[1] // 400), cv2.LINE_AA)
        return page_jpeg(self._number, image)

    def question(self) -> Question | None:
        """None: nothing is followed."""
        return None

    def answer(self, choice: int, texts: tuple[str, ...], by: str) -> None:  # noqa: ARG002 - the port asks for them
        """There is no question to answer."""
        raise ValueError(f"no question is open, so there is no choice {choice}")

    def go_on(self) -> None:
        """Nothing waits."""
        raise ValueError("no table is followed, so nothing waits")

    def steps(self) -> tuple[HandStep, ...]:
        """None: nothing is followed."""
        return ()

    def lies(self) -> BoardView | None:
        """None: nothing is followed."""
        return None

    def evidence(self, record: int) -> Picture | None:  # noqa: ARG002 - the port's own argument
        """None: nothing is kept."""
        return None

    def push(self, jpeg: bytes) -> CameraLook:
        """Take a picture from a phone. Raises DeviceError when the camera is none."""
        pushed(self._source, jpeg)
        return self.look()

    def close(self) -> None:
        """Let go of the camera."""
        self._source.stop()
