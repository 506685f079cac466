"""How a camera renders a learnt picture: gain, offset and slow shading per channel, fitted robustly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]

NOISE = 0.04  # residual of a right fit that is ordinary, in 0..1: sensor noise, print, uneven light
GAIN_SPREAD = 0.2  # relative spread of a channel's gain around the common one: lamps and white balance
OFFSET_SPREAD = 0.04  # haze and black level
SHADE_SPREAD = 0.15  # relative fall of light across a piece
COUNT = 60.0  # pixels of a picture that count as independent
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Rendering:
    """Fits of M candidates: `gain`, `offset`, `shade_x`, `shade_y` (M, 3) and the cost of their being unusual (M,)."""

    gain: F32
    offset: F32
    shade_x: F32
    shade_y: F32
    prior_cost: F32

    def apply(self, pictures: F32, xy: F32) -> F32:
        """`pictures` (M, P, 3) at points `xy` (P, 2) in -1..1 as the camera would show them, (M, P, 3)."""
        light = (
            self.gain[:, None, :]
            + xy[None, :, 0, None] * self.shade_x[:, None, :]
            + xy[None, :, 1, None] * self.shade_y[:, None, :]
        )
        return np.clip(light * pictures + self.offset[:, None, :], 0.0, 1.0)


def fit(pictures: F32, seen: F32, valid: F32, xy: F32, cast: F32 | None = None) -> Rendering:
    """The rendering of each candidate that explains `seen` best.

    `pictures` (M, P, 3) values of the candidates, `seen` (P, 3) values of the crop at the same points, `valid`
    (P,) weights 0..1, `xy` (P, 2) in -1..1. Ridge regression, re-weighted ROUNDS times so that cubes and glare
    do not pull; the gains are tied to a common gain times `cast` (3,), offset and shading to none.
    """
    m, p, _ = pictures.shape
    ratio = np.ones(3, dtype=np.float32) if cast is None else cast
    weight = np.broadcast_to(valid, (m, p)).astype(np.float32)
    basis = np.stack(
        [pictures, np.ones_like(pictures), pictures * xy[None, :, 0, None], pictures * xy[None, :, 1, None]], axis=-1
    )  # (M, P, 3, 4)
    basis = np.ascontiguousarray(basis.transpose(0, 2, 1, 3))  # (M, 3, P, 4)
    target = np.ascontiguousarray(seen.T)[None, :, :]  # (1, 3, P)
    solution = np.zeros((m, 3, 4), dtype=np.float32)
    # a pixel that is burnt out or black says little about the light
    for _ in range(ROUNDS):
        lifted = pictures * ratio
        common = np.einsum("mp,mpc,pc->m", weight, lifted, seen) / (
            np.einsum("mp,mpc,mpc->m", weight, lifted, lifted) + 1e-6
        )
        common = np.clip(common, 0.05, 10.0)
        spread = np.stack(
            [GAIN_SPREAD * common, np.full(m, OFFSET_SPREAD), SHADE_SPREAD * common, SHADE_SPREAD * common], axis=-1
        )  # (M, 4)
        mean = np.zeros((m, 3, 4), dtype=np.float32)
        mean[:, :, 0] = common[:, None] * ratio
        scale = COUNT / (np.maximum(weight.sum(axis=1), 1.0) * NOISE**2)  # (M,)
        weighted = basis * weight[:, None, :, None]
        normal = np.matmul(weighted.transpose(0, 1, 3, 2), basis) * scale[:, None, None, None]
        right = np.einsum("mcpk,cp->mck", weighted, target[0]) * scale[:, None, None]
        precision = 1 / spread**2
        normal = normal + precision[:, None, :, None] * np.eye(4, dtype=np.float32)
        right = right + precision[:, None, :] * mean
        solution = np.linalg.solve(normal, right[..., None])[..., 0].astype(np.float32)
        error = np.einsum("mcpk,mck->mcp", basis, solution) - target
        size = np.sqrt(np.mean(error**2, axis=1))
        weight = valid / (1 + (size / (2 * NOISE)) ** 2) ** 2
    prior = 0.5 * np.sum(((solution - mean) ** 2) * precision[:, None, :], axis=(1, 2))
    return Rendering(
        solution[..., 0], solution[..., 1], solution[..., 2], solution[..., 3], prior.astype(np.float32)
    )
