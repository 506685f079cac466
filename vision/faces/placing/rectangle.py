"""A rectangular piece that lies at any angle in a picture which is cut around it: its four sides."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

WORK_PX = 96  # side of the square with the area of the picture in which sides are looked for
SOFT_PX = 1.0
ANGLES_DEG = np.arange(-45.0, 45.1, 2.5)
ASPECTS = tuple(np.exp(np.linspace(np.log(0.5), np.log(2.0), 25)))  # width by height
FILLS = (1.0, 0.95, 0.9)  # a picture is cut so that the piece fills this share of it, both ways
LEAST_FILL = 0.84
POINTS = 20  # on a side, without its ends: corners are round
PERCENTILE = 25  # of the gradients along a side: print and shadow hide part of it
ACROSS_PX = (-1.5, 0.0, 1.5)  # a side is met within these distances
BORDER = 0.025  # nearer than this share of the side to the picture's border a side is not seen
UNSEEN = 2.0  # what an unseen side counts, in units of the picture's usual gradient
MOST = 6.0  # a side clearer than this counts no more
FLOOR = 0.01  # of the usual gradient, lightness and chroma being 0..1
REACH = 0.07  # share of the side by which each side is moved to where it is clearest
NEAR = 0.5  # what being moved by a whole side would take from the clearness of a side
CLEAR = 1.5  # clearness of each of four sides from which they are believed
NEARLY_SQUARE = 0.9  # aspect from which a piece that lies and one that stands are tried at once
ALIKE = 1.12  # pieces of one set differ in aspect by less than this factor when seen slightly askew


@dataclass(frozen=True, slots=True)
class Rectangle:
    """Four corners (4, 2) px of the picture, clockwise, the first side being the top; how clear each side is."""

    corners: F64
    clear: F64

    @property
    def aspect(self) -> float:
        """Width by height."""
        across, down = self.corners[1] - self.corners[0], self.corners[2] - self.corners[1]
        across_too, down_too = self.corners[2] - self.corners[3], self.corners[3] - self.corners[0]
        wide = float(np.linalg.norm(across) + np.linalg.norm(across_too))
        return wide / max(float(np.linalg.norm(down) + np.linalg.norm(down_too)), 1e-6)

    @property
    def turned_deg(self) -> float:
        """Angle of the top side, -45..45 for one that was searched."""
        across = self.corners[1] - self.corners[0]
        return float(np.degrees(np.arctan2(across[1], across[0])))

    @property
    def believed(self) -> bool:
        """Whether all sides show."""
        return bool((self.clear >= CLEAR).all())

    def upright(self) -> Rectangle:
        """The same with a short side on top."""
        if self.aspect <= 1:
            return self
        return Rectangle(np.roll(self.corners, -1, axis=0), np.roll(self.clear, -1))


def touching(wh: tuple[float, float], angle: float, aspect: float) -> tuple[F64, float]:
    """The largest rectangle of `aspect`, turned by `angle` radians, in the middle of a picture of `wh`, and how much of
    the picture it reaches over, both ways: the less of the two. (4, 2) px, clockwise."""
    c, s = abs(np.cos(angle)), abs(np.sin(angle))
    reach = np.array([aspect * c + s, aspect * s + c])
    scale = float((np.array(wh) / reach).min())
    half = np.array([aspect, 1.0]) * scale / 2
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    return (signs * half) @ turn.T + np.array(wh) / 2, float((reach * scale / wh).min())


def find_rectangle(picture_bgr: U8, aspect: float | None = None) -> Rectangle | None:
    """The rectangle that fills `picture_bgr` (h, w, 3) uint8 and whose sides are clearest: of any aspect, or, lying or
    standing, of nearly the `aspect` that is known of the piece."""
    h, w = picture_bgr.shape[:2]
    scale = WORK_PX / (h * w) ** 0.5
    slopes = _slopes(picture_bgr, scale)
    wh = (slopes.x.shape[1], slopes.x.shape[0])
    tried, unusual = [], []
    for angle in np.radians(ANGLES_DEG):
        for one, charge in _aspects(aspect):
            corners, fill = touching(wh, float(angle), one)
            middle = np.array(wh) / 2
            filling = [middle + (corners - middle) * f for f in FILLS if fill * f >= LEAST_FILL]
            tried += filling
            unusual += [charge] * len(filling)
    if not tried:
        return None
    quads = np.array(tried)
    clear = slopes.clear(quads)
    score = np.minimum(clear, MOST).sum(axis=1) + np.minimum(clear.min(axis=1), MOST / 2) - np.array(unusual)
    best = int(score.argmax())
    corners, clear = slopes.settled(quads[best])
    return Rectangle((corners + 0.5) / scale - 0.5, clear)


def _aspects(usual: float | None) -> list[tuple[float, float]]:
    """Aspects to try with what is charged for each: the further from the usual one, the less likely. Else a picture
    that is wider than its turned piece is taken for the piece, since the sides that it would have are not seen."""
    if usual is None:
        return [(aspect, 0.0) for aspect in ASPECTS]
    near = [(usual * ALIKE**step, UNSEEN * step**2) for step in (-1.0, -0.5, 0.0, 0.5, 1.0)]
    return near if usual > NEARLY_SQUARE else [*near, *((1 / aspect, charge) for aspect, charge in near)]


@dataclass(frozen=True, slots=True)
class _Slopes:
    """Gradients `x`, `y` (h, w, 3) of a picture, and the `usual` size of one."""

    x: F32
    y: F32
    usual: float

    def clear(self, quads: F64) -> F64:
        """(N, 4) how clear each side of `quads` (N, 4, 2) is, in units of the usual gradient."""
        h, w = self.x.shape[:2]
        ends = np.roll(quads, -1, axis=1)
        along = ends - quads
        across = np.stack([along[..., 1], -along[..., 0]], axis=-1)
        across = across / (np.linalg.norm(across, axis=-1, keepdims=True) + 1e-9)
        places = quads[:, :, None] + along[:, :, None] * np.linspace(0.08, 0.92, POINTS)[:, None]
        steepest = np.zeros(places.shape[:3], np.float32)
        for off in ACROSS_PX:
            at = places + across[:, :, None] * off
            slope = sum(self._at(field, at) * across[:, :, None, k, None] for k, field in enumerate((self.x, self.y)))
            steepest = np.maximum(steepest, np.linalg.norm(slope, axis=-1))
        place = POINTS * PERCENTILE // 100
        clear = np.partition(steepest, place, axis=2)[:, :, place] / self.usual
        near = BORDER * WORK_PX
        hidden = np.zeros(clear.shape, bool)
        for k, size in ((0, w), (1, h)):
            low, high = np.minimum(quads[..., k], ends[..., k]), np.maximum(quads[..., k], ends[..., k])
            hidden |= (high < near) | (low > size - 1 - near)
        return np.where(hidden, UNSEEN, clear)

    @staticmethod
    def _at(field: F32, places: F64) -> F32:
        """`field` at `places` (N, 4, POINTS, 2); cv2.remap takes fewer than 2**15 rows at once."""
        n = places.shape[0]
        flat = places.reshape(n, -1, 2).astype(np.float32)
        rows = [
            cv2.remap(field, part[..., 0], part[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
            for part in np.array_split(flat, n // 30000 + 1)
        ]
        return np.concatenate(rows).reshape(*places.shape[:3], 3)

    def settled(self, quad: F64) -> tuple[F64, F64]:
        """The corners (4, 2) after each side was moved to where it is clearest nearby, and how clear it is there."""
        steps = np.arange(-REACH, REACH + 1e-6, 0.01) * WORK_PX
        lines, clear = [], []
        for k in range(4):
            a, b = quad[k], quad[(k + 1) % 4]
            length = float(np.linalg.norm(b - a))
            across = np.array([b[1] - a[1], a[0] - b[0]]) / length
            moves = [(i, j) for i in steps for j in steps if abs(i - j) < 0.1 * length]
            sides = np.array([[a + across * i, b + across * j, b + across * j, a + across * i] for i, j in moves])
            near = 1 - NEAR * np.abs(np.array(moves)).sum(axis=1) / WORK_PX
            score = self.clear(sides)[:, 0]
            best = int((score * near).argmax())
            lines.append(sides[best, :2])
            clear.append(float(score[best]))
        corners = [_crossing(lines[k - 1], lines[k]) for k in range(4)]
        return np.array(corners), np.array(clear)


def _crossing(first: F64, second: F64) -> F64:
    """Where two lines (2, 2) through points cross; their nearest ends when they are parallel."""
    along = np.stack([first[1] - first[0], second[0] - second[1]], axis=1)
    if abs(np.linalg.det(along)) < 1e-6:
        return np.asarray((first[1] + second[0]) / 2)
    return np.asarray(first[0] + (first[1] - first[0]) * np.linalg.solve(along, second[0] - first[0])[0])


def _slopes(picture_bgr: U8, scale: float) -> _Slopes:
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.resize(picture_bgr, None, fx=scale, fy=scale, interpolation=way)
    lab = cv2.cvtColor(small.astype(np.float32) / 255, cv2.COLOR_BGR2Lab) / 100
    lab = cv2.GaussianBlur(lab, (0, 0), SOFT_PX)
    x = cv2.Sobel(lab, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    y = cv2.Sobel(lab, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    size = np.sqrt((x**2).sum(axis=2) + (y**2).sum(axis=2))
    return _Slopes(x, y, float(np.median(size)) + FLOOR)


def to_picture(corners: F64, size_wh: tuple[int, int]) -> F64:
    """(3, 3) px of a piece of `size_wh` -> px of the picture in which its corners (4, 2) are."""
    w, h = size_wh
    own = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - np.float32(0.5)
    return np.asarray(cv2.getPerspectiveTransform(own, corners.astype(np.float32)), np.float64)


def cut_at(picture_bgr: U8, corners: F64, size_wh: tuple[int, int]) -> tuple[U8, NDArray[np.bool_]]:
    """The piece between `corners` (4, 2) in `picture_bgr`, (h, w, 3) uint8, and which of it is in the picture."""
    matrix = to_picture(corners, size_wh)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    finer = max(float(np.linalg.norm(corners[1] - corners[0])) / size_wh[0], 1.0)
    soft = cv2.GaussianBlur(picture_bgr, (0, 0), 0.45 * finer) if finer > 1.2 else picture_bgr
    piece = cv2.warpPerspective(soft, matrix, size_wh, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    whole = np.full(picture_bgr.shape[:2], 255, np.uint8)
    return piece, cv2.warpPerspective(whole, matrix, size_wh, flags=flags) > 127
