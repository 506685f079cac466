"""Says that the table can hardly be read, as in the dark, and what helps."""

from __future__ import annotations

from dataclasses import dataclass

from companion.app.camera.watch.alerts import Alerts

LEGIBILITY = "camera-legibility"
"""The id of its alert."""

HARDLY_READ = (
    "The camera can hardly read this table: it is too dark or not sharp. Turn on more light or bring the camera "
    "nearer; until then look at what is recorded, and enter what is missing."
)
WELL_READ = "The camera can read the table again."


@dataclass(frozen=True, slots=True)
class LegibilityWarning:
    """Opens and closes an alert; it stands beside all others."""

    alerts: Alerts

    def say(self, *, is_poor: bool) -> None:
        """Say whether the table can hardly be read, once."""
        if is_poor:
            self.alerts.open(LEGIBILITY, HARDLY_READ)
        else:
            self.alerts.close(LEGIBILITY, WELL_READ)
