"""The box without a line: contacts, link and LEDs as its firmware has them, and the faults of a line."""
