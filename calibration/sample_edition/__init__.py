"""The project's own Envyra edition: tiles, boards and corner card drawn by code, and their printable sheets."""
