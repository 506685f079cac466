"""Rough rooms to measure in: the light, the cameras, the worn tiles and the clutter of an ordinary living room."""
