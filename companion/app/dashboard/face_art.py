"""The pictures of faces on pages: of the demo's film, or of the box that a game is played with."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

FACE = re.compile("[a-z0-9-]{1,60}")
ART_PX, ART_QUALITY = 128, 78
"""A tile on a screen of 1080 lines is larger, but a page is to weigh 300 kB at most: these weigh 4 kB each."""


@lru_cache(maxsize=256)
def art_of(tiles: Path, face: str) -> bytes | None:
    """The picture of a face in a set of pictures, as JPEG; None when the set has none of that name."""
    path = tiles / "reference" / f"{face}.png"
    image = cv2.imread(str(path)) if FACE.fullmatch(face) and path.is_file() else None
    return None if image is None else art_jpeg(image)


def art_jpeg(image: np.ndarray) -> bytes:
    """A face, (h, w, 3) uint8 BGR, upright, as a page shows it: a JPEG of ART_PX a side."""
    small = cv2.resize(image, (ART_PX, ART_PX), interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, ART_QUALITY])[1])
