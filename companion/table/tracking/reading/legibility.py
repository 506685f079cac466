"""Whether the table can hardly be read on the whole, as in the dark: what its readings say of themselves (pure)."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.inputs import BoardObservation, Sight
from companion.table.tracking.reading.evidence import UNEXPLAINED_P

MEMORY_PICTURES = 10
"""A picture counts a tenth: one that was spoilt by a shadow says nothing of the table."""

FEWEST_PICTURES = 3
"""Settled pictures before anything is said: the first look at a table is its hardest."""

UNSURE_SHARE, SURE_SHARE = 0.2, 0.1
"""Part of the places that are not read surely from which the table is hardly read, and below which it is read well
again: in rendered rough films it came to 0.2 to 0.9 in a very dark room, to 0.17 at most in nine others."""


@dataclass(slots=True)
class Legibility:
    """How much of the table is not read surely, over the last settled pictures. `is_poor`: it can hardly be read."""

    is_poor: bool = False
    _unsure: float = 0.0
    _pictures: int = 0

    def look(self, observation: BoardObservation) -> None:
        """One settled picture; one in which no place is seen says nothing."""
        sure = [one.others_p >= UNEXPLAINED_P for one in observation.slots if one.sight is Sight.SEEN]
        if not sure:
            return
        self._pictures += 1
        unsure = sure.count(False) / len(sure)
        self._unsure += (unsure - self._unsure) / min(self._pictures, MEMORY_PICTURES)
        if self._pictures >= FEWEST_PICTURES:
            self.is_poor = self._unsure >= (SURE_SHARE if self.is_poor else UNSURE_SHARE)
