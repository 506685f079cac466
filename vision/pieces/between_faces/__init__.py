"""Pieces on the table between faces: what the bare table looks like, what stands there, what that hides of faces."""
