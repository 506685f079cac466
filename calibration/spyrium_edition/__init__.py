"""The project's own Spyrium edition: its cards drawn by code from a catalogue, and their printable sheets."""
