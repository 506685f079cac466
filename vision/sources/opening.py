"""From a source's text to the source: `0`, `/dev/video2`, a file, a directory, `replay:DIR`, `rtsp://…`, `browser`."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from companion.core.errors import DeviceError
from vision.sources.base import CameraSettings, FrameSource
from vision.sources.browser import BrowserSource
from vision.sources.grabbers import PICTURES, VIDEOS, CaptureGrabber, MjpegGrabber, PicturesGrabber
from vision.sources.live import LiveSource
from vision.sources.pulled import PulledSource

EXPECTED = (
    "a camera number (0), a device (/dev/video2), a picture, a video file, a directory of pictures, "
    "replay:DIR or replay:DIR?fps=10, rtsp://…, http://… (motion JPEG), or browser"
)


def open_source(
    text: str, settings: CameraSettings | None = None, clock: Callable[[], float] = time.monotonic
) -> FrameSource:
    """The source that `text` names, not yet started.

    Cameras and streams run by themselves and the newest frame wins; a directory, a picture and `replay:` give
    every picture once, as fast as they are asked for, or with `?fps=` at that pace. A video file runs at its own
    pace. Raises DeviceError for a text that names nothing.
    """
    settings = settings or CameraSettings()
    if text == "browser":
        return BrowserSource(clock=clock)
    if text.isdigit():
        return LiveSource(text, partial(CaptureGrabber, int(text), settings), live=True, clock=clock)
    if text.startswith("/dev/"):
        return LiveSource(text, partial(CaptureGrabber, text, settings), live=True, clock=clock)
    if text.startswith(("rtsp://", "rtsps://")):
        return LiveSource(text, partial(CaptureGrabber, text, settings, "stream"), live=True, clock=clock)
    if text.startswith(("http://", "https://")):
        return LiveSource(text, partial(MjpegGrabber, text), live=True, clock=clock)
    if text.startswith("replay:"):
        return _replay(text, clock)
    path = Path(text)
    if text and (path.is_dir() or path.suffix.lower() in PICTURES):
        return _pictures(text, path, 0.0, clock)
    if path.suffix.lower() in VIDEOS:
        if not path.exists():
            raise DeviceError(f"there is no file {text}", remedy=f"expected {EXPECTED}")
        return LiveSource(text, partial(CaptureGrabber, text, None, "video"), live=False, clock=clock)
    raise DeviceError(f"{text!r} names no source of pictures", remedy=f"expected {EXPECTED}")


def _replay(text: str, clock: Callable[[], float]) -> FrameSource:
    folder, _, query = text.removeprefix("replay:").partition("?")
    key, _, value = query.partition("=")
    try:
        fps = float(value) if query else 0.0
    except ValueError:
        fps = -1.0
    if (query and key != "fps") or not 0 <= fps <= 240:
        raise DeviceError(f"{text!r}: expected ?fps= with a number of 0 (as fast as possible) to 240, got {query!r}")
    if not Path(folder).is_dir():
        raise DeviceError(f"there is no directory {folder!r}", remedy="expected replay:DIR with numbered pictures")
    return _pictures(text, Path(folder), fps, clock)


def _pictures(text: str, path: Path, fps: float, clock: Callable[[], float]) -> FrameSource:
    if not path.exists():
        raise DeviceError(f"there is no picture {text}", remedy=f"expected {EXPECTED}")
    if fps:
        return LiveSource(text, partial(PicturesGrabber, path), live=False, pace_s=1 / fps, clock=clock)
    return PulledSource(text, partial(PicturesGrabber, path), clock)
