"""The small committed scene set: its pictures with their truth."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.core.layout import SlotOutline
from vision.locate.camera_model import Camera
from vision.locate.lattice import GridShape
from vision.locate.pose import TablePose
from vision.locate.rectify import square_mm

SMALL_SET = Path(__file__).parents[2] / "vision" / "fixtures" / "sample"
ROWS_COLS = {2: (2, 3), 3: (3, 3), 4: (3, 4)}


@dataclass(frozen=True, eq=False)
class Scene:
    image: np.ndarray
    truth: dict[str, Any]

    @property
    def true_pose(self) -> TablePose:
        camera = self.truth["camera"]
        lens = Camera(np.array(camera["matrix"]), np.array(camera["dist"]), tuple(camera["size"]), measured=True)
        return TablePose(lens, np.array(camera["rvec"]), np.array(camera["tvec"]), "markers", 0.0, (0, 1, 2, 3))

    @property
    def grid(self) -> GridShape:
        return GridShape(*ROWS_COLS[self.truth["players"]])

    @property
    def outlines(self) -> list[SlotOutline]:
        shape = self.grid
        return [
            SlotOutline(f"r{r + 1}c{c + 1}", tuple(map(tuple, square_mm(shape.centre_mm(r, c), shape.side_mm))))
            for r in range(shape.rows)
            for c in range(shape.cols)
        ]

    def slot_errors_mm(self, pose: TablePose) -> np.ndarray:
        """How far from the truth a pose puts the tiles that lie in the picture."""
        places = np.array([cell["xy"] for cell in self.truth["cells"] if cell["tile"]], float)
        seen_px = self.true_pose.project(np.column_stack([places, np.full(len(places), -2.0)]))
        return np.linalg.norm(pose.to_table(seen_px, -2.0) - places, axis=1)


@cache
def scene(part: str, number: str) -> Scene:
    path = SMALL_SET / part / f"{number}.jpg"
    return Scene(cv2.imread(str(path)), json.loads(path.with_suffix(".json").read_text()))


def without_markers(it: Scene, *markers: int) -> np.ndarray:
    """The picture with these markers painted over in the colour of the table beside them."""
    image = it.image.copy()
    for marker in markers:
        centre = {0: (-220.0, -170.0), 1: (220.0, -170.0), 2: (220.0, 170.0), 3: (-220.0, 170.0)}[marker]
        paper = np.round(it.true_pose.project(square_mm(centre, 62.0))).astype(np.int32)
        rim = np.clip(np.round(it.true_pose.project(square_mm(centre, 70.0))).astype(int), 0, None)
        beside = np.median([image[min(y, image.shape[0] - 1), min(x, image.shape[1] - 1)] for x, y in rim], axis=0)
        cv2.fillConvexPoly(image, paper, tuple(float(v) for v in beside))
    return image
