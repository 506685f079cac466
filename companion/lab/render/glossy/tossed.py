"""Pieces as they fall: candies leaning and of uneven sizes, some pieces partly on others; tables as photographed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.render.glossy.eye import Eye
from companion.lab.render.glossy.kinds import Kind, Piece

Floats = NDArray[np.float64]

BROAD, MOST = (6.0, 40.0), 130  # candies that a tossed picture is broad, and that lie in it at most
ASLANT = 45.0  # degrees up to which they are seen so
LEANS, LEAN = 0.12, (0.3, 0.9)  # part of the candies that lean, and by how much
ON_OTHERS = 0.1  # part of the pieces that lie on another
OVER = (1.2, 1.6)  # radii between the middles of such two: a third of the lower one is hidden at most
RESTS = 0.5  # of a candy's height that such a one lies higher, beside the crown of the one below


@dataclass(frozen=True, slots=True, eq=False)
class Photograph:
    """A photograph of a table (H, W, 3) uint8 BGR, and the boxes (x0, y0, x1, y1) px of what lies on it."""

    picture: NDArray[np.uint8]
    boxes: tuple[tuple[int, int, int, int], ...] = ()

    def free(self, eye: Eye, piece: Piece) -> bool:
        """Whether a piece's middle lies on none of the boxes."""
        x, y = eye.project(np.array([[*piece.xy, 0.0]]))[0] / eye.size * self.picture.shape[1::-1]
        return not any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in self.boxes)

    def cut(self, size: tuple[int, int], rng: np.random.Generator) -> Photograph:
        """A part of it of a picture's proportions, turned by quarters where that fits better."""
        picture, boxes = self.picture, self.boxes
        if (picture.shape[0] > picture.shape[1]) != (size[1] > size[0]):
            wide = picture.shape[1]
            picture = cv2.rotate(picture, cv2.ROTATE_90_COUNTERCLOCKWISE)
            boxes = tuple((y0, wide - x1, y1, wide - x0) for x0, y0, x1, y1 in boxes)
        high, wide = picture.shape[:2]
        share = float(rng.uniform(0.75, 1.0)) * min(wide / size[0], high / size[1])
        w, h = int(size[0] * share), int(size[1] * share)
        x, y = int(rng.integers(0, wide - w + 1)), int(rng.integers(0, high - h + 1))
        return Photograph(picture[y : y + h, x : x + w], tuple((a - x, b - y, c - x, d - y) for a, b, c, d in boxes))


def as_fallen(kind: Kind, pieces: list[Piece], rng: np.random.Generator) -> list[Piece]:
    """The same pieces, some leaning or of other sizes, and some more that lie partly on one of them."""
    lying = [_fallen(kind, piece, rng) for piece in pieces]
    upper: list[Piece] = []
    under: set[int] = set()
    for _ in range(round(ON_OTHERS * len(lying))):
        k = int(rng.integers(len(lying)))
        away, far = rng.uniform(0, 2 * np.pi), float(rng.uniform(*OVER)) * kind.radius_mm
        spot = lying[k].xy + far * np.array([np.cos(away), np.sin(away)])
        gaps = np.array([np.linalg.norm(piece.xy - spot) for piece in lying]) / kind.radius_mm
        beneath = set(np.flatnonzero(gaps < 2.0).tolist())
        if beneath & under or (gaps < OVER[0]).any():
            continue
        under |= beneath
        colour = str(rng.choice(kind.colours))
        base = kind.height_mm * (RESTS if kind.domed else 1.0)
        upper.append(
            _fallen(kind, replace(lying[k], xy=spot, base_mm=base, albedo=kind.albedo(colour), colour=colour), rng)
        )
    return lying + upper


def _fallen(kind: Kind, piece: Piece, rng: np.random.Generator) -> Piece:
    turn = float(rng.uniform(0, 2 * np.pi))
    if not kind.domed:
        return replace(piece, turn=turn)
    lean = float(rng.uniform(*LEAN)) if rng.random() < LEANS else float(rng.normal(0, 0.08))
    size, oval = np.exp(rng.normal(0, kind.uneven or 0.01, 2).clip(-0.25, 0.25))
    return replace(piece, turn=turn, lean=lean, size=min(float(size), 1.1), oval=float(oval))
