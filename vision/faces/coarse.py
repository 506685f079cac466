"""Coarse ranking: every learnt picture in every turn against a crop, by matrix products on small descriptors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.blur import HALVED_FROM, TO_HALF, blur_left, halved
from vision.median import medians

F32 = NDArray[np.float32]
Misfits = tuple[F32, F32, F32, float]

CELLS = 256  # samples of a descriptor: 16 x 16 for a square face
OFFSET_KEPT = 0.35  # share of the mean level that counts: 0 forgives any offset, 1 none
GAIN_TIE = 0.25  # ridge that ties the gains of the channels together, so that colour stays a feature
# Placements tried around the nominal one: a crop is off by up to 6 % of the side.
SHIFTS = (-0.05, 0.0, 0.05)
SCALES = (0.95, 1.0, 1.05)
TOGETHER = 4  # crops whose placements are compared together: their misfits stay in a processor's cache
PLACEMENTS = tuple((dx, dy, s) for s in SCALES for dy in SHIFTS for dx in SHIFTS)
ALL = slice(0, len(PLACEMENTS))
NOMINAL_SIZE = slice(*(SCALES.index(1.0) * len(SHIFTS) ** 2 + k for k in (0, len(SHIFTS) ** 2)))  # those of the scale 1


def grid_wh(size_wh: tuple[int, int]) -> tuple[int, int]:
    """Columns and rows of the descriptor of a face of `size_wh` px, about CELLS samples in all."""
    aspect = (size_wh[0] / size_wh[1]) ** 0.5
    return max(4, round(CELLS**0.5 * aspect)), max(4, round(CELLS**0.5 / aspect))


@lru_cache(maxsize=32)
def _sample_map(crop_wh: tuple[int, int], cols_rows: tuple[int, int], margin: float, at_half: bool) -> F32:
    """(placements, cells, 2) float32 px of a crop, or of the halved crop, where each cell of each placement is
    sampled."""
    cols, rows = cols_rows
    u = (np.arange(cols) + 0.5) / cols - 0.5
    v = (np.arange(rows) + 0.5) / rows - 0.5
    grid = np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2)
    inner = np.array(crop_wh) / (1 + 2 * margin)
    middle = np.array(crop_wh) / 2 - 0.5
    maps = [(grid * s + (dx, dy)) * inner + middle for dx, dy, s in PLACEMENTS]
    return np.asarray(maps, dtype=np.float32) * np.float32(TO_HALF[0, 0] if at_half else 1.0)


@lru_cache(maxsize=8)
def _turned_map(side_px: int, cols_rows: tuple[int, int], margin: float, degrees: tuple[float, ...]) -> F32:
    """(turns * placements, cells, 2) float32 px: as `_sample_map`, in a square crop, of a face of the nominal size that
    is turned clockwise by each of some `degrees`."""
    upright = _sample_map((side_px, side_px), cols_rows, margin, False)[NOMINAL_SIZE]
    middle = np.float32(side_px / 2 - 0.5)
    angles = np.deg2rad(degrees)
    turns = np.stack([np.cos(angles), -np.sin(angles), np.sin(angles), np.cos(angles)], axis=-1).reshape(-1, 2, 2)
    every = np.einsum("tij,pcj->tpci", turns, upright - middle) + middle
    return np.asarray(every.reshape(-1, *upright.shape[1:]), np.float32)


def _descriptors(samples: F32) -> F32:
    """(3, N, cells + 1): centred values of each channel and, weighted, their mean. `samples`: (N, cells, 3)."""
    count = samples.shape[1]
    planes = np.ascontiguousarray(samples.transpose(2, 0, 1))
    mean = planes.mean(axis=2, keepdims=True)
    out = np.empty((*planes.shape[:2], count + 1), np.float32)
    out[..., :count] = (planes - mean) * np.float32(count**-0.5)
    out[..., count:] = mean * np.float32(OFFSET_KEPT**0.5)
    return out


def _sample(image_bgr: F32, cols_rows: tuple[int, int], margin: float, placements: slice = ALL) -> F32:
    """(placements, cells, 3) values of the blurred crop."""
    h, w = image_bgr.shape[:2]
    sigma = 0.5 * (w / (1 + 2 * margin)) / cols_rows[0]
    at_half = sigma >= HALVED_FROM
    if at_half:
        image_bgr, sigma = halved(image_bgr), blur_left(sigma)
    soft = cv2.GaussianBlur(image_bgr, (0, 0), sigma)
    where = _sample_map((w, h), cols_rows, margin, at_half)[placements]
    return np.asarray(cv2.remap(soft, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


@dataclass(frozen=True, slots=True)
class CoarseIndex:
    """Descriptors of all learnt pictures: `table` (3, cells + 1, T) float32, `energy` (3, T).

    Of the aligned ranking, (channels, samples, T) and their squares: `fine` values, `sharp` local contrast, `shape` its
    grey.
    """

    cols_rows: tuple[int, int]
    table: F32
    energy: F32
    fine: F32
    fine_square: F32
    sharp: F32
    sharp_square: F32
    shape: F32
    shape_square: F32
    turned: dict[tuple[int, ...], F32] = field(default_factory=dict, compare=False, repr=False)
    ties: dict[tuple[int, ...], tuple[F32, F32]] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def build(cls, pictures: F32) -> CoarseIndex:
        """Index of `pictures` (T, h, w, 3) float32, upright faces filling the whole picture."""
        cols_rows = grid_wh((pictures.shape[2], pictures.shape[1]))
        nominal = PLACEMENTS.index((0.0, 0.0, 1.0))
        samples = np.stack([_sample(p, cols_rows, 0.0)[nominal] for p in pictures])
        table = np.ascontiguousarray(_descriptors(samples).transpose(0, 2, 1))
        soft = [thin(p) for p in pictures]
        fine = np.ascontiguousarray(np.stack([p.reshape(-1, 3).T for p in soft], axis=-1))  # (3, cells, T)
        sharp = np.ascontiguousarray(np.stack([contrast(p).reshape(-1, 3).T for p in soft], axis=-1))
        shape = sharp.mean(axis=0, keepdims=True)
        energy = np.einsum("cdt,cdt->ct", table, table)
        return cls(cols_rows, table, energy, fine, fine**2, sharp, sharp**2, shape, shape**2)

    def rank_all(
        self, crops_bgr: Sequence[F32], turns: tuple[int, ...], margin: float
    ) -> list[tuple[F32, NDArray[np.intp]]]:
        """For each crop the misfit of every picture in every turn, and the placement that fits best.

        `crops_bgr`, each (h, w, 3) float32 in 0..1. Returns cost (len(turns), T), 0 for a perfect fit to 1, and the
        index into PLACEMENTS (len(turns), T). The fit is a gain per channel, tied to a common gain.
        """
        out = []
        for first in range(0, len(crops_bgr), TOGETHER):
            some = crops_bgr[first : first + TOGETHER]
            samples = np.concatenate([_sample(crop, self.cols_rows, margin) for crop in some])
            every = self._misfits(_descriptors(samples), turns).reshape(len(some), len(PLACEMENTS), -1)
            best = every.argmin(axis=1)
            cost = np.take_along_axis(every, best[:, None], axis=1)[:, 0]
            shape = (len(turns), -1)
            out += [(one.reshape(shape), at.reshape(shape)) for one, at in zip(cost, best, strict=True)]
        return out

    def misfits_turned(self, crops_bgr: Sequence[F32], degrees: tuple[float, ...], margin: float) -> F32:
        """(N, D, T) the misfit of `rank_all` of every picture for each square crop (S, S, 3) float32 of a face that
        lies turned clockwise by each of some degrees, and is as large as it should be: that of a piece at a known pose
        is known. No crop is cut or blurred for each turn. `margin`: as wide as what a turned face takes, and its
        placements."""
        out = np.empty((len(crops_bgr), len(degrees), self.table.shape[2]), np.float32)
        for one, crop in zip(out, crops_bgr, strict=True):
            where = _turned_map(len(crop), self.cols_rows, margin, degrees)
            soft = cv2.GaussianBlur(crop, (0, 0), 0.5 * (len(crop) / (1 + 2 * margin)) / self.cols_rows[0])
            samples = cv2.remap(soft, where, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            every = self._misfits(_descriptors(samples), (0,))
            one[:] = every.reshape(len(degrees), -1, every.shape[-1]).min(axis=1)
        return out

    def first_looks(
        self, crops_bgr: Sequence[F32], turns: tuple[int, ...], margin: float, faint: float = -1.0
    ) -> list[tuple[float, float]]:
        """For each crop (h, w, 3) float32 the least misfit of `rank_all`, and how far the print of that picture goes
        with that of the crop: -1 to 1.

        Plain table fits many a picture that is given no contrast; its correlation with any print is small. `faint`:
        where it is less without growing or shrinking the pictures, that is what is told, in a third of the time.
        """
        if faint <= -1.0:
            return self._looks(crops_bgr, turns, margin, ALL)
        out = self._looks(crops_bgr, turns, margin, NOMINAL_SIZE)
        more = [k for k, (_, likeness) in enumerate(out) if likeness >= faint]
        for k, look in zip(more, self._looks([crops_bgr[k] for k in more], turns, margin, ALL), strict=True):
            out[k] = look
        return out

    def _looks(
        self, crops_bgr: Sequence[F32], turns: tuple[int, ...], margin: float, placements: slice
    ) -> list[tuple[float, float]]:
        """`first_looks` in some of the placements."""
        out = []
        many = placements.stop - placements.start
        together = TOGETHER * len(PLACEMENTS) // many
        for first in range(0, len(crops_bgr), together):
            some = crops_bgr[first : first + together]
            x = _descriptors(np.concatenate([_sample(crop, self.cols_rows, margin, placements) for crop in some]))
            costs = self._misfits(x, turns).reshape(len(some), many, -1)
            for number, cost in enumerate(costs):
                placement, picture = divmod(int(cost.argmin()), cost.shape[1])
                print_there = x[:, number * many + placement, :-1].ravel()
                print_learnt = self._turned_table(turns)[:, :-1, picture].ravel()
                contrast_of_both = float((print_there @ print_there) * (print_learnt @ print_learnt)) ** 0.5
                likeness = float(print_there @ print_learnt) / max(contrast_of_both, 1e-9)
                out.append((float(cost[placement, picture]), likeness))
        return out

    def _misfits(self, x: F32, turns: tuple[int, ...]) -> F32:
        """(N, len(turns) * T): how badly every picture in every turn explains descriptors (3, N, cells + 1)."""
        dot = np.matmul(x, self._turned_table(turns))  # (3, N, turns * T)
        own = np.einsum("cnd,cnd->n", x, x)
        share, whole = self._ties(turns)
        # tie times the common gain of the channels, (N, turns * T)
        pull = np.maximum(dot[0] + dot[1] + dot[2], 0.0) * np.float32(GAIN_TIE / 3)
        # ridge regression of each channel around the common gain, in closed form
        dot += pull
        np.square(dot, out=dot)
        dot *= share
        cost = pull * pull
        cost *= whole
        cost -= dot[0]
        cost -= dot[1]
        cost -= dot[2]
        cost += own[:, None]
        cost /= np.maximum(own[:, None], np.float32(1e-6))
        return np.asarray(cost)

    def _ties(self, turns: tuple[int, ...]) -> tuple[F32, F32]:
        """Of what ties the gains of every picture's channels together: 1 / (energy + tie) of each channel
        (3, 1, turns * T), and 3 / tie (turns * T,); made when first asked for."""
        if turns not in self.ties:
            tie = np.tile(GAIN_TIE * (self.energy.mean(axis=0) + np.float32(1e-6)), len(turns)).astype(np.float32)
            share = 1 / (np.tile(self.energy, len(turns))[:, None] + tie)
            self.ties[turns] = share.astype(np.float32), np.float32(3) / tie
        return self.ties[turns]

    def _turned_table(self, turns: tuple[int, ...]) -> F32:
        """(3, cells + 1, turns * T): the descriptors of all pictures in every turn, made when first asked for.

        A crop turned back and a picture turned forth are the same comparison; there are many crops.
        """
        if turns not in self.turned:
            cols, rows = self.cols_rows
            cells = np.arange(rows * cols).reshape(rows, cols)
            orders = [np.argsort(np.rot90(cells, turn).ravel()) for turn in turns]
            every = [np.concatenate([self.table[:, order], self.table[:, -1:]], axis=1) for order in orders]
            self.turned[turns] = np.ascontiguousarray(np.concatenate(every, axis=2))
        return self.turned[turns]

    def rank_all_aligned(self, seen: Sequence[F32], valid: Sequence[F32]) -> list[Misfits]:
        """Misfits (T,) of every picture with each aligned crop: of the values, of their local contrast, of its grey.

        `seen`, each (h, w, 3), and `valid` (h, w) in the reference frame. As `rank_all`, with weights that leave out
        what no fit explains (cubes, glare); local contrast does not see shadows, its grey no colour of the light
        either. The last figure is the bounded mean error of the best picture.
        """
        if not seen:
            return []
        soft = [thin(one) for one in seen]
        x = np.stack([one.reshape(-1, 3) for one in soft])  # (J, samples, 3)
        sure = np.stack([one[FINE // 2 :: FINE, FINE // 2 :: FINE].ravel() for one in valid])
        base = sure * np.where(_greatest(x) > BURNT, np.float32(0.3), np.float32(1.0))
        weight: NDArray[Any] = base
        whole = base.sum(axis=1) + np.float32(1e-6)
        for _ in range(3):
            cost, gain, offset = _ridge(weight, x, self.fine, self.fine_square, OFFSET_KEPT)
            best = cost.argmin(axis=1)
            rows = np.arange(len(best))
            wanted = gain[:, rows, best] * self.fine[:, :, best].transpose(1, 0, 2) + offset[:, rows, best]
            error = _greatest(np.abs(x - wanted.transpose(2, 0, 1)))
            doubt = 1 + (error / (2 * medians(error, axis=1) + np.float32(0.02))) ** 2
            weight = base / (doubt * doubt)
        bounded = np.einsum("jd,jd->j", base, np.minimum(error, np.float32(0.3))) / whole
        sharp = np.stack([contrast(one).reshape(-1, 3) for one in soft])
        local, _, _ = _ridge(weight, sharp, self.sharp, self.sharp_square, 1.0)
        grey, _, _ = _ridge(weight, sharp.mean(axis=2, keepdims=True), self.shape, self.shape_square, 1.0)
        return [(cost[k], local[k], grey[k], float(bounded[k])) for k in range(len(soft))]


def _greatest(values: F32) -> NDArray[Any]:
    """(J, D): the greatest of the three channels of values (J, D, 3): a fifth of the time of NumPy's own."""
    return np.asarray(np.maximum(np.maximum(values[..., 0], values[..., 1]), values[..., 2]))


def _ridge(w: F32, x: F32, table: F32, square: F32, kept: float) -> tuple[F32, F32, F32]:
    """Weighted ridge fits of x (J, D, 3) by every column of `table` (3, D, T): cost (J, T), gain and offset
    (3, J, T)."""
    w = w / (w.sum(axis=1, keepdims=True) + np.float32(1e-6))
    by_channel = np.ascontiguousarray(np.moveaxis(x, 2, 0))  # (3, J, D)
    weighted = w * by_channel
    mx = weighted.sum(axis=2, keepdims=True)
    mt = np.matmul(w, table)  # (3, J, T)
    keep = 1 - kept
    dot = np.matmul(weighted, table) - keep * mx * mt
    tt = np.matmul(w, square) - keep * mt**2
    xx = np.einsum("cjd,cjd->cj", weighted, by_channel)[..., None] - keep * mx**2
    common = np.maximum(dot.sum(axis=0) / (tt.sum(axis=0) + 1e-6), 0)
    tie = GAIN_TIE * (tt.mean(axis=0) + 1e-6)
    gain = (dot + tie * common) / (tt + tie)
    cost = np.sum(xx - 2 * gain * dot + gain**2 * tt + tie * (gain - common) ** 2, axis=0)
    return cost, gain, (mx - gain * mt) * keep


FINE = 4  # px of the reference frame a sample of the aligned ranking
BURNT = 0.97  # a brighter value is clipped: it says "at least this bright"


def thin(picture: F32) -> F32:
    """Every FINE-th pixel of `picture` (h, w, 3) after averaging."""
    return np.asarray(cv2.blur(picture, (FINE, FINE))[FINE // 2 :: FINE, FINE // 2 :: FINE])


def contrast(soft: F32) -> F32:
    """Difference of `soft` (h, w, 3) to its surroundings, relative to them."""
    around = cv2.GaussianBlur(soft, (0, 0), (soft.shape[0] * soft.shape[1]) ** 0.5 / 8)
    return np.asarray((soft - around) / (around + 0.1))
