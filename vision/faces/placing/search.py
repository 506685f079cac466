"""First search: every learnt picture in every turn at every place of a crop, by matrix products on small grids."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]

CELLS = 256  # samples of the part of a picture that is searched for: 16 x 16 for a square face
CORE = 0.8  # that part: the middle of the picture; its rim is the first to be cut off or to show the table
REACH = 0.25  # how far from the middle a piece is searched, as a share of its side
OFFSET_KEPT = 0.35  # share of the mean level that counts: 0 forgives any offset, 1 none
GAIN_TIE = 0.25  # ridge that ties the gains of the channels together, so that colour stays a feature
AROUND = 3.0  # sigma, in cells, of the surroundings that local contrast is taken against
CONTRAST_FLOOR = 0.1  # brightness below which a difference to the surroundings is noise
CONTRAST_WORTH = 1.0  # what a misfit of local contrast counts beside one of colour
FLAT = 3e-4  # energy of a descriptor that is plain but for noise
AWAY_COST = 0.12  # added misfit of a place REACH away from the middle: a tie goes to the middle


@dataclass(frozen=True, slots=True)
class Grid:
    """How a picture is sampled: `cols`, `rows` of its core, and `pad_x`, `pad_y` cells by which places differ."""

    cols: int
    rows: int
    pad_x: int
    pad_y: int

    @classmethod
    def of(cls, size_wh: tuple[int, int]) -> Grid:
        """The grid for pictures of `size_wh` px: about CELLS samples, the same pitch both ways."""
        aspect = (size_wh[0] / size_wh[1]) ** 0.5
        cols, rows = max(4, round(CELLS**0.5 * aspect)), max(4, round(CELLS**0.5 / aspect))
        return cls(cols, rows, round(REACH * cols / CORE), round(REACH * rows / CORE))

    @property
    def places(self) -> int:
        return (2 * self.pad_x + 1) * (2 * self.pad_y + 1)

    def shifts(self) -> F32:
        """(places, 2) shift of each place in x and y, as shares of the piece's sides."""
        x = np.arange(-self.pad_x, self.pad_x + 1) * (CORE / self.cols)
        y = np.arange(-self.pad_y, self.pad_y + 1) * (CORE / self.rows)
        return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2).astype(np.float32)


def _sampled(image: F32, grid: Grid, margin: float, padded: bool) -> F32:
    """(rows, cols, 4) blurred values of the core of `image` (h, w, 3), or of all places, and its local contrast."""
    h, w = image.shape[:2]
    inner = np.array([w, h]) / (1 + 2 * margin)
    pitch = inner * CORE / (grid.cols, grid.rows)
    soft = cv2.GaussianBlur(image, (0, 0), float(0.5 * pitch.mean()), borderType=cv2.BORDER_REPLICATE)
    more = np.array([grid.pad_x, grid.pad_y])  # contrast needs surroundings: both are sampled with the padding
    count = np.array([grid.cols, grid.rows]) + 2 * more
    x = ((np.arange(count[0]) + 0.5 - count[0] / 2) * pitch[0] + w / 2 - 0.5).astype(np.float32)
    y = ((np.arange(count[1]) + 0.5 - count[1] / 2) * pitch[1] + h / 2 - 0.5).astype(np.float32)
    across, down = np.meshgrid(x, y)
    values = cv2.remap(soft, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    grey = values.mean(axis=2)
    around = cv2.GaussianBlur(grey, (0, 0), AROUND, borderType=cv2.BORDER_REPLICATE)
    both = np.dstack([values, (grey - around) / (around + CONTRAST_FLOOR)])
    return both if padded else both[more[1] : count[1] - more[1], more[0] : count[0] - more[0]]


def _descriptors(samples: F32) -> F32:
    """(4, N, cells + 1) centred values of each channel and, weighted, their mean. `samples`: (N, cells, 4)."""
    mean = samples.mean(axis=1, keepdims=True)
    centred = (samples - mean) / np.float32(samples.shape[1] ** 0.5)
    both = np.concatenate([centred, mean * np.float32(OFFSET_KEPT**0.5)], axis=1).transpose(2, 0, 1).copy()
    both[3, :, -1] = 0  # local contrast has no level
    return both


@dataclass(frozen=True, slots=True)
class SearchIndex:
    """Descriptors of T pictures in each turn: `table` (4, cells + 1, turns * T), `energy` (4, turns * T)."""

    grid: Grid
    turns: tuple[int, ...]
    count: int
    table: F32
    energy: F32

    @classmethod
    def build(cls, pictures: F32, turns: tuple[int, ...]) -> SearchIndex:
        """Index of `pictures` (T, h, w, 3) float32 in 0..1, to be found in any of `turns` (quarters, clockwise)."""
        grid = Grid.of((pictures.shape[2], pictures.shape[1]))
        upright = np.stack([_sampled(p, grid, 0.0, padded=False) for p in pictures])
        turned = np.concatenate([np.rot90(upright, -turn, axes=(1, 2)) for turn in turns])
        table = _descriptors(turned.reshape(len(turned), -1, 4)).transpose(0, 2, 1)
        table = np.ascontiguousarray(table)
        return cls(grid, turns, len(pictures), table, np.einsum("cdt,cdt->ct", table, table))

    def search(self, crop: F32, margin: float) -> tuple[F32, F32]:
        """Misfit of every picture in every turn at its best place, and that place.

        `crop` (h, w, 3) float32 in 0..1. Returns cost (turns, T), 0 for a perfect fit, and shifts (turns, T, 2) in
        x and y of the crop, as shares of the piece's sides there.
        """
        g = self.grid
        values = _sampled(crop, g, margin, padded=True)
        windows = np.lib.stride_tricks.sliding_window_view(values, (g.rows, g.cols), axis=(0, 1))
        samples = windows.transpose(0, 1, 3, 4, 2).reshape(g.places, g.rows * g.cols, 4)
        x = _descriptors(samples)
        dot = np.matmul(x, self.table)  # (4, places, turns * T)
        colour = self._colour_cost(dot[:3], x[:3])
        flat = np.float32(FLAT)
        own, theirs = np.einsum("nd,nd->n", x[3], x[3])[:, None] + flat, self.energy[3] + flat
        shape = 1 - np.maximum(dot[3] + flat, 0) / np.sqrt(own * theirs)
        shifts = g.shifts()
        away = np.float32(AWAY_COST / REACH**2) * (shifts**2).sum(axis=1)
        cost = colour + np.float32(CONTRAST_WORTH) * shape + away[:, None]
        best = cost.argmin(axis=0)
        found = np.take_along_axis(cost, best[None], axis=0)[0]
        return found.reshape(len(self.turns), -1), shifts[best].reshape(len(self.turns), -1, 2)

    def _colour_cost(self, dot: F32, x: F32) -> F32:
        """(places, turns * T) misfit after a gain per channel, tied to the common one."""
        own = np.einsum("cnd,cnd->n", x, x) + np.float32(FLAT)
        mean_energy = self.energy[:3].mean(axis=0) + np.float32(FLAT)
        gain = np.maximum(dot.sum(axis=0) / (3 * mean_energy), 0)
        tie = np.float32(GAIN_TIE) * mean_energy
        lift = dot + tie * gain
        cost = own[:, None] + 3 * tie * gain**2 - np.sum(lift**2 / (self.energy[:3, None, :] + tie), axis=0)
        return np.asarray(cost / own[:, None])
