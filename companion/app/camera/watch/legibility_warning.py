"""Says that the table can hardly be read, as in the dark or in too much light, and what helps."""

from __future__ import annotations

from dataclasses import dataclass

from companion.app.camera.watch.alerts import Alerts

LEGIBILITY = "camera-legibility"
"""The id of its alert."""

HARDLY_READ = (
    "The camera can hardly read this table: it is too dark or not sharp. Turn on more light or bring the camera "
    "nearer; until then look at what is recorded, and enter what is missing."
)
BURNT_OUT = (
    "What lies on the table is too bright in the picture to be named: lower the camera's exposure, dim the lamp, or "
    "lay a lighter cloth under it; until then look at what is recorded, and enter what is missing."
)
WELL_READ = "The camera can read the table again."


@dataclass(frozen=True, slots=True)
class LegibilityWarning:
    """Opens and closes an alert; it stands beside all others."""

    alerts: Alerts

    def say(self, *, is_poor: bool, is_burnt_out: bool = False) -> None:
        """Say whether the table can hardly be read, once: more light does not help where faces are `is_burnt_out`."""
        if is_poor or is_burnt_out:
            self.alerts.open(LEGIBILITY, BURNT_OUT if is_burnt_out else HARDLY_READ)
        else:
            self.alerts.close(LEGIBILITY, WELL_READ)
