"""The camera that looks at a table of glossy pieces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

MOST_ASLANT = 32.0  # degrees up to which people lean over a table to photograph it


@dataclass(frozen=True, slots=True, eq=False)
class Eye:
    """A pinhole camera; table frame in mm, z up. `rotation` (3, 3) rows are the camera's axes."""

    size: tuple[int, int]
    focal: float
    rotation: Floats
    centre: Floats

    def project(self, points: Floats) -> Floats:
        seen = (points - self.centre) @ self.rotation.T
        return np.asarray(seen[:, :2] / seen[:, 2:] * self.focal + np.array(self.size) / 2)

    def rays(self, x: Singles, y: Singles) -> Singles:
        """(…, 3) directions, not of unit length, of pixels."""
        across, down = (x - self.size[0] / 2) / self.focal, (y - self.size[1] / 2) / self.focal
        return np.asarray(np.stack([across, down, np.ones_like(across)], axis=-1) @ self.rotation.astype(np.float32))


def make_eye(
    size: tuple[int, int], area_mm: tuple[float, float], rng: np.random.Generator, most_aslant: float = MOST_ASLANT
) -> Eye:
    """A camera of a picture's size px that sees an area of the table, up to so many degrees aslant."""
    tilt, roll = np.deg2rad(rng.uniform(0, most_aslant)), np.deg2rad(rng.uniform(-20, 20))
    focal = rng.uniform(0.75, 1.0) * max(size)
    forward = np.array([0.0, np.sin(tilt), -np.cos(tilt)])
    right = np.array([1.0, 0.0, 0.0])
    down = np.cross(forward, right)
    turn = np.array([[np.cos(roll), np.sin(roll), 0], [-np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    rotation = turn @ np.stack([right, down, forward])
    half = np.array(area_mm) / 2
    corners = np.array([[sx * half[0], sy * half[1], 0] for sx in (-1, 1) for sy in (-1, 1)])
    distance = max(area_mm)
    while True:
        eye = Eye(size, focal, rotation, -forward * distance)
        seen = eye.project(corners)
        if (seen > 4).all() and (seen < np.array(size) - 4).all():
            return eye
        distance *= 1.03


def turning(angle: float) -> Floats:
    """(2, 2) by which rows of places are turned by an angle."""
    return np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
