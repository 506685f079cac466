"""How far the pixels of a view are from the nearest of some colours."""

from __future__ import annotations

import numpy as np

# Pixels whose distances to a few hundred colours are held at once: they stay in the processor's cache.
CHUNK_PIXELS = 1024


def nearest_squares(pixels: np.ndarray, colours: np.ndarray) -> np.ndarray:
    """(N,) float32 squared distance of each pixel (N, K) to the nearest of the colours (M, K); infinite without any."""
    if not len(colours):
        return np.full(len(pixels), np.inf, np.float32)
    # |p - c|^2 = |p|^2 + (|c|^2 - 2 p.c): one small matrix product a chunk, whose columns are the pixels: the least of
    # each is taken row by row, and not over many short rows
    beyond = np.column_stack([-2.0 * colours, (colours**2).sum(axis=1)]).astype(np.float32)
    with_one = np.vstack([pixels.T, np.ones(len(pixels), np.float32)]).astype(np.float32, copy=False)
    apart = np.empty(len(pixels), np.float32)
    for at in range(0, len(pixels), CHUNK_PIXELS):
        (beyond @ with_one[:, at : at + CHUNK_PIXELS]).min(axis=0, out=apart[at : at + CHUNK_PIXELS])
    return np.asarray(np.maximum(apart + (pixels**2).sum(axis=1), 0.0), np.float32)


def nearest_distances(pixels: np.ndarray, samples: np.ndarray) -> np.ndarray:
    """(N,) distance of each pixel (N, 3) to the nearest of the samples (M, 3)."""
    return np.asarray(np.sqrt(nearest_squares(pixels, samples)))
