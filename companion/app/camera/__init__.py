"""The camera at the table: its thread, its pictures and previews; its watch reports to the session."""
