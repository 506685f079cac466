"""What was counted in a picture: its pieces, their numbers by colour, and how sure they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.count.appearance.looks import light_of
from vision.count.certainty import CLOSER, PLAIN_OR_PARTS, SURE, SURE_OF_COATED, Doubts
from vision.count.naming.names import is_coated
from vision.count.reducing import Region
from vision.count.teaching.colours import PieceColour, every_look


@dataclass(frozen=True, slots=True, eq=False)
class CountedPiece:
    """One piece: middle and outline (N, 1, 2) in px of the picture, its colour or None, the likeliest colours first."""

    xy: tuple[float, float]
    colour: str | None
    p: float
    alternatives: tuple[tuple[str, float], ...]
    outline: NDArray[np.int32]

    def moved(self, share: float, origin: tuple[int, int]) -> CountedPiece:
        """The same in px of the whole picture, of which a part from `origin` on was made `share` times as large."""
        outline = np.round(self.outline / share).astype(np.int32) + np.array(origin, np.int32)
        return replace(self, xy=(self.xy[0] / share + origin[0], self.xy[1] / share + origin[1]), outline=outline)


@dataclass(frozen=True, slots=True, eq=False)
class Count:
    """The pieces of a picture by colour; `probability` that every number is right, `total_probability` that their sum
    is; `why` it is not sure, if so, and `advice` what would help.
    """

    counts: dict[str, int]
    unknown: int
    probability: float
    total_probability: float
    sure: bool
    why: str
    pieces: tuple[CountedPiece, ...]
    advice: str = ""

    def inside(self, pieces: list[CountedPiece], region: Region) -> Count:
        """The count of those of the pieces whose middle lies in a region."""
        x, y, w, h = region
        kept = [p for p in pieces if x <= p.xy[0] < x + w and y <= p.xy[1] < y + h]
        counts = {name: sum(p.colour == name for p in kept) for name in self.counts}
        return replace(self, counts=counts, unknown=sum(p.colour is None for p in kept), pieces=tuple(kept))


def nothing(colours: Sequence[PieceColour]) -> Count:
    """The count of a table on which nothing was found: as often as not nothing is there."""
    why, counts = "nothing that lies on the table was found", {c.name: 0 for c in colours}
    return Count(counts, 0, 0.5, 0.5, False, why, (), f"if pieces lie there, {CLOSER}")


def too_many(outlines: Sequence[NDArray[np.float64]], colours: Sequence[PieceColour]) -> Count:
    """The count of a picture with more round outlines (N, 2) px than are named: print, or a heap; of no colour."""
    unknown = np.append(np.zeros(len(colours)), 1.0)
    pieces = [counted_piece(one.mean(axis=0), np.round(one).astype(np.int32), unknown, colours) for one in outlines]
    why = f"{len(pieces)} round things, too many to tell pieces from a printed table"
    return tally(pieces, colours, Doubts(0.0, 0.0).worse(1.0, why, PLAIN_OR_PARTS))


def counted_piece(
    xy: NDArray[np.float64], outline: NDArray[np.int32], p: NDArray[np.float64], colours: Sequence[PieceColour]
) -> CountedPiece:
    """A piece by the chances (K + 1,) of its colours, and last of none of them."""
    order = np.argsort(-p[:-1])
    alternatives = tuple((colours[k].name, round(float(p[k]), 4)) for k in order[:3])
    known = p[order[0]] > p[-1]
    name = colours[int(order[0])].name if known else None
    chance = float(p[order[0]] if known else p[-1])
    return CountedPiece((float(xy[0]), float(xy[1])), name, chance, alternatives, outline.reshape(-1, 1, 2))


def tally(pieces: list[CountedPiece], colours: Sequence[PieceColour], doubts: Doubts) -> Count:
    """The count of pieces with its doubts."""
    counts = {c.name: sum(p.colour == c.name for p in pieces) for c in colours}
    unknown = sum(p.colour is None for p in pieces)
    sure = doubts.all_right >= least_sure(colours)
    why = "" if sure else doubts.why or "many small doubts together"
    advice = "" if sure else "; ".join(doubts.advice) or CLOSER
    chances = round(doubts.all_right, 4), round(doubts.total_right, 4)
    return Count(counts, unknown, *chances, sure, why, tuple(pieces), advice)


def least_sure(colours: Sequence[PieceColour]) -> float:
    """The probability from which a count of such pieces is given as sure."""
    coated = is_coated(light_of(every_look(colours)))
    return SURE_OF_COATED if coated else SURE
