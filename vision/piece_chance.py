"""How probable it is that the pieces found on a face are all there are, and of the right colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from vision.piece_scene import ACCEPTED

CERTAIN_EVIDENCE = 40.0
DOUBTFUL_EVIDENCE = 12.0
"""Evidence at which a piece is as good as sure, and at which it is even odds: between them the logit is linear."""

STRANGE_MM2 = 60.0
"""Unexplained area of a face at which something that is not a known piece may lie there: more than half a piece."""


class Found(Protocol):
    """The evidence for a piece and over the next colour (nats)."""

    @property
    def evidence(self) -> float: ...

    @property
    def colour_margin(self) -> float: ...


def pieces_probability(pieces: Sequence[Found], refused: float, unexplained_mm2: float) -> float:
    """Probability that the pieces found on one face are all there are, and of the right colours."""
    p = 1.0
    for piece in pieces:
        p *= _sure(min(piece.evidence, piece.colour_margin))
    p *= _sure(DOUBTFUL_EVIDENCE + (ACCEPTED - refused) * 4)
    return float(p * _sure(DOUBTFUL_EVIDENCE + (STRANGE_MM2 * 2 - unexplained_mm2) * 0.5))


def _sure(evidence: float) -> float:
    slope = 5.0 / (CERTAIN_EVIDENCE - DOUBTFUL_EVIDENCE)
    return float(1.0 / (1.0 + np.exp(-np.clip((evidence - DOUBTFUL_EVIDENCE) * slope, -50, 50))))
