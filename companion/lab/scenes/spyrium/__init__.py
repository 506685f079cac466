"""Rendered tables of Spyrium: tables, sets, and cards of a made-up edition."""
