"""Pictures from files and from the network: the head is looked at before anything is decoded.

A decoder makes three bytes for every pixel that the head promises, so a file of some kilobytes can ask for gigabytes.
"""

from __future__ import annotations

import io
import stat
from pathlib import Path

import cv2
import imagesize
import numpy as np
from numpy.typing import NDArray

MOST_BYTES = 64 * 2**20
"""Of a file: an uncompressed picture of a good phone."""
MOST_PX = 50_000_000
"""Of a picture: 50 megapixels are what phones take at most unless asked for more; decoded they are 150 MB."""
SENT_MOST_PX = 16_800_000
"""Of a picture that a page sends: 4096 x 4096, see `browser.MAX_SIDE_PX`."""
LEAST_SIDE_PX = 8
"""Smaller ones show nothing, and what measures in them divides by parts of their sides."""
KINDS = {
    "JPEG": (b"\xff\xd8\xff",), "PNG": (b"\x89PNG\r\n\x1a\n",), "WEBP": (b"RIFF",), "BMP": (b"BM",),
    "TIFF": (b"II*\0", b"MM\0*"),
}
"""The kinds that are read, and how they begin: other decoders never see a stranger's bytes."""
MOST_SIDE_PX = 2**20
"""What OpenCV decodes at most; PNG heads can say 2**31."""


def decoded(data: bytes, most_px: int = MOST_PX) -> NDArray[np.uint8]:
    """(H, W, 3) uint8 BGR. Raises ValueError saying what is wrong: no picture, too small, too large."""
    width, height = size_of(data)
    if min(width, height) < LEAST_SIDE_PX:
        raise ValueError(f"a picture of {width} x {height}; expected {LEAST_SIDE_PX} px a side or more")
    if width * height > most_px:
        raise ValueError(f"a picture of {width} x {height}; expected {most_px // 10**6} megapixels or fewer")
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError("expected a whole picture, got one that breaks off")
    return np.asarray(image, np.uint8)


def size_of(data: bytes) -> tuple[int, int]:
    """Width and height in px that the head of a picture promises. Raises ValueError for what is none."""
    width = height = 0
    if data.startswith(tuple(beginning for kind in KINDS.values() for beginning in kind)):
        width, height = imagesize.get(io.BytesIO(data), exif_rotation=False)  # -1, -1 for what it cannot read
    if not (0 < width <= MOST_SIDE_PX and 0 < height <= MOST_SIDE_PX):
        raise ValueError(f"expected a picture ({', '.join(KINDS)})")
    return width, height


def read_picture(path: Path) -> NDArray[np.uint8]:
    """The picture of a file, as `decoded`. Raises ValueError without the file's name."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):  # a device or a pipe never ends
            raise ValueError("expected a file with a picture")
        if found.st_size > MOST_BYTES:
            raise ValueError(f"a picture of {found.st_size} bytes; expected {MOST_BYTES // 2**20} MB or less")
        data = path.read_bytes()  # by its bytes: the decoder's own reader stumbles over names that are no text
    except OSError as error:
        raise ValueError(error.strerror or str(error)) from error
    return decoded(data)
