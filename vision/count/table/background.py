"""What has changed from a picture of the empty table, in other light and with the camera moved a little."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.table.ground import to_lab

SOFT_PX = 2.0
STRAY_PX = 3  # the camera may have moved so far between the two pictures
LIGHT_PX = 120.0  # light changes smoothly over a table: about a tenth of the picture
CHANGED_LAB = 6.0  # beyond JPEG, noise and what the smooth light leaves over


def changed_from(picture: NDArray[np.uint8], empty: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """(H, W) bool: where a picture (H, W, 3) uint8 BGR is not the empty table of another one of the same size."""
    lab, table = (cv2.GaussianBlur(to_lab(p), (0, 0), SOFT_PX) for p in (picture, empty))
    offset = lab - table
    still = np.linalg.norm(offset - np.median(offset.reshape(-1, 3), axis=0), axis=2) < 2 * CHANGED_LAB
    weight = cv2.GaussianBlur(still.astype(np.float32), (0, 0), LIGHT_PX) + 1e-4
    light = cv2.GaussianBlur(offset * still[..., None], (0, 0), LIGHT_PX) / weight[..., None]
    table = table + light
    kernel = np.ones((2 * STRAY_PX + 1,) * 2, np.uint8)
    low, high = cv2.erode(table, kernel), cv2.dilate(table, kernel)
    beyond = np.maximum(np.maximum(low - lab, lab - high), 0)
    return np.asarray(np.linalg.norm(beyond, axis=2) > CHANGED_LAB)
