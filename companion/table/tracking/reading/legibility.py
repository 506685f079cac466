"""Whether the table can hardly be read on the whole, as in the dark or where its faces are too bright for the picture:
what its readings say of themselves (pure)."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log

from companion.core.inputs import BoardObservation, Sight
from companion.table.tracking.reading.reading_weights import NAMED_FACE, UNEXPLAINED_P

MEMORY_PICTURES = 10
"""A picture counts a tenth: one that was spoilt by a shadow says nothing of the table."""

FEWEST_PICTURES = 3
"""Settled pictures before anything is said: the first look at a table is its hardest."""

UNSURE_SHARE, SURE_SHARE = 0.2, 0.1
"""Part of the places that are not read surely from which the table is hardly read, and below which it is read well
again: in rendered rough films it came to 0.2 to 0.9 in a very dark room, to 0.17 at most in nine others."""

UNNAMED_SHARE, NAMED_SHARE, FEWEST_FACES = 0.5, 0.25, 4
"""The same of the faces that are not surely named, where so many are seen."""


@dataclass(slots=True)
class _LastingShare:
    """What part of what is seen has a flaw, over the last pictures; `is_large`: enough for people to be told, from
    `most` on, until it is less than `least`."""

    most: float = UNSURE_SHARE
    least: float = SURE_SHARE
    is_large: bool = False
    _share: float = 0.0
    _pictures: int = 0

    def look(self, flawed: list[bool]) -> None:
        """One picture; one in which nothing is seen says nothing."""
        if not flawed:
            return
        self._pictures += 1
        self._share += (sum(flawed) / len(flawed) - self._share) / min(self._pictures, MEMORY_PICTURES)
        if self._pictures >= FEWEST_PICTURES:
            self.is_large = self._share >= (self.least if self.is_large else self.most)


@dataclass(slots=True)
class Legibility:
    """How much of the table is not read surely, over the last settled pictures."""

    _unsure: _LastingShare = field(default_factory=_LastingShare)
    _unnamed: _LastingShare = field(default_factory=lambda: _LastingShare(UNNAMED_SHARE, NAMED_SHARE))
    _burnt_out: _LastingShare = field(default_factory=_LastingShare)

    @property
    def is_poor(self) -> bool:
        """Whether it can hardly be read what lies and stands there."""
        return self._unsure.is_large or self._unnamed.is_large

    @property
    def is_burnt_out(self) -> bool:
        """Whether its faces cannot be named because they are too bright for the picture."""
        return self._burnt_out.is_large

    def look(self, observation: BoardObservation) -> None:
        """One settled picture."""
        seen = [one for one in observation.slots if one.sight is Sight.SEEN]
        self._unsure.look([one.others_p < UNEXPLAINED_P for one in seen])
        faces = [one for one in seen if one.faces and one.faces[0][0] is not None]
        self._burnt_out.look([one.burnt_out for one in faces])
        dim = [one.faces[0][1] < log(NAMED_FACE) for one in faces if not one.burnt_out]
        self._unnamed.look(dim if len(dim) >= FEWEST_FACES else [])
