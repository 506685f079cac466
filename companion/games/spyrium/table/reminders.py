"""Of what people are reminded at a market of cards and workers."""

from __future__ import annotations

from companion.core.duties import Duty, Reminder

REMINDERS = {
    Duty.TURN: Reminder("S24"),
    Duty.LIFT: Reminder("S50", "Cards still lie at {places} that are discarded or go to their owner."),
    Duty.RETURN: Reminder("S41", "Workers still stand at {places} that went back to their players."),
    Duty.REFILL: Reminder("S22", "These places wait for a card: {places}."),
    Duty.FIGURE: Reminder("S50", "The First player card goes to {players}."),
}
