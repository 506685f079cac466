"""Of what people are reminded at a grid of tiles and cubes."""

from __future__ import annotations

from companion.core.duties import Duty, Reminder

REMINDERS = {
    Duty.TURN: Reminder("E31"),
    Duty.CONFIRM: Reminder("E20"),
    Duty.LIFT: Reminder("E40"),
    Duty.RETURN: Reminder("E42"),
    Duty.REFILL: Reminder("E50"),
    Duty.PIECES: Reminder("E4"),
    Duty.FIGURE: Reminder("E53"),
}
