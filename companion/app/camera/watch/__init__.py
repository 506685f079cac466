"""The watch at one session: what the camera sees becomes records, questions, alarms, warnings and reminders."""
