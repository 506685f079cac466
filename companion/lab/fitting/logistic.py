"""Logistic regression, for the scripts that fit the probabilities of the eyes."""

from __future__ import annotations

import numpy as np

ROUNDS = 60
STEP = 1.0
"""Most that a weight moves in a round: Newton's method may leap where the classes come apart."""


def chances(x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """(N,) probabilities that weights (F,) give to features (N, F)."""
    return np.asarray(1 / (1 + np.exp(-np.clip(x @ weights, -40, 40))))


def logistic(x: np.ndarray, y: np.ndarray, belief: np.ndarray, ridge: float) -> np.ndarray:
    """(F,) weights of a logistic regression of `y` (N,) bool on `x` (N, F), by Newton's method.

    `ridge`: how strongly every weight is pulled towards `belief` (F,).
    """
    w = np.array(belief, float)
    for _ in range(ROUNDS):
        p = chances(x, w)
        slope = x.T @ (y - p) - ridge * (w - belief)
        curve = (x * (p * (1 - p))[:, None]).T @ x + ridge * np.eye(x.shape[1])
        w += np.clip(np.linalg.solve(curve, slope), -STEP, STEP)
    return w
