"""The ways to get one picture after the other: OpenCV's capture, pictures of a directory, motion JPEG over HTTP."""

from __future__ import annotations

import base64
import os
import re
import select
import urllib.error
import urllib.parse
import urllib.request
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, Protocol

import cv2
import numpy as np

from companion.core.errors import DeviceError
from companion.core.messages import Message
from vision.sources.base import CameraSettings
from vision.sources.glance import glance_at
from vision.sources.pictures import SENT_MOST_PX, decoded, read_picture

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp"})
VIDEOS = frozenset({".mp4", ".avi", ".mkv", ".mov", ".webm", ".m4v", ".mpg", ".mjpeg", ".mjpg"})
MAX_JPEG_BYTES = 16 * 1024 * 1024  # a picture larger than this is not from a camera
CONNECT_S = 3.0
CHUNK = 65536
MOST_WAITING_BYTES = 4 * 1024 * 1024
"""More than a second of pictures does not wait in a connection; a camera that sends without end is not waited for."""
MOTION_JPEG = cv2.VideoWriter.fourcc(*"MJPG")
START, END = b"\xff\xd8", re.compile(b"\xff\xd9")
"""The marks of a JPEG. The end is looked for by a pattern: in 700 kB that takes 0.2 ms, `bytes.find` 0.6."""
ADDRESS = Message("check the address and that the camera is on")


class Grabber(Protocol):
    """Something opened that gives picture after picture."""

    details: str

    @property
    def mark(self) -> int | None:
        """A number that differs from one picture of a live camera to the next; None: the decoded picture tells."""

    def advance(self) -> bool:
        """Wait for the next picture and go to it; False at the end. Raises DeviceError when it fails."""

    def decode(self) -> tuple[np.ndarray, str]:
        """The picture (H, W, 3) uint8 BGR that `advance` went to, and its name. Raises DeviceError when it is none."""

    def glance(self) -> np.ndarray | None:
        """The picture that `advance` went to, (h, w) uint8 gray, an eighth in size; None where that saves nothing."""

    def close(self) -> None:
        """Let go of the device."""


Opener = Callable[[], Grabber]


class _WholeOnly:
    """What can only be looked at when it is decoded."""

    mark = None

    def glance(self) -> None:
        """See Grabber."""


class CaptureGrabber:
    """A camera, a video file or a network stream through OpenCV. A camera of Linux (V4L2) that sends motion JPEG gives
    its pictures as it sent them: they are decoded here, and only those that are looked at."""

    def __init__(self, target: int | str, settings: CameraSettings | None = None, what: str = "camera") -> None:
        """Open `target`; `settings` are asked of cameras only. Raises DeviceError saying what to do."""
        self._named = {"what": what, "name": target}
        if isinstance(target, int):
            self._capture = cv2.VideoCapture(target, cv2.CAP_V4L2 if os.name == "posix" else cv2.CAP_ANY)
        else:
            timeouts = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 5000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 2000]
            network = "://" in target
            self._capture = cv2.VideoCapture(target, cv2.CAP_FFMPEG if network else cv2.CAP_ANY, timeouts * network)
        if not self._capture.isOpened():
            self._capture.release()
            raise DeviceError(Message("{what} {name} cannot be opened", **self._named), remedy=_remedy(target))
        self._live = settings is not None
        self._as_sent = False
        self._jpeg: bytes | None = None  # the present picture, once it was looked at
        if settings is not None:
            self._ask(settings)
            self._as_sent = self._gives_jpeg()
        width, height = (int(self._capture.get(p)) for p in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
        self.fps = float(self._capture.get(cv2.CAP_PROP_FPS)) or 25.0
        self.details = f"{width} x {height}" + (self._locks if settings is not None else "")

    def _ask(self, settings: CameraSettings) -> None:
        capture = self._capture
        capture.set(cv2.CAP_PROP_FOURCC, MOTION_JPEG)  # raw 1080p exceeds USB 2 at 30 frames/s
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, settings.width)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, settings.height)
        capture.set(cv2.CAP_PROP_FPS, settings.fps)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._locks = ""
        if settings.lock:
            refused = [] if capture.set(cv2.CAP_PROP_AUTOFOCUS, 0) else ["focus"]
            if not capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, 1):  # V4L2's value for manual
                refused.append("exposure")
            if settings.focus is not None:
                capture.set(cv2.CAP_PROP_FOCUS, settings.focus)
            if settings.exposure is not None:
                capture.set(cv2.CAP_PROP_EXPOSURE, settings.exposure)
            self._locks = f", not locked: {', '.join(refused)}" if refused else ", focus and exposure locked"

    def _gives_jpeg(self) -> bool:
        """Whether OpenCV hands over a camera's JPEG as it is, which a first picture shows; else it converts as ever."""
        capture = self._capture
        if capture.getBackendName() != "V4L2" or int(capture.get(cv2.CAP_PROP_FOURCC)) != MOTION_JPEG:
            return False
        if capture.set(cv2.CAP_PROP_CONVERT_RGB, 0) and capture.grab():
            good, sent = capture.retrieve()
            if good and sent is not None and sent.tobytes().startswith(START):
                return True
        capture.set(cv2.CAP_PROP_CONVERT_RGB, 1)
        return False

    def advance(self) -> bool:
        """See Grabber."""
        self._jpeg = None
        good = bool(self._capture.grab())
        if not good and self._live:
            raise self._silent()
        return good

    @property
    def mark(self) -> int | None:
        """See Grabber."""
        return zlib.crc32(self._sent()) if self._as_sent else None

    def decode(self) -> tuple[np.ndarray, str]:
        """See Grabber."""
        if not self._as_sent:
            return self._retrieved(), ""
        # as OpenCV would have done it: some cameras leave out tables that only its decoder knows
        image = cv2.imdecode(np.frombuffer(self._sent(), np.uint8), cv2.IMREAD_COLOR)
        if image is None:
            raise self._silent()
        return np.asarray(image, np.uint8), ""

    def glance(self) -> np.ndarray | None:
        """See Grabber."""
        return glance_at(self._sent()) if self._as_sent else None

    def _sent(self) -> bytes:
        """The present picture as the camera sent it."""
        if self._jpeg is None:
            self._jpeg = self._retrieved().tobytes()
        return self._jpeg

    def _retrieved(self) -> np.ndarray:
        good, image = self._capture.retrieve()
        if not good or image is None:
            raise self._silent()
        return np.asarray(image)

    def _silent(self) -> DeviceError:
        silent = Message("{what} {name} sends no picture", **self._named)
        return DeviceError(silent, remedy=Message("check its cable"))

    def close(self) -> None:
        """See Grabber."""
        self._capture.release()


def _remedy(target: int | str) -> Message:
    node = f"/dev/video{target}" if isinstance(target, int) else target
    if node.startswith("/dev/"):
        if not os.path.exists(node):
            return Message("plug the camera in; `ls /dev/video*` shows which there are")
        if not os.access(node, os.R_OK | os.W_OK):
            return Message("no permission for {node}: sudo usermod -aG video $USER, then log in again", node=node)
        return Message("another program may be using it")
    return ADDRESS if "://" in str(target) else Message("check that it is a video file")


class PicturesGrabber(_WholeOnly):
    """The pictures of a directory in the order of their names, or a single picture."""

    def __init__(self, path: Path) -> None:
        """Raises DeviceError when there is no picture."""
        files = [path] if path.is_file() else sorted(p for p in path.iterdir() if p.suffix.lower() in PICTURES)
        if not files:
            raise DeviceError(f"no pictures in {path}", remedy=f"expected files like 0001.jpg ({_kinds(PICTURES)})")
        self._files = iter(files)
        self._file: Path | None = None
        self.fps = 0.0
        self.details = f"{len(files)} pictures"

    def advance(self) -> bool:
        """See Grabber."""
        self._file = next(self._files, None)
        return self._file is not None

    def decode(self) -> tuple[np.ndarray, str]:
        """See Grabber."""
        path = self._file
        assert path is not None, "there was no next picture"
        try:
            return read_picture(path), path.name
        except ValueError as error:
            broken = Message("{path} is not a picture", path=path)
            raise DeviceError(broken, remedy=Message("remove it or replace it")) from error

    def close(self) -> None:
        """Nothing is held open."""


class MjpegGrabber:
    """A network camera that sends motion JPEG over HTTP: one JPEG after the other in a multipart answer."""

    def __init__(self, url: str, timeout_s: float = CONNECT_S) -> None:
        """Connect. Raises DeviceError when nobody answers."""
        parts = urllib.parse.urlsplit(url)
        bare = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
        request = urllib.request.Request(bare)
        if parts.username is not None:
            word = f"{parts.username}:{parts.password or ''}".encode()
            request.add_header("Authorization", "Basic " + base64.b64encode(word).decode())
        self._where = bare
        try:
            self._stream: IO[bytes] = urllib.request.urlopen(request, timeout=timeout_s)
        except (urllib.error.URLError, OSError, ValueError) as error:
            raise DeviceError(f"{bare}: {error}", remedy=ADDRESS) from error
        self._rest = b""
        self._came: bytes | bytearray = b""
        self._whole = slice(0, 0)  # of what came, the present picture: copied only when it is looked at
        self.overtaken = 0
        """Pictures that came and were passed over on the way to the present one."""
        self.details = "motion JPEG"

    def advance(self) -> bool:
        """See Grabber. Of pictures that have all come already, on a busy machine, the last one: the others are old."""
        self._go_to_next()
        self.overtaken = 0
        self._take_what_came()
        while (following := _first_jpeg(self._rest)) is not None:
            self._came, self._whole = self._rest, following
            self._rest = self._rest[following.stop :]
            self.overtaken += 1
        return True

    @property
    def _jpeg(self) -> bytes:
        return bytes(memoryview(self._came)[self._whole])

    @property
    def mark(self) -> int:
        """See Grabber."""
        return zlib.crc32(self._jpeg)

    def decode(self) -> tuple[np.ndarray, str]:
        """See Grabber."""
        return decode_jpeg(self._jpeg), ""

    def glance(self) -> np.ndarray | None:
        """See Grabber."""
        return glance_at(self._jpeg)

    def _take_what_came(self) -> None:
        """Add to the rest what has arrived, without waiting for more."""
        parts, size = [self._rest], len(self._rest)
        try:
            while size < MOST_WAITING_BYTES and select.select([self._stream], [], [], 0)[0]:
                more = self._stream.read1(CHUNK)  # type: ignore[attr-defined]
                if not more:
                    break  # closed: the next picture is waited for in vain
                parts.append(more)
                size += len(more)
        except (OSError, ValueError):
            pass  # the next picture is asked for on the same connection, and says what is wrong
        self._rest = b"".join(parts)

    def _go_to_next(self) -> None:
        """Wait for the whole of the next JPEG, found by its start and end marks."""
        data, searched = bytearray(self._rest), 0
        while (whole := _first_jpeg(data, searched)) is None:
            try:
                more = self._stream.read1(CHUNK)  # type: ignore[attr-defined]
            except (OSError, ValueError) as error:
                raise DeviceError(f"{self._where}: {error}", remedy=Message("check the network")) from error
            if not more:
                closed = Message("{address} has closed the connection", address=self._where)
                raise DeviceError(closed, remedy=Message("check that the camera is on"))
            start = data.find(START)
            del data[: start if start >= 0 else -1]
            searched = max(len(data) - 1, 0)  # half a mark may have come
            data += more
            if len(data) > MAX_JPEG_BYTES:
                other = Message("{address} sends no JPEG pictures", address=self._where)
                raise DeviceError(other, remedy=Message("use the address of its MJPEG stream"))
        self._rest = bytes(memoryview(data)[whole.stop :])
        self._came, self._whole = data, whole

    def close(self) -> None:
        """See Grabber."""
        self._stream.close()


def _first_jpeg(data: bytes | bytearray, searched: int = 0) -> slice | None:
    """Where the first whole JPEG lies in `data`; None while there is none. Before `searched` it does not end."""
    start = data.find(START)
    # the end mark cannot occur inside: JPEG stuffs a zero after every FF of the picture's data
    end = END.search(data, max(start + 2, searched)) if start >= 0 else None
    return None if end is None else slice(start, end.end())


def decode_jpeg(data: bytes) -> np.ndarray:
    """(H, W, 3) uint8 BGR. Raises DeviceError for anything that is not a whole picture."""
    try:
        return decoded(data, SENT_MOST_PX)
    except ValueError as error:
        broken = Message("a picture of {size} bytes cannot be decoded", size=len(data))
        raise DeviceError(broken, remedy=Message("send JPEG pictures")) from error


def _kinds(kinds: frozenset[str]) -> str:
    return ", ".join(sorted(kinds))
