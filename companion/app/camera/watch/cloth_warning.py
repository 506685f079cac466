"""Says once which colours of pieces are hardly seen on the table that lies before the camera."""

from __future__ import annotations

from dataclasses import dataclass

from companion.app.camera.watch.alerts import Alerts
from companion.core.inputs import BoardObservation, ViewState
from companion.core.types import Action
from companion.table.session import Session

CLOTH = "camera-cloth"
"""The id of its alert."""

HARDLY_SEEN = (
    "Pieces of {colours} are hardly seen on this cloth: lay one of another colour under them, or enter what is done "
    "with them."
)
PLAYED_ON = "Play has gone on."


@dataclass
class ClothWarning:
    """Opens an alert when a colour is first found to be like the table, and closes it at the next act: who plays on has
    read it."""

    session: Session
    alerts: Alerts
    _told: frozenset[str] = frozenset()
    """The colours that people have been told of."""
    _at: int = 0
    """How many acts were recorded then."""

    def observe(self, observation: BoardObservation) -> None:
        """One picture; only settled ones tell colours."""
        if observation.view is ViewState.SETTLED and not self._told.issuperset(observation.alike):
            self._told, self._at = self._told.union(observation.alike), self._acts()
            self.alerts.open(CLOTH, HARDLY_SEEN, facts={"colours": sorted(self._told)})
        elif CLOTH in self.alerts.shown and self._acts() > self._at:
            self.alerts.close(CLOTH, PLAYED_ON)

    def _acts(self) -> int:
        return sum(isinstance(step.event, Action) for step in self.session.line())
