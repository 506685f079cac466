"""How probable it is that the pieces found on a face are all there are, and of the right colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from vision.pieces.scene import ACCEPTED

# Evidence (nats) from which more says no more.
MOST_EVIDENCE = 150.0

# Evidence for a piece that was not taken (nats) from which more says no more: a long shadow may look like one.
MOST_REFUSED = 40.0

# Logistic regression of "all counts are right" on `features`, fitted on rendered editions
# (companion/lab/fitting/fit_table_chances.py; docs/measured/reading-the-table.md tells which).
WEIGHTS = (0.433, 5.771, -5.155, -4.240)

# The same of pieces on printed faces, in rough rooms, set by hand where few mistakes fix it: of 15 counts of 17
# rendered rooms whose weakest piece had less than 17 nats eleven were wrong, and 0.9 is reached at 20, as fitted on
# 1,001 counts of 20 boxes; of 20 with pieces refused that had 3 to 15 nats none was.
ON_PRINT = (-4.0, 10.2, -2.0, -4.24)

# Part by which print that nothing explains counts where it is too narrow for a piece: of 20 such counts of ten rendered
# rough rooms with 60 mm2 and more of it and no piece refused none was wrong.
NARROW = 0.25


class PieceEvidence(Protocol):
    """The evidence for a piece and over the next colour (nats)."""

    @property
    def evidence(self) -> float: ...

    @property
    def colour_margin(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Counted:
    """What a count of pieces rests on.

    `weakest`: least evidence for a piece or for its colour against the next (nats), infinite without pieces;
    `refused`: most evidence for a piece that was not taken (nats); `unexplained_mm2`: area of the face that neither
    print, shadow nor piece explains.
    """

    weakest: float
    refused: float
    unexplained_mm2: float

    @classmethod
    def of(cls, pieces: Sequence[PieceEvidence], refused: float, unexplained_mm2: float) -> Counted:
        """From the pieces that were found."""
        weakest = min((min(p.evidence, p.colour_margin) for p in pieces), default=float("inf"))
        return cls(weakest, refused, unexplained_mm2)


def features(counted: Counted) -> tuple[float, float, float, float]:
    """What the logistic regression sees of the evidence."""
    weakest = np.log1p(min(max(counted.weakest, 0.0), MOST_EVIDENCE)) / np.log1p(MOST_EVIDENCE)
    return 1.0, float(weakest), min(max(counted.refused, 0.0), MOST_REFUSED) / ACCEPTED, counted.unexplained_mm2 / 100.0


def count_probability(counted: Counted, weights: tuple[float, float, float, float] = WEIGHTS) -> float:
    """Probability that the counts are right. `weights`: `WEIGHTS`, or `ON_PRINT`."""
    return float(1.0 / (1.0 + np.exp(-np.clip(np.dot(weights, features(counted)), -50, 50))))


def beside_other_count(p: float, other_p: float) -> float:
    """Probability of the likelier of two counts of the same pieces that differ, given that of each alone: not both are
    right, and that both are wrong is left to the likelier one's own doubt."""
    one, other = p * (1.0 - other_p), other_p * (1.0 - p)
    return min(p, one / (one + other)) if one + other > 0.0 else p / 2.0


def counting_mm2(room_mm2: float, unexplained_mm2: float) -> float:
    """Area (mm2) that counts against a count, of what neither print, shadow nor piece explains: all `room_mm2` that is
    wide enough for a piece, and a part of the rest."""
    return room_mm2 + NARROW * (unexplained_mm2 - room_mm2)


def chance_level(refused_of: Sequence[Mapping[str, float]], face: int, colour: str) -> float:
    """Nats that speak by chance for a piece of a colour on a bare face of a picture, 1 at least: the mean of what was
    refused on the others than `face`, without the one where it was most, for a piece may stand there.

    In the dark the noise of colours hangs together over the top of a piece, and black pieces are seen on dark print all
    over: of ten rendered rough rooms in two, on seven and nine of eleven faces. `refused_of`: see `PieceSearch`."""
    others = sorted(nats.get(colour, 0.0) for number, nats in enumerate(refused_of) if number != face)[:-1]
    return max(1.0, sum(others) / len(others)) if others else 1.0


def pieces_probability(pieces: Sequence[PieceEvidence], refused: float, unexplained_mm2: float) -> float:
    """Probability that the pieces found on one face are all there are, and of the right colours."""
    return count_probability(Counted.of(pieces, refused, unexplained_mm2))
