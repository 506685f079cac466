"""Of what people are reminded at a map of tiles, mages and tokens."""

from __future__ import annotations

from companion.core.duties import Duty, Reminder

REMINDERS = {
    Duty.TURN: Reminder("N20"),
    Duty.RETURN: Reminder("N30", "Tokens still lie at {places} that have left the map or were turned over."),
    Duty.PUT: Reminder("N32", "Tokens are still to be put at {places}."),
}
