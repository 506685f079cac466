"""A camera that joins a game that has begun: what differs from the record is not against the rules but not told yet."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.game import GameSpec
from companion.core.inputs import BoardObservation, ViewState
from companion.core.layout import BoardView
from companion.table.session import Session

JOINED = "The camera has joined the game and sees these places differently from the record: {slots}."
JOINED_LATE = (
    "The camera has joined the game and sees these places differently from the record: {slots}. Tell what was captured "
    "and drawn there: then it follows."
)
"""The table does not say whence a tile came or whither it went, so that it cannot be taken over."""

AGREED_PICTURES = 5
"""Settled pictures without a doubt after which a camera that joins has seen the table as the record says; the tracker
decides within three of a still scene."""


@dataclass
class Joining:
    """Whether a game was `begun` without this camera, which has not seen the table as the record says since."""

    begun: bool = False
    _agreed: int = 0

    def observe(self, observation: BoardObservation, *, agrees: bool) -> None:
        """One picture; whether what it shows `agrees` with the record."""
        if observation.view is ViewState.SETTLED:
            self._agreed = self._agreed + 1 if agrees else 0
            self.begun = self.begun and self._agreed < AGREED_PICTURES


def may_take_over(spec: GameSpec, session: Session, seen: BoardView) -> bool:
    """Whether the table that is seen can become the record's: nothing is offered that would be refused."""
    lies = spec.as_it_lies
    return lies is not None and not lies(session.rules, session.state, seen)[1]
