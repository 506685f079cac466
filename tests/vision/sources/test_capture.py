"""A camera at a USB port, simulated as OpenCV shows it: its JPEG is decoded by us, and only what is looked at."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.core.errors import DeviceError
from vision.sources.base import CameraSettings
from vision.sources.glance import glance_at
from vision.sources.grabbers import CaptureGrabber

MOTION_JPEG, RAW = (cv2.VideoWriter.fourcc(*name) for name in ("MJPG", "YUYV"))
RNG = np.random.default_rng(5)
PICTURES = [cv2.GaussianBlur(RNG.integers(0, 255, (96, 128, 3), np.uint8), (0, 0), 6) for _ in range(4)]


class UsbCamera:
    """What `cv2.VideoCapture` gives of a camera. `backend`: OpenCV's way to it; `kind`: what the camera sends;
    `hands_over`: whether conversion can be turned off; `broken`: pictures from this one on are none."""

    def __init__(
        self, backend: str = "V4L2", kind: int = MOTION_JPEG, *, hands_over: bool = True, broken: int = 99
    ) -> None:
        self._backend, self._kind, self._hands_over, self._broken = backend, kind, hands_over, broken
        self.number = -1
        self.converts = True
        self.converted = 0

    def getBackendName(self) -> str:  # noqa: N802 - OpenCV's name
        return self._backend

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return True

    def get(self, what: int) -> float:
        return float(self._kind) if what == cv2.CAP_PROP_FOURCC else 30.0

    def set(self, what: int, value: float) -> bool:
        if what == cv2.CAP_PROP_CONVERT_RGB:
            self.converts = bool(value) or not self._hands_over
            return self._hands_over or bool(value)
        return what != cv2.CAP_PROP_FOURCC or int(value) == self._kind

    def grab(self) -> bool:
        self.number += 1
        return True

    def sent(self) -> np.ndarray:
        """The bytes of the present picture."""
        if self.number >= self._broken:
            return np.zeros(400, np.uint8)
        return cv2.imencode(".jpg", PICTURES[self.number % len(PICTURES)])[1].ravel()

    def retrieve(self) -> tuple[bool, np.ndarray | None]:
        if not self.converts:  # the buffer is longer than the picture
            return True, np.concatenate([self.sent(), np.zeros(64, np.uint8)])[None]
        self.converted += 1
        image = cv2.imdecode(self.sent(), cv2.IMREAD_COLOR)
        return image is not None, image

    def release(self) -> None:
        pass


def opened(camera: UsbCamera, monkeypatch: pytest.MonkeyPatch) -> CaptureGrabber:
    monkeypatch.setattr(cv2, "VideoCapture", lambda *_: camera)
    return CaptureGrabber(0, CameraSettings())


def test_a_usb_camera_that_sends_jpeg_is_glanced_at_before_it_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    camera = UsbCamera()
    grabber = opened(camera, monkeypatch)
    marks = set()
    for _ in range(2):
        assert grabber.advance()
        glance, small = grabber.glance(), glance_at(camera.sent().tobytes())
        assert glance is not None
        assert small is not None
        np.testing.assert_array_equal(glance, small)
        marks.add(grabber.mark)
        assert camera.converted == 0  # nothing was decoded whole
        np.testing.assert_array_equal(grabber.decode()[0], cv2.imdecode(camera.sent(), cv2.IMREAD_COLOR))
    assert len(marks) == 2


@pytest.mark.parametrize(
    "camera",
    [UsbCamera(kind=RAW), UsbCamera(backend="MSMF"), UsbCamera(hands_over=False), UsbCamera(broken=0)],
    ids=["raw pictures", "another system", "conversion stays on", "what is handed over is no JPEG"],
)
def test_any_other_camera_is_converted_by_opencv_as_ever(camera: UsbCamera, monkeypatch: pytest.MonkeyPatch) -> None:
    grabber = opened(camera, monkeypatch)
    camera._broken = 99
    assert grabber.advance()
    assert (grabber.glance(), grabber.mark) == (None, None)
    np.testing.assert_array_equal(grabber.decode()[0], cv2.imdecode(camera.sent(), cv2.IMREAD_COLOR))
    assert camera.converted == 1


def test_a_picture_that_comes_broken_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    grabber = opened(UsbCamera(broken=1), monkeypatch)
    assert grabber.advance()
    assert grabber.glance() is None
    with pytest.raises(DeviceError, match="sends no picture"):
        grabber.decode()
