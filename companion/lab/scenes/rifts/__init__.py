"""Rendered maps of Rifts and its spell cards: tables, sets, and what a person lays out and reads."""
