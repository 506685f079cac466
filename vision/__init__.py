"""Sees the table: sources, rectification, recognition."""
