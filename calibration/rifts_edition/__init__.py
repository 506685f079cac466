"""The project's own edition of Rifts of N'Norya: its location tiles drawn by code from a catalogue."""
