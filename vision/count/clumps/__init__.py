"""Pieces that are not round, as masks of colour: found, and split where they touch."""
