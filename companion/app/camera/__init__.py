"""The camera at the table: its thread, the watch that reports to the session, previews and reminders."""
