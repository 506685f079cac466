"""What Chromium's fake camera is fed with: a picture of a table as a film with a sensor's noise."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

NOISE = 2.0
"""Grey levels of a sensor's noise: without any, equal pictures would be taken for a camera that hangs."""
QUALITY = 92


def still_film(picture: Path) -> bytes:
    """Motion JPEG of one picture with a sensor's noise."""
    image, random = cv2.imread(str(picture)), np.random.default_rng(1)
    frames = (np.clip(image + random.normal(0, NOISE, image.shape), 0, 255).astype(np.uint8) for _ in range(4))
    return b"".join(cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes() for frame in frames)


def shown_to_camera(folder: Path, picture: Path) -> tuple[str, ...]:
    """Arguments of Chromium for a camera that sees this picture; the film is written into `folder`."""
    video = folder / "table.mjpeg"
    video.write_bytes(still_film(picture))
    return (
        "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-video-capture={video}",
    )
