"""Pictures of a ChArUco board by one camera from many sides, with the camera's true lens."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from companion.lab.render.camera import Camera, View
from companion.lab.render.lights import make_light
from companion.lab.render.picture import RenderedScene, render
from companion.lab.render.pieces import printed
from companion.lab.render.sensor import make_optics
from companion.lab.render.surfaces import make_surface

SQUARES = (8, 6)
SQUARE_MM, MARKER_MM = 30.0, 22.0
_PX_PER_MM = 8


def calibration_views(
    seed: int, count: int, size: tuple[int, int] = (1920, 1080)
) -> tuple[list[bytes], dict[str, Any]]:
    """`count` JPEGs and their truth.json: the board and the camera's matrix and distortion."""
    rng = np.random.default_rng([seed, 50])
    focal = rng.uniform(0.75, 0.95) * size[0]
    matrix = np.array(
        [[focal, 0, size[0] / 2 + rng.normal(0, 6)], [0, focal, size[1] / 2 + rng.normal(0, 6)], [0, 0, 1]]
    )
    dist = np.array([rng.uniform(-0.16, -0.05), rng.uniform(0, 0.04), *rng.normal(0, 4e-4, 2), 0.0])
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    board = cv2.aruco.CharucoBoard(SQUARES, SQUARE_MM, MARKER_MM, dictionary)
    extent = (SQUARES[0] * SQUARE_MM, SQUARES[1] * SQUARE_MM)
    sheet = board.generateImage((int(extent[0] * _PX_PER_MM), int(extent[1] * _PX_PER_MM)))
    sheet = (sheet.astype(np.float32) / 255 * 210 + 24).astype(np.uint8)
    slab = printed(cv2.cvtColor(sheet, cv2.COLOR_GRAY2BGR), extent, (0, 0), 0.0, 1.0, side=(190, 190, 190))
    surface, light, optics = make_surface("wood", rng), make_light("led", rng), make_optics(rng)
    jpegs: list[bytes] = []
    while len(jpegs) < count:
        camera = _aim(rng, size, matrix, dist, extent)
        if camera is None:
            continue
        picture, _ = render(RenderedScene(surface, 0.3, (slab,)), View(camera), light, optics, rng)
        jpegs.append(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 86])[1].tobytes())
    return jpegs, {
        "board": {
            "kind": "ChArUco",
            "squares": list(SQUARES),
            "square_mm": SQUARE_MM,
            "marker_mm": MARKER_MM,
            "dictionary": "DICT_5X5_100",
        },
        "truth": {"matrix": matrix.tolist(), "dist": dist.tolist()},
    }


def _aim(
    rng: np.random.Generator, size: tuple[int, int], matrix: np.ndarray, dist: np.ndarray, extent: tuple[float, float]
) -> Camera | None:
    """A pose that shows the whole board somewhere in the picture; None when the guess does not."""
    rvec = rng.normal(0, [0.4, 0.4, 0.3])
    distance = rng.uniform(330, 620)
    shift = rng.uniform(-0.33, 0.33, 2) * distance * np.array(size) / matrix[0, 0]
    camera = Camera(size, matrix, dist, rvec, np.array([*shift, distance]))
    half = np.array(extent) / 2
    edge = np.array([[x, y, -1.0] for x in np.linspace(-half[0], half[0], 9) for y in (-half[1], half[1])])
    pixels = camera.project(edge)
    inside = (pixels > 8).all() and (pixels < np.array(size) - 8).all()
    return camera if inside else None
