"""Gloss on pieces of one colour: white light that they mirror lies over their colour in one picture, not in another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.faces.photographed.one_colour import DARKEST, GAMMA, SeenColour

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

# Linear light that a piece mirrors in one picture more than in another, as a share of what white shows: a surface
# mirrors some 4 hundredths of what it faces, a bright window or a lamp.
SPREAD = 0.06
MOST = 4 * SPREAD
ERROR = 0.05  # of an encoded colour whose exposure and gloss are known: shade on a piece, and the camera's channels
LEAST_GAIN = 0.02
ROUNDS = 3


def glossed(pictures: F32, piece: SeenColour) -> tuple[F32, F64]:
    """`pictures` (M, h, w, 3) in 0..1 with as much gloss added or taken away as makes their colours likest what their
    crop shows of a `piece` there; and nats (M,) by which such a gloss is unusual."""
    white = _white(piece.learnt, piece.colour)
    shown = np.clip(piece.learnt**GAMMA + white[:, None], 0, 1) ** (1 / GAMMA)
    bright = np.maximum(piece.learnt.max(axis=1), DARKEST).astype(np.float32)
    most = np.maximum(np.maximum(pictures[..., 0], pictures[..., 1]), pictures[..., 2])
    lit = np.minimum(most / bright[:, None, None], 1)  # black ground mirrors nothing
    added = (shown - piece.learnt).astype(np.float32)
    out = np.empty_like(pictures)
    for c in range(3):  # channel by channel is ten times faster
        np.clip(pictures[..., c] + lit * added[:, None, None, c], 0, 1, out=out[..., c])
    return out, 0.5 * (white / SPREAD) ** 2


def _white(learnt: F64, seen: F64) -> F64:
    """(M,) the white light, linear, over encoded colours `learnt` (M, 3) that makes them likest `seen` (M, 3) in any
    exposure: both by least squares, no more light being taken away than is there."""
    linear, there = learnt**GAMMA, seen**GAMMA
    sure = (ERROR * GAMMA * np.maximum(seen, DARKEST) ** (GAMMA - 1)) ** -2.0
    own, beside = (sure * linear**2).sum(axis=1), (sure * linear).sum(axis=1)
    on_own, alike = (sure * linear * there).sum(axis=1), (sure * there).sum(axis=1)
    white = np.zeros(len(linear))
    for _ in range(ROUNDS):
        shown = linear + white[:, None]
        gain = (sure * shown * there).sum(axis=1) / np.maximum((sure * shown**2).sum(axis=1), 1e-9)
        of_white = sure.sum(axis=1) + (np.maximum(gain, LEAST_GAIN) * SPREAD) ** -2.0
        white = (own * alike - beside * on_own) / np.maximum(of_white * on_own - beside * alike, 1e-9)
        white = np.clip(white, -linear.min(axis=1), MOST)
    return white
