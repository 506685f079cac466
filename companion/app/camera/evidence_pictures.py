"""Keeps the pictures just before and just after each event as files, the oldest going first when there are too many."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from companion.core.errors import DeviceError

MOST_PICTURES = 400
"""Two hundred events of a game, 60 MB at 150 kB a picture."""

JPEG_QUALITY = 85


@dataclass
class EvidencePictures:
    """The pictures of one session in `folder`, named NUMBER-before.jpg and NUMBER-after.jpg by record number."""

    folder: Path
    most: int = MOST_PICTURES
    _before: np.ndarray | bytes | None = None
    """As it is to be written, from the second picture of the next scene on: a fortieth of the memory."""
    _now: np.ndarray | None = None
    _kept: deque[Path] = field(default_factory=deque)

    def __post_init__(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            remedy = "Choose another data_dir in the settings."
            raise DeviceError(f"cannot keep pictures: {error}", where=str(self.folder), remedy=remedy) from error
        self._kept.extend(sorted(self.folder.glob("*.jpg"), key=lambda path: path.stat().st_mtime))

    def settled(self, image: np.ndarray, *, new_scene: bool) -> None:
        """A settled picture (H, W, 3) uint8 BGR; `new_scene`: something moved since the last one."""
        if new_scene:
            self._before = self._now
        elif isinstance(self._before, np.ndarray):  # the first picture of a scene is waited for, the second is not
            self._before = self._as_jpeg(self._before)
        self._now = image

    def keep(self, record: int) -> None:
        """Write the pictures of the scene before and of the present one for `record`."""
        for when, image in (("before", self._before), ("after", self._now)):
            if image is None:
                continue
            path = self.path(record, when)
            path.write_bytes(image if isinstance(image, bytes) else self._as_jpeg(image))
            self._kept.append(path)
        while len(self._kept) > self.most:
            self._kept.popleft().unlink(missing_ok=True)

    def _as_jpeg(self, image: np.ndarray) -> bytes:
        done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        if not done:
            raise DeviceError(f"a picture of {image.shape} cannot be written as JPEG", where=str(self.folder))
        return bytes(data.tobytes())

    def path(self, record: int, when: str) -> Path:
        """Where the picture `when` ("before" or "after") of a record is kept, if it still is."""
        return self.folder / f"{record:06d}-{when}.jpg"
